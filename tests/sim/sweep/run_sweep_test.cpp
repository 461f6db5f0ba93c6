#include "sim/sweep/run_sweep.hpp"
#include "sim/sweep/sweep_table.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

namespace nocturne::run_sweep_test {

using namespace nocturne::test;

namespace {

const std::vector<CommandOption> options{{"number"}, {"workers"}};
const SweepIdentity identity{"1.0", "a plan"};

SweepPlan plan_of(unsigned points)
{
    return resolved(
        parse_sweep_plan("command = square\n[sweep]\nnumber = {1:" + std::to_string(points) + "}\n", "a.ini"),
        options);
}

/// A command that squares numbers; 3 it refuses, and at 5 its process dies, unless the file `cured` exists.
int square(const std::vector<std::string>& arguments, const std::string& cured)
{
    const int number = std::stoi(arguments.at(2));
    struct stat status{};
    if (number == 5 && stat(cured.c_str(), &status) != 0) {
        std::signal(SIGKILL, SIG_DFL);
        std::raise(SIGKILL);
    }
    if (number == 3) {
        std::fputs("a note\nnocturne: 3 is bad\n", stderr);
        return 2;
    }
    usleep(static_cast<useconds_t>(number % 3) * 1000); // so that they do not end in order
    std::printf(
        R"({"result": "square", "square": %d, "seconds": %d.5, "runs": [{"mean_time_s": 2, "time_ns": 7}],)"
        R"( "made_by": {}})",
        number * number, number);
    return 0;
}

SweepSettings settings()
{
    SweepSettings settings;
    settings.command_text = [](const std::vector<std::string>& arguments) { return "do " + arguments.at(2); };
    return settings;
}

const ResultDescription* find_square(std::string_view)
{
    static const ResultDescription square{
        "square", "For tests.", {{"square", "", "Of the number.", FieldKind::number}}};
    return &square;
}

/// Runs what is missing and returns the table.
std::string csv_after_run(const SweepPlan& plan, SweepDatabase& database, const TemporaryFolder& folder,
                          unsigned workers)
{
    JobPool pool(workers,
                 point_work([&](const auto& arguments) { return square(arguments, folder / "cured"); }));
    run_sweep(plan, database, transport_of(pool), settings());
    return results_csv(plan, "1.0", sweep_header(plan, database, find_square), find_square, database);
}

} // namespace

TEST_CASE("a sweep's table is the same whatever the number of workers, failures and all", "[sweep][run]")
{
    const unsigned workers = GENERATE(1u, 2u, 4u);
    const TemporaryFolder folder;
    SweepDatabase database(folder / "a.db", identity);
    CHECK(csv_after_run(plan_of(6), database, folder, workers) ==
          "point,number,status,error,square,version,command\n"
          "0,1,0,,1,1.0,do 1\n"
          "1,2,0,,4,1.0,do 2\n"
          "2,3,2,3 is bad,,1.0,do 3\n"
          "3,4,0,,16,1.0,do 4\n"
          "4,5,3,worker process was killed by signal 9 (Killed),,1.0,do 5\n"
          "5,6,0,,36,1.0,do 6\n");
}

TEST_CASE("a sweep that is taken up again ends as one that was never stopped", "[sweep][run]")
{
    const TemporaryFolder folder;
    [[maybe_unused]] const std::string cured = folder.file("cured", "");
    const SweepPlan plan = plan_of(9);
    SweepDatabase whole(folder / "whole.db", identity);
    const std::string expected = csv_after_run(plan, whole, folder, 2);

    const std::size_t stop = GENERATE(0u, 1u, 4u, 9u);
    SweepDatabase database(folder / "a.db", identity);
    {
        // A transport that fails after some results.
        JobPool pool(1,
                     point_work([&](const auto& arguments) { return square(arguments, folder / "cured"); }));
        const JobTransport through = transport_of(pool);
        std::size_t count = 0;
        const JobTransport failing{1, through.send, through.stop, [&](std::chrono::milliseconds patience) {
                                       if (count == stop)
                                           throw std::runtime_error("the cable");
                                       auto results = through.receive(patience);
                                       count += results.size();
                                       return results;
                                   }};
        if (stop < 9)
            CHECK_THROWS_WITH(run_sweep(plan, database, failing, settings()), "the cable");
        else
            run_sweep(plan, database, failing, settings());
    }
    CHECK(database.done(SweepDatabase::Retry::died).size() == stop);
    CHECK(csv_after_run(plan, database, folder, 2) == expected);
}

TEST_CASE("a point whose process died is run again by the next call, and only that", "[sweep][run]")
{
    const TemporaryFolder folder;
    SweepDatabase database(folder / "a.db", identity);
    const SweepPlan plan = plan_of(6);
    csv_after_run(plan, database, folder, 2);
    [[maybe_unused]] const std::string cured = folder.file("cured", "");
    std::size_t sent = 0;
    JobPool pool(1, point_work([&](const auto& arguments) { return square(arguments, folder / "cured"); }));
    JobTransport counting = transport_of(pool);
    counting.send = [&sent, send = counting.send](const JobMessage& job) {
        CHECK(job.id == 4);
        ++sent;
        send(job);
    };
    run_sweep(plan, database, counting, settings());
    CHECK(sent == 1);
    CHECK(database.done(SweepDatabase::Retry::died).size() == 6);
}

TEST_CASE("progress counts points and estimates what is left", "[sweep][run]")
{
    const TemporaryFolder folder;
    SweepDatabase database(folder / "a.db", identity);
    const SweepPlan plan = plan_of(4);
    // Four points of 10 s each at two places.
    std::vector<JobResult> under_way;
    const JobTransport transport{
        2,
        [&](const JobMessage& job) {
            under_way.push_back({job.id, JobEnd::done, 10, 0, bytes_of(PointResult{0, "", "{}", "{}"})});
        },
        [](std::uint64_t) {},
        [&](std::chrono::milliseconds) {
            const JobResult first = under_way.front();
            under_way.erase(under_way.begin());
            return std::vector<JobResult>{first};
        }};
    SweepSettings with_progress = settings();
    std::vector<double> left;
    with_progress.on_progress = [&](const SweepProgress& progress) {
        CHECK(progress.points == 4);
        CHECK(progress.done == left.size() + 1);
        left.push_back(progress.seconds_left.value());
    };
    CHECK(run_sweep(plan, database, transport, with_progress).done == 4);
    CHECK(left == std::vector<double>{15, 10, 5, 0});
}

TEST_CASE("what depends on the clock is known by its name", "[sweep][run]")
{
    for (const char* const name : {"seconds", "mean_seconds", "time_s", "worst_time_s"})
        CHECK(depends_on_clock(name));
    for (const char* const name : {"milliseconds", "time_ns", "times", "seconds_left", "runtime_s", ""})
        CHECK_FALSE(depends_on_clock(name));
}

} // namespace nocturne::run_sweep_test
