#include "random_networks.hpp"

#include "tests/models/topology/direct_network.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace nocturne::test {

namespace {

Topology bare_routers(std::uint64_t seed, unsigned routers)
{
    return direct_network("random " + std::to_string(seed), routers);
}

/// Adds `count` pairs of different routers by `add`.
template <typename Add>
void add_pairs(std::mt19937_64& generator, unsigned routers, unsigned count, Add add)
{
    std::uniform_int_distribution<RouterId> any(0, routers - 1);
    while (count > 0) {
        const RouterId a = any(generator);
        const RouterId b = any(generator);
        if (a == b)
            continue;
        add(a, b);
        --count;
    }
}

} // namespace

Topology random_connected(std::uint64_t seed, unsigned routers, unsigned extra_links)
{
    std::mt19937_64 generator(seed);
    Topology topology = bare_routers(seed, routers);
    for (RouterId id = 1; id < routers; ++id)
        topology.add_link(std::uniform_int_distribution<RouterId>(0, id - 1)(generator), id);
    add_pairs(generator, routers, extra_links, [&](RouterId a, RouterId b) { topology.add_link(a, b); });
    return topology;
}

Topology random_directed(std::uint64_t seed, unsigned routers, unsigned extra_channels)
{
    std::mt19937_64 generator(seed);
    Topology topology = bare_routers(seed, routers);
    std::vector<RouterId> ring(routers);
    std::iota(ring.begin(), ring.end(), 0u);
    std::shuffle(ring.begin(), ring.end(), generator);
    for (unsigned i = 0; i < routers; ++i)
        topology.add_channel(ring[i], ring[(i + 1) % routers]);
    add_pairs(generator, routers, extra_channels,
              [&](RouterId a, RouterId b) { topology.add_channel(a, b); });
    return topology;
}

} // namespace nocturne::test
