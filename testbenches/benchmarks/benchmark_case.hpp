// What the benchmarks have in common: work that is done in a process of its own, and the time it takes.
#pragma once

#include "sim/simulation/network_model.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace nocturne::benchmarks {

/// Of one run: set-up that is not counted is over when the clock starts.
struct Sample {
    double work = 0;    ///< in units of the benchmark
    double seconds = 0; ///< of processor time
    double mib = 0;     ///< the most memory that the process had
};

struct BenchmarkCase {
    std::string name; ///< `flit/mesh:8x8/load 0.1`
    std::string unit; ///< of work: `flit-hops`
    double processors = 0;
    std::function<Sample()> run;
};

/// The sample of a run in a fork of this process: SystemC elaborates once in a process, and the memory is the
/// run's own. Throws as run_jobs().
Sample in_own_process(const std::function<Sample()>& run);

/// Processor time of this process so far, seconds.
double processor_seconds();
/// A sample of what took from `begin` (as of processor_seconds()) until now.
Sample sample_since(double begin, double work);

/// Steps a second of a loop that never changes: dependent reads all over 1 MiB, each mixed into the next
/// address. What a benchmark does in the time of such a step is nearly the same on a faster or a busier
/// machine.
double calibration_rate();

/// Processor time and memory of a program from its start to its end; the work is 1. What it prints is thrown
/// away. Throws std::runtime_error if it cannot be started or does not end with this status.
Sample program_sample(const std::string& file, std::vector<std::string> words, int status = 0);

/// Uniform traffic of packets of one length.
struct SpeedCase {
    const char* topology;
    const char* routing;
    double load; ///< flits a processor and cycle
    unsigned packet_flits;
    unsigned vcs;
    std::uint64_t cycles; ///< in which packets are made
    NetworkModel model = NetworkModel::flit;
};

/// In flit-hops. Throws std::runtime_error if packets are stuck.
Sample simulate(const SpeedCase& speed);
/// Of simulation_cases(), at both levels.
std::span<const SpeedCase> speed_cases();

/// Traffic at both levels: flit-hops and message-hops, by network, load and virtual channels.
std::vector<BenchmarkCase> simulation_cases();
/// Validator, bounds and engines, by problem.
std::vector<BenchmarkCase> schedule_cases();
/// The command, from its start to its end.
std::vector<BenchmarkCase> start_up_cases(const std::string& nocturne);

} // namespace nocturne::benchmarks
