#include "testbenches/large_scatters/networks.hpp"

#include "models/routing/random.hpp"
#include "models/text/number.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/topology_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace nocturne::large_scatters {
namespace {

using Link = std::pair<RouterId, RouterId>;

/// Joins free ends until none is left; nothing if those that are left cannot be joined.
std::optional<std::vector<Link>> join_at_random(unsigned routers, unsigned degree, SplitMix64& random)
{
    std::vector<RouterId> ends;
    for (RouterId router = 0; router < routers; ++router)
        ends.insert(ends.end(), degree, router);
    std::vector<std::vector<RouterId>> neighbours(routers);
    std::vector<Link> links;
    const std::size_t most_misses = 20 * std::size_t{degree} * degree + 100;
    for (std::size_t misses = 0; !ends.empty() && misses < most_misses;) {
        const auto count = static_cast<std::uint32_t>(ends.size());
        const std::uint32_t first = random.below(count), second = random.below(count);
        const auto [a, b] = std::minmax(ends[first], ends[second]);
        const auto& known = neighbours[a];
        if (a == b || std::find(known.begin(), known.end(), b) != known.end()) {
            ++misses;
            continue;
        }
        misses = 0;
        links.emplace_back(a, b);
        neighbours[a].push_back(b);
        neighbours[b].push_back(a);
        for (const std::uint32_t taken : {std::max(first, second), std::min(first, second)}) {
            ends[taken] = ends.back();
            ends.pop_back();
        }
    }
    return ends.empty() ? std::optional(std::move(links)) : std::nullopt;
}

bool is_connected(const Topology& topology)
{
    try {
        require_connected(topology);
        return true;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

std::vector<std::uint64_t> numbers_of(std::string_view text, std::size_t count)
{
    std::vector<std::uint64_t> numbers;
    for (std::string_view rest = text.substr(text.find(':') + 1); !rest.empty();) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        const auto number = number_of<std::uint64_t>(std::string(rest.substr(0, end)));
        if (!number || *number > 1'000'000)
            throw std::invalid_argument(
                fmt::format("{}: '{}' is no number up to 1000000", text, rest.substr(0, end)));
        numbers.push_back(*number);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (numbers.size() != count)
        throw std::invalid_argument(fmt::format("{}: expected {} numbers", text, count));
    return numbers;
}

} // namespace

Topology make_dragonfly(unsigned h)
{
    const std::string name = fmt::format("dragonfly:{}", h);
    if (h < 1 || h > 16)
        throw std::invalid_argument(fmt::format("{}: h is 1 to 16", name));
    const unsigned routers = 2 * h, groups = routers * h + 1;
    Topology topology(name);
    for (unsigned group = 0; group < groups; ++group)
        for (unsigned router = 0; router < routers; ++router) {
            const RouterId id = topology.add_router();
            for (unsigned i = 0; i < h; ++i)
                topology.add_processor(id, id);
        }
    for (unsigned group = 0; group < groups; ++group)
        for (unsigned a = 0; a < routers; ++a)
            for (unsigned b = a + 1; b < routers; ++b)
                topology.add_link(group * routers + a, group * routers + b);
    for (unsigned group = 0; group < groups; ++group)
        for (unsigned j = 0; 2 * j + 2 < groups; ++j) {
            const unsigned other = (group + j + 1) % groups, back = groups - 2 - j;
            topology.add_link(group * routers + j / h, other * routers + back / h);
        }
    topology.set_default_ports(one_port);
    return topology;
}

Topology make_random_regular(unsigned routers, unsigned degree, std::uint64_t seed)
{
    const std::string name = fmt::format("random_regular:{},{},{}", routers, degree, seed);
    if (degree < 3 || degree >= routers || routers > 4096 || routers * degree % 2 != 0)
        throw std::invalid_argument(
            fmt::format("{}: the degree is at least 3 and less than the number of routers, which is at most "
                        "4096, and their product is even",
                        name));
    SplitMix64 random(seed);
    while (true) {
        const auto links = join_at_random(routers, degree, random);
        if (!links)
            continue;
        Topology topology(name);
        for (unsigned i = 0; i < routers; ++i)
            topology.add_processor(topology.add_router());
        for (const auto& [a, b] : *links)
            topology.add_link(a, b);
        if (is_connected(topology))
            return topology;
    }
}

Topology make_network(std::string_view text)
{
    if (text.starts_with("dragonfly:"))
        return make_dragonfly(static_cast<unsigned>(numbers_of(text, 1)[0]));
    if (text.starts_with("random_regular:")) {
        const auto numbers = numbers_of(text, 3);
        return make_random_regular(static_cast<unsigned>(numbers[0]), static_cast<unsigned>(numbers[1]),
                                   numbers[2]);
    }
    return topology_from(text);
}

} // namespace nocturne::large_scatters
