#include "models/topology/make_topology.hpp"
#include "schedules/portfolio/engines.hpp"
#include "schedules/scatter/orbit_packing.hpp"
#include "schedules/scatter/step_groups.hpp"
#include "schedules/scatter/subgroups.hpp"
#include "schedules/scatter/symmetry.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/models/routing/random_networks.hpp"
#include "tests/schedules/symmetry/is_symmetry.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <set>
#include <string>

namespace nocturne::symmetry_test {

using namespace nocturne::test;

namespace {

Problem scatter_on(const Topology& topology)
{
    return make_problem(topology, alltoall({static_cast<std::uint32_t>(topology.processor_count())}));
}

const Engine& symmetry()
{
    return find_engine("symmetry");
}

struct Cell {
    std::string network;
    unsigned steps;
};

/// Two copies of a network, here and there with a second processor, joined by one link.
Topology two_of(const Topology& half, unsigned seed)
{
    Topology topology("two of " + half.name());
    const auto routers = static_cast<RouterId>(half.router_count());
    for (RouterId router = 0; router < 2 * routers; ++router) {
        topology.add_router();
        topology.add_processor(router, router, std::to_string(router) + "a");
        if (router % routers == 0 && seed % 3 == 0)
            topology.add_processor(router, router, std::to_string(router) + "b");
    }
    for (const RouterId first : {0u, routers}) {
        for (const Channel& channel : half.channels())
            topology.add_channel(first + channel.source, first + channel.target);
    }
    topology.add_link(1, routers + 1);
    return topology;
}

} // namespace

TEST_CASE("scatters among all reach their bounds", "[scatter][symmetry]")
{
    const auto cell = GENERATE(values<Cell>({{"octagon:8", 4},
                                             {"petersen", 5},
                                             {"kautz:3,2", 7},
                                             {"torus:4x4", 8},
                                             {"torus:5x5", 15},
                                             {"hypercube:4", 8},
                                             {"hypercube:5", 16},
                                             {"mesh:4x4", 16},
                                             {"mesh:6x6", 54},
                                             {"fat_octagon:8", 16},
                                             {"omega:16", 15},
                                             {"clos:4,4,4", 15},
                                             {"fattree:16", 15},
                                             {"complete:9", 1}}));
    CAPTURE(cell.network, cell.steps);
    const SearchResult result =
        search(symmetry(), scatter_on(make_topology(cell.network)), cell.steps, {.effort = 400000});
    CHECK(result.outcome == Outcome::found);
}

TEST_CASE("a permutation and a scatter between two sets are as symmetric as they can be",
          "[scatter][symmetry]")
{
    const Topology octagon = make_topology("fat_octagon:8");
    std::vector<std::uint32_t> even;
    std::vector<std::uint32_t> odd;
    std::vector<std::uint32_t> opposite;
    for (std::uint32_t i = 0; i < 16; ++i) {
        (i % 2 == 0 ? even : odd).push_back(i);
        opposite.push_back((i + 8) % 16);
    }
    const auto steps_of = [&](const Collective& collective, unsigned steps) {
        const SearchResult result =
            search(symmetry(), make_problem(octagon, collective), steps, {.effort = 400000});
        return result.outcome == Outcome::found ? result.schedule->steps.size() : 0;
    };
    CHECK(steps_of(many_to_many_scatter({16}, even, even), 7) == 7);
    CHECK(steps_of(many_to_many_scatter({16}, even, odd), 8) == 8);
    CHECK(steps_of(permutation(opposite), 2) == 2);
}

TEST_CASE("the same seed and effort give the same schedule", "[scatter][symmetry]")
{
    const Problem problem = scatter_on(make_topology("mesh:4x4"));
    const auto schedule = [&](std::uint64_t seed) {
        return search(symmetry(), problem, 17, {.seed = seed, .effort = 100000}).schedule;
    };
    REQUIRE(schedule(3));
    CHECK(schedule(3) == schedule(3));
    CHECK(schedule(3) != schedule(4));
}

TEST_CASE("a network without symmetries is given up at once", "[scatter][symmetry]")
{
    unsigned asymmetric = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const Problem problem = scatter_on(random_directed(seed, 10, 20));
        // Parallel channels may change places: that moves no message.
        const auto generators = find_symmetries(problem.topology, Reversal::included).generators;
        if (std::any_of(generators.begin(), generators.end(), [&](const Symmetry& generator) {
                return generator.reverses || generator.processors != identity(problem.topology).processors;
            }))
            continue;
        ++asymmetric;
        const SearchResult result = search(symmetry(), problem, 90, {});
        CHECK(result.outcome == Outcome::gave_up);
        CHECK(result.tried == 0);
        CHECK(result.unscheduled == 90);
    }
    CHECK(asymmetric > 10);
}

