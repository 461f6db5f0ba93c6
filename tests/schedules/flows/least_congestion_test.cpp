#include "schedules/flows/least_congestion.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/chunk_search/link_networks.hpp"

#include <ClpSimplex.hpp>
#include <numeric>
#include <vector>

namespace nocturne::least_congestion_test {
namespace {

/// Weights between some pairs.
std::vector<WalkGroup> random_groups(SplitMix64& random, const LinkNetwork& network)
{
    std::vector<WalkGroup> groups;
    for (NodeId source = 0; source < network.processor_count(); ++source) {
        WalkGroup group{source, {}};
        for (NodeId receiver = 0; receiver < network.processor_count(); ++receiver)
            if (receiver != source && random.below(4) != 0)
                group.demands.push_back({receiver, 1 + random.below(5)});
        if (!group.demands.empty())
            groups.push_back(std::move(group));
    }
    return groups;
}

/// Reference: the linear program over links and sources. Column 0 is the congestion; rows are the links, then
/// a balance for each source and node.
double least_congestion(const LinkNetwork& network, const std::vector<WalkGroup>& groups)
{
    const auto links = static_cast<int>(network.link_count()), nodes = static_cast<int>(network.node_count());
    ClpSimplex model;
    model.setLogLevel(0);
    model.resize(links + static_cast<int>(groups.size()) * nodes, 0);
    std::vector<int> rows(network.link_count());
    std::vector<double> units;
    std::iota(rows.begin(), rows.end(), 0);
    for (LinkId id = 0; id < network.link_count(); ++id) {
        units.push_back(-static_cast<double>(network.units(id)));
        model.setRowBounds(static_cast<int>(id), -COIN_DBL_MAX, 0);
    }
    model.addColumn(links, rows.data(), units.data(), 0, COIN_DBL_MAX, 1);
    for (std::size_t group = 0; group < groups.size(); ++group) {
        const int first = links + static_cast<int>(group) * nodes;
        for (int node = 0; node < nodes; ++node)
            model.setRowBounds(first + node, 0, 0);
        double all = 0;
        for (const WalkDemand& demand : groups[group].demands) {
            const auto weight = static_cast<double>(demand.messages);
            model.setRowBounds(first + static_cast<int>(demand.receiver), weight, weight);
            all += weight;
        }
        model.setRowBounds(first + static_cast<int>(groups[group].source), -all, -all);
        for (LinkId id = 0; id < network.link_count(); ++id) {
            const int rows_of_link[] = {static_cast<int>(id),
                                        first + static_cast<int>(network.link(id).source),
                                        first + static_cast<int>(network.link(id).target)};
            const double values[] = {1, -1, 1};
            model.addColumn(3, rows_of_link, values, 0, COIN_DBL_MAX, 0);
        }
    }
    model.primal();
    REQUIRE(model.isProvenOptimal());
    return model.objectiveValue();
}

/// What the flows of the best mixture load the fullest link with, in rounds; each group's is one.
double congestion_of_flows(const LeastCongestion& search, const LinkNetwork& network,
                           const std::vector<WalkGroup>& groups)
{
    std::vector<double> load(network.link_count(), 0);
    const auto flows = search.flows();
    for (std::size_t group = 0; group < groups.size(); ++group) {
        std::vector<double> surplus(network.node_count(), 0);
        for (const auto& [link, messages] : flows[group]) {
            CHECK(messages > 0);
            load[link] += messages / static_cast<double>(network.units(link));
            surplus[network.link(link).source] -= messages;
            surplus[network.link(link).target] += messages;
        }
        for (const WalkDemand& demand : groups[group].demands) {
            surplus[demand.receiver] -= static_cast<double>(demand.messages);
            surplus[groups[group].source] += static_cast<double>(demand.messages);
        }
        for (const double left : surplus)
            CHECK(left == Approx(0).margin(1e-6));
    }
    return *std::max_element(load.begin(), load.end());
}

/// What a seed draws: groups of demands on a network.
struct Drawn {
    explicit Drawn(unsigned seed) : random{seed} {}

