#include "schedules/chunk_search/crossing_time.hpp"
#include "schedules/chunk_search/translated_search.hpp"
#include "schedules/schedule/translations.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/chunk_search/link_networks.hpp"

#include <set>

using namespace nocturne;

namespace {

/// All at each of some switches, over so many links side by side.
LinkNetwork planes(std::uint32_t processors, std::uint32_t switches, std::uint32_t links)
{
    LinkNetwork network("planes", processors);
    for (std::uint32_t plane = 0; plane < switches; ++plane) {
        const NodeId node = network.add_switch(NodeKind::plain_switch, "plane");
        for (NodeId processor = 0; processor < processors; ++processor)
            for (std::uint32_t link = 0; link < links; ++link) {
                network.add_link({processor, node, 3, 10});
                network.add_link({node, processor, 3, 10});
            }
    }
    return network;
}

/// Each one link from each.
LinkNetwork complete(std::uint32_t processors)
{
    LinkNetwork network("complete", processors);
    for (NodeId a = 0; a < processors; ++a)
        for (NodeId b = 0; b < processors; ++b)
            if (a != b)
                network.add_link({a, b, 5, 7});
    return network;
}

/// With the link as wide as that, and all others as before.
LinkNetwork with_link(const LinkNetwork& network, LinkId changed, std::uint64_t bytes_per_cycle)
{
    LinkNetwork result(network.name(), network.processor_count());
    for (NodeId node = network.processor_count(); node < network.node_count(); ++node)
        result.add_switch(network.kind(node), network.node_name(node));
    for (LinkId id = 0; id < network.link_count(); ++id) {
        NetworkLink link = network.link(id);
        if (id == changed)
            link.bytes_per_cycle = bytes_per_cycle;
        result.add_link(link);
    }
    return result;
}

} // namespace

TEST_CASE("what one member's chunks take becomes a valid schedule of all, as long and within the bound",
          "[chunk_search][translated]")
{
    const LinkNetwork network = GENERATE(test::rails(4, 4), test::rails(3, 5), test::rails(8, 2),
                                         planes(6, 1, 1), planes(5, 3, 2), complete(7));
    const auto kind = GENERATE(CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                               CollectiveKind::allreduce, CollectiveKind::alltoall);
    const auto parts = GENERATE(1u, 3u);
    const double start_cycles = GENERATE(0.0, 40.0);
    const std::uint32_t processors = network.processor_count();
    const Collective collective =
        test::of_kind(kind, {.processors = processors,
                             .parts = kind == CollectiveKind::allreduce ? parts * processors : parts});
    const AlphaBeta cost{.bytes_per_weight = 640, .start_cycles = start_cycles};
    CAPTURE(network.name(), processors, static_cast<int>(kind), parts, start_cycles);
    const auto found = search_translated(network, collective, {.cost = cost});
    REQUIRE(found);
    CHECK(test::first_violation(found->schedule, network) == "");
    CHECK(time_of(found->schedule, network, cost) == Approx(found->cycles).epsilon(1e-9));
    CHECK(found->cycles >=
          port_time_bound(network, collective, piece_of(collective), cost).cycles * (1 - 1e-9));
    if (kind == CollectiveKind::allreduce) { // one after the other; what is listed goes in stages too
        const CollectiveShape shape{.processors = processors, .parts = parts};
        CHECK(found->cycles <= (search_translated(network, reduce_scatter(shape), {.cost = cost})->cycles +
                                search_translated(network, allgather(shape), {.cost = cost})->cycles) *
                                   (1 + 1e-9));
    } else { // the same exchanges, of which all chunks are listed
        const auto listed = search_by_time(network, collective, {.cost = cost, .runs = 0});
        REQUIRE(listed);
        CHECK(found->cycles <= listed->cycles * (1 + 1e-9));
    }
}

