#include "models/routing/distances.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/constructions/torus_phases.hpp"
#include "schedules/scatter/even_packing.hpp"
#include "schedules/scatter/even_paths.hpp"
#include "schedules/scatter/even_scatter.hpp"
#include "schedules/scatter/holder_table.hpp"
#include "schedules/scatter/step_search.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <vector>

namespace nocturne::even_scatter_test {

namespace {

Problem all_to_all(const std::string& spec, PortModel ports, const std::vector<std::string>& faults = {})
{
    Topology topology = with_faults(make_topology(spec), faults);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    Problem problem = make_problem(std::move(topology), alltoall({processors}));
    problem.ports = ports;
    return problem;
}

std::uint32_t most_load(const Problem& problem, const PathTable& paths)
{
    std::vector<std::uint32_t> load(problem.topology.channel_count(), 0);
    for (MessageId id = 0; id < paths.message_count(); ++id)
        for (const ChannelId channel : paths.path(paths.first_path(id)))
            ++load[channel];
    return *std::max_element(load.begin(), load.end());
}

} // namespace

TEST_CASE("even paths lead to the receiver, each once", "[scatter][even]")
{
    const auto spec = GENERATE("kautz:3,2", "mesh:4x5", "torus:5x4", "fat_octagon:8", "omega:8", "petersen");
    const auto slack = GENERATE(std::optional<unsigned>(), std::optional<unsigned>(0));
    Problem problem = all_to_all(spec, all_port);
    problem.slack = slack;
    const PathTable paths = even_paths(problem, {.rounds = 8, .most_paths = 3, .seed = 5});
    CAPTURE(spec);
    REQUIRE(paths.message_count() == problem.collective.messages().size());
    for (MessageId id = 0; id < paths.message_count(); ++id) {
        const Message& message = problem.collective.messages()[id];
        const auto [from, to] = endpoints(problem.topology, message.origin, message.receivers.front());
        std::vector<Path> found;
        for (auto path = paths.first_path(id); path != paths.first_path(id + 1); ++path)
            found.emplace_back(paths.path(path).begin(), paths.path(path).end());
        CHECK(found.size() >= 1);
        CHECK(found.size() <= 3);
        for (const Path& path : found) {
            CHECK(std::count(found.begin(), found.end(), path) == 1);
            CHECK(connects(problem.topology, message.origin, message.receivers.front(), path));
            if (slack)
                CHECK(path.size() == distances_from(problem.topology, from)[to]);
        }
    }
}

TEST_CASE("even paths load the channels as evenly as the flow bound allows", "[scatter][even]")
{
    struct Case {
        std::string spec;
        unsigned bound; ///< the flow bound
        unsigned more;
    };
    const auto [spec, bound, more] = GENERATE(values<Case>(
        {{"mesh:8x8", 128, 1}, {"torus:6x6", 27, 2}, {"kautz:3,2", 7, 1}, {"hypercube:5", 16, 1}}));
    CAPTURE(spec);
    const Problem problem = all_to_all(spec, all_port);
    const PathTable paths = even_paths(problem, {});
    CHECK(most_load(problem, paths) >= bound);
    CHECK(most_load(problem, paths) <= bound + more);
}

TEST_CASE("what is packed conflicts nowhere, whatever the ports", "[scatter][even]")
{
    const auto spec = GENERATE("mesh:4x5", "fat_octagon:8", "kautz:3,2");
    const auto ports = GENERATE(PortModel(one_port), PortModel{2}, PortModel(all_port));
    const Problem problem = all_to_all(spec, ports);
    const PathTable paths = even_paths(problem, {.rounds = 6, .most_paths = 4, .seed = 2});
    SearchControl control;
    control.effort = 200 * problem.collective.messages().size();
    CAPTURE(spec);
    const std::uint32_t fewest = std::max(
        most_load(problem, paths), ports == PortModel(one_port) ? problem.collective.processors - 1 : 1);
    const PathResources resources = path_resources(problem);
    const PathPackingResult packed = pack_paths(resources, paths, fewest, control);
    REQUIRE(packed.unplaced == 0);
    CHECK(packed.steps >= fewest);
    CHECK(packed.steps <= fewest + fewest / 3);
    Schedule schedule{.name = "",
                      .source = "",
                      .topology = problem.topology.name(),
                      .collective = problem.collective,
                      .ports = problem.ports,
                      .switching = problem.switching,
                      .steps = std::vector<Step>(packed.steps)};
    for (MessageId id = 0; id < packed.placements.size(); ++id) {
        const auto path = paths.path(packed.placements[id].path);
        const Message& message = problem.collective.messages()[id];
        schedule.steps.at(packed.placements[id].step)
            .push_back({id, message.origin, message.receivers.front(), Path(path.begin(), path.end())});
    }
    CHECK(objection_to(schedule, problem) == std::nullopt);
    // Somewhere more messages need a channel, or a port, than there are steps.
    CHECK(pack_paths(resources, paths, fewest / 2, control).steps > fewest / 2);
}

TEST_CASE("messages leave their even paths only where the channels have room", "[scatter][even]")
{
    struct Case {
        std::string spec;
        PortModel ports;
        unsigned bound;
        bool leave;
    };
    const auto [spec, ports, bound, leave] = GENERATE(values<Case>({{"torus:4x4", all_port, 8, false},
                                                                    {"mesh:4x5", all_port, 24, true},
                                                                    {"hypercube:4", one_port, 15, true}}));
    CAPTURE(spec);
    const Problem problem = all_to_all(spec, ports);
    const PathTable paths = even_paths(problem, {.rounds = 60, .seed = 3});
    const auto messages = static_cast<MessageId>(paths.message_count());
    REQUIRE(paths.first_path(messages) > messages + messages / 2); // there are others
    SearchControl control;
    control.effort = 200 * problem.collective.messages().size();
    const PathPackingResult packed = pack_even_paths(path_resources(problem), paths, control);
    REQUIRE(packed.unplaced == 0);
    CHECK(packed.steps >= bound);
    CHECK(packed.steps <= bound + 3);
    bool has_left = false;
    for (MessageId id = 0; id < packed.placements.size(); ++id)
        has_left = has_left || packed.placements[id].path != paths.first_path(id);
    CHECK(has_left == leave);
    if (has_left)
        return;
    // A packing to begin with is kept where there is no time for a better one.
    std::vector<std::optional<std::uint32_t>> start;
    for (const PathPlacement place : packed.placements)
        start.emplace_back(place.step);
    control.effort = 1;
    CHECK(pack_even_paths(path_resources(problem), paths, control, start).placements == packed.placements);
}

TEST_CASE("more effort packs even paths into fewer steps, never into more", "[scatter][even]")
{
    const Problem problem = all_to_all("debruijn:2,4", all_port);
    const PathTable paths = even_paths(problem, {.rounds = 12, .seed = 3});
    const PathResources resources = path_resources(problem);
    SearchControl control;
    std::uint32_t before = ~0u;
    for (const std::uint64_t effort : {100, 1000, 10'000}) {
        control.effort = effort * problem.collective.messages().size();
        const PathPackingResult packed = pack_even_paths(resources, paths, control);
        REQUIRE(packed.unplaced == 0);
        CHECK(packed.tried <= control.effort);
        CHECK(packed.steps <= before);
        before = packed.steps;
    }
}

TEST_CASE("a packing begins with the places that it is given", "[scatter][even]")
{
    const Problem problem = all_to_all("mesh:4x5", all_port);
    const PathTable paths = even_paths(problem, {.rounds = 6, .most_paths = 4, .seed = 2});
    const PathResources resources = path_resources(problem);
    SearchControl control;
    control.effort = 100 * problem.collective.messages().size();
    const PathPackingResult first = pack_paths(resources, paths, most_load(problem, paths), control);
    REQUIRE(first.unplaced == 0);
    const std::vector<std::optional<PathPlacement>> start(first.placements.begin(), first.placements.end());
    // As few steps as there are: nothing is left to do.
    const PathPackingResult second = pack_paths(resources, paths, first.steps, control, start);
    CHECK(second.placements == first.placements);
    CHECK(second.tried == 0);
    // Two messages cannot have one place.
    std::vector<std::optional<PathPlacement>> crowded = start;
    for (auto& place : crowded)
        place->step = 0;
    const PathPackingResult third = pack_paths(resources, paths, first.steps + 5, control, crowded);
    CHECK(third.unplaced == 0);
    CHECK(third.tried > 0);
}

TEST_CASE("a holder table knows what is full, what is free, and what it costs to make room",
          "[scatter][even]")
{
    const std::uint32_t steps = GENERATE(1u, 64u, 127u, 128u, 200u);
    const std::vector<HolderTable::Price> price_of{1, 2, 3, 4, 5, 6, 7, 40, 20};
    HolderTable table(std::vector<std::uint32_t>{1, 2}, steps, price_of);
    const std::uint32_t step = steps - 1;
    const auto is_full = [&](ResourceId id) { return (table.full(id, step / 64) >> step % 64 & 1) != 0; };
    table.take(0, step, 7);
    table.take(1, step, 7);
    CHECK(is_full(0));
    CHECK(table.prices(0)[step] == 40);
    CHECK_FALSE(is_full(1));
    CHECK(table.prices(1)[step] == 0);
    CHECK(table.cheapest_holder(1, step) == no_message);
    table.take(1, step, 8);
    CHECK(is_full(1));
    CHECK(table.prices(1)[step] == 20);
    CHECK(table.cheapest_holder(1, step) == 8);
    table.release(1, step, 7);
    CHECK_FALSE(is_full(1));
    CHECK(table.prices(1)[step] == 0);
    CHECK(std::count(table.holders(1, step).begin(), table.holders(1, step).end(), no_message) == 1);
    CHECK(std::count(table.holders(1, step).begin(), table.holders(1, step).end(), 8) == 1);
    // Behind the last step there is no room.
    for (std::uint32_t later = steps; later < 64 * table.words(); ++later)
        CHECK((table.full(0, later / 64) >> later % 64 & 1) == 1);
    for (std::size_t later = steps; later < table.prices(0).size(); ++later)
        CHECK(table.prices(0)[later] == HolderTable::most_price);
}

TEST_CASE("free steps are found from any step on, once around", "[scatter][even]")
{
    const std::uint32_t steps = GENERATE(2u, 64u, 130u);
    const std::vector<HolderTable::Price> price_of{1};
    HolderTable table(std::vector<std::uint32_t>{1, 1}, steps, price_of);
    for (std::uint32_t step = 0; step < steps; ++step)
        if (step != 1)
            table.take(step % 2, step, 0);
    const std::vector<ResourceId> both{0, 1}, none{};
    for (std::uint32_t first = 0; first < steps; ++first) {
        CHECK(free_step_from(table, both, first) == 1);
        CHECK(free_step_from(table, none, first) == first);
    }
    CHECK(is_free(table, both, 1));
    CHECK_FALSE(is_free(table, both, 0));
    table.take(0, 1, 0);
    CHECK(free_step_from(table, both, steps / 2) == no_step);
}

TEST_CASE("a step costs each message that is in a path's way once", "[scatter][even]")
{
    const std::vector<HolderTable::Price> price_of{100, 7, 60'000};
    HolderTable table(std::vector<std::uint32_t>{1, 1, 1, 2}, 20, price_of);
    const std::vector<ResourceId> path{0, 1, 2, 3};
    const auto take = [&](std::uint32_t step, MessageId id, std::vector<ResourceId> held) {
        for (const ResourceId each : held)
            table.take(each, step, id);
    };
    take(3, 0, {0, 1});
    take(3, 1, {2});
    take(9, 2, {0});
    take(9, 0, {1});
    take(9, 1, {3}); // has room for one more
    take(10, 2, {0, 1, 2});
    take(11, 2, {0});
    take(11, 0, {1});
    take(11, 2, {2});
    std::vector<HolderTable::Price> costs(24);
    CHECK(price_steps(table, path, 0, costs) == 0);
    CHECK(costs[0] == 0);
    CHECK(costs[3] == 107);
    CHECK(costs[9] == 60'100);
    CHECK(costs[10] == 60'000);
    CHECK(costs[11] == HolderTable::most_price); // the sum is larger
    CHECK(costs[19] == 0);
    for (std::size_t behind = 20; behind < 24; ++behind)
        CHECK(costs[behind] == HolderTable::most_price);
    costs.resize(8);
    take(8, 1, {0});
    for (std::uint32_t step = 12; step < 16; ++step)
        take(step, 0, {1});
    CHECK(price_steps(table, path, 8, costs) == 7);
    CHECK(costs.front() == 7);
}

TEST_CASE("the engine needs little more steps than the bound, and the same for the same seed",
          "[scatter][even]")
{
    const Problem larger = all_to_all("mesh:8x9", all_port, {"link:33-34"});
    REQUIRE(suits_even_scatter(larger));
    SearchControl control;
    control.effort = 8 * larger.collective.messages().size();
    const SearchResult first = search_even_scatter(larger, 1000, control);
    REQUIRE(first.outcome == Outcome::found);
    CHECK(objection_to(*first.schedule, larger) == std::nullopt);
    CHECK(first.schedule->steps.size() <= 200); // the flow bound is 183
    const SearchResult second = search_even_scatter(larger, 1000, control);
    CHECK(second.schedule == first.schedule);
    CHECK(search_even_scatter(larger, 100, control).outcome == Outcome::gave_up);
}

TEST_CASE("the engine keeps a schedule to begin with that it cannot make more even", "[scatter][even]")
{
    const Problem problem = all_to_all("torus:8x8", all_port);
    const auto phases = torus_phases(problem);
    REQUIRE(phases.has_value());
    SearchControl control;
    control.effort = 1;
    control.start = &*phases;
    // 64 steps, all channels busy in each: no search with so little effort finds them.
    const SearchResult result = search_even_scatter(problem, 64, control);
    REQUIRE(result.outcome == Outcome::found);
    CHECK(result.schedule->steps.size() == 64);
    CHECK(objection_to(*result.schedule, problem) == std::nullopt);
}

TEST_CASE("the engine leaves alone what needs relays or hops", "[scatter][even]")
{
    Problem problem = all_to_all("torus:9x8", all_port);
    CHECK(suits_even_scatter(problem));
    problem.switching = Switching::store_and_forward;
    CHECK_FALSE(suits_even_scatter(problem));
    CHECK_FALSE(suits_even_scatter(make_problem(make_topology("torus:9x8"), allgather({72}))));
}

} // namespace nocturne::even_scatter_test
