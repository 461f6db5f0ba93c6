#include "schedules/chunk_flows/flow_schedule.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/chunk_search/link_networks.hpp"

#include <random>

using namespace nocturne;

namespace {

constexpr double cycles_per_ms = 500'000; // of 2 ns

/// Each chunk to one processor: blocks of any size, of none between some pairs.
Collective any_of_pairs(std::mt19937& random, std::uint32_t processors)
{
    const CollectiveShape shape{.processors = processors,
                                .parts = 1 + static_cast<std::uint32_t>(random() % 3)};
    const auto root = static_cast<std::uint32_t>(random() % processors);
    if (random() % 3 == 0)
        return scatter(shape, root);
    if (random() % 3 == 0)
        return gather(shape, root);
    std::vector<std::uint32_t> weights(processors * processors);
    for (std::uint32_t& weight : weights)
        weight = static_cast<std::uint32_t>(random() % 4);
    weights[1] = 1;
    return alltoall(shape, weights);
}

/// What must leave a set of processors over what the links out of it carry, at most over all sets; in cycles.
double largest_cut(const LinkNetwork& network, const Collective& collective, double bytes)
{
    double largest = 0;
    for (std::uint32_t set = 1; set + 1 < 1u << network.node_count(); ++set) {
        const auto inside = [&](NodeId node) { return (set >> node & 1) != 0; };
        double out = 0, leaving = 0;
        for (const NetworkLink& link : network.links())
            out +=
                inside(link.source) && !inside(link.target) ? static_cast<double>(link.bytes_per_cycle) : 0;
        for (const Demand& demand : collective.demands) {
            const Chunk& chunk = collective.chunks[demand.chunk];
            leaving += inside(chunk.contributors.front()) && !inside(demand.receiver) ? chunk.weight : 0;
        }
        largest = std::max(largest, leaving * bytes / out);
    }
    return largest;
}

/// Over the flow of least congestion.
std::optional<FlowSchedule> schedule_flow(const LinkNetwork& network, const Collective& collective,
                                          const FlowConfig& config)
{
    const auto owed = owed_pairs(collective);
    const auto flow =
        owed ? least_congested_flow(network, owed->demands, FlowEffort::least, config.end) : std::nullopt;
    return flow ? schedule_over(*flow, *owed, network, collective, config) : std::nullopt;
}

} // namespace

TEST_CASE("all-to-all on machines of two chassis: 1 GB a GPU in the time that the InfiniBand links need",
          "[chunk_flows]")
{
    struct Row {
        LinkNetwork network;
        std::uint32_t parts;
        double bound_ms; ///< what crosses between the chassis, over what the links between them carry
        double most_ms;
    };
    const Row row = GENERATE(Row{test::two_ndv2(), 4, 64 * 1000 / 16 / 12.5, 320.05},
                             Row{test::two_dgx2(), 4, 256 * 1000 / 32 / 100.0, 80.5});
    const std::uint32_t gpus = row.network.processor_count();
    FlowConfig config;
    config.cost.bytes_per_weight = 1e9 / (gpus * row.parts);
    const auto found = schedule_flow(row.network, alltoall({.processors = gpus, .parts = row.parts}), config);
    REQUIRE(found);
    CHECK(test::first_violation(found->schedule, row.network) == "");
    CHECK(found->flow_cycles == Approx(row.bound_ms * cycles_per_ms).epsilon(1e-6));
    CHECK(found->cycles >= found->flow_cycles * (1 - 1e-6));
    CHECK(found->cycles <= row.most_ms * cycles_per_ms);
}

TEST_CASE("flows on any network give valid schedules, no shorter than any cut allows", "[chunk_flows]")
{
    const unsigned seed = GENERATE(range(1u, 61u));
    std::mt19937 random(seed);
    SplitMix64 drawn(seed);
    const LinkNetwork network = test::random_links(
        drawn,
        {.least_processors = 3, .most_switches = 1, .copies = true, .both_ways = true, .most_latency = 30});
    const Collective collective = any_of_pairs(random, network.processor_count());
    const FlowConfig config{.cost = {.bytes_per_weight = 100,
                                     .start_cycles = random() % 2 == 0 ? 0.0 : 5.0,
                                     .latency_holds_link = random() % 2 == 0}};
    const auto found = schedule_flow(network, collective, config);
    REQUIRE(found);
    CHECK(test::first_violation(found->schedule, network) == "");
    CHECK(found->flow_cycles >= largest_cut(network, collective, 100) * (1 - 1e-6));
    CHECK(found->cycles >= found->flow_cycles * (1 - 1e-6));
    CHECK(found->cycles == Approx(time_of(found->schedule, network, config.cost)));
}

TEST_CASE("with more chunks the flow is reached", "[chunk_flows]")
{
    const LinkNetwork network = test::dgx1(50, 350);
    const auto over_flow = [&](std::uint32_t parts) {
        const auto found = schedule_flow(network, alltoall({.processors = 8, .parts = parts}),
                                         {.cost = {.bytes_per_weight = 1e9 / (8 * parts)}});
        return found->cycles / found->flow_cycles;
    };
    CHECK(over_flow(1) < 1.2);
    CHECK(over_flow(16) < 1.02);
}

TEST_CASE("on one switch all send at all times", "[chunk_flows]")
{
    const std::uint32_t processors = GENERATE(2u, 3u, 8u, 13u);
    LinkNetwork network{"switch", processors};
    const NodeId hub = network.add_switch(NodeKind::plain_switch, "hub");
    for (NodeId node = 0; node < processors; ++node)
        network.add_links(node, hub, 4, 3);
    const auto found = schedule_flow(network, alltoall({.processors = processors, .parts = 2}),
                                     {.cost = {.bytes_per_weight = 40}});
    REQUIRE(found);
    CHECK(test::first_violation(found->schedule, network) == "");
    CHECK(found->flow_cycles == Approx(10 * 2 * (processors - 1)));
    CHECK(found->cycles == Approx(10 * 2 * (processors - 1) + 6)); // two links of 3 cycles
}

TEST_CASE("what no flow can carry, or is none, has no schedule", "[chunk_flows]")
{
    LinkNetwork one_way{"one way", 3};
    one_way.add_link({0, 1, 4, 1});
    one_way.add_link({1, 2, 4, 1});
    CHECK_FALSE(schedule_flow(one_way, alltoall({.processors = 3}), {}));
    CHECK(schedule_flow(one_way, scatter({.processors = 3}, 0), {}));
    CHECK_FALSE(schedule_flow(one_way, broadcast({.processors = 3}, 0), {}));
    CHECK_FALSE(schedule_flow(one_way, reduce({.processors = 3}, 2), {}));
}
