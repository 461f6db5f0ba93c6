#include "sim/cli/single_job.hpp"

#include "sim/report/progress.hpp"

#include <fmt/format.h>

#include <chrono>

namespace nocturne::cli {

nlohmann::json run_alone(std::string_view command, const Job& job)
{
    ProgressLine line{std::string(command)};
    const auto start = std::chrono::steady_clock::now();
    WorkerOptions options;
    options.workers = 1;
    options.on_progress = [&](std::size_t, std::size_t) {
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        line.show_text(fmt::format("{}: {:.0f} s", command, elapsed.count()));
    };
    return run_jobs(std::span(&job, 1), options).front();
}

} // namespace nocturne::cli
