#include "schedules/collective/collective.hpp"
#include "schedules/collective/kind_names.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/collective/drawn_collectives.hpp"

#include <algorithm>
#include <vector>

namespace nocturne::collective_test {

namespace {

using Processors = std::vector<std::uint32_t>;

/// One collective of every kind on 5 processors.
std::vector<Collective> one_of_each(std::uint32_t parts = 1)
{
    const CollectiveShape all{5, parts};
    const CollectiveShape three{5, parts, {4, 0, 2}};
    return {broadcast(all, 3),
            allgather(all),
            scatter(all, 0),
            alltoall(all),
            gather(all, 4),
            reduce(three, 2),
            reduce_scatter(all),
            allreduce(all),
            scan(three),
            multicast(all, 2, {4, 0}),
            permutation({1, 2, 0, 3, 4}, parts),
            many_to_many_broadcast(all, {0, 1, 2}, {2, 3}),
            many_to_many_scatter(all, {4, 1}, {0, 1, 4})};
}

/// Those of them that add nothing.
std::vector<Collective> of_messages()
{
    std::vector<Collective> all = one_of_each();
    std::erase_if(all, reduces);
    all.push_back(alltoall({.processors = 5, .group = {4, 2, 0, 1}}));
    return all;
}

} // namespace

TEST_CASE("collectives owe what their names say, and are made again from their kinds", "[collective]")
{
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        SplitMix64 random(seed);
        const test::AskedCollective asked = test::draw_collective(
            random, 2 + random.below(7), {.is_weighted = true, .sums_of_some = true, .most_parts = 3});
        CAPTURE(seed, to_string(asked.kind));
        const Collective made = make_collective(asked.kind, asked.processors, asked.given);
        const Collective owed = test::spelled_out(asked);
        CHECK(made.chunks == owed.chunks);
        CHECK(made.parts == owed.parts);
        const std::vector<Demand> listed = test::listed_demands(owed);
        CHECK(std::ranges::equal(made.demands, listed));
        if (listed.size() < owed.demands.size())
            CHECK(keeps_own(made.kind));
        const auto participants = participants_of(made);
        REQUIRE(participants);
        CHECK(make_collective(made.kind, made.processors, *participants) == made);
    }
}

TEST_CASE("to cut a collective into parts is to make it in so many", "[collective]")
{
    const std::uint32_t parts = GENERATE(1U, 2U, 3U, 7U);
    const std::vector<Collective> whole = one_of_each(), cut = one_of_each(parts),
                                  more = one_of_each(2 * parts);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        CAPTURE(to_string(whole[i].kind));
        CHECK(in_parts(whole[i], parts) == cut[i]);
        CHECK(in_parts(cut[i], 2) == more[i]);
        CHECK(in_parts(at_once(whole[i], whole[0]), parts) == at_once(cut[i], cut[0]));
    }
    const std::vector<std::uint32_t> weights{1, 0, 3, 2, 5};
    CHECK(in_parts(allgather({5}, weights), parts) == allgather({5, parts}, weights));
    CHECK_THROWS_AS(in_parts(whole[0], 0), std::invalid_argument);
    CHECK_THROWS_AS(in_parts(whole[1], max_demands / 4), std::invalid_argument);
}

TEST_CASE("every message is found by its origin and receiver, and nothing else is", "[collective]")
{
    for (const Collective& collective : of_messages())
        for (std::uint32_t origin = 0; origin < collective.processors + 1; ++origin)
            for (std::uint32_t receiver = 0; receiver < collective.processors; ++receiver) {
                std::optional<MessageId> expected;
                for (MessageId id = 0; id < collective.messages().size(); ++id)
                    if (collective.messages()[id].origin == origin &&
                        (is_broadcast(collective) || collective.messages()[id].receivers.front() == receiver))
                        expected = id;
                CHECK(find_message(collective, origin, receiver) == expected);
            }
}

