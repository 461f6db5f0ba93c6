#include "sim/cli/energy_output.hpp"

#include "models/measures/graph.hpp"
#include "models/measures/wires.hpp"
#include "models/routing/plane_routing.hpp"
#include "models/topology/drawing.hpp"
#include "models/topology/files.hpp"
#include "models/topology/input_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace nocturne::cli {

namespace {

NetworkEnergy energy_of(const EnergyTable& table, const EnergyRun& run)
{
    return network_energy(run.topology, run.ports, run.activity, table,
                          {run.hardware.flit_bytes, run.hardware.cycle_ns});
}

/// Bytes of the flits that processors have received: payload, and what fills the last flits.
double bytes_delivered(const EnergyRun& run)
{
    std::uint64_t flits = 0;
    std::size_t link = run.activity.links.size();
    for (auto id = static_cast<ProcessorId>(run.topology.processor_count()); id-- > 0;)
        for (unsigned port = receive_ports(run.topology, id, run.ports); port-- > 0;)
            flits += run.activity.links[--link].flits;
    return static_cast<double>(flits) * run.hardware.flit_bytes;
}

/// From pale to dark; names and figures in black can be read on all of them.
constexpr std::array heat_colours{"#ffffe5", "#fee391", "#fec44f", "#fe9929", "#ec7014"};

/// `part`: of the hottest, 0..1.
const char* heat_colour(double part)
{
    const auto last = static_cast<double>(heat_colours.size() - 1);
    return heat_colours[static_cast<std::size_t>(std::lround(std::clamp(part, 0.0, 1.0) * last))];
}

double part_of(double value, double most)
{
    return most > 0 ? value / most : 0;
}

DrawingMarks heat_marks(const NetworkEnergy& energy, const EnergyRun& run)
{
    // Clock and leakage are the same everywhere, and would hide where the traffic is.
    const auto dynamic = [](const RouterEnergy& router) {
        return router.buffers + router.crossbar + router.arbitration;
    };
    double most_of_routers = 0;
    for (const RouterEnergy& router : energy.routers)
        most_of_routers = std::max(most_of_routers, dynamic(router));
    const double most_of_channels =
        energy.channels_pj.empty() ? 0 : *std::ranges::max_element(energy.channels_pj);
    DrawingMarks marks;
    marks.title = run.title + "; of routers in nJ";
    for (const RouterEnergy& router : energy.routers)
        marks.routers.push_back({.colour = heat_colour(part_of(dynamic(router), most_of_routers)),
                                 .label = fmt::format("{:.3g}", dynamic(router) / 1000)});
    for (const double pj : energy.channels_pj)
        marks.channels.push_back({.colour = heat_colour(part_of(pj, most_of_channels)), .label = {}});
    for (std::size_t i = 0; i < heat_colours.size(); ++i) {
        const double part = static_cast<double>(i) / (heat_colours.size() - 1);
        marks.legend.push_back(
            {heat_colours[i], fmt::format("router {:.3g} nJ, link {:.3g} nJ", part * most_of_routers / 1000,
                                          part * most_of_channels / 1000)});
    }
    return marks;
}

} // namespace

OptionTable energy_options()
{
    return option_table(
        "Energy", {{"energy", name_value("FILE"), "energy table of routers and links (JSON)"},
                   {"energy-svg", svg_value("FILE"), "draw the network, coloured by energy", {"energy"}}});
}

std::optional<EnergyTable> energy_table_of(const OptionValues& given)
{
    if (given.has("energy"))
        return read_energy_table(given.text("energy"));
    return std::nullopt;
}

namespace {

/// Channels without a length count as one unit, also where the places of routers say otherwise.
void remark_lengths(const Topology& topology, const EnergyTable& energies)
{
    constexpr double close = 0.05;
    const auto without = std::ranges::count(topology.channels(), 0.0, &Channel::length);
    if (without == 0)
        return;
    try {
        const double mean =
            measures::wire_lengths(measures::graph_of(topology), measures::own_positions(topology)).mean;
        if (std::abs(mean - 1) > close)
            InputLog::remark(
                fmt::format("{}: energy: {} channels have no length and count as {:.4g} mm; between the "
                            "places of their routers it is {:.4g} times that on average",
                            topology.name(), without, energies.link_mm, mean));
    } catch (const std::invalid_argument&) {
        return; // places or links of another kind: nothing is known
    }
}

} // namespace

void check_energy(const Topology& topology, const EnergyTable& energies)
{
    constexpr double longest = 1e12;
    for (ChannelId id = 0; id < topology.channel_count(); ++id)
        if (topology.channel(id).length > longest)
            throw std::invalid_argument(
                fmt::format("{}: {}: a length of {}: with --energy at most {} is possible", topology.name(),
                            describe_channel(topology, id), topology.channel(id).length, longest));
    if (const std::vector<RouterId> tiles = tile_routers(topology); !tiles.empty())
        InputLog::remark(fmt::format("{}: energy: {} routers that only join planes to their tiles ({}, ...) "
                                     "count as all others, with clock and leakage",
                                     topology.name(), tiles.size(), topology.router_name(tiles.front())));
    remark_lengths(topology, energies);
    InputLog::remark(
        fmt::format("{}: energy: every router is the table's, whatever its ports, virtual channels and "
                    "buffers",
                    topology.name()));
}

