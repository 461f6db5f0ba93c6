// Links and routers that fail during a replay, and how long it takes until all is right again; README.md says what is claimed
// and what came out.
#include "models/topology/files.hpp"
#include "models/topology/specification.hpp"
#include "schedules/optimize/portfolio.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/experiment/progress.hpp"
#include "sim/experiment/recovery.hpp"
#include "sim/report/recovery_results_json.hpp"
#include "sim/report/table.hpp"
#include "testbenches/testbench.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <numeric>
#include <sstream>

namespace {

using namespace nocturne;

struct Configuration {
    std::vector<std::string> networks;
    std::string only; ///< of the networks; empty: all
    std::uint64_t bytes = 1024;
    double intermittent_ns = 200;
    std::string expected; ///< file; empty: nothing to compare with
    std::string output;   ///< folder; empty: only the terminal
};

struct Case {
    Problem problem;
    Schedule schedule;
    std::string kind; ///< `link`, `router`, `intermittent`
    std::string when; ///< `first`, `middle`, `last`
    RecoveryOptions options;
    std::size_t expected_losses = 0;
    RecoveryResult result = {};
};

std::vector<Collective> collectives(std::uint32_t processors)
{
    return {all_to_all_scatter(processors), all_to_all_broadcast(processors)};
}

bool has_channel(const Topology& topology, RouterId from, RouterId to)
{
    const auto out = topology.channels_from(from);
    return std::any_of(out.begin(), out.end(),
                       [&](ChannelId id) { return topology.channel(id).target == to; });
}

/// In the middle of the longest path of a step, so that the fault meets something.
std::string place_of_fault(const Case& each, std::size_t step)
{
    const Step& transfers = each.schedule.steps[step];
    const auto longest =
        std::max_element(transfers.begin(), transfers.end(), [](const Transfer& a, const Transfer& b) {
            return a.path->size() < b.path->size();
        });
    const Topology& topology = each.problem.topology;
    const Channel& channel = topology.channel((*longest->path)[longest->path->size() / 2]);
    if (each.kind == "router")
        return fmt::format("node:{}", topology.router_name(channel.source));
    return fmt::format("{}:{}-{}", has_channel(topology, channel.target, channel.source) ? "link" : "channel",
                       topology.router_name(channel.source), topology.router_name(channel.target));
}

std::vector<Case> cases_of(const Configuration& configuration)
{
    std::vector<Case> cases;
    for (const std::string& network : configuration.networks) {
        if (!configuration.only.empty() && configuration.only != network)
            continue;
        const Topology topology = make_topology(network);
        for (const Collective& collective :
             collectives(static_cast<std::uint32_t>(topology.processor_count()))) {
            const Problem problem = make_problem(topology, collective);
            const PortfolioResult found = find_schedule(problem);
            if (!found.schedule || !found.is_optimal())
                throw std::runtime_error(fmt::format("{}: no optimal schedule was found", describe(problem)));
            const std::size_t steps = found.schedule->steps.size();
            for (const char* kind : {"link", "router", "intermittent"})
                for (const auto& [when, step] : {std::pair<std::string, std::size_t>{"first", 0},
                                                 {"middle", steps / 2},
                                                 {"last", steps - 1}}) {
                    Case each{problem, *found.schedule, kind, when, {}};
                    each.options.simulation.message_bytes = configuration.bytes;
                    each.options.faults = {place_of_fault(each, step)};
                    each.options.fault_ns =
                        middle_of_step_ns(each.schedule, step, topology, {}, configuration.bytes);
                    if (each.kind == "intermittent")
                        each.options.until_ns = each.options.fault_ns + configuration.intermittent_ns;
                    each.expected_losses = expected_losses(each.schedule, topology, each.options).size();
                    cases.push_back(std::move(each));
                }
        }
    }
    return cases;
}

void run_cases(std::vector<Case>& cases)
{
    std::vector<Job> jobs;
    for (const Case& each : cases)
        jobs.emplace_back(
            [&each] { return nlohmann::json(recover(each.schedule, each.problem.topology, each.options)); });
    ProgressLine progress("recovery");
    WorkerOptions workers;
    workers.on_progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
    const std::vector<nlohmann::json> results = run_jobs(jobs, workers);
    for (std::size_t i = 0; i < cases.size(); ++i)
        cases[i].result = results[i].get<RecoveryResult>();
}

double time_of(const RecoveryResult& result, std::string_view phase)
{
    return std::accumulate(result.phases.begin(), result.phases.end(), 0.0,
                           [&](double sum, const RecoveryPhase& each) {
                               return each.name == phase ? sum + each.end_ns - each.begin_ns : sum;
                           });
}

Table phase_table(const std::vector<Case>& cases)
{
    Table table{"Faults during a replay, and the way back",
                {{"network", "", Align::left},
                 {"collective", "", Align::left},
                 {"steps", ""},
                 {"fault", "", Align::left},
                 {"in step", "", Align::left},
                 {"place", "", Align::left},
                 {"lost", ""},
                 {"by the model", ""},
                 {"probes", ""},
                 {"located", ""},
                 {"owed", ""},
                 {"dropped", ""},
                 {"repair steps", ""},
                 {"replay", "ns"},
                 {"detect", "ns"},
                 {"locate", "ns"},
                 {"program", "ns"},
                 {"replay owed", "ns"},
                 {"all", "ns"},
                 {"memories", "", Align::left}},
                {}};
    for (const Case& each : cases) {
        const RecoveryResult& result = each.result;
        table.add_row({result.topology,
                       result.collective,
                       std::uint64_t{result.steps},
                       each.kind,
                       each.when,
                       result.faults.front(),
                       std::uint64_t{result.lost.size()},
                       std::uint64_t{each.expected_losses},
                       std::uint64_t{result.probes},
                       std::uint64_t{result.located.size()},
                       std::uint64_t{result.owed},
                       std::uint64_t{result.dropped},
                       std::uint64_t{result.repair_steps},
                       Real{time_of(result, "replay"), 0},
                       Real{time_of(result, "detect"), 0},
                       Real{time_of(result, "locate"), 0},
                       Real{time_of(result, "program"), 0},
                       Real{time_of(result, "replay owed"), 0},
                       Real{result.time_ns, 0},
                       std::string(result.memory_ok ? "right" : "WRONG")});
    }
    return table;
}

std::string csv_of(const Table& table)
{
    std::ostringstream text;
    print_csv(text, table);
    return text.str();
}

/// The lines of the expected table that are about the networks that ran.
std::string expected_csv(const Configuration& configuration)
{
    std::istringstream all(read_file(configuration.expected));
    std::string text;
    for (std::string line; std::getline(all, line);)
        if (configuration.only.empty() || line.starts_with("network") ||
            line.starts_with(configuration.only) || line.starts_with('"' + configuration.only))
            text += line + "\n";
    return text;
}

/// A line for each claim that does not hold.
std::vector<std::string> failures(const std::vector<Case>& cases, const Configuration& configuration)
{
    std::vector<std::string> result;
    for (const Case& each : cases) {
        const auto fail = [&](const std::string& what) {
            result.push_back(fmt::format("{} {}, {} in the {} step: {}", each.result.collective,
                                         each.result.topology, each.options.faults.front(), each.when, what));
        };
        if (!each.result.memory_ok)
            fail(fmt::format("{} of {} messages are right", each.result.messages_delivered,
                             each.result.messages_owed));
        if (each.result.duplicates != 0)
            fail(fmt::format("{} deliveries came twice", each.result.duplicates));
        if (each.result.lost.size() != each.expected_losses)
            fail(fmt::format("{} messages were lost, {} by the model", each.result.lost.size(),
                             each.expected_losses));
        if (!each.result.lost.empty() && each.result.located.empty() != (each.kind == "intermittent"))
            fail(fmt::format("{} parts were located", each.result.located.size()));
    }
    if (!configuration.expected.empty() && expected_csv(configuration) != csv_of(phase_table(cases)))
        result.push_back(fmt::format("the results differ from {}", configuration.expected));
    return result;
}

void write_results(const std::vector<Case>& cases, const std::string& output)
{
    nlohmann::json document = nlohmann::json::array();
    for (const Case& each : cases)
        document.push_back(each.result);
    const std::string csv = csv_of(phase_table(cases));
    const std::filesystem::path folder(output);
    std::filesystem::create_directories(folder);
    write_file_atomically(folder / "phases.csv", csv);
    write_file_atomically(folder / "results.json", document.dump(1) + "\n");
    fmt::print("\nIn {}/: phases.csv results.json\n", output);
}

int run(const Configuration& configuration)
{
    std::vector<Case> cases = cases_of(configuration);
    run_cases(cases);
    print_text(std::cout, phase_table(cases));
    std::cout.flush();
    double longest = 0;
    for (const Case& each : cases)
        longest = std::max(longest, each.result.search_seconds);
    fmt::print("The longest search for a repair took {:.2f} s of wall-clock time.\n", longest);
    if (!configuration.output.empty())
        write_results(cases, configuration.output);
    const std::vector<std::string> failed = failures(cases, configuration);
    for (const std::string& line : failed)
        fmt::print(stderr, "fault_recovery: {}\n", line);
    return failed.empty() ? 0 : 1;
}

} // namespace

int main(int argc, char* argv[])
{
    namespace po = boost::program_options;
    Configuration configuration;
    po::options_description options;
    options.add_options()("network", po::value(&configuration.networks)->composing(),
                          "one or more")("only", po::value(&configuration.only), "one of the networks")(
        "bytes", po::value(&configuration.bytes)->default_value(1024), "message size")(
        "intermittent-ns", po::value(&configuration.intermittent_ns)->default_value(200),
        "how long an intermittent fault lasts")("expected", po::value(&configuration.expected),
                                                "table that must come out")(
        "output", po::value(&configuration.output), "folder for the table and all results");
    return nocturne::testbench::run("fault_recovery", [&] {
        return nocturne::testbench::parse(argc, argv, "fault_recovery", options) ? run(configuration) : 0;
    });
}