TEST_CASE("participants that a kind lacks or does not take are refused", "[collective]")
{
    CHECK_THROWS_WITH(make_collective(CollectiveKind::broadcast, 8, {}),
                      "broadcast (OAB, one-to-all broadcast): source missing");
    CHECK_THROWS_WITH(make_collective(CollectiveKind::allgather, 8, {.source = 0}),
                      "allgather (AAB, all-to-all broadcast): it takes no source");
    CHECK_THROWS_WITH(make_collective(CollectiveKind::multicast, 8, {.source = 0}),
                      "multicast: receivers missing");
    CHECK_THROWS_WITH(make_collective(CollectiveKind::many_to_many_scatter, 8, {.receivers = {1}}),
                      "many-to-many-scatter (MNS): senders missing");
    CHECK_THROWS_WITH(make_collective(CollectiveKind::permutation, 3, {.image = {1, 0}}),
                      "permutation: image of 2 processors, there are 3");
    CHECK_THROWS_WITH(
        make_collective(CollectiveKind::multicast, 8, {.source = 0, .receivers = {1}, .group = {0, 1}}),
        "multicast: it takes no group");
    CHECK_THROWS_WITH(make_collective(CollectiveKind::scan, 8, {.weights = {1}}),
                      "scan: it takes no weights");
    CHECK_THROWS_WITH(make_collective(CollectiveKind::allgather, 3, {.weights = {1, 2}}),
                      "allgather (AAB, all-to-all broadcast): 2 weights, it takes 3");
    CHECK_THROWS_WITH(make_collective(CollectiveKind::gather, 8, {.source = 1, .group = {0, 2}}),
                      "gather (AOG, all-to-one gather): root #1 is not in the group");
    CHECK_THROWS_WITH(make_collective(CollectiveKind::custom, 8, {}),
                      "a custom collective is one that a file lists");
}

TEST_CASE("a collective that is not what its kind says has no participants", "[collective]")
{
    Collective collective = allgather({4});
    collective.chunks.back().weight = 2;
    CHECK(participants_of(collective)); // with a weight
    collective.kind = CollectiveKind::many_to_many_broadcast;
    CHECK_FALSE(participants_of(collective));
    CHECK_FALSE(participants_of(at_once(scan({4}), scan({4}))));
}

TEST_CASE("it is known whether all processors take part, uncut", "[collective]")
{
    CHECK(is_among_all(alltoall({5}), CollectiveKind::alltoall));
    CHECK_FALSE(is_among_all(alltoall({5}), CollectiveKind::allgather));
    CHECK_FALSE(is_among_all(alltoall({5, 1, {0, 1, 2}}), CollectiveKind::alltoall));
    CHECK_FALSE(is_among_all(alltoall({5, 2}), CollectiveKind::alltoall));
}

TEST_CASE("bad processors are named, never clamped", "[collective]")
{
    CHECK_THROWS_WITH(alltoall({1}),
                      "alltoall (AAS, all-to-all scatter): it takes at least 2 processors, not 1");
    CHECK_THROWS_WITH(allgather({0}),
                      "allgather (AAB, all-to-all broadcast): it takes at least 2 processors, not 0");
    CHECK_THROWS_WITH(
        broadcast({8}, 8),
        "broadcast (OAB, one-to-all broadcast): source: processor #8 does not exist, there are 8");
    CHECK_THROWS_WITH(gather({8}, 9),
                      "gather (AOG, all-to-one gather): root: processor #9 does not exist, there are 8");
    CHECK_THROWS_WITH(allreduce({8, 1, {1, 9}}),
                      "allreduce: group: processor #9 does not exist, there are 8");
    CHECK_THROWS_WITH(allreduce({8, 1, {1}}), "allreduce: a group of 1 processor, it takes at least 2");
    CHECK_THROWS_WITH(many_to_many_scatter({8}, {1, 2, 1}, {3}),
                      "many-to-many-scatter (MNS): senders: processor #1 appears twice");
    CHECK_THROWS_WITH(multicast({8}, 1, {1}), "multicast: nothing to send");
    CHECK_THROWS_WITH(multicast({8}, 1, {}), "multicast: no receivers");
    CHECK_THROWS_WITH(permutation({0, 1, 2}), "permutation: nothing to send");
    CHECK_THROWS_WITH(permutation({1, 1, 2}), "permutation: image: processor #1 appears twice");
    CHECK_THROWS_WITH(permutation({1, 3, 0}), "permutation: image: processor #3 does not exist, there are 3");
    CHECK_THROWS_WITH(scan({4, 0}), "scan: 0 chunks, it takes at least 1");
}

