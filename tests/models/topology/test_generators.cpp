// Each generator against the closed formulas of its network.
#include "models/topology/generators.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/all_networks.hpp"
#include "tests/models/topology/check_invariants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace nocturne::generators_test {

using namespace nocturne::test;

namespace {

std::vector<std::pair<unsigned, unsigned>> links_of(const Topology& topology, RouterId router)
{
    std::vector<std::pair<unsigned, unsigned>> links;
    for (const ChannelId id : topology.channels_from(router))
        links.emplace_back(router, topology.channel(id).target);
    return links;
}

bool linked(const Topology& topology, RouterId a, RouterId b)
{
    return std::ranges::any_of(topology.channels_from(a),
                               [&](ChannelId id) { return topology.channel(id).target == b; });
}

unsigned power(unsigned base, unsigned exponent)
{
    unsigned result = 1;
    for (; exponent > 0; --exponent)
        result *= base;
    return result;
}

} // namespace

TEST_CASE("every generator keeps the invariants and has the traits of its kind at every size",
          "[topology][generators]")
{
    for (const std::string& spec : all_networks()) {
        INFO(spec);
        const Topology topology = make_topology(spec);
        check_invariants(topology);
        bool has_fat_nodes = false; // of kinds that say how many processors a router has
        for (RouterId r = 0; r < topology.router_count(); ++r)
            has_fat_nodes = has_fat_nodes || topology.processors_injecting_into(r).size() > 1;
        CHECK((topology.default_ports() == one_port) == (has_fat_nodes || has_trait(spec, "one-port")));
        if (has_trait(spec, "direct")) {
            REQUIRE(topology.processor_count() == topology.router_count());
            for (ProcessorId p = 0; p < topology.processor_count(); ++p)
                REQUIRE(topology.processor(p) == Processor{p, p, topology.router_name(p)});
        }
        if (!has_trait(spec, "one-way"))
            CHECK(is_bidirectional(topology));
        if (!topology.tag_digits().empty() && topology.channel_count() > 0)
            CHECK_FALSE(is_bidirectional(topology));
        // The middle of omega:4 is the same as two parallel wires.
        if (!has_trait(spec, "parallel") && spec != "dragonfly:2,4,2,2")
            CHECK(is_simple(topology));
    }
}

TEST_CASE("a mesh has the size, degree and diameter of its extents", "[topology][generators][grid]")
{
    const std::vector<unsigned> extent = GENERATE(values<std::vector<unsigned>>(
        {{1}, {2}, {9}, {4, 4}, {1, 7}, {3, 11}, {4, 4, 2}, {3, 4, 5}, {2, 2, 2, 2}, {13, 1, 2}}));
    const Topology topology = make_mesh(extent);
    INFO(topology.name());
    const unsigned routers = std::accumulate(extent.begin(), extent.end(), 1u, std::multiplies<>{});
    CHECK(topology.router_count() == routers);
    std::size_t channels = 0;
    unsigned corner_to_corner = 0;
    for (const unsigned e : extent) {
        channels += 2 * (e - 1) * (routers / e);
        corner_to_corner += e - 1;
    }
    CHECK(topology.channel_count() == channels);
    CHECK(diameter(topology) == corner_to_corner);
    REQUIRE(topology.grid() == Grid{extent, false});
    for (const Channel& channel : topology.channels()) { // one step in one dimension
        const auto a = topology.coordinates(channel.source), b = topology.coordinates(channel.target);
        unsigned steps = 0;
        for (std::size_t d = 0; d < a.size(); ++d)
            steps += a[d] > b[d] ? a[d] - b[d] : b[d] - a[d];
        CHECK(steps == 1);
    }
}

TEST_CASE("a torus closes every dimension of 3 or more, and has one link where the extent is 2",
          "[topology][generators][grid]")
{
    const std::vector<unsigned> extent = GENERATE(values<std::vector<unsigned>>(
        {{1}, {2}, {3}, {4, 4}, {1, 5}, {2, 5}, {2, 2}, {3, 4, 5}, {4, 4, 4}, {2, 2, 3}, {3, 3, 3, 3}}));
    const Topology topology = make_torus(extent);
    INFO(topology.name());
    std::size_t degree = 0;
    unsigned farthest = 0;
    for (const unsigned e : extent) {
        degree += std::min(e - 1, 2u);
        farthest += e / 2;
    }
    CHECK(is_regular(topology, degree));
    CHECK(diameter(topology) == farthest);
    CHECK(topology.grid() == Grid{extent, true});
}

