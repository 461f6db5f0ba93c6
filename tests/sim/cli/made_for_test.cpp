// What a schedule of chunks was made for stands in its file, and commands that take it go by that or say
// what differs.
#include "schedules/schedule/schedule_files.hpp"
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

namespace nocturne::made_for_test {

using namespace nocturne::test;
using Catch::Contains;
using nlohmann::json;

namespace {

/// A ring whose links are as wide as the schedule says, but for two.
std::string mixed_widths(const TemporaryFolder& folder)
{
    return folder.file("mixed.json", R"({"format": "nocturne-topology", "version": 1, "name": "mixed",
        "default_ports": "all", "routers": [{"name": "0"}, {"name": "1"}, {"name": "2"}],
        "processors": [{"name": "0", "injection": 0, "ejection": 0},
                       {"name": "1", "injection": 1, "ejection": 1},
                       {"name": "2", "injection": 2, "ejection": 2}],
        "channels": [{"source": 0, "target": 1, "width_bytes": 16},
                     {"source": 1, "target": 0, "width_bytes": 16},
                     {"source": 1, "target": 2}, {"source": 2, "target": 1},
                     {"source": 2, "target": 0}, {"source": 0, "target": 2}]})");
}

json result_of(const Arguments& arguments, int status = 0)
{
    const Outcome outcome = run_nocturne(with(arguments, {"--json"}));
    INFO(outcome.err);
    REQUIRE(outcome.status == status);
    return json::parse(outcome.out);
}

/// All remarks in one text.
std::string remarks_of(const json& result)
{
    std::string all;
    for (const json& remark : result["made_by"].value("remarks", json::array()))
        all += remark.get<std::string>() + '\n';
    return all;
}

/// A schedule for this in a file of the folder, and what the command printed.
json make_schedule(const std::string& network, const Arguments& options, const std::string& file)
{
    return result_of(with({"schedule", network, "--budget", "2", "--workers", "1", "-o", file}, options));
}

struct Setting {
    const char* name;
    Arguments options;
    double start_cycles = 0;
    double cycle_ns = 2;
    bool holds_link = false;
};

const std::vector<Setting> settings{{"what nobody says", {}},
                                    {"start-up", {"--start-cycles", "500"}, 500},
                                    {"half a cycle", {"--start-cycles", "2.5"}, 2.5},
                                    {"clock", {"--start-cycles", "30", "--cycle-ns", "0.5"}, 30, 0.5},
                                    {"width", {"--link-bytes", "8"}},
                                    {"latency", {"--latency-holds-link", "--start-cycles", "7"}, 7, 2, true}};

} // namespace

TEST_CASE("a schedule of chunks is judged and run in the setting for which it was made", "[cli][chunks]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "s.json";
    const std::string network = GENERATE(as<std::string>(), "ring:4", "fattree:2,2", "mixed");
    for (const Setting& setting : settings) {
        INFO(network << ", " << setting.name);
        const json made = make_schedule(
            network == "mixed" ? mixed_widths(folder) : network,
            with({"--collective", "allgather", "--objective", "time", "--bytes", "3KiB"}, setting.options),
            file);
        CHECK(made["start_cycles"] == setting.start_cycles);
        CHECK(made["latency_holds_link"] == setting.holds_link);
        CHECK(made["cycle_ns"] == setting.cycle_ns);
        const Schedule schedule = load_schedule(file).schedule;
        CHECK(schedule.made_for == MadeFor{3072, setting.start_cycles, setting.holds_link, setting.cycle_ns});
        CHECK_THAT(schedule.source, Catch::StartsWith("engine " + made["engine"].get<std::string>()));

        const json judged = result_of({"validate", file});
        for (const char* const field :
             {"bytes", "start_cycles", "latency_holds_link", "cycle_ns", "time_cycles", "time_ns"})
            CHECK(judged[field] == made[field]);
        CHECK(remarks_of(judged).empty());
        CHECK(judged["time_ns"] == made["time_cycles"].get<double>() * setting.cycle_ns);

        const json replayed = result_of({"replay", file});
        const json& run = replayed["replays"][0];
        CHECK(run["cycle_ns"] == setting.cycle_ns);
        CHECK(run["t0_ns"] == setting.start_cycles * setting.cycle_ns);
        CHECK(run["memory_ok"] == true);
        const bool differs = setting.holds_link || std::floor(setting.start_cycles) != setting.start_cycles;
        if (differs)
            CHECK_THAT(remarks_of(replayed), Contains(file + ": it was made for"));
        else
            CHECK(remarks_of(replayed).empty());

        const json compared = result_of({"compare", file, "--bytes", "1KiB,3KiB", "--traffic", "in-order"});
        std::size_t schedules = 0;
        for (const json& each : compared["runs"]) {
            CHECK(each["t0_ns"] == run["t0_ns"]);
            if (each["traffic"] == "schedule" && each["message_bytes"] == run["message_bytes"]) {
                ++schedules;
                CHECK(each["time_ns"] == run["time_ns"]);
            }
        }
        CHECK(schedules == 1);
    }
}

