#include "tests/schedules/broadcast/random_broadcasts.hpp"

#include "models/routing/random.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/make_topology.hpp"

#include <fmt/format.h>

#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace nocturne::test {
namespace {

Topology faulty_network(SplitMix64& random)
{
    constexpr std::array specs{"mesh:3x3",  "hypercube:3", "torus:3x3",
                               "octagon:8", "kautz:2,2",   "fat_octagon:8"};
    const Topology whole = make_topology(specs[random.below(specs.size())]);
    const bool node = random.below(2) == 0;
    Faults faults;
    if (node)
        faults.routers.push_back(random.below(static_cast<std::uint32_t>(whole.router_count())));
    else
        faults.channels.push_back(random.below(static_cast<std::uint32_t>(whole.channel_count())));
    return with_faults(whole, faults, "a fault");
}

std::vector<std::uint32_t> some(SplitMix64& random, std::uint32_t processors)
{
    std::vector<std::uint32_t> set(processors);
    std::iota(set.begin(), set.end(), 0u);
    for (std::uint32_t i = processors; i > 1; --i)
        std::swap(set[i - 1], set[random.below(i)]);
    set.resize(1 + random.below(processors - 1));
    return set;
}

Collective random_collective(SplitMix64& random, std::uint32_t processors)
{
    const std::uint32_t source = random.below(processors);
    switch (random.below(4)) {
    case 0:
        return allgather({processors});
    case 1:
        return broadcast({processors}, source);
    case 2: {
        std::vector<std::uint32_t> receivers = some(random, processors);
        std::erase(receivers, source);
        if (receivers.empty())
            receivers.push_back((source + 1) % processors);
        return multicast({processors}, source, std::move(receivers));
    }
    default: {
        std::vector<std::uint32_t> senders = some(random, processors);
        std::vector<std::uint32_t> receivers = some(random, processors);
        if (senders == receivers && senders.size() == 1)
            receivers.front() = (receivers.front() + 1) % processors;
        return many_to_many_broadcast({processors}, std::move(senders), std::move(receivers));
    }
    }
}

} // namespace

Topology random_network(std::uint64_t seed, NetworkSize size)
{
    SplitMix64 random(seed);
    if (random.below(8) == 0)
        return faulty_network(random);
    Topology network(fmt::format("random {}", seed));
    for (RouterId router = 0; router < size.routers; ++router)
        network.add_router();
    const bool directed = random.below(2) == 0;
    const auto connect = [&](RouterId a, RouterId b) {
        if (directed)
            network.add_channel(a, b);
        else
            network.add_link(a, b);
    };
    for (RouterId router = 1; router < size.routers; ++router)
        connect(directed ? router - 1 : random.below(router), router);
    if (directed && size.routers > 1)
        network.add_channel(size.routers - 1, 0);
    for (unsigned i = 0; i < size.more_channels && size.routers > 1; ++i) {
        const RouterId a = random.below(size.routers);
        connect(a, (a + 1 + random.below(size.routers - 1)) % size.routers);
    }
    const std::uint32_t kind = random.below(4);
    for (RouterId router = 0; router < size.routers; ++router) {
        const std::uint32_t processors = kind < 2 || router < 2 ? 1 : random.below(4);
        for (std::uint32_t i = 0; i < processors; ++i) {
            const RouterId ejection = kind == 3 && random.below(4) == 0 ? random.below(size.routers) : router;
            network.add_processor(router, ejection, fmt::format("p{}.{}", router, i));
        }
    }
    return network;
}

Problem random_broadcast(std::uint64_t seed, NetworkSize size)
{
    SplitMix64 random(seed ^ 0x5eed);
    // Under store-and-forward a router without a processor is the end: what it cuts off is drawn again.
    for (std::uint64_t draw = seed;; draw += 1'000'003) {
        Topology network = random_network(draw, size);
        const auto processors = static_cast<std::uint32_t>(network.processor_count());
        Collective collective = random_collective(random, processors);
        Problem problem{std::move(network), std::move(collective), PortModel{random.below(4)}};
        if (random.below(4) == 0) {
            bool direct = problem.topology.processor_count() >= problem.topology.router_count();
            std::vector<bool> served(problem.topology.router_count());
            for (const Processor& processor : problem.topology.processors()) {
                direct = direct && processor.injection == processor.ejection;
                served[processor.injection] = true;
            }
            for (const bool router : served)
                direct = direct && router;
            if (!direct)
                continue;
            problem.switching = Switching::store_and_forward;
        } else if (random.below(3) == 0) {
            problem.slack = random.below(3);
        }
        check(problem);
        return problem;
    }
}

} // namespace nocturne::test