TEST_CASE("grid names are coordinates: digits up to extent 10, then with commas",
          "[topology][generators][grid]")
{
    CHECK(make_mesh(std::vector{4u, 4u}).router_name(1) == "01");
    CHECK(make_torus(std::vector{10u, 10u}).router_name(37) == "37");
    CHECK(make_mesh(std::vector{2u, 13u}).router_name(25) == "1,12");
    CHECK(make_mesh(std::vector{4u, 4u, 2u}).router_name(3) == "011");
    CHECK(make_coated_mesh(4, 4).router_name(15) == "33");
}

TEST_CASE("a hypercube links indices that differ in one bit; folding adds the complement",
          "[topology][generators]")
{
    const unsigned n = GENERATE(2u, 3u, 4u, 5u, 6u);
    const Topology plain = make_hypercube(n), folded = make_folded_hypercube(n);
    CHECK(is_regular(plain, n));
    CHECK(is_regular(folded, n + 1));
    CHECK(is_simple(folded));
    CHECK(diameter(plain) == n);
    CHECK(diameter(folded) == (n + 1) / 2);
    for (const Channel& channel : plain.channels())
        CHECK(std::has_single_bit(channel.source ^ channel.target));
    for (RouterId r = 0; r < (1u << n); ++r) {
        CHECK(linked(folded, r, r ^ ((1u << n) - 1)));
        for (unsigned d = 0; d < n; ++d)
            CHECK(plain.coordinates(r)[d] == (r >> (n - 1 - d) & 1));
    }
}

TEST_CASE("a coated mesh has its processors clockwise around it, two at each corner",
          "[topology][generators]")
{
    const auto [rows, columns] = GENERATE(table<unsigned, unsigned>({{2, 2}, {4, 4}, {3, 5}, {12, 3}}));
    const Topology topology = make_coated_mesh(rows, columns);
    CHECK(topology.processor_count() == 2 * (rows + columns));
    CHECK(topology.channel_count() == 2 * (rows * (columns - 1) + columns * (rows - 1)));
    for (RouterId r = 0; r < topology.router_count(); ++r) // mesh links and processors: four at every switch
        CHECK(topology.channels_from(r).size() + topology.processors_injecting_into(r).size() == 4);
    CHECK(topology.find_processor("p0") == 0u);
    CHECK(topology.processor(columns - 1).injection == columns - 1);           // right end of the top side
    CHECK(topology.processor(columns).injection == columns - 1);               // top end of the right side
    CHECK(topology.processor(columns + rows).injection == rows * columns - 1); // right end of the bottom side
    CHECK(topology.processor(2 * (rows + columns) - 1).injection == 0);
}

TEST_CASE("a binary tree has N-1 switches and two processors on each bottom one",
          "[topology][generators][tree]")
{
    const unsigned n = GENERATE(2u, 4u, 8u, 16u, 32u, 64u);
    const Topology topology = make_binary_tree(n);
    const unsigned height = static_cast<unsigned>(std::bit_width(n)) - 1; // levels of switches
    CHECK(topology.router_count() == n - 1);
    CHECK(topology.channel_count() == 2 * (n - 2));
    CHECK(diameter(topology) == 2 * (height - 1));
    for (RouterId r = 0; r < n - 1; ++r)
        CHECK(topology.processors_ejected_by(r).size() == (r >= n / 2 - 1 ? 2 : 0));
}

TEST_CASE("a full binary tree has a processor at every vertex", "[topology][generators][tree]")
{
    const unsigned levels = GENERATE(1u, 2u, 3u, 4u, 5u, 6u);
    const Topology topology = make_full_binary_tree((1u << levels) - 1);
    CHECK(topology.processor_count() == (1u << levels) - 1);
    CHECK(topology.channel_count() == 2 * ((1u << levels) - 2));
    CHECK(diameter(topology) == 2 * (levels - 1));
}