TEST_CASE("no width of flits makes a run quicker than what is proven of the network", "[cli][chunks]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "s.json";
    const std::string network = GENERATE(as<std::string>(), "ring:4", "mixed");
    const json made = make_schedule(network == "mixed" ? mixed_widths(folder) : network,
                                    {"--collective", "alltoall", "--objective", "time", "--bytes", "12KiB",
                                     "--link-bytes", GENERATE(as<std::string>(), "4", "6")},
                                    file);
    double least = 0;
    for (const json& bound : made["bounds"])
        if (bound["time_cycles"].is_number())
            least = std::max(least, bound["time_cycles"].get<double>());
    REQUIRE(least > 0);
    for (const char* const flit : {"1", "2", "4", "6", "8", "12", "16", "64"})
        for (const char* const model : {"flit", "worm"}) {
            INFO(network << ", flits of " << flit << " bytes, " << model);
            const json result = result_of({"replay", file, "--flit-bytes", flit, "--model", model});
            CHECK(result["replays"][0]["time_ns"].get<double>() >= least * 2 * (1 - 1e-9));
        }
}

TEST_CASE("files name the engine as the command does", "[cli][chunks]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "s.json";
    for (const char* const objective : {"steps", "bandwidth", "time"})
        for (const char* const collective : {"allgather", "alltoall", "allreduce", "scan", "broadcast"})
            for (const char* const network : {"ring:4", "fattree:2,2"}) {
                INFO(network << " " << collective << " " << objective);
                const json made =
                    make_schedule(network, {"--collective", collective, "--objective", objective}, file);
                const Schedule schedule = load_schedule(file).schedule;
                const std::string engine = "engine " + made["engine"].get<std::string>();
                CHECK_THAT(schedule.source, Catch::Equals(engine) || Catch::StartsWith(engine + ","));
                CHECK_THAT(schedule.name, Contains(" on " + schedule.topology) &&
                                              Contains(std::string(", for ") + objective));
            }
}

TEST_CASE("a recovery runs the size that its schedule was made for", "[cli][made for]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json";
    make_schedule("ring:4", {"--collective", "allgather", "--bytes", "64KiB", "--chunks", "1"}, file);
    const Arguments recover{"recover", file, "--fault", "link:0-1", "--at-step", "1"};
    CHECK(result_of(recover)["message_bytes"] == 65536);
    CHECK(result_of(with(recover, {"--bytes", "4KiB"}))["message_bytes"] == 4096);
    CHECK_THAT(run_nocturne({"compare", file, "--vcs", "4"}).err,
               Contains("it was made for 65536 bytes, and is compared at sizes of 64:65536"));
}

TEST_CASE("a program for a network with failed parts is judged on that network", "[cli][made for]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json", program = folder / "a.xml";
    make_schedule(
        "dgx1",
        {"--collective", "allreduce", "--bytes", "1MiB", "--fault", "link:gpu0-gpu3", "--for", "msccl-xml"},
        file);
    REQUIRE(run_nocturne({"export", file, "--msccl-xml", program}).status == 0);
    for (const char* const network : {"dgx1", "dgx1 without link:gpu0-gpu3"}) {
        const json judged = result_of({"validate", program, "--topology", network});
        CHECK(judged["valid"] == true);
        CHECK(judged["topology"] == "dgx1 without link:gpu0-gpu3");
    }
    CHECK_THAT(run_nocturne({"validate", program, "--topology", "dgx1"}).err,
               Contains("judged on dgx1 without link:gpu0-gpu3, which it was made for") &&
                   Contains("does not say for which width of links it was made: --link-bytes 50"));
}

} // namespace nocturne::made_for_test
