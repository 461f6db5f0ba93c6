#include "sim/imports/simulators.hpp"
#include "tests/catch.hpp"
#include "tests/sim/imports/imported.hpp"

namespace nocturne::garnet_test {

using namespace nocturne::test;
using Catch::Contains;

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

TEST_CASE("packets of three virtual networks are three classes", "[imports][garnet]")
{
    const ImportedCommand imported = import_garnet(
        "garnet_synth_traffic.py --network=garnet --num-cpus=16 --num-dirs=16 --topology=Mesh_XY "
        "--mesh-rows=2 --link-width-bits=128 --injectionrate=0.3 --vcs-per-vnet=2",
        "run.sh");
    CHECK(std::ranges::count(imported.arguments, "--class") == 3);
    CHECK_THAT(value_of(imported, "--class"),
               Contains("vnet0,load=0.05,pattern=uniform,packet-flits=1,vcs=2"));
    CHECK(value_of(imported, "--vcs").empty());
    CHECK_FALSE(imported.notes.empty());
}

} // namespace nocturne::garnet_test
