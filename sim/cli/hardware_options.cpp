#include "sim/cli/hardware_options.hpp"

#include "models/network/clocks.hpp"
#include "models/text/number.hpp"
#include "models/topology/part_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace nocturne::cli {

namespace {

std::string names_text(const std::vector<std::string>& names)
{
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

std::optional<unsigned> given_vcs(const std::string& text)
{
    const auto number = number_of<unsigned>(text);
    if (!number && text != "auto")
        throw std::invalid_argument("expected a number or auto");
    return number;
}

OptionTable hardware_options()
{
    constexpr CountRange cycles{0, std::numeric_limits<std::uint32_t>::max()};
    const HardwareConfig defaults;
    static const std::string switch_help = "switch allocator: " + names_text(switch_allocator_names());
    static const std::string vc_help = "virtual-channel allocator: " + names_text(vc_allocator_names());
    static const std::string arbiter_help =
        "arbiter of both allocators: which request wins: " + names_text(arbiter_names());
    static const std::string stages_help = "pipeline of a router, in cycles: route computation, VC "
                                           "allocation, switch allocation, switch traversal; or " +
                                           names_text(pipeline_names());
    OptionTable options = option_table(
        "Hardware",
        {{"cycle-ns", real_value("X", defaults.cycle_ns, above_zero), "clock cycle, ns"},
         {"flit-bytes", count_value(defaults.flit_bytes, cycles),
          "payload of a flit; t1 = cycle-ns / flit-bytes"},
         {"t0-ns", real_value("X", defaults.t0_ns, {.least = 0}), "start-up time of a step, ns"},
         {"link-cycles", count_value(defaults.link_cycles, cycles), "factor of all channel latencies"},
         {"credit-cycles", count_value(defaults.credit_cycles, cycles),
          "cycles from a credit's arrival to its use"},
         {"interface-cycles", count_value(defaults.interface_cycles, cycles),
          "cycles from the source queue to the injection link"},
         {"buffer-flits", count_value(defaults.buffer_flits, cycles),
          "depth of a virtual channel's input buffer; 0: as full rate needs"},
         {"vcs", text_value("N", "auto").parsed_by(given_vcs),
          "virtual channels per link; auto: as many as the (most demanding) routing needs"},
         {"router-stages", text_value("RC,VA,SA,ST", to_string(defaults.router)).parsed_by(parse_pipeline),
          stages_help},
         {"crossbar-stages",
          text_value("RC,VA,SA,ST", to_string(defaults.crossbar)).parsed_by(parse_pipeline),
          "pipeline of the switches of multistage networks"},
         {"switch-allocator",
          text_value("NAME", to_string(defaults.allocation.switch_allocator))
              .parsed_by(parse_switch_allocator),
          switch_help},
         {"switch-iterations", count_value(defaults.allocation.iterations, cycles),
          "iterations of islip per cycle"},
         {"vc-allocator",
          text_value("NAME", to_string(defaults.allocation.vc_allocator)).parsed_by(parse_vc_allocator),
          vc_help},
         {"arbiter", text_value("NAME", to_string(defaults.allocation.arbiter)).parsed_by(parse_arbiter),
          arbiter_help},
         {"input-speedup", count_value(defaults.allocation.input_speedup, cycles),
          "flits that an input can send per cycle, from different virtual channels"},
         {"synchronizer-cycles", count_value(defaults.synchronizer_cycles, cycles),
          "synchronizer latency between routers with different clocks, in cycles of the receiver"}});
    options.add_rows_of(part_options());
    return options;
}

OptionTable part_options()
{
    return option_table(
        "Single routers and links",
        {{"part", texts_value("ROW").parsed_by(check_part_row),
          "parameters of single routers or links: 'router 0*: pipeline=2,1,1,1 buffers=8 vcs=2 arbiter=age "
          "clock=2/3' or 'link 0,*->1,*: latency=3 width=2 buffers=16 vcs=2'; repeatable"}});
}

Topology with_parts_of(const OptionValues& given, Topology topology)
{
    const std::vector<std::string> rows = given.texts("part");
    return with_parts(std::move(topology), rows);
}

OptionTable selection_options()
{
    static const std::string help =
        "selection among the outputs that adaptive routing allows: " + names_text(selection_names()) +
        "; default: credits (in_turn for minimal adaptive routing without escape channels)";
    return option_table("Adaptive routing",
                        {{"selection", text_value("NAME").parsed_by(parse_selection), help}});
}

std::optional<Selection> selection_of(const OptionValues& given)
{
    if (!given.has("selection"))
        return std::nullopt;
    return parse_selection(given.text("selection"));
}

HardwareConfig hardware_of(const OptionValues& given, unsigned vc_classes)
{
    HardwareConfig config;
    config.cycle_ns = given.real("cycle-ns");
    config.flit_bytes = given.small_count("flit-bytes");
    config.t0_ns = given.real("t0-ns");
    config.link_cycles = given.small_count("link-cycles");
    config.credit_cycles = given.small_count("credit-cycles");
    config.interface_cycles = given.small_count("interface-cycles");
    config.buffer_flits = given.small_count("buffer-flits");
    config.vcs = given_vcs(given.text("vcs")).value_or(vc_classes);
    if (config.vcs >= 1 && config.vcs < vc_classes)
        throw std::invalid_argument(fmt::format("--vcs {}: the routing needs {}", config.vcs, vc_classes));
    config.router = parse_pipeline(given.text("router-stages"));
    config.crossbar = parse_pipeline(given.text("crossbar-stages"));
    config.allocation = {parse_switch_allocator(given.text("switch-allocator")),
                         parse_vc_allocator(given.text("vc-allocator")), parse_arbiter(given.text("arbiter")),
                         given.small_count("switch-iterations"), given.small_count("input-speedup")};
    config.synchronizer_cycles = given.small_count("synchronizer-cycles");
    config.validate();
    return config;
}

void refuse_idle_hardware(const OptionValues& given, NetworkModel model,
                          std::span<const std::reference_wrapper<const Topology>> networks)
{
    const auto has = [&](SwitchKind kind) {
        return std::ranges::any_of(networks,
                                   [&](const Topology& network) { return network.switches() == kind; });
    };
    if (model != NetworkModel::flit)
        refuse_given(given,
                     {"switch-allocator", "switch-iterations", "vc-allocator", "arbiter", "input-speedup"},
                     "only with --model flit");
    if (std::ranges::none_of(networks, has_own_clocks))
        refuse_given(given, {"synchronizer-cycles"}, "only for networks whose routers have different clocks");
    if (!has(SwitchKind::router) && !given.is_given("crossbar-stages"))
        refuse_given(given, {"router-stages"},
                     "only for a network of routers; for crossbar switches use --crossbar-stages");
    if (!has(SwitchKind::crossbar) && !given.is_given("router-stages"))
        refuse_given(given, {"crossbar-stages"},
                     "only for a network of crossbar switches; for routers use --router-stages");
}

void refuse_idle_priority(const OptionValues& given, std::string_view takes)
{
    if (parse_arbiter(given.text("arbiter")) == ArbiterKind::priority)
        throw std::invalid_argument(fmt::format("--arbiter priority: only with {}", takes));
}

Multicast multicast_of(const OptionValues& given)
{
    const std::string text = given.text("multicast");
    return text == "tree" ? Multicast::tree : text == "reserved" ? Multicast::reserved : Multicast::unicasts;
}

void refuse_trees(const OptionValues& given, NetworkModel model)
{
    if (model != NetworkModel::flit && multicast_of(given) != Multicast::unicasts)
        throw std::invalid_argument(
            fmt::format("--multicast {}: only at the flit level (--model flit)", given.text("multicast")));
}

void refuse_idle_hardware(const OptionValues& given, NetworkModel model,
                          std::initializer_list<std::reference_wrapper<const Topology>> networks)
{
    refuse_idle_hardware(given, model, std::span(networks.begin(), networks.size()));
}

} // namespace nocturne::cli
