// What is remarked before a run, held to what `topology --routing` says of the same routing.
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <optional>

namespace nocturne::run_remarks_test {

using namespace nocturne::test;
using nlohmann::json;

namespace {

/// Nothing if the network cannot have that routing.
std::optional<bool> can_deadlock(const std::string& network, const std::string& routing)
{
    const Outcome outcome = run_nocturne({"topology", network, "--routing", routing, "--json"});
    if (outcome.status == 2)
        return std::nullopt;
    return json::parse(outcome.out)["deadlock_free"] == false;
}

/// A command that simulates, or makes hardware, with a routing.
struct Run {
    std::string name;
    Arguments arguments;
};

std::vector<Run> runs_of(const std::string& network, const std::string& routing,
                         const TemporaryFolder& folder)
{
    const std::string trace = folder.file("trace.csv", "cycle,source,destination,bytes,after\n1,#0,#1,4,\n");
    const std::string schedule = folder / "schedule.json";
    if (!std::filesystem::exists(schedule))
        run_nocturne({"schedule", network, "--collective", "OAB", "--budget", "0.1", "-o", schedule});
    const std::string sweep = folder.file(
        "sweep.ini", "command = traffic\n[options]\ntopology = " + network + "\nrouting = " + routing +
                         "\nload = 0.01\nwarm-up = 10\nwindow = 40\n[sweep]\nseed = 1\n");
    const auto traffic = [&](const Arguments& more) {
        return with({"traffic", network, "--routing", routing, "--warm-up", "10", "--window", "40"}, more);
    };
    return {
        {"curve", traffic({"--load", "0.01"})},
        {"classes", traffic({"--class", "a,load=0.01", "--class", "b,load=0.01"})},
        {"requests and replies", traffic({"--closed-loop", "1"})},
        {"trace", {"traffic", network, "--routing", routing, "--trace", trace}},
        {"replay",
         {"replay", schedule, "--bytes", "4", "--background", "0.01", "--background-routing", routing}},
        {"compare", {"compare", schedule, "--bytes", "4,8", "--routing", routing}},
        {"compare with other traffic",
         {"compare", schedule, "--bytes", "4,8", "--background", "0.01", "--background-routing", routing}},
        {"contract",
         {"contract", network, "--flow", "source=#0,destination=#1,mbytes_per_s=50", "--check", "200",
          "--background", "0.01", "--background-routing", routing}},
        {"export", {"export", network, "--routing", routing, "--packets", "1", "--rtl", folder / "rtl"}},
        {"sweep", {"sweep", sweep, "-o", folder / "sweep.db"}}};
}

} // namespace

TEST_CASE("all runs say that a routing can deadlock, and only then", "[cli][remarks]")
{
    std::size_t number = 0, said = 0, unsaid = 0;
    for (const char* const network : {"torus:4x4", "torus:5x5", "oneway_torus:3x4", "mesh:3x3", "ring:6",
                                      "dragonfly:1,3,1", "omega:8", "kautz:2,2"})
        for (const char* const routing : {"auto",
                                          "dor",
                                          "dor+datelines",
                                          "dor_even",
                                          "dor_even+balanced",
                                          "dor_random",
                                          "dor_random+crossing",
                                          "shortest",
                                          "shortest+datelines",
                                          "shortest+balanced",
                                          "shortest+layers",
                                          "shortest_hops+datelines",
                                          "updown",
                                          "lgl",
                                          "valiant",
                                          "valiant:shortest",
                                          "o1turn",
                                          "adaptive",
                                          "ugal",
                                          "odd_even",
                                          "tag"}) {
            const TemporaryFolder folder;
            const std::optional<bool> expected = can_deadlock(network, routing);
            if (!expected)
                continue;
            for (const Run& run : runs_of(network, routing, folder)) {
                if (!is_tried(number++, 7))
                    continue;
                const Outcome outcome = run_nocturne(run.arguments);
                CAPTURE(network, routing, run.name, outcome.err);
                if (outcome.status == 2)
                    continue; // routers decide, where the source must
                const bool is_said = outcome.err.find(": can deadlock: ") != std::string::npos;
                CHECK(is_said == *expected);
                (is_said ? said : unsaid) += 1;
            }
        }
    CHECK(said > 10);
    CHECK(unsaid > 30);
}

TEST_CASE("what is remarked before a run is not said of a run that is refused", "[cli][remarks][bad input]")
{
    const TemporaryFolder folder;
    const std::string damaged = folder.file("points.json", R"({"format": "nocturne-traffic-points")");
    const std::string nowhere = damaged + "/x";
    for (const Run& run : runs_of("torus:4x4", "dor", folder))
        for (const Arguments& wrong : {Arguments{"--checkpoint", damaged}, Arguments{"--csv", nowhere},
                                       Arguments{"--output", nowhere}, Arguments{"--energy-table", damaged},
                                       Arguments{"--pictures", nowhere}, Arguments{"--packet-log", nowhere},
                                       Arguments{"--rtl", nowhere}, Arguments{"--fault", "node:nobody"}}) {
            const Outcome outcome = run_nocturne(with(run.arguments, wrong));
            CAPTURE(run.name, wrong, outcome.err);
            CHECK(outcome.status == 2);
            CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
        }
}

TEST_CASE("of a routing with routes for some pairs only, these are checked before a run", "[cli][remarks]")
{
    // Group 0 is left with a ring, which two local hops in a row close; from group 1 none leads to group 2.
    const Outcome outcome =
        run_nocturne({"traffic", "dragonfly:1,4,1", "--fault", "link:g0r0-g0r2", "--fault", "link:g0r1-g0r3",
                      "--fault", "link:g1r1-g2r1", "--routing", "lgl", "--pattern", "hotspot:g3r0,1",
                      "--load", "0.001", "--warm-up", "10", "--window", "100"});
    CHECK(outcome.status == 0);
    CHECK_THAT(outcome.err, Catch::Contains("can deadlock: g0r0->g0r1 (vc 0) -> g0r1->g0r2 (vc 0)"));
}

TEST_CASE("networks that are too large for the check say so", "[cli][remarks]")
{
    const Outcome outcome = run_nocturne({"traffic", "torus:32x33", "--routing", "dor", "--model", "worm",
                                          "--load", "0.0001", "--warm-up", "10", "--window", "40"});
    CHECK_THAT(outcome.err, Catch::Contains("torus:32x33, routing dor: deadlock is not checked"));
}

TEST_CASE("the message level says where the flit level takes no longer", "[cli][remarks]")
{
    const auto says_so = [](const std::string& options) {
        const std::string err =
            run_words("traffic mesh:4x4 --load 0.05 --warm-up 10 --window 100 " + options).err;
        return err.find("the model flit takes no longer here") != std::string::npos;
    };
    CHECK(says_so("--model worm --packet-flits 1"));
    CHECK(says_so("--model worm --packet-flits 4"));
    CHECK(says_so("--model worm --vcs 4"));
    CHECK_FALSE(says_so("--model worm"));
    CHECK_FALSE(says_so("--model worm --vcs 2"));
    CHECK(says_so("--model worm --vcs 8 --packet-flits 16"));
    CHECK_FALSE(says_so("--model worm --vcs 8 --packet-flits 32"));
    CHECK_FALSE(says_so("--model flit --packet-flits 1"));
}

TEST_CASE("a schedule that shares links more often than they have virtual channels says so", "[cli][remarks]")
{
    // Forty processors at either end of a link that carries all they send across it at once.
    json trunk{{"format", "nocturne-topology"}, {"version", 1}, {"name", "trunk"}, {"default_ports", "all"}};
    const auto join = [&](unsigned a, unsigned b, unsigned width) {
        trunk["channels"].push_back({{"source", a}, {"target", b}, {"width_bytes", width}});
        trunk["channels"].push_back({{"source", b}, {"target", a}, {"width_bytes", width}});
    };
    std::string image;
    for (unsigned i = 0; i < 80; ++i) {
        const std::string name = "p" + std::to_string(i);
        trunk["routers"].push_back({{"name", name}});
        trunk["processors"].push_back({{"name", name}, {"injection", i}, {"ejection", i}});
        join(i, 80 + i / 40, 4);
        image += (i > 0 ? "," : "") + std::to_string((i + 40) % 80);
    }
    trunk["routers"].push_back({{"name", "a"}});
    trunk["routers"].push_back({{"name", "b"}});
    join(80, 81, 160);
    const TemporaryFolder folder;
    const std::string network = folder / "trunk.json", file = folder / "a.json";
    std::ofstream(network) << trunk;
    REQUIRE(run_nocturne({"schedule", network, "--collective", "permutation", "--image", image, "--objective",
                          "time", "--bytes", "4KiB", "-o", file})
                .status == 0);
    const auto said = [&](const std::vector<std::string>& options) {
        std::vector<std::string> arguments{"replay", file, "--model", "worm"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return run_nocturne(arguments).err;
    };
    using Catch::Contains;
    CHECK_THAT(said({}), Contains("up to 40 share a link, which has 32 virtual channels") &&
                             Contains("blocked flits cost "));
    CHECK_THAT(said({"--vcs", "1"}), Contains("up to 40 share a link, which has 1 virtual channel"));
    const std::string ring = folder / "ring.json";
    REQUIRE(run_words("schedule ring:4 --collective allgather --objective time -o " + ring).status == 0);
    CHECK_THAT(run_words("replay " + ring).err, !Contains("share a link") && !Contains("waited for others"));
}

TEST_CASE("a replay says what the schedule's own time does not count", "[cli]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json", few = folder / "few.json";
    REQUIRE(run_words("schedule ring:8 allreduce --bytes 4KiB --chunks 16 -o " + file).status == 0);
    REQUIRE(run_words("schedule ring:8 allreduce --bytes 64KiB --chunks 8 -o " + few).status == 0);
    const Outcome run = run_words("replay " + file + " --json");
    const auto replay = nlohmann::json::parse(run.out).at("replays").at(0);
    const double above = replay.at("time_ns").get<double>() / replay.at("model_time_ns").get<double>() - 1;
    using Catch::Contains;
    CHECK(above > 0.05);
    CHECK_THAT(run.err, Contains(fmt::format("{:.1f} % above the schedule's own time", 100 * above)) &&
                            Contains("--start-cycles"));
    CHECK_THAT(run_words("replay " + few).err, !Contains("own time"));
}

TEST_CASE("what is called saturated since no packet has crossed the network yet is remarked", "[cli]")
{
    const std::string words = "traffic mesh:16x16 --load 0.01 --window 200";
    const auto remark =
        Catch::Contains("mesh:16x16: load 0.01: called saturated after a warm-up of 10 cycles; packets "
                        "take up to 150 across the network");
    CHECK_THAT(run_words("traffic mesh:16x16 --load 0.01 --window 20 --warm-up 10").err, remark);
    CHECK_THAT(run_words(words + " --warm-up 400").err, !Catch::Contains("called saturated"));
    // Past saturation for another reason.
    CHECK_THAT(run_words("traffic mesh:4x4 --load 0.95 --window 500").err,
               !Catch::Contains("called saturated"));
}

TEST_CASE("of a class with few senders it is said what each of them offers", "[cli]")
{
    const auto err_of = [](const std::string& senders) {
        return run_words("traffic mesh:4x4 --window 200 --class a,load=0.05,packet-flits=1" + senders).err;
    };
    CHECK_THAT(err_of(",senders=00"),
               Catch::Contains("class a: its load of 0.05 is a mean over all 16 processors: each of "
                               "1 senders offers 0.8"));
    CHECK_THAT(err_of(""), !Catch::Contains("its load of"));
    CHECK_THAT(err_of(",senders=*"), !Catch::Contains("its load of"));
}

TEST_CASE("energies say what they do not count", "[cli]")
{
    const auto err_of = [](const std::string& network) {
        return run_words("traffic " + network +
                         " --load 0.1 --window 200 --energy " PROJECT_FOLDER
                         "/examples/energy/router_45nm.json")
            .err;
    };
    CHECK_THAT(err_of("torus:8x8"),
               Catch::Contains("energy: 256 channels have no length and count as 1 mm; between the "
                               "places of their routers it is 1.75 times that on average"));
    for (const char* const network : {"mesh:8x8", "folded_torus:8x8"})
        CHECK_THAT(err_of(network),
                   !Catch::Contains("have no length") &&
                       Catch::Contains("energy: every router is the table's, whatever its ports"));
}

TEST_CASE("a saturation that is stated more closely than its windows can tell is remarked", "[cli]")
{
    const auto remark = Catch::Contains("mesh:4x4: saturation may be lower, by up to a fifth: at load ");
    const std::string search = "traffic mesh:4x4 --saturation --warm-up 2000 --window ";
    CHECK_THAT(run_words(search + "500").err, remark && Catch::Contains("less than 20 times"));
    CHECK_THAT(run_words(search + "20000").err, !remark);
    CHECK_THAT(run_words(search + "500 --tolerance 0.05").err, !remark);
}

TEST_CASE("a page of a schedule whose file says no size says which it shows", "[cli][report]")
{
    const TemporaryFolder folder;
    const std::string ours = folder / "ours.json", theirs = folder / "theirs.xml";
    REQUIRE(run_words("schedule ring:4 allgather --bytes 64KiB -o " + ours).status == 0);
    REQUIRE(run_words("export " + ours + " --msccl-xml " + theirs).status == 0);
    const Outcome run = run_words("report " + theirs + " --topology ring:4 -o " + (folder / "page.html"));
    CHECK_THAT(run.err, Catch::Contains("the file does not say for which size it was made: 1 MiB here"));
    CHECK_THAT(run.out, Catch::Contains(", 1 MiB: ") && !Catch::Contains("No lower bound"));
}

TEST_CASE("links of a named machine that are slower than its own are remarked", "[cli]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json";
    REQUIRE(run_words("schedule dgx_h100 --collective alltoall -o " + file).status == 0);
    const auto remark = Catch::Contains("dgx_h100: links carry 2 GB/s here, and an NVLink of an H100 25: "
                                        "'--flit-bytes 50' makes it so");
    CHECK_THAT(run_words("replay " + file).err, remark);
    CHECK_THAT(run_words("traffic dgx_h100 --window 500").err, remark);
    CHECK_THAT(run_words("replay " + file + " --flit-bytes 50").err, !Catch::Contains("links carry"));
    CHECK_THAT(run_words("traffic star:8 --window 500").err, !Catch::Contains("links carry"));
}

} // namespace nocturne::run_remarks_test
