#include "models/topology/make_topology.hpp"
#include "schedules/symmetry/symmetries.hpp"
#include "tests/catch.hpp"
#include "tests/models/routing/random_networks.hpp"
#include "tests/schedules/symmetry/is_symmetry.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

namespace nocturne::symmetries_test {

using namespace nocturne::test;

namespace {

struct KnownOrder {
    std::string network;
    double automorphisms;
    double all; ///< with those that reverse
};

Topology with_fat_router(Topology topology)
{
    topology.add_processor(0, 0, "second");
    return topology;
}

/// Router permutations under which the number of channels between any two stays, times those of parallel
/// channels.
double count_by_trying_all(const Topology& topology, bool reversed)
{
    const std::size_t routers = topology.router_count();
    std::map<std::pair<RouterId, RouterId>, unsigned> channels;
    for (const Channel& channel : topology.channels())
        ++channels[{channel.source, channel.target}];
    double parallel = 1;
    for (const auto& [ends, count] : channels)
        parallel *= std::tgamma(count + 1);
    std::vector<RouterId> image(routers);
    std::iota(image.begin(), image.end(), 0u);
    double found = 0;
    do {
        found += std::all_of(channels.begin(), channels.end(), [&](const auto& entry) {
            auto ends = std::pair(image[entry.first.first], image[entry.first.second]);
            if (reversed)
                std::swap(ends.first, ends.second);
            const auto other = channels.find(ends);
            return other != channels.end() && other->second == entry.second;
        });
    } while (std::next_permutation(image.begin(), image.end()));
    return found * parallel;
}

} // namespace

TEST_CASE("the groups of known networks have their orders", "[symmetry][symmetries]")
{
    const auto known = GENERATE(values<KnownOrder>({{"mesh:4x4", 8, 16},
                                                    {"mesh:3x5", 4, 8},
                                                    {"torus:8x8", 512, 1024},
                                                    {"torus:4x6", 8 * 12, 2 * 8 * 12},
                                                    {"torus:4x4", 384, 768},
                                                    {"hypercube:4", 384, 768},
                                                    {"hypercube:7", 645120, 1290240},
                                                    {"petersen", 120, 240},
                                                    {"octagon:8", 16, 32},
                                                    {"ring:7", 14, 28},
                                                    {"complete:6", 720, 1440},
                                                    {"kautz:2,3", 6, 12},
                                                    {"hoffman_singleton", 252000, 504000}}));
    const Topology topology = make_topology(known.network);
    CHECK(find_symmetries(topology, Reversal::excluded).order == known.automorphisms);
    CHECK(find_symmetries(topology, Reversal::included).order == known.all);
}

TEST_CASE("on small random networks the order is what trying all permutations finds",
          "[symmetry][symmetries]")
{
    const auto seed = GENERATE(range(1u, 25u));
    const Topology topology =
        seed % 2 == 0 ? random_connected(seed, 5, seed % 5) : random_directed(seed, 5, seed % 7);
    CAPTURE(topology.name());
    const double automorphisms = count_by_trying_all(topology, false);
    CHECK(find_symmetries(topology, Reversal::excluded).order == automorphisms);
    CHECK(find_symmetries(topology, Reversal::included).order ==
          automorphisms + count_by_trying_all(topology, true));
    const auto group = find_symmetries(topology, Reversal::included);
    const auto listed = elements(topology, group.generators, 10000);
    REQUIRE(listed);
    CHECK(static_cast<double>(listed->size()) == group.order);
}

TEST_CASE("whatever is found is a symmetry of network and collective", "[symmetry][symmetries]")
{
    const auto seed = GENERATE(range(1u, 13u));
    const Topology topology = with_fat_router(seed % 3 == 0   ? random_connected(seed, 6, 3)
                                              : seed % 3 == 1 ? random_directed(seed, 4, 6)
                                                              : make_topology("fat_octagon:8"));
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    std::mt19937_64 random(seed);
    std::vector<std::uint32_t> image(processors);
    std::iota(image.begin(), image.end(), 0u);
    std::shuffle(image.begin(), image.end(), random);
    const Collective collective =
        GENERATE_REF(alltoall({processors}), scatter({processors}, 1), permutation(image),
                     many_to_many_scatter({processors}, {0, 1, 2}, {2, 3}), allgather({processors}),
                     multicast({processors}, 0, {1, 3}));
    CAPTURE(topology.name(), to_string(collective.kind));
    const SymmetryGroup group = find_symmetries(topology, collective, Reversal::included);
    Symmetry product = identity(topology);
    for (const Symmetry& generator : group.generators) {
        CHECK(is_symmetry(topology, collective, generator));
        CHECK_FALSE(is_identity(generator));
        product = compose(product, generator);
        CHECK(is_symmetry(topology, collective, product));
        CHECK(is_identity(compose(product, inverse(product))));
    }
}

TEST_CASE("a message is not taken for the two ends of a processor", "[symmetry][symmetries]")
{
    // Two processors that exchange messages, and inject at one router: their injections cannot change places
    // alone.
    Topology topology("two");
    topology.add_router();
    topology.add_router();
    topology.add_link(0, 1);
    topology.add_processor(0, 1);
    topology.add_processor(0, 0, "b");
    const Collective exchange = permutation({1, 0});
    for (const Reversal reversal : {Reversal::excluded, Reversal::included})
        for (const Symmetry& symmetry : find_symmetries(topology, exchange, reversal).generators)
            CHECK(is_symmetry(topology, exchange, symmetry));
    CHECK(find_symmetries(topology, exchange, Reversal::excluded).order == 1);
}

TEST_CASE("the collective takes away symmetries of the network", "[symmetry][symmetries]")
{
    const Topology torus = make_topology("torus:8x8");
    const auto order = [&](const Collective& collective) {
        return find_symmetries(torus, collective, Reversal::included).order;
    };
    CHECK(order(alltoall({64})) == 1024);
    CHECK(order(allgather({64})) == 512);
    CHECK(order(scatter({64}, 5)) == 8);
    // A shift by one column: all translations, the mirror of the rows; and a mirror of the columns that
    // reverses.
    std::vector<std::uint32_t> shift(64);
    for (std::uint32_t i = 0; i < 64; ++i)
        shift[i] = i / 8 * 8 + (i + 1) % 8;
    CHECK(order(permutation(shift)) == 64 * 2 * 2);
    CHECK_THROWS_AS(order(alltoall({63})), std::invalid_argument);
}

TEST_CASE("a symmetry takes paths to paths between the images", "[symmetry][symmetries]")
{
    const Topology topology = make_topology("kautz:2,3");
    const auto group = find_symmetries(topology, Reversal::included);
    const auto all = elements(topology, group.generators, 12);
    REQUIRE(all);
    for (const Symmetry& symmetry : *all) {
        for (ChannelId first = 0; first < topology.channel_count(); ++first) {
            const RouterId middle = topology.channel(first).target;
            for (const ChannelId second : topology.channels_from(middle)) {
                const SourceAndDestination ends{topology.channel(first).source,
                                                topology.channel(second).target};
                const auto [source, destination] = image(symmetry, ends);
                CHECK(connects(topology, source, destination, image(symmetry, Path{first, second})));
            }
        }
    }
}

TEST_CASE("a group is listed up to a size, and as far as its elements are accepted", "[symmetry][symmetries]")
{
    const Topology ring = make_topology("ring:6");
    const auto generators = find_symmetries(ring, Reversal::excluded).generators;
    CHECK_FALSE(elements(ring, generators, 11));
    const auto all = elements(ring, generators, 12);
    REQUIRE(all);
    CHECK(is_identity(all->front()));
    CHECK_FALSE(elements(ring, generators, 12, [](const Symmetry& s) { return s.processors[0] != 3; }));
}

TEST_CASE("a message that stays in its place is found", "[symmetry][symmetries]")
{
    const Topology line = make_topology("mesh:3");
    const auto all = elements(line, find_symmetries(line, Reversal::included).generators, 4);
    REQUIRE(all);
    for (const Symmetry& symmetry : *all) {
        const bool mirrored = symmetry.processors[0] == 2;
        CAPTURE(mirrored, symmetry.reverses);
        const auto kept = kept_message(alltoall({3}), symmetry);
        // Of 0>2 and 2>0 the mirror makes one another, and so does turning round: both together keep them.
        CHECK(kept.has_value() == (mirrored == symmetry.reverses));
        if (kept)
            CHECK(image(symmetry, *kept) == *kept);
    }
}

} // namespace nocturne::symmetries_test
