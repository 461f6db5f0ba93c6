#include "models/text/json_text.hpp"
#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/json_place.hpp"
#include "models/topology/yaml_place.hpp"
#include "sim/imports/simulators.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace nocturne {

namespace {

constexpr double bytes_of_gigabyte = 1.073741824; ///< 2^30, per ns at 1 GB/s
constexpr unsigned most_npus = 4096;
constexpr double astra_tolerance = 0.002; ///< of bandwidths and latencies

constexpr std::string_view of_astra_memory = "memory and computation take no time here";
constexpr std::string_view of_memory_rate =
    "there each byte that is added costs three bytes of memory at so many GB/s (10^9); nothing here";
constexpr std::string_view of_several = "it orders several collectives; here there is one";
constexpr std::string_view of_search = "schedule searches for its own; --engine restricts the search";
constexpr std::string_view of_other_collectives = "only with another --collective";
constexpr std::string_view of_bus = "only with model-shared-bus = 1";
constexpr std::string_view of_astra_output = "about output";
constexpr std::string_view never_read = "ASTRA-sim does not read it";

constexpr std::size_t network_keys = 4; ///< the first ones

/// Names and defaults: NetworkParser.cpp, Sys.cc and CollectiveImplLookup.cc.
constexpr ForeignKey astra_table[]{
    // network
    {"topology", ""},
    {"npus_count", ""},
    {"bandwidth", ""},
    {"latency", ""},
    // system
    {"scheduling-policy", "LIFO", "*", of_several},
    {"endpoint-delay", "10"},
    {"active-chunks-per-dimension", "1", "1",
     "a chunk starts here when its links have room; the congestion-unaware network gives each active chunk "
     "their whole bandwidth"},
    {"preferred-dataset-splits", "", "", "schedule tries several numbers of chunks; --chunks sets one"},
    {"all-reduce-implementation", "", "", of_search},
    {"reduce-scatter-implementation", "", "*", of_other_collectives},
    {"all-gather-implementation", "", "*", of_other_collectives},
    {"all-to-all-implementation", "", "*", of_other_collectives},
    {"all-reduce-implementation-custom", "", "",
     "Chakra traces of single sends are programs here: traffic --trace runs them"},
    {"reduce-scatter-implementation-custom", "", "*", of_other_collectives},
    {"all-gather-implementation-custom", "", "*", of_other_collectives},
    {"all-to-all-implementation-custom", "", "*", of_other_collectives},
    {"per-node-custom-implementation", "", "", "each node has the same collective here"},
    {"collective-optimization", "baseline", "", of_search},
    {"local-mem-bw", "0", "0", of_memory_rate},
    {"local-reduction-delay", "1", "*", of_bus},
    {"model-shared-bus", "0", "0", of_astra_memory},
    {"L", "0", "*", of_bus},
    {"o", "0", "*", of_bus},
    {"g", "0", "*", of_bus},
    {"G", "0", "*", of_bus},
    {"peak-perf", "0", "*", "about computation, which takes no time here"},
    {"roofline-enabled", "0", "*", "about computation, which takes no time here"},
    {"trace-enabled", "0", "*", of_astra_output},
    {"track-local-mem", "0", "*", of_astra_output},
    {"local-mem-trace-filename", "local_mem_trace", "*", of_astra_output},
    {"replay-only", "0", "*", "about workloads"},
    {"boost-mode", "0", "*", never_read},
};

/// `[1, 2]` as `1,2`; other values as they stand there.
std::string shown(const nlohmann::json& value)
{
    if (value.is_string())
        return value.get<std::string>();
    if (!value.is_array())
        return json_text(value);
    std::vector<std::string> elements;
    for (const nlohmann::json& element : value)
        elements.push_back(shown(element));
    return fmt::format("{}", fmt::join(elements, ","));
}

ForeignValues values_of(const ForeignText& network, const std::optional<ForeignText>& system)
{
    ForeignValues values;
    const YamlPlace root(network.text, network.origin);
    for (const std::string& name : root.names())
        values.emplace_back(name, root.has(name) ? root[name].shown() : "");
    if (!system)
        return values;
    const nlohmann::json document = parse_json(system->text, system->origin);
    if (!document.is_object())
        throw std::runtime_error(fmt::format("{}: expected an object", system->origin));
    for (const auto& [name, value] : document.items())
        values.emplace_back(name, shown(value));
    return values;
}

std::vector<std::string> list_of(const CommandDraft& draft, std::string_view key)
{
    std::vector<std::string> items;
    std::string_view rest = draft.text(key);
    while (true) {
        const std::size_t end = rest.find(',');
        items.emplace_back(rest.substr(0, end));
        if (end == rest.npos)
            return items;
        rest.remove_prefix(end + 1);
    }
}

std::vector<AstraDimension> dimensions_of(const CommandDraft& draft)
{
    for (const char* key : {"topology", "npus_count", "bandwidth", "latency"})
        if (draft.text(key).empty())
            draft.fail(fmt::format("{} is missing", key));
    const auto kinds = list_of(draft, "topology"), counts = list_of(draft, "npus_count"),
               bandwidths = list_of(draft, "bandwidth"), latencies = list_of(draft, "latency");
    if (counts.size() != kinds.size() || bandwidths.size() != kinds.size() ||
        latencies.size() != kinds.size())
        draft.fail("topology, npus_count, bandwidth and latency need a value for each dimension");
    std::vector<AstraDimension> dimensions;
    std::uint64_t npus = 1;
    for (std::size_t d = 0; d < kinds.size(); ++d) {
        static constexpr std::array known{"Ring", "Switch", "FullyConnected"};
        if (std::ranges::find(known, kinds[d]) == known.end())
            draft.fail(
                fmt::format("topology '{}': known are {}", shortened(kinds[d]), fmt::join(known, ", ")));
        const auto number = [&](const char* key, const std::string& text, double least) {
            const auto value = number_of<double>(text);
            if (!value || !(*value >= least && *value <= 1e6))
                draft.fail(fmt::format("{} = {}: expected a number from {} to 1000000", key, shortened(text),
                                       least));
            return *value;
        };
        const auto count = number_of<std::uint64_t>(counts[d]);
        if (!count || *count < 2 || *count > most_npus || (npus *= *count) > most_npus)
            draft.fail(fmt::format("npus_count = {}: expected 2 or more, and at most {} NPUs in all",
                                   draft.text("npus_count"), most_npus));
        dimensions.push_back({.kind = kinds[d],
                              .npus = static_cast<unsigned>(*count),
                              .bytes_per_ns = number("bandwidth", bandwidths[d], 1e-3) * bytes_of_gigabyte,
                              .latency_ns = number("latency", latencies[d], 0)});
    }
    return dimensions;
}

AstraScale scale_with(std::span<const AstraDimension> dimensions, unsigned cycle_ps)
{
    AstraScale scale{.cycle_ps = cycle_ps, .widths = {}, .latencies = {}, .error = 0};
    const double cycle_ns = cycle_ps / 1000.0;
    for (const AstraDimension& dimension : dimensions) {
        const auto rounded = [](double exact) {
            return static_cast<unsigned>(std::max(1.0, std::round(exact)));
        };
        const double width = dimension.bytes_per_ns * cycle_ns, cycles = dimension.latency_ns / cycle_ns;
        scale.widths.push_back(rounded(width));
        scale.latencies.push_back(rounded(cycles));
        scale.error = std::max(scale.error, std::abs(scale.widths.back() / width - 1));
        if (cycles > 0)
            scale.error = std::max(scale.error, std::abs(scale.latencies.back() / cycles - 1));
    }
    return scale;
}

/// `53.7 bytes per ns`, of each dimension.
template <class Function>
std::string by_dimension(std::size_t dimensions, Function figure)
{
    std::vector<std::string> texts;
    for (std::size_t d = 0; d < dimensions; ++d)
        texts.push_back(fmt::format("{:.4g}", figure(d)));
    return fmt::format("{}", fmt::join(texts, ", "));
}

void carry_network(CommandDraft& draft, std::span<const AstraDimension> dimensions, const AstraScale& scale)
{
    const double cycle_ns = scale.cycle_ps / 1000.0;
    draft.carry({"topology", "npus_count"}, "the network file");
    draft.carry(
        {"bandwidth"}, fmt::format("bytes per cycle: {}", fmt::join(scale.widths, ", ")),
        fmt::format("GB are 2^30 bytes there: {} bytes per ns there, {} here",
                    by_dimension(dimensions.size(), [&](auto d) { return dimensions[d].bytes_per_ns; }),
                    by_dimension(dimensions.size(), [&](auto d) { return scale.widths[d] / cycle_ns; })));
    const bool has_none =
        std::ranges::any_of(dimensions, [](const AstraDimension& each) { return each.latency_ns == 0; });
    const std::string latencies =
        by_dimension(dimensions.size(), [&](auto d) { return scale.latencies[d] * cycle_ns; });
    draft.carry({"latency"}, fmt::format("cycles: {}", fmt::join(scale.latencies, ", ")),
                fmt::format("{} ns here{}{}", latencies, has_none ? "; none there is a cycle here" : "",
                            scale.error > astra_tolerance
                                ? fmt::format("; no clock fits better than {:.2g} %", 100 * scale.error)
                                : ""));
}

void add_system(CommandDraft& draft, bool is_given, const AstraScale& scale)
{
    if (!is_given) {
        for (const ForeignKey& row : std::span(astra_table).subspan(network_keys))
            draft.ignore(row.name, "no system is given");
        return;
    }
    const double delay_ns = draft.number("endpoint-delay");
    if (delay_ns < 0)
        draft.fail(fmt::format("endpoint-delay = {}: expected 0 or more", draft.text("endpoint-delay")));
    draft.add("--start-cycles", fmt::format("{:.6g}", delay_ns * 1000 / scale.cycle_ps), {"endpoint-delay"},
              "ns there; n transfers in a row pay it n times here, n + 1 times there");
}

} // namespace

