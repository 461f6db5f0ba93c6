// How fast simulations, validator, bounds and engines are, what memory they take, and what has changed.
#include "testbenches/benchmarks/benchmark_case.hpp"
#include "testbenches/benchmarks/booksim.hpp"
#include "testbenches/benchmarks/results.hpp"
#include "testbenches/testbench.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <filesystem>
#include <iostream>

namespace {

using namespace nocturne;
using namespace nocturne::benchmarks;

struct Configuration {
    std::string filter;
    unsigned repetitions = 3;
    std::string output;
    std::string against;
    std::string nocturne;
    std::string booksim;
};

void measure(benchmark::State& state, const BenchmarkCase& benchmark)
{
    for ([[maybe_unused]] const auto _ : state) {
        try {
            const double calibration = calibration_rate();
            const Sample sample = in_own_process(benchmark.run);
            state.SetIterationTime(sample.seconds);
            state.SetLabel(benchmark.unit);
            state.counters[work_counter] = sample.work / sample.seconds;
            state.counters[calibrated_counter] = sample.work / sample.seconds / calibration;
            state.counters[memory_counter] = sample.mib;
            if (benchmark.processors > 0) // Google Benchmark divides by the mean of a counter
                state.counters[processors_counter] = benchmark.processors;
        } catch (const std::runtime_error& error) {
            state.SkipWithError(error.what());
        }
    }
}

/// Runs what the filter chooses, and leaves the JSON in `file`.
void run_benchmarks(const Configuration& configuration, const std::filesystem::path& file)
{
    std::vector<BenchmarkCase> cases = simulation_cases();
    for (auto more : {schedule_cases(), start_up_cases(configuration.nocturne)})
        std::move(more.begin(), more.end(), std::back_inserter(cases));
    for (const BenchmarkCase& each : cases)
        benchmark::RegisterBenchmark(each.name.c_str(), measure, each)
            ->UseManualTime()
            ->Iterations(1)
            ->Repetitions(static_cast<int>(configuration.repetitions))
            ->DisplayAggregatesOnly()
            ->Unit(benchmark::kMillisecond);
    std::vector<std::string> words{
        "benchmarks", "--benchmark_out=" + file.string(), "--benchmark_out_format=json",
        "--benchmark_filter=" + (configuration.filter.empty() ? "." : configuration.filter)};
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    testbench::require_chosen(benchmark::RunSpecifiedBenchmarks(), configuration.filter, "the benchmarks");
    benchmark::Shutdown();
}

int run(const Configuration& configuration)
{
    const std::filesystem::path folder(configuration.output);
    std::filesystem::create_directories(folder);
    const std::filesystem::path file = folder / "benchmarks.json";
    run_benchmarks(configuration, file);
    const Table rates = rates_table(file, configuration.against);
    std::cout << '\n';
    print_text(std::cout, rates);
    testbench::Files files{{"rates.csv", csv_of(rates)}};
    if (configuration.filter.empty())
        files.emplace_back("cost.svg", cost_picture(file));
    if (!configuration.booksim.empty()) {
        const Table beside = beside_booksim(configuration.booksim, configuration.repetitions);
        std::cout << '\n';
        print_text(std::cout, beside);
        files.emplace_back("booksim.csv", csv_of(beside));
    }
    testbench::write_files(configuration.output, files);
    return 0;
}

} // namespace

int main(int argc, char* argv[])
{
    namespace po = boost::program_options;
    Configuration configuration;
    po::options_description description;
    description.add_options()("filter", po::value(&configuration.filter)->default_value(""),
                              "only benchmarks whose name has a match of this regular expression")(
        "repetitions", po::value(&configuration.repetitions)->default_value(3),
        "runs of each; the best counts")("output",
                                         po::value(&configuration.output)->default_value("benchmarks"),
                                         "folder for benchmarks.json, rates.csv and cost.svg")(
        "against", po::value(&configuration.against)->default_value(""), "a stored benchmarks.json")(
        "nocturne", po::value(&configuration.nocturne)->default_value(""),
        "the command, for its start-up time")("booksim", po::value(&configuration.booksim)->default_value(""),
                                              "BookSim2's program, for a comparison");
    return nocturne::testbench::run(argc, argv, "benchmarks", description,
                                    [&] { return run(configuration); });
}