TEST_CASE("translations take links to links that are as wide, of the members at which they are",
          "[chunk_search][translated]")
{
    const LinkNetwork network = GENERATE(test::rails(4, 3), planes(5, 2, 3), complete(6));
    std::vector<NodeId> members(network.processor_count());
    std::iota(members.begin(), members.end(), NodeId{0});
    const std::vector<Translations> all = translations_of(network, members);
    REQUIRE_FALSE(all.empty());
    for (const Translations& translations : all)
        for (const ChunkHop& hop : shortest_hops_from(network, members.front(), 4)) {
            const auto representatives = translations.representatives(hop.path);
            REQUIRE(representatives);
            std::set<std::vector<LinkId>> images;
            for (std::uint32_t by = 0; by < translations.count(); ++by) {
                const std::vector<NodeId>& seats = translations.grid().members;
                const NodeId from = seats[translations.moved(translations.seat_of(hop.source), by)],
                             to = seats[translations.moved(translations.seat_of(hop.destination), by)];
                const Path path = translations.path_between(from, to, *representatives);
                CHECK(translations.representatives(path) == representatives);
                REQUIRE(path.size() == hop.path.size());
                NodeId at = from;
                for (std::size_t i = 0; i < path.size(); ++i) {
                    CHECK(network.link(path[i]).source == at);
                    at = network.link(path[i]).target;
                    CHECK(network.link(path[i]).bytes_per_cycle == network.link(hop.path[i]).bytes_per_cycle);
                    CHECK(network.link(path[i]).latency_cycles == network.link(hop.path[i]).latency_cycles);
                }
                CHECK(at == to);
                images.insert(path);
            }
            CHECK(images.size() == translations.count());
        }
}

TEST_CASE("what does not look the same from every member is left to searches that see all of it",
          "[chunk_search][translated]")
{
    const LinkNetwork network = GENERATE(test::rails(3, 3), planes(6, 2, 1), complete(6));
    const std::uint32_t processors = network.processor_count();
    const TimedConfig config{.cost = {.bytes_per_weight = 64}};
    const auto finds = [&](const LinkNetwork& on, const Collective& collective) {
        return search_translated(on, collective, config).has_value();
    };
    Collective collective = allgather({.processors = processors});
    REQUIRE(finds(network, collective));
    for (LinkId link = 0; link < network.link_count(); link += 5)
        CHECK_FALSE(finds(with_link(network, link, network.link(link).bytes_per_cycle + 1), collective));
    SECTION("a chunk is larger")
    {
        collective.chunks.back().weight = 2;
        CHECK_FALSE(finds(network, collective));
    }
    SECTION("a chunk is released later")
    {
        collective.chunks.back().release_cycles = 100;
        CHECK_FALSE(finds(network, collective));
    }
    SECTION("a receiver is owed one less")
    {
        std::vector<Demand> demands(collective.demands.begin(), collective.demands.end() - 1);
        collective.demands = Demands(std::move(demands));
        CHECK_FALSE(finds(network, collective));
    }
    SECTION("an all-reduce has fewer chunks than members, or too many for a multiple")
    {
        CHECK_FALSE(finds(network, allreduce({.processors = processors})));
        CHECK_FALSE(finds(network, allreduce({.processors = processors, .parts = processors + 1})));
    }
    SECTION("only one sends, or all send to one")
    {
        CHECK_FALSE(finds(network, broadcast({.processors = processors}, 0)));
        CHECK_FALSE(finds(network, reduce({.processors = processors}, 0)));
    }
}

TEST_CASE("a group that looks the same from each of its members is enough", "[chunk_search][translated]")
{
    const LinkNetwork network = GENERATE(planes(7, 2, 1), complete(7));
    const auto kind = GENERATE(CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                               CollectiveKind::allreduce, CollectiveKind::alltoall);
    const std::vector<std::uint32_t> group{1, 2, 4, 5};
    const Collective collective = test::of_kind(
        kind, {.processors = 7, .parts = kind == CollectiveKind::allreduce ? 8u : 2u, .group = group});
    const AlphaBeta cost{.bytes_per_weight = 640};
    const auto found = search_translated(network, collective, {.cost = cost});
    REQUIRE(found);
    CHECK(test::first_violation(found->schedule, network) == "");
    CHECK(time_of(found->schedule, network, cost) == Approx(found->cycles).epsilon(1e-9));
}

TEST_CASE("an all-reduce of some hundred sends a copy of each sum, and each send waits for that alone",
          "[chunk_search][translated]")
{
    const LinkNetwork network = planes(280, 1, 1);
    const AlphaBeta cost{.bytes_per_weight = 64};
    const auto found =
        search_translated(network, allreduce({.processors = 280, .parts = 280}), {.cost = cost});
    REQUIRE(found);
    CHECK(test::first_violation(found->schedule, network) == "");
    CHECK(time_of(found->schedule, network, cost) == Approx(found->cycles).epsilon(1e-9));
    std::size_t waits = 0;
    for (std::size_t id = 0; id < count_transfers(found->schedule); ++id)
        waits += found->schedule.after.of(id).size();
    CHECK(waits == 280 * (279 + 279)); // of the copies and of the sends
}
