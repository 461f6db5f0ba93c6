#include "models/topology/make_topology.hpp"
#include "schedules/chunk_flows/path_rounding.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/chunk_search/link_networks.hpp"

#include <set>

using namespace nocturne;

namespace {

/// Links that lead from one node to the other, none of them twice.
bool is_path(const LinkNetwork& network, const LinkPath& path, NodeId source, NodeId receiver)
{
    NodeId at = source;
    for (const LinkId id : path) {
        if (network.link(id).source != at)
            return false;
        at = network.link(id).target;
    }
    std::set<LinkId> links(path.begin(), path.end());
    return at == receiver && links.size() == path.size();
}

double fullest(const LinkNetwork& network, const std::vector<LinkPath>& paths)
{
    std::vector<double> load(network.link_count(), 0);
    for (const LinkPath& path : paths)
        for (const LinkId id : path)
            load[id] += 1 / static_cast<double>(network.units(id));
    return *std::max_element(load.begin(), load.end());
}

} // namespace

TEST_CASE("the best flow of an all-to-all on the DGX-1 takes 8/3 rounds", "[chunk_flows]")
{
    const auto owed = owed_pairs(alltoall({.processors = 8}));
    const auto flow = least_congested_flow(test::dgx1(50, 350), owed->demands);
    REQUIRE(flow);
    CHECK(flow->rounds == Approx(8.0 / 3).epsilon(1e-6));
    CHECK(flow->is_best());
}

TEST_CASE("the shares of a flow are paths, add up to what is owed, and load no link more than it says",
          "[chunk_flows]")
{
    SplitMix64 random{GENERATE(range(1U, 61U))};
    const LinkNetwork network =
        test::random_links(random, {.least_processors = 3, .most_processors = 8, .most_more = 11});
    std::vector<PairDemand> demands; // in any order
    for (std::uint32_t i = 0; i < network.processor_count(); ++i)
        demands.push_back({(5 * i + 1) % network.processor_count(), i, 1 + random.below(9)});
    std::erase_if(demands, [](const PairDemand& demand) { return demand.source == demand.receiver; });
    if (demands.empty())
        return;
    const FlowEffort effort = GENERATE(FlowEffort::shortest, FlowEffort::least);
    const auto flow = least_congested_flow(network, demands, effort);
    REQUIRE(flow);
    CHECK((flow->is_best() || effort == FlowEffort::shortest));
    CHECK(flow->rounds >= flow->least_rounds * (1 - 1e-9));
    std::vector<double> load(network.link_count(), 0);
    for (std::size_t i = 0; i < demands.size(); ++i) {
        double all = 0;
        for (const PathShare& share : flow->shares[i]) {
            CHECK(is_path(network, share.path, demands[i].source, demands[i].receiver));
            all += share.weight;
            for (const LinkId id : share.path)
                load[id] += share.weight / static_cast<double>(network.units(id));
        }
        CHECK(all == Approx(static_cast<double>(demands[i].weight)).epsilon(1e-6));
    }
    CHECK(*std::max_element(load.begin(), load.end()) <= flow->rounds * (1 + 1e-6));
}

TEST_CASE("chunks on whole paths load links as the flow does, or with one chunk more", "[chunk_flows]")
{
    struct Row {
        LinkNetwork network;
        std::uint32_t parts;
        double rounds; ///< of the flow
        double most;   ///< of the chunks
    };
    const Row row = GENERATE(Row{test::dgx1(50, 350), 3, 8, 8}, Row{test::dgx1(50, 350), 6, 16, 16},
                             Row{link_network_of(make_topology("mesh:4x4")), 1, 16, 17},
                             Row{link_network_of(make_topology("mesh:4x4")), 2, 32, 32},
                             Row{link_network_of(make_topology("mesh:7x6")), 1, 72, 72},
                             Row{link_network_of(make_topology("hypercube:5")), 1, 16, 17});
    CAPTURE(row.network.name(), row.parts);
    const Collective collective = alltoall({.processors = row.network.processor_count(), .parts = row.parts});
    const auto owed = owed_pairs(collective);
    const auto flow = least_congested_flow(row.network, owed->demands);
    REQUIRE(flow);
    CHECK(flow->rounds == Approx(row.rounds).epsilon(1e-6));
    const auto paths = round_to_paths(row.network, collective, *owed, *flow);
    CHECK(fullest(row.network, paths) >= row.rounds * (1 - 1e-6));
    CHECK(fullest(row.network, paths) <= row.most * (1 + 1e-6));
    for (const Demand& demand : collective.demands)
        CHECK(is_path(row.network, paths[demand.chunk], demand.contributors.front(), demand.receiver));
}
