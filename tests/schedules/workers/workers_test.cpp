#include "schedules/workers/process.hpp"
#include "schedules/workers/workers.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/workers/processes.hpp"
#include "tests/temporary_folder.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>
#include <new>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nocturne::workers_test {

using namespace nocturne::test;
using Catch::Matchers::Message;

namespace {

/// A counter that parent and workers see alike.
class SharedCounter {
public:
    SharedCounter()
        : memory_(mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                       -1, 0)),
          count_(new(memory_) std::atomic<int>(0))
    {
    }
    ~SharedCounter() { munmap(memory_, sizeof(std::atomic<int>)); }
    SharedCounter(const SharedCounter&) = delete;
    SharedCounter& operator=(const SharedCounter&) = delete;

    void add_one() const { ++*count_; }
    int count() const { return *count_; }
    void wait_for(int count) const
    {
        while (*count_ < count)
            usleep(100);
    }

private:
    void* memory_;
    std::atomic<int>* count_;
};

nlohmann::json sleep_for_ever()
{
    for (;;)
        pause();
}

} // namespace

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

TEST_CASE("jobs that end in reverse order do not change the order of the results", "[workers]")
{
    const SharedCounter ended;
    std::vector<Job> jobs;
    for (int i = 0; i < 4; ++i)
        jobs.emplace_back([i, &ended] {
            ended.wait_for(3 - i);
            ended.add_one();
            return nlohmann::json(i);
        });
    CHECK(run_jobs(jobs, {4}) == std::vector<nlohmann::json>{0, 1, 2, 3});
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

TEST_CASE("no jobs give no results", "[workers]")
{
    CHECK(run_jobs({}).empty());
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

TEST_CASE("an exception in a job reaches the caller with its text and kind", "[workers]")
{
    const Job fine = [] { return nlohmann::json(1); };
    const Job bad_argument = []() -> nlohmann::json {
        throw std::invalid_argument("mesh 4x4: no router 99");
    };
    const Job bad_luck = []() -> nlohmann::json { throw std::runtime_error("a.json: cannot be read"); };
    const Job out_of_range = []() -> nlohmann::json { throw std::out_of_range("at"); };
    const Job strange = []() -> nlohmann::json { throw 7; };
    const auto run = [&](const Job& job) { run_jobs(std::vector<Job>{fine, job, sleep_for_ever}, {3}); };
    CHECK_THROWS_MATCHES(run(bad_argument), std::invalid_argument, Message("mesh 4x4: no router 99"));
    CHECK_THROWS_MATCHES(run(bad_luck), std::runtime_error, Message("a.json: cannot be read"));
    CHECK_THROWS_MATCHES(run(out_of_range), std::runtime_error, Message("at"));
    CHECK_THROWS_MATCHES(run(strange), std::runtime_error, Message("unknown exception"));
    CHECK_THROWS_AS(run([]() -> nlohmann::json { throw std::bad_alloc(); }), std::bad_alloc);
    CHECK_FALSE(has_children());
}

TEST_CASE("a worker that dies names its job and what killed it", "[workers]")
{
    const Job fine = [] { return nlohmann::json(1); };
    const auto run = [&](const Job& job) {
        run_jobs(std::vector<Job>{fine, fine, job, sleep_for_ever}, {4});
    };
    CHECK_THROWS_AS(run([]() -> nlohmann::json { die_of(SIGKILL); }), WorkerDied);
    CHECK_THROWS_MATCHES(run([]() -> nlohmann::json { die_of(SIGSEGV); }), std::runtime_error,
                         Message("job 2: worker process was killed by signal 11 (Segmentation fault)"));
    CHECK_THROWS_MATCHES(run([]() -> nlohmann::json { die_of(SIGABRT); }), std::runtime_error,
                         Message("job 2: worker process was killed by signal 6 (Aborted)"));
    CHECK_THROWS_MATCHES(run([]() -> nlohmann::json { _exit(3); }), std::runtime_error,
                         Message("job 2: worker process ended without a result, exit status 3"));
    CHECK_THROWS_MATCHES(run([]() -> nlohmann::json { _exit(0); }), std::runtime_error,
                         Message("job 2: worker process ended without a result, exit status 0"));
    CHECK_FALSE(has_children());
}

TEST_CASE("of several failures the first in the list is reported", "[workers]")
{
    const unsigned workers = GENERATE(1U, 2U, 8U);
    const SharedCounter failed;
    std::vector<Job> jobs(20, [] { return nlohmann::json(1); });
    jobs[7] = [&]() -> nlohmann::json {
        failed.add_one();
        throw std::runtime_error("seventh");
    };
    jobs[3] = [&]() -> nlohmann::json {
        if (workers == 8) {
            failed.wait_for(1);
            usleep(20'000); // the later job's failure is known by now, most likely
        }
        throw std::runtime_error("third");
    };
    CHECK_THROWS_MATCHES(run_jobs(jobs, {workers}), std::runtime_error, Message("third"));
}

TEST_CASE("no job is started after a failure", "[workers]")
{
    const SharedCounter started;
    std::vector<Job> jobs(50, [&] {
        started.add_one();
        return nlohmann::json(1);
    });
    jobs[4] = []() -> nlohmann::json { throw std::runtime_error("fourth"); };
    CHECK_THROWS(run_jobs(jobs, {1}));
    CHECK(started.count() == 4);
}

TEST_CASE("an interrupt ends all workers, and the signal is used up", "[workers]")
{
    const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
    const SharedCounter asleep;
    std::vector<Job> jobs(5, [&]() -> nlohmann::json {
        asleep.add_one();
        return sleep_for_ever();
    });
    jobs[2] = [&]() -> nlohmann::json {
        asleep.wait_for(4);
        kill(getppid(), signal);
        return sleep_for_ever();
    };
    check_interrupted(signal, [&] { run_jobs(jobs, {5}); });
}

TEST_CASE("a worker takes no notice of the Ctrl-C that its whole process group gets", "[workers]")
{
    const std::vector<Job> jobs{[] {
        std::raise(SIGINT);
        return nlohmann::json("still here");
    }};
    CHECK(run_jobs(jobs).front() == "still here");
}

TEST_CASE("workers die with their parent, even if nothing can be cleaned up", "[workers]")
{
    // Every process holds the writing end: the pipe reports its end when the last of them is gone.
    std::array<int, 2> alive{};
    REQUIRE(pipe(alive.data()) == 0);
    const SharedCounter asleep;
    const pid_t parent = fork();
    if (parent == 0) {
        run_jobs(std::vector<Job>(3,
                                  [&]() -> nlohmann::json {
                                      asleep.add_one();
                                      return sleep_for_ever();
                                  }),
                 {3});
        _exit(0);
    }
    close(alive[1]);
    asleep.wait_for(3);
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    char nothing = 0;
    CHECK(read(alive[0], &nothing, 1) == 0);
    close(alive[0]);
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
    const SharedCounter ticks;
    const std::vector<Job> jobs{[] { return nlohmann::json(1); },
                                [&] {
                                    ticks.wait_for(
                                        2); // told once for job 0, and once more because time went by
                                    return nlohmann::json(2);
                                }};
    run_jobs(jobs, {2, [&](std::size_t done, std::size_t total) {
                        CHECK(total == 2);
                        told.push_back(done);
                        ticks.add_one();
                    }});
    REQUIRE(told.size() >= 3);
    CHECK(std::is_sorted(told.begin(), told.end()));
    CHECK(told.back() == 2);
}

TEST_CASE("the first job of the list that settles a race wins it, whoever is quicker", "[workers]")
{
    const unsigned workers = GENERATE(1U, 2U, 8U);
    // Job 1 settles late, job 2 early, job 3 would never end.
    const std::vector<Job> jobs{
        [] { return nlohmann::json(false); },
        [] {
            usleep(200'000);
            return nlohmann::json(true);
        },
        [] { return nlohmann::json(true); },
        [] {
            pause();
            return nlohmann::json(true);
        },
    };
    WorkerOptions options;
    options.workers = workers;
    options.settles = [](std::size_t, const nlohmann::json& result) { return result.get<bool>(); };
    CHECK(run_jobs(jobs, options) == std::vector<nlohmann::json>{false, true, nullptr, nullptr});
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
