#include "sim/sweep/sweep_database.hpp"
#include "sim/sweep/sweep_table.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <random>
#include <sqlite3.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nocturne::sweep_database_test {

using namespace nocturne::test;
using Catch::Contains;
using Retry = SweepDatabase::Retry;
using Points = std::vector<std::uint64_t>;

namespace {

const SweepIdentity identity{"1.0", "a plan"};

const std::vector<CommandOption> options{{"topology"}, {"load"}, {"workers"}};

SweepPlan plan_of(const std::string& columns = "")
{
    return resolved(
        parse_sweep_plan(columns + "command = traffic\n[sweep]\ntopology = 00 ring:4\nload = {1:3}\n",
                         "a.ini"),
        options);
}

StoredPoint point_with(std::uint64_t point, const std::string& document, int status = 0,
                       const std::string& error = "")
{
    return {point, "nocturne traffic", {status, error, document, "{}"}};
}

/// What SQL finds, each value behind the other; read beside whatever writes the file.
std::string found(const std::string& file, const std::string& sql)
{
    sqlite3* connection = nullptr;
    REQUIRE(sqlite3_open_v2(file.c_str(), &connection, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK);
    std::string text;
    const auto append = [](void* to, int count, char** values, char**) {
        for (int i = 0; i < count; ++i)
            *static_cast<std::string*>(to) += std::string(values[i] == nullptr ? "NULL" : values[i]) + '|';
        return 0;
    };
    CHECK(sqlite3_exec(connection, sql.c_str(), append, &text, nullptr) == SQLITE_OK);
    sqlite3_close(connection);
    return text;
}

/// What a call throws in a process of its own, whose locks are its own too; `none` if it throws nothing.
template <class Call>
std::string error_elsewhere(const Call& call)
{
    const TemporaryFolder folder;
    const std::string file = folder.file("error", "none");
    if (const pid_t child = fork(); child != 0) {
        waitpid(child, nullptr, 0);
    } else {
        try {
            call();
        } catch (const std::exception& error) {
            [[maybe_unused]] const std::string written = folder.file("error", error.what());
        }
        _exit(0);
    }
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace

TEST_CASE("a database gives back what it was given, in the order of the points", "[sweep][database]")
{
    const TemporaryFolder folder;
    {
        SweepDatabase database(folder / "a.db", identity);
        CHECK(database.done(Retry::died).empty());
        database.add(point_with(2, R"({"a":1.5})"), 0.25, 1);
        database.add(point_with(0, "", 1, "it's wrong"), 0.5, 0);
        database.commit();
    }
    SweepDatabase database(folder / "a.db", identity);
    database.add(point_with(1, "{}"), 0, 0);
    std::vector<StoredPoint> points;
    database.visit([&](const StoredPoint& point) { points.push_back(point); });
    REQUIRE(points.size() == 3);
    CHECK(points[0].point == 0);
    CHECK(points[0].result.status == 1);
    CHECK(points[0].result.error == "it's wrong");
    CHECK(points[0].command == "nocturne traffic");
    CHECK(points[2].result.document == R"({"a":1.5})");
    database.commit();
    CHECK(found(folder / "a.db", "SELECT point, seconds, rank FROM clock ORDER BY point") ==
          "0|0.5|0|1|0.0|0|2|0.25|1|");
    CHECK(folder.names() == std::vector<std::string>{"a.db"});
}

TEST_CASE("points whose process died are run again, and those that failed if that is asked for",
          "[sweep][database]")
{
    const TemporaryFolder folder;
    SweepDatabase database(folder / "a.db", identity);
    database.add(point_with(0, "{}"), 0, 0);
    database.add(point_with(1, "", 2, "bad use"), 0, 0);
    database.add(point_with(2, "", point_died, "killed"), 0, 0);
    database.add(point_with(3, "", 130, "interrupted"), 0, 0);
    database.add(point_with(4, "", 0, "printed no JSON object"), 0, 0);
    CHECK(database.done(Retry::died) == Points{0, 1, 4});
    CHECK(database.done(Retry::all_failed) == Points{0});
    database.add(point_with(2, "{}"), 0, 0);
    CHECK(database.done(Retry::died) == Points{0, 1, 2, 4});
}

TEST_CASE("what was committed outlives a process that is killed", "[sweep][database]")
{
    const TemporaryFolder folder;
    if (const pid_t child = fork(); child != 0) {
        waitpid(child, nullptr, 0);
    } else {
        SweepDatabase database(folder / "a.db", identity);
        database.add(point_with(0, "{}"), 0, 0);
        database.commit();
        database.add(point_with(1, "{}"), 0, 0);
        std::raise(SIGKILL);
    }
    CHECK(SweepDatabase(folder / "a.db", identity).done(Retry::died) == Points{0});
}

TEST_CASE("a full disk is an error, and what was committed stays", "[sweep][database]")
{
    const TemporaryFolder folder;
    const std::string error = error_elsewhere([&] {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{100'000, 100'000};
        setrlimit(RLIMIT_FSIZE, &limit);
        SweepDatabase database(folder / "a.db", identity);
        for (std::uint64_t point = 0;; ++point) {
            database.add(point_with(point, std::string(3000, 'x')), 0, 0);
            database.commit();
        }
    });
    CHECK_THAT(error, Contains("a.db: cannot write: "));
    CHECK(error.find('\n') == std::string::npos);
    SweepDatabase database(folder / "a.db", identity);
    const Points kept = database.done(Retry::died);
    CHECK(kept.size() >= 5);
    CHECK(kept.back() + 1 == kept.size());
}

TEST_CASE("one sweep at a time writes a database, and others read it", "[sweep][database]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.db";
    {
        SweepDatabase database(file, identity);
        database.add(point_with(0, "{}"), 0, 0);
        database.commit();
        CHECK_THAT(error_elsewhere([&] { SweepDatabase(file, identity); }),
                   Contains("a.db: another sweep holds it"));
        CHECK(found(file, "SELECT count(*) FROM documents") == "1|");
        database.add(point_with(1, "{}"), 0, 0);
        CHECK(database.done(Retry::died) == Points{0, 1});
    }
    CHECK(error_elsewhere([&] { SweepDatabase(file, identity); }) == "none");
}

TEST_CASE("a file of anything else is refused and left alone", "[sweep][database]")
{
    const TemporaryFolder folder;
    const std::string text(5000, 't');
    const std::string no_database = folder.file("text.db", text);
    CHECK_THROWS_WITH(SweepDatabase(no_database, identity), Contains("text.db: no database of a sweep"));
    std::ifstream stream(no_database);
    CHECK(std::string(std::istreambuf_iterator<char>(stream), {}) == text);

    sqlite3* other = nullptr;
    REQUIRE(sqlite3_open((folder / "other.db").c_str(), &other) == SQLITE_OK);
    sqlite3_exec(other, "CREATE TABLE friends (name)", nullptr, nullptr, nullptr);
    sqlite3_close(other);
    CHECK_THROWS_WITH(SweepDatabase(folder / "other.db", identity),
                      Contains("other.db: no database of a sweep"));

    SweepDatabase(folder / "a.db", identity);
    CHECK_THROWS_WITH(SweepDatabase(folder / "a.db", {"1.0", "another plan"}),
                      Contains("a.db: holds another sweep"));
    CHECK_THROWS_WITH(SweepDatabase(folder / "a.db", {"2.0", "a plan"}),
                      Contains("a.db: its points were run by nocturne 1.0, this is 2.0"));
    CHECK_THROWS_WITH(SweepDatabase("/dev/null", identity),
                      Contains("/dev/null: cannot write: not a regular file"));
    CHECK_THROWS_WITH(SweepDatabase(folder / "no/a.db", identity), Contains("cannot write: No such file"));
    CHECK_THROWS_WITH(SweepDatabase(folder / "", identity), Contains("cannot write: Is a directory"));
}

/// A kind of result for these tests: an object in it, and rows, a member of which an option has as well.
const ResultDescription& sample_part()
{
    static const ResultDescription part{
        "part", "Of a sample.", {{"load", "", "Of a row.", FieldKind::number}, {"c", "", "A text."}}};
    return part;
}

const ResultDescription* find_sample(std::string_view name)
{
    static const ResultDescription sample{
        "sample",
        "For tests.",
        {{"steps", "", "Of it.", FieldKind::number},
         {"seconds", "s", "On the clock.", FieldKind::number},
         {"rows", "", "Its rows.", FieldKind::rows, Shown::as_rows, sample_part},
         {"others", "", "No rows of a table.", FieldKind::rows, Shown::everywhere, sample_part},
         {"a", "", "An object.", FieldKind::object, Shown::everywhere, sample_part},
         {"ok", "", "A flag.", FieldKind::flag}}};
    return name == sample.name ? &sample : nullptr;
}

TEST_CASE("the table has a column for each option and field, and a row for each row of a result",
          "[sweep][table]")
{
    std::vector<StoredPoint> points{
        point_with(0,
                   R"({"result":"sample","steps":4,"ok":true,"rows":[{"load":1},{"load":-2.5,"c":"x,y"}]})"),
        point_with(1, "", 2, "a, \"b\""), point_with(2, R"({"result":"unknown","steps":4})"),
        point_with(3, R"({"result":"sample","steps":5,"a":{"c":"z"},"rows":[]})")};
    std::mt19937 random(GENERATE(1u, 2u, 3u, 4u));
    std::shuffle(points.begin(), points.end(), random);
    const TemporaryFolder folder;
    SweepDatabase database(folder / "a.db", identity);
    for (const StoredPoint& point : points)
        database.add(point, 1.5, 0);
    const SweepPlan plan = plan_of();
    const Table header = sweep_header(plan, database, find_sample);
    CHECK(results_csv(plan, "1.0", header, find_sample, database) ==
          "point,topology,load,status,error,steps,a_load,a_c,ok,result_load,c,version,command\n"
          "0,00,1,0,,4,,,true,1,,1.0,nocturne traffic\n"
          "0,00,1,0,,4,,,true,-2.5,\"x,y\",1.0,nocturne traffic\n"
          "1,00,2,2,\"a, \"\"b\"\"\",,,,,,,1.0,nocturne traffic\n"
          "2,00,3,0,,,,,,,,1.0,nocturne traffic\n"
          "3,ring:4,1,0,,5,,z,,,,1.0,nocturne traffic\n");
    for (int again = 0; again < 2; ++again) // once more is no more
        write_results_table(plan, "1.0", header, find_sample, database);
    CHECK(found(folder / "a.db", "SELECT point, load, steps, ok, result_load FROM results") ==
          "0|1|4|1|1|0|1|4|1|-2.5|1|2|NULL|NULL|NULL|2|3|NULL|NULL|NULL|3|1|5|NULL|NULL|");
}

TEST_CASE("a sweep that names columns has these", "[sweep][table]")
{
    const TemporaryFolder folder;
    SweepDatabase database(folder / "a.db", identity);
    database.add(point_with(0, R"({"result":"sample","steps":4,"rows":[{"load":7,"c":"x"}]})"), 0, 0);
    const SweepPlan plan = plan_of("columns = l*d c\n");
    const Table header = sweep_header(plan, database, find_sample);
    CHECK(results_csv(plan, "1.0", header, find_sample, database) ==
          "point,topology,load,status,error,result_load,c,version,command\n"
          "0,00,1,0,,7,x,1.0,nocturne traffic\n");
}

} // namespace nocturne::sweep_database_test
