#include "models/topology/generator_helpers.hpp"
#include "models/topology/generators.hpp"
#include "models/topology/size.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

namespace {

void check_at_least(const std::string& name, unsigned size, unsigned least)
{
    if (size < least)
        throw std::invalid_argument(fmt::format("{}: at least {} routers", name, least));
}

Topology routers_on_circle(const std::string& name, unsigned routers, double pitch)
{
    Topology topology(name);
    for (unsigned r = 0; r < routers; ++r)
        topology.add_router({}, on_circle(r, routers, pitch));
    return topology;
}

void attach_one_each(Topology& topology, unsigned routers)
{
    for (RouterId r = 0; r < routers; ++r)
        topology.add_processor(r);
}

void close_ring(Topology& topology)
{
    const auto routers = static_cast<RouterId>(topology.router_count());
    for (RouterId r = 0; r < routers; ++r)
        topology.add_link(r, (r + 1) % routers);
}

/// The routers and links of an octagon, without processors.
Topology build_octagon(const std::string& name, unsigned routers)
{
    check_at_least(name, routers, 8);
    if (routers % 4 != 0)
        throw std::invalid_argument(fmt::format("{}: {} is not a multiple of 4", name, routers));
    check_size(name, {0, routers, 0});
    Topology topology = routers_on_circle(name, routers, 1.2);
    close_ring(topology);
    for (RouterId r = 0; r < routers / 2; ++r)
        topology.add_link(r, r + routers / 2);
    return topology;
}

} // namespace

Topology make_ring(unsigned routers)
{
    const std::string name = fmt::format("ring:{}", routers);
    check_at_least(name, routers, 3);
    check_size(name, {routers, 0, 0});
    Topology topology = routers_on_circle(name, routers, 1.0);
    close_ring(topology);
    attach_one_each(topology, routers);
    return topology;
}

Topology make_octagon(unsigned routers)
{
    const std::string name = fmt::format("octagon:{}", routers);
    check_size(name, {routers, 0, 0});
    Topology topology = build_octagon(name, routers);
    attach_one_each(topology, routers);
    return topology;
}

Topology make_fat_octagon(unsigned routers)
{
    const std::string name = fmt::format("fat_octagon:{}", routers);
    check_size(name, {2 * std::uint64_t{routers}, 0, 0});
    Topology topology = build_octagon(name, routers);
    for (ProcessorId p = 0; p < 2 * routers; ++p)
        topology.add_processor(p / 2, p / 2);
    topology.set_default_ports(one_port);
    return topology;
}

Topology make_spidergon(unsigned routers)
{
    const std::string name = fmt::format("spidergon:{}", routers);
    check_at_least(name, routers, 4);
    if (routers % 2 != 0)
        throw std::invalid_argument(fmt::format("{}: {} is odd", name, routers));
    check_size(name, {routers, 0, 0});
    Topology topology = routers_on_circle(name, routers, 1.2);
    close_ring(topology);
    for (RouterId r = 0; r < routers / 2; ++r)
        topology.add_link(r, r + routers / 2);
    attach_one_each(topology, routers);
    return topology;
}

Topology make_cube_connected_cycles(unsigned dimensions)
{
    const std::string name = fmt::format("ccc:{}", dimensions);
    if (dimensions < 3)
        throw std::invalid_argument(fmt::format("{}: at least 3 dimensions", name));
    const std::uint64_t count = saturating_product({dimensions, saturating_power(2, dimensions)});
    check_size(name, {count, count, 0});
    const unsigned n = dimensions, words = 1u << n;
    Topology topology(name);
    for (unsigned word = 0; word < words; ++word)
        for (unsigned i = 0; i < n; ++i) {
            const Position ring = on_circle(word, words, on_circle_radius(n) * 2 + 1),
                           spoke = on_circle(i, n);
            topology.add_router({}, Position{ring.x + spoke.x, ring.y + spoke.y});
        }
    for (unsigned word = 0; word < words; ++word)
        for (unsigned i = 0; i < n; ++i)
            topology.add_link(word * n + i, word * n + (i + 1) % n);
    for (unsigned word = 0; word < words; ++word)
        for (unsigned i = 0; i < n; ++i)
            if (const unsigned other = word ^ (1u << i); word < other)
                topology.add_link(word * n + i, other * n + i);
    attach_one_each(topology, words * n);
    return topology;
}

Topology make_star(unsigned leaves)
{
    const std::string name = fmt::format("star:{}", leaves);
    check_at_least(name, leaves, 2);
    check_size(name, {leaves, 0, 0});
    Topology topology = routers_on_circle(name, leaves, 1.2);
    const RouterId hub = topology.add_router("hub", Position{0, 0});
    for (RouterId r = 0; r < leaves; ++r)
        topology.add_link(hub, r);
    attach_one_each(topology, leaves);
    return topology;
}

Topology make_complete(unsigned routers)
{
    const std::string name = fmt::format("complete:{}", routers);
    check_at_least(name, routers, 2);
    check_size(name, {routers, 0, saturating_product({routers, routers - std::uint64_t{1}})});
    Topology topology = routers_on_circle(name, routers, 1.2);
    for (RouterId a = 0; a < routers; ++a)
        for (RouterId b = a + 1; b < routers; ++b)
            topology.add_link(a, b);
    attach_one_each(topology, routers);
    return topology;
}

} // namespace nocturne
