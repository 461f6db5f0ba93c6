#include "models/topology/make_topology.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/sums/sum_schedules.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/sums/plain_sums.hpp"

#include <bit>
#include <string>

namespace nocturne::doubling_test {

using namespace nocturne::test;

TEST_CASE("where every pair is joined, doubling takes the logarithm of the processors, rounded up", "[sums]")
{
    const std::uint32_t processors = GENERATE(2u, 3u, 4u, 5u, 8u, 13u, 16u);
    CAPTURE(processors);
    const Topology topology = make_topology("complete:" + std::to_string(processors));
    Problem problem{topology, allreduce({processors}), one_port};
    const auto sum = doubling(problem);
    REQUIRE(sum);
    CHECK(objection_to(*sum, problem) == std::nullopt);
    const auto logarithm = static_cast<std::size_t>(std::bit_width(processors) - 1);
    CHECK(sum->steps.size() == logarithm + (std::has_single_bit(processors) ? 0 : 2));

    problem.collective = scan({processors});
    const auto prefixes = doubling(problem);
    REQUIRE(prefixes);
    CHECK(objection_to(*prefixes, problem) == std::nullopt);
    CHECK(prefixes->steps.size() == static_cast<std::size_t>(std::bit_width(processors - 1)));
}

TEST_CASE("doubling is a hypercube's all-reduce, a dimension a step", "[sums]")
{
    const Problem problem{make_topology("hypercube:4"), allreduce({16}), one_port,
                          Switching::store_and_forward};
    const auto schedule = doubling(problem);
    REQUIRE(schedule);
    CHECK(objection_to(*schedule, problem) == std::nullopt);
    CHECK(schedule->steps.size() == 4);
    CHECK(sums_are_right(*schedule));
}

TEST_CASE("a round that does not fit into one step takes more, and sums stay right", "[sums]")
{
    const std::string text = GENERATE("ring:7", "mesh:1x6", "mesh:3x3", "omega:8", "star:5");
    const unsigned ports = GENERATE(1u, 2u);
    const std::uint32_t parts = GENERATE(1u, 3u);
    CAPTURE(text, ports, parts);
    const Topology topology = make_topology(text);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    for (const Collective& collective : {allreduce({processors, parts}), scan({processors, parts})}) {
        const Problem problem{topology, collective, PortModel{ports}};
        const auto schedule = doubling(problem);
        REQUIRE(schedule);
        CHECK(objection_to(*schedule, problem) == std::nullopt);
        CHECK(sums_are_right(*schedule));
    }
}

TEST_CASE("doubling leaves alone what it cannot do", "[sums]")
{
    const Topology ring = make_topology("ring:5");
    CHECK_FALSE(doubling({ring, reduce({5}, 0), one_port}));
    CHECK_FALSE(doubling({ring, broadcast({5}, 0), one_port}));
    // Processor 0 and 2 are two hops apart.
    CHECK_FALSE(doubling({ring, scan({5}), one_port, Switching::store_and_forward}));
}

} // namespace nocturne::doubling_test
