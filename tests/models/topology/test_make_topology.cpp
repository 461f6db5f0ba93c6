#include "models/topology/make_topology.hpp"
#include "models/topology/size.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/all_networks.hpp"

#include <random>
#include <set>

namespace nocturne::specification_test {

TEST_CASE("the table's examples are networks, each with the name that was asked for",
          "[topology][specification]")
{
    for (const TopologyKind& kind : topology_kinds()) {
        INFO(kind.name);
        CHECK(make_topology(kind.example).name() == kind.example);
        CHECK_FALSE(kind.help.empty());
        CHECK(kind.help.find('\n') == std::string_view::npos);
    }
}

TEST_CASE("the sweep of the other tests leaves no kind out", "[topology][specification]")
{
    std::set<std::string_view> swept, known;
    const std::vector<std::string> specs = test::small_networks();
    for (const std::string& spec : specs)
        swept.insert(std::string_view(spec).substr(0, spec.find(':')));
    for (const TopologyKind& kind : topology_kinds())
        known.insert(kind.name);
    CHECK(swept == known);
}

TEST_CASE("a network's name is a specification of it", "[topology][specification]")
{
    for (const std::string& spec : test::all_networks()) {
        INFO(spec);
        const Topology topology = make_topology(spec);
        CHECK(make_topology(topology.name()) == topology);
    }
    CHECK(make_topology("mesh:04x4").name() == "mesh:4x4");
    CHECK(make_topology("benes:2,3,0") == make_topology("benes:2,3"));
}

TEST_CASE("a specification says how many processors its network has", "[topology][specification]")
{
    for (const std::string& spec : test::all_networks()) {
        INFO(spec);
        CHECK(processors_of(spec) == make_topology(spec).processor_count());
    }
    CHECK(processors_of("torus:1000000x1000000") == 1'000'000'000'000);
    CHECK(processors_of("hypercube:60") == std::uint64_t{1} << 60U);
    CHECK_THROWS_AS(processors_of("moebius:8"), std::invalid_argument);
}

TEST_CASE("random specifications make a network or one line, never a crash or a hang",
          "[topology][specification]")
{
    std::mt19937 random(7);
    const std::string letters = "0123456789,x:-4294967296 ";
    std::size_t made = 0;
    for (int i = 0; i < 3000; ++i) {
        const auto kinds = topology_kinds();
        std::string spec(kinds[random() % kinds.size()].example);
        for (auto edits = random() % 4; edits-- > 0;)
            spec[random() % spec.size()] = letters[random() % letters.size()];
        try {
            const Topology topology = make_topology(spec);
            ++made;
            CHECK(topology.processor_count() <= largest_network.processors);
        } catch (const std::invalid_argument& error) {
            CHECK(std::string(error.what()).find('\n') == std::string::npos);
        }
    }
    CHECK(made > 100);
}

TEST_CASE("products and powers saturate", "[topology][size]")
{
    constexpr std::uint64_t most = std::uint64_t{1} << 60;
    CHECK(saturating_product({3, 4, 5}) == 60);
    CHECK(saturating_product({most, 0}) == 0);
    CHECK(saturating_product({~std::uint64_t{0}, ~std::uint64_t{0}}) == most);
    CHECK(saturating_power(3, 4) == 81);
    CHECK(saturating_power(2, 60) == most);
    CHECK(saturating_power(2, ~std::uint64_t{0}) == most);
    CHECK(saturating_power(1, ~std::uint64_t{0}) == 1);
    CHECK(saturating_power(0, 0) == 1);
    CHECK(saturating_power(0, 3) == 0);
}

} // namespace nocturne::specification_test
