#include "sim/audit/limit_text.hpp"

#include "sim/report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace nocturne {
namespace {

std::vector<bool> flags_of(const std::vector<NodeId>& nodes, const LinkNetwork& network)
{
    std::vector<bool> inside(network.node_count());
    for (const NodeId node : nodes)
        inside[node] = true;
    return inside;
}

/// GB/s into the nodes.
double rate_into(const std::vector<NodeId>& nodes, const LinkNetwork& network, double cycle_ns)
{
    const std::vector<bool> inside = flags_of(nodes, network);
    double bytes = 0;
    for (const NetworkLink& link : network.links())
        if (!inside[link.source] && inside[link.target])
            bytes += static_cast<double>(link.bytes_per_cycle);
    return bytes / cycle_ns;
}

std::uint64_t processors_among(const std::vector<NodeId>& nodes, const LinkNetwork& network)
{
    return static_cast<std::uint64_t>(
        std::ranges::count_if(nodes, [&](NodeId node) { return network.kind(node) == NodeKind::processor; }));
}

/// `450 GB/s into each of 8 processors`, `100 to 200 GB/s into each of 4 boxes of 8 processors`
std::string receptions_text(const Receptions& receptions, const LinkNetwork& network, double cycle_ns)
{
    std::vector<std::vector<NodeId>> receivers = receptions.boxes;
    std::string what = "box";
    if (receivers.empty()) {
        what = "processor";
        for (NodeId node = 0; node < network.processor_count(); ++node)
            receivers.push_back({node});
    }
    std::vector<double> rates;
    for (const std::vector<NodeId>& nodes : receivers)
        rates.push_back(rate_into(nodes, network, cycle_ns));
    const auto [least, most] = std::ranges::minmax(rates);
    std::string text = fmt::format("{} GB/s into each of {} {}", short_number(least), receivers.size(),
                                   what == "box" ? "boxes" : "processors");
    if (least < most)
        text = fmt::format("{} to {}", short_number(least),
                           text.replace(0, short_number(least).size(), short_number(most)));
    if (what == "box")
        text += fmt::format(" of {} processors", processors_among(receivers.front(), network));
    return text;
}

/// `all 16 links of 12.5 GB/s together`: those that the way of a block is measured by.
std::string lengths_text(const LinkLengths& lengths, const LinkNetwork& network, double cycle_ns)
{
    std::set<std::uint64_t> widths;
    std::size_t links = 0;
    for (LinkId link = 0; link < network.link_count(); ++link)
        if (lengths.lengths[link] > 0) {
            widths.insert(network.link(link).bytes_per_cycle);
            ++links;
        }
    std::vector<std::string> rates;
    for (const std::uint64_t width : widths)
        rates.push_back(short_number(static_cast<double>(width) / cycle_ns));
    return fmt::format("{} links of {} GB/s together", links, listed(rates, 2));
}

} // namespace

std::string processors_text(const std::vector<NodeId>& nodes, const LinkNetwork& network)
{
    constexpr std::size_t most_named = 3;
    std::vector<std::string> names;
    for (const NodeId node : nodes)
        if (network.kind(node) == NodeKind::processor)
            names.push_back(network.node_name(node));
    if (names.size() <= most_named)
        return listed(names);
    return fmt::format("{} to {} ({} processors)", names.front(), names.back(), names.size());
}

std::string cut_text(const NodeCut& cut, const LinkNetwork& network, double cycle_ns)
{
    const std::vector<bool> inside = flags_of(cut.nodes, network);
    std::vector<NodeId> outside;
    for (NodeId node = 0; node < network.node_count(); ++node)
        if (!inside[node])
            outside.push_back(node);
    const std::string rate = short_number(rate_into(outside, network, cycle_ns));
    return processors_among(outside, network) < processors_among(cut.nodes, network)
               ? fmt::format("{} GB/s into {}", rate, processors_text(outside, network))
               : fmt::format("{} GB/s out of {}", rate, processors_text(cut.nodes, network));
}

std::string limit_text(const Bound& bound, const LinkNetwork& network, double cycle_ns)
{
    if (const auto* const cut = std::get_if<NodeCut>(&bound.certificate))
        return cut_text(*cut, network, cycle_ns);
    if (const auto* const receptions = std::get_if<Receptions>(&bound.certificate))
        return receptions_text(*receptions, network, cycle_ns);
    if (const auto* const lengths = std::get_if<LinkLengths>(&bound.certificate))
        return lengths_text(*lengths, network, cycle_ns);
    return describe(bound, network);
}

} // namespace nocturne
