#include "models/routing/distances.hpp"
#include "models/routing/random.hpp"
#include "schedules/constructions/constructions.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/constructions/constructed.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <algorithm>

namespace nocturne::one_to_all_scatter_test {

namespace {

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

TEST_CASE("on random networks a scatter takes exactly as many steps as the tightest cut", "[constructions]")
{
    const unsigned seed = GENERATE(range(1u, 60u));
    SplitMix64 random(seed);
    const Topology topology = test::random_problem(seed, 10, test::Traffic::scatter).topology;
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

} // namespace nocturne::one_to_all_scatter_test
