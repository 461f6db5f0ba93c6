// Makes the gallery of schedules/library: for every network of the papers a schedule with as few steps as can
// be, evolved by the paper's engine where that reaches them, with the bound and its certificate.
#include "models/topology/files.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/evolution/evolve.hpp"
#include "sim/report/progress.hpp"
#include "sim/result_files/result_file.hpp"
#include "testbenches/evolution/cells.hpp"
#include "testbenches/testbench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace {

using namespace nocturne;

struct Configuration {
    std::string cells;
    std::uint64_t evaluations = 0; ///< of an evolution; then today's engines take over
    std::size_t most_transfers = 0;
    std::uint64_t seed = 1;
    std::string output;
};

/// A line of the list of the gallery.
struct Entry {
    std::string file;
    std::string problem;
    Schedule schedule;
    Bound bound;
};

std::size_t deliveries(const Collective& collective)
{
    std::size_t count = 0;
    for (const Message& message : collective.messages())
        count += message.receivers.size();
    return count;
}

/// `omega_8_AAS`, `mesh_4x4_OAS_from_01`, `fat_octagon_8_MNB_8_to_16`
std::string base_name(const ProblemText& text, const Problem& problem)
{
    std::string name = fmt::format("{}_{}", text.topology, text.collective);
    if (!text.source.empty())
        name += "_from_" + text.source;
    if (!text.senders.empty())
        name += fmt::format("_{}_to_{}", problem.collective.messages().size(),
                            problem.collective.messages().front().receivers.size());
    if (!text.ports.empty())
        name += "_ports_" + text.ports;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ':' || c == ','; }, '_');
    return name;
}

/// What the paper's engine makes of it at the bound; nothing if it does not get there.
std::optional<Schedule> evolved(const Problem& problem, const std::string& engine, unsigned steps,
                                const Configuration& configuration)
{
    EvolveOptions options;
    options.parameters = default_parameters(engine);
    if (!suits_evolution(options.parameters, problem))
        return std::nullopt;
    options.steps = steps;
    options.seed = configuration.seed;
    options.evaluations = configuration.evaluations;
    options.budget = std::chrono::hours(1); // evaluations end it, not the clock
    options.workers = 1;
    return evolve(problem, options).schedule;
}

Entry make_entry(const evolution::PrintedCell& cell, const Problem& problem,
                 const Configuration& configuration)
{
    PortfolioOptions options;
    options.seed = configuration.seed;
    const PortfolioResult best = find_schedule(problem, options);
    if (!best.is_optimal())
        throw std::runtime_error(fmt::format("{}: no optimal schedule found", describe(problem)));
    std::optional<Schedule> schedule = evolved(problem, cell.engine, best.bound.steps, configuration);
    return {{}, describe(problem), schedule ? *std::move(schedule) : *best.schedule, best.bound};
}

std::string list_of(const std::vector<Entry>& entries)
{
    std::string text = R"(# The gallery

One schedule for every network and collective of the papers that is small enough to read, each with as few
steps as can be and the bound that says so. Evolved by the paper's engine where that reaches the bound,
otherwise found by today's engines. `./run gallery` makes all files of this folder; `nocturne certify FILE`
checks one.

| file | problem | steps | bound | made by |
| --- | --- | --: | --- | --- |
)";
    for (const Entry& entry : entries)
        text += fmt::format("| [{}]({}) | {} | {} | {} | {} |\n", entry.file, entry.file, entry.problem,
                            entry.schedule.steps.size(), kind_of(entry.bound), entry.schedule.source);
    return text;
}

int run(const Configuration& configuration)
{
    const std::filesystem::path folder(configuration.output);
    std::filesystem::create_directories(folder);
    const std::vector<evolution::PrintedCell> cells = evolution::read_cells(configuration.cells);
    std::vector<Entry> entries;
    std::map<std::string, unsigned> taken;
    std::vector<std::string> seen; // a problem may be in several papers
    ProgressLine progress("gallery");
    std::size_t done = 0;
    for (const evolution::PrintedCell& cell : cells) {
        progress.update(done++, cells.size());
        const Problem problem = make_problem(cell.problem);
        const std::string key = fmt::format("{} {} {} {}", describe(problem), cell.problem.source,
                                            cell.problem.senders, cell.problem.receivers);
        if (deliveries(problem.collective) > configuration.most_transfers ||
            std::find(seen.begin(), seen.end(), key) != seen.end())
            continue;
        seen.push_back(key);
        Entry entry = make_entry(cell, problem, configuration);
        if (const auto refutation = refute(problem, entry.bound))
            throw std::runtime_error(fmt::format("{}: {}", entry.problem, *refutation));
        const std::string name = base_name(cell.problem, problem);
        const unsigned number = ++taken[name];
        entry.file = number == 1 ? name + ".json" : fmt::format("{}_{}.json", name, number);
        save_result(folder / entry.file, problem, entry.bound, entry.schedule);
        entries.push_back(std::move(entry));
    }
    write_file_atomically(folder / "README.md", list_of(entries));
    fmt::print("{} schedules in {}/\n", entries.size(), configuration.output);
    return 0;
}

} // namespace

int main(int argc, char* argv[])
{
    namespace po = boost::program_options;
    Configuration configuration;
    po::options_description options;
    options.add_options()("cells", po::value(&configuration.cells), "CSV file with the papers' figures")(
        "evaluations", po::value(&configuration.evaluations)->default_value(1'000'000),
        "fitness evaluations of an evolution, at most")(
        "most-transfers", po::value(&configuration.most_transfers)->default_value(256),
        "problems with more deliveries are left out")(
        "seed", po::value(&configuration.seed)->default_value(1),
        "seed")("output", po::value(&configuration.output)->default_value("schedules/library/gallery"),
                "folder for the schedules");
    return nocturne::testbench::run(argc, argv, "gallery", options, [&] {
        if (configuration.cells.empty())
            throw std::invalid_argument("--cells is missing");
        return run(configuration);
    });
}
