#include "sim/cli/chunk_request.hpp"

#include "models/topology/faults.hpp"
#include "models/topology/topology_files.hpp"
#include "schedules/collective/collective.hpp"
#include "sim/cli/sizes.hpp"
#include "sim/result_files/problem_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace nocturne::cli {

namespace {

/// Those that whole messages know too, under the names of the papers.
std::optional<ChunkedKind> kind_in_chunks(CollectiveKind kind)
{
    switch (kind) {
    case CollectiveKind::oab:
        return ChunkedKind::broadcast;
    case CollectiveKind::aab:
        return ChunkedKind::allgather;
    case CollectiveKind::oas:
        return ChunkedKind::scatter;
    case CollectiveKind::aas:
        return ChunkedKind::alltoall;
    case CollectiveKind::aog:
        return ChunkedKind::gather;
    case CollectiveKind::aor:
        return ChunkedKind::reduce;
    default:
        return std::nullopt;
    }
}

ChunkedKind kind_of(const std::string& text)
{
    if (text.empty())
        throw std::invalid_argument("--collective is missing: broadcast, scatter, gather, reduce, allgather, "
                                    "reduce-scatter, allreduce, alltoall or scan");
    try {
        return parse_chunked_kind(text);
    } catch (const std::invalid_argument&) {
        std::optional<ChunkedKind> kind;
        try {
            kind = kind_in_chunks(parse_collective_kind(text));
        } catch (const std::invalid_argument&) {
            // no name at all
        }
        if (!kind)
            throw;
        return *kind;
    }
}

std::vector<std::uint32_t> weights_of(const std::string& text)
{
    std::vector<std::uint32_t> weights;
    for (const std::string& part : parts_of(text)) {
        std::uint32_t weight = 0;
        const char* const end = part.data() + part.size();
        const auto [rest, error] = std::from_chars(part.data(), end, weight);
        if (error != std::errc{} || rest != end)
            throw std::invalid_argument(
                fmt::format("--weights: '{}' is no whole number of 32 bits from 0", part));
        weights.push_back(weight);
    }
    return weights;
}

ChunkedCollective make(ChunkedKind kind, const ChunkedShape& shape, std::optional<std::uint32_t> root,
                       const std::vector<std::uint32_t>& weights)
{
    if (weights.empty())
        return make_chunked_collective(kind, shape, root);
    switch (kind) {
    case ChunkedKind::allgather:
        return chunked_allgather(shape, weights);
    case ChunkedKind::reduce_scatter:
        return chunked_reduce_scatter(shape, weights);
    case ChunkedKind::alltoall:
        return chunked_alltoall(shape, weights);
    default:
        throw std::invalid_argument("--weights is for allgather, reduce-scatter and alltoall");
    }
}

void set_cost(ChunkRequest& request, const OptionValues& given)
{
    request.bytes = static_cast<double>(parse_size(given.text("bytes")));
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
        {{"bytes", text_value("M", "1MiB"), "of the largest vector that a processor contributes"},
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
    add_rows(
        options,
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

AlphaBeta chunk_cost(const OptionValues& given, const ChunkedCollective& collective)
{
    ChunkRequest request;
    set_cost(request, given);
    return cost_of(request, collective);
}

bool asks_for_chunks(const OptionValues& given)
{
    if (given.has("objective") || given.has("chunks") || given.has("group") || given.has("weights"))
        return true;
    if (!given.has("collective"))
        return false;
    try {
        const ChunkedKind kind = parse_chunked_kind(given.text("collective"));
        return kind == ChunkedKind::allreduce || kind == ChunkedKind::reduce_scatter ||
               kind == ChunkedKind::scan;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

ChunkInput chunk_input(const OptionValues& given)
{
    Topology topology = topology_from(given.text("topology"));
    if (const auto faults = given.texts("fault"); !faults.empty())
        topology = with_faults(topology, faults);
    const LinkDefaults defaults = link_defaults(given);
    LinkNetwork network = link_network_of(topology, defaults);
    const ChunkedKind kind = kind_of(given.text("collective"));
    ChunkedShape shape{.processors = network.processor_count()};
    shape.group = processors_of(topology, "--group", fmt::format("{}", fmt::join(given.texts("group"), ",")));
    std::sort(shape.group.begin(), shape.group.end());
    std::optional<std::uint32_t> root;
    if (given.has("source"))
        root = processors_of(topology, "--source", given.text("source")).front();
    else if (needs_root(kind))
        root = shape.group.empty() ? 0 : shape.group.front();
    const std::vector<std::uint32_t> weights =
        given.has("weights") ? weights_of(given.text("weights")) : std::vector<std::uint32_t>{};
    ChunkRequest request;
    request.of_parts = [=](std::uint32_t parts) {
        ChunkedShape with_parts = shape;
        with_parts.parts = parts;
        return make(kind, with_parts, root, weights);
    };
    if (given.has("chunks"))
        request.parts = given.small_count("chunks", 1, 65536);
    request.objective = parse_chunk_objective(given.text("objective", "steps"));
    set_cost(request, given);
    request.seconds = std::chrono::duration<double>(given.seconds("budget")).count();
    request.seed = given.count("seed");
    return {std::move(topology), defaults, std::move(network), std::move(request)};
}

} // namespace nocturne::cli
