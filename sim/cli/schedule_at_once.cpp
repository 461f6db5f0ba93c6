#include "sim/cli/schedule_at_once.hpp"

#include "models/text/nanoseconds.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/files.hpp"
#include "models/topology/topology_files.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/concurrent/collectives_file.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/sizes.hpp"
#include "sim/evolution/stop_on_signal.hpp"
#include "sim/report/words.hpp"
#include "sim/result_files/problem_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace nocturne::cli {

namespace {

/// One of the collectives.
struct ShareOutput {
    const ConcurrentCollective& collective;
    const ConcurrentShare& share;
    double cycle_ns;
};

Fields<ShareOutput> fields_of(const ShareOutput*)
{
    using Row = ShareOutput;
    const auto of = [](auto ConcurrentShare::* member) {
        return [member](const Row& row) { return row.share.*member; };
    };
    return {
        "collective at once",
        "One of several collectives on a network at once.",
        {{"name", "", "Name in the list of collectives.", [](const Row& row) { return row.collective.name; }},
         {"collective", "", "The collective communication.",
          [](const Row& row) { return std::string(to_string(row.collective.kind)); }},
         {"groups", "", "Groups that carry it out, each by itself.",
          [](const Row& row) { return row.collective.groups.size(); }},
         {"members", "", "Processors of a group.",
          [](const Row& row) { return row.collective.groups.front().size(); }},
         {"bytes", "bytes", bytes_meaning, [](const Row& row) { return row.collective.bytes; }},
         {"chunks", "", "Equal chunks that each block is cut into.", of(&ConcurrentShare::parts)},
         {"engine", "", "Engine that found its schedule.", of(&ConcurrentShare::engine)},
         {"relayed", "", "Whether processors outside a group relay or add for it.",
          [](const Row& row) { return !row.share.is_within_groups; }},
         {"release_cycles", "cycles", "Time at which it may begin.",
          [](const Row& row) { return row.collective.start_cycles; }},
         {"end_cycles", "cycles", "Time at which it ends beside the others.",
          of(&ConcurrentShare::end_cycles)},
         {"end_ns", "ns", "The same time in ns.",
          [](const Row& row) { return row.share.end_cycles * row.cycle_ns; }, Shown::in_files},
         {"alone_cycles", "cycles", "Time of its schedule from its start without the others.",
          of(&ConcurrentShare::cycles_alone)},
         {"bound_alone_cycles", "cycles",
          "No schedule of it takes less from its start, even without the others.",
          of(&ConcurrentShare::bound_alone)}}};
}

struct AtOnceOutput {
    std::string topology;
    MadeFor setting;
    std::size_t transfers;
    const ConcurrentResult& result;
    std::vector<BoundRow> bounds;
    std::vector<ShareOutput> shares;
    std::string link_rates = {};
};

std::optional<double> bound_of(const AtOnceOutput& output)
{
    return output.result.bounds.cycles ? std::optional(output.result.bounds.cycles->cycles) : std::nullopt;
}

Fields<AtOnceOutput> fields_of(const AtOnceOutput*)
{
    using Output = AtOnceOutput;
    return {"collectives at once",
            "Result of a search for the schedule of several collectives at once.",
            {{"topology", "", "The network.", &Output::topology},
             {"time_cycles", "cycles", "Time of all of them, by the alpha-beta model.",
              [](const Output& of) { return of.result.cycles; }},
             {"time_ns", "ns", "The same time in ns.",
              [](const Output& of) { return of.result.cycles * *of.setting.cycle_ns; }, Shown::in_files},
             {"bound_cycles", "cycles",
              "No schedule of all of them takes less; it leaves out that some wait for others.", bound_of},
             {"times_bound", "", "Time over the bound.",
              [](const Output& of) {
                  const auto bound = bound_of(of);
                  return bound ? std::optional(of.result.cycles / *bound) : std::nullopt;
              }},
             {"transfers", "", "Transfers of the schedule.", &Output::transfers},
             {"start_cycles", "cycles", start_cycles_meaning,
              [](const Output& of) { return of.setting.start_cycles; }},
             {"cycle_ns", "ns", cycle_ns_meaning, [](const Output& of) { return of.setting.cycle_ns; },
              Shown::in_files},
             {"end", "", end_meaning, [](const Output& of) { return std::string(to_string(of.result.end)); }},
             {"seconds", "s", seconds_meaning, [](const Output& of) { return of.result.seconds; }},
             {"bounds", "", "Lower bounds that no schedule can beat.", &Output::bounds},
             {"collectives", "", "One row per collective.", [](const Output& of) { return of.shares; },
              Shown::as_rows}}};
}

void print_at_once(const AtOnceOutput& output, const OptionValues& given)
{
    const double cycle_ns = *output.setting.cycle_ns;
    const auto& bound = output.result.bounds.cycles;
    fmt::print("{} at once on {}: {}{}; links of {}\n", counted(output.shares.size(), "collective"),
               output.topology, time_text(output.result.cycles * cycle_ns),
               bound ? beside_bound(output.result.cycles, bound->cycles, time_text(bound->cycles * cycle_ns),
                                    output.bounds.back().reason)
                     : "",
               output.link_rates);
    print_below(table_of("Collectives", output.shares));
    if (!given.has("output"))
        fmt::print("{}\n", not_saved_text);
    std::fflush(stdout);
}

/// `10us`: the first whole cycle that is not before it.
std::uint64_t cycles_in(std::string_view text, double cycle_ns)
{
    const auto ns = nanoseconds_of(text);
    if (!ns)
        throw std::invalid_argument(
            fmt::format("'{}' is no time of at most 1 s: expected a number and s, ms, us or ns", text));
    return static_cast<std::uint64_t>(std::ceil(*ns / cycle_ns * (1 - 1e-12)));
}

ConcurrentProblem problem_of(const OptionValues& given, const Topology& topology)
{
    ConcurrentProblem problem{.network = link_network_of(topology, link_defaults(given, topology)),
                              .collectives = {},
                              .start_cycles = given.real("start-cycles"),
                              .latency_holds_link = given.is_on("latency-holds-link")};
    const std::string file = given.text("collectives");
    const nlohmann::json document = parse_json(read_file(file), file);
    const CollectiveWords words{
        [&](const std::string& list) { return processors_of(topology, "member", list); }, parse_size,
        [&](std::string_view text) { return cycles_in(text, cycle_of(given)); }};
    problem.collectives =
        read_collectives(JsonPlace(document, file), problem.network.processor_count(), words);
    try {
        check(problem);
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(fmt::format("{}: {}", file, error.what()));
    }
    return problem;
}

} // namespace

