#include "models/topology/generator_helpers.hpp"
#include "models/topology/generators.hpp"
#include "models/topology/size.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

namespace nocturne {

namespace {

std::uint64_t groups_of(std::span<const unsigned> sizes)
{
    return sizes.size() > 3 ? sizes[3] : saturating_product({sizes[1], sizes[2]}) + 1;
}

} // namespace

std::uint64_t dragonfly_processors(std::span<const unsigned> sizes)
{
    return saturating_product({sizes[0], sizes[1], groups_of(sizes)});
}

Topology make_dragonfly(std::span<const unsigned> sizes)
{
    const std::uint64_t ports = saturating_product({sizes[1], sizes[2]});
    const bool is_usual = groups_of(sizes) == ports + 1;
    const std::string name =
        fmt::format("dragonfly:{}", fmt::join(sizes.first(is_usual ? 3 : sizes.size()), ","));
    const unsigned each = sizes[0], a = sizes[1], h = sizes[2];
    if (each < 1 || a < 1 || h < 1)
        throw std::invalid_argument(fmt::format("{}: p, a and h are at least 1", name));
    if (groups_of(sizes) < 2 || groups_of(sizes) > ports + 1)
        throw std::invalid_argument(
            fmt::format("{}: the number of groups is 2 to a*h + 1 = {}", name, ports + 1));
    const std::uint64_t routers = saturating_product({a, groups_of(sizes)});
    check_size(name, {saturating_product({routers, each}), routers,
                      saturating_product({routers, a - std::uint64_t{1} + h})});

    const auto groups = static_cast<unsigned>(groups_of(sizes));
    Topology topology(name);
    const double pitch = on_circle_radius(a, 1.2) * 2 + 1.5;
    for (unsigned group = 0; group < groups; ++group)
        for (unsigned local = 0; local < a; ++local) {
            const Position centre = on_circle(group, groups, pitch), spoke = on_circle(local, a, 1.2);
            topology.add_router(fmt::format("g{}r{}", group, local),
                                Position{centre.x + spoke.x, centre.y + spoke.y});
        }
    for (unsigned group = 0; group < groups; ++group)
        for (unsigned i = 0; i < a; ++i)
            for (unsigned j = i + 1; j < a; ++j)
                topology.add_link(group * a + i, group * a + j);
    const unsigned others = groups - 1, links = static_cast<unsigned>(ports) / others;
    for (unsigned from = 0; from < groups; ++from)
        for (unsigned to = from + 1; to < groups; ++to)
            for (unsigned j = 0; j < links; ++j) // port to - 1 of group `from`, which is the lower one
                topology.add_link(from * a + (j * others + to - 1) / h, to * a + (j * others + from) / h);
    topology.set_routers_per_group(a);
    attach_processors(topology, each);
    return topology;
}

} // namespace nocturne
