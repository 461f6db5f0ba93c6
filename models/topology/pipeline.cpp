#include "models/topology/pipeline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <stdexcept>
#include <system_error>

namespace nocturne {

namespace {

struct NamedPipeline {
    const char* name;
    Pipeline stages;
};

constexpr std::array<NamedPipeline, 5> pipelines{{{"standard", wormhole_router_pipeline},
                                                  {"lookahead", lookahead_pipeline},
                                                  {"speculative", speculative_pipeline},
                                                  {"lookahead_speculative", lookahead_speculative_pipeline},
                                                  {"crossbar", crossbar_switch_pipeline}}};

constexpr unsigned most_stage_cycles = 100;

} // namespace

void Pipeline::validate() const
{
    const auto require = [](bool holds, unsigned value, const char* name, const char* range) {
        if (!holds)
            throw std::invalid_argument(fmt::format("{} = {}: it must be {}", name, value, range));
    };
    require(route_computation <= most_stage_cycles, route_computation, "route_computation", "from 0 to 100");
    require(vc_allocation >= 1 && vc_allocation <= most_stage_cycles, vc_allocation, "vc_allocation",
            "from 1 to 100");
    require(switch_allocation <= most_stage_cycles, switch_allocation, "switch_allocation", "from 0 to 100");
    require(switch_traversal <= most_stage_cycles, switch_traversal, "switch_traversal", "from 0 to 100");
    require(speculation == Speculation::none || switch_allocation == 0, switch_allocation,
            "switch_allocation", "0 in a speculative pipeline");
}

std::vector<std::string> pipeline_names()
{
    std::vector<std::string> names;
    for (const NamedPipeline& known : pipelines)
        names.emplace_back(known.name);
    return names;
}

Pipeline parse_pipeline(std::string_view text)
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

std::string to_string(const Pipeline& pipeline)
{
    for (const NamedPipeline& known : pipelines)
        if (pipeline == known.stages && pipeline.speculation != Speculation::none)
            return known.name;
    return fmt::format("{},{},{},{}", pipeline.route_computation, pipeline.vc_allocation,
                       pipeline.switch_allocation, pipeline.switch_traversal);
}

} // namespace nocturne
