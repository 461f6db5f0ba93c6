#include "sim/imports/simulators.hpp"
#include "tests/catch.hpp"
#include "tests/sim/imports/imported.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

namespace nocturne::noxim_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

using Keys = std::map<std::string, std::string>;

/// A small mesh, with other values for some keys; an empty one leaves the key out.
std::string text_with(const Keys& others)
{
    Keys keys{{"topology", "MESH"},
              {"mesh_dim_x", "3"},
              {"mesh_dim_y", "5"},
              {"buffer_depth", "4"},
              {"flit_size", "32"},
              {"n_virtual_channels", "1"},
              {"routing_algorithm", "XY"},
              {"selection_strategy", "RANDOM"},
              {"traffic_distribution", "TRAFFIC_RANDOM"},
              {"min_packet_size", "8"},
              {"max_packet_size", "8"},
              {"packet_injection_rate", "0.01"},
              {"probability_of_retransmission", "0.01"},
              {"clock_period_ps", "1000"},
              {"stats_warm_up_time", "1000"},
              {"simulation_time", "10000"}};
    for (const auto& [key, value] : others)
        keys[key] = value;
    std::string text;
    for (const auto& [key, value] : keys)
        if (!value.empty())
            text += fmt::format("{}: {}\n", key, value);
    return text;
}

ImportedCommand import(const Keys& others = {})
{
    return import_noxim(text_with(others), "net.yaml");
}

std::string refusal(const Keys& others)
{
    return refusal_of([&] { import(others); });
}

} // namespace

TEST_CASE("rates of packets become a load of flits", "[imports][noxim]")
{
    CHECK(value_of(import(), "--load") == "0.08");
    const ImportedCommand mixed = import({{"min_packet_size", "2"}, {"max_packet_size", "4"}});
    CHECK(value_of(mixed, "--load") == "0.03");
    CHECK(value_of(mixed, "--packet-flits") == "2:1,3:1,4:1");
    // Each packet is followed by another one with a probability of one half.
    CHECK(value_of(import({{"packet_injection_rate", "0.1"}, {"probability_of_retransmission", "0.5"}}),
                   "--load") == fmt::format("{:.6g}", 8 * 0.1 / 0.6));
}

TEST_CASE("rows are y, and units are ours", "[imports][noxim]")
{
    const ImportedCommand imported = import({{"clock_period_ps", "500"}});
    CHECK(imported.arguments[1] == "mesh:5x3");
    CHECK(value_of(imported, "--flit-bytes") == "4");
    CHECK(value_of(imported, "--cycle-ns") == "0.5");
    CHECK(value_of(imported, "--warm-up") == "1000");
    CHECK(value_of(imported, "--window") == "9000");
    CHECK(value_of(imported, "--vcs") == "1");
    CHECK(value_of(imported, "--buffer-flits") == "4");
}

TEST_CASE("routings, selections and patterns of Noxim have our names", "[imports][noxim]")
{
    const ImportedCommand odd_even =
        import({{"routing_algorithm", "ODD_EVEN"}, {"selection_strategy", "BUFFER_LEVEL"}});
    CHECK(value_of(odd_even, "--routing") == "odd_even");
    CHECK(value_of(odd_even, "--selection") == "credits");
    CHECK(key_of(import(), "selection_strategy").fate == key_without_effect);
    CHECK(value_of(import({{"routing_algorithm", "DYAD"}}), "--selection") == "dyad");
    CHECK(value_of(import({{"traffic_distribution", "TRAFFIC_TRANSPOSE2"}}), "--pattern") == "transpose");
    CHECK(value_of(import({{"traffic_distribution", "TRAFFIC_BUTTERFLY"}}), "--pattern") == "butterfly");
    const ImportedCommand table =
        import({{"traffic_distribution", "TRAFFIC_TABLE_BASED"}, {"traffic_table_filename", "t.txt"}});
    CHECK(value_of(table, "--pattern") == "noxim:t.txt");
    CHECK(value_of(table, "--load") == "rates");
    const ImportedCommand omega =
        import({{"topology", "OMEGA"}, {"n_delta_tiles", "8"}, {"routing_algorithm", "DELTA"}});
    CHECK(omega.arguments[1] == "omega:8");
    CHECK(value_of(omega, "--routing") == "tag");
}

TEST_CASE("what is not carried of Noxim is named", "[imports][noxim]")
{
    for (const auto& [key, value] : Keys{{"use_winoc", "true"},
                                         {"use_wirxsleep", "true"},
                                         {"winoc_dst_hops", "2"},
                                         {"max_volume_to_be_drained", "5"},
                                         {"routing_algorithm", "MY_OWN"}}) {
        INFO(key);
        const ImportedCommand imported = import({{key, value}});
        CHECK(key_of(imported, key).fate == key_not_carried);
        CHECK_FALSE(key_of(imported, key).remark.empty());
    }
}

TEST_CASE("wrong keys and values of Noxim are refused", "[imports][noxim]")
{
    for (const char* key :
         {"buffer_depth", "flit_size", "routing_algorithm", "packet_injection_rate", "simulation_time"})
        CHECK_THAT(refusal({{key, ""}}), Contains("net.yaml: " + std::string(key) + " is missing"));
    CHECK_THAT(refusal({{"mesh_dim_z", "2"}}),
               Contains("unknown key 'mesh_dim_z': did you mean 'mesh_dim_x'?"));
    CHECK_THAT(refusal({{"packet_injection_rate", "2"}}), Contains("from 0 to 1"));
    CHECK_THAT(refusal({{"topology", "BASELINE"}}), Contains("topology 'BASELINE'"));
    // Another pattern would be simulated in its place.
    for (const char* pattern :
         {"TRAFFIC_TRANSPOSE1", "TRAFFIC_HOTSPOT", "TRAFFIC_HARDCODED", "TRAFFIC_LOCAL"})
        CHECK_THAT(refusal({{"traffic_distribution", pattern}}),
                   Contains(pattern) && Contains("import with traffic_distribution: TRAFFIC_RANDOM"));
    CHECK_THAT(refusal({{"min_packet_size", "9"}}), Contains("max_packet_size = 8"));
    CHECK_THAT(refusal({{"mesh_dim_x", "[1, 2]"}}), Contains("mesh_dim_x"));
}

TEST_CASE("each key of Noxim is in the table once", "[imports][noxim]")
{
    std::set<std::string_view> names;
    for (const ForeignKey& row : noxim_keys())
        CHECK(names.insert(row.name).second);
}

} // namespace nocturne::noxim_test
