#include "sim/cli/hardware_options.hpp"

#include "models/text/number.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>

namespace nocturne::cli {

namespace {

std::string stages_text(const Pipeline& stages)
{
    return fmt::format("{},{},{},{}", stages.route_computation, stages.vc_allocation,
                       stages.switch_allocation, stages.switch_traversal);
}

struct NamedPipeline {
    const char* name;
    Pipeline stages;
};
constexpr NamedPipeline pipelines[] = {{"standard", wormhole_router_pipeline},
                                       {"lookahead", lookahead_pipeline},
                                       {"speculative", speculative_pipeline},
                                       {"lookahead_speculative", lookahead_speculative_pipeline},
                                       {"crossbar", crossbar_switch_pipeline}};

std::vector<std::string> pipeline_names()
{
    std::vector<std::string> names;
    for (const NamedPipeline& known : pipelines)
        names.emplace_back(known.name);
    return names;
}

Pipeline parse_stages(const std::string& text)
{
    for (const NamedPipeline& known : pipelines)
        if (text == known.name)
            return known.stages;
    unsigned values[4]{};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (unsigned i = 0; i < 4; ++i) {
        const auto [stop, error] = std::from_chars(at, end, values[i]);
        const bool is_ended = i == 3 ? stop == end : stop != end && *stop == ',';
        if (error != std::errc{} || !is_ended)
            throw std::invalid_argument(fmt::format("expected four numbers of cycles, RC,VA,SA,ST, or {}",
                                                    fmt::join(pipeline_names(), ", ")));
        at = stop + 1;
    }
    return {values[0], values[1], values[2], values[3]};
}

std::string names_text(const std::vector<std::string>& names)
{
    return fmt::format("{}", fmt::join(names, ", "));
}

/// Nothing for `auto`.
std::optional<unsigned> given_vcs(const std::string& text)
{
    const auto number = number_of<unsigned>(text);
    if (!number && text != "auto")
        throw std::invalid_argument("expected a number or auto");
    return number;
}

} // namespace

OptionTable hardware_options()
{
    constexpr CountRange cycles{0, std::numeric_limits<std::uint32_t>::max()};
    const HardwareConfig defaults;
    static const std::string switch_help =
        "what gives the switch to flits: " + names_text(switch_allocator_names());
    static const std::string vc_help =
        "what gives virtual channels to packets: " + names_text(vc_allocator_names());
    static const std::string arbiter_help = "whom they prefer: " + names_text(arbiter_names());
    static const std::string stages_help =
        "cycles of a router's stages: route computation, VC allocation, switch allocation, switch traversal; "
        "or " +
        names_text(pipeline_names());
    return option_table(
        "Hardware",
        {{"cycle-ns", real_value("X", defaults.cycle_ns, above_zero), "clock cycle, ns"},
         {"flit-bytes", count_value(defaults.flit_bytes, cycles),
          "payload of a flit; t1 = cycle-ns / flit-bytes"},
         {"t0-ns", real_value("X", defaults.t0_ns, {.least = 0}), "start-up time of a step, ns"},
         {"link-cycles", count_value(defaults.link_cycles, cycles),
          "cycles for each unit of a channel's latency: the latencies that a network has are multiplied"},
         {"credit-cycles", count_value(defaults.credit_cycles, cycles),
          "from a credit's arrival to its use, cycles"},
         {"interface-cycles", count_value(defaults.interface_cycles, cycles),
          "from the source queue to the injection link, cycles"},
         {"buffer-flits", count_value(defaults.buffer_flits, cycles),
          "input buffer of a virtual channel; 0: what full rate needs"},
         {"vcs", text_value("N", "auto").parsed_by(given_vcs),
          "virtual channels of a link; auto: as many as the routing needs, of several the most demanding "
          "one"},
         {"router-stages", text_value("RC,VA,SA,ST", stages_text(defaults.router)).parsed_by(parse_stages),
          stages_help},
         {"crossbar-stages",
          text_value("RC,VA,SA,ST", stages_text(defaults.crossbar)).parsed_by(parse_stages),
          "the same for the switches of multistage networks"},
         {"switch-allocator",
          text_value("NAME", to_string(defaults.allocation.switch_allocator))
              .parsed_by(parse_switch_allocator),
          switch_help},
         {"switch-iterations", count_value(defaults.allocation.iterations, cycles),
          "iterations of islip, in a cycle"},
         {"vc-allocator",
          text_value("NAME", to_string(defaults.allocation.vc_allocator)).parsed_by(parse_vc_allocator),
          vc_help},
         {"arbiter", text_value("NAME", to_string(defaults.allocation.arbiter)).parsed_by(parse_arbiter),
          arbiter_help},
         {"input-speedup", count_value(defaults.allocation.input_speedup, cycles),
          "flits that an input can send in a cycle, of different virtual channels"}});
}

OptionTable selection_options()
{
    static const std::string help =
        "which output routers take of those that adaptive routing allows: " + names_text(selection_names()) +
        "; credits, unless said (in_turn on all minimal paths that need no escape channels)";
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
    config.router = parse_stages(given.text("router-stages"));
    config.crossbar = parse_stages(given.text("crossbar-stages"));
    config.allocation = {parse_switch_allocator(given.text("switch-allocator")),
                         parse_vc_allocator(given.text("vc-allocator")), parse_arbiter(given.text("arbiter")),
                         given.small_count("switch-iterations"), given.small_count("input-speedup")};
    config.validate();
    return config;
}

} // namespace nocturne::cli
