#include "schedules/workers/process.hpp"
#include "schedules/workers/workers.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/workers/processes.hpp"
#include "tests/temporary_folder.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <unistd.h>

namespace nocturne::workers_test {

using namespace nocturne::test;

TEST_CASE("results come back in the order of the jobs, whatever the number of workers", "[workers]")
{
    const unsigned workers = GENERATE(0U, 1U, 2U, 3U, 16U);
    std::vector<Job> jobs;
    for (unsigned i = 0; i < 60; ++i)
        jobs.emplace_back([i] {
            usleep(i % 7 * 300); // so that they do not end in order
            return nlohmann::json{{"job", i}, {"square", i * i}};
        });
    const auto before = open_descriptors();
    const std::vector<nlohmann::json> results = run_jobs(jobs, {workers});
    REQUIRE(results.size() == jobs.size());
    for (unsigned i = 0; i < jobs.size(); ++i)
        CHECK(results[i] == nlohmann::json{{"job", i}, {"square", i * i}});
    CHECK(open_descriptors() == before);
    CHECK_FALSE(has_children());
}

TEST_CASE("each job runs in a process of its own", "[workers]")
{
    int runs = 0;
    const std::vector<Job> jobs(3, [&runs] { return nlohmann::json{++runs, getpid()}; });
    const auto results = run_jobs(jobs, {1});
    CHECK(runs == 0);
    for (const nlohmann::json& result : results) {
        CHECK(result[0] == 1);
        CHECK(result[1] != getpid());
    }
}

TEST_CASE("values survive the way exactly", "[workers]")
{
    const nlohmann::json value{{"third", 1.0 / 3},
                               {"tiny", std::numeric_limits<double>::denorm_min()},
                               {"large", std::numeric_limits<std::uint64_t>::max()},
                               {"negative", std::numeric_limits<std::int64_t>::min()},
                               {"infinite", std::numeric_limits<double>::infinity()},
                               {"text", "µs \" \n"},
                               {"nothing", nullptr}};
    const std::vector<Job> jobs{[&] { return value; }};
    CHECK(run_jobs(jobs).front() == value);
}

TEST_CASE("results much larger than a pipe arrive whole", "[workers]")
{
    const auto text_of = [](int i) { return std::string(2'000'000 + i, static_cast<char>('a' + i)); };
    std::vector<Job> jobs;
    for (int i = 0; i < 3; ++i)
        jobs.emplace_back([&, i] { return nlohmann::json(text_of(i)); });
    const auto results = run_jobs(jobs, {3});
    for (int i = 0; i < 3; ++i)
        CHECK((results[i].get_ref<const std::string&>() == text_of(i)));
}

TEST_CASE("no job is started after a failure", "[workers]")
{
    const SharedValues<std::uint64_t> started(1);
    std::vector<Job> jobs(50, [&] {
        ++started[0];
        return nlohmann::json(1);
    });
    jobs[4] = []() -> nlohmann::json { throw std::runtime_error("fourth"); };
    CHECK_THROWS(run_jobs(jobs, {1}));
    CHECK(started[0] == 4);
}

TEST_CASE("stdout gets what the parent printed, once, and nothing of a worker", "[workers]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "stdout";
    std::fflush(stdout);
    const int before = dup(STDOUT_FILENO);
    REQUIRE(std::freopen(file.c_str(), "w", stdout) != nullptr);
    std::printf("parent");
    run_jobs(std::vector<Job>(3, [] {
        std::fflush(stdout);
        return nlohmann::json(1);
    }));
    std::fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);

    std::ifstream stream(file);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    CHECK(text == "parent");
}

TEST_CASE("progress is told for every job and while nothing happens", "[workers]")
{
    std::vector<std::size_t> told;
    const SharedValues<std::uint64_t> ticks(1);
    const std::vector<Job> jobs{[] { return nlohmann::json(1); },
                                [&] {
                                    // Told once for job 0, and once more because time went by.
                                    wait_for(ticks[0], 2);
                                    return nlohmann::json(2);
                                }};
    run_jobs(jobs, {2, [&](std::size_t done, std::size_t total) {
                        CHECK(total == 2);
                        told.push_back(done);
                        ++ticks[0];
                    }});
    REQUIRE(told.size() >= 3);
    CHECK(std::is_sorted(told.begin(), told.end()));
    CHECK(told.back() == 2);
}

TEST_CASE("jobs that are not done by the deadline are stopped, the others keep their results", "[workers]")
{
    const std::vector<Job> jobs{
        [] { return nlohmann::json(1); },
        [] {
            pause();
            return nlohmann::json(2);
        },
    };
    WorkerOptions options;
    options.workers = 2;
    // Set by the first result, so that the test does not depend on how fast a worker starts.
    options.settles = [&](std::size_t, const nlohmann::json&) {
        options.deadline = std::chrono::steady_clock::now();
        return false;
    };
    CHECK(run_jobs(jobs, options) == std::vector<nlohmann::json>{1, nullptr});
}

} // namespace nocturne::workers_test
