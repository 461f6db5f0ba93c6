// Valid schedules with one defect each: all are caught, each by its own rule.
#include "models/routing/random.hpp"
#include "schedules/chunk_search/front.hpp"
#include "schedules/chunk_search/timed_search.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/schedule/edit_transfers.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

namespace nocturne::mutations_test {

namespace {

LinkNetwork ring_with_chords(SplitMix64& random)
{
    const std::uint32_t nodes = 3 + random.below(5);
    LinkNetwork network("ring with chords", nodes);
    for (NodeId node = 0; node < nodes; ++node)
        network.add_links(node, (node + 1) % nodes, 4, 1 + random.below(5));
    for (std::uint32_t chords = random.below(4); chords > 0; --chords) {
        const NodeId a = random.below(nodes), b = random.below(nodes);
        if (a != b)
            network.add_links(a, b, 4U << random.below(2), 1);
    }
    return network;
}

struct ValidCase {
    LinkNetwork network;
    Schedule schedule;
};

/// Without barriers; of a collective that adds if `adds`.
ValidCase valid_case(std::uint64_t seed, bool adds)
{
    SplitMix64 random(seed);
    LinkNetwork network = ring_with_chords(random);
    const CollectiveShape shape{.processors = network.processor_count(), .parts = 1 + random.below(3)};
    const auto kind =
        adds ? (random.below(2) == 0 ? CollectiveKind::allreduce : CollectiveKind::reduce_scatter)
             : (random.below(2) == 0 ? CollectiveKind::allgather : CollectiveKind::alltoall);
    TimedConfig config;
    config.seed = seed;
    config.runs = 1;
    config.cost.bytes_per_weight = 64;
    Schedule schedule = search_by_time(network, make_collective(kind, shape), config).value().schedule;
    return {std::move(network), std::move(schedule)};
}

/// An allgather in steps, on a ring.
ValidCase case_in_steps(std::uint64_t seed)
{
    SplitMix64 random(seed);
    const std::uint32_t nodes = 3 + random.below(4);
    LinkNetwork network("ring", nodes);
    for (NodeId node = 0; node < nodes; ++node)
        network.add_links(node, (node + 1) % nodes, 4U << random.below(2), 1);
    FrontConfig config;
    config.most_parts = 1;
    config.extra_steps = 0;
    auto front = find_front(network, allgather({.processors = nodes}), config);
    return {std::move(network), std::move(front.at(0).schedule)};
}

bool is_caught(const ValidCase& it, std::initializer_list<Rule> rules)
{
    const auto violations = validate(it.schedule, it.network);
    return std::any_of(violations.begin(), violations.end(), [&](const Violation& violation) {
        return std::find(rules.begin(), rules.end(), violation.rule) != rules.end();
    });
}

/// A transfer of a kind, drawn.
template <class Predicate>
std::optional<std::uint32_t> draw_transfer(const Schedule& schedule, SplitMix64& random, Predicate is_of_kind)
{
    std::vector<std::uint32_t> found;
    const std::vector<ListedTransfer> listed = list_transfers(schedule);
    for (std::uint32_t id = 0; id < listed.size(); ++id)
        if (is_of_kind(listed[id]))
            found.push_back(id);
    if (found.empty())
        return std::nullopt;
    return found[random.below(static_cast<std::uint32_t>(found.size()))];
}

/// The transfers that others wait for keep their numbers.
void drop(Schedule& schedule, std::uint32_t id)
{
    test::edit_transfers(schedule, [&](auto& listed) {
        listed.erase(listed.begin() + id);
        for (ListedTransfer& one : listed) {
            std::erase(one.after, id);
            for (std::uint32_t& before : one.after)
                before -= before > id ? 1 : 0;
        }
    });
}

/// A variable of the environment asks for more.
std::uint64_t seed_count()
{
    const char* const asked = std::getenv("NOCTURNE_MUTATION_SEEDS");
    return asked != nullptr ? std::strtoull(asked, nullptr, 10) : 150;
}

} // namespace

TEST_CASE("a contribution that is added again is caught", "[chunks][mutations]")
{
    for (std::uint64_t seed = 0; seed < seed_count(); ++seed) {
        INFO("seed " << seed);
        ValidCase it = valid_case(seed, true);
        SplitMix64 random(seed);
        REQUIRE(validate(it.schedule, it.network).empty());
        const auto id = draw_transfer(it.schedule, random, [](const ListedTransfer& one) {
            return one.transfer.operation == Operation::add && !one.transfer.is_local();
        });
        REQUIRE(id);
        ListedTransfer again = list_transfers(it.schedule)[*id];
        again.after.push_back(*id);
        test::add_transfer(it.schedule, again);
        CHECK(is_caught(it, {Rule::added_twice}));
    }
}

TEST_CASE("a dependency that is left out is caught", "[chunks][mutations]")
{
    for (std::uint64_t seed = 0; seed < seed_count(); ++seed) {
        INFO("seed " << seed);
        ValidCase it = valid_case(seed, seed % 2 == 0);
        SplitMix64 random(seed);
        const auto id = draw_transfer(it.schedule, random, [](const ListedTransfer& one) {
            return !one.after.empty() && !one.transfer.is_local();
        });
        if (!id) // everything was there from the beginning
            continue;
        test::set_after(it.schedule, *id, {});
        CHECK(is_caught(it, {Rule::race}));
    }
}

TEST_CASE("a transfer that is left out is caught", "[chunks][mutations]")
{
    for (std::uint64_t seed = 0; seed < seed_count(); ++seed) {
        INFO("seed " << seed);
        ValidCase it = valid_case(seed, seed % 2 == 0);
        SplitMix64 random(seed);
        const auto id = draw_transfer(it.schedule, random,
                                      [](const ListedTransfer& one) { return !one.transfer.is_local(); });
        drop(it.schedule, *id);
        CHECK(is_caught(it, {Rule::nothing_there, Rule::undelivered, Rule::missing_contribution}));
    }
}

TEST_CASE("a path that leads elsewhere, and a link that does not exist, are caught", "[chunks][mutations]")
{
    for (std::uint64_t seed = 0; seed < seed_count(); ++seed) {
        INFO("seed " << seed);
        ValidCase it = valid_case(seed, seed % 2 == 0);
        SplitMix64 random(seed);
        const auto id = draw_transfer(it.schedule, random,
                                      [](const ListedTransfer& one) { return !one.transfer.is_local(); });
        Transfer& transfer = test::transfer_at(it.schedule, *id);
        if (seed % 3 == 0) {
            transfer.path->back() = static_cast<LinkId>(it.network.link_count());
            CHECK(is_caught(it, {Rule::unknown_channel}));
        } else {
            transfer.destination = (transfer.destination + 1) % it.network.processor_count();
            CHECK(is_caught(it, {Rule::broken_path}));
        }
    }
}

TEST_CASE("a chunk in the place of another is caught", "[chunks][mutations]")
{
    for (std::uint64_t seed = 0; seed < seed_count(); ++seed) {
        INFO("seed " << seed);
        ValidCase it = valid_case(seed, true);
        SplitMix64 random(seed);
        const auto chunks = static_cast<std::uint32_t>(it.schedule.collective.chunks.size());
        const auto id = draw_transfer(it.schedule, random, [&](const ListedTransfer& one) {
            return one.transfer.operation == Operation::add && one.transfer.to < chunks;
        });
        if (!id || chunks < 2)
            continue;
        Transfer& transfer = test::transfer_at(it.schedule, *id);
        transfer.to = (transfer.to + 1) % chunks;
        CHECK(is_caught(it, {Rule::different_chunks}));
    }
}

TEST_CASE("more than a link carries in a step is caught", "[chunks][mutations]")
{
    for (std::uint64_t seed = 0; seed < seed_count() / 3; ++seed) {
        INFO("seed " << seed);
        ValidCase it = case_in_steps(seed);
        REQUIRE(validate(it.schedule, it.network).empty());
        SplitMix64 random(seed);
        const auto id = draw_transfer(it.schedule, random,
                                      [](const ListedTransfer& one) { return !one.transfer.is_local(); });
        const ListedTransfer again = list_transfers(it.schedule)[*id];
        // Into scratch, where it disturbs nothing, until the link is full.
        for (std::uint32_t copy = 0; copy < 4 * it.schedule.rounds[again.step] + 1; ++copy) {
            ListedTransfer more = again;
            more.transfer.to = static_cast<PlaceId>(it.schedule.collective.chunks.size()) + copy;
            test::add_transfer(it.schedule, more);
        }
        CHECK(is_caught(it, {Rule::link_overfull}));
    }
}

} // namespace nocturne::mutations_test
