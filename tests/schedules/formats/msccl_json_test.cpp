#include "models/routing/random.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/chunk_search/exact_steps.hpp"
#include "schedules/chunk_search/round_bounds.hpp"
#include "schedules/formats/tool_formats.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <set>

namespace nocturne::msccl_json_test {

using Catch::Contains;
using Catch::StartsWith;
using nlohmann::json;

namespace {

/// Does the algorithm do what its collective says, on links that carry it? Written from what msccl-tools says
/// of its files, chunk by chunk and with nothing of ours: a rank has a chunk or has not, a send brings all
/// that its source has at the address.
bool holds(const json& algorithm)
{
    json chunks = json::array(); // chunk_up() of msccl/collectives.py
    const std::uint64_t cuts = algorithm["instance"]["chunks"];
    for (const json& chunk : algorithm["collective"]["chunks"])
        for (std::uint64_t part = 0; part < cuts; ++part) {
            chunks.push_back(chunk);
            chunks.back()["addr"] = chunk["addr"].get<std::uint64_t>() * cuts + part;
        }
    std::map<int, std::set<std::size_t>> has;    // by rank
    std::map<json, std::vector<std::size_t>> at; // by address
    for (std::size_t c = 0; c < chunks.size(); ++c) {
        at[chunks[c]["addr"]].push_back(c);
        for (const json& rank : chunks[c]["pre"])
            has[rank.get<int>()].insert(c);
    }
    for (const json& step : algorithm["steps"]) {
        auto next = has;
        std::map<std::pair<int, int>, int> load;
        for (const json& send : step["sends"]) {
            const int from = send[1], to = send[2];
            for (const std::size_t c : at[send[0]])
                if (has[from].contains(c))
                    next[to].insert(c);
            if (++load[{from, to}] >
                algorithm["topology"]["links"][to][from].get<int>() * step["rounds"].get<int>())
                return false;
        }
        has = next;
    }
    for (std::size_t c = 0; c < chunks.size(); ++c)
        for (const json& rank : chunks[c]["post"])
            if (!has[rank.get<int>()].contains(c))
                return false;
    return true;
}

Schedule exact(const LinkNetwork& network, const Collective& collective)
{
    const std::uint32_t steps = least_steps(network, collective).value();
    const auto rounds = std::max(steps, static_cast<std::uint32_t>(least_rounds(network, collective))) + 2;
    const ExactAnswer answer = decide_steps(network, collective, {.shape = {steps, rounds}});
    REQUIRE(answer.schedule);
    return *answer.schedule;
}

} // namespace

TEST_CASE("an algorithm of msccl-tools does what the schedule does, and is read back", "[chunks][formats]")
{
    SplitMix64 random{GENERATE(range(1U, 11U))};
    const std::uint32_t nodes = 3 + random.below(3);
    LinkNetwork network("random", nodes);
    for (NodeId node = 0; node < nodes; ++node)
        network.add_links(node, (node + 1) % nodes, 4U << random.below(2), 0);
    const CollectiveShape shape{.processors = nodes, .parts = 1 + random.below(2)};
    for (const CollectiveKind kind :
         {CollectiveKind::allgather, CollectiveKind::alltoall, CollectiveKind::reduce_scatter,
          CollectiveKind::broadcast, CollectiveKind::reduce, CollectiveKind::scatter,
          CollectiveKind::gather}) {
        const Collective collective =
            make_collective(kind, shape, has_root(kind) ? std::optional{1U} : std::nullopt);
        const Schedule schedule = exact(network, collective);
        const std::string text = to_msccl_json(schedule, network);
        INFO(text);
        REQUIRE(is_msccl_json(text));
        const json algorithm = json::parse(text);
        CHECK(holds(algorithm));
        CHECK(algorithm["instance"]["steps"] == count_steps(schedule));
        json damaged = algorithm;
        auto& sends = damaged["steps"].back()["sends"];
        sends.erase(sends.begin());
        CHECK_FALSE(holds(damaged));

        const ReadSchedule back = read_msccl_json(text, "a.json", std::nullopt);
        CHECK(back.foreign.violations.empty());
        CHECK(validate(back.foreign.schedule, back.network).empty());
        CHECK(back.foreign.schedule.rounds == schedule.rounds);
        CHECK(back.foreign.places.size() == count_transfers(schedule));
        const ReadSchedule less = read_msccl_json(damaged.dump(), "a.json", network);
        CHECK_FALSE(validate(less.foreign.schedule, network).empty());
    }
}

TEST_CASE("the referee counts contributions, loads of links and joint limits", "[chunks][formats]")
{
    const LinkNetwork ring = link_network_of(make_topology("ring:4"));
    const Collective collective = reduce_scatter({.processors = 4});
    json algorithm = json::parse(to_msccl_json(exact(ring, collective), ring));
    const auto judged = [&] {
        const ReadSchedule read = read_msccl_json(algorithm.dump(), "a.json", std::nullopt);
        auto violations = validate(read.foreign.schedule, read.network);
        violations.insert(violations.end(), read.foreign.violations.begin(), read.foreign.violations.end());
        REQUIRE_FALSE(violations.empty());
        return violations.front();
    };
    SECTION("a send that is made again in the next step")
    {
        json again = algorithm["steps"][0];
        algorithm["steps"].insert(algorithm["steps"].begin() + 1, again);
        CHECK(judged().rule == Rule::added_twice);
    }
    SECTION("too much over a link")
    {
        for (json& row : algorithm["topology"]["links"])
            for (json& units : row)
                units = std::min(units.get<int>(), 1);
        const json send = algorithm["steps"][0]["sends"][0];
        algorithm["steps"][0]["rounds"] = 1;
        for (int i = 0; i < 3; ++i)
            algorithm["steps"][0]["sends"].push_back(send);
        const auto violation = judged();
        CHECK((violation.rule == Rule::link_overfull || violation.rule == Rule::added_twice));
    }
    SECTION("too much through a switch")
    {
        algorithm["topology"]["switches"] = {{{0, 1, 2, 3}, {0, 1, 2, 3}, 1, "all"}};
        const auto violation = judged();
        CHECK(violation.rule == Rule::link_overfull);
        CHECK_THAT(violation.text, StartsWith("step 1: ") && Contains("over all, which carries 1 a round"));
    }
    SECTION("a link that does not exist")
    {
        algorithm["topology"]["links"][1][0] = 0;
        const auto violation = judged();
        CHECK(violation.rule == Rule::broken_path);
    }
}

TEST_CASE("what msccl-tools' JSON cannot say gets one line", "[chunks][formats]")
{
    const LinkNetwork ring = link_network_of(make_topology("ring:4"));
    Schedule schedule = exact(ring, allgather({.processors = 4}));
    schedule.synchronization = ScheduleSynchronization::dependencies;
    CHECK_THROWS_WITH(to_msccl_json(schedule, ring), Contains("schedules without steps"));
    schedule.synchronization = ScheduleSynchronization::steps;
    schedule.steps.front().front().to = 9;
    CHECK_THROWS_WITH(to_msccl_json(schedule, ring), Contains("places but a chunk's own"));
}

TEST_CASE("what msccl-tools solves in several chunks is cut when it is read", "[formats][msccl]")
{
    // `msccl solve instance Ring Allgather` and `… ReduceScatter`, two ranks, two chunks: the collective is
    // uncut.
    const bool adds = GENERATE(false, true);
    json chunks = json::array();
    for (int chunk = 0; chunk < (adds ? 4 : 2); ++chunk)
        chunks.push_back({{"msccl_type", "chunk"},
                          {"pre", {chunk % 2}},
                          {"post", adds ? json{chunk / 2} : json{0, 1}},
                          {"addr", adds ? chunk / 2 : chunk}});
    // Addresses 0 and 1 are the parts of what rank 0 begins, or is to end, with.
    const json sends = adds ? json{{0, 1, 0}, {1, 1, 0}, {2, 0, 1}, {3, 0, 1}}
                            : json{{0, 0, 1}, {1, 0, 1}, {2, 1, 0}, {3, 1, 0}};
    json algorithm{
        {"msccl_type", "algorithm"},
        {"name", "a"},
        {"instance", {{"msccl_type", "instance"}, {"chunks", 2}, {"pipeline", nullptr}}},
        {"input_map", {{"0", {0, 1, 2, 3}}, {"1", {0, 1, 2, 3}}}},
        {"output_map", {{"0", {0, 1}}, {"1", {2, 3}}}},
        {"steps", {{{"msccl_type", "step"}, {"rounds", 2}, {"sends", sends}}}},
        {"collective", {{"msccl_type", "collective"}, {"name", "c"}, {"nodes", 2}, {"chunks", chunks}}},
        {"topology",
         {{"msccl_type", "topology"},
          {"name", "Ring"},
          {"switches", json::array()},
          {"links", {{0, 1}, {1, 0}}}}}};
    REQUIRE(holds(algorithm));
    const auto violations = [&] {
        const ReadSchedule read = read_msccl_json(algorithm.dump(), "a.json", std::nullopt);
        CHECK(read.foreign.schedule.collective.parts == 2);
        return validate(read.foreign.schedule, read.network);
    };
    CHECK(violations().empty());
    algorithm["steps"][0]["sends"].erase(3);
    CHECK_FALSE(holds(algorithm));
    CHECK_FALSE(violations().empty());
}

} // namespace nocturne::msccl_json_test
