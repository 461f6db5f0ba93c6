#include "tests/schedules/slots/random_slots.hpp"

#include "models/topology/make_topology.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace nocturne::test {

SlotCase random_slot_case(std::mt19937& random, std::size_t flows, double demand)
{
    const auto below = [&](std::uint32_t most) {
        return std::uniform_int_distribution<std::uint32_t>(0, most - 1)(random);
    };
    constexpr const char* names[]{"ring:5", "mesh:3x3", "torus:3x3", "hypercube:3", "octagon:8", "omega:8"};
    SlotCase result{make_topology(names[below(std::size(names))]), {}, {}};
    SlotTiming& timing = result.timing;
    timing.slot_flits = 1 + below(4);
    timing.slot_cycles = timing.slot_flits + below(3);
    timing.interface_cycles = 1 + below(3);
    const bool is_uniform = below(2) == 0;
    const auto delay = [&] { return is_uniform ? timing.slot_cycles * 2 : 2 + below(7); };
    timing.injection_cycles = delay();
    for (ChannelId id = 0; id < result.topology.channel_count(); ++id)
        timing.channel_cycles.push_back(delay());
    const auto processors = static_cast<std::uint32_t>(result.topology.processor_count());
    while (result.flows.size() < flows) {
        GuaranteedFlow flow{below(processors), below(processors), 1 + below(12)};
        if (flow.source == flow.destination)
            continue;
        const std::uint64_t fastest = std::uint64_t{packets_of(flow, timing)} * timing.slot_cycles;
        flow.message_cycles = std::max<std::uint64_t>(
            fastest, static_cast<std::uint64_t>(static_cast<double>(fastest) / demand * (1 + below(3))));
        flow.burst_messages = 1 + below(3);
        result.flows.push_back(flow);
    }
    return result;
}

std::uint64_t least_distance(const SlotCase& given, const SlotTable& table)
{
    const std::uint64_t period = std::uint64_t{table.slots} * given.timing.slot_cycles;
    std::map<std::string, std::vector<std::uint64_t>> entries; // by link
    for (std::size_t i = 0; i < given.flows.size(); ++i)
        for (const std::uint32_t start : table.flows[i].starts) {
            std::uint64_t at = start;
            entries["in " + std::to_string(given.flows[i].source)].push_back(at % period);
            at += given.timing.injection_cycles;
            for (const ChannelId channel : table.flows[i].path) {
                entries[std::to_string(channel)].push_back(at % period);
                at += given.timing.channel_cycles[channel];
            }
            entries["out " + std::to_string(given.flows[i].destination)].push_back(at % period);
        }
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (auto& [link, cycles] : entries) {
        std::ranges::sort(cycles);
        for (std::size_t i = 0; i < cycles.size(); ++i)
            least = std::min(least, i + 1 < cycles.size() ? cycles[i + 1] - cycles[i]
                                                          : cycles[0] + period - cycles[i]);
    }
    return least;
}

std::uint64_t longest_latency(const SlotCase& given, std::size_t flow, const SlotTable& table)
{
    const GuaranteedFlow& wanted = given.flows[flow];
    const std::vector<std::uint32_t>& starts = table.flows[flow].starts;
    const SlotTiming& timing = given.timing;
    const std::uint64_t period = std::uint64_t{table.slots} * timing.slot_cycles;
    std::uint64_t transit = timing.injection_cycles + timing.ejection_cycles;
    for (const ChannelId channel : table.flows[flow].path)
        transit += timing.channel_cycles[channel];
    std::uint64_t longest = 0;
    for (std::uint64_t begin = 0; begin < period; ++begin) {
        std::uint64_t cycle = begin; // in which the next packet leaves at the earliest
        const std::uint64_t messages = wanted.burst_messages + 2 * starts.size() + 4;
        for (std::uint64_t message = 0; message < messages; ++message) {
            const std::uint64_t came =
                begin + (message < wanted.burst_messages
                             ? 0
                             : (message + 1 - wanted.burst_messages) * wanted.message_cycles);
            cycle = std::max(cycle, came + timing.interface_cycles);
            std::uint64_t last_tail = 0;
            for (std::uint32_t left = wanted.message_flits; left > 0;) {
                while (!std::ranges::binary_search(starts, static_cast<std::uint32_t>(cycle % period)))
                    ++cycle;
                const std::uint32_t flits = std::min(left, timing.slot_flits);
                left -= flits;
                last_tail = cycle + transit + flits - 1;
                ++cycle;
            }
            longest = std::max(longest, last_tail - came);
        }
    }
    return longest;
}

} // namespace nocturne::test
