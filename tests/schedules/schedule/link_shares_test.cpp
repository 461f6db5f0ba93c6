#include "models/routing/random.hpp"
#include "schedules/schedule/chunk_time.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/schedule/edit_transfers.hpp"

#include <algorithm>

using namespace nocturne;

namespace {

/// Processors 0 to 3 at one switch, 4 to 7 at another, by links of 50 bytes a cycle; between the switches
/// links of another width. Latencies of 10 cycles.
LinkNetwork two_leaves(std::uint64_t uplink)
{
    LinkNetwork network("two leaves", 8);
    const NodeId first = network.add_switch(NodeKind::plain_switch, "A");
    const NodeId second = network.add_switch(NodeKind::plain_switch, "B");
    for (NodeId node = 0; node < 8; ++node)
        network.add_links(node, node < 4 ? first : second, 50, 10);
    network.add_links(first, second, uplink, 10);
    return network;
}

LinkId up(NodeId node)
{
    return 2 * node;
}
LinkId down(NodeId node)
{
    return 2 * node + 1;
}
constexpr LinkId between = 16;

/// Processor p sends to p + 4, each its own chunk of weight 1.
Schedule across(std::uint32_t transfers)
{
    Schedule schedule;
    schedule.synchronization = ScheduleSynchronization::dependencies;
    schedule.collective.processors = 8;
    for (std::uint32_t p = 0; p < transfers; ++p) {
        schedule.collective.chunks.push_back({1, {p}});
        test::add_transfer(schedule, {{p, p, p + 4, Path{up(p), between, down(p + 4)}}});
    }
    return schedule;
}

} // namespace

TEST_CASE("as many transfers share a link as their rates fit into its bandwidth", "[chunks][time]")
{
    const AlphaBeta cost{.bytes_per_weight = 5000, .start_cycles = 3};
    const auto ends = [&](std::uint64_t uplink) { return end_times(across(4), two_leaves(uplink), cost); };
    CHECK(ends(200) == std::vector<double>{133, 133, 133, 133});
    CHECK(ends(199) == std::vector<double>{133, 133, 133, 233});
    CHECK(ends(149) == std::vector<double>{133, 133, 233, 233});
    CHECK(ends(50) == std::vector<double>{133, 233, 333, 433});
    CHECK(ends(25) == std::vector<double>{233, 433, 633, 833}); // at 25 bytes a cycle
}

TEST_CASE("latency keeps a transfer's share of its links, not all of them", "[chunks][time]")
{
    const AlphaBeta cost{.bytes_per_weight = 5000, .latency_holds_link = true};
    CHECK(end_times(across(4), two_leaves(200), cost) == std::vector<double>{130, 130, 130, 130});
    CHECK(end_times(across(4), two_leaves(100), cost) == std::vector<double>{130, 130, 260, 260});
}

TEST_CASE("none overtakes another on a link: one that is too wide waits, and those behind it",
          "[chunks][time]")
{
    LinkNetwork network("mixed", 6);
    const NodeId first = network.add_switch(NodeKind::plain_switch, "A");
    const NodeId second = network.add_switch(NodeKind::plain_switch, "B");
    for (NodeId node = 0; node < 6; ++node)
        network.add_links(node, node < 3 ? first : second, node % 3 == 1 ? 100 : 30, 1);
    network.add_links(first, second, 100, 1);
    Schedule schedule;
    schedule.synchronization = ScheduleSynchronization::dependencies;
    schedule.collective.processors = 6;
    for (std::uint32_t p = 0; p < 3; ++p) {
        schedule.collective.chunks.push_back({1, {p}});
        test::add_transfer(schedule, {{p, p, p + 3, Path{up(p), 12, down(p + 3)}}});
    }
    // 30 of 100 bytes a cycle, then all of them, then 30: the last would fit beside the first.
    CHECK(end_times(schedule, network, {.bytes_per_weight = 300}) == std::vector<double>{13, 16, 26});
}

TEST_CASE("links never gives away more than there is, and waits for nothing else", "[chunks][time]")
{
    struct Entry {
        Path path;
        double start, until;
    };
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SplitMix64 random(seed);
        LinkNetwork network("links", 7);
        for (NodeId node = 0; node + 1 < 7; ++node)
            network.add_link({node, node + 1, 1ULL << random.below(4), 0});
        LinkShares calendar(network);
        std::vector<Entry> entries;
        /// What is taken of a link from a time on, until the next change.
        const auto taken = [&](LinkId link, double time) {
            std::uint64_t sum = 0;
            for (const Entry& entry : entries)
                if (std::ranges::count(entry.path, link) > 0 && entry.start <= time && time < entry.until)
                    sum += rate_of(entry.path, network);
            return sum;
        };
        for (std::uint32_t i = 0; i < 60; ++i) {
            const LinkId begin = random.below(6), end = begin + 1 + random.below(6 - begin);
            Path path;
            for (LinkId link = begin; link < end; ++link)
                path.push_back(link);
            const double from = random.below(100);
            // Times at which it could begin: then, or when another gives back its share.
            std::vector<double> times{from};
            double first = from;
            for (const Entry& entry : entries) {
                times.push_back(entry.until);
                if (std::ranges::find_first_of(entry.path, path) != entry.path.end())
                    first = std::max(first, entry.start);
            }
            times.push_back(first);
            std::ranges::sort(times);
            const auto expected = std::ranges::find_if(times, [&](double time) {
                return time >= first && std::ranges::all_of(path, [&](LinkId link) {
                           return taken(link, time) + rate_of(path, network) <=
                                  network.link(link).bytes_per_cycle;
                       });
            });
            const double start = calendar.earliest_start(path, from);
            REQUIRE(start == *expected);
            CHECK(calendar.fits(path, start));
            entries.push_back({path, start, start + 1 + random.below(50)});
            calendar.hold(path, start, entries.back().until);
        }
    }
}
