#include "models/topology/generators.hpp"
#include "models/topology/size.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr double level_pitch = 1.2;

/// A binary tree of `vertices` = 2^h - 1 routers in level order, without processors.
Topology build_binary_tree(const std::string& name, unsigned vertices)
{
    Topology topology(name);
    for (unsigned v = 0; v < vertices; ++v) {
        const auto level = static_cast<unsigned>(std::bit_width(v + 1)) - 1;
        const unsigned place = v + 1 - (1u << level);
        const double pitch = 0.5 * (vertices + 1) / (1u << level); // of this level, when leaves are 1 apart
        topology.add_router({}, Position{(place + 0.5) * pitch - 0.5, level * level_pitch});
    }
    for (unsigned v = 1; v < vertices; ++v)
        topology.add_link((v - 1) / 2, v);
    return topology;
}

} // namespace

Topology make_binary_tree(unsigned processors)
{
    const std::string name = fmt::format("btree:{}", processors);
    exact_log2(name, processors);
    check_size(name, {processors, 0, 0});
    Topology topology = build_binary_tree(name, processors - 1);
    for (ProcessorId p = 0; p < processors; ++p) {
        const RouterId leaf = processors / 2 - 1 + p / 2;
        topology.add_processor(leaf, leaf);
    }
    topology.set_default_ports(one_port);
    return topology;
}

Topology make_full_binary_tree(unsigned processors)
{
    const std::string name = fmt::format("fbtree:{}", processors);
    if (processors == 0 || !std::has_single_bit(std::uint64_t{processors} + 1))
        throw std::invalid_argument(
            fmt::format("{}: {} is not 1, 3, 7, 15, ... (2^h - 1)", name, processors));
    check_size(name, {processors, 0, 0});
    Topology topology = build_binary_tree(name, processors);
    for (RouterId r = 0; r < processors; ++r)
        topology.add_processor(r);
    return topology;
}

Topology make_fat_tree(unsigned k, unsigned n)
{
    const std::uint64_t leaves = saturating_power(k, n);
    const std::string name = k == 2 ? fmt::format("fattree:{}", leaves) : fmt::format("fattree:{},{}", k, n);
    if (k < 2 || n < 1)
        throw std::invalid_argument(fmt::format("{}: k is at least 2 and n at least 1", name));
    check_size(name, {leaves, saturating_product({n, leaves / k}), saturating_product({2, n, leaves})});

    const auto width = static_cast<unsigned>(leaves / k); // switches of a level
    Topology topology(name);
    const double pitch = std::max(1.0, 0.34 * k); // room for the k processors of a switch
    const double height = level_pitch * std::max(1.0, width * pitch / 5); // steep enough links to tell apart
    for (unsigned level = 0; level < n; ++level)
        for (unsigned s = 0; s < width; ++s)
            topology.add_router(fmt::format("l{}s{}", level, s), Position{s * pitch, level * height});
    unsigned weight = width; // of the digit in which the switches of this level and the next may differ
    for (unsigned level = 0; level + 1 < n; ++level) {
        weight /= k;
        for (unsigned s = 0; s < width; ++s)
            for (unsigned digit = 0; digit < k; ++digit) {
                const unsigned below = s - s / weight % k * weight + digit * weight;
                topology.add_link(level * width + s, (level + 1) * width + below);
            }
    }
    for (ProcessorId p = 0; p < leaves; ++p) {
        const RouterId bottom = (n - 1) * width + p / k;
        topology.add_processor(bottom, bottom);
    }
    topology.set_default_ports(one_port);
    return topology;
}

std::uint64_t generalized_fat_tree_processors(std::span<const unsigned> sizes)
{
    std::uint64_t product = 1;
    for (const unsigned children : sizes.first(sizes.size() / 2))
        product = saturating_product({product, children});
    return product;
}

Topology make_generalized_fat_tree(std::span<const unsigned> sizes)
{
    const std::string name = fmt::format("xgft:{}", fmt::join(sizes, ","));
    const std::size_t height = sizes.size() / 2;
    const auto children = sizes.first(height), parents = sizes.last(height);
    if (sizes.empty() || sizes.size() % 2 != 0 || std::ranges::count(sizes, 0u) > 0)
        throw std::invalid_argument(
            fmt::format("{}: as many m as w, all of them at least 1, such as xgft:8,4,1,4", name));
    if (parents[0] != 1)
        throw std::invalid_argument(fmt::format("{}: w1 is 1: a processor has one switch", name));
    const std::uint64_t processors = generalized_fat_tree_processors(sizes);
    check_size(name, {processors, 0, 0});
    std::vector<std::uint64_t> width; // switches of a level, from the bottom
    std::uint64_t below = processors, copies = 1, routers = 0, channels = 0;
    for (std::size_t level = 0; level < height; ++level) {
        channels =
            std::min(channels + (level == 0 ? 0 : saturating_product({2, width.back(), parents[level]})),
                     std::uint64_t{1} << 60);
        below /= children[level];
        copies = saturating_product({copies, parents[level]});
        width.push_back(saturating_product({below, copies}));
        routers = std::min(routers + width.back(), std::uint64_t{1} << 60);
        check_size(name, {processors, routers, channels});
    }

    Topology topology(name);
    const double widest = static_cast<double>(std::max(processors, *std::ranges::max_element(width)));
    std::vector<RouterId> first(height);
    for (std::size_t level = height; level-- > 0;) {
        first[level] = static_cast<RouterId>(topology.router_count());
        const double from_top = static_cast<double>(height - 1 - level);
        for (unsigned s = 0; s < width[level]; ++s)
            topology.add_router(fmt::format("l{}s{}", height - 1 - level, s),
                                Position{(s + 0.5) * 0.5 * widest / static_cast<double>(width[level]),
                                         from_top * level_pitch * std::max(1.0, widest / 10)});
    }
    // A switch of a level is number copy of the switches above the same processors: below * copies + copy.
    std::uint64_t same = 1; // as many as there are copies
    for (std::size_t level = 0; level + 1 < height; ++level) {
        same *= parents[level];
        for (std::uint64_t s = 0; s < width[level]; ++s)
            for (unsigned parent = 0; parent < parents[level + 1]; ++parent) {
                const std::uint64_t above = s / same / children[level + 1];
                const std::uint64_t up = (above * parents[level + 1] + parent) * same + s % same;
                topology.add_link(first[level + 1] + static_cast<RouterId>(up),
                                  first[level] + static_cast<RouterId>(s));
            }
    }
    for (ProcessorId p = 0; p < processors; ++p) {
        const RouterId bottom = first[0] + p / children[0];
        topology.add_processor(bottom, bottom);
    }
    topology.set_default_ports(one_port);
    return topology;
}

} // namespace nocturne
