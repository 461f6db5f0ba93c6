#include "schedules/workers/ordered_jobs.hpp"
#include "tests/catch.hpp"

#include <csignal>
#include <unistd.h>

namespace nocturne::ordered_jobs_test {

namespace {

/// So many jobs that make their numbers, all wanted.
struct Numbers {
    OrderedJobs<int> jobs;
    std::vector<int> taken;

    explicit Numbers(std::size_t count)
    {
        jobs.count = count;
        jobs.is_wanted = [](std::size_t) { return true; };
        jobs.make = [](std::size_t job) { return static_cast<int>(job); };
        jobs.take = [this](std::size_t job, int value) {
            CHECK(job == taken.size());
            taken.push_back(value);
        };
        jobs.encode = [](int value) { return nlohmann::json(value); };
        jobs.decode = [](std::size_t, const nlohmann::json& json) { return json.get<int>(); };
    }
};

/// Squares, until one is more than `most`; those of odd numbers take longer.
std::vector<int> squares_up_to(int most, std::size_t count, unsigned workers,
                               std::chrono::duration<double> least_to_hand_over = {})
{
    Numbers squares(count);
    squares.jobs.least_to_hand_over = least_to_hand_over;
    squares.jobs.is_wanted = [&](std::size_t) {
        return squares.taken.empty() || squares.taken.back() <= most;
    };
    squares.jobs.make = [](std::size_t job) {
        if (job % 2 == 1)
            usleep(20'000);
        return static_cast<int>(job * job);
    };
    run_in_order(squares.jobs, {.workers = workers});
    return squares.taken;
}

volatile std::sig_atomic_t arrived = 0;

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
    int hand_overs = 0;
    Numbers numbers(5);
    numbers.jobs.make = [&](std::size_t job) {
        if (job == 2)
            usleep(20'000); // at least
        made_here.push_back(static_cast<int>(job));
        return static_cast<int>(job);
    };
    numbers.jobs.on_hand_over = [&] { ++hand_overs; };
    numbers.jobs.least_to_hand_over = least;
    run_in_order(numbers.jobs, {.workers = 2});
    CHECK(numbers.taken == std::vector{0, 1, 2, 3, 4});
    if (least == milliseconds(10)) { // a job before it may have waited for the processor, too
        CHECK(hand_overs == 1);
        CHECK(made_here.size() <= 3);
    } else {
        CHECK(hand_overs == 0);
        CHECK(made_here == numbers.taken);
    }
}

TEST_CASE("what is not wanted from the beginning is not begun", "[workers]")
{
    Numbers numbers(3);
    numbers.jobs.is_wanted = [](std::size_t) { return false; };
    numbers.jobs.make = [](std::size_t) -> int { throw std::logic_error("made"); };
    run_in_order(numbers.jobs, {.workers = GENERATE(1U, 2U)});
}

TEST_CASE("a flag ends jobs that have no end, and keeps what there is", "[workers]")
{
    Numbers numbers(4);
    numbers.jobs.make = [](std::size_t job) {
        while (job == 1)
            pause();
        return static_cast<int>(job);
    };
    numbers.jobs.is_stopped = [&] { return !numbers.taken.empty(); };
    run_in_order(numbers.jobs, {.workers = 2});
    CHECK(numbers.taken == std::vector{0});
}

TEST_CASE("a signal ends them, and then does its own work", "[workers]")
{
    struct sigaction before{};
    struct sigaction handler{};
    handler.sa_handler = [](int signal) { arrived = signal; };
    sigaction(SIGTERM, &handler, &before);
    const pid_t parent = getpid();
    Numbers numbers(2);
    numbers.jobs.make = [&](std::size_t job) -> int {
        if (job == 0)
            kill(parent, SIGTERM);
        for (;;)
            pause();
    };
    run_in_order(numbers.jobs, {.workers = 2});
    sigaction(SIGTERM, &before, nullptr);
    CHECK(arrived == SIGTERM);
    CHECK(numbers.taken.empty());
}

} // namespace nocturne::ordered_jobs_test
