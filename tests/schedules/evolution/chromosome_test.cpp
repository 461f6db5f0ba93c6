#include "models/topology/make_topology.hpp"
#include "schedules/evolution/chromosome.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"

#include <stdexcept>

namespace nocturne::chromosome_test {

TEST_CASE("a chromosome decodes into the schedule that it encodes", "[evolution][chromosome]")
{
    // One delivery a step is free of conflicts whatever the paths.
    const char* const name = GENERATE("mesh:3x3", "omega:8", "fat_octagon:8", "kautz:2,2");
    const Topology topology = make_topology(name);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    const bool to_all = GENERATE(false, true);
    const Problem problem =
        make_problem(topology, to_all ? broadcast({processors}, 0) : alltoall({processors}));
    const auto deliveries = static_cast<unsigned>(ChromosomeEncoding(problem, 1).deliveries().size());
    const ChromosomeEncoding encoding(problem, deliveries);
    REQUIRE(encoding.builds_trees() == to_all);
    Chromosome chromosome;
    for (std::uint32_t i = 0; i < deliveries; ++i) {
        const auto [message, origin, receiver] = encoding.deliveries()[i];
        const ProcessorId source = to_all && i > 0 ? encoding.deliveries()[i - 1].receiver : origin;
        const std::uint32_t path = encoding.path_count(source, receiver) - 1;
        chromosome.push_back({static_cast<std::uint16_t>(source), static_cast<std::uint16_t>(path),
                              static_cast<std::uint16_t>(i)});
    }
    const Schedule schedule = encoding.decode(chromosome, "test");
    CHECK(validate(schedule, problem.topology).empty());
    CHECK(schedule.steps.size() == deliveries);
    CHECK(encoding.encode(schedule, Chromosome(deliveries)) == chromosome);
}

TEST_CASE("what a gene takes: its channels, and ports that can run short", "[evolution][chromosome]")
{
    // All-port, one processor a router: the channels say it all.
    const Problem ring = make_problem(make_topology("ring:4"), alltoall({4}));
    CHECK(ChromosomeEncoding(ring, 3).resources(0, {0, 0, 0}).size() == 1); // 0 to 1
    Problem one = ring;
    one.ports = one_port;
    const ChromosomeEncoding encoding(one, 3);
    const auto taken = encoding.resources(0, {0, 0, 0});
    REQUIRE(taken.size() == 3);
    CHECK(taken[1] == one.topology.channel_count() + 0);
    CHECK(taken[2] == one.topology.channel_count() + 4 + 1);
    CHECK(encoding.path_count(0, 2) == 2);
    CHECK(encoding.capacity(taken[1]) == 1);
}

TEST_CASE("encodings that cannot be are refused", "[evolution][chromosome]")
{
    Problem problem = make_problem(make_topology("ring:4"), alltoall({4}));
    CHECK_THROWS_AS(ChromosomeEncoding(problem, 0), std::invalid_argument);
    CHECK_THROWS_AS(ChromosomeEncoding(problem, 65'536), std::invalid_argument);
    problem.switching = Switching::store_and_forward;
    CHECK_THROWS_AS(ChromosomeEncoding(problem, 3), std::invalid_argument);
}

} // namespace nocturne::chromosome_test
