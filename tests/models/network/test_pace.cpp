#include "models/network/pace.hpp"
#include "models/network/zero_load.hpp"
#include "models/routing/random.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"

namespace nocturne::pace_test {

TEST_CASE("flits that are always ready leave at their rate, and none before", "[network][pace]")
{
    SplitMix64 random(3);
    for (int i = 0; i < 200; ++i) {
        FlitRate rate;
        rate.flits = 1 + random.below(400);
        rate.cycles = rate.flits + random.below(600);
        Pace pace(rate);
        CHECK(pace.is_full() == (rate.flits == rate.cycles));
        const std::uint64_t first = 1 + random.below(1000);
        std::uint64_t leaves = first;
        for (std::uint64_t flit = 0; flit < 300; ++flit) {
            REQUIRE(leaves == first + flit * rate.cycles / rate.flits);
            leaves = pace.next(leaves);
        }
        // A pause is not made up for.
        const std::uint64_t later = leaves + 50;
        leaves = later;
        for (std::uint64_t flit = 0; flit < 20; ++flit) {
            REQUIRE(leaves == later + flit * rate.cycles / rate.flits);
            leaves = pace.next(leaves);
        }
    }
}

TEST_CASE("what waits for other reasons now and then keeps the rate", "[network][pace]")
{
    SplitMix64 random(4);
    const FlitRate rate{7, 8};
    Pace pace(rate);
    std::uint64_t leaves = 1;
    for (std::uint64_t flit = 1; flit <= 7000; ++flit)
        leaves = pace.next(leaves) + (flit % 100 == 0 ? 1 : 0);
    // 70 flits wait a cycle longer than they must: the rest of the cycle before is lost, no more.
    CHECK(leaves >= 8000);
    CHECK(leaves <= 8000 + 2 * 70);
}

TEST_CASE("a long message takes the rate of its interfaces, and the formula is as long as flit by flit",
          "[network][pace][zero_load]")
{
    const Topology plain = make_topology("mesh:1x3");
    const Route route = shortest_path(plain).route(0, 2);
    HardwareConfig config;
    config.flit_bytes = 32;
    const auto cycles = [&](unsigned injection, unsigned ejection, std::uint64_t flits) {
        Topology topology = plain;
        topology.set_part(0, {.injection_rate = injection});
        topology.set_part(2, {.ejection_rate = ejection});
        return zero_load_cycles(topology, config, route, flits);
    };
    const std::uint64_t head = cycles(0, 0, 1);
    CHECK(cycles(0, 0, 1001) == head + 1000);
    CHECK(cycles(32'000, 64'000, 1001) == head + 1000); // as wide as a flit, or wider
    CHECK(cycles(28'000, 0, 1) == head);
    // Flits behind the head gain two cycles on it in each of three routers.
    CHECK(cycles(28'000, 0, 7001) == head + 8000 - 3 * config.router.head_cycles());
    CHECK(cycles(0, 28'000, 7001) == head + 8000);
    CHECK(cycles(16'000, 28'000, 7001) == head + 14'000 - 3 * config.router.head_cycles());
    CHECK(cycles(28'000, 16'000, 7001) == head + 14'000);
    // Of what is long the rest is added, a period at a time.
    for (const std::uint64_t flits : {65'536u, 70'000u, 100'003u}) {
        const std::uint64_t longer = cycles(28'100, 23'200, flits + 29 * 1000);
        CHECK(longer == cycles(28'100, 23'200, flits) + 40 * 1000);
    }
    CHECK(cycles(28'000, 28'000, 1ull << 40) > (1ull << 40));
}

} // namespace nocturne::pace_test
