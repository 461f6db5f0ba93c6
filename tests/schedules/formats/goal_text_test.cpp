#include "models/topology/make_topology.hpp"
#include "schedules/chunk_search/front.hpp"
#include "schedules/chunk_search/timed_search.hpp"
#include "schedules/formats/rank_operations.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"

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
