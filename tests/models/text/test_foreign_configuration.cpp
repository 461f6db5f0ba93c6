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

TEST_CASE("topologies of GPU machines are known by how they read", "[text]")
{
    CHECK(foreign_configuration("<system version=\"1\">\n<cpu/></system>") == "a topology of NCCL or RCCL");
    CHECK(foreign_configuration("<?xml version=\"1.0\"?>\n<system>") == "a topology of NCCL or RCCL");
    CHECK(foreign_configuration("\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV1\t0-7\n") ==
          "a matrix of nvidia-smi topo");
    CHECK(foreign_configuration("$ nvidia-smi topo -m\n\x1b[4mGPU0 GPU1\x1b[0m\nGPU0 X SYS\n") ==
          "a matrix of nvidia-smi topo");
    CHECK(foreign_configuration(" GPU0 CPU Affinity\nGPU0  X  0-7\n") == "a matrix of nvidia-smi topo");
    CHECK(foreign_configuration("==== Link Type between two GPUs ====\n GPU0 GPU1\n") ==
          "a matrix of rocm-smi");
    CHECK(foreign_configuration("==== Hops between two GPUs ====\n GPU0 GPU1\n") == "a matrix of rocm-smi");
    CHECK(foreign_configuration("3 2 1 0 2 H100\n2 \n0 2 1Gbps 1ns 0\n") == "a SimAI topology");
    CHECK(foreign_configuration("3 2 1 0 2 H100 2\n2\n") == "a SimAI topology");
}

TEST_CASE("networks and other texts are no configurations of other simulators", "[text]")
{
    const std::string text =
        GENERATE(as<std::string>(), "", " ", "= 4;", "k = 8\n", "// only a comment", "a b = c;",
                 "digraph g { rankdir=LR; a -> b }", "// by hand\ndigraph g {\n a -> b;\n}",
                 "graph [\n node [\n id 0 ]\n]", "name: x\nrouters:\n", "router 0 node 0 router 1\n",
                 "{\"name\": \"a --synthetic network\"}", "<graphml><!-- --injectionrate --></graphml>",
                 "load = 0.1\nvcs = 2\n", "cycle,source\n0,#1\n", "<algo name=\"a\"/>", "1 2 3 4 5 6\n1 2\n",
                 "1 2 3 4 5 a\nb\n", "1 2 3 4 5 a\n", "GPU0\n", "GPU0 CPU\nGPU1 X\n", "gpu0 gpu1\ngpu0 X\n");
    INFO(text);
    CHECK(foreign_configuration(text).empty());
    CHECK(import_hint("x", text).empty());
}

TEST_CASE("the hint names the file, its kind and the command", "[text]")
{
    CHECK(import_hint("net.cfg", "k = 8;\n") ==
          "net.cfg: this is a BookSim2 configuration; 'nocturne import net.cfg' prints the command for it");
    CHECK(import_hint("smi.txt", "GPU0 GPU1\nGPU0 X NV1\n") ==
          "smi.txt: this is a matrix of nvidia-smi topo; 'nocturne import smi.txt --gpu H100 -o "
          "network.json' makes a network of it (H100 stands for your GPUs)");
}

} // namespace nocturne::foreign_configuration_test
