#include "models/routing/random.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/chunk_search/front.hpp"
#include "schedules/chunk_search/timed_search.hpp"
#include "schedules/formats/rank_operations.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace nocturne::goal_text_test {

namespace {

/// An operation of a rank, as a reader of GOAL sees it.
struct Operation {
    std::string kind;
    std::uint64_t bytes = 0;
    std::uint32_t peer = 0;
    std::uint64_t tag = 0;
    std::vector<std::string> waits_for;
};

using RankProgram = std::map<std::string, Operation>;

/// Written from LogGOPSim's grammar; knows nothing of the writer.
std::vector<RankProgram> read_goal(const std::string& text)
{
    std::vector<RankProgram> ranks;
    std::istringstream lines(text);
    std::string line, word;
    RankProgram* rank = nullptr;
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        if (!(words >> word) || word == "}")
            continue;
        if (word == "num_ranks") {
            std::size_t count = 0;
            words >> count;
            ranks.resize(count);
        } else if (word == "rank") {
            std::size_t number = 0;
            words >> number;
            rank = &ranks.at(number);
        } else if (word.ends_with(':')) {
            REQUIRE(rank != nullptr);
            Operation operation;
            words >> operation.kind;
            if (operation.kind != "calc") {
                std::string to, tag;
                words >> operation.bytes >> word >> to >> operation.peer >> tag >> operation.tag;
                REQUIRE(word == "b");
                REQUIRE(to == (operation.kind == "send" ? "to" : "from"));
                REQUIRE(tag == "tag");
            }
            const std::string label = line.substr(0, line.find(':'));
            REQUIRE(rank->emplace(label, operation).second);
        } else {
            std::string requires_word, before;
            words >> requires_word >> before;
            REQUIRE(requires_word == "requires");
            REQUIRE(rank->contains(before));
            rank->at(word).waits_for.push_back(before);
        }
    }
    return ranks;
}

/// Does everything until nothing goes on; how many operations have been done.
std::size_t run(const std::vector<RankProgram>& ranks)
{
    std::vector<std::map<std::string, bool>> done(ranks.size());
    std::map<std::uint64_t, bool> sent;
    std::size_t count = 0;
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (std::size_t rank = 0; rank < ranks.size(); ++rank)
            for (const auto& [label, operation] : ranks[rank]) {
                bool is_ready = !done[rank][label] && (operation.kind != "recv" || sent[operation.tag]);
                for (const std::string& before : operation.waits_for)
                    is_ready = is_ready && done[rank][before];
                if (!is_ready)
                    continue;
                done[rank][label] = true;
                sent[operation.tag] = sent[operation.tag] || operation.kind == "send";
                ++count;
                goes_on = true;
            }
    }
    return count;
}

void check(const Schedule& schedule, std::uint64_t bytes)
{
    const auto ranks = read_goal(to_goal_text(schedule, bytes));
    REQUIRE(ranks.size() == schedule.collective.processors);
    const std::vector<ListedTransfer> listed = list_transfers(schedule);
    std::size_t operations = 0;
    std::map<std::uint64_t, int> ends;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        for (const auto& [label, operation] : ranks[rank]) {
            ++operations;
            if (operation.kind == "calc")
                continue;
            const Transfer& transfer = listed.at(operation.tag).transfer;
            const bool sends = operation.kind == "send";
            CHECK((sends ? transfer.source : transfer.destination) == rank);
            CHECK((sends ? transfer.destination : transfer.source) == operation.peer);
            CHECK(operation.bytes == bytes);
            ends[operation.tag] += sends ? 1 : 2;
        }
    for (const auto& [tag, sum] : ends)
        CHECK(sum == 3);
    CHECK(run(ranks) == operations);
}

} // namespace

TEST_CASE("GOAL text has a send and a receive for each transfer, and comes to its end", "[formats][goal]")
{
    const auto [spec, kind] =
        GENERATE(table<std::string, CollectiveKind>({{"ring:5", CollectiveKind::allreduce},
                                                     {"mesh:3x3", CollectiveKind::allgather},
                                                     {"torus:3x3", CollectiveKind::alltoall},
                                                     {"hypercube:3", CollectiveKind::scan}}));
    const LinkNetwork network = link_network_of(make_topology(spec));
    TimedConfig config;
    config.runs = 1;
    const auto collective = make_collective(kind, {.processors = network.processor_count(), .parts = 2});
    check(search_by_time(network, collective, config).value().schedule, 96);
}

TEST_CASE("steps become what a rank has received before", "[formats][goal]")
{
    const LinkNetwork network = link_network_of(make_topology("ring:5"));
    FrontConfig config;
    config.most_parts = 1;
    config.extra_steps = 0;
    const auto front = find_front(network, allreduce({.processors = 5}), config);
    REQUIRE_FALSE(front.empty());
    check(front.front().schedule, 8);
}

TEST_CASE("what is local in a step waits for all that comes in it, wherever it is listed", "[formats][goal]")
{
    LinkNetwork network("two", 2);
    network.add_links(0, 1, 1, 1);
    Schedule schedule;
    schedule.collective.processors = 2;
    schedule.collective.chunks = {{1, {0, 1}}};
    schedule.collective.demands = Demands({{0, 1, {0, 1}}});
    schedule.rounds = {1};
    schedule.steps = {{{{1, 0}, 1, 1, Path{}, nocturne::Operation::add}, {{0, 1}, 0, 1, Path{0}}}};
    REQUIRE(validate(schedule, network).empty());
    const auto ranks = read_goal(to_goal_text(schedule, 8));
    for (const auto& [label, operation] : ranks[1]) {
        if (operation.kind != "calc")
            continue;
        REQUIRE(operation.waits_for.size() == 1);
        CHECK(ranks[1].at(operation.waits_for.front()).kind == "recv");
    }
}