TEST_CASE("a fat tree has constant width: every cut below a subtree is as wide as the subtree has processors",
          "[topology][generators][tree]")
{
    const auto [k, n] =
        GENERATE(table<unsigned, unsigned>({{2, 1}, {2, 2}, {2, 3}, {2, 5}, {3, 2}, {3, 3}, {4, 3}, {7, 2}}));
    const Topology topology = make_fat_tree(k, n);
    const unsigned width = power(k, n - 1);
    CHECK(topology.processor_count() == width * k);
    CHECK(topology.router_count() == n * width);
    CHECK(topology.channel_count() == 2 * (n - 1) * width * k);
    CHECK(diameter(topology) == 2 * (n - 1));
    for (RouterId r = 0; r < topology.router_count(); ++r) {
        const bool top = r < width, bottom = r >= (n - 1) * width;
        CHECK(topology.channels_from(r).size() == (top ? 0 : k) + (bottom ? 0 : k));
        CHECK(topology.processors_ejected_by(r).size() == (bottom ? k : 0));
    }
    // Processors with a common prefix of i digits meet n-1-i levels up.
    const std::vector<unsigned> hops = hops_from(topology, topology.processor(0).injection);
    for (ProcessorId p = 0; p < topology.processor_count(); ++p) {
        unsigned levels_up = 0;
        while (p / power(k, levels_up + 1) != 0)
            ++levels_up;
        CHECK(hops[topology.processor(p).ejection] == 2 * levels_up);
    }
}

TEST_CASE("fattree:8 is fattree:2,3", "[topology][generators][tree]")
{
    CHECK(make_topology("fattree:8") == make_topology("fattree:2,3"));
    CHECK(make_topology("fattree:2,3").name() == "fattree:8");
}

TEST_CASE("a Kautz digraph joins words that overlap", "[topology][generators][words]")
{
    const auto [d, n] = GENERATE(
        table<unsigned, unsigned>({{1, 1}, {1, 3}, {2, 1}, {2, 3}, {3, 2}, {3, 3}, {5, 2}, {10, 2}}));
    const Topology topology = make_kautz(d, n);
    INFO(topology.name());
    CHECK(topology.router_count() == (d + 1) * power(d, n - 1));
    CHECK(is_regular(topology, d));
    CHECK(is_simple(topology));
    CHECK(diameter(topology) == (d == 1 ? 1 : n)); // of degree 1 there are two words whatever their length
    if (d < 10)
        for (const Channel& channel : topology.channels())
            CHECK(topology.router_name(channel.source).substr(1) +
                      topology.router_name(channel.target).back() ==
                  topology.router_name(channel.target));
}

TEST_CASE("the words of kautz:3,2 are those of the paper", "[topology][generators][words]")
{
    const Topology topology = make_kautz(3, 2);
    std::vector<std::string> words;
    for (RouterId r = 0; r < topology.router_count(); ++r)
        words.push_back(topology.router_name(r));
    CHECK(words ==
          std::vector<std::string>{"01", "02", "03", "10", "12", "13", "20", "21", "23", "30", "31", "32"});
    CHECK(links_of(topology, 0) ==
          std::vector<std::pair<unsigned, unsigned>>{{0, 3}, {0, 4}, {0, 5}}); // 10 12 13
    CHECK(make_kautz(10, 2).router_name(0) == "0,1");
}

TEST_CASE("a de Bruijn digraph has no self-loops: constant words lack one channel",
          "[topology][generators][words]")
{
    const auto [d, n] = GENERATE(table<unsigned, unsigned>({{2, 1}, {2, 2}, {2, 4}, {2, 6}, {3, 3}, {5, 2}}));
    const Topology topology = make_debruijn(d, n);
    CHECK(topology.router_count() == power(d, n));
    CHECK(topology.channel_count() == power(d, n) * d - d);
    CHECK(is_simple(topology));
    CHECK(diameter(topology) == n);
    CHECK(topology.channels_from(0).size() == d - 1);
    for (const Channel& channel : topology.channels())
        CHECK(channel.source * d % power(d, n) == channel.target / d * d);
}

