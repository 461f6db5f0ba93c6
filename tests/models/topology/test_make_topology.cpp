#include "models/topology/make_topology.hpp"
#include "models/topology/size.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/all_networks.hpp"

#include <algorithm>
#include <random>
#include <set>

namespace nocturne::specification_test {

using Catch::Contains;

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

TEST_CASE("an unknown network lists the known ones", "[topology][specification]")
{
    const std::string spec = GENERATE(as<std::string>{}, "moebius:8", "", ":", "Mesh:4x4", "mesh ", "omega8");
    CHECK_THROWS_WITH(make_topology(spec),
                      Contains("unknown network") && Contains("omega") && Contains("others"));
}

TEST_CASE("a bad size is one line that names the specification", "[topology][specification]")
{
    const auto [spec, reason] = GENERATE(table<std::string, std::string>({
        {"mesh:-4x4", "'-4' is not a size"},
        {"mesh:4x", "'' is not a size"},
        {"mesh:", "'' is not a size"},
        {"mesh", "expected mesh:RxC"},
        {"mesh:4,4", "'4,4' is not a size"},
        {"mesh:4 x4", "'4 ' is not a size"},
        {"mesh:+4x4", "'+4' is not a size"},
        {"mesh:4.5x4", "'4.5' is not a size"},
        {"mesh:0x4", "at least 1"},
        {"mesh:0x99999999999999999999", "too large"},
        {"torus:4294967296x2", "too large"},
        {"mesh:1000000x1000000", "more than 2097152 routers"},
        {"mesh:65536x65536x65536x65536x65536", "more than 2097152 routers"},
        {"torus:4294967295x4294967295x4294967295x2", "more than 2097152 routers"},
        {"hypercube:99", "more than 1048576 processors"},
        {"hypercube:0", "at least 1"},
        {"hypercube:4294967295", "more than 1048576 processors"},
        {"folded_hypercube:1", "at least 2"},
        {"omega:6", "not a power of two"},
        {"omega:1", "not a power of two"},
        {"omega:2097152", "more than 1048576 processors"},
        {"omega:2147483648", "more than 1048576 processors"},
        {"omega:8,8", "expected omega:N"},
        {"butterfly:0", "not a power of two"},
        {"clos:3,3", "expected clos:n,m,r"},
        {"clos:0,3,4", "at least 1"},
        {"clos:1,4294967295,4294967295", "more than 1048576 processors"},
        {"clos:1,3000000,4", "more than 2097152 routers"},
        {"clos:1,5000,4096", "more than 8388608 channels"},
        {"benes:1,3", "q is at least 2"},
        {"benes:2,0", "n at least 1"},
        {"benes:2,3,3", "at most n-1 = 2"},
        {"benes:2,4000000000", "more than 1048576 processors"},
        {"btree:12", "not a power of two"},
        {"btree:2097152", "more than 1048576 processors"},
        {"fbtree:8", "2^h - 1"},
        {"fbtree:4294967295", "more than 1048576 processors"},
        {"fattree:12", "not a power of two"},
        {"fattree:1,3", "k is at least 2"},
        {"fattree:4,0", "n at least 1"},
        {"fattree:4294967295,4294967295", "more than 1048576 processors"},
        {"coated_mesh:1x4", "at least 2 rows"},
        {"coated_mesh:4x4x4", "expected coated_mesh:RxC"},
        {"coated_mesh:4294967295x4294967295", "more than 2097152 routers"},
        {"coated_mesh:2x600000", "more than 1048576 processors"},
        {"kautz:0,2", "at least 1"},
        {"kautz:3,0", "at least 1"},
        {"kautz:4294967295,4294967295", "more than 1048576 processors"},
        {"kautz:4000,1", "more than 8388608 channels"},
        {"kautz:1,4294967295", "words longer than"},
        {"debruijn:1,4", "at least 2 letters"},
        {"debruijn:2,21", "more than 1048576 processors"},
        {"octagon:10", "not a multiple of 4"},
        {"octagon:4", "at least 8"},
        {"octagon:4294967292", "more than 1048576 processors"},
        {"fat_octagon:524292", "more than 1048576 processors"},
        {"fat_octagon:4294967292", "more than 1048576 processors"},
        {"ring:2", "at least 3"},
        {"ring:1048577", "more than 1048576 processors"},
        {"star:1", "at least 2"},
        {"complete:1", "at least 2"},
        {"complete:4096", "more than 8388608 channels"},
        {"complete:4294967295", "more than 1048576 processors"},
        {"dragonfly:2,4", "expected dragonfly:p,a,h[,g]"},
        {"dragonfly:0,4,2", "at least 1"},
        {"dragonfly:2,4,2,10", "2 to a*h + 1 = 9"},
        {"dragonfly:2,4,2,1", "2 to a*h + 1 = 9"},
        {"dragonfly:1,4294967295,4294967295", "more than 1048576 processors"},
        {"dragonfly:1,3000000,1,2", "more than 1048576 processors"},
        {"hyperx:4x0", "at least 1"},
        {"hyperx:4096", "more than 8388608 channels"},
        {"regular_hyperx:2,1,1,1", "S is at least 2"},
        {"regular_hyperx:4294967295,2,1,1", "more than 2097152 routers"},
        {"regular_hyperx:2,2,4294967295,1", "more than 8388608 channels"},
        {"flatfly:4,1", "at least 2"},
        {"flatfly:4294967295,4294967295", "more than 1048576 processors"},
        {"cmesh:4x4", "expected cmesh:RxCxk"},
        {"cmesh:4x4x0", "at least 1 processor"},
        {"cmesh:1000x1000x1000", "more than 1048576 processors"},
        {"folded_torus:0x4", "at least 1"},
        {"twisted_torus:4,8,8", "twist below the columns"},
        {"twisted_torus:1,8", "at least 2 rows"},
        {"twisted_torus:100000,100000", "more than 2097152 routers"},
        {"elevator_mesh:2x2x2x4", "an elevator at row and column 2"},
        {"elevator_mesh:2x2x2x0", "at least 1"},
        {"xgft:4,4,1", "as many m as w"},
        {"xgft:4,4,2,1", "w1 is 1"},
        {"xgft:4,0,1,1", "at least 1"},
        {"xgft:4,4,1,4294967295", "more than 2097152 routers"},
        {"slimfly:6", "prime power"},
        {"slimfly:15", "15 is not a prime power"},
        {"slimfly:2", "prime power 4w"},
        {"slimfly:5,0", "p is at least 1"},
        {"slimfly:4294967291", "more than 1048576 processors"},
        {"polarfly:6", "6 is not a prime power"},
        {"polarfly:1", "1 is not a prime power"},
        {"polarfly:3,4294967295", "more than 1048576 processors"},
        {"spidergon:7", "odd"},
        {"spidergon:2", "at least 4"},
        {"ccc:2", "at least 3"},
        {"ccc:40", "more than 1048576 processors"},
        {"hexamesh:0", "at least 1 ring"},
        {"hexamesh:4294967295", "more than 1048576 processors"},
        {"kite_small:1x4", "at least 2 rows"},
        {"kite_large:3x3", "the network falls apart"},
        {"kite_large:65536x65536", "more than 1048576 processors"},
        {"butterdonut:6", "not a power of two"},
        {"butterdonut:2", "at least 4"},
        {"dgx1:8", "expected dgx1"},
        {"rail:1,8", "at least 2 boxes"},
        {"rail:2,8,4294967295", "more than 2097152 routers"},
        {"petersen:3", "expected petersen"},
        {"petersen:", "'' is not a size"},
    }));
    CHECK_THROWS_AS(make_topology(spec), std::invalid_argument);
    CHECK_THROWS_WITH(make_topology(spec),
                      Contains(reason) && Catch::StartsWith(spec.substr(0, spec.find(':'))));
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
