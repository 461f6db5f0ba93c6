#include "schedules/chunk_flows/link_flow.hpp"
#include "tests/schedules/chunk_flows/clusters.hpp"

#include <catch2/catch.hpp>

using namespace nocturne;

TEST_CASE("the best flow of an all-to-all on the DGX-1 takes 8/3 rounds", "[chunk_flows]")
{
    const LinkNetwork network = test::dgx1_nvlink();
    std::vector<PairDemand> demands;
    for (std::uint32_t a = 0; a < 8; ++a)
        for (std::uint32_t b = 0; b < 8; ++b)
            if (a != b)
                demands.push_back({a, b, 1});
    const auto flow = least_congested_flow(network, demands);
    REQUIRE(flow);
    CHECK(flow->rounds == Approx(8.0 / 3).epsilon(1e-7));
}
