// What jobs in processes of their own and members of a team have in common: how they fail and end.
#include "schedules/workers/process.hpp"
#include "schedules/workers/team.hpp"
#include "schedules/workers/workers.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/workers/processes.hpp"

#include <array>
#include <csignal>
#include <functional>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace nocturne::crowds_test {

using namespace nocturne::test;
using Catch::Matchers::Message;

namespace {

using Acts = std::vector<std::function<void()>>;

void run_as_jobs(const Acts& acts, unsigned workers)
{
    std::vector<Job> jobs;
    for (const auto& act : acts)
        jobs.emplace_back([&act] {
            act();
            return nlohmann::json(1);
        });
    run_jobs(jobs, {workers});
}

void run_as_team(const Acts& acts, unsigned workers)
{
    Team team(acts.size(), workers, [&](std::size_t member) -> Team::Member {
        return [&act = acts[member]](std::span<const std::uint8_t>) {
            act();
            return Bytes{};
        };
    });
    team.round(std::vector<Bytes>(acts.size()));
}

/// Who acts, each in a process: jobs, or the members of a team.
struct Crowd {
    std::string one;
    void (*run)(const Acts& acts, unsigned workers);
};

Crowd any_crowd()
{
    return GENERATE(values<Crowd>({{"job", run_as_jobs}, {"member", run_as_team}}));
}

void nothing() {}

} // namespace

TEST_CASE("an exception reaches the caller with its text and kind", "[workers]")
{
    const Crowd crowd = any_crowd();
    const unsigned workers = crowd.one == "job" ? 3 : GENERATE(1U, 2U, 3U);
    const auto run = [&](auto exception) {
        crowd.run({nothing, [=] { throw exception; }, workers == 3 ? sleep_for_ever : nothing}, workers);
    };
    CHECK_THROWS_MATCHES(run(std::invalid_argument("mesh 4x4: no router 99")), std::invalid_argument,
                         Message("mesh 4x4: no router 99"));
    CHECK_THROWS_MATCHES(run(std::runtime_error("a.json: cannot be read")), std::runtime_error,
                         Message("a.json: cannot be read"));
    CHECK_THROWS_MATCHES(run(std::out_of_range("at")), std::runtime_error, Message("at"));
    CHECK_THROWS_MATCHES(run(7), std::runtime_error, Message("unknown exception"));
    if (crowd.one == "job")
        CHECK_THROWS_AS(run(std::bad_alloc()), std::bad_alloc);
    CHECK_FALSE(has_children());
}

TEST_CASE("a process that dies names whose it was and what killed it", "[workers]")
{
    const Crowd crowd = any_crowd();
    const unsigned workers = crowd.one == "job" ? 4 : GENERATE(2U, 3U, 4U);
    const auto says = [&](const std::function<void()>& end, const std::string& why) {
        const Acts acts{nothing, nothing, end, workers == 4 ? sleep_for_ever : nothing};
        CHECK_THROWS_MATCHES(crowd.run(acts, workers), std::runtime_error,
                             Message(crowd.one + " 2: worker process " + why));
    };
    says([] { die_of(SIGSEGV); }, "was killed by signal 11 (Segmentation fault)");
    says([] { die_of(SIGKILL); }, "was killed by signal 9 (Killed)");
    says([] { die_of(SIGABRT); }, "was killed by signal 6 (Aborted)");
    says([] { _exit(3); }, "ended without a result, exit status 3");
    says([] { _exit(0); }, "ended without a result, exit status 0");
    if (crowd.one == "job")
        CHECK_THROWS_AS(crowd.run({[] { die_of(SIGKILL); }}, 1), WorkerDied);
    CHECK_FALSE(has_children());
}

TEST_CASE("of several failures that of the first in the list is reported", "[workers]")
{
    const Crowd crowd = any_crowd();
    const unsigned workers = GENERATE(1U, 2U, 8U);
    const SharedValues<std::uint64_t> failed(1);
    Acts acts(8, nothing);
    acts[5] = [&] {
        ++failed[0];
        throw std::runtime_error("fifth");
    };
    acts[2] = [&] {
        if (workers == 8) { // in another process than the fifth
            wait_for(failed[0], 1);
            usleep(20'000); // the later failure is known by now, most likely
        }
        throw std::runtime_error("second");
    };
    if (workers == 8)
        acts[7] = sleep_for_ever; // nobody waits for what cannot change the outcome
    CHECK_THROWS_MATCHES(crowd.run(acts, workers), std::runtime_error, Message("second"));
    CHECK_FALSE(has_children());
}

TEST_CASE("an interrupt ends all processes, and the signal is used up", "[workers]")
{
    const Crowd crowd = any_crowd();
    const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
    const SharedValues<std::uint64_t> asleep(1);
    Acts acts(4, [&] {
        ++asleep[0];
        sleep_for_ever();
    });
    acts[2] = [&] {
        wait_for(asleep[0], 3);
        kill(getppid(), signal);
        sleep_for_ever();
    };
    check_interrupted(signal, [&] { crowd.run(acts, 4); });
}

TEST_CASE("nobody takes notice of the Ctrl-C that the whole process group gets", "[workers]")
{
    CHECK_NOTHROW(any_crowd().run(Acts(2, [] { std::raise(SIGINT); }), 2));
}

TEST_CASE("processes die with their parent, even if nothing can be cleaned up", "[workers]")
{
    const Crowd crowd = any_crowd();
    // Every process holds the writing end: the pipe reports its end when the last of them is gone.
    std::array<int, 2> alive{};
    REQUIRE(pipe(alive.data()) == 0);
    const SharedValues<std::uint64_t> at_work(1);
    const pid_t parent = fork();
    if (parent == 0) {
        crowd.run(Acts(3,
                       [&] {
                           ++at_work[0];
                           sleep_for_ever();
                       }),
                  3);
        _exit(0);
    }
    close(alive[1]);
    wait_for(at_work[0], 3);
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    char nothing_more = 0;
    CHECK(read(alive[0], &nothing_more, 1) == 0);
    close(alive[0]);
}

} // namespace nocturne::crowds_test
