#include "schedules/workers/ordered_jobs.hpp"
#include "tests/catch.hpp"

#include <csignal>
#include <unistd.h>

namespace nocturne::ordered_jobs_test {

namespace {

/// Squares, until one is more than `most`; those of odd numbers take longer.
std::vector<int> squares_up_to(int most, std::size_t count, unsigned workers,
                               std::chrono::duration<double> least_to_hand_over = {})
{
    std::vector<int> taken;
    OrderedJobs<int> jobs;
    jobs.least_to_hand_over = least_to_hand_over;
    jobs.count = count;
    jobs.is_wanted = [&](std::size_t) { return taken.empty() || taken.back() <= most; };
    jobs.make = [](std::size_t job) {
        if (job % 2 == 1)
            usleep(20'000);
        return static_cast<int>(job * job);
    };
    jobs.take = [&](std::size_t job, int value) {
        CHECK(job == taken.size());
        taken.push_back(value);
    };
    jobs.encode = [](int value) { return nlohmann::json(value); };
    jobs.decode = [](std::size_t, const nlohmann::json& json) { return json.get<int>(); };
    run_in_order(jobs, {.workers = workers});
    return taken;
}

} // namespace

TEST_CASE("what is taken does not depend on the number of workers", "[workers]")
{
    const unsigned workers = GENERATE(1U, 2U, 3U, 8U);
    CHECK(squares_up_to(20, 12, workers) == std::vector{0, 1, 4, 9, 16, 25});
    CHECK(squares_up_to(1000, 4, workers) == std::vector{0, 1, 4, 9});
    CHECK(squares_up_to(1000, 1, workers) == std::vector{0});
    CHECK(squares_up_to(1000, 0, workers).empty());
}

TEST_CASE("jobs are handed over from the first on that took long", "[workers]")
{
    using std::chrono::milliseconds;
    const auto least = GENERATE(milliseconds(10), milliseconds(3'600'000));
    CHECK(squares_up_to(20, 12, 3, least) == std::vector{0, 1, 4, 9, 16, 25});
    std::vector<int> made_here;
    std::vector<int> taken;
    int hand_overs = 0;
    OrderedJobs<int> jobs;
    jobs.count = 5;
    jobs.is_wanted = [](std::size_t) { return true; };
    jobs.make = [&](std::size_t job) {
        if (job == 2)
            usleep(20'000); // at least
        made_here.push_back(static_cast<int>(job));
        return static_cast<int>(job);
    };
    jobs.take = [&](std::size_t, int value) { taken.push_back(value); };
    jobs.encode = [](int value) { return nlohmann::json(value); };
    jobs.decode = [](std::size_t, const nlohmann::json& json) { return json.get<int>(); };
    jobs.on_hand_over = [&] { ++hand_overs; };
    jobs.least_to_hand_over = least;
    run_in_order(jobs, {.workers = 2});
    CHECK(taken == std::vector{0, 1, 2, 3, 4});
    if (least == milliseconds(10)) { // a job before it may have waited for the processor, too
        CHECK(hand_overs == 1);
        CHECK(made_here.size() <= 3);
    } else {
        CHECK(hand_overs == 0);
        CHECK(made_here == taken);
    }
}

TEST_CASE("what is not wanted from the beginning is not begun", "[workers]")
{
    OrderedJobs<int> jobs;
    jobs.count = 3;
    jobs.is_wanted = [](std::size_t) { return false; };
    jobs.make = [](std::size_t) -> int { throw std::logic_error("made"); };
    run_in_order(jobs, {.workers = GENERATE(1U, 2U)});
}

TEST_CASE("a flag ends jobs that have no end, and keeps what there is", "[workers]")
{
    std::vector<int> taken;
    bool stop = false;
    OrderedJobs<int> jobs;
    jobs.count = 4;
    jobs.is_wanted = [](std::size_t) { return true; };
    jobs.make = [](std::size_t job) {
        while (job == 1)
            pause();
        return static_cast<int>(job);
    };
    jobs.take = [&](std::size_t, int value) {
        taken.push_back(value);
        stop = true;
    };
    jobs.encode = [](int value) { return nlohmann::json(value); };
    jobs.decode = [](std::size_t, const nlohmann::json& json) { return json.get<int>(); };
    jobs.is_stopped = [&] { return stop; };
    run_in_order(jobs, {.workers = 2});
    CHECK(taken == std::vector{0});
}

namespace {

volatile std::sig_atomic_t arrived = 0;

} // namespace

TEST_CASE("a signal ends them, and then does its own work", "[workers]")
{
    struct sigaction before{};
    struct sigaction handler{};
    handler.sa_handler = [](int signal) { arrived = signal; };
    sigaction(SIGTERM, &handler, &before);
    const pid_t parent = getpid();
    OrderedJobs<int> jobs;
    jobs.count = 2;
    jobs.is_wanted = [](std::size_t) { return true; };
    jobs.make = [&](std::size_t job) -> int {
        if (job == 0)
            kill(parent, SIGTERM);
        for (;;)
            pause();
    };
    jobs.take = [](std::size_t, int) { FAIL("nothing has an end"); };
    jobs.encode = [](int value) { return nlohmann::json(value); };
    run_in_order(jobs, {.workers = 2});
    sigaction(SIGTERM, &before, nullptr);
    CHECK(arrived == SIGTERM);
}

} // namespace nocturne::ordered_jobs_test
