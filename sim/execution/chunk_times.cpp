#include "sim/execution/chunk_times.hpp"

#include "models/network/zero_load.hpp"
#include "schedules/schedule/transfer_weights.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace nocturne {

Route route_of(const Transfer& transfer, const LinkNetwork& network)
{
    Route route;
    for (const LinkId link : transfer.links())
        if (const auto channel = network.link(link).channel)
            route.push_back({*channel});
    return route;
}

ChunkTransferTime chunk_transfer_time(const Transfer& transfer, std::uint64_t bytes, const Topology& topology,
                                      const LinkNetwork& network, const HardwareConfig& hardware)
{
    if (transfer.is_local())
        return {0, 0};
    const Route route = route_of(transfer, network);
    const std::uint64_t flits = hardware.flits(bytes);
    std::uint64_t slowest = 1;
    // A head takes its virtual channel when the tail before it has left the router.
    unsigned head_cycles = hardware.pipeline_of(topology).head_cycles();
    for (const Hop& hop : route) {
        const Channel& channel = topology.channel(hop.channel);
        slowest = std::max<std::uint64_t>(slowest, hardware.cycles_per_flit(channel));
        head_cycles = std::max(head_cycles, hardware.pipeline_of(topology, channel.target).head_cycles());
    }
    return {hardware.start_up_cycles() + zero_load_cycles(topology, hardware, route, flits),
            flits * slowest + head_cycles + 1};
}

TransferEnds expected_end_cycles(const Schedule& schedule, const Topology& topology,
                                 const LinkNetwork& network, const HardwareConfig& hardware,
                                 std::uint64_t bytes_per_weight)
{
    const std::vector<std::uint32_t> weights = transfer_weights(schedule);
    const TransferList transfers(schedule);
    return transfer_ends(schedule, network, [&](std::uint32_t id) {
        const ChunkTransferTime time =
            chunk_transfer_time(transfers[id], weights[id] * bytes_per_weight, topology, network, hardware);
        return TransferTime{static_cast<double>(time.duration), static_cast<double>(time.hold)};
    });
}

std::uint64_t uncounted_cycles(const Schedule& schedule, const Topology& topology, const LinkNetwork& network,
                               const HardwareConfig& hardware)
{
    std::uint64_t most = 0;
    for (const Step& step : schedule.steps)
        for (const Transfer& transfer : step) {
            if (transfer.is_local())
                continue;
            std::uint64_t latency = 1; // a flit's own cycle
            for (const LinkId link : transfer.links())
                latency += network.link(link).latency_cycles;
            const std::uint64_t head = zero_load_cycles(topology, hardware, route_of(transfer, network), 1);
            most = std::max(most, head - std::min(head, latency));
        }
    return most;
}

unsigned flit_bytes_wanted(const LinkNetwork& network, unsigned least)
{
    constexpr std::uint64_t most_bytes = 4096, most_times = 16; // what hardware takes; rounded messages
    std::set<std::uint64_t> widths;
    for (const NetworkLink& link : network.links())
        widths.insert(link.bytes_per_cycle);
    const std::uint64_t first = std::max<std::uint64_t>(least, widths.empty() ? 0 : *widths.rbegin());
    std::uint64_t best = first;
    double least_loss = HUGE_VAL;
    for (std::uint64_t bytes = first; bytes <= std::max(first, std::min(most_times * first, most_bytes));
         ++bytes) {
        double loss = 1;
        for (const std::uint64_t width : widths) {
            const std::uint64_t cycles = (bytes + width - 1) / width;
            loss = std::max(loss, static_cast<double>(cycles * width) / static_cast<double>(bytes));
        }
        if (loss < least_loss) {
            least_loss = loss;
            best = bytes;
        }
    }
    return static_cast<unsigned>(best);
}

namespace {

/// Has a processor of several links one to which paths of unequal latency lead?
bool can_overtake_tails(const Schedule& schedule, const LinkNetwork& network)
{
    std::vector<std::optional<std::uint64_t>> latency_to(network.link_count()); // by last link
    for (const Step& step : schedule.steps)
        for (const Transfer& transfer : step) {
            if (transfer.is_local() || network.links_to(transfer.destination).size() < 2)
                continue;
            std::uint64_t latency = 0;
            for (const LinkId link : transfer.links())
                latency += network.link(link).latency_cycles;
            auto& known = latency_to[transfer.links().back()];
            if (known.value_or(latency) != latency)
                return true;
            known = latency;
        }
    return false;
}

} // namespace

WantedHardware hardware_wanted(const Schedule& schedule, const std::vector<std::uint32_t>& most_at_once,
                               const Topology& topology, const LinkNetwork& network)
{
    const std::uint32_t most = most_at_once.empty() ? 0 : *std::ranges::max_element(most_at_once);
    WantedHardware wanted{std::max(most, 1U) + 1, all_port};
    unsigned most_links = 1, most_sent = 1; // of a processor
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        const unsigned links = send_ports(topology, id, all_port);
        std::uint32_t sent = 0;
        for (const LinkId link : network.links_from(id))
            sent += most_at_once[link];
        most_links = std::max(most_links, links);
        most_sent = std::max(most_sent, sent);
        if (sent > links)
            wanted.ports.ports = 1;
    }
    const unsigned twice = can_overtake_tails(schedule, network) ? 2 : 1;
    if (!wanted.ports.is_all_port() || twice > 1)
        wanted.ports.ports = std::min(twice * std::max(most_links, most_sent), most_ports);
    return wanted;
}

} // namespace nocturne
