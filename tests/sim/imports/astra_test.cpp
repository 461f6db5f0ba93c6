#include "models/topology/json_format.hpp"
#include "sim/imports/simulators.hpp"
#include "tests/catch.hpp"
#include "tests/sim/imports/imported.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace nocturne::astra_test {

using namespace nocturne::test;

namespace {

const ForeignText boxes{
    "topology: [ Ring, Switch ]\nnpus_count: [ 4, 3 ]\nbandwidth: [ 100, 25 ]\nlatency: [ 300, 700 ]\n",
    "boxes.yml"};

} // namespace

TEST_CASE("a network becomes whole cycles and bytes close to its figures", "[imports][astra]")
{
    // GB are 2^30 bytes: at 50 GB/s a cycle of 0.931 ns carries 50 bytes.
    const AstraDimension ring{.kind = "Ring", .npus = 8, .bytes_per_ns = 50 * 1.073741824, .latency_ns = 500};
    const AstraScale scale = astra_scale(std::span(&ring, 1));
    CHECK(scale.cycle_ps == 931);
    CHECK(scale.widths == std::vector<unsigned>{50});
    CHECK(scale.latencies == std::vector<unsigned>{537});
    CHECK(scale.error < 0.001);
}

TEST_CASE("the error of a scale is what it says, and small where cycles are short", "[imports][astra]")
{
    const unsigned seed = GENERATE(range(1u, 60u));
    std::mt19937 random(seed);
    const bool are_long = seed < 40; // of the others some are shorter than a cycle
    std::vector<AstraDimension> dimensions;
    for (unsigned d = 0; d < 1 + seed % 3; ++d)
        dimensions.push_back({.kind = "Ring",
                              .npus = 4,
                              .bytes_per_ns = std::uniform_real_distribution(5.0, 900.0)(random),
                              .latency_ns = are_long ? std::uniform_real_distribution(100.0, 3000.0)(random)
                                                     : std::uniform_real_distribution(0.05, 5.0)(random)});
    const AstraScale scale = astra_scale(dimensions);
    const double cycle_ns = scale.cycle_ps / 1000.0;
    double error = 0;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        error = std::max(error, std::abs(scale.widths[d] / cycle_ns / dimensions[d].bytes_per_ns - 1));
        error = std::max(error, std::abs(scale.latencies[d] * cycle_ns / dimensions[d].latency_ns - 1));
    }
    CHECK(scale.error == Approx(error));
    CHECK((!are_long || error < 0.02));
}

TEST_CASE("a latency of less than a usual cycle gets a clock that fits it", "[imports][astra]")
{
    const AstraDimension dimension{.kind = "Switch", .npus = 8, .bytes_per_ns = 53.687, .latency_ns = 0.5};
    const AstraScale scale = astra_scale(std::span(&dimension, 1));
    CHECK(scale.latencies.front() * scale.cycle_ps / 1000.0 == Approx(0.5).epsilon(0.01));
    CHECK(scale.widths.front() * 1000.0 / scale.cycle_ps == Approx(53.687).epsilon(0.01));
}

TEST_CASE("groups of each dimension are joined by its kind", "[imports][astra]")
{
    const std::vector<AstraDimension> dimensions{
        {.kind = "Ring", .npus = 4, .bytes_per_ns = 1, .latency_ns = 1},
        {.kind = "Switch", .npus = 3, .bytes_per_ns = 1, .latency_ns = 1},
        {.kind = "FullyConnected", .npus = 2, .bytes_per_ns = 1, .latency_ns = 1}};
    const AstraScale scale{.cycle_ps = 1000, .widths = {8, 2, 4}, .latencies = {1, 2, 3}, .error = 0};
    const Topology network = astra_topology(dimensions, scale);
    CHECK(network.processor_count() == 24);
    CHECK(network.router_count() == 24 + 8); // a switch for each place of the other dimensions
    CHECK(network.channels().size() == 2 * (6 * 4 + 8 * 3 + 12));
    std::set<std::pair<RouterId, RouterId>> pairs;
    for (const Channel& channel : network.channels()) {
        CHECK(pairs.insert({channel.source, channel.target}).second);
        const RouterId low = std::min(channel.source, channel.target),
                       high = std::max(channel.source, channel.target);
        if (high >= 24) {
            CHECK(channel.width_bytes == 2);
            CHECK(channel.latency_cycles == 2);
        } else if (low / 4 == high / 4) { // neighbours in a ring
            CHECK(channel.width_bytes == 8);
            CHECK(((high - low) == 1 || (high - low) == 3));
        } else {
            CHECK(high == low + 12);
            CHECK(channel.latency_cycles == 3);
        }
    }
}

TEST_CASE("a ring of two is one link", "[imports][astra]")
{
    const AstraDimension ring{.kind = "Ring", .npus = 2, .bytes_per_ns = 50, .latency_ns = 10};
    CHECK(astra_topology(std::span(&ring, 1), astra_scale(std::span(&ring, 1))).channels().size() == 2);
}

TEST_CASE("a network and a system become a schedule for time", "[imports][astra]")
{
    const ImportedCommand imported = import_astra(
        boxes,
        ForeignText{"{\"scheduling-policy\": \"LIFO\", \"endpoint-delay\": 20, "
                    "\"all-reduce-implementation\": [\"ring\", \"direct\"], "
                    "\"preferred-dataset-splits\": 8, \"boost-mode\": 0, \"local-mem-bw\": 1000}",
                    "system.json"},
        "net.json");
    CHECK(imported.arguments[0] == "schedule");
    CHECK(imported.arguments[1] == "net.json");
    CHECK(value_of(imported, "--objective") == "time");
    const double cycle_ns = std::stod(value_of(imported, "--cycle-ns"));
    CHECK(std::stod(value_of(imported, "--start-cycles")) * cycle_ns == Approx(20).epsilon(1e-4));
    CHECK(topology_from_json(imported.network, "net.json").processor_count() == 12);
    CHECK(key_of(imported, "bandwidth").fate == key_carried);
    for (const char* key : {"all-reduce-implementation", "preferred-dataset-splits", "local-mem-bw"}) {
        CHECK(key_of(imported, key).fate == key_not_carried);
        CHECK_FALSE(key_of(imported, key).remark.empty());
    }
    CHECK(key_of(imported, "all-reduce-implementation").value == "ring,direct");
    CHECK(key_of(imported, "boost-mode").fate == key_without_effect);
    const auto is_said = [&](const char* text) {
        return std::ranges::any_of(imported.notes,
                                   [&](const std::string& note) { return note.find(text) != note.npos; });
    };
    for (const char* const text : {"The workload of ASTRA-sim says the collective", "dimension by dimension",
                                   "--bytes S (n - 1) / n", "shares no link"})
        CHECK(is_said(text));
    CHECK_FALSE(is_said("stores it at each hop")); // only of one dimension
}

TEST_CASE("without a system there is no start-up time", "[imports][astra]")
{
    const ImportedCommand imported = import_astra(boxes, {}, "net.json");
    CHECK(value_of(imported, "--start-cycles").empty());
    CHECK(key_of(imported, "endpoint-delay").fate == key_without_effect);
}

} // namespace nocturne::astra_test
