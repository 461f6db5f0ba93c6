// What `nocturne import` prints is accepted by `nocturne`: for the networks and routings of each format, and for
// values drawn for every key.
#include "models/topology/json_format.hpp"
#include "sim/cli/command.hpp"
#include "sim/imports/astra.hpp"
#include "sim/imports/booksim.hpp"
#include "sim/imports/garnet.hpp"
#include "sim/imports/noxim.hpp"
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace nocturne::import_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

using Texts = std::vector<std::string>;
using Settings = std::map<std::string, std::string>;
/// Values that the other simulator takes, by key.
using LegalValues = std::map<std::string, Texts>;

class Draw {
public:
    explicit Draw(unsigned seed) : random_(seed) {}

    const std::string& one_of(const Texts& values)
    {
        return values[std::uniform_int_distribution<std::size_t>(0, values.size() - 1)(random_)];
    }
    bool chance(double probability) { return std::bernoulli_distribution(probability)(random_); }

    /// Adds values for some of the keys that `settings` does not have: legal ones, numbers for a default that is
    /// a number, and otherwise a name.
    void add(Settings& settings, std::span<const ForeignKey> table, const LegalValues& legal, double share)
    {
        for (const ForeignKey& row : table) {
            const std::string name(row.name);
            if (settings.contains(name) || !chance(share))
                continue;
            const auto values = legal.find(name);
            if (values != legal.end())
                settings[name] = one_of(values->second);
            else
                settings[name] = row.otherwise.find_first_not_of("-.0123456789") == std::string_view::npos &&
                                         !row.otherwise.empty()
                                     ? one_of({"0", "1", "2", "7", std::string(row.otherwise)})
                                     : one_of({"name", std::string(row.otherwise)});
            if (settings[name].empty())
                settings.erase(name);
        }
    }

private:
    std::mt19937 random_;
};

/// Each key has one of the three fates, and says what the fate needs.
void check_fates(const ImportedCommand& imported, std::span<const ForeignKey> table, const Settings& settings)
{
    REQUIRE(imported.keys.size() == table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
        const ImportedKey& key = imported.keys[i];
        INFO(key.key << " = " << key.value << ": " << key.fate << ' ' << key.here << ' ' << key.remark);
        CHECK(key.key == table[i].name);
        CHECK(key.is_given == settings.contains(key.key));
        if (key.is_given)
            CHECK(key.value == settings.at(key.key));
        if (key.fate == key_carried) {
            CHECK_FALSE(key.here.empty());
        } else {
            CHECK((key.fate == key_not_carried || key.fate == key_without_effect));
            CHECK(key.here.empty());
            CHECK_FALSE(key.remark.empty());
        }
    }
}

/// The options exist, and their values are within their ranges.
void check_accepted(const ImportedCommand& imported)
{
    INFO(fmt::format("{}", fmt::join(imported.arguments, " ")));
    const Texts options(imported.arguments.begin() + 1, imported.arguments.end());
    CHECK_NOTHROW(cli::values_of(cli::find_command(imported.arguments.front()), options));
}

/// The command runs to its end, with its network in a file if it has one.
void check_runs(const ImportedCommand& imported, const TemporaryFolder& folder)
{
    Arguments arguments = imported.arguments;
    if (!imported.network.empty())
        arguments[1] = folder.file("net.json", imported.network);
    const Outcome outcome = run_nocturne(arguments);
    INFO(fmt::format("{}", fmt::join(arguments, " ")) << '\n' << outcome.err);
    CHECK(outcome.status == 0);
}

std::string booksim_text(const Settings& settings)
{
    std::string text;
    for (const auto& [key, value] : settings)
        text += fmt::format("{} = {};\n", key, value);
    return text;
}

ImportedCommand booksim(const Settings& settings)
{
    return import_booksim(booksim_text(settings), {}, "net.cfg", "net.json");
}

struct BooksimBase {
    Settings network;
    Texts routings;
};