std::span<const ForeignKey> astra_keys()
{
    return astra_table;
}

AstraScale astra_scale(std::span<const AstraDimension> dimensions)
{
    constexpr double natural_ps = 1000 / bytes_of_gigabyte;
    constexpr unsigned most_width = 4096, most_ps = 1'000'000;
    const auto spread = [](const AstraScale& scale) {
        unsigned unit = 0;
        for (const unsigned width : scale.widths)
            unit = std::gcd(unit, width);
        return *std::ranges::max_element(scale.widths) / unit;
    };
    const auto is_better = [&](const AstraScale& a, const AstraScale& b) {
        if (a.error > astra_tolerance || b.error > astra_tolerance)
            return a.error < b.error;
        const auto distance = [&](const AstraScale& scale) {
            return std::abs(std::log(scale.cycle_ps / natural_ps));
        };
        return std::pair(spread(a), distance(a)) < std::pair(spread(b), distance(b));
    };
    AstraScale best = scale_with(dimensions, static_cast<unsigned>(natural_ps));
    for (const AstraDimension& dimension : dimensions)
        for (unsigned width = 1; width <= most_width; ++width) {
            const double cycle_ps = std::round(1000 * width / dimension.bytes_per_ns);
            if (cycle_ps < 1 || cycle_ps > most_ps)
                continue;
            if (AstraScale scale = scale_with(dimensions, static_cast<unsigned>(cycle_ps));
                is_better(scale, best))
                best = std::move(scale);
        }
    return best;
}

