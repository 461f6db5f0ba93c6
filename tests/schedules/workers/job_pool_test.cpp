#include "schedules/workers/job_pool.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/workers/handed_out.hpp"
#include "tests/schedules/workers/processes.hpp"

#include <array>
#include <csignal>
#include <map>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace nocturne::job_pool_test {

using namespace nocturne::test;
using namespace std::chrono_literals;

namespace {

/// What the jobs of these tests are told to do.
Bytes work(std::span<const std::uint8_t> job)
{
    const std::string order = text(job);
    if (order == "throw")
        throw std::invalid_argument("a bad job");
    if (order == "exhaust memory")
        throw std::bad_alloc();
    if (order == "die")
        die_of(SIGKILL);
    if (order == "sleep")
        for (;;)
            pause();
    if (order.starts_with("long "))
        return Bytes(std::stoul(order.substr(5)), 'x');
    return bytes("done: " + order);
}

} // namespace

TEST_CASE("every job has one result, whatever the number of workers", "[workers][pool]")
{
    const unsigned workers = GENERATE(1u, 2u, 5u);
    std::vector<std::string> orders;
    for (int i = 0; i < 40; ++i)
        orders.push_back("number " + std::to_string(i));
    JobPool pool(workers, work);
    const auto results = results_of(transport_of(pool), orders);
    REQUIRE(results.size() == orders.size());
    for (const auto& [id, result] : results) {
        CHECK(result.end == JobEnd::done);
        CHECK(text(result.content) == "done: " + orders[id]);
        CHECK(result.seconds >= 0);
    }
}

TEST_CASE("a job that throws or dies is its own result, and the others go on", "[workers][pool]")
{
    JobPool pool(2, work);
    const auto results =
        results_of(transport_of(pool), {"a", "throw", "die", "exhaust memory", "b", "long 3000000"});
    REQUIRE(results.size() == 6);
    CHECK(results.at(1).end == JobEnd::failed);
    CHECK(text(results.at(1).content) == "a bad job");
    CHECK(results.at(2).end == JobEnd::died);
    CHECK(text(results.at(2).content) == "worker process was killed by signal 9 (Killed)");
    CHECK(results.at(3).end == JobEnd::failed);
    CHECK(text(results.at(3).content) == "out of memory");
    CHECK(text(results.at(4).content) == "done: b");
    CHECK(results.at(5).content.size() == 3'000'000);
}

TEST_CASE("more jobs than a socket holds do not stop a pool", "[workers][pool]")
{
    JobPool pool(1, work);
    constexpr std::uint64_t count = 30;
    for (std::uint64_t id = 0; id < count; ++id)
        pool.send({id, bytes(std::string(100'000, 'j'))});
    std::vector<std::uint64_t> order;
    while (order.size() < count)
        for (const JobResult& result : pool.receive(10s)) {
            CHECK(result.content.size() == 100'006);
            order.push_back(result.id);
        }
    CHECK(std::is_sorted(order.begin(), order.end())); // one worker: in the order in which they were sent
}

TEST_CASE("a job that is stopped has a result all the same, whether it runs, waits or has ended",
          "[workers][pool]")
{
    JobPool pool(1, work);
    std::map<std::uint64_t, JobResult> results;
    const auto receive_until = [&](std::size_t count) {
        while (results.size() < count)
            for (JobResult& result : pool.receive(10s))
                CHECK(results.emplace(result.id, std::move(result)).second);
    };
    pool.send({0, bytes("ended")});
    receive_until(1);
    pool.send({1, bytes("sleep")});
    pool.send({2, bytes("sleep")});
    pool.send({3, bytes("last")});
    pool.stop(0); // has its result, and gets no other
    pool.stop(2);
    pool.stop(1);
    receive_until(4);
    CHECK(results.at(0).end == JobEnd::done);
    CHECK(results.at(1).end == JobEnd::stopped);
    CHECK(results.at(2).end == JobEnd::stopped);
    CHECK(text(results.at(3).content) == "done: last");
}

TEST_CASE("a signal ends a pool, and nothing of it is left behind", "[workers][pool]")
{
    const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
    check_interrupted(signal, [&] {
        JobPool pool(2, work);
        pool.send({0, bytes("sleep")});
        pool.send({1, bytes("a")});
        while (pool.receive(10s).empty()) {
        }
        std::raise(signal);
        pool.receive(10s);
    });
}

TEST_CASE("the jobs of a pool end with it", "[workers][pool]")
{
    // Whoever holds the writing end of this pipe lives.
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    {
        JobPool pool(1, [&](std::span<const std::uint8_t> job) {
            [[maybe_unused]] const ssize_t count = write(ends[1], "s", 1);
            return work(job);
        });
        pool.send({0, bytes("sleep")});
        char letter = 0;
        REQUIRE(read(ends[0], &letter, 1) == 1);
    }
    close(ends[1]);
    char letter = 0;
    CHECK(read(ends[0], &letter, 1) == 0);
    close(ends[0]);
}

TEST_CASE("messages and results are the same behind a transport", "[workers][pool]")
{
    const JobMessage job = job_message_of(bytes_of(JobMessage{7, bytes("what")}));
    CHECK(job.id == 7);
    CHECK(text(job.content) == "what");
    const JobResult result = job_result_of(bytes_of(JobResult{8, JobEnd::died, 0.25, 3, bytes("why")}));
    CHECK(result.id == 8);
    CHECK(result.end == JobEnd::died);
    CHECK(result.seconds == 0.25);
    CHECK(result.rank == 3);
    CHECK(text(result.content) == "why");
    CHECK_THROWS_AS(job_message_of(bytes("short")), std::runtime_error);
    CHECK_THROWS_AS(job_result_of(bytes("too short")), std::runtime_error);
}

} // namespace nocturne::job_pool_test
