#include "sim/design/conceptual_networks.hpp"

#include "models/topology/make_topology.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <string>

namespace nocturne {
namespace {

/// The largest power to look for: 2^k processors are words of k letters.
constexpr unsigned most_letters = 20;

unsigned largest_degree(const Topology& topology)
{
    std::size_t degree = 0;
    for (RouterId id = 0; id < topology.router_count(); ++id)
        degree = std::max({degree, topology.channels_from(id).size(), topology.channels_to(id).size()});
    return static_cast<unsigned>(degree);
}

/// Calls `visit` with each way to write n as a product of two or more factors, ascending, none below `least`.
template <typename Visit>
void for_each_shape(std::uint32_t n, std::uint32_t least, std::vector<std::uint32_t>& shape,
                    const Visit& visit)
{
    for (std::uint32_t factor = least; std::uint64_t{factor} * factor <= n; ++factor) {
        if (n % factor != 0)
            continue;
        shape.push_back(factor);
        shape.push_back(n / factor);
        visit(shape);
        shape.pop_back();
        for_each_shape(n / factor, factor, shape, visit);
        shape.pop_back();
    }
}

/// A digraph whose vertices are so many words of `letters` letters, the degree being one of 2 to `most`:
/// `words(degree, letters)` gives their number.
template <typename Count>
void add_words(std::vector<std::string>& names, std::string_view kind, std::uint32_t processors,
               unsigned most, const Count& words)
{
    for (unsigned letters = 2; letters <= most_letters; ++letters)
        for (unsigned degree = 2; degree <= most && words(degree, letters) <= processors; ++degree)
            if (words(degree, letters) == processors)
                names.push_back(fmt::format("{}:{},{}", kind, degree, letters));
}

std::uint64_t power(std::uint64_t base, unsigned exponent)
{
    std::uint64_t result = 1;
    for (; exponent > 0; --exponent)
        result *= base;
    return result;
}

} // namespace

std::vector<Topology> conceptual_networks(std::uint32_t processors, unsigned degree)
{
    std::vector<Topology> networks;
    const auto add = [&](const std::string& specification) {
        Topology topology = make_topology(specification);
        const bool fits = largest_degree(topology) <= degree;
        if (fits)
            networks.push_back(std::move(topology));
        return fits;
    };
    if (processors >= 3)
        add(fmt::format("ring:{}", processors));
    std::vector<std::uint32_t> shape;
    for_each_shape(processors, 2, shape, [&](const std::vector<std::uint32_t>& extent) {
        if (extent.back() == 2)
            return; // a hypercube
        const std::string text = fmt::format("{}", fmt::join(extent, "x"));
        if (!add("torus:" + text))
            add("mesh:" + text);
    });
    std::vector<std::string> names;
    if (processors >= 8 && processors % 4 == 0)
        names.push_back(fmt::format("octagon:{}", processors));
    if (processors >= 4 && std::has_single_bit(processors)) {
        names.push_back(fmt::format("hypercube:{}", std::countr_zero(processors)));
        names.push_back(fmt::format("folded_hypercube:{}", std::countr_zero(processors)));
    }
    if (processors == 2)
        names.emplace_back("mesh:1x2");
    add_words(names, "debruijn", processors, degree, power);
    add_words(names, "kautz", processors, degree,
              [](std::uint64_t d, unsigned letters) { return (d + 1) * power(d, letters - 1); });
    if (processors == 10)
        names.emplace_back("petersen");
    if (processors == 50)
        names.emplace_back("hoffman_singleton");
    if (processors > 2 && processors - 1 <= degree)
        names.push_back(fmt::format("complete:{}", processors));
    for (const std::string& name : names)
        add(name);
    return networks;
}

} // namespace nocturne