TEST_CASE("a collective too large for memory is refused before it takes any", "[collective]")
{
    const std::string too_many = ": more than 16777216 results: fewer processors or parts are needed";
    CHECK_THROWS_WITH(alltoall({4097}), "alltoall (AAS, all-to-all scatter)" + too_many);
    CHECK_THROWS_WITH(allreduce({4096, 8192}), "allreduce" + too_many);
    CHECK_THROWS_AS(allgather({1U << 20}), std::invalid_argument);
    CHECK_THROWS_AS(broadcast({~0U}, 0), std::invalid_argument);
    CHECK(allgather({512}).chunks.size() == 512);
}

TEST_CASE("demands come in order of their chunks", "[collective]")
{
    const ProcessorList whom{0};
    const Demands demands({{2, 5, whom}, {0, 4, whom}, {2, 1, whom}});
    CHECK(demands.size() == 3);
    CHECK(demands.front() == Demand{0, 4, whom});
    const auto of = [&](ChunkId chunk) {
        const auto receivers = demands.receivers_of(chunk);
        return Processors(receivers.begin(), receivers.end());
    };
    CHECK(of(0) == Processors{4});
    CHECK(of(1).empty());
    CHECK(of(2) == Processors{5, 1});
    CHECK(of(3).empty());
    Demands more = demands;
    CHECK_THROWS_WITH(more.push_back({1, 0, whom}), "a demand for chunk 1 after one for chunk 2");
    CHECK_THROWS_AS(more.push_back({1U << 24, 0, whom}), std::invalid_argument);
    more.push_back({3, 0, whom});
    CHECK(more.size() == 4);
    CHECK(demands.size() == 3); // shared with it until then
    CHECK(demands.receivers_of(3).empty());
}

