#include "schedules/formats/formats.hpp"

#include "schedules/formats/rank_operations.hpp"
#include "schedules/formats/tool_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace nocturne {

namespace {

using OptionalNetwork = std::optional<LinkNetwork>;

/// Of a format that names no network itself.
template <ForeignSchedule (*Read)(std::string_view, std::string_view, const LinkNetwork&)>
ReadSchedule read_on(std::string_view text, std::string_view origin, const OptionalNetwork& network)
{
    if (!network)
        throw std::invalid_argument(
            fmt::format("{}: a schedule in another tool's format names no network: --topology does", origin));
    return {Read(text, origin, *network), *network};
}

/// Of a format without sizes.
template <std::string (*Write)(const Schedule&, const LinkNetwork&)>
std::vector<std::string> write_one(const Schedule& schedule, const LinkNetwork& network, const WriteOptions&)
{
    return {Write(schedule, network)};
}

constexpr std::array formats{
    ScheduleFormat{.name = "msccl-xml",
                   .in_words = "MSCCL XML",
                   .of_a_file = "in MSCCL XML",
                   .summary = "write the schedule as MSCCL XML, a program for GPUs",
                   .recognizes = is_msccl_xml,
                   .read = read_on<read_msccl_xml>,
                   .write = [](const Schedule& schedule, const LinkNetwork& network,
                               const WriteOptions& options) -> std::vector<std::string> {
                       return {to_msccl_xml(schedule, network, options.is_in_place)};
                   }},
    ScheduleFormat{.name = "forestcoll-xml",
                   .in_words = "ForestColl XML",
                   .of_a_file = "of ForestColl",
                   .summary = {},
                   .recognizes = is_forestcoll_xml,
                   .read = read_on<read_forestcoll_xml>},
    ScheduleFormat{.name = "msccl-json",
                   .in_words = "msccl-tools JSON",
                   .of_a_file = "of msccl-tools",
                   .summary = "write a schedule of chunks in steps as msccl-tools JSON",
                   .recognizes = is_msccl_json,
                   .read = read_msccl_json,
                   .write = write_one<to_msccl_json>},
    ScheduleFormat{.name = "teccl-json",
                   .in_words = "TE-CCL JSON",
                   .of_a_file = "of TE-CCL",
                   .summary = {},
                   .recognizes = is_teccl_json,
                   .read = read_on<read_teccl_json>},
    ScheduleFormat{.name = "mscclpp-json",
                   .in_words = "MSCCL++ JSON",
                   .of_a_file = "of MSCCL++",
                   .summary = "write the schedule as an MSCCL++ execution plan",
                   .recognizes = is_mscclpp_json,
                   .read = read_on<read_mscclpp_json>,
                   .write = write_one<to_mscclpp_json>},
    ScheduleFormat{.name = "goal",
                   .in_words = "GOAL text",
                   .of_a_file = {},
                   .summary = "write the schedule as GOAL text, for LogGOPSim",
                   .write = [](const Schedule& schedule, const LinkNetwork&,
                               const WriteOptions& options) -> std::vector<std::string> {
                       return {to_goal_text(schedule, options.bytes_per_weight)};
                   },
                   .has_sizes = true},
    ScheduleFormat{.name = "chakra",
                   .in_words = "Chakra traces",
                   .of_a_file = {},
                   .summary =
                       "write the schedule as Chakra execution traces, one per rank, to this new folder",
                   .write =
                       [](const Schedule& schedule, const LinkNetwork&, const WriteOptions& options) {
                           return to_chakra_traces(schedule, options.bytes_per_weight);
                       },
                   .name_in_folder = "trace.{}.et", // as simulators look for them
                   .has_sizes = true},
};

} // namespace

std::span<const ScheduleFormat> schedule_formats()
{
    return formats;
}

const ScheduleFormat* recognized_format(std::string_view head)
{
    const auto found = std::ranges::find_if(
        formats, [&](const ScheduleFormat& format) { return format.recognizes && format.recognizes(head); });
    return found == formats.end() ? nullptr : &*found;
}

} // namespace nocturne