const std::vector<BooksimBase>& booksim_bases()
{
    static const std::vector<BooksimBase> bases{
        {{{"topology", "mesh"}, {"k", "3"}, {"n", "2"}},
         {"dor", "dim_order", "dim_order_ni", "xy_yx", "romm", "min_adapt", "valiant", "planar_adapt"}},
        {{{"topology", "torus"}, {"k", "4"}, {"n", "2"}},
         {"dim_order", "dim_order_bal", "dim_order_ni", "min_adapt", "valiant", "valiant_ni"}},
        {{{"topology", "cmesh"},
          {"k", "4"},
          {"n", "2"},
          {"c", "4"},
          {"x", "4"},
          {"y", "4"},
          {"xr", "2"},
          {"yr", "2"}},
         {"dor_no_express", "xy_yx_no_express", "dor", "xy_yx"}},
        {{{"topology", "fly"}, {"k", "3"}, {"n", "2"}}, {"dest_tag"}},
        {{{"topology", "fattree"}, {"k", "2"}, {"n", "3"}}, {"nca", "anca"}},
        {{{"topology", "qtree"}, {"k", "4"}, {"n", "3"}}, {"nca"}},
        {{{"topology", "flatfly"},
          {"k", "3"},
          {"n", "2"},
          {"c", "4"},
          {"x", "3"},
          {"y", "3"},
          {"xr", "2"},
          {"yr", "2"}},
         {"ran_min", "xyyx", "valiant", "ugal"}},
        {{{"topology", "dragonflynew"}, {"k", "1"}, {"n", "1"}}, {"min", "ugal"}},
        {{{"topology", "anynet"}, {"network_file", PROJECT_FOLDER "/examples/networks/anynet_file"}},
         {"min"}},
    };
    return bases;
}

const LegalValues booksim_values{
    {"use_noc_latency", {"0", "1"}},
    {"c", {"1"}},
    {"x", {"2", "8"}},
    {"y", {"2", "8"}},
    {"xr", {"1"}},
    {"yr", {"1"}},
    {"router", {"iq", "event", "chaos"}},
    {"credit_delay", {"0", "1", "2"}},
    {"num_vcs", {"8", "16"}},
    {"vc_buf_size", {"4", "8"}},
    {"speculative", {"0", "1"}},
    {"spec_sw_allocator", {"prio", "islip"}},
    {"internal_speedup", {"1.0", "2.0"}},
    {"input_speedup", {"1", "2"}},
    {"buffer_policy", {"private", "shared"}},
    {"routing_delay", {"0", "1", "2"}},
    {"vc_alloc_delay", {"1", "2"}},
    {"sw_alloc_delay", {"1", "2"}},
    {"st_prepare_delay", {"0", "1"}},
    {"st_final_delay", {"1", "2"}},
    {"vc_allocator",
     {"islip", "separable_input_first", "separable_output_first", "wavefront", "max_size", "pim"}},
    {"sw_allocator",
     {"islip", "separable_input_first", "separable_output_first", "wavefront", "max_size", "select"}},
    {"arb_type", {"round_robin", "matrix", "tree"}},
    {"alloc_iters", {"1", "2"}},
    {"classes", {"1", "2"}},
    {"traffic",
     {"uniform", "transpose", "bitcomp", "bitrev", "shuffle", "tornado", "neighbor", "randperm", "diagonal",
      "asymmetric", "hotspot({0})", "hotspot({0,1})", "hotspot({{0,1},{2,3}})", "background"}},
    {"injection_rate", {"0.01", "0.02"}},
    {"injection_rate_uses_flits", {"0", "1"}},
    {"packet_size", {"1", "5", "{1,4}", "{{1,4}}"}},
    {"packet_size_rate", {"1", "{{1,3}}"}},
    {"injection_process", {"bernoulli", "on_off", "on_off(0.1,0.2,0.5)"}},
    {"burst_alpha", {"0.1"}},
    {"burst_beta", {"0.2"}},
    {"burst_r1", {"-1.0", "0.25"}},
    {"priority", {"none", "age", "class", "local_age", "queue_length"}},
    {"use_read_write", {"0", "1"}},
    {"sim_type", {"latency", "throughput", "batch"}},
    {"warmup_periods", {"0", "1", "3"}},
    {"sample_period", {"50"}},
    {"max_samples", {"4"}},
    {"sim_count", {"1", "2"}},
    {"seed", {"0", "5", "time"}},
};