Topology astra_topology(std::span<const AstraDimension> dimensions, const AstraScale& scale)
{
    std::vector<std::string> names;
    std::uint32_t npus = 1;
    for (const AstraDimension& dimension : dimensions) {
        names.push_back(fmt::format("{}({})", dimension.kind, dimension.npus));
        npus *= dimension.npus;
    }
    Topology made(fmt::format("{}", fmt::join(names, " ")));
    for (std::uint32_t npu = 0; npu < npus; ++npu)
        made.add_processor(made.add_router());
    std::uint32_t stride = 1;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        const std::uint32_t size = dimensions[d].npus;
        const auto join = [&](RouterId a, RouterId b) {
            for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)})
                made.add_channel({.source = from,
                                  .target = to,
                                  .latency_cycles = scale.latencies[d],
                                  .width_bytes = scale.widths[d]});
        };
        for (std::uint32_t first = 0; first < npus; ++first) {
            if (first / stride % size != 0)
                continue;
            const auto member = [&](std::uint32_t i) { return first + i * stride; };
            if (dimensions[d].kind == "Switch") {
                const RouterId center = made.add_router(fmt::format("switch{}-{}", d, member(0)));
                for (std::uint32_t i = 0; i < size; ++i)
                    join(member(i), center);
                continue;
            }
            const bool is_ring = dimensions[d].kind == "Ring" && size > 2;
            for (std::uint32_t i = 0; i < size; ++i)
                for (std::uint32_t j = i + 1; j < size; ++j)
                    if (!is_ring || j == i + 1 || j - i == size - 1)
                        join(member(i), member(j));
        }
        stride *= size;
    }
    return made;
}

ImportedCommand import_astra(const ForeignText& network, const std::optional<ForeignText>& system,
                             const std::string& network_file)
{
    const std::string origin = system ? network.origin + " and " + system->origin : network.origin;
    CommandDraft draft(system ? "an ASTRA-sim network and system" : "an ASTRA-sim network", "ASTRA-sim",
                       origin, astra_table, values_of(network, system));
    const std::vector<AstraDimension> dimensions = dimensions_of(draft);
    const AstraScale scale = astra_scale(dimensions);
    draft.add_word("schedule");
    draft.add_word(network_file);
    draft.set_network(to_json(astra_topology(dimensions, scale)));
    carry_network(draft, dimensions, scale);
    draft.add("--collective", "allreduce", {});
    draft.add("--objective", "time", {});
    draft.add("--bytes", "1MiB", {});
    draft.add("--cycle-ns", fmt::format("{}", scale.cycle_ps / 1000.0), {});
    add_system(draft, system.has_value(), scale);
    draft.note(
        "The workload of ASTRA-sim says the collective and its size: --collective allreduce and --bytes "
        "1MiB are examples.");
    if (dimensions.size() > 1)
        draft.note(
            "ASTRA-sim runs a collective dimension by dimension; here it may use all links at any time.");
    draft.note("An all-to-all of S bytes among n of ASTRA-sim has a processor's own block: it is --bytes S "
               "(n - 1) / n here.");
    draft.note(
        "The congestion-unaware network of ASTRA-sim shares no link: its times can be below the bound of "
        "'nocturne bound'.");
    if (dimensions.size() == 1)
        draft.note(
            "A transfer over several links is cut through here; the congestion-aware network of ASTRA-sim "
            "stores it at each hop.");
    return draft.finish();
}

} // namespace nocturne
