#include "schedules/workers/described_jobs.hpp"
#include "schedules/workers/process.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/workers/processes.hpp"

#include <stdexcept>
#include <unistd.h>

namespace nocturne::described_jobs_test {

using namespace nocturne::test;
using namespace std::chrono_literals;

namespace {

/// Answers with ten times the number; some numbers are special.
nlohmann::json work(const nlohmann::json& description)
{
    const int number = description["number"];
    if (number == -1)
        throw std::invalid_argument("a bad job");
    if (number == -2)
        die_of(SIGKILL);
    while (number == -3)
        pause();
    return 10 * number;
}

std::vector<JobDescription> numbered(const std::vector<int>& numbers)
{
    std::vector<JobDescription> jobs;
    for (const int number : numbers)
        jobs.emplace_back([number] { return nlohmann::json{{"number", number}}; });
    return jobs;
}

} // namespace

TEST_CASE("described jobs have their results in order, and a transport takes several rounds", "[workers]")
{
    JobPool pool(GENERATE(1u, 3u), described_work(work));
    const JobTransport transport = transport_of(pool);
    for (int round = 0; round < 3; ++round)
        CHECK(run_jobs(transport, numbered({1, 2, 3, 4, 5})) ==
              std::vector<nlohmann::json>{10, 20, 30, 40, 50});
}

TEST_CASE("the first described job in the list that settles a round ends those behind it", "[workers]")
{
    JobPool pool(GENERATE(1u, 2u, 5u), described_work(work));
    const JobTransport transport = transport_of(pool);
    WorkerOptions options;
    options.settles = [](std::size_t, const nlohmann::json& result) { return result >= 30; };
    CHECK(run_jobs(transport, numbered({1, 2, 3, -3, 5}), options) ==
          std::vector<nlohmann::json>{10, 20, 30, nullptr, nullptr});
    CHECK(run_jobs(transport, numbered({7})) == std::vector<nlohmann::json>{70});
}

TEST_CASE("a deadline stops described jobs", "[workers]")
{
    JobPool pool(2, described_work(work));
    WorkerOptions options;
    options.deadline = std::chrono::steady_clock::now() + 300ms;
    const auto results = run_jobs(transport_of(pool), numbered({-3, -3, -3}), options);
    CHECK(results == std::vector<nlohmann::json>{nullptr, nullptr, nullptr});
}

TEST_CASE("the failure of the first described job in the list is thrown", "[workers]")
{
    JobPool pool(GENERATE(1u, 3u), described_work(work));
    const JobTransport transport = transport_of(pool);
    CHECK_THROWS_WITH(run_jobs(transport, numbered({1, -1, -2})), "a bad job");
    CHECK_THROWS_AS(run_jobs(transport, numbered({1, -2, -1})), WorkerDied);
}

} // namespace nocturne::described_jobs_test
