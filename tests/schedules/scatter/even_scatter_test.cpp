#include "models/routing/distances.hpp"
#include "schedules/constructions/constructions.hpp"
#include "schedules/scatter/even_packing.hpp"
#include "schedules/scatter/even_paths.hpp"
#include "schedules/scatter/scatter_engines.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/problem_rows.hpp"

#include <algorithm>
#include <vector>

namespace nocturne::even_scatter_test {

namespace {

Problem all_to_all(const std::string& spec, PortModel ports)
{
    Problem problem = test::problem_in_words(spec, "alltoall");
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
    Schedule schedule = empty_schedule(problem, "even");
    schedule.steps.resize(packed.steps);
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

TEST_CASE("the engine gives up where the flow bound allows no schedule", "[scatter][even]")
{
    const Problem problem = test::problem_in_words("mesh:8x9", "alltoall fault=link:33-34");
    const SearchControl control{.effort = 8 * problem.collective.messages().size()};
    CHECK(search_even_scatter(problem, 100, control).outcome == Outcome::gave_up); // 183 is the bound
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

} // namespace nocturne::even_scatter_test
