#include "schedules/constructions/translated_scatter.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/constructions/constructed.hpp"

#include <algorithm>
#include <vector>

namespace nocturne::translated_scatter_test {

namespace {

Problem hops_on(const std::string& spec, const std::vector<std::string>& faults = {})
{
    Problem problem = problem_on(spec, CollectiveKind::alltoall, 0, faults);
    problem.switching = Switching::store_and_forward;
    problem.ports = all_port;
    return problem;
}

/// Hops that a dimension's channels have to carry, over these.
std::size_t least_steps(const std::vector<std::size_t>& extent)
{
    std::size_t processors = 1, least = 0;
    for (const std::size_t sides : extent)
        processors *= sides;
    for (const std::size_t side : extent) {
        const std::size_t hops = side * side / 4 * (processors / side), directions = side == 2 ? 1 : 2;
        least = std::max(least, (hops + directions - 1) / directions);
    }
    return least;
}

} // namespace

TEST_CASE("hop by hop all-to-all keeps all channels of the longest dimension busy", "[constructions]")
{
    const auto [spec, extent] =
        GENERATE(table<std::string, std::vector<std::size_t>>({{"ring:3", {3}},
                                                               {"ring:4", {4}},
                                                               {"ring:6", {6}},
                                                               {"ring:7", {7}},
                                                               {"ring:16", {16}},
                                                               {"ring:30", {30}},
                                                               {"ring:64", {64}},
                                                               {"torus:3x3", {3, 3}},
                                                               {"torus:4x4", {4, 4}},
                                                               {"torus:3x5", {3, 5}},
                                                               {"torus:4x3", {4, 3}},
                                                               {"torus:6x4", {6, 4}},
                                                               {"torus:8x8", {8, 8}},
                                                               {"torus:9x9", {9, 9}},
                                                               {"torus:16x16", {16, 16}},
                                                               {"torus:3x4x5", {3, 4, 5}},
                                                               {"torus:4x4x4", {4, 4, 4}},
                                                               {"hypercube:1", {2}},
                                                               {"hypercube:3", {2, 2, 2}},
                                                               {"hypercube:4", {2, 2, 2, 2}},
                                                               {"hypercube:7", {2, 2, 2, 2, 2, 2, 2}}}));
    INFO(spec);
    const Problem problem = hops_on(spec);
    CHECK(valid_steps(translated_scatter(problem), problem) == least_steps(extent));
}

TEST_CASE("hop by hop all-to-all is valid on circulants", "[constructions]")
{
    const auto spec = GENERATE("octagon:8", "octagon:12", "complete:6", "folded_hypercube:4", "torus:2x5");
    INFO(spec);
    const Problem problem = hops_on(spec);
    std::size_t hops = 0; // a channel each, at best
    const auto schedule = translated_scatter(problem);
    const std::size_t steps = valid_steps(schedule, problem);
    for (const Step& step : schedule->steps)
        hops += step.size();
    CHECK(steps <= hops / problem.topology.channel_count() + 2);
}

TEST_CASE("hop by hop all-to-all is for whole Cayley graphs through all ports", "[constructions]")
{
    Problem problem = hops_on("torus:4x4");
    problem.ports = one_port;
    CHECK_FALSE(translated_scatter(problem));
    problem = hops_on("torus:4x4");
    problem.switching = Switching::wormhole;
    CHECK_FALSE(translated_scatter(problem));
    CHECK_FALSE(translated_scatter(hops_on("mesh:4x4")));
    CHECK_FALSE(translated_scatter(hops_on("torus:4x4", {"channel:00-01"})));
    problem = hops_on("torus:4x4");
    problem.collective = allgather({16});
    CHECK_FALSE(translated_scatter(problem));
}

} // namespace nocturne::translated_scatter_test
