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

TEST_CASE("what is not carried is said on standard error, and in the JSON", "[cli][import]")
{
    const TemporaryFolder folder;
    const std::string config = folder.file(
        "net.yaml", "mesh_dim_x: 4\nmesh_dim_y: 4\nbuffer_depth: 8\nflit_size: 64\nn_virtual_channels: 1\n"
                    "topology: MESH\nrouting_algorithm: XY\nselection_strategy: RANDOM\nmin_packet_size: 2\n"
                    "max_packet_size: 6\npacket_injection_rate: 0.01\nprobability_of_retransmission: 0.01\n"
                    "clock_period_ps: 500\nreset_time: 100\nstats_warm_up_time: 500\nsimulation_time: 3000\n"
                    "use_winoc: true\ntraffic_distribution: TRAFFIC_TRANSPOSE2\n");
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
          std::tuple("e.json", "{\"all-reduce-implementation\": [\"ring\"]}\n", "an ASTRA-sim system")}) {
        const std::string file = folder.file(name, text);
        for (const char* command : {"topology", "traffic"})
            check_refused({command, file}, {file + ": this is " + kind, "'nocturne import " + file});
        check_refused({"schedule", file, "--collective", "allreduce"}, {std::string("this is ") + kind});
    }
}

} // namespace nocturne::import_test
