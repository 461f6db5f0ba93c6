// `nocturne import` from end to end.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <tuple>

namespace nocturne::import_test {

using namespace nocturne::test;
using Catch::Contains;

TEST_CASE("what import prints runs in a shell", "[cli][import]")
{
    const TemporaryFolder folder;
    const std::string config =
        folder.file("net.cfg", "topology = flatfly; k = 2; n = 2; c = 4; x = 2; y = 2; xr = 2;\n"
                               "yr = 2; routing_function = ran_min; num_vcs = 4; classes = 2;\n"
                               "packet_size = 20; injection_rate = 0.005; sample_period = 50;\n");
    const std::string network = folder / "net.json";
    const Outcome printed = run_nocturne({"import", config, "-o", network});
    CHECK(printed.status == 0);
    CHECK(printed.err == "nocturne: " + config + ": not carried: classes = 2\n");
    CHECK_THAT(printed.out, Catch::StartsWith("nocturne traffic " + network + " "));
    CHECK_THAT(printed.out, Contains("\n# Not carried:\n#   classes = 2: "));
    const std::string script = folder.file("run.sh", printed.out);
    const Outcome run = run_shell("nocturne() { $nocturne \"$@\"; }; . " + script);
    INFO(run.err);
    CHECK(run.status == 0);
    CHECK_THAT(run.out, Contains("0.1000"));

    // ASTRA-sim: four processors on a ring of 50 GB/s; 1 MiB takes 2·3/4 of it over each of two directions.
    const std::string ring =
        folder.file("ring.yml", "topology: [ Ring ]\nnpus_count: [ 4 ]\nbandwidth: [ 50 ]\nlatency: [ 0 ]\n");
    const nlohmann::json imported = nocturne_json({"import", ring, "-o", folder / "ring.json", "--json"});
    CHECK(imported["network_file"] == folder / "ring.json");
    const auto found = nocturne_json(with(imported["arguments"].get<Arguments>(), {"--json"}));
    const double least_ns = (1 << 20) * 1.5 / 2 / (50 * 1.073741824);
    CHECK(found["time_ns"].get<double>() > 0.999 * least_ns);
    CHECK(found["time_ns"].get<double>() < 1.05 * least_ns);
}

TEST_CASE("topologies of GPU machines become networks that the printed command schedules on", "[cli][import]")
{
    const TemporaryFolder folder;
    const std::string examples = PROJECT_FOLDER "/examples/imports/";
    struct Machine {
        Arguments options;
        unsigned gpus;
        double bandwidth; ///< bus bandwidth of an all-reduce that no schedule exceeds, GB/s
    };
    // An all-reduce of n GPUs sends 2(n - 1)/n of the data out of each on average: all links of a GPU limit
    // it. Out of each of two boxes goes all of the data: two NICs of 50 GB/s limit the last one.
    for (const Machine& machine :
         {Machine{{"nccl_v100.xml"}, 4, 125}, Machine{{"smi_h100.txt", "--gpu", "H100"}, 8, 450},
          Machine{{"rocm_mi300x.txt", "--gpu", "MI300X"}, 4, 192}, Machine{{"simai_rails"}, 4, 150}}) {
        INFO(machine.options.front());
        const std::string network = folder / "network.json";
        Arguments arguments{"import", examples + machine.options.front(), "-o", network, "--json"};
        arguments.insert(arguments.end(), machine.options.begin() + 1, machine.options.end());
        const nlohmann::json imported = nocturne_json(arguments);
        CHECK(imported["network_file"] == network);
        CHECK(imported["settings"].empty());
        CHECK(imported["notes"].size() >= 3);
        const auto found =
            nocturne_json(with(imported["arguments"].get<Arguments>(), {"--budget", "2", "--json"}));
        const double seconds = found["time_ns"].get<double>() / 1e9;
        const double bandwidth = 2.0 * (machine.gpus - 1) / machine.gpus * (64 << 20) / seconds / 1e9;
        CHECK(bandwidth < 1.0001 * machine.bandwidth);
        CHECK(bandwidth > 0.3 * machine.bandwidth);
    }
    const Outcome printed = run_nocturne({"import", examples + "smi_h100.txt", "--gpu", "H100", "--boxes",
                                          "2", "--nic", "400Gb/s", "-o", folder / "boxes.json"});
    CHECK(printed.status == 0);
    CHECK(printed.err.empty());
    CHECK_THAT(printed.out,
               Catch::StartsWith("nocturne schedule " + (folder / "boxes.json") +
                                 " --collective allreduce --bytes 64MiB --cycle-ns 1\n# From a matrix "
                                 "of nvidia-smi topo.\n"));
    CHECK_THAT(printed.out, Contains("nocturne audit LOG --topology") && !Contains("Not carried"));
    CHECK(nocturne_json({"topology", folder / "boxes.json", "--json"})["processors"] == 16);
    const std::string spaced = folder / "my gpus.json"; // a shell reads what is printed
    CHECK_THAT(text_of({"import", examples + "smi_h100.txt", "--gpu", "H100", "-o", spaced}),
               Contains("nocturne schedule '" + spaced + "'") &&
                   Contains("--topology '" + spaced + "' judges"));
}

TEST_CASE("what is not carried is said on standard error, and in the JSON", "[cli][import]")
{
    const TemporaryFolder folder;
    const std::string config = folder.file(
        "net.yaml", "mesh_dim_x: 4\nmesh_dim_y: 4\nbuffer_depth: 8\nflit_size: 64\nn_virtual_channels: 1\n"
                    "topology: MESH\nrouting_algorithm: XY\nselection_strategy: RANDOM\nmin_packet_size: 2\n"
                    "max_packet_size: 6\npacket_injection_rate: 0.01\nprobability_of_retransmission: 0.01\n"
                    "clock_period_ps: 500\nreset_time: 100\nstats_warm_up_time: 500\nsimulation_time: 3000\n"
                    "use_winoc: true\ntraffic_distribution: TRAFFIC_TRANSPOSE2\n");
    CHECK_THAT(run_nocturne({"import", config}).out,
               Contains("\n# Not carried:\n#   ") && Contains("\n# Carried:\n#   ") && !Contains("nothing"));
    const std::string remark = config + ": not carried: use_winoc = true";
    CHECK(run_nocturne({"import", config}).err == "nocturne: " + remark + "\n");
    CHECK(nocturne_json({"import", config, "--json"})["made_by"]["remarks"][0] == remark);
}

TEST_CASE("a configuration of another simulator given as a network says what it is", "[cli][import]")
{
    const TemporaryFolder folder;
    for (const auto& [name, text, kind] :
         {std::tuple("a.cfg", "topology = mesh;\n", "a BookSim2 configuration"),
          std::tuple("b.yaml", "mesh_dim_x: 4\n", "a Noxim configuration"),
          std::tuple("c.sh", "gem5.opt garnet_synth_traffic.py --num-cpus=4\n", "a gem5 command line"),
          std::tuple("d.yml", "topology: [ Ring ]\nnpus_count: [ 4 ]\n", "an ASTRA-sim network"),
          std::tuple("e.json", "{\"all-reduce-implementation\": [\"ring\"]}\n", "an ASTRA-sim system"),
          std::tuple("f.xml", "<system version=\"1\"><cpu/></system>\n", "a topology of NCCL or RCCL"),
          std::tuple("g.txt", "GPU0 GPU1\nGPU0 X NV1\nGPU1 NV1 X\n", "a matrix of nvidia-smi topo"),
          std::tuple("h.txt", "== Link Type between two GPUs ==\n", "a matrix of rocm-smi"),
          std::tuple("i", "3 2 1 0 2 A100\n2\n", "a SimAI topology")}) {
        const std::string file = folder.file(name, text);
        for (const char* command : {"topology", "traffic"})
            check_refused({command, file}, {file + ": this is " + kind, "'nocturne import " + file});
        check_refused({"schedule", file, "--collective", "allreduce"}, {std::string("this is ") + kind});
    }
}

} // namespace nocturne::import_test
