#include "schedules/collective/collective.hpp"
#include "schedules/collective/kind_names.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace nocturne::collective_test {

namespace {

using Processors = std::vector<std::uint32_t>;

/// (origin, receiver) of everything that is owed.
std::multiset<std::pair<std::uint32_t, std::uint32_t>> owed(const Collective& collective)
{
    std::multiset<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const Message& message : collective.messages)
        for (const auto receiver : message.receivers)
            pairs.emplace(message.origin, receiver);
    return pairs;
}

/// What `senders` owe `receivers`, written down in the most obvious way.
std::multiset<std::pair<std::uint32_t, std::uint32_t>> product(const Processors& senders,
                                                               const Processors& receivers)
{
    std::multiset<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const auto sender : senders)
        for (const auto receiver : receivers)
            if (sender != receiver)
                pairs.emplace(sender, receiver);
    return pairs;
}

Processors range(std::uint32_t count)
{
    Processors all;
    for (std::uint32_t i = 0; i < count; ++i)
        all.push_back(i);
    return all;
}

/// One collective of every kind on 5 processors.
std::vector<Collective> one_of_each()
{
    return {one_to_all_broadcast(5, 3),
            all_to_all_broadcast(5),
            one_to_all_scatter(5, 0),
            all_to_all_scatter(5),
            all_to_one_gather(5, 4),
            all_to_one_reduce(5, 1),
            multicast(5, 2, {4, 0}),
            permutation({1, 2, 0, 3, 4}),
            many_to_many_broadcast(5, {0, 1, 2}, {2, 3}),
            many_to_many_scatter(5, {4, 1}, {0, 1, 4})};
}

} // namespace

TEST_CASE("a collective owes what its name says", "[collective]")
{
    const auto n = GENERATE(2u, 3u, 8u);
    const auto root = GENERATE_COPY(0u, n - 1);
    CHECK(owed(one_to_all_broadcast(n, root)) == product({root}, range(n)));
    CHECK(owed(one_to_all_scatter(n, root)) == product({root}, range(n)));
    CHECK(owed(all_to_all_broadcast(n)) == product(range(n), range(n)));
    CHECK(owed(all_to_all_scatter(n)) == product(range(n), range(n)));
    CHECK(owed(all_to_one_gather(n, root)) == product(range(n), {root}));
    CHECK(owed(all_to_one_reduce(n, root)) == product(range(n), {root}));
    CHECK(owed(many_to_many_broadcast(n, range(n), {root})) == product(range(n), {root}));
    CHECK(owed(many_to_many_scatter(n, {root}, range(n))) == product({root}, range(n)));
}

TEST_CASE("a broadcast has one message a sender, a scatter one a pair", "[collective]")
{
    CHECK(one_to_all_broadcast(8, 3).messages.size() == 1);
    CHECK(all_to_all_broadcast(8).messages.size() == 8);
    CHECK(multicast(8, 0, {5, 6}).messages.size() == 1);
    CHECK(one_to_all_scatter(8, 3).messages.size() == 7);
    CHECK(all_to_all_scatter(8).messages.size() == 56);
    CHECK(all_to_one_gather(8, 3).messages.size() == 7);
}

TEST_CASE("sender and receiver sets may overlap and come in any order", "[collective]")
{
    const auto broadcast = many_to_many_broadcast(6, {3, 1, 2}, {4, 3});
    CHECK(broadcast.senders == Processors{1, 2, 3});
    CHECK(broadcast.receivers == Processors{3, 4});
    CHECK(broadcast.messages == std::vector<Message>{{1, {3, 4}}, {2, {3, 4}}, {3, {4}}});
    const auto scatter = many_to_many_scatter(6, {3, 1}, {3, 4});
    CHECK(scatter.messages == std::vector<Message>{{1, {3}}, {1, {4}}, {3, {4}}});
}

TEST_CASE("fixed points of a permutation send nothing", "[collective]")
{
    const auto shuffled = permutation({0, 2, 1, 3});
    CHECK(shuffled.senders == Processors{1, 2});
    CHECK(shuffled.receivers == Processors{2, 1});
    CHECK(shuffled.messages == std::vector<Message>{{1, {2}}, {2, {1}}});
}

TEST_CASE("every message is found by its origin and receiver, and nothing else is", "[collective]")
{
    for (const Collective& collective : one_of_each())
        for (std::uint32_t origin = 0; origin < collective.processors + 1; ++origin)
            for (std::uint32_t receiver = 0; receiver < collective.processors; ++receiver) {
                std::optional<MessageId> expected;
                for (MessageId id = 0; id < collective.messages.size(); ++id)
                    if (collective.messages[id].origin == origin &&
                        (is_broadcast(collective.kind) ||
                         collective.messages[id].receivers.front() == receiver))
                        expected = id;
                CHECK(find_message(collective, origin, receiver) == expected);
            }
}

TEST_CASE("a collective is made again from its kind and participants", "[collective]")
{
    for (const Collective& collective : one_of_each())
        CHECK(make_collective(collective.kind, collective.processors, participants_of(collective)) ==
              collective);
}

