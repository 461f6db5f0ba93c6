#include "models/routing/random.hpp"
#include "schedules/constructions/constructions.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/constructions/constructed.hpp"

#include <algorithm>
#include <numeric>

namespace nocturne::constructions_test {

namespace {

struct Case {
    const char* spec;
    CollectiveKind kind;
    std::size_t steps;
};

Collective random_collective(SplitMix64& random, std::uint32_t processors)
{
    std::vector<std::uint32_t> order(processors);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), random);
    const std::vector<std::uint32_t> senders(order.begin(), order.begin() + 1 + random.below(processors));
    std::shuffle(order.begin(), order.end(), random);
    std::vector<std::uint32_t> receivers(order.begin(), order.begin() + 1 + random.below(processors));
    if (receivers.size() == 1 && senders.size() == 1 && receivers == senders)
        receivers.front() = (receivers.front() + 1) % processors;
    switch (random.below(6)) {
    case 0:
        return allgather({processors});
    case 1:
        return alltoall({processors});
    case 2:
        return scatter({processors}, senders.front());
    case 3:
        return broadcast({processors}, senders.front());
    case 4:
        return many_to_many_broadcast({processors}, senders, receivers);
    default:
        return many_to_many_scatter({processors}, senders, receivers);
    }
}

} // namespace

TEST_CASE("the best construction takes the least number of steps", "[constructions][construct]")
{
    using enum CollectiveKind;
    const auto [spec, kind, steps] = GENERATE(
        Case{"omega:16", allgather, 15}, Case{"butterfly:16", alltoall, 15}, Case{"clos:4,4,4", alltoall, 15},
        Case{"clos:3,3,4", allgather, 11}, Case{"btree:32", allgather, 31}, Case{"fbtree:63", allgather, 62},
        Case{"fattree:32", alltoall, 31}, Case{"mesh:16x16", allgather, 128},
        Case{"coated_mesh:4x4", allgather, 15}, Case{"octagon:8", allgather, 3},
        Case{"hypercube:6", alltoall, 32}, Case{"hypercube:7", alltoall, 64},
        Case{"hypercube:7", allgather, 19}, Case{"torus:8x8", alltoall, 64}, Case{"mesh:4x4", scatter, 8},
        Case{"mesh:8x8", alltoall, 128}, Case{"torus:6x6", alltoall, 27});
    const Problem problem = problem_on(spec, kind);
    CHECK(valid_steps(best_construction(problem), problem) == steps);
}

TEST_CASE("first fit is left out where the best of the other constructions will do",
          "[constructions][construct]")
{
    const Problem problem = problem_on("octagon:8", CollectiveKind::alltoall);
    std::vector<std::size_t> asked;
    const auto steps = [&](bool will_do) {
        return valid_steps(best_construction(problem,
                                             [&](const Schedule& schedule) {
                                                 asked.push_back(schedule.steps.size());
                                                 return will_do;
                                             }),
                           problem);
    };
    CHECK(steps(true) == 8);
    CHECK(steps(false) == 5);
    CHECK(asked == std::vector<std::size_t>{8, 8});
}

TEST_CASE("AAB on a torus of 1024 processors takes 256 steps", "[constructions][construct]")
{
    const Problem problem = problem_on("torus:32x32", CollectiveKind::allgather);
    CHECK(valid_steps(best_construction(problem), problem) == 256);
}

TEST_CASE("constructions are valid on random networks, or nothing", "[constructions][construct]")
{
    SplitMix64 random(GENERATE(range(1u, 21u)));
    std::size_t built = 0;
    for (int i = 0; i < 20; ++i) {
        Topology topology = random_network(random);
        const auto processors = static_cast<std::uint32_t>(topology.processor_count());
        Problem problem = make_problem(std::move(topology), random_collective(random, processors));
        problem.ports = PortModel{random.below(4)};
        if (random.below(4) == 0)
            problem.switching = Switching::store_and_forward;
        else if (random.below(2) == 0)
            problem.slack = random.below(3);
        for (const Construction& construction : constructions()) {
            INFO(construction.name);
            if (const auto schedule = construction.construct(problem)) {
                ++built;
                CHECK(valid_steps(schedule, problem) > 0);
            }
        }
    }
    CHECK(built > 0);
}

TEST_CASE("constructions are valid on networks with faults, or nothing", "[constructions][construct]")
{
    const auto spec =
        GENERATE("torus:4x4", "hypercube:3", "clos:2,3,2", "fattree:8", "mesh:3x4", "octagon:8");
    const auto kind = GENERATE(CollectiveKind::allgather, CollectiveKind::alltoall, CollectiveKind::scatter);
    const Topology whole = make_topology(spec);
    for (ChannelId channel = 0; channel < whole.channel_count(); channel += 3) {
        Topology topology = whole;
        try {
            topology = with_faults(whole, Faults{{channel}, {}}, "channel");
            require_connected(topology);
        } catch (const std::invalid_argument&) {
            continue; // falls apart
        }
        const auto processors = static_cast<std::uint32_t>(topology.processor_count());
        Participants participants;
        if (kind == CollectiveKind::scatter)
            participants.source = channel % processors;
        const Problem problem =
            make_problem(std::move(topology), make_collective(kind, processors, participants));
        for (const Construction& construction : constructions())
            if (const auto schedule = construction.construct(problem))
                CHECK(valid_steps(schedule, problem) > 0);
    }
}

} // namespace nocturne::constructions_test
