#include "models/topology/graph_document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace nocturne::graph_document {

namespace {

std::string grid_text(const Grid& grid)
{
    return fmt::format("{}", fmt::join(grid.extent, "x"));
}

std::string digits_text(std::span<const TagDigit> digits)
{
    std::string text;
    for (const TagDigit& digit : digits)
        text += fmt::format("{}{}:{}{}", text.empty() ? "" : " ", digit.radix, digit.divisor,
                            digit.free ? ":free" : "");
    return text;
}

} // namespace

Attributes structure_of(const Topology& topology)
{
    Attributes attributes;
    if (const auto& grid = topology.grid()) {
        attributes["grid"] = grid_text(*grid);
        attributes["wraps"] = grid->wraps ? "true" : "false";
    }
    if (topology.routers_per_group() != 0)
        attributes["routers_per_group"] = std::to_string(topology.routers_per_group());
    if (!topology.tag_digits().empty())
        attributes["tag_digits"] = digits_text(topology.tag_digits());
    if (!attributes.empty()) {
        attributes["routers"] = std::to_string(topology.router_count());
        attributes["channels"] = std::to_string(topology.channel_count());
    }
    return attributes;
}

Document document_of(const Topology& topology)
{
    Document document;
    document.attributes = {{"name", topology.name()},
                           {"ports", to_string(topology.default_ports())},
                           {"switches", std::string(to_string(topology.switches()))}};
    document.attributes.merge(structure_of(topology));
    for (RouterId r = 0; r < topology.router_count(); ++r) {
        Attributes router{{"kind", "router"}, {"name", topology.router_name(r)}};
        if (const auto place = topology.position(r))
            router["position"] = fmt::format("{},{}", place->x, place->y);
        if (topology.copies(r))
            router["copies"] = "true";
        for (auto& [name, value] : properties_of(topology.part(r)))
            router[name] = value;
        document.vertices.push_back({fmt::format("n{}", r), std::move(router)});
    }
    for (const Processor& processor : topology.processors()) {
        const std::size_t v = document.vertices.size();
        document.vertices.push_back(
            {fmt::format("n{}", v), {{"kind", "processor"}, {"name", processor.name}}});
        document.edges.push_back({v, processor.injection, {}});
        document.edges.push_back({processor.ejection, v, {}});
    }
    for (const Channel& channel : topology.channels()) {
        Attributes attributes{{"latency", std::to_string(channel.latency_cycles)},
                              {"width", std::to_string(channel.width_bytes)},
                              {"length", fmt::format("{}", channel.length)}};
        if (channel.buffer_flits != 0)
            attributes["buffers"] = std::to_string(channel.buffer_flits);
        if (channel.vcs != 0)
            attributes["vcs"] = std::to_string(channel.vcs);
        document.edges.push_back({channel.source, channel.target, std::move(attributes)});
    }
    return document;
}

} // namespace nocturne::graph_document