const LegalValues noxim_values{
    {"topology", {"MESH"}},
    {"mesh_dim_x", {"2", "3"}},
    {"mesh_dim_y", {"2", "4"}},
    {"n_delta_tiles", {"8"}},
    {"buffer_depth", {"1", "4", "16"}},
    {"flit_size", {"8", "20", "32", "64"}},
    {"min_packet_size", {"1", "2"}},
    {"max_packet_size", {"2", "5"}},
    {"routing_algorithm", {"XY", "WEST_FIRST", "NORTH_LAST", "NEGATIVE_FIRST", "ODD_EVEN", "DYAD", "OWN"}},
    {"selection_strategy", {"RANDOM", "BUFFER_LEVEL", "NOP", "OWN"}},
    {"packet_injection_rate", {"0", "0.005", "0.01"}},
    {"probability_of_retransmission", {"0.005", "0.01", "0.02"}},
    {"traffic_distribution",
     {"TRAFFIC_RANDOM", "TRAFFIC_TRANSPOSE1", "TRAFFIC_HOTSPOT", "TRAFFIC_BUTTERFLY", "TRAFFIC_HARDCODED"}},
    {"clock_period_ps", {"250", "1000"}},
    {"simulation_time", {"400"}},
    {"n_virtual_channels", {"1", "2", "4"}},
    {"stats_warm_up_time", {"0", "100"}},
    {"use_winoc", {"true", "false"}},
    {"use_wirxsleep", {"true", "false"}},
    {"winoc_dst_hops", {"0", "2"}},
    {"max_volume_to_be_drained", {"0", "100"}},
    {"dyad_threshold", {"0.6"}},
};
const Settings noxim_needs{{"mesh_dim_x", "3"},
                           {"mesh_dim_y", "3"},
                           {"buffer_depth", "4"},
                           {"flit_size", "32"},
                           {"min_packet_size", "2"},
                           {"max_packet_size", "4"},
                           {"routing_algorithm", "XY"},
                           {"selection_strategy", "RANDOM"},
                           {"packet_injection_rate", "0.01"},
                           {"probability_of_retransmission", "0.01"},
                           {"traffic_distribution", "TRAFFIC_RANDOM"},
                           {"clock_period_ps", "1000"},
                           {"simulation_time", "400"},
                           {"n_virtual_channels", "1"},
                           {"stats_warm_up_time", "100"}};

const LegalValues garnet_values{
    {"--synthetic",
     {"uniform_random", "tornado", "bit_complement", "bit_reverse", "bit_rotation", "neighbor", "shuffle",
      "transpose"}},
    {"--injectionrate", {"0.01", "0.02"}},
    {"--sim-cycles", {"300"}},
    {"--single-sender-id", {"-1", "3"}},
    {"--single-dest-id", {"-1", "5"}},
    {"--inj-vnet", {"-1", "0", "1", "2"}},
    {"--num-packets-max", {"-1", "50"}},
    {"--network", {"garnet", "simple"}},
    {"--router-latency", {"1", "2", "4"}},
    {"--link-latency", {"1", "3"}},
    {"--link-width-bits", {"64", "128", "256"}},
    {"--vcs-per-vnet", {"1", "2", "4"}},
    {"--routing-algorithm", {"0", "1", "2"}},
    {"--num-dirs", {"16", "4"}},
    {"--ruby-clock", {"2GHz", "500MHz"}},
    {"--sys-clock", {"1GHz", "800MHz"}},
    {"--network-fault-model", {"true", "false"}},
};

} // namespace

TEST_CASE("the commands for BookSim2's networks run with every routing", "[cli][import]")
{
    const TemporaryFolder folder;
    for (const BooksimBase& base : booksim_bases())
        for (const std::string& routing : base.routings) {
            Settings settings = base.network;
            for (const auto& [key, value] : Settings{{"routing_function", routing},
                                                     {"injection_rate", "0.01"},
                                                     {"packet_size", "4"},
                                                     {"sample_period", "50"},
                                                     {"max_samples", "6"},
                                                     {"num_vcs", "8"}})
                settings[key] = value;
            INFO(booksim_text(settings));
            check_runs(booksim(settings), folder);
        }
}

TEST_CASE("every key of BookSim2 ends somewhere, and the command runs", "[cli][import]")
{
    const TemporaryFolder folder;
    std::set<std::string> drawn;
    for (unsigned seed = 1; seed <= 60; ++seed) {
        Draw draw(seed);
        const BooksimBase& base = booksim_bases()[seed % booksim_bases().size()];
        Settings settings = base.network;
        settings["routing_function"] = draw.one_of(base.routings);
        settings["sample_period"] = "50";
        settings["injection_rate"] = "0.01";
        draw.add(settings, booksim_keys(), booksim_values, 0.3);
        INFO("seed " << seed << '\n' << booksim_text(settings));
        const ImportedCommand imported = booksim(settings);
        check_fates(imported, booksim_keys(), settings);
        check_accepted(imported);
        if (seed % 3 == 0)
            check_runs(imported, folder);
        for (const auto& [key, value] : settings)
            drawn.insert(key);
    }
    CHECK(drawn.size() >= booksim_keys().size() - 1);
}

TEST_CASE("every key of Noxim ends somewhere, and the command runs", "[cli][import]")
{
    const TemporaryFolder folder;
    std::set<std::string> drawn;
    for (unsigned seed = 1; seed <= 40; ++seed) {
        Draw draw(seed);
        Settings settings;
        draw.add(settings, noxim_keys(), noxim_values, 0.5);
        settings.insert(noxim_needs.begin(), noxim_needs.end());
        std::string text;
        for (const auto& [key, value] : settings)
            text += fmt::format("{}: {}\n", key, value);
        INFO("seed " << seed << '\n' << text);
        const ImportedCommand imported = import_noxim(text, "net.yaml");
        check_fates(imported, noxim_keys(), settings);
        check_accepted(imported);
        if (seed % 4 == 0)
            check_runs(imported, folder);
        for (const auto& [key, value] : settings)
            drawn.insert(key);
    }
    CHECK(drawn.size() == noxim_keys().size());
}

