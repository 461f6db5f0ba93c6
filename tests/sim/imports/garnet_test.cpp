#include "sim/imports/simulators.hpp"
#include "tests/catch.hpp"
#include "tests/sim/imports/imported.hpp"

#include <set>

namespace nocturne::garnet_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

ImportedCommand import(const std::string& line)
{
    return import_garnet("./build/NULL/gem5.opt configs/example/garnet_synth_traffic.py " + line, "run.sh");
}

const std::string mesh =
    "--network=garnet --num-cpus=16 --num-dirs=16 --topology=Mesh_XY --mesh-rows=2 --link-width-bits=128 ";

} // namespace

TEST_CASE("a command line is read as a shell reads it", "[imports][garnet]")
{
    const ImportedCommand imported =
        import_garnet("gem5.opt --outdir=x \\\n garnet_synth_traffic.py --network garnet --num-cpus 16 \\\n"
                      "  --num-dirs '16' --topology=\"Mesh_XY\" --mesh-rows=4 -i 0.2 --inj-vnet 0",
                      "run.sh");
    CHECK(imported.arguments[1] == "mesh:4x4");
    CHECK(key_of(imported, "--injectionrate").value == "0.2");
    CHECK(key_of(imported, "--mesh-rows").is_given);
    CHECK_FALSE(key_of(imported, "--router-latency").is_given);
}

TEST_CASE("rates per cycle of the system's clock become loads per cycle of Ruby's", "[imports][garnet]")
{
    // A control message of 64 bits is one flit of 128, data of 576 are five; Ruby runs twice as fast.
    const ImportedCommand control = import(mesh + "--injectionrate=0.2 --inj-vnet=0");
    CHECK(value_of(control, "--packet-flits") == "1");
    CHECK(value_of(control, "--load") == "0.1");
    const ImportedCommand data = import(mesh + "--injectionrate=0.2 --inj-vnet=2");
    CHECK(value_of(data, "--packet-flits") == "5");
    CHECK(value_of(data, "--load") == "0.5");
    CHECK(value_of(import(mesh + "--injectionrate=0.2 --inj-vnet=2 --sys-clock=2GHz"), "--load") == "1");
    CHECK(value_of(control, "--cycle-ns") == "0.5");
    CHECK(value_of(control, "--flit-bytes") == "16");
}

TEST_CASE("packets of three virtual networks are three classes", "[imports][garnet]")
{
    const ImportedCommand imported = import(mesh + "--injectionrate=0.3 --vcs-per-vnet=2");
    CHECK(std::ranges::count(imported.arguments, "--class") == 3);
    CHECK_THAT(value_of(imported, "--class"),
               Contains("vnet0,load=0.05,pattern=uniform,packet-flits=1,vcs=2"));
    CHECK(value_of(imported, "--vcs").empty());
    CHECK_FALSE(imported.notes.empty());
}

TEST_CASE("pipelines, links and meshes are carried", "[imports][garnet]")
{
    const ImportedCommand imported = import(mesh + "--router-latency=3 --link-latency=4 --sim-cycles=777");
    CHECK(imported.arguments[1] == "mesh:2x8");
    CHECK(value_of(imported, "--router-stages") == "0,1,0,2");
    CHECK(value_of(imported, "--link-cycles") == "4");
    CHECK(key_of(import(mesh + "--synthetic=bit_rotation"), "--synthetic").here == "--pattern rotation");
    CHECK(value_of(imported, "--window") == "777");
    CHECK(value_of(imported, "--routing") == "xy");
    CHECK(
        value_of(import("--network=garnet --num-cpus=8 --num-dirs=8 --topology=Mesh_westfirst --mesh-rows=2"),
                 "--routing") == "west_first");
    CHECK(import("--network=garnet --num-cpus=8 --num-dirs=8 --topology=Pt2Pt").arguments[1] == "complete:8");
    CHECK(import("--network=garnet --num-cpus=8 --num-dirs=8").arguments[1] == "star:8");
}

TEST_CASE("what is not carried of Garnet is named", "[imports][garnet]")
{
    for (const char* option : {"--num-packets-max=5", "--network-fault-model", "--routing-algorithm=2",
                               "--param=x", "--network=simple"}) {
        INFO(option);
        const std::string text(option);
        const ImportedCommand imported = import(mesh + text);
        const ImportedKey& one = key_of(imported, text.substr(0, text.find('=')));
        CHECK(one.fate == key_not_carried);
        CHECK_FALSE(one.remark.empty());
    }
}

TEST_CASE("wrong options and values of Garnet are refused", "[imports][garnet]")
{
    const auto refusal = [](const std::string& line) { return refusal_of([&] { import(line); }); };
    CHECK_THAT(refusal("--topology=Mesh_XY --num-cpus=16"), Contains("--mesh-rows"));
    CHECK_THAT(refusal("--topology=Mesh_XY --num-cpus=16 --mesh-rows=3"),
               Contains("--num-cpus=16 are no 3 rows"));
    CHECK_THAT(refusal("--topology=Torus"), Contains("topology 'Torus'"));
    CHECK_THAT(refusal(mesh + "--synthetic=random"), Contains("no such pattern"));
    // Other nodes would send, or receive.
    CHECK_THAT(refusal(mesh + "--num-dirs=4"), Contains("import with --num-dirs=16"));
    CHECK_THAT(refusal(mesh + "--single-sender-id=1"), Contains("--class NAME,senders=1"));
    CHECK_THAT(refusal(mesh + "--synthetic=tornado"),
               Contains("along x alone") && Contains("permutation:FILE"));
    CHECK_THAT(refusal(mesh + "--ruby-clock=fast"), Contains("a frequency such as 2GHz"));
    CHECK_THAT(refusal(mesh + "--injection-rat=0.1"), Contains("unknown key '--injection-rat'"));
    CHECK_THAT(refusal(mesh + "word"), Contains("'word' is no option"));
}

TEST_CASE("each option of the script is in the table once", "[imports][garnet]")
{
    std::set<std::string_view> names;
    for (const ForeignKey& row : garnet_options())
        CHECK(names.insert(row.name).second);
}

} // namespace nocturne::garnet_test
