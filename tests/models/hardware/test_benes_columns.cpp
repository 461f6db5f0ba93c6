#include "models/traffic/permutation.hpp"
#include "tests/catch.hpp"
#include "tests/models/benes/benes_reference.hpp"
#include "tests/models/hardware/benes_columns.hpp"
#include "tests/models/hardware/simulation.hpp"

namespace nocturne::benes_columns_test {

using Catch::Contains;

TEST_CASE("columns of switches and the fast evaluation agree attempt for attempt", "[hardware][benes]")
{
    const test::BenesSize size = GENERATE(from_range(test::benes_sizes()));
    const BenesWiring wiring(size.q, size.n, size.truncated);
    PermutationRouter router(wiring);
    const sc_core::sc_time clock(2, sc_core::SC_NS);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(size.q, size.n, size.truncated, seed);
        const RandomizedRouting how{seed % 2 == 0 ? Randomization::single : Randomization::multiple,
                                    seed % 3 == 0 ? Arbitration::lowest_port : Arbitration::random, seed};
        const auto permutation = random_permutation(wiring.lines(), seed);
        const auto words = static_cast<std::uint32_t>(1 + seed % 4);
        const test::Simulation simulation;
        const BenesNetwork network("benes", wiring, permutation, how, words, clock);
        test::run_to_end();
        const PermutationRun& run = network.terminals().run();
        REQUIRE(run == router.route(permutation, how));
        CHECK(network.terminals().all_intact());
        for (const auto& column : network.columns())
            CHECK(column->circuits() == 0);
        CHECK(sc_core::sc_time_stamp() == clock * (run.delay() * (wiring.columns() + words)));
    }
}

TEST_CASE("terminals want a permutation and messages", "[hardware][benes]")
{
    const BenesWiring wiring(2, 2);
    const sc_core::sc_time clock(1, sc_core::SC_NS);
    const std::vector<std::uint32_t> identity{0, 1, 2, 3};
    const std::vector<std::uint32_t> twice{0, 1, 2, 2};
    const test::Simulation simulation;
    CHECK_THROWS_WITH(BenesTerminals("a", wiring, identity, {}, 0, clock), Contains("0 words"));
    CHECK_THROWS_WITH(BenesTerminals("b", wiring, twice, {}, 1, clock), Contains("2 and 3 both send to 2"));
}

} // namespace nocturne::benes_columns_test
