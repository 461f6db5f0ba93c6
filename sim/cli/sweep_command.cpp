#include "models/text/json_text.hpp"
#include "models/topology/files.hpp"
#include "models/topology/input_log.hpp"
#include "models/topology/topology_files.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/hardware_options.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/rank_pool.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/run_remarks.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/report/progress.hpp"
#include "sim/sweep/run_sweep.hpp"
#include "sim/sweep/sweep_table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>

namespace nocturne::cli {

namespace {

constexpr std::size_t most_failures_shown = 10;

Usage sweep_usage()
{
    return {.command = "sweep",
            .summary = "run a command for every combination of option values, on all cores or many machines",
            .positional = "file",
            .description = "Runs a command for every combination of the values in a file (INI or JSON), on "
                           "all cores, or under mpirun on many\nmachines. Each result is stored in an SQLite "
                           "database as it arrives, so the same call resumes an interrupted sweep.\n",
            .examples = {"nocturne sweep examples/sweeps/latency.ini -o latency.db --csv latency.csv",
                         "nocturne sweep examples/sweeps/engines.json --list -o engines.db"}};
}

OptionTable sweep_options()
{
    return option_table(
        "Sweep", {{"file", name_value("FILE"), "sweep file, INI or JSON; positional argument"},
                  {"output,o", written_value("FILE"),
                   "database; default: the sweep file's name with .db, in the current folder"},
                  {"csv", written_value("FILE"), "write the table of all points as CSV"},
                  {"list", switch_value(), "print the command of each point without running it"},
                  {"retry", switch_value(),
                   "repeat all failed points; without it only points whose process was killed"},
                  {"rank-timeout", seconds_value(30),
                   "under mpirun --enable-recovery: silence after which a rank's points are reassigned"}});
}

std::vector<CommandOption> options_for_sweeps(const Command& command)
{
    std::vector<CommandOption> options;
    const OptionTable table = options_of(command);
    for (const OptionRow& row : table.rows())
        options.push_back({.name = row.long_name(),
                           .takes_value = row.value.takes_value(),
                           .names_place = row.value.written != Written::nothing});
    return options;
}

bool says_seed(const SweepPlan& plan)
{
    const std::vector<std::string> swept = swept_options(plan);
    return std::find(swept.begin(), swept.end(), "seed") != swept.end() ||
           std::any_of(plan.fixed.begin(), plan.fixed.end(),
                       [](const SweptOption& option) { return option.option == "seed"; });
}

/// Of the arguments of a point those that say whether its network has what its options of the hardware are
/// about; none if it has no such option.
std::vector<std::string> hardware_arguments(const std::vector<std::string>& arguments,
                                            const OptionTable& hardware)
{
    std::vector<std::string> chosen;
    bool has_hardware = false;
    for (std::size_t i = 1; i + 1 < arguments.size(); ++i) {
        const std::string name = arguments[i].starts_with("--") ? arguments[i].substr(2) : std::string();
        if (name == "topology" || name == "model" || hardware.find(name) != nullptr)
            chosen.insert(chosen.end(), {arguments[i], arguments[i + 1]});
        has_hardware = has_hardware || hardware.find(name) != nullptr;
    }
    return has_hardware ? chosen : std::vector<std::string>();
}

/// Throws std::invalid_argument for a point whose network, or model, has nothing that one of its hardware
/// options is about: all would be run, and these points lack a result. What else may be wrong with a point is
/// said by its command.
void refuse_idle_points(const SweepPlan& plan)
{
    const Command& command = find_command(plan.command);
    const OptionTable options = options_of(command), hardware = hardware_options();
    if (options.find("topology") == nullptr || options.find("router-stages") == nullptr)
        return;
    std::set<std::vector<std::string>> seen;
    for (std::uint64_t point = 0; point < count_points(plan); ++point) {
        const std::vector<std::string> arguments =
            hardware_arguments(point_of(plan, point).arguments, hardware);
        if (arguments.empty() || !seen.insert(arguments).second)
            continue;
        std::vector<Topology> networks;
        std::optional<OptionValues> values;
        NetworkModel model = NetworkModel::flit;
        try {
            values = values_of(command, arguments);
            if (!values->has("topology"))
                continue;
            const nlohmann::json named = values->json(*options.find("topology")); // one, or several
            for (const nlohmann::json& each : named.is_array() ? named : nlohmann::json::array({named}))
                networks.push_back(with_parts_of(*values, topology_from(each.get<std::string>())));
            if (values->has("model"))
                model = parse_model(values->text("model"));
        } catch (const std::exception&) {
            continue;
        }
        InputLog::take_remarks(); // the point itself says what there is to remark
        try {
            refuse_idle_hardware(
                *values, model,
                std::vector<std::reference_wrapper<const Topology>>(networks.begin(), networks.end()));
        } catch (const std::invalid_argument& error) {
            throw std::invalid_argument(
                fmt::format("point {}, {}: {}", point, networks.front().name(), error.what()));
        }
    }
}

SweepPlan plan_of(const OptionValues& given)
{
    const std::string file = given.text("file");
    SweepPlan plan = load_sweep_plan(file);
    try {
        const Command& command = find_command(plan.command);
        if (command.usage.command == sweep_usage().command)
            throw std::invalid_argument("a sweep of sweeps: put all options into one file");
        if (command.usage.command == report_command().usage.command)
            throw std::invalid_argument(
                "a report has no results of its own: sweep the command whose results it shows");
        if (given.is_given("seed") && says_seed(plan))
            throw std::invalid_argument("--seed: the file sets the seed");
        if (given.is_given("seed"))
            plan.fixed.push_back({"seed", {{std::to_string(given.count("seed"))}}});
        const std::vector<CommandOption> options = options_for_sweeps(command);
        plan = resolved(std::move(plan), options);
        refuse_idle_points(plan);
        return plan;
    } catch (const std::invalid_argument& error) {
        throw std::runtime_error(fmt::format("{}: {}", file, error.what()));
    }
}

std::string command_text(const std::vector<std::string>& arguments)
{
    return command_line(arguments.front(), {arguments.begin() + 1, arguments.end()});
}

void print_commands(const SweepPlan& plan)
{
    for (std::uint64_t point = 0; point < count_points(plan); ++point)
        fmt::print("{}\n", command_text(point_of(plan, point).arguments));
}

std::string database_of(const OptionValues& given)
{
    return given.has("output")
               ? given.text("output")
               : std::filesystem::path(given.text("file")).filename().replace_extension(".db").string();
}

/// Columns make no other sweep.
SweepIdentity identity_of(SweepPlan plan)
{
    plan.columns.clear();
    return {std::string(version()), json_text(to_json(plan))};
}

/// Those of all calls, the first of them one by one.
struct Failures {
    std::uint64_t count = 0;
    std::vector<StoredPoint> first;
};

Failures failures_in(const SweepDatabase& database)
{
    Failures failures;
    database.visit([&](const StoredPoint& point) {
        if (point.result.status == 0 && point.result.error.empty())
            return;
        if (++failures.count <= most_failures_shown)
            failures.first.push_back(point);
    });
    return failures;
}

struct SweepFailure {
    std::uint64_t point;
    int status;
    std::string error;
    std::string command;
};

Fields<SweepFailure> fields_of(const SweepFailure*)
{
    return {"sweep failure",
            "A point of a sweep that failed.",
            {{"point", "", "Number of the point, from 0.",
              [](const SweepFailure& failure) { return failure.point; }},
             {"status", "", "Exit status of its command.",
              [](const SweepFailure& failure) { return failure.status; }},
             {"error", "", "Error message of the command.",
              [](const SweepFailure& failure) { return failure.error; }},
             {"command", "", "Command of the point.",
              [](const SweepFailure& failure) { return failure.command; }}}};
}

/// What is printed of a sweep.
struct SweepOutput {
    std::uint64_t points;
    std::uint64_t failed;
    std::string database;
    std::vector<StoredPoint> failures; ///< the first
};

Fields<SweepOutput> fields_of(const SweepOutput*)
{
    using Output = SweepOutput;
    return {
        "sweep",
        "A command over every combination of values.",
        {{"points", "", "Points of the sweep.", [](const Output& output) { return output.points; }},
         {"failed", "", "Failed points, over all calls.", [](const Output& output) { return output.failed; }},
         {"database", "", "Database with the results.", [](const Output& output) { return output.database; }},
         {"failures", "", "First failed points.", [](const Output& output) {
              std::vector<SweepFailure> failures;
              for (const auto& [point, command, result] : output.failures)
                  failures.push_back({point, result.status, result.error, command});
              return failures;
          }}}};
}

void print_sweep(const OptionValues& given, const SweepOutput& output)
{
    print_result(output, given, [&] {
        fmt::print("{} points, {} of them failed; results in {}\n", output.points, output.failed,
                   output.database);
        for (const auto& [point, command, result] : output.failures)
            fmt::print("point {}: {}: status {}{}{}\n", point, command, result.status,
                       result.error.empty() ? "" : ": ", result.error);
        if (output.failed > output.failures.size())
            fmt::print("...\n");
    });
}

void write_tables(const OptionValues& given, const SweepPlan& plan, SweepDatabase& database)
{
    const std::string made_by(version());
    const Table header = sweep_header(plan, database, find_result);
    for (const std::string& pattern : idle_columns(plan, database, find_result))
        InputLog::remark(
            fmt::format("{}: columns: no field of the table is called '{}'", given.text("file"), pattern));
    write_results_table(plan, made_by, header, find_result, database);
    if (given.has("csv"))
        write_file_atomically(given.text("csv"), results_csv(plan, made_by, header, find_result, database));
}

/// `sweep: 37 of 480 points done, 1 failed, 12 s; about 2 min left`.
std::string sweep_progress_text(const SweepProgress& progress)
{
    std::string text = fmt::format("sweep: {} of {} points done", progress.done, progress.points);
    if (progress.failed > 0)
        text += fmt::format(", {} failed", progress.failed);
    text += fmt::format(", {}", duration_text(progress.seconds));
    if (progress.seconds_left)
        text += fmt::format("; about {} left", duration_text(*progress.seconds_left));
    return text;
}

/// Everything that one process does: the only one, or the first of many.
int lead(const OptionValues& given, const SweepPlan& plan, const JobTransport& transport)
{
    const std::string file = database_of(given);
    SweepDatabase database(file, identity_of(plan));
    try {
        ProgressLine line("sweep");
        SweepSettings settings;
        settings.command_text = command_text;
        settings.retry = given.is_on("retry") ? SweepDatabase::Retry::all_failed : SweepDatabase::Retry::died;
        settings.on_progress = [&](const SweepProgress& progress) {
            print_remarks();
            line.show_text(sweep_progress_text(progress));
        };
        run_sweep(plan, database, transport, settings);
        write_tables(given, plan, database);
    } catch (const Interrupted&) {
        print_notice(fmt::format("{}: finished points are kept; repeat the call to continue", file));
        throw;
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(
            fmt::format("{}; finished points are kept, repeat the call to continue", error.what()));
    }
    const Failures failures = failures_in(database);
    print_sweep(given, {count_points(plan), failures.count, file, failures.first});
    return failures.count == 0 ? all_is_well : check_failed;
}

int run_sweep(const OptionValues& given)
{
    const std::optional<RankEnvironment> environment = rank_environment();
    RankPoolOptions ranks;
    ranks.workers = given.workers();
    ranks.signs.silence = given.seconds("rank-timeout");
    ranks.signs.pause = std::min(ranks.signs.pause, ranks.signs.silence / 5);
    const JobPool::Work work = point_work([](const std::vector<std::string>& arguments) {
        leave_rank_environment();
        return run_command_line(arguments);
    });
    if (environment && environment->rank > 0)
        return given.is_on("list") ? all_is_well : run_on_ranks(*environment, ranks, work, {});
    const SweepPlan plan = plan_of(given);
    if (given.is_on("list")) {
        refuse_given(given, {"json"}, "not with --list");
        for (const char* const of_runs : {"output", "csv", "retry", "rank-timeout"})
            static_cast<void>(given.has(of_runs)); // the whole command and --list: what would it run?
        print_commands(plan);
        return all_is_well;
    }
    require_file_place(database_of(given));
    const auto lead_with = [&](const JobTransport& transport) { return lead(given, plan, transport); };
    if (environment)
        return run_on_ranks(*environment, ranks, work, lead_with);
    JobPool pool(given.workers(), work);
    return lead_with(transport_of(pool));
}

} // namespace

Command sweep_command()
{
    return {sweep_usage(), sweep_options, run_sweep, {description_of<SweepOutput>}};
}

} // namespace nocturne::cli