Fields<RouterEnergyResult> fields_of(const RouterEnergyResult*)
{
    using Router = RouterEnergyResult;
    return {"energy of a router",
            "Activity and energy of a router.",
            {{"router", "", "Name of the router.", &Router::router},
             {"energy_pj", "pJ", "Energy, including clock and leakage.", &Router::energy_pj},
             {"buffer_writes", "", "Flits written to buffers.",
              [](const Router& router) { return router.activity.buffer_writes; }},
             {"buffer_reads", "", "Flits read from buffers.",
              [](const Router& router) { return router.activity.buffer_reads; }},
             {"crossbar_traversals", "", "Flits through the crossbar.",
              [](const Router& router) { return router.activity.crossbar_traversals; }},
             {"switch_grants", "", "Grants of the switch to flits.",
              [](const Router& router) { return router.activity.switch_grants; }},
             {"vc_grants", "", "Grants of virtual channels to packets.",
              [](const Router& router) { return router.activity.vc_grants; }}}};
}

Fields<ChannelEnergyResult> fields_of(const ChannelEnergyResult*)
{
    using Channel = ChannelEnergyResult;
    return {"energy of a channel",
            "Activity and energy of a channel between routers.",
            {{"channel", "", "Name of the channel: `00->01`.", &Channel::channel},
             {"flits", "", "Flits carried.", &Channel::flits},
             {"packets", "", "Packets carried.", &Channel::packets},
             {"energy_pj", "pJ", "Energy of its wires.", &Channel::energy_pj}}};
}

Fields<EnergyResult> fields_of(const EnergyResult*)
{
    using Energy = EnergyResult;
    const auto of_routers = [](double RouterEnergy::* part) {
        return [part](const Energy& energy) { return energy.energy.all_routers().*part; };
    };
    return {"energy",
            "Energy of a run, by a table of energies.",
            {{"table", "", "Name of the energy table.", &Energy::table},
             {"source", "", "Source of the table's figures.", &Energy::source, Shown::in_files},
             {"time_ns", "ns", "Simulated time of the run.",
              [](const Energy& energy) { return energy.energy.time_ns; }},
             {"buffers_pj", "pJ", "Buffers of all routers.", of_routers(&RouterEnergy::buffers)},
             {"crossbars_pj", "pJ", "Crossbars of all routers.", of_routers(&RouterEnergy::crossbar)},
             {"arbiters_pj", "pJ", "Arbiters of all routers.", of_routers(&RouterEnergy::arbitration)},
             {"links_pj", "pJ", "All links.",
              [](const Energy& energy) { return energy.energy.all_channels_pj(); }},
             {"clock_pj", "pJ", "Clock of all routers.", of_routers(&RouterEnergy::clock)},
             {"leakage_pj", "pJ", "Leakage of all routers.", of_routers(&RouterEnergy::leakage)},
             {"total_pj", "pJ", "Sum of all parts.",
              [](const Energy& energy) { return energy.energy.total_pj(); }},
             {"power_mw", "mW", "Mean power over the run.",
              [](const Energy& energy) { return energy.energy.power_mw(); }},
             {"pj_per_byte_delivered", "pJ/byte",
              "Total energy per byte that processors received; null if they received none.",
              [](const Energy& energy) -> std::optional<double> {
                  if (energy.bytes_delivered > 0)
                      return energy.energy.total_pj() / energy.bytes_delivered;
                  return std::nullopt;
              }},
             {"routers", "", "Energy of each router.", &Energy::routers},
             {"channels", "", "Energy of each channel between routers.", &Energy::channels}}};
}

EnergyResult energy_result(const EnergyTable& table, const EnergyRun& run)
{
    EnergyResult result{table.name, table.source, energy_of(table, run), bytes_delivered(run), {}, {}};
    const std::vector<RouterActivity> activity = router_activity(run.topology, run.ports, run.activity);
    for (RouterId id = 0; id < activity.size(); ++id)
        result.routers.push_back(
            {run.topology.router_name(id), result.energy.routers[id].total(), activity[id]});
    for (ChannelId id = 0; id < result.energy.channels_pj.size(); ++id)
        result.channels.push_back({describe_channel(run.topology, id), run.activity.links[id].flits,
                                   run.activity.links[id].packets, result.energy.channels_pj[id]});
    return result;
}

void draw_energy(const OptionValues& given, const EnergyResult& result, const EnergyRun& run)
{
    if (given.has("energy-svg"))
        write_file_atomically(given.text("energy-svg"),
                              draw_topology(run.topology, "svg", heat_marks(result.energy, run)));
}

} // namespace nocturne::cli
