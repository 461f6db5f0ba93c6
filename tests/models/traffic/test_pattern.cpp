#include "models/topology/faults.hpp"
#include "models/topology/files.hpp"
#include "models/topology/make_topology.hpp"
#include "models/traffic/pattern.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <cmath>
#include <numeric>

namespace nocturne::pattern_test {

using Catch::Contains;

namespace {

/// Does the pattern draw destinations with these probabilities? Five standard deviations are allowed.
void require_distribution(const TrafficPattern& pattern, ProcessorId source,
                          const std::vector<double>& expected)
{
    constexpr int draws = 40'000;
    std::vector<int> counts(expected.size(), 0);
    SplitMix64 random(11);
    for (int i = 0; i < draws; ++i)
        ++counts.at(pattern.destination(source, random));
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CAPTURE(source, i, counts[i]);
        const double deviation = std::sqrt(draws * expected[i] * (1 - expected[i]));
        CHECK(std::abs(counts[i] - draws * expected[i]) <= 5 * deviation);
    }
}

} // namespace

TEST_CASE("a failed router turns no pattern into another", "[traffic][faults]")
{
    const test::TemporaryFolder folder;
    const std::string noxim = folder / "noxim.txt";
    write_file_atomically(noxim, "0 5 0.1\n5 7 0.2\n3 1 0.1\n");
    std::vector<std::string> patterns = permutation_names();
    patterns.insert(patterns.end(), {"uniform", "noxim:" + noxim, "adversarial:1", "hotspot:3,0.5",
                                     "hotspot:7,0.5", "hotspot:00+11,0.5", "multicast:2"});
    int kept = 0, refused = 0;
    for (const char* const network : {"mesh:3x3", "mesh:4x4", "torus:1x17", "ring:9", "cmesh:3x3x2",
                                      "dragonfly:1,3,1", "hyperx:3x3", "octagon:8", "coated_mesh:3x3"}) {
        const Topology whole = make_topology(network);
        for (RouterId failed = 0; failed < whole.router_count(); failed += 3) {
            const Topology rest =
                with_faults(whole, Faults{{}, {failed}}, "node:" + whole.router_name(failed));
            for (const std::string& text : patterns) {
                CAPTURE(rest.name(), text);
                std::optional<TrafficPattern> left;
                try {
                    left = make_pattern(rest, text);
                } catch (const std::invalid_argument&) {
                    ++refused;
                    continue;
                }
                ++kept;
                if (text == "uniform" || text == "random" || text == "multicast:2")
                    continue; // of any processors
                // Each source has the same destinations: those that are likelier than by chance.
                const TrafficPattern all = make_pattern(whole, text);
                const auto is_likelier = [](const TrafficPattern& pattern, ProcessorId from, ProcessorId to) {
                    return pattern.destinations(from)[to] * pattern.processors() > 1.001;
                };
                const auto in_whole = [&](ProcessorId id) {
                    return *whole.find_processor(rest.processor(id).name);
                };
                for (ProcessorId from = 0; from < rest.processor_count(); ++from)
                    for (ProcessorId to = 0; to < rest.processor_count(); ++to)
                        REQUIRE(is_likelier(*left, from, to) ==
                                is_likelier(all, in_whole(from), in_whole(to)));
            }
        }
    }
    CHECK(kept > 100);
    CHECK(refused > 100);
    CHECK_THROWS_WITH(
        make_pattern(with_faults(make_topology("mesh:4x4"), std::vector<std::string>{"node:33"}),
                     "neighbour"),
        Contains("pattern neighbour: mesh:4x4 without node:33") && Contains("33 has failed"));
}

TEST_CASE("a multicast goes to a group of its source, each as often as another", "[traffic][multicast]")
{
    const std::vector<MulticastGroup> groups{{1, {0, 2}}, {3, {0}}, {1, {0, 1, 3}}};
    const TrafficPattern pattern = TrafficPattern::multicast(4, groups);
    CHECK(pattern.is_multicast());
    CHECK(pattern.share(0) == 0);
    CHECK(pattern.share(1) == 2);
    CHECK(pattern.share(3) == 2);
    CHECK(pattern.unicasts(0) == 1);
    CHECK(pattern.unicasts(1) == 2.5);
    CHECK(pattern.unicasts(3) == 1);
    CHECK(pattern.destinations(1) == std::vector<double>{0.4, 0.2, 0.2, 0.2});
    CHECK(pattern.destinations(3) == std::vector<double>{1, 0, 0, 0});
    SplitMix64 random(3);
    int first = 0;
    for (int i = 0; i < 1000; ++i) {
        const auto group = pattern.group(1, random);
        const std::vector<ProcessorId> drawn(group.begin(), group.end());
        REQUIRE((drawn == groups[0].destinations || drawn == groups[2].destinations));
        first += drawn == groups[0].destinations ? 1 : 0;
    }
    CHECK(first > 420);
    CHECK(first < 580);
    CHECK_FALSE(TrafficPattern::uniform(4).is_multicast());
    CHECK(TrafficPattern::uniform(4).unicasts(2) == 1);
    CHECK_THROWS_WITH(TrafficPattern::multicast(4, {}), Contains("no group"));
    const auto refused = [](const MulticastGroup& group, const char* what) {
        CHECK_THROWS_WITH(TrafficPattern::multicast(4, std::vector{group}), Contains(what));
    };
    refused({1, {4}}, "1 to 4: there are 4");
    refused({4, {1}}, "4 to 1: there are 4");
    refused({1, {}}, "without destinations");
    CHECK_THROWS_WITH(require_unicast(pattern, "letters"), Contains("letters: pattern multicast"));
    CHECK_NOTHROW(require_unicast(TrafficPattern::uniform(4), "letters"));
}

