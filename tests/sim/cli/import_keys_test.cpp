// Every key of a foreign configuration ends somewhere, and the command that is printed for it is one of
// `nocturne`: for the networks and routings of each format, and for values drawn for every key.
#include "models/topology/json_format.hpp"
#include "sim/cli/command.hpp"
#include "sim/imports/simulators.hpp"
#include "tests/catch.hpp"
#include "tests/sim/cli/foreign_settings.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>

namespace nocturne::import_keys_test {

using namespace nocturne::test;

namespace {

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
    // Some patterns are made for some numbers of nodes only, there too.
    const bool is_made_for_others = outcome.err.find(", and this is made for ") != std::string::npos;
    CHECK(outcome.status == (is_made_for_others ? 2 : 0));
}

/// What is drawn for a seed.
struct Drawn {
    Settings settings;
    std::string text;
    ImportedCommand imported;
};

/// Each key has its fate in so many draws, and is drawn in some, but for `left_out`; the command of every
/// `run_interval`th is run, with 0 of none.
void check_draws(std::span<const ForeignKey> table, unsigned draws, unsigned run_interval,
                 const std::function<Drawn(unsigned seed)>& draw, std::size_t left_out = 0)
{
    const TemporaryFolder folder;
    std::set<std::string> drawn;
    for (unsigned seed = 1; seed <= draws; ++seed) {
        const auto [settings, text, imported] = draw(seed);
        INFO("seed " << seed << '\n' << text);
        check_fates(imported, table, settings);
        check_accepted(imported);
        if (run_interval > 0 && seed % run_interval == 0)
            check_runs(imported, folder);
        for (const auto& [key, value] : settings)
            drawn.insert(key);
    }
    CHECK(drawn.size() >= table.size() - left_out);
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
    const auto draw_one = [](unsigned seed) {
        Draw draw(seed);
        const BooksimBase& base = booksim_bases()[seed % booksim_bases().size()];
        Settings settings = base.network;
        settings["routing_function"] = draw.one_of(base.routings);
        settings["sample_period"] = "50";
        settings["injection_rate"] = "0.01";
        draw.add(settings, booksim_keys(), booksim_values(), 0.3);
        return Drawn{settings, booksim_text(settings), booksim(settings)};
    };
    check_draws(booksim_keys(), 60, 3, draw_one, 1);
}

TEST_CASE("every key of Noxim ends somewhere, and the command runs", "[cli][import]")
{
    const auto draw_one = [](unsigned seed) {
        Draw draw(seed);
        Settings settings;
        draw.add(settings, noxim_keys(), noxim_values(), 0.5);
        settings.insert(noxim_needs().begin(), noxim_needs().end());
        std::string text;
        for (const auto& [key, value] : settings)
            text += fmt::format("{}: {}\n", key, value);
        return Drawn{settings, text, import_noxim(text, "net.yaml")};
    };
    check_draws(noxim_keys(), 40, 4, draw_one);
}

TEST_CASE("every option of Garnet ends somewhere, and the command runs", "[cli][import]")
{
    const std::vector<Settings> networks{
        {{"--topology", "Mesh_XY"}, {"--mesh-rows", "4"}, {"--num-cpus", "16"}},
        {{"--topology", "Mesh_westfirst"}, {"--mesh-rows", "2"}, {"--num-cpus", "16"}},
        {{"--topology", "Crossbar"}, {"--num-cpus", "16"}},
        {{"--topology", "Pt2Pt"}, {"--num-cpus", "16"}}};
    const auto draw_one = [&](unsigned seed) {
        Draw draw(seed);
        Settings settings = networks[seed % networks.size()];
        settings["--sim-cycles"] = "300";
        settings["--num-dirs"] = "16";
        draw.add(settings, garnet_options(), garnet_values(), 0.3);
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
        return Drawn{settings, line, import_garnet(line, "run.sh")};
    };
    check_draws(garnet_options(), 40, 4, draw_one);
}

TEST_CASE("every key of ASTRA-sim ends somewhere, and the command is accepted", "[cli][import]")
{
    const auto draw_one = [](unsigned seed) {
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
        const ImportedCommand imported =
            import_astra({yaml, "n.yml"}, ForeignText{system.dump(), "s.json"}, "net.json");
        CHECK_NOTHROW(topology_from_json(imported.network, "net.json"));
        return Drawn{settings, yaml + system.dump(), imported};
    };
    check_draws(astra_keys(), 40, 0, draw_one);
}

} // namespace nocturne::import_keys_test