TEST_CASE("what cannot be ends when effort or the stop flag say so", "[scatter][symmetry]")
{
    const Problem problem = scatter_on(make_topology("torus:4x4"));
    const SearchResult tired = search(symmetry(), problem, 9, {.effort = 10});
    CHECK(tired.tried <= 10);
    const std::atomic<bool> stop{true};
    const SearchResult stopped = search(symmetry(), problem, 8, {.end = {.stop = &stop}});
    CHECK(stopped.outcome == Outcome::gave_up);
    CHECK(search(symmetry(), problem, 7, {.effort = 1000}).outcome == Outcome::gave_up);
}

TEST_CASE("only scatters and permutations under wormhole switching suit", "[scatter][symmetry]")
{
    Problem problem = scatter_on(make_topology("torus:4x4"));
    CHECK(suits_symmetric(problem));
    problem.switching = Switching::store_and_forward;
    CHECK_FALSE(suits_symmetric(problem));
    CHECK_FALSE(suits_symmetric(make_problem(make_topology("torus:4x4"), allgather({16}))));
}

TEST_CASE("no invalid schedule comes from random networks", "[scatter][symmetry]")
{
    const PortModel ports = GENERATE(PortModel(one_port), PortModel{2}, PortModel(all_port));
    unsigned found = 0;
    for (unsigned seed = 1; seed <= 60; ++seed) {
        Problem problem = scatter_on(two_of(
            seed % 2 == 0 ? random_connected(seed, 4, seed % 4) : random_directed(seed, 4, seed % 5), seed));
        problem.ports = ports;
        // search() throws if the schedule is invalid.
        const SearchResult result =
            search(symmetry(), problem, 12 + seed % 32, {.seed = seed, .effort = 2000});
        found += result.outcome == Outcome::found;
    }
    CHECK(found > 10);
    CHECK(found < 60);
}

TEST_CASE("subgroups are groups that keep no message", "[scatter][symmetry]")
{
    const auto network =
        GENERATE("mesh:4x4", "torus:4x4", "hypercube:4", "fattree:8", "petersen", "kautz:2,3");
    CAPTURE(network);
    const Problem problem = scatter_on(make_topology(network));
    const auto groups = find_free_subgroups(problem, {});
    REQUIRE_FALSE(groups.empty());
    for (const Subgroup& group : groups) {
        const std::set<Symmetry> members(group.elements.begin(), group.elements.end());
        CHECK(members.size() == group.order());
        CHECK(group.order() > 1);
        for (const Symmetry& element : group.elements) {
            CHECK(is_symmetry(problem.topology, problem.collective, element));
            CHECK(kept_message(problem.collective, element).has_value() == is_identity(element));
            for (const Symmetry& generator : group.generators)
                CHECK(members.contains(compose(element, generator)));
        }
        // So every orbit of messages is as large as the group.
        CHECK(representatives(problem.collective, group.elements).size() * group.order() ==
              problem.collective.messages().size());
    }
    CHECK(std::is_sorted(groups.begin(), groups.end(),
                         [](const Subgroup& a, const Subgroup& b) { return a.order() > b.order(); }));
}

TEST_CASE("a message that an element keeps needs its step and its path kept", "[scatter][symmetry]")
{
    // 0 - 1 - 2: the mirror that turns paths round keeps 0>2 with its path, and 2>0.
    const Problem problem = scatter_on(make_topology("mesh:3"));
    const auto all =
        elements(problem.topology, find_symmetries(problem.topology, Reversal::included).generators, 4);
    const auto mirror = std::find_if(all->begin(), all->end(),
                                     [](const Symmetry& s) { return s.reverses && s.processors[0] == 2; });
    REQUIRE(mirror != all->end());
    const Symmetry none = identity(problem.topology);
    const auto orbits = representatives(problem.collective, std::vector{none, *mirror});
    CHECK(orbits.size() == 4); // 0>1 and 1>2, 1>0 and 2>1, 0>2, 2>0
    const auto choices = choose_transfers(problem, orbits, {});
    const StepGroup quotient{.quotient = {none, *mirror}, .shifts = {none}};
    const auto packing = make_orbit_packing(problem, quotient, choices);
    CHECK(is_possible(packing));
    const StepGroup shift{.quotient = {none}, .shifts = {none, *mirror}};
    CHECK_FALSE(is_possible(make_orbit_packing(problem, shift, choices)));

    // 0>1 and 1>2 hold the channels of one direction, 0>2 the same: two steps for everything.
    const packing::PackingResult packed = packing::pack(packing.packing, 2, {});
    REQUIRE(packed.placements.size() == 4);
    Schedule schedule = empty_schedule(problem, "test");
    schedule.steps = unfold(problem, quotient, packing, packed.placements, 2);
    CHECK(validate(schedule, problem.topology).empty());
}

} // namespace nocturne::symmetry_test
