// Simulations for tests, each in a worker process: SystemC elaborates once in a process.
#pragma once

#include "schedules/workers/workers.hpp"

#include <vector>

namespace nocturne::test {

/// What `make` returns for each case, in their order.
template <class Case, class Make>
auto in_workers(const std::vector<Case>& cases, const Make& make)
{
    std::vector<Job> jobs;
    for (const Case& each : cases)
        jobs.emplace_back([&] { return nlohmann::json(make(each)); });
    std::vector<decltype(make(cases.front()))> results;
    for (const nlohmann::json& result : run_jobs(jobs))
        results.push_back(result.get<typename decltype(results)::value_type>());
    return results;
}

/// What it returns.
template <class Make>
auto in_worker(const Make& make)
{
    return in_workers(std::vector{0}, [&](int) { return make(); }).front();
}

} // namespace nocturne::test
