#include "sim/recovery/lost_messages.hpp"

#include <algorithm>

namespace nocturne {

namespace {

/// Everything that the engines had sent when they were done or halted.
std::vector<SentMessage> all_sent(const Workload& workload, const RunReport& report)
{
    std::vector<SentMessage> sent;
    for (ProcessorId source = 0; source < workload.engines.size(); ++source) {
        std::uint32_t number = 0;
        for (std::uint32_t step = 0; step < workload.engines[source].size(); ++step)
            for (const Sending& send : workload.engines[source][step].sends)
                if (number++ < report.sent[source])
                    sent.push_back({step, source, &send});
    }
    return sent;
}

} // namespace

std::vector<SentMessage> lost_messages(const Workload& workload, const RunReport& report)
{
    std::vector<std::vector<Arrival>> arrivals = report.arrivals;
    for (std::vector<Arrival>& each : arrivals)
        std::sort(each.begin(), each.end());
    std::vector<SentMessage> lost = all_sent(workload, report);
    std::erase_if(lost, [&](const SentMessage& each) {
        const std::vector<Arrival>& there = arrivals[each.sending->destination];
        return std::binary_search(there.begin(), there.end(), Arrival{each.source, each.sending->message});
    });
    std::stable_sort(lost.begin(), lost.end(),
                     [](const SentMessage& a, const SentMessage& b) { return a.step < b.step; });
    return lost;
}

std::vector<ChannelId> cleared_channels(const Workload& workload, const RunReport& report,
                                        const std::vector<SentMessage>& lost)
{
    std::vector<ChannelId> cleared;
    if (workload.synchronization != Synchronization::barrier || lost.empty())
        return cleared;
    for (const SentMessage& each : all_sent(workload, report))
        if (each.step > lost.back().step)
            for (const Hop& hop : each.sending->route)
                cleared.push_back(hop.channel);
    return cleared;
}

} // namespace nocturne