    SplitMix64 random;
    LinkNetwork network =
        test::random_links(random, {.least_processors = 3, .most_processors = 7, .most_more = 11});
    WalkGraph graph{network};
    std::vector<WalkGroup> groups = random_groups(random, network);
};

} // namespace

TEST_CASE("column generation finds what the program over links says, and lengths that prove it", "[flows]")
{
    auto [random, network, graph, groups] = Drawn(GENERATE(range(1U, 101U)));
    if (groups.empty())
        return;
    LeastCongestion search(graph, groups, CongestionPrecision::exact, {});
    search.follow_weights(1 + random.below(20));
    CHECK(search.congestion() == Approx(congestion_of_flows(search, network, groups)));
    if (!search.is_settled() && random.below(2) == 0) {
        const double before = search.congestion();
        search.even_out(1'000'000);
        CHECK(search.congestion() <= before);
        CHECK(search.congestion() == Approx(congestion_of_flows(search, network, groups)));
    }
    if (!search.is_settled())
        search.solve_program(1'000'000);
    CHECK(search.is_settled());
    const double least = least_congestion(network, groups);
    CHECK(search.congestion() == Approx(least).epsilon(1e-6));
    CHECK(congestion_of_flows(search, network, groups) == Approx(least).epsilon(1e-6));
    CHECK(search.proof().congestion() <= least * (1 + 1e-9));
    CHECK(search.proof().congestion() >= least * (1 - 2e-6));

    // The proof, by distances of Bellman and Ford.
    const auto& lengths = search.proof().lengths;
    std::int64_t distance = 0, capacity = 0;
    for (LinkId id = 0; id < network.link_count(); ++id)
        capacity += lengths[id] * static_cast<std::int64_t>(network.units(id));
    for (const WalkGroup& group : groups) {
        std::vector<std::int64_t> from(network.node_count(), std::int64_t{1} << 60);
        from[group.source] = 0;
        for (std::size_t round = 0; round < network.node_count(); ++round)
            for (LinkId id = 0; id < network.link_count(); ++id)
                from[network.link(id).target] =
                    std::min(from[network.link(id).target], from[network.link(id).source] + lengths[id]);
        for (const WalkDemand& demand : group.demands)
            distance += static_cast<std::int64_t>(demand.messages) * from[demand.receiver];
    }
    CHECK(distance == search.proof().distance);
    CHECK(capacity == search.proof().capacity);
}

TEST_CASE("the search for least congestion is the same each time, and gives up at its end", "[flows]")
{
    const Drawn drawn(GENERATE(range(1U, 5U)));
    const auto lengths = [&] {
        LeastCongestion search(drawn.graph, drawn.groups, CongestionPrecision::exact, {});
        search.follow_weights(3);
        search.solve_program(1'000'000);
        return search.proof().lengths;
    };
    CHECK(lengths() == lengths());
    const std::atomic<bool> stop = true;
    LeastCongestion search(drawn.graph, drawn.groups, CongestionPrecision::exact, {.stop = &stop});
    search.follow_weights(3);
    CHECK(search.congestion() == std::numeric_limits<double>::infinity());
    CHECK_FALSE(search.is_settled());
}

TEST_CASE("whatever the end cuts short, what there was before is whole", "[flows]")
{
    Drawn drawn(GENERATE(range(1U, 41U)));
    if (drawn.groups.empty())
        return;
    std::atomic<bool> stop = false;
    LeastCongestion search(drawn.graph, drawn.groups, CongestionPrecision::exact, {.stop = &stop});
    search.follow_weights(1 + drawn.random.below(80));
    stop = true;
    const double before = search.congestion();
    const auto check = [&] {
        CHECK(search.congestion() <= before * (1 + 1e-9)); // CLP rounds
        CHECK(search.congestion() == Approx(congestion_of_flows(search, drawn.network, drawn.groups)));
    };
    if (drawn.random.below(2) == 0)
        search.even_out(1'000'000);
    check();
    search.solve_program(1'000'000);
    check();
    search.simplify();
    check();
}

} // namespace nocturne::least_congestion_test
