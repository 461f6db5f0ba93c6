#include "tests/schedules/problem/random_problems.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>

namespace nocturne::test {
namespace {

using Random = std::mt19937_64;

unsigned any(Random& random, unsigned least, unsigned most)
{
    return std::uniform_int_distribution<unsigned>(least, most)(random);
}

Topology random_network(Random& random, std::uint64_t seed, unsigned most_routers)
{
    const unsigned routers = any(random, 2, most_routers);
    Topology topology("random " + std::to_string(seed));
    for (unsigned i = 0; i < routers; ++i)
        topology.add_router();
    const bool two_way = any(random, 0, 1) == 0;
    const auto join = [&](RouterId a, RouterId b) {
        if (two_way)
            topology.add_link(a, b);
        else
            topology.add_channel(a, b);
    };
    for (RouterId id = 0; id < routers; ++id) // a ring, or a tree and a link
        join(id, two_way && id > 0 ? any(random, 0, id - 1) : (id + 1) % routers);
    for (unsigned extra = any(random, 0, routers); extra > 0; --extra) {
        const RouterId a = any(random, 0, routers - 1);
        join(a, (a + any(random, 1, routers - 1)) % routers);
    }
    const unsigned layout = any(random, 0, 3); // one each; anywhere; ejected elsewhere
    for (unsigned i = 0; i < routers; ++i) {
        const RouterId injection = layout < 2 ? i : any(random, 0, routers - 1);
        topology.add_processor(injection, layout < 3 ? injection : any(random, 0, routers - 1));
    }
    return topology;
}

std::vector<ProcessorId> some_of(Random& random, unsigned processors)
{
    std::vector<ProcessorId> all(processors);
    std::iota(all.begin(), all.end(), 0u);
    std::shuffle(all.begin(), all.end(), random);
    all.resize(any(random, 1, processors));
    return all;
}

Collective random_collective(Random& random, unsigned processors, Traffic traffic)
{
    const auto senders = some_of(random, processors);
    auto receivers = some_of(random, processors);
    if (senders.size() == 1 && receivers == senders)
        receivers.front() = (receivers.front() + 1) % processors;
    switch (any(random, 0, 2)) {
    case 0:
        return traffic == Traffic::scatter ? alltoall({processors}) : allgather({processors});
    case 1:
        return traffic == Traffic::scatter ? any(random, 0, 1) == 0 ? scatter({processors}, senders.front())
                                                                    : gather({processors}, senders.front())
                                           : broadcast({processors}, senders.front());
    default:
        return traffic == Traffic::scatter ? many_to_many_scatter({processors}, senders, receivers)
                                           : many_to_many_broadcast({processors}, senders, receivers);
    }
}

} // namespace

Problem random_problem(std::uint64_t seed, unsigned routers, Traffic traffic)
{
    Random random(seed);
    const Topology topology = random_network(random, seed, routers);
    const auto processors = static_cast<unsigned>(topology.processor_count());
    Problem problem{topology, random_collective(random, processors, traffic), PortModel{any(random, 0, 3)}};
    switch (any(random, 0, 3)) {
    case 0:
        problem.slack = any(random, 0, 2);
        break;
    case 1:
        problem.switching = Switching::store_and_forward;
        try {
            check(problem);
        } catch (const std::invalid_argument&) { // routers without processors cut it
            problem.switching = Switching::wormhole;
        }
        break;
    default:
        break;
    }
    check(problem);
    return problem;
}

} // namespace nocturne::test
