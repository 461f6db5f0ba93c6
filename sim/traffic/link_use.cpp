#include "sim/traffic/link_use.hpp"

#include "models/hardware/network_memory.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {

namespace {

constexpr std::size_t least_bins = 256;
constexpr std::uint64_t first_cycle = 1; ///< in which anything moves

std::size_t bins_for(const MessageNetwork& network, std::uint32_t parts)
{
    const std::size_t bins = std::max(least_bins, std::size_t{8} * parts);
    require_memory(network.plan().links() * bins * sizeof(double), half_of_this_machine());
    return bins;
}

} // namespace

LinkUse::LinkUse(MessageNetwork& network, NetworkModel model, std::uint32_t parts)
    : network_(network), reads_counters_(model == NetworkModel::flit),
      use_(network.plan().links(), bins_for(network, parts), first_cycle), busy_before_(use_.rows())
{
    if (!reads_counters_)
        network.observe(*this);
}

void LinkUse::run_to_the_end()
{
    if (!reads_counters_) {
        network_.run_to_the_end();
        return;
    }
    std::uint64_t since = first_cycle;
    do {
        // Nothing has moved before what happens next.
        if (const std::uint64_t next = network_.next_cycle(); next != MessageNetwork::never)
            since = std::max(since, next);
        const std::uint64_t end = std::min(use_.end_of_bin(since), network_.last_cycle());
        network_.run_to(end);
        read_counters(since, end);
        since = end;
    } while (!network_.deadlock() && network_.next_cycle() != MessageNetwork::never &&
             since < network_.last_cycle());
}

void LinkUse::read_counters(std::uint64_t since, std::uint64_t now)
{
    for (std::uint32_t link = 0; link < busy_before_.size(); ++link) {
        const std::uint64_t all = network_.busy_cycles(link);
        const std::uint64_t busy = all - std::exchange(busy_before_[link], all);
        if (busy > 0)
            use_.add(link, since, now, static_cast<double>(busy));
    }
}

void LinkUse::channel_held(const NetworkMessage& message, const ChannelHold& hold, std::uint8_t)
{
    const LinkPlan& plan = network_.plan();
    const std::uint64_t busy =
        plan.network_cycles(hold.link, message.flits * std::uint64_t{plan.timing(hold.link).cycles_per_flit});
    use_.add(hold.link, hold.begin, hold.end, static_cast<double>(busy));
}

std::vector<ChannelLoad> LinkUse::loads(std::uint64_t begin, std::uint64_t end, std::uint32_t parts,
                                        std::uint64_t end_of_run) const
{
    std::vector<ChannelLoad> loads;
    const auto from = static_cast<double>(begin);
    const double part = (static_cast<double>(end) - from) / parts;
    for (std::uint32_t link = 0; link < use_.rows(); ++link) {
        ChannelLoad& load = loads.emplace_back(
            ChannelLoad{network_.plan().link_name(link), {}, network_.flits(link), network_.messages(link)});
        for (std::uint32_t i = 0; i < parts && begin < end; ++i)
            load.utilisation.push_back(
                use_.between(link, from + i * part, from + (i + 1) * part, end_of_run) / part);
    }
    return loads;
}

} // namespace nocturne
