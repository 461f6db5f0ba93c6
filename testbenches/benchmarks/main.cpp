// How fast simulations, validator, bounds and engines are, and what memory they take.
#include "models/topology/files.hpp"
#include "testbenches/benchmarks/benchmark_case.hpp"
#include "testbenches/benchmarks/booksim.hpp"
#include "testbenches/driver/measured.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <unistd.h>

namespace {

using namespace nocturne;
using namespace nocturne::benchmarks;

void measure(benchmark::State& state, const BenchmarkCase& benchmark)
{
    for ([[maybe_unused]] const auto _ : state) {
        try {
            const double calibration = calibration_rate();
            const Sample sample = in_own_process(benchmark.run);
            state.SetIterationTime(sample.seconds);
            state.SetLabel(benchmark.unit);
            state.counters["work_per_second"] = sample.work / sample.seconds;
            state.counters["work_per_calibration_step"] = sample.work / sample.seconds / calibration;
            state.counters["MiB"] = sample.mib;
            if (benchmark.processors > 0) // Google Benchmark divides by the mean of a counter
                state.counters["processors"] = benchmark.processors;
        } catch (const std::runtime_error& error) {
            state.SkipWithError(error.what());
        }
    }
}

/// Runs what the filter chooses, and returns the JSON of Google Benchmark, whose report goes to standard
/// error.
std::string run_benchmarks(const nlohmann::json& settings)
{
    std::vector<BenchmarkCase> cases = simulation_cases();
    for (auto more : {schedule_cases(), start_up_cases(settings.at("nocturne").get<std::string>())})
        std::move(more.begin(), more.end(), std::back_inserter(cases));
    for (const BenchmarkCase& each : cases)
        benchmark::RegisterBenchmark(each.name.c_str(), measure, each)
            ->UseManualTime()
            ->Iterations(1)
            ->Repetitions(settings.at("repetitions"))
            ->DisplayAggregatesOnly()
            ->Unit(benchmark::kMillisecond);
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / fmt::format("nocturne_benchmarks_{}.json", getpid());
    const auto filter = settings.at("filter").get<std::string>();
    std::vector<std::string> words{"benchmarks", "--benchmark_out=" + file.string(),
                                   "--benchmark_out_format=json",
                                   "--benchmark_filter=" + (filter.empty() ? "." : filter)};
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    benchmark::ConsoleReporter reporter;
    reporter.SetOutputStream(&std::cerr);
    if (benchmark::RunSpecifiedBenchmarks(&reporter) == 0)
        throw std::invalid_argument(fmt::format("filter={}: no benchmark has a match", filter));
    benchmark::Shutdown();
    std::string text = read_file(file);
    std::filesystem::remove(file);
    return text;
}

testbench::Measured measure_all(const nlohmann::json& settings)
{
    testbench::Measured measured;
    measured.files.emplace_back("benchmarks.json", run_benchmarks(settings));
    if (const auto booksim = settings.at("booksim").get<std::string>(); !booksim.empty())
        measured.tables.emplace_back("booksim", beside_booksim(booksim, settings.at("repetitions")));
    return measured;
}

} // namespace

int main(int argc, char* argv[])
{
    return testbench::run(argc, argv, "benchmarks", measure_all);
}
