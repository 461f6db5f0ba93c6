#include "models/topology/generator_helpers.hpp"
#include "models/topology/generators.hpp"
#include "models/topology/size.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

Topology build_hyperx(const std::string& name, const std::vector<unsigned>& extent, unsigned links,
                      unsigned each)
{
    if (extent.empty() || std::ranges::count(extent, 0u) > 0)
        throw std::invalid_argument(fmt::format("{}: every extent is at least 1", name));
    std::uint64_t routers = 1, degree = 0;
    for (const unsigned places : extent) {
        routers = saturating_product({routers, places});
        degree =
            std::min(degree + saturating_product({places - std::uint64_t{1}, links}), std::uint64_t{1} << 60);
    }
    check_size(name, {saturating_product({routers, each}), routers, saturating_product({routers, degree})});

    Topology topology(name);
    const Grid grid{extent, false};
    add_grid_routers(topology, grid, coordinate_names(grid), each);
    for (RouterId r = 0; r < routers; ++r) {
        RouterId stride = static_cast<RouterId>(routers);
        for (const unsigned places : extent) {
            stride /= places;
            for (unsigned other = r / stride % places + 1; other < places; ++other)
                for (unsigned link = 0; link < links; ++link)
                    topology.add_link(r, r + (other - r / stride % places) * stride);
        }
    }
    attach_processors(topology, each);
    return topology;
}

} // namespace

Topology make_hyperx(std::span<const unsigned> extent)
{
    return build_hyperx(fmt::format("hyperx:{}", fmt::join(extent, "x")), {extent.begin(), extent.end()}, 1,
                        1);
}

Topology make_regular_hyperx(unsigned dimensions, unsigned places, unsigned links, unsigned processors)
{
    const std::string name = fmt::format("regular_hyperx:{},{},{},{}", dimensions, places, links, processors);
    if (dimensions < 1 || places < 2 || links < 1 || processors < 1)
        throw std::invalid_argument(fmt::format("{}: S is at least 2, L, K and T at least 1", name));
    check_size(name, {0, saturating_power(places, dimensions), 0});
    return build_hyperx(name, std::vector<unsigned>(dimensions, places), links, processors);
}

Topology make_flattened_butterfly(unsigned k, unsigned n)
{
    const std::string name = fmt::format("flatfly:{},{}", k, n);
    if (k < 2 || n < 2)
        throw std::invalid_argument(fmt::format("{}: k and n are at least 2", name));
    check_size(name, {saturating_power(k, n), 0, 0});
    return build_hyperx(name, std::vector<unsigned>(n - 1, k), 1, k);
}

} // namespace nocturne
