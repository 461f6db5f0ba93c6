// `nocturne sweep` from end to end: on this machine, under mpirun where it is installed, killed and taken up
// again.
#include "sim/sweep/sweep_database.hpp"
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sqlite3.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace nocturne::sweep_command_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

/// Points of some 0.1 s, one of which is refused.
constexpr const char* sweep_text = "command = traffic\n"
                                   "[options]\nwindow = 40000\nwarm-up = 100\nbatches = 4\n"
                                   "[sweep mesh]\ntopology = mesh:4x4\nload = 0.1 0.3\nseed = {1:5}\n"
                                   "[sweep others]\ntopology = ring:4 rong:4\n";
constexpr int points_of_text = 12;

struct SqlPoint {
    std::string command;
    int status;
    std::string document;
};

/// Points that the database of a sweep has, while the sweep writes it too; none before it is there.
std::vector<SqlPoint> points_in(const std::string& file)
{
    std::vector<SqlPoint> points;
    sqlite3* connection = nullptr;
    if (sqlite3_open_v2(file.c_str(), &connection, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK) {
        const auto append = [](void* to, int, char** values, char**) {
            static_cast<std::vector<SqlPoint>*>(to)->push_back(
                {values[0], std::atoi(values[1]), values[2] == nullptr ? "" : values[2]});
            return 0;
        };
        sqlite3_exec(connection, "SELECT command, status, document FROM documents ORDER BY point", append,
                     &points, nullptr);
    }
    sqlite3_close(connection);
    return points;
}

/// Waits until the sweep has some points; false if it was quicker than this look at it.
bool has_begun(const std::string& file)
{
    std::size_t count = 0;
    for (unsigned tries = 0; (count = points_in(file).size()) < 3; ++tries) {
        REQUIRE(tries < 6000);
        usleep(5000);
    }
    return count < points_of_text;
}

std::vector<pid_t> children_of(pid_t parent)
{
    const std::string path =
        "/proc/" + std::to_string(parent) + "/task/" + std::to_string(parent) + "/children";
    std::ifstream stream(path);
    std::vector<pid_t> children;
    for (pid_t child = 0; stream >> child;)
        children.push_back(child);
    return children;
}

bool has_mpi()
{
    if (HAS_MPI && run_shell("command -v mpirun").status == 0)
        return true;
    WARN("built without MPI, or there is no mpirun: nothing is tested");
    return false;
}

/// In containers the tests are root, and have fewer cores than ranks. What MPI does not free is not ours,
/// in a run by hand neither.
void allow_mpi()
{
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("OMPI_MCA_btl", "^tcp", 0); // version 5 complains of interfaces that one machine does not need
    setenv("ASAN_OPTIONS", "detect_leaks=0", 0);
}

/// A sweep in this folder, and what it writes there.
struct Sweep {
    const TemporaryFolder& folder;
    std::string name; ///< of database and table

    std::string database() const { return folder / (name + ".db"); }
    std::string csv() const { return content_of(folder / (name + ".csv")); }
    Arguments command(unsigned ranks = 0) const
    {
        Arguments words{NOCTURNE,
                        "sweep",
                        folder / "a.ini",
                        "-o",
                        database(),
                        "--csv",
                        folder / (name + ".csv"),
                        "--workers",
                        ranks == 0 ? "2" : "1"};
        if (ranks > 0) {
            allow_mpi();
            words.insert(words.begin(), {"mpirun", "--oversubscribe", "-n", std::to_string(ranks)});
        }
        return words;
    }
    Outcome run(unsigned ranks = 0) const { return NocturneProcess(command(ranks)).wait(); }

    /// Runs a command of this sweep and has `stop` end it in the middle: again if it had ended by then.
    template <class Stop>
    Outcome run_until(const Arguments& words, const Stop& stop) const
    {
        for (unsigned tries = 0; tries < 10; ++tries) {
            std::filesystem::remove(database());
            NocturneProcess process(words);
            if (has_begun(database()))
                stop(process.id());
            const Outcome outcome = process.wait();
            if (points_in(database()).size() < points_of_text)
                return outcome;
        }
        FAIL("every time the sweep was quicker");
        return {};
    }
};

} // namespace

TEST_CASE("a search finds the same schedule on any number of ranks", "[sweep][cli][portfolio]")
{
    if (!has_mpi())
        return;
    allow_mpi();
    const TemporaryFolder folder;
    const auto search = [&](Arguments launcher, const std::string& file) {
        const Arguments words{NOCTURNE,   "schedule", "mesh:3x3", "--collective", "AAS",
                              "--budget", "30",       "-o",       folder / file};
        launcher.insert(launcher.end(), words.begin(), words.end());
        return NocturneProcess(launcher).wait();
    };
    CHECK(search({}, "alone.json").status == 0);
    const auto steps_in = [&](const std::string& file) {
        return nlohmann::json::parse(content_of(folder / file)).at("steps");
    };
    for (const char* ranks : {"1", "3"}) {
        INFO(ranks);
        const Outcome outcome = search({"mpirun", "--oversubscribe", "-n", ranks}, "ranks.json");
        CHECK(outcome.err.empty());
        CHECK(outcome.status == 0);
        CHECK(steps_in("ranks.json") == steps_in("alone.json"));
    }
}