namespace {

/// An all-reduce of eight by recursive doubling: what comes is kept apart, and added to what has been sent.
Schedule recursive_doubling(const LinkNetwork& network)
{
    constexpr std::uint32_t ranks = 8, apart = 1;
    Schedule schedule = empty_schedule("doubling", network.name(), allreduce({.processors = ranks}),
                                       ScheduleSynchronization::dependencies);
    const auto link_between = [&](NodeId from, NodeId to) {
        LinkId id = 0;
        while (network.link(id).source != from || network.link(id).target != to)
            ++id;
        return id;
    };
    for (std::uint32_t distance = 1, sends = 0; distance < ranks; distance *= 2, sends += 2 * ranks) {
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            const std::uint32_t peer = rank ^ distance;
            std::vector<std::uint32_t> sums_before;
            if (sends > 0)
                sums_before = {sends - ranks + rank, sends - ranks + peer};
            append_transfer(schedule, {{0, apart}, rank, peer, Path{link_between(rank, peer)}}, sums_before);
        }
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
            append_transfer(schedule, {{apart, 0}, rank, rank, Path{}, nocturne::Operation::add},
                            {sends + rank, sends + (rank ^ distance)});
    }
    return schedule;
}

/// What ranks have in place 0 at the end, who began with a bit of their own, in some order that the
/// operations' waits allow.
std::vector<std::uint32_t> run_in_random_order(const Schedule& schedule,
                                               const std::vector<std::vector<RankOperation>>& ranks,
                                               SplitMix64& random)
{
    const TransferList transfers(schedule);
    std::vector<std::array<std::uint32_t, 2>> places(ranks.size());
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        places[rank] = {1U << rank, 0};
    std::map<std::uint32_t, std::uint32_t> sent; // by transfer
    std::vector<std::vector<bool>> is_done;
    for (const auto& operations : ranks)
        is_done.emplace_back(operations.size(), false);
    for (;;) {
        std::vector<std::pair<std::size_t, std::size_t>> ready;
        for (std::size_t rank = 0; rank < ranks.size(); ++rank)
            for (std::size_t i = 0; i < ranks[rank].size(); ++i) {
                const RankOperation& operation = ranks[rank][i];
                const bool has_come = operation.kind != RankOperation::Kind::receive ||
                                      sent.find(operation.transfer) != sent.end();
                if (!is_done[rank][i] && has_come &&
                    std::ranges::all_of(operation.after,
                                        [&](std::uint32_t before) { return is_done[rank][before]; }))
                    ready.emplace_back(rank, i);
            }
        if (ready.empty())
            break;
        const auto [rank, i] = ready[random.below(static_cast<std::uint32_t>(ready.size()))];
        const RankOperation& operation = ranks[rank][i];
        const Transfer& transfer = transfers[operation.transfer];
        const std::uint32_t value = operation.kind == RankOperation::Kind::receive
                                        ? sent[operation.transfer]
                                        : places[rank][transfer.message % place_limit];
        if (operation.kind == RankOperation::Kind::send)
            sent[operation.transfer] = value;
        else
            places[rank][transfer.to] = operation.adds ? places[rank][transfer.to] + value : value;
        is_done[rank][i] = true;
    }
    std::vector<std::uint32_t> results;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        CHECK(std::ranges::all_of(is_done[rank], [](bool done) { return done; }));
        results.push_back(places[rank][0]);
    }
    return results;
}

} // namespace

TEST_CASE("what overwrites a place waits until it has been sent", "[formats][goal]")
{
    const LinkNetwork network = link_network_of(make_topology("complete:8"));
    const Schedule schedule = recursive_doubling(network);
    REQUIRE(validate(schedule, network).empty());
    const auto ranks = rank_operations(schedule, 8);
    SplitMix64 random(1);
    for (int repetition = 0; repetition < 100; ++repetition)
        CHECK(run_in_random_order(schedule, ranks, random) == std::vector<std::uint32_t>(8, 255));
}

TEST_CASE("a transfer that waits for one that is listed later carries what that one brings",
          "[formats][goal]")
{
    LinkNetwork network("three", 3);
    const LinkId first = network.add_links(0, 1, 1, 1), second = network.add_links(1, 2, 1, 1);
    Schedule schedule;
    schedule.synchronization = ScheduleSynchronization::dependencies;
    schedule.collective.processors = 3;
    schedule.collective.chunks = {{5, {0}}};
    schedule.collective.demands = Demands({{0, 2, {0}}});
    schedule.steps = {{{{1, 0}, 1, 2, Path{second}}, {{0, 1}, 0, 1, Path{first}}}};
    schedule.after = Dependencies(std::vector<std::vector<std::uint32_t>>{{1}});
    REQUIRE(validate(schedule, network).empty());
    const auto ranks = read_goal(to_goal_text(schedule, 8));
    for (const RankProgram& rank : ranks)
        for (const auto& [label, operation] : rank)
            CHECK(operation.bytes == 40);
    CHECK(run(ranks) == 4);
}

} // namespace nocturne::goal_text_test