int schedule_at_once(const OptionValues& given, PortfolioOptions search)
{
    refuse_given(given,
                 {"collective", "source", "senders", "receivers", "image", "group", "weights", "chunks",
                  "bytes", "ports", "slack", "switching", "steps", "checkpoint", "start", "for"},
                 "not with --collectives");
    if (objective_of(given).value_or(ChunkObjective::time) != ChunkObjective::time)
        throw std::invalid_argument("--objective: not with --collectives, which asks for the shortest time");
    const StopOnSignal signals;
    Topology topology = topology_from(given.text("topology"));
    if (const auto faults = given.texts("fault"); !faults.empty())
        topology = with_faults(topology, faults);
    const ConcurrentProblem problem = problem_of(given, topology);
    search.stop = &signals.flag();
    ConcurrentResult found = find_concurrent_schedule(problem, search);
    if (!found.schedule) {
        signals.throw_if_interrupted();
        throw std::runtime_error(fmt::format("{}: no schedule was found in {:.6g} s",
                                             given.text("collectives"), search.budget.count()));
    }
    Schedule& schedule = *found.schedule;
    schedule.topology = topology.name();
    schedule.name = fmt::format("{} at once on {}, for time",
                                counted(problem.collectives.size(), "collective"), topology.name());
    schedule.made_for = {.bytes =
                             std::llround(found.cost.bytes_per_weight *
                                          static_cast<double>(largest_contribution(schedule.collective))),
                         .start_cycles = problem.start_cycles,
                         .latency_holds_link = problem.latency_holds_link,
                         .cycle_ns = cycle_of(given)};
    if (given.has("output"))
        save_schedule(given.text("output"), schedule, topology,
                      {{"lower_bounds", to_json(found.bounds)}, {"made_by", to_json(origin_of(given))}},
                      link_defaults(given, topology));
    AtOnceOutput output{topology.name(),
                        schedule.made_for,
                        count_transfers(schedule),
                        found,
                        bound_rows(found.bounds, problem.network),
                        {}};
    for (std::size_t i = 0; i < problem.collectives.size(); ++i)
        output.shares.push_back({problem.collectives[i], found.shares[i], *schedule.made_for.cycle_ns});
    output.link_rates = link_rates_text(given, topology, problem.network, problem.start_cycles);
    print_result(output, given, [&] { print_at_once(output, given); });
    return signals.exit_status();
}

const ResultDescription& collectives_at_once_result()
{
    return description_of<AtOnceOutput>();
}

} // namespace nocturne::cli
