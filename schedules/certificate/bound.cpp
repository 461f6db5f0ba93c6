#include "schedules/certificate/bound.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

namespace nocturne {
namespace {

/// In the order of the certificates.
constexpr std::array<std::string_view, std::variant_size_v<Certificate>> kinds{
    "port",          "growth", "dominator", "distance", "vertex-set", "flow",
    "infeasibility", "reach",  "cut",       "lengths",  "receptions"};

} // namespace

Ratio make_ratio(std::uint64_t numerator, std::uint64_t denominator)
{
    if (denominator == 0)
        throw std::invalid_argument("a ratio has a denominator of 1 or more");
    const std::uint64_t divisor = std::gcd(numerator, denominator);
    return {numerator / divisor, denominator / divisor};
}

bool operator<(const Ratio& a, const Ratio& b)
{
    using boost::multiprecision::uint128_t;
    return uint128_t{a.numerator} * b.denominator < uint128_t{b.numerator} * a.denominator;
}

std::string to_string(const Ratio& ratio)
{
    return ratio.denominator == 1 ? fmt::format("{}", ratio.numerator)
                                  : fmt::format("{}/{}", ratio.numerator, ratio.denominator);
}

std::string_view kind_of(const Certificate& certificate)
{
    return kinds[certificate.index()];
}

std::string describe_nodes(const std::vector<NodeId>& nodes, const LinkNetwork& network)
{
    constexpr std::size_t most_names = 32;
    const auto names_of = [&](const std::vector<NodeId>& named) {
        std::vector<std::string> names;
        for (const NodeId node : named)
            names.push_back(network.node_name(node));
        return fmt::format("{{{}}}", fmt::join(names, ", "));
    };
    if (nodes.size() <= network.node_count() / 2)
        return nodes.size() <= most_names ? names_of(nodes) : fmt::format("{} nodes", nodes.size());
    std::vector<NodeId> others;
    for (NodeId node = 0; node < network.node_count(); ++node)
        if (std::find(nodes.begin(), nodes.end(), node) == nodes.end())
            others.push_back(node);
    return others.size() <= most_names ? "all but " + names_of(others)
                                       : fmt::format("{} nodes", nodes.size());
}

std::string describe(const Bound& bound, const LinkNetwork& network)
{
    if (bound.released_from > 0) {
        Bound of_released = bound;
        of_released.released_from = 0;
        return fmt::format("{}, of what is released at {} cycles or later", describe(of_released, network),
                           bound.released_from);
    }
    if (const auto* const reach = std::get_if<FarthestPair>(&bound.certificate))
        return fmt::format("the path from {} to {}", network.node_name(reach->from),
                           network.node_name(reach->to));
    if (const auto* const cut = std::get_if<NodeCut>(&bound.certificate))
        return "what must leave " + describe_nodes(cut->nodes, network);
    if (std::holds_alternative<LinkLengths>(bound.certificate))
        return "total distance of all chunks";
    if (const auto* const receptions = std::get_if<Receptions>(&bound.certificate))
        return receptions->boxes.empty()
                   ? "every sum and result must be received"
                   : fmt::format("every sum and result must come into {} boxes, the first of them {}",
                                 receptions->boxes.size(),
                                 describe_nodes(receptions->boxes.front(), network));
    if (bound.measure == Measure::rounds_in_steps)
        return "infeasibility proof: no schedule has fewer";
    return bound.reason;
}

} // namespace nocturne
