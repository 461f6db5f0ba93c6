#include "models/routing/random.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/chunk_search/network_symmetry.hpp"
#include "schedules/reschedule/chunk_faults.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <set>

namespace nocturne::chunk_faults_test {

using Catch::Contains;

namespace {

ChunkProblem problem_on(const Topology& topology, CollectiveKind kind)
{
    LinkNetwork network = link_network_of(topology);
    Collective collective = make_collective(kind, {.processors = network.processor_count()},
                                            has_root(kind) ? std::optional<std::uint32_t>(0) : std::nullopt);
    return {.network = std::move(network),
            .collective = std::move(collective),
            .parts = 2,
            .objective = ChunkObjective::time,
            .bytes = 1 << 16,
            .topology = topology};
}

const PortfolioOptions options{.budget = std::chrono::duration<double>(20), .workers = 1};

ChunkFaults faults_of(const Topology& topology, FaultKind kind, CollectiveKind collective)
{
    return chunk_faults(
        topology, kind, [&](const Topology& rest) { return problem_on(rest, collective); }, options);
}

/// The same network, its nodes and links in another order.
LinkNetwork shuffled(const LinkNetwork& network, SplitMix64& random)
{
    const auto shuffle = [&](auto begin, std::uint32_t count) {
        for (std::uint32_t i = count; i > 1; --i)
            std::swap(*(begin + (i - 1)), *(begin + random.below(i)));
    };
    std::vector<NodeId> place(network.node_count());
    std::iota(place.begin(), place.end(), 0U);
    shuffle(place.begin(), network.processor_count());
    LinkNetwork other("shuffled", network.processor_count());
    for (NodeId node = network.processor_count(); node < network.node_count(); ++node)
        other.add_switch(network.kind(node), network.node_name(node));
    std::vector<NetworkLink> links(network.links().begin(), network.links().end());
    shuffle(links.begin(), static_cast<std::uint32_t>(links.size()));
    for (NetworkLink link : links) {
        link.source = place[link.source];
        link.target = place[link.target];
        other.add_link(link);
    }
    return other;
}

} // namespace

TEST_CASE("networks have one form exactly if they differ by names and order alone", "[chunks][symmetry]")
{
    SplitMix64 random(5);
    std::set<std::vector<std::uint32_t>> forms;
    const char* const names[] = {"ring:6", "mesh:2x3",   "dgx1",      "dgx_a100",
                                 "star:5", "complete:4", "torus:3x3", "btree:4"};
    for (const char* name : names) {
        const LinkNetwork network = link_network_of(make_topology(name));
        const auto form = network_form(network);
        CHECK(forms.insert(form).second);
        for (unsigned i = 0; i < 5; ++i)
            CHECK(network_form(shuffled(network, random)) == form);
        // Wider links of the same graph, and one of them alone.
        CHECK(network_form(link_network_of(make_topology(name), {.bytes_per_cycle = 8})) != form);
        LinkNetwork more = network;
        more.add_link({0, network.link(0).target == 0 ? 1 : network.link(0).target, 4, 1});
        CHECK(network_form(more) != form);
    }
}

TEST_CASE("each fault has the schedule and the bound of what it leaves", "[chunks][faults]")
{
    const auto [name, kind, collective] =
        GENERATE(std::tuple{"mesh:2x3", FaultKind::link, CollectiveKind::allreduce},
                 std::tuple{"mesh:2x3", FaultKind::node, CollectiveKind::allgather},
                 std::tuple{"ring:5", FaultKind::channel, CollectiveKind::broadcast},
                 std::tuple{"complete:4", FaultKind::link_pairs, CollectiveKind::reduce_scatter});
    CAPTURE(name, kind, collective);
    const Topology topology = make_topology(name);
    const ChunkFaults faults = faults_of(topology, kind, collective);
    REQUIRE(faults.rows.size() == all_faults(topology, kind).size());
    for (std::size_t i = 0; i < faults.rows.size(); ++i) {
        const ChunkFault& row = faults.rows[i];
        CAPTURE(row.faults);
        REQUIRE(row.like <= i);
        CHECK(faults.rows[row.like].like == row.like);
        if (!row.refusal.empty())
            continue;
        REQUIRE(row.cycles);
        REQUIRE(row.bound);
        CHECK(*row.cycles >= *row.bound * (1 - 1e-9));
        // What it takes by itself: of the same network with other names up to what the search makes of them.
        const PortfolioResult alone =
            find_schedule(problem_on(with_faults(topology, row.faults), collective), options);
        CHECK(*row.bound == Approx(alone.bounds.cycles->cycles));
        if (row.like == i)
            CHECK(*row.cycles == alone.cycles);
    }
}

TEST_CASE("faults that symmetries take to each other are one search", "[chunks][faults]")
{
    const auto searches = [](const char* name, CollectiveKind collective) {
        const ChunkFaults faults = faults_of(make_topology(name), FaultKind::link, collective);
        std::set<std::size_t> rows;
        for (const ChunkFault& row : faults.rows)
            rows.insert(row.like);
        return rows.size();
    };
    CHECK(searches("ring:6", CollectiveKind::allreduce) == 1);
    CHECK(searches("complete:4", CollectiveKind::allgather) == 1);
    // The root is nearer to some.
    CHECK(searches("ring:6", CollectiveKind::broadcast) == 6);
}

TEST_CASE("a fault that cuts processors off is refused, and the others go on", "[chunks][faults]")
{
    const ChunkFaults faults = faults_of(make_topology("star:3"), FaultKind::link, CollectiveKind::allreduce);
    for (const ChunkFault& row : faults.rows) {
        CHECK_FALSE(row.cycles);
        CHECK_FALSE(row.refusal.empty());
    }
    const ChunkFaults nodes =
        faults_of(make_topology("mesh:1x4"), FaultKind::node, CollectiveKind::allgather);
    REQUIRE(nodes.rows.size() == 4);
    CHECK(nodes.rows[0].cycles);
    CHECK_FALSE(nodes.rows[1].cycles);
    CHECK(nodes.rows[3].like == 0);
}

TEST_CASE("a flag ends the table with the rows so far", "[chunks][faults]")
{
    std::atomic<bool> stop = false;
    PortfolioOptions stopped = options;
    stopped.stop = &stop;
    const ChunkFaults faults = chunk_faults(
        make_topology("mesh:2x3"), FaultKind::link,
        [&](const Topology& rest) { return problem_on(rest, CollectiveKind::allgather); }, stopped,
        [&](std::size_t done, std::size_t total) {
            CHECK(total == 7);
            stop = done == 3;
        });
    CHECK(faults.rows.size() == 3);
}

} // namespace nocturne::chunk_faults_test
