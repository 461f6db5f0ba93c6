#include "testbenches/benchmarks/benchmark_case.hpp"

#include "models/routing/random.hpp"
#include "schedules/workers/workers.hpp"

#include <array>
#include <cstdint>
#include <ctime>
#include <sys/resource.h>

namespace nocturne::benchmarks {

Sample in_own_process(const std::function<Sample()>& run)
{
    const std::array<Job, 1> jobs{[&run] {
        const Sample sample = run();
        return nlohmann::json{{"work", sample.work}, {"seconds", sample.seconds}, {"mib", sample.mib}};
    }};
    const nlohmann::json result = run_jobs(jobs).front();
    return {result["work"].get<double>(), result["seconds"].get<double>(), result["mib"].get<double>()};
}

double processor_seconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

Sample sample_since(double begin, double work)
{
    const double seconds = processor_seconds() - begin;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return {work, seconds, static_cast<double>(usage.ru_maxrss) / 1024};
}

double calibration_rate()
{
    constexpr std::uint32_t places = (1u << 20) / sizeof(std::uint64_t);
    constexpr std::uint32_t steps = 10'000'000;
    static const std::vector<std::uint64_t> memory = [] {
        SplitMix64 random(1);
        std::vector<std::uint64_t> made(places);
        for (std::uint64_t& value : made)
            value = random();
        return made;
    }();
    const double begin = processor_seconds();
    std::uint64_t place = 0;
    for (std::uint32_t step = 0; step < steps; ++step)
        place = (place * 6364136223846793005ull + memory[place >> 32 & (places - 1)]) ^ step;
    volatile std::uint64_t result = place; // the loop has a purpose
    static_cast<void>(result);
    return steps / (processor_seconds() - begin);
}

} // namespace nocturne::benchmarks