TEST_CASE("every option of Garnet ends somewhere, and the command runs", "[cli][import]")
{
    const TemporaryFolder folder;
    std::set<std::string> drawn;
    const std::vector<Settings> networks{
        {{"--topology", "Mesh_XY"}, {"--mesh-rows", "4"}, {"--num-cpus", "16"}},
        {{"--topology", "Mesh_westfirst"}, {"--mesh-rows", "2"}, {"--num-cpus", "16"}},
        {{"--topology", "Crossbar"}, {"--num-cpus", "16"}},
        {{"--topology", "Pt2Pt"}, {"--num-cpus", "16"}}};
    for (unsigned seed = 1; seed <= 40; ++seed) {
        Draw draw(seed);
        Settings settings = networks[seed % networks.size()];
        settings["--sim-cycles"] = "300";
        draw.add(settings, garnet_options(), garnet_values, 0.3);
        std::string line = "garnet_synth_traffic.py";
        std::erase_if(settings, [](const auto& setting) { return setting.second == "false"; });
        const auto is_switch = [](const std::string& name) {
            return std::ranges::find(garnet_options(), name, &ForeignKey::name)->otherwise == "false";
        };
        for (auto& [key, value] : settings) {
            if (is_switch(key))
                value = "true";
            line += is_switch(key) ? " " + key : fmt::format(" {}={}", key, value);
        }
        INFO("seed " << seed << '\n' << line);
        const ImportedCommand imported = import_garnet(line, "run.sh");
        check_fates(imported, garnet_options(), settings);
        check_accepted(imported);
        if (seed % 4 == 0)
            check_runs(imported, folder);
        for (const auto& [key, value] : settings)
            drawn.insert(key);
    }
    CHECK(drawn.size() == garnet_options().size());
}

TEST_CASE("every key of ASTRA-sim ends somewhere, and the command is accepted", "[cli][import]")
{
    std::set<std::string> drawn;
    for (unsigned seed = 1; seed <= 40; ++seed) {
        Draw draw(seed);
        Settings settings;
        Texts kinds, counts, bandwidths, latencies;
        for (unsigned d = 0; d < 1 + seed % 3; ++d) {
            kinds.push_back(draw.one_of({"Ring", "Switch", "FullyConnected"}));
            counts.push_back(draw.one_of({"2", "4"}));
            bandwidths.push_back(draw.one_of({"50", "3.125", "741.34", "400.0"}));
            latencies.push_back(draw.one_of({"0", "3.39", "500", "936.25"}));
        }
        const auto list = [](const Texts& values) { return fmt::format("{}", fmt::join(values, ",")); };
        const Settings network{{"topology", list(kinds)},
                               {"npus_count", list(counts)},
                               {"bandwidth", list(bandwidths)},
                               {"latency", list(latencies)}};
        settings = network;
        draw.add(settings, astra_keys(), {{"endpoint-delay", {"0", "10"}}}, 0.4);
        std::string yaml;
        for (const auto& [key, value] : network)
            yaml += fmt::format("{}: [ {} ]\n", key, value);
        nlohmann::json system = nlohmann::json::object();
        for (const auto& [key, value] : settings)
            if (!network.contains(key))
                system[key] = value;
        INFO("seed " << seed << '\n' << yaml << system.dump());
        const ImportedCommand imported =
            import_astra({yaml, "n.yml"}, ForeignText{system.dump(), "s.json"}, "net.json");
        check_fates(imported, astra_keys(), settings);
        check_accepted(imported);
        CHECK_NOTHROW(topology_from_json(imported.network, "net.json"));
        for (const auto& [key, value] : settings)
            drawn.insert(key);
    }
    CHECK(drawn.size() == astra_keys().size());
}

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
    CHECK(printed.err.empty());
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
    const nlohmann::json imported = nocturne_json({"import", ring, "-o", folder / "ring.json"});
    CHECK(imported["network_file"] == folder / "ring.json");
    const auto found = nocturne_json(imported["arguments"].get<Arguments>());
    const double least_ns = (1 << 20) * 1.5 / 2 / (50 * 1.073741824);
    CHECK(found["time_ns"].get<double>() > 0.999 * least_ns);
    CHECK(found["time_ns"].get<double>() < 1.05 * least_ns);
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
            check_refused({command, file}, {file + ": this is " + kind, "'nocturne import " + file + "'"});
        check_refused({"schedule", file, "--collective", "allreduce"}, {std::string("this is ") + kind});
    }
}

} // namespace nocturne::import_test