TEST_CASE("kinds are read in any case and by any of their names", "[collective]")
{
    for (const Collective& collective : one_of_each()) {
        CHECK(parse_collective_kind(to_string(collective.kind)) == collective.kind);
        CHECK(parse_collective_kind(paper_name(collective.kind)) == collective.kind);
        const std::string text = in_words(collective.kind);
        CHECK(text.starts_with(to_string(collective.kind)));
        CHECK(with_kind_in_words(collective.kind, std::string(paper_name(collective.kind)) + " on ring:4") ==
              text + " on ring:4");
    }
    CHECK(to_string(CollectiveKind::alltoall) == "alltoall");
    CHECK(paper_name(CollectiveKind::alltoall) == "AAS");
    CHECK(paper_name(CollectiveKind::scan) == "scan");
    CHECK(in_words(CollectiveKind::allgather) == "allgather (AAB, all-to-all broadcast)");
    CHECK(in_words(CollectiveKind::many_to_many_scatter) == "many-to-many-scatter (MNS)");
    CHECK(in_words(CollectiveKind::multicast) == "multicast");
    CHECK(collective_kinds_in_words().size() == 13);
    for (const auto& [name, kind] : std::vector<std::pair<const char*, CollectiveKind>>{
             {"aab", CollectiveKind::allgather},
             {"Multicast", CollectiveKind::multicast},
             {"all_gather", CollectiveKind::allgather},
             {"Scatter", CollectiveKind::scatter},
             {"all-to-all", CollectiveKind::alltoall},
             {"All Reduce", CollectiveKind::allreduce},
             {"ReduceScatter", CollectiveKind::reduce_scatter},
             {"all-to-one gather", CollectiveKind::gather},
             {"REDUCE", CollectiveKind::reduce},
             {"AOR", CollectiveKind::reduce},
             {"many-to-many broadcast", CollectiveKind::many_to_many_broadcast},
             {"MPI_Allreduce", CollectiveKind::allreduce},
             {"ncclAllReduce", CollectiveKind::allreduce},
             {"ncclReduceScatter", CollectiveKind::reduce_scatter},
             {"MPI_Reduce_scatter_block", CollectiveKind::reduce_scatter},
             {"MPI_Bcast", CollectiveKind::broadcast},
             {"bcast", CollectiveKind::broadcast},
             {"all2all", CollectiveKind::alltoall}})
        CHECK(parse_collective_kind(name) == kind);
    const std::string known =
        "nown are broadcast, allgather, scatter, alltoall, gather, reduce, reduce-scatter, allreduce, scan, "
        "multicast, permutation, many-to-many-broadcast, many-to-many-scatter";
    CHECK_THROWS_WITH(parse_collective_kind("X"), "unknown collective 'X': k" + known);
    CHECK_THROWS_WITH(parse_collective_kind("AA"), "unknown collective 'AA': did you mean 'AAB'? K" + known);
    CHECK_THROWS_WITH(parse_collective_kind("scater"),
                      "unknown collective 'scater': did you mean 'scatter'? K" + known);
    for (const char* library : {"", "MPI_", "nccl"})
        CHECK_THROWS_AS(parse_collective_kind(library), std::invalid_argument);
}

TEST_CASE("turned round twice a collective is itself", "[collective]")
{
    const std::uint32_t processors = GENERATE(2u, 3u, 7u);
    const auto kind = GENERATE(CollectiveKind::broadcast, CollectiveKind::reduce, CollectiveKind::scatter,
                               CollectiveKind::gather, CollectiveKind::allgather,
                               CollectiveKind::reduce_scatter, CollectiveKind::alltoall);
    const auto collective = make_collective(kind, {.processors = processors, .parts = 2},
                                            has_root(kind) ? std::optional<std::uint32_t>{1} : std::nullopt);
    CHECK(reversed(reversed(collective)) == collective);
}

TEST_CASE("allgather turned round is reduce-scatter", "[collective]")
{
    const std::uint32_t processors = GENERATE(2u, 5u);
    CHECK(reversed(allgather({.processors = processors, .parts = 2})) ==
          reduce_scatter({.processors = processors, .parts = 2}));
}

TEST_CASE("turned round, what adds copies, also a chunk that is owed to none", "[collective]")
{
    Collective collective = reduce({.processors = 3, .parts = 2}, 0);
    collective.demands = Demands({collective.demands.front()});
    CHECK(reduces(collective));
    CHECK_FALSE(reduces(reversed(collective)));
}

TEST_CASE("from some time on, what is released later is owed, and its release counted from then",
          "[collective]")
{
    Collective collective = alltoall({.processors = 3});
    for (ChunkId chunk = 0; chunk < 6; ++chunk)
        collective.chunks[chunk].release_cycles = 10 * chunk;
    CHECK(released_from(collective, 0) == collective);
    const Collective later = released_from(collective, 25);
    CHECK(later.chunks.size() == 6);
    CHECK(later.demands.size() == 3);
    for (const Demand& demand : later.demands)
        CHECK(later.chunks[demand.chunk].release_cycles + 25 == 10 * demand.chunk);
    CHECK(later.chunks[1].release_cycles == 0);
    CHECK(in_parts(collective, 2).chunks[3].release_cycles == 10);
    CHECK(reversed(collective).chunks[5].release_cycles == 0);
}

} // namespace nocturne::collective_test