TEST_CASE("an octagon is a ring with links across", "[topology][generators][ring]")
{
    const unsigned n = GENERATE(8u, 12u, 16u, 20u, 64u);
    const Topology slim = make_octagon(n), fat = make_fat_octagon(n);
    CHECK(is_regular(slim, 3));
    CHECK(is_simple(slim));
    CHECK(diameter(slim) == n / 4);
    for (RouterId r = 0; r < n; ++r) {
        CHECK(linked(slim, r, (r + 1) % n));
        CHECK(linked(slim, r, (r + n / 2) % n));
        CHECK(fat.processor(2 * r).injection == r);
        CHECK(fat.processor(2 * r + 1).ejection == r);
    }
    CHECK(fat.processor_count() == 2 * n);
    CHECK(std::ranges::equal(fat.channels(), slim.channels()));
}

TEST_CASE("ring, star and complete graph", "[topology][generators][ring]")
{
    const unsigned n = GENERATE(3u, 4u, 5u, 8u, 17u);
    CHECK(is_regular(make_ring(n), 2));
    CHECK(diameter(make_ring(n)) == n / 2);
    CHECK(is_regular(make_complete(n), n - 1));
    CHECK(diameter(make_complete(n)) == 1);
    const Topology star = make_star(n);
    CHECK(star.router_count() == n + 1);
    CHECK(star.processor_count() == n);
    CHECK(star.channel_count() == 2 * n);
    CHECK(diameter(star) == 2);
    const RouterId hub = star.find_router("hub").value();
    CHECK(star.processors_injecting_into(hub).empty());
    CHECK(star.channels_from(hub).size() == n);
}

TEST_CASE("the Moore graphs reach the Moore bound and have girth 5", "[topology][generators]")
{
    const auto [topology, degree] =
        GENERATE(table<Topology, unsigned>({{make_petersen(), 3}, {make_hoffman_singleton(), 7}}));
    INFO(topology.name());
    CHECK(topology.router_count() ==
          1 + degree * degree); // 1 + d + d(d-1): only without triangles and squares
    CHECK(is_regular(topology, degree));
    CHECK(is_simple(topology));
    CHECK(diameter(topology) == 2);
}

TEST_CASE("the largest networks are built, with the number of processors that was asked for",
          "[topology][generators]")
{
    const auto [spec, processors] = GENERATE(table<std::string, std::size_t>({{"omega:4096", 4096},
                                                                              {"butterfly:4096", 4096},
                                                                              {"benes:2,12", 4096},
                                                                              {"clos:64,64,64", 4096},
                                                                              {"fattree:4096", 4096},
                                                                              {"mesh:64x64", 4096},
                                                                              {"torus:16x16x16", 4096},
                                                                              {"hypercube:12", 4096},
                                                                              {"debruijn:2,12", 4096},
                                                                              {"ring:4096", 4096},
                                                                              {"kautz:2,11", 3072},
                                                                              {"star:4096", 4096},
                                                                              {"complete:512", 512},
                                                                              {"ring:1048576", 1048576},
                                                                              {"omega:16384", 16384}}));
    INFO(spec);
    CHECK(make_topology(spec).processor_count() == processors);
}

TEST_CASE("what takes something for each pair is refused on networks beyond its size", "[topology][size]")
{
    const Topology largest = make_topology("mesh:64x64");
    const Topology larger = make_topology("mesh:64x65");
    CHECK_NOTHROW(require_pairwise_size(largest, "schedules"));
    CHECK_THROWS_WITH(
        require_pairwise_size(larger, "schedules"),
        "mesh:64x65: schedules: for at most 4096 processors, 65536 routers and 1048576 channels");
    CHECK(in_binary_units(0) == "0 B");
    CHECK(in_binary_units(1023) == "1023 B");
    CHECK(in_binary_units(1024) == "1.0 KiB");
    CHECK(in_binary_units(std::uint64_t{1} << 34) == "16.0 GiB");
}

} // namespace nocturne::generators_test
