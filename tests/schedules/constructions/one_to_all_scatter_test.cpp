#include "models/routing/distances.hpp"
#include "models/routing/random.hpp"
#include "schedules/constructions/one_to_all_scatter.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/constructions/constructed.hpp"

#include <algorithm>

namespace nocturne::one_to_all_scatter_test {

namespace {

struct Case {
    const char* spec;
    ProcessorId source;
    std::size_t steps;
};

enum class Across { channels, channels_and_relays };

/// The largest of all cut bounds: receivers beyond a cut, over the channels across it and what processors
/// that receive on one side and send on the other can pass on; and the port bound.
std::size_t cut_bound(const Problem& problem, Across what)
{
    const Topology& topology = problem.topology;
    const bool gathers = problem.collective.kind == CollectiveKind::gather;
    const ProcessorId root =
        gathers ? problem.collective.demands.front().receiver : problem.collective.messages().front().origin;
    const RouterId root_router =
        gathers ? topology.processor(root).ejection : topology.processor(root).injection;
    const std::size_t messages = problem.collective.messages().size();
    const std::size_t ports =
        gathers ? receive_ports(topology, root, problem.ports) : send_ports(topology, root, problem.ports);
    std::size_t bound = (messages + ports - 1) / ports;
    for (std::uint32_t set = 0; set < 1u << topology.router_count(); ++set) {
        if ((set >> root_router & 1) != 0)
            continue;
        std::size_t beyond = 0, across = 0;
        for (const Message& message : problem.collective.messages()) {
            const RouterId end = gathers ? topology.processor(message.origin).injection
                                         : topology.processor(message.receivers.front()).ejection;
            beyond += set >> end & 1;
        }
        for (const Channel& channel : topology.channels()) {
            const bool from = (set >> channel.source & 1) != 0, to = (set >> channel.target & 1) != 0;
            across += (gathers ? from && !to : to && !from) ? 1 : 0;
        }
        for (ProcessorId id = 0; id < topology.processor_count() && what == Across::channels_and_relays;
             ++id) {
            const Processor& relay = topology.processor(id);
            const bool from = (set >> relay.ejection & 1) != 0, to = (set >> relay.injection & 1) != 0;
            if (gathers ? from && !to : to && !from)
                across += std::min(send_ports(topology, id, problem.ports),
                                   receive_ports(topology, id, problem.ports));
        }
        if (beyond > 0)
            bound = std::max(bound, (beyond + across - 1) / across);
    }
    return bound;
}

} // namespace

TEST_CASE("scatters from one processor and gathers to it take the known least number of steps",
          "[constructions]")
{
    const auto [spec, source, steps] = GENERATE(
        Case{"fbtree:63", 0, 31}, Case{"fbtree:63", 1, 32}, Case{"fbtree:63", 3, 48},
        Case{"fbtree:63", 7, 56}, Case{"fbtree:63", 15, 60}, Case{"fbtree:63", 31, 62},
        Case{"hypercube:3", 0, 3}, Case{"hypercube:4", 5, 4}, Case{"hypercube:5", 0, 7},
        Case{"hypercube:6", 63, 11}, Case{"hypercube:7", 1, 19}, Case{"kautz:3,2", 4, 4},
        Case{"mesh:4x4", 1, 5}, Case{"mesh:4x4", 0, 8}, Case{"mesh:4x4", 5, 4}, Case{"octagon:8", 3, 3},
        Case{"omega:16", 2, 15}, Case{"butterfly:8", 0, 7}, Case{"clos:3,3,4", 0, 11},
        Case{"btree:32", 9, 31}, Case{"fattree:16", 0, 15}, Case{"torus:16x16", 0, 64});
    Problem problem = problem_on(spec, CollectiveKind::scatter, source);
    CHECK(valid_steps(one_to_all_scatter(problem), problem) == steps);
    CHECK(fewest_scatter_steps(problem) == steps);
    problem = problem_on(spec, CollectiveKind::gather, source);
    CHECK(valid_steps(one_to_all_scatter(problem), problem) == steps);
}

TEST_CASE("with minimal paths a scatter from the boundary of a mesh takes a step more", "[constructions]")
{
    const auto kind = GENERATE(CollectiveKind::scatter, CollectiveKind::gather);
    Problem problem = problem_on("mesh:4x4", kind, 1);
    problem.slack = 2;
    CHECK(valid_steps(one_to_all_scatter(problem), problem) == 5);
    problem.slack = 0;
    CHECK(valid_steps(one_to_all_scatter(problem), problem) == 6);
}

TEST_CASE("a broken arc of the Kautz network does not slow its scatters", "[constructions]")
{
    const auto fault = GENERATE("channel:10-02", "channel:10-03");
    const auto source = GENERATE(0u, 1u, 2u, 4u, 5u, 11u);
    const Problem problem = problem_on("kautz:3,2", CollectiveKind::scatter, source, {fault});
    CHECK(valid_steps(one_to_all_scatter(problem), problem) == 4);
}

TEST_CASE("on random networks a scatter takes exactly as many steps as the tightest cut", "[constructions]")
{
    SplitMix64 random(GENERATE(range(1u, 60u)));
    Topology topology = random_network(random);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    const std::uint32_t root = random.below(processors);
    for (const auto& collective : {scatter({processors}, root), gather({processors}, root)})
        for (const PortModel ports : {one_port, PortModel{2}, all_port}) {
            Problem problem = make_problem(topology, collective);
            problem.ports = ports;
            CHECK(fewest_scatter_steps(problem) == cut_bound(problem, Across::channels_and_relays));
            CHECK(valid_steps(one_to_all_scatter(problem), problem) == cut_bound(problem, Across::channels));
            problem.slack = random.below(2);
            if (const auto schedule = one_to_all_scatter(problem))
                CHECK(valid_steps(schedule, problem) >= cut_bound(problem, Across::channels));
        }
}

TEST_CASE("flows are for scatters from one processor or gathers to one", "[constructions]")
{
    CHECK_FALSE(fewest_scatter_steps(problem_on("mesh:4x4", CollectiveKind::allgather)));
    Problem problem = problem_on("mesh:4x4", CollectiveKind::scatter);
    problem.collective = many_to_many_scatter({16}, {3}, {4, 5, 9});
    CHECK(valid_steps(one_to_all_scatter(problem), problem) == 2);
    problem.switching = Switching::store_and_forward;
    CHECK_FALSE(one_to_all_scatter(problem));
}

} // namespace nocturne::one_to_all_scatter_test
