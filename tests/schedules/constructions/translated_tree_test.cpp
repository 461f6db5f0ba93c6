#include "schedules/constructions/translated_tree.hpp"
#include "schedules/constructions/translations.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/constructions/constructed.hpp"

namespace nocturne::translated_tree_test {

TEST_CASE("translated trees broadcast for all at the port bound", "[constructions]")
{
    const auto spec = GENERATE("hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4", "hypercube:5",
                               "hypercube:6", "hypercube:7", "torus:3x3", "torus:4x4", "torus:5x7",
                               "torus:2x5", "torus:16x16", "torus:3x4x5", "ring:3", "ring:8", "ring:9",
                               "octagon:8", "octagon:12", "complete:6", "folded_hypercube:5");
    Problem problem = problem_on(spec, CollectiveKind::allgather);
    const std::size_t others = problem.topology.processor_count() - 1;
    const std::size_t degree = problem.topology.channels_from(0).size();
    CHECK(valid_steps(translated_tree(problem), problem) == (others + degree - 1) / degree);
    problem.ports = one_port;
    CHECK(valid_steps(translated_tree(problem), problem) == others);
    problem.switching = Switching::store_and_forward;
    problem.ports = all_port;
    CHECK(valid_steps(translated_tree(problem), problem) == (others + degree - 1) / degree);
}

TEST_CASE("translated trees use no more ports than there are", "[constructions]")
{
    const auto ports = GENERATE(1u, 2u, 3u, 4u, 7u);
    Problem problem = problem_on("torus:6x6", CollectiveKind::allgather);
    problem.ports = PortModel{ports};
    const unsigned used = std::min(ports, 4u);
    CHECK(valid_steps(translated_tree(problem), problem) == (35 + used - 1) / used);
}

TEST_CASE("networks that do not look the same from everywhere are no Cayley graphs", "[constructions]")
{
    CHECK_FALSE(find_cayley_graph(make_topology("mesh:4x4")));
    CHECK_FALSE(find_cayley_graph(make_topology("petersen")));
    CHECK_FALSE(translated_tree(problem_on("torus:4x4", CollectiveKind::alltoall)));
    CHECK_FALSE(translated_tree(problem_on("torus:4x4", CollectiveKind::allgather, 0, {"channel:00-01"})));
    CHECK_FALSE(translated_tree(problem_on("torus:4x4", CollectiveKind::allgather, 0, {"node:3"})));
    CHECK_FALSE(translated_tree(problem_on("fat_octagon:8", CollectiveKind::allgather)));
}

} // namespace nocturne::translated_tree_test
