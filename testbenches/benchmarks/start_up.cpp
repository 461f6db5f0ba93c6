#include "testbenches/benchmarks/benchmark_case.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nocturne::benchmarks {

Sample program_sample(const std::string& file, std::vector<std::string> words, int status)
{
    words.insert(words.begin(), file);
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int failed = posix_spawn(&child, file.c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0)
        throw std::runtime_error(fmt::format("{}: cannot be started", file));
    int end = 0;
    rusage usage{};
    wait4(child, &end, 0, &usage);
    if (!WIFEXITED(end) || WEXITSTATUS(end) != status)
        throw std::runtime_error(fmt::format("{} {}: did not end well", file, words[1]));
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return {1, seconds(usage.ru_utime) + seconds(usage.ru_stime),
            static_cast<double>(usage.ru_maxrss) / 1024};
}

std::vector<BenchmarkCase> start_up_cases(const std::string& nocturne)
{
    if (nocturne.empty())
        return {};
    return {{"start-up/--version", "runs", 0, [nocturne] { return program_sample(nocturne, {"--version"}); }},
            {"start-up/validate", "runs", 8, [nocturne] {
                 return program_sample(nocturne, {"validate", "schedules/library/omega8_aab.json"});
             }}};
}

} // namespace nocturne::benchmarks
