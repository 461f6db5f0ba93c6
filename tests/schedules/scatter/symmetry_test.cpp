#include "models/topology/make_topology.hpp"
#include "schedules/portfolio/engines.hpp"
#include "schedules/scatter/orbit_packing.hpp"
#include "schedules/scatter/scatter_engines.hpp"
#include "schedules/scatter/step_groups.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/models/routing/random_networks.hpp"

#include <algorithm>
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