TEST_CASE("an engine evolves the same on any number of ranks, in one run or several",
          "[sweep][cli][evolution]")
{
    if (!has_mpi())
        return;
    allow_mpi();
    const TemporaryFolder folder;
    const Arguments extent = GENERATE(Arguments{"--islands", "3"}, Arguments{"--runs", "3"});
    const std::string history = folder / "history.csv"; // the command is in it, with the name
    const auto evolve = [&](Arguments launcher) {
        const Arguments words{NOCTURNE, "evolve",    "mesh:3x3", "--collective", "AAS", "--engine",
                              "umda",   "--steps",   "8",        "--seed",       "2",   "--evaluations",
                              "20000",  "--history", history};
        launcher.insert(launcher.end(), words.begin(), words.end());
        launcher.insert(launcher.end(), extent.begin(), extent.end());
        return NocturneProcess(launcher).wait();
    };
    const Outcome alone = evolve({});
    const std::string generations = content_of(history);
    CHECK(generations.size() > 200);
    std::filesystem::remove(history);
    const Outcome ranks = evolve({"mpirun", "--oversubscribe", "-n", "2"});
    CHECK(ranks.status == alone.status);
    CHECK(content_of(history) == generations);
}

TEST_CASE("the results of a sweep are the same to the byte with any number of ranks and without MPI",
          "[sweep][cli]")
{
    const TemporaryFolder folder;
    folder.file("a.ini", sweep_text);
    const Sweep alone{folder, "alone"};
    const Outcome outcome = alone.run();
    CHECK(outcome.status == 1); // one point fails
    CHECK(outcome.err.empty());
    CHECK_THAT(outcome.out, Contains("12 points, 1 of them failed; results in "));
    CHECK_THAT(outcome.out, Contains("point 11: nocturne traffic --topology rong:4 "));
    CHECK_THAT(alone.csv(), Contains("\n11,rong:4,,,2,\"rong:4: unknown network 'rong'"));
    if (!has_mpi())
        return;
    for (const unsigned ranks : {1u, 2u, 4u}) {
        INFO(ranks << " ranks");
        const Sweep under_mpi{folder, std::to_string(ranks)};
        CHECK_THAT(under_mpi.run(ranks).out, Contains("12 points, 1 of them failed; results in "));
        CHECK(under_mpi.csv() == alone.csv());
        const auto ours = points_in(under_mpi.database());
        const auto theirs = points_in(alone.database());
        CHECK(std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                         [](const SqlPoint& a, const SqlPoint& b) { return a.document == b.document; }));
    }
}

TEST_CASE("a point of a sweep is no rank of its own: it searches alone", "[sweep][cli]")
{
    if (!has_mpi())
        return;
    const TemporaryFolder folder;
    folder.file("a.ini", "command = schedule\n[options]\ncollective = AAB\nbudget = 30\n"
                         "[sweep]\ntopology = ring:4 ring:5 ring:6 rong:4\n");
    const Sweep alone{folder, "alone"};
    CHECK(alone.run().status == 1);
    const Sweep under_mpi{folder, "ranks"};
    CHECK(under_mpi.run(2).status == 1);
    CHECK_THAT(under_mpi.csv(), Contains("unknown network 'rong'"));
    CHECK(under_mpi.csv() == alone.csv());
}

TEST_CASE("a sweep that is killed goes on, and ends as if nothing had been", "[sweep][cli]")
{
    const TemporaryFolder folder;
    folder.file("a.ini", sweep_text);
    const Sweep whole{folder, "whole"};
    whole.run();
    const Sweep killed{folder, "killed"};
    const int signal = GENERATE(SIGKILL, SIGINT);
    const Outcome outcome = killed.run_until(killed.command(), [&](pid_t process) { kill(process, signal); });
    CHECK(outcome.status == 128 + signal);
    CHECK(outcome.err.empty() == (signal == SIGKILL));
    CHECK(points_in(killed.database()).size() >= 3);
    CHECK(killed.run().status == 1);
    CHECK(killed.csv() == whole.csv());
    CHECK(points_in(killed.database()).size() == points_of_text);
}

