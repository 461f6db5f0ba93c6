#include "sim/cli/chunk_request.hpp"

#include "models/topology/faults.hpp"
#include "models/topology/topology_files.hpp"
#include "schedules/collective/kind_names.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/sizes.hpp"
#include "sim/result_files/problem_text.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne::cli {

namespace {

void set_cost(ChunkRequest& request, const OptionValues& given, std::uint64_t bytes)
{
    request.bytes = static_cast<double>(bytes);
    request.start_cycles = given.real("start-cycles");
    if (!(request.start_cycles >= 0))
        throw std::invalid_argument("--start-cycles: a number from 0");
    request.latency_holds_link = given.is_on("latency-holds-link");
}

} // namespace

OptionTable chunk_cost_options()
{
    return option_table(
        "Chunks",
        {{"bytes", text_value("M", "1MiB"),
          "of the largest vector that a processor contributes; of a schedule in a file: left out, the size "
          "for "
          "which it was made"},
         {"link-bytes", count_value(4),
          "bytes a cycle of channels whose width the network leaves open, and between a router and its "
          "processors where it has several"},
         {"start-cycles", real_value("CYCLES", 0), "start-up of a transfer, beside the latency of its links"},
         {"latency-holds-link", switch_value(),
          "a link takes the next transfer when the last has arrived, not when it has left"}});
}

OptionTable chunk_options()
{
    OptionTable options = chunk_cost_options();
    options.add(
        {{"objective", text_value("O"),
          "for collectives in chunks, on links of their own speed: steps (fewest S, then rounds), "
          "bandwidth (fewest rounds a chunk) or time (alpha + beta, without barriers)"},
         {"chunks", count_value("C"), "equal parts of each block; left out: what is best"},
         {"group", texts_value("LIST"), "processors that take part, as 0,2,4 or 0-7; left out: all"},
         {"weights", text_value("LIST"),
          "sizes of blocks, relative: one a member (allgather, reduce-scatter) or one a pair, row by row "
          "(alltoall)"}});
    return options;
}

LinkDefaults link_defaults(const OptionValues& given)
{
    return {.bytes_per_cycle = given.count("link-bytes", 1, 1'000'000)};
}

AlphaBeta chunk_cost(const OptionValues& given, const Collective& collective, std::uint64_t bytes)
{
    ChunkRequest request;
    set_cost(request, given, bytes);
    return cost_of(request, collective);
}

std::uint64_t chunk_bytes(std::uint64_t bytes, std::uint64_t chunks)
{
    constexpr std::uint64_t element = 4;
    return (bytes + element * chunks - 1) / (element * chunks) * element;
}

bool asks_for_chunks(const OptionValues& given)
{
    return given.has("objective") || given.has("chunks") || given.has("group") || given.has("weights");
}

ChunkInput chunk_input(const OptionValues& given)
{
    refuse_given(given, {"ports", "slack", "switching", "engine", "steps", "checkpoint"},
                 "a collective of whole messages, not in chunks");
    Topology topology = topology_from(given.text("topology"));
    if (const auto faults = given.texts("fault"); !faults.empty())
        topology = with_faults(topology, faults);
    const LinkDefaults defaults = link_defaults(given);
    LinkNetwork network = link_network_of(topology, defaults);
    const ProblemText text = collective_text(given);
    const CollectiveKind kind = parse_collective_kind(text.collective);
    const Participants participants = participants_of(text, kind, topology);
    ChunkRequest request;
    request.of_parts = [=, processors = network.processor_count()](std::uint32_t parts) {
        Participants in_parts = participants;
        in_parts.parts = parts;
        return make_collective(kind, processors, in_parts);
    };
    if (given.has("chunks"))
        request.parts = given.small_count("chunks", 1, 65536);
    request.objective = parse_chunk_objective(given.text("objective", "steps"));
    set_cost(request, given, parse_size(given.text("bytes")));
    request.seconds = std::chrono::duration<double>(given.seconds("budget")).count();
    request.seed = given.count("seed");
    return {std::move(topology), defaults, std::move(network), std::move(request)};
}

} // namespace nocturne::cli