TEST_CASE("multicasts by their text", "[traffic][multicast]")
{
    const Topology mesh = make_topology("mesh:4x4");
    const TrafficPattern three = make_pattern(mesh, "multicast:3", 5);
    SplitMix64 random(1);
    for (ProcessorId id = 0; id < 16; ++id) {
        CHECK(three.share(id) == 1);
        CHECK(three.unicasts(id) == 3);
    }
    const test::TemporaryFolder folder;
    const TrafficPattern of_file =
        make_pattern(mesh, "multicast:" + folder.file("g.csv", "source,destinations\n00,01 02 33\n"));
    CHECK(of_file.share(0) == 16);
    CHECK(of_file.group(0, random).back() == 15);
}

TEST_CASE("patterns draw destinations as they say", "[traffic]")
{
    require_distribution(TrafficPattern::uniform(4), 1, {0.25, 0.25, 0.25, 0.25});
    require_distribution(TrafficPattern::permutation({1, 2, 3, 0}), 2, {0, 0, 0, 1});
    const std::vector<ProcessorId> hot{0, 3};
    require_distribution(TrafficPattern::hotspot(4, hot, 0.5), 1, {0.375, 0.125, 0.125, 0.375});
    require_distribution(TrafficPattern::hotspot(4, hot, 1), 1, {0.5, 0, 0, 0.5});
    CHECK(TrafficPattern::uniform(3).share(2) == 1);
}

TEST_CASE("a matrix says how much each processor sends, and where to", "[traffic]")
{
    SplitMix64 random(5);
    for (std::uint32_t size = 2; size < 12; ++size) {
        std::vector<double> weights;
        for (std::uint32_t i = 0; i < size * size; ++i)
            weights.push_back(random.below(3) == 0 ? 0 : std::pow(random.uniform(), 3) + 1e-6);
        const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
        const TrafficPattern matrix = TrafficPattern::matrix(size, weights);
        for (ProcessorId source = 0; source < size; ++source) {
            std::vector<double> row(weights.begin() + source * size, weights.begin() + (source + 1) * size);
            const double sum = std::accumulate(row.begin(), row.end(), 0.0);
            CHECK(matrix.share(source) == Approx(sum / all * size));
            if (sum == 0)
                continue;
            for (double& weight : row)
                weight /= sum;
            require_distribution(matrix, source, row);
        }
    }
}

TEST_CASE("adversarial traffic goes to another group", "[traffic]")
{
    const Topology dragonfly = make_topology("dragonfly:2,2,1"); // three groups of four processors
    const TrafficPattern pattern = make_pattern(dragonfly, "adversarial:2");
    require_distribution(pattern, 1, {0, 0, 0, 0, 0, 0, 0, 0, 0.25, 0.25, 0.25, 0.25});
    require_distribution(pattern, 11, {0, 0, 0, 0, 0.25, 0.25, 0.25, 0.25, 0, 0, 0, 0});
    CHECK(pattern.share(5) == 1);
    CHECK_FALSE(pattern.is_permutation());
}

TEST_CASE("patterns have texts", "[traffic]")
{
    const Topology topology = make_topology("mesh:4x4");
    SplitMix64 random(1);
    CHECK(make_pattern(topology, "transpose").destination(1, random) == 4);
    CHECK(make_pattern(topology, "random", 7).is_permutation());
    CHECK_FALSE(make_pattern(topology, "uniform").is_permutation());
    const std::string corner = topology.processor(15).name;
    CHECK(make_pattern(topology, "hotspot:" + corner + ",1").destination(3, random) == 15);

    const test::TemporaryFolder folder;
    const std::string path = folder / "pattern.txt";
    write_file_atomically(path, "0 1\n2 0\n");
    CHECK(make_pattern(make_topology("mesh:2"), "matrix:" + path).share(1) == Approx(4.0 / 3));
    CHECK_THROWS_WITH(make_pattern(topology, "matrix:" + path),
                      Contains(path) && Contains("4 numbers for 16 x 16"));
    write_file_atomically(path, "1 0\n");
    CHECK(make_pattern(make_topology("mesh:2"), "permutation:" + path).destination(0, random) == 1);

    CHECK_THROWS_WITH(make_pattern(make_topology("mesh:3x3"), "shuffle"), Contains("9 processors"));
}

TEST_CASE("bad matrices are refused", "[traffic]")
{
    CHECK_THROWS_WITH(TrafficPattern::matrix(2, std::vector<double>{1, 2, 3}),
                      Contains("3 numbers for 2 x 2"));
    CHECK_THROWS_WITH(TrafficPattern::matrix(2, std::vector<double>{1, 2, 3, -4}),
                      Contains("-4 in the row of processor 1"));
    CHECK_THROWS_WITH(TrafficPattern::matrix(2, std::vector<double>{0, 0, 0, 0}), Contains("no traffic"));
}

} // namespace nocturne::pattern_test
