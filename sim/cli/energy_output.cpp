#include "sim/cli/energy_output.hpp"

#include "models/topology/drawing.hpp"
#include "models/topology/files.hpp"
#include "sim/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
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

/// 0 where nothing was delivered.
double pj_per_byte(const NetworkEnergy& energy, const EnergyRun& run)
{
    const double bytes = bytes_delivered(run);
    return bytes > 0 ? energy.total_pj() / bytes : 0;
}

Table energy_rows(const NetworkEnergy& energy)
{
    Table rows{"Energy", {{"of", "", Align::left}, {"energy", "nJ"}, {"share", "%"}}, {}};
    const double total = energy.total_pj();
    const auto add = [&](const char* name, double pj) {
        rows.add_row({std::string(name), Real{pj / 1000, 3}, Real{total > 0 ? 100 * pj / total : 0, 1}});
    };
    const RouterEnergy routers = energy.all_routers();
    add("buffers", routers.buffers);
    add("crossbars", routers.crossbar);
    add("arbiters", routers.arbitration);
    add("links", energy.all_channels_pj());
    add("clock", routers.clock);
    add("leakage", routers.leakage);
    add("all", total);
    return rows;
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
    marks.title = run.title;
    for (const RouterEnergy& router : energy.routers)
        marks.routers.push_back({.colour = heat_colour(part_of(dynamic(router), most_of_routers)),
                                 .label = fmt::format("{:.3g} nJ", dynamic(router) / 1000)});
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
    return option_table("Energy", {{"energy", name_value("FILE"), "energies of routers and links (JSON)"},
                                   {"energy-svg",
                                    written_value("FILE"),
                                    "draw the network, coloured by the energy of its parts",
                                    {"energy"}}});
}

std::optional<EnergyTable> energy_table_of(const OptionValues& given)
{
    if (given.has("energy"))
        return read_energy_table(given.text("energy"));
    return std::nullopt;
}

void require_finite_energies(const Topology& topology)
{
    constexpr double longest = 1e12;
    for (ChannelId id = 0; id < topology.channel_count(); ++id)
        if (topology.channel(id).length > longest)
            throw std::invalid_argument(
                fmt::format("{}: {}: a length of {}: with --energy at most {} is possible", topology.name(),
                            describe_channel(topology, id), topology.channel(id).length, longest));
}

void write_energy(const OptionValues& given, const EnergyTable& table, const EnergyRun& run)
{
    const NetworkEnergy energy = energy_of(table, run);
    if (!given.is_on("json")) {
        print_text(std::cout << '\n', energy_rows(energy));
        fmt::print("{:.4g} mW over {:.4g} ns, {:.4g} pJ for each byte delivered ({})\n", energy.power_mw(),
                   energy.time_ns, pj_per_byte(energy, run), table.name);
    }
    if (given.has("energy-svg"))
        write_file_atomically(given.text("energy-svg"),
                              draw_topology(run.topology, "svg", heat_marks(energy, run)));
}

nlohmann::json energy_document(const EnergyTable& table, const EnergyRun& run)
{
    const NetworkEnergy energy = energy_of(table, run);
    const RouterEnergy all = energy.all_routers();
    nlohmann::json document{{"table", table.name},
                            {"source", table.source},
                            {"time_ns", energy.time_ns},
                            {"total_pj", energy.total_pj()},
                            {"power_mw", energy.power_mw()},
                            {"pj_per_byte_delivered", pj_per_byte(energy, run)},
                            {"buffers_pj", all.buffers},
                            {"crossbars_pj", all.crossbar},
                            {"arbiters_pj", all.arbitration},
                            {"links_pj", energy.all_channels_pj()},
                            {"clock_pj", all.clock},
                            {"leakage_pj", all.leakage}};
    const std::vector<RouterActivity> counts = router_activity(run.topology, run.ports, run.activity);
    for (RouterId id = 0; id < energy.routers.size(); ++id)
        document["routers"].push_back({{"router", run.topology.router_name(id)},
                                       {"energy_pj", energy.routers[id].total()},
                                       {"buffer_writes", counts[id].buffer_writes},
                                       {"buffer_reads", counts[id].buffer_reads},
                                       {"crossbar_traversals", counts[id].crossbar_traversals},
                                       {"switch_grants", counts[id].switch_grants},
                                       {"vc_grants", counts[id].vc_grants}});
    for (ChannelId id = 0; id < energy.channels_pj.size(); ++id) {
        const Channel& channel = run.topology.channel(id);
        document["channels"].push_back(
            {{"channel", fmt::format("{}->{}", run.topology.router_name(channel.source),
                                     run.topology.router_name(channel.target))},
             {"flits", run.activity.links[id].flits},
             {"packets", run.activity.links[id].packets},
             {"energy_pj", energy.channels_pj[id]}});
    }
    return document;
}

} // namespace nocturne::cli
