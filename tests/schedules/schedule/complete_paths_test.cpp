#include "models/routing/distances.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/schedule/complete_paths.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"
#include "tests/schedules/schedule/example_schedules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace nocturne::complete_paths_test {

using namespace nocturne::test;

namespace {

/// One step of a permutation, without paths.
Schedule one_step(const Topology& topology, const std::vector<ProcessorId>& image)
{
    Schedule schedule{"one step",          "",  topology.name(), permutation(image), all_port,
                      Switching::wormhole, {{}}};
    for (MessageId id = 0; id < schedule.collective.messages().size(); ++id) {
        const Message& message = schedule.collective.messages()[id];
        schedule.steps[0].push_back({id, message.origin, message.receivers.front(), std::nullopt});
    }
    return schedule;
}

std::vector<ProcessorId> random_image(unsigned seed, std::size_t processors)
{
    std::vector<ProcessorId> image(processors);
    std::iota(image.begin(), image.end(), 0u);
    Random random(seed);
    std::shuffle(image.begin(), image.end(), random);
    return image;
}

/// The most hops of a path beyond a minimal one.
std::size_t slack_of(const Schedule& schedule, const Topology& topology)
{
    std::size_t slack = 0;
    for (const Step& step : schedule.steps)
        for (const Transfer& t : step) {
            const Endpoints ends = endpoints(topology, t.source, t.destination);
            slack = std::max(slack, t.path->size() - distances_from(topology, ends.source)[ends.destination]);
        }
    return slack;
}

Topology line(unsigned routers)
{
    Topology topology = test::direct_network("line", routers);
    for (unsigned i = 0; i + 1 < routers; ++i)
        topology.add_link(i, i + 1);
    return topology;
}

} // namespace

TEST_CASE("rearrangeable networks of 64 processors route any permutation in one step", "[schedule][paths]")
{
    const char* const spec = GENERATE("fattree:64", "fattree:4,3", "clos:8,8,8", "benes:4,3", "benes:2,6");
    const Topology topology = make_topology(spec);
    const auto seed = GENERATE(range(1u, 3u));
    const Schedule complete = complete_paths(one_step(topology, random_image(seed, 64)), topology);
    CHECK(validate(complete, topology).empty());
    CHECK(slack_of(complete, topology) == 0);
}

TEST_CASE("given paths stay, and others go round them", "[schedule][paths]")
{
    const Topology topology = make_topology("fattree:4");
    Schedule schedule = one_step(topology, {2, 3, 0, 1});
    Schedule complete = complete_paths(schedule, topology);
    REQUIRE(complete.steps[0][0].path->size() == 2);
    // Give the first transfer the path that the search gave the second: the two must trade places.
    schedule.steps[0][0].path = complete.steps[0][1].path;
    complete = complete_paths(schedule, topology);
    CHECK(complete.steps[0][0] == schedule.steps[0][0]);
    CHECK(validate(complete, topology).empty());
    CHECK(complete_paths(complete, topology) == complete);
}

TEST_CASE("longer paths are used where minimal ones do not suffice, and only there", "[schedule][paths]")
{
    // 0 and 1 both send to 2 over the one channel 1 -> 2, or the long way round.
    const Topology topology = make_topology("ring:5");
    Schedule schedule{"gather", "", "ring:5", gather({5}, 2), all_port, Switching::wormhole, {}};
    schedule.steps = {{{*find_message(schedule.collective, 0, 2), 0, 2, {}},
                       {*find_message(schedule.collective, 1, 2), 1, 2, {}}}};
    const Schedule complete = complete_paths(schedule, topology, {.max_slack = 1});
    CHECK(complete.steps[0][0].path->size() == 3);
    CHECK(complete.steps[0][1].path->size() == 1);
    CHECK_THROWS_WITH(complete_paths(schedule, topology, {.max_slack = 0}),
                      "gather: step 1: no paths without conflict exist (proven for slack 0)");
}

TEST_CASE("a step that cannot be routed is named, and so is whether that is proven", "[schedule][paths]")
{
    const Topology topology = line(4);
    Schedule schedule = one_step(topology, {2, 3, 0, 1});
    schedule.steps.insert(schedule.steps.begin(), Step{{0, 0, 2, {}}});
    CHECK_THROWS_WITH(complete_paths(schedule, topology),
                      "one step: step 2: no paths without conflict exist (proven for slack 2)");

    // Nine messages through the 8 channels into one half; too many ways to try them all.
    Topology halves("halves");
    for (unsigned i = 0; i < 10; ++i)
        halves.add_router();
    for (unsigned i = 0; i < 9; ++i)
        halves.add_processor(0, 0, fmt::format("a{}", i));
    for (unsigned i = 0; i < 9; ++i)
        halves.add_processor(9, 9, fmt::format("b{}", i));
    for (RouterId middle = 1; middle < 9; ++middle) {
        halves.add_link(0, middle);
        halves.add_link(middle, 9);
    }
    std::vector<ProcessorId> image(18);
    for (ProcessorId i = 0; i < 18; ++i)
        image[i] = (i + 9) % 18;
    CHECK_THROWS_WITH(
        complete_paths(one_step(halves, image), halves, {.max_slack = 1, .search_limit = 500}),
        "one step: step 1: no paths without conflict found (slack 1, search limit 500 reached: not proven)");
}

TEST_CASE("an unreachable destination is proven to be so", "[schedule][paths]")
{
    const Topology topology = test::direct_network("one way", 2, {{0, 1}});
    CHECK_THROWS_WITH(complete_paths(one_step(topology, {1, 0}), topology),
                      "one step: step 1: no paths without conflict exist (proven for slack 2)");
}

TEST_CASE("under store-and-forward a path is one hop", "[schedule][paths]")
{
    auto [schedule, topology] = rotation_broadcast(6);
    Schedule bare = schedule;
    for (Step& step : bare.steps)
        for (Transfer& transfer : step)
            transfer.path.reset();
    CHECK(complete_paths(bare, topology) == schedule);

    bare.steps[0] = {{0, 0, 2, {}}};
    CHECK_THROWS_AS(complete_paths(bare, topology), std::runtime_error);
}

TEST_CASE("found paths are valid on any network", "[schedule][paths]")
{
    unsigned routed = 0;
    for (unsigned seed = 0; seed < 100; ++seed) {
        Random random(seed);
        const Topology topology = random_network(random, 8, 6);
        std::vector<ProcessorId> image = random_image(seed, 6);
        if (std::is_sorted(image.begin(), image.end()))
            continue;
        Schedule schedule = one_step(topology, image);
        schedule.ports = PortModel{1};
        try {
            const Schedule complete =
                complete_paths(schedule, topology, {.max_slack = 2, .search_limit = 5000});
            INFO("seed " << seed);
            CHECK(validate(complete, topology).empty());
            CHECK(slack_of(complete, topology) <= 2);
            ++routed;
        } catch (const std::runtime_error&) {
            // not every permutation is possible in one step
        }
    }
    CHECK(routed > 20);
}

TEST_CASE("processors and channels that do not exist are refused", "[schedule][paths]")
{
    const Topology topology = line(3);
    Schedule schedule = one_step(topology, {1, 0, 2});
    schedule.steps[0][0].destination = 9;
    CHECK_THROWS_AS(complete_paths(schedule, topology), std::invalid_argument);
    schedule = one_step(topology, {1, 0, 2});
    schedule.steps[0][0].path = Path{99};
    CHECK_THROWS_AS(complete_paths(schedule, topology), std::invalid_argument);
}

} // namespace nocturne::complete_paths_test
