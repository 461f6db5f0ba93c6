#include "models/fabric/fabric_config.hpp"

#include "models/text/unknown_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::array<std::string_view, 4> timing_names{"fixed", "lt", "at", "flit"};

std::vector<std::string> names_of(const std::vector<FabricPort>& ports)
{
    std::vector<std::string> names;
    for (const FabricPort& port : ports)
        names.push_back(port.name);
    return names;
}

void check_each(const Topology& topology, const std::vector<FabricPort>& ports, std::string_view kind)
{
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const FabricPort& port = ports[i];
        const auto fail = [&](const std::string& reason) {
            throw std::invalid_argument(fmt::format("fabric: {} '{}': {}", kind, port.name, reason));
        };
        if (port.name.empty())
            fail("a port has a name");
        for (std::size_t before = 0; before < i; ++before)
            if (ports[before].name == port.name)
                fail("two have this name");
        if (port.processor >= topology.processor_count())
            fail(fmt::format("{} has no processor {}", topology.name(), port.processor));
        if (!std::ranges::count(std::array{32u, 64u, 128u, 256u, 512u}, port.bus_width_bits))
            fail(fmt::format("a bus of {} bits; 32, 64, 128, 256 or 512 are possible", port.bus_width_bits));
    }
}

void check_names(std::span<const std::string> wanted, const std::vector<std::string>& known,
                 std::string_view kind)
{
    for (const std::string& name : wanted)
        if (std::ranges::find(known, name) == known.end())
            throw std::invalid_argument(fmt::format("address map: {}", unknown_name(kind, name, known)));
}

} // namespace

FabricTiming parse_fabric_timing(std::string_view text)
{
    return value_named("timing", text,
                       {FabricTiming::fixed, FabricTiming::lt, FabricTiming::at, FabricTiming::flit});
}

std::string_view to_string(FabricTiming timing)
{
    return timing_names[static_cast<std::size_t>(timing)];
}

void FabricConfig::validate() const
{
    const auto require = [](bool holds, auto value, std::string_view name, std::string_view range) {
        if (!holds)
            throw std::invalid_argument(fmt::format("fabric: {} = {}: it must be {}", name, value, range));
    };
    with_classes(1).hardware.validate();
    require(std::isfinite(fixed_latency_ns) && fixed_latency_ns >= 0 && fixed_latency_ns <= 1e9,
            fixed_latency_ns, "fixed_latency_ns", "from 0 to 1000000000");
    require(requests_in_flight >= 1 && requests_in_flight <= 65'536, requests_in_flight, "requests_in_flight",
            "from 1 to 65536");
    require(target_queue_packets >= 1 && target_queue_packets <= 65'536, target_queue_packets,
            "target_queue_packets", "from 1 to 65536");
    require(header_bytes <= 4096, header_bytes, "header_bytes", "from 0 to 4096");
    if (phases == FabricPhases::end_to_end && timing != FabricTiming::fixed)
        throw std::invalid_argument(fmt::format(
            "fabric: phases from end to end with timing {}: only with timing fixed", to_string(timing)));
    if (phases == FabricPhases::end_to_end && completes_responses_early)
        throw std::invalid_argument(
            "fabric: phases from end to end: completes_responses_early has no effect, "
            "as initiators end responses");
}

void check_ports(const Topology& topology, const AddressMap& map, const FabricPorts& ports)
{
    check_each(topology, ports.initiators, "initiator");
    check_each(topology, ports.targets, "target");
    const std::vector<std::string> targets = names_of(ports.targets);
    check_names(map.targets(), targets, "target");
    check_names(map.initiators(), names_of(ports.initiators), "initiator");
    for (const std::string& name : targets)
        if (std::ranges::find(map.targets(), name) == map.targets().end())
            throw std::invalid_argument(
                fmt::format("fabric: target '{}': the address map has no range for it", name));
}

} // namespace nocturne
