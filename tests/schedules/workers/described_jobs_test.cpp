// Jobs in processes of their own, and the same as descriptions through a transport.
#include "schedules/workers/described_jobs.hpp"
#include "schedules/workers/process.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/workers/processes.hpp"

#include <memory>
#include <stdexcept>
#include <unistd.h>

namespace nocturne::described_jobs_test {

using namespace nocturne::test;

namespace {

using Results = std::vector<nlohmann::json>;

/// Answers with ten times the number; some numbers are special.
nlohmann::json work(const nlohmann::json& description)
{
    const int number = description["number"];
    if (number == -1)
        throw std::invalid_argument("a bad job");
    if (number == -2)
        die_of(SIGKILL);
    if (number == -3)
        sleep_for_ever();
    if (number == 9)
        usleep(100'000);
    return 10 * number;
}

/// Jobs of these numbers, by so many workers.
class Runner {
public:
    Runner(bool described, unsigned workers) : described_(described), workers_(workers)
    {
        if (described)
            pool_ = std::make_unique<JobPool>(workers, described_work(work));
    }
    Results operator()(const std::vector<int>& numbers, WorkerOptions options = {}) const
    {
        std::vector<Job> jobs;
        std::vector<JobDescription> descriptions;
        for (const int number : numbers) {
            jobs.emplace_back([number] { return work({{"number", number}}); });
            descriptions.emplace_back([number] { return nlohmann::json{{"number", number}}; });
        }
        options.workers = workers_;
        return described_ ? run_jobs(transport_of(*pool_), descriptions, options) : run_jobs(jobs, options);
    }

private:
    bool described_;
    unsigned workers_;
    std::unique_ptr<JobPool> pool_;
};

} // namespace

TEST_CASE("jobs have their results in order, and a transport takes several rounds", "[workers]")
{
    const Runner run(GENERATE(false, true), GENERATE(1u, 3u));
    for (int round = 0; round < 3; ++round)
        CHECK(run({9, 2, 3, 4, 5}) == Results{90, 20, 30, 40, 50});
    CHECK(run({}).empty());
}

TEST_CASE("the first job of the list that settles a race wins it, and ends those behind it", "[workers]")
{
    const Runner run(GENERATE(false, true), GENERATE(1u, 2u, 5u));
    WorkerOptions options;
    options.settles = [](std::size_t, const nlohmann::json& result) { return result >= 40; };
    // The first that settles does so late, the second early, the third would never end.
    CHECK(run({1, 2, 9, 4, -3, 5}, options) == Results{10, 20, 90, nullptr, nullptr, nullptr});
    CHECK(run({7}) == Results{70});
}

TEST_CASE("a deadline stops jobs", "[workers]")
{
    const Runner run(GENERATE(false, true), 2);
    WorkerOptions options;
    options.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
    CHECK(run({-3, -3, -3}, options) == Results{nullptr, nullptr, nullptr});
}

TEST_CASE("the failure of the first job in the list is thrown", "[workers]")
{
    const Runner run(GENERATE(false, true), GENERATE(1u, 3u));
    CHECK_THROWS_WITH(run({1, -1, -2}), "a bad job");
    CHECK_THROWS_AS(run({1, -2, -1}), WorkerDied);
}

} // namespace nocturne::described_jobs_test
