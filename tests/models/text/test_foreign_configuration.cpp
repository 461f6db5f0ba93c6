#include "models/text/foreign_configuration.hpp"
#include "tests/catch.hpp"

namespace nocturne::foreign_configuration_test {

TEST_CASE("configurations of other simulators are known by how they read", "[text]")
{
    CHECK(foreign_configuration("// a mesh\n\ntopology = mesh;\nk = 8;\n") == "a BookSim2 configuration");
    CHECK(foreign_configuration("k=8;") == "a BookSim2 configuration");
    CHECK(foreign_configuration("topology: MESH\nmesh_dim_x: 4\n") == "a Noxim configuration");
    CHECK(foreign_configuration("n_delta_tiles: 8\n") == "a Noxim configuration");
    CHECK(foreign_configuration("build/gem5.opt configs/example/garnet_synth_traffic.py --num-cpus=16") ==
          "a gem5 command line");
    CHECK(foreign_configuration("--synthetic=shuffle") == "a gem5 command line");
    CHECK(foreign_configuration("topology: [ Ring ]\nnpus_count: [ 4 ]\n") == "an ASTRA-sim network");
    CHECK(foreign_configuration("{\"all-reduce-implementation\": [\"ring\"]}") == "an ASTRA-sim system");
}

TEST_CASE("networks and other texts are no configurations of other simulators", "[text]")
{
    const std::string text =
        GENERATE(as<std::string>(), "", " ", "= 4;", "k = 8\n", "// only a comment", "a b = c;",
                 "digraph g { rankdir=LR; a -> b }", "// by hand\ndigraph g {\n a -> b;\n}",
                 "graph [\n node [\n id 0 ]\n]", "name: x\nrouters:\n", "router 0 node 0 router 1\n",
                 "{\"name\": \"a --synthetic network\"}", "<graphml><!-- --injectionrate --></graphml>",
                 "load = 0.1\nvcs = 2\n", "cycle,source\n0,#1\n");
    INFO(text);
    CHECK(foreign_configuration(text).empty());
    CHECK(import_hint("x", text).empty());
}

TEST_CASE("the hint names the file, its kind and the command", "[text]")
{
    CHECK(import_hint("net.cfg", "k = 8;\n") ==
          "net.cfg: this is a BookSim2 configuration; 'nocturne import net.cfg' prints the command for it");
}

} // namespace nocturne::foreign_configuration_test