TEST_CASE("a rank that is killed costs its unfinished points only", "[sweep][cli]")
{
    if (!has_mpi())
        return;
    const TemporaryFolder folder;
    folder.file("a.ini", sweep_text);
    const Sweep whole{folder, "whole"};
    whole.run();
    const Sweep killed{folder, "killed"};
    const std::size_t victim = GENERATE(0u, 1u);
    std::size_t before = 0;
    const Outcome outcome = killed.run_until(killed.command(2), [&](pid_t mpirun) {
        const std::vector<pid_t> ranks = children_of(mpirun);
        REQUIRE(ranks.size() == 2);
        before = points_in(killed.database()).size();
        kill(ranks[victim], SIGKILL);
    });
    CHECK(outcome.status != 0);
    CHECK(points_in(killed.database()).size() >= before);
    CHECK_THAT(killed.run(2).out, Contains("12 points, 1 of them failed"));
    CHECK(killed.csv() == whole.csv());
}

TEST_CASE("where MPI lets the others live, they run the points of a rank that is killed", "[sweep][cli]")
{
    if (!has_mpi())
        return;
    const TemporaryFolder folder;
    folder.file("a.ini", sweep_text);
    const Sweep whole{folder, "whole"};
    whole.run();
    const Sweep survived{folder, "survived"};
    const Arguments words = survived.command(2);
    Arguments command{words.front(), "--enable-recovery"};
    command.insert(command.end(), words.begin() + 1, words.end());
    command.insert(command.end(), {"--rank-timeout", "2"});
    NocturneProcess process(command);
    has_begun(survived.database());
    if (const std::vector<pid_t> ranks = children_of(process.id()); ranks.size() == 2)
        kill(ranks[1], SIGKILL);
    CHECK_THAT(process.wait().out, Contains("12 points, 1 of them failed"));
    CHECK(survived.csv() == whole.csv());
}

TEST_CASE("every point of a sweep can be run alone by the command of its row", "[sweep][cli]")
{
    const TemporaryFolder folder;
    folder.file("a.json", R"({"command": "schedule", "options": {"collective": "AAS", "budget": 20},
        "sweep": {"topology": ["ring:4", "rong:4"], "fault": [null, "link:0-1"], "seed": [1, 2]}})");
    const Outcome outcome = run_nocturne({"sweep", folder / "a.json", "-o", folder / "a.db"});
    CHECK(outcome.status == 1); // the network without a ring fails
    const std::vector<SqlPoint> points = points_in(folder / "a.db");
    REQUIRE(points.size() == 8);
    for (const SqlPoint& point : points) {
        INFO(point.command);
        REQUIRE(point.command.starts_with("nocturne "));
        const Outcome alone = run_shell("$" + point.command);
        CHECK(alone.status == point.status);
        if (point.status != 0)
            continue;
        nlohmann::json document = nlohmann::json::parse(alone.out);
        CHECK(document.erase("seconds") == 1); // what a clock says is kept elsewhere
        CHECK(document.erase("made_by") == 1);
        CHECK(nlohmann::json::parse(point.document) == document);
    }
}

TEST_CASE("a database has one sweep, and one process that writes it", "[sweep][cli]")
{
    const TemporaryFolder folder;
    folder.file("a.ini", sweep_text);
    const Sweep sweep{folder, "a"};
    {
        const SweepDatabase held(sweep.database(), {"any", "plan"});
        check_refused({"sweep", folder / "a.ini", "-o", sweep.database()}, {"a.db: another sweep holds it"});
    }
    std::filesystem::remove(sweep.database());
    CHECK(sweep.run().status == 1);
    const std::string other = folder.file("b.ini", "command = bound\n[sweep]\ntopology = ring:4\n");
    check_refused({"sweep", other, "-o", sweep.database()}, {"a.db: holds another sweep"});
    CHECK(points_in(sweep.database()).size() == points_of_text);
}

TEST_CASE("a sweep whose disk is full keeps what was done", "[sweep][cli]")
{
    const TemporaryFolder folder;
    folder.file("a.ini", sweep_text);
    const std::string command = "$nocturne sweep '" + (folder / "a.ini") + "' -o '" + (folder / "a.db") + "'";
    // Files of 24 KiB at most.
    const Outcome full = run_shell("trap '' XFSZ; ulimit -f 48; " + command);
    CHECK(full.status == 2);
    CHECK(std::count(full.err.begin(), full.err.end(), '\n') == 1);
    CHECK_THAT(full.err, Contains("a.db: cannot write: "));
    CHECK_THAT(full.err, Contains("finished points are kept, repeat the call to continue"));
    const std::vector<SqlPoint> kept = points_in(folder / "a.db");
    CHECK(kept.size() < points_of_text);
    CHECK(run_shell(command).status == 1);
    CHECK(points_in(folder / "a.db").size() == points_of_text);
    const Outcome no_csv = run_shell(command + " --csv /dev/full");
    CHECK(no_csv.status == 2);
    CHECK_THAT(no_csv.err, Contains("/dev/full: cannot write: No space left on device"));
}

} // namespace nocturne::sweep_command_test