TEST_CASE("participants that a kind lacks or does not take are refused", "[collective]")
{
    CHECK_THROWS_WITH(make_collective(CollectiveKind::oab, 8, {}), "OAB: source missing");
    CHECK_THROWS_WITH(make_collective(CollectiveKind::aab, 8, {.source = 0}), "AAB: it takes no source");
    CHECK_THROWS_WITH(make_collective(CollectiveKind::multicast, 8, {.source = 0}),
                      "multicast: receivers missing");
    CHECK_THROWS_WITH(make_collective(CollectiveKind::mns, 8, {.receivers = {1}}), "MNS: senders missing");
    CHECK_THROWS_WITH(make_collective(CollectiveKind::permutation, 3, {.image = {1, 0}}),
                      "permutation: image of 2 processors, there are 3");
}

TEST_CASE("bad processors are named, never clamped", "[collective]")
{
    CHECK_THROWS_WITH(all_to_all_scatter(1), "AAS: 1 processors, it takes at least 2");
    CHECK_THROWS_WITH(all_to_all_broadcast(0), "AAB: 0 processors, it takes at least 2");
    CHECK_THROWS_WITH(one_to_all_broadcast(8, 8), "OAB: senders: processor 8 does not exist, there are 8");
    CHECK_THROWS_WITH(all_to_one_gather(8, 9), "AOG: receivers: processor 9 does not exist, there are 8");
    CHECK_THROWS_WITH(many_to_many_scatter(8, {1, 2, 1}, {3}), "MNS: senders: processor 1 appears twice");
    CHECK_THROWS_WITH(multicast(8, 1, {1}), "multicast: nothing to send");
    CHECK_THROWS_WITH(multicast(8, 1, {}), "multicast: no receivers");
    CHECK_THROWS_WITH(permutation({0, 1, 2}), "permutation: nothing to send");
    CHECK_THROWS_WITH(permutation({1, 1, 2}), "permutation: image: processor 1 appears twice");
    CHECK_THROWS_WITH(permutation({1, 3, 0}), "permutation: image: processor 3 does not exist, there are 3");
}

TEST_CASE("a collective too large for memory is refused before it takes any", "[collective]")
{
    CHECK_THROWS_WITH(all_to_all_scatter(4097),
                      "AAS: 4097 senders and 4097 receivers: more than 16777216 deliveries");
    CHECK_THROWS_AS(all_to_all_broadcast(1u << 20), std::invalid_argument);
    CHECK_THROWS_AS(one_to_all_broadcast(~0u, 0), std::invalid_argument);
    CHECK(all_to_all_broadcast(512).messages.size() == 512);
}

TEST_CASE("kinds are read in any case and written as the papers do", "[collective]")
{
    for (const Collective& collective : one_of_each())
        CHECK(parse_collective_kind(to_string(collective.kind)) == collective.kind);
    CHECK(parse_collective_kind("aab") == CollectiveKind::aab);
    CHECK(parse_collective_kind("Multicast") == CollectiveKind::multicast);
    CHECK(to_string(CollectiveKind::aas) == "AAS");
    const std::string known = "nown are OAB, AAB, OAS, AAS, AOG, AOR, multicast, permutation, MNB, MNS";
    CHECK_THROWS_WITH(parse_collective_kind("X"), "unknown collective 'X': k" + known);
    CHECK_THROWS_WITH(parse_collective_kind("AA"), "unknown collective 'AA': did you mean 'AAB'? K" + known);
    CHECK_THROWS_WITH(parse_collective_kind("scater"),
                      "unknown collective 'scater': did you mean 'scatter'? K" + known);
    CHECK_THROWS_AS(parse_collective_kind(""), std::invalid_argument);
}

TEST_CASE("kinds have names in words and in libraries of today", "[collective]")
{
    for (const Collective& collective : one_of_each()) {
        const std::string text = in_words(collective.kind);
        CHECK(text.starts_with(to_string(collective.kind)));
        CHECK(with_kind_in_words(collective.kind, to_string(collective.kind) + " on ring:4") ==
              text + " on ring:4");
    }
    CHECK(in_words(CollectiveKind::aab) == "AAB (all-to-all broadcast, all-gather)");
    CHECK(in_words(CollectiveKind::mns) == "MNS (many-to-many scatter)");
    CHECK(in_words(CollectiveKind::multicast) == "multicast");
    CHECK(collective_kinds_in_words().size() == 10);
    for (const auto& [name, kind] :
         std::vector<std::pair<const char*, CollectiveKind>>{{"broadcast", CollectiveKind::oab},
                                                             {"all_gather", CollectiveKind::aab},
                                                             {"Scatter", CollectiveKind::oas},
                                                             {"alltoall", CollectiveKind::aas},
                                                             {"gather", CollectiveKind::aog},
                                                             {"REDUCE", CollectiveKind::aor},
                                                             {"many-to-many broadcast", CollectiveKind::mnb}})
        CHECK(parse_collective_kind(name) == kind);
}

} // namespace nocturne::collective_test
