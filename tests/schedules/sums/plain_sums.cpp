#include "tests/schedules/sums/plain_sums.hpp"

#include <map>
#include <set>
#include <utility>

namespace nocturne::test {

bool sums_are_right(const Schedule& schedule)
{
    using Sum = std::multiset<std::uint32_t>;
    std::map<std::pair<ProcessorId, MessageId>, Sum> sums;
    for (MessageId id = 0; id < schedule.collective.chunks.size(); ++id)
        for (const std::uint32_t contributor : schedule.collective.chunks[id].contributors)
            sums[{contributor, id}] = {contributor};
    for (const Step& step : schedule.steps) {
        const auto before = sums;
        for (const Transfer& transfer : step) {
            const auto sent = before.find({transfer.source, transfer.message});
            if (sent == before.end())
                return false;
            Sum& there = sums[{transfer.destination, transfer.message}];
            if (transfer.operation == Operation::copy)
                there = sent->second;
            else
                there.insert(sent->second.begin(), sent->second.end());
        }
    }
    for (const Demand& demand : schedule.collective.demands)
        if (sums[{demand.receiver, demand.chunk}] !=
            Sum(demand.contributors.begin(), demand.contributors.end()))
            return false;
    return true;
}

} // namespace nocturne::test
