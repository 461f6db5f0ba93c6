#include "models/topology/graph_document.hpp"

#include "models/text/number.hpp"
#include "models/topology/files.hpp"
#include "models/topology/size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace nocturne::graph_document {

namespace {

using Vertex = boost::graph_traits<Document>::vertex_descriptor;
using Edge = boost::graph_traits<Document>::edge_descriptor;

std::optional<std::string> attribute(const Attributes& attributes, const std::string& name)
{
    const auto found = attributes.find(name);
    if (found == attributes.end() || found->second.empty())
        return std::nullopt;
    return found->second;
}

std::optional<Position> parse_position(std::string_view text)
{
    const auto comma = std::min(text.find(','), text.size());
    const auto x = number_of<double>(text.substr(0, comma));
    const auto y = number_of<double>(text.substr(std::min(comma + 1, text.size())));
    if (!x || !y || !std::isfinite(*x) || !std::isfinite(*y))
        return std::nullopt;
    return Position{*x, *y};
}

/// Builds a topology from a document, in the order in which the document has things.
class Builder {
public:
    Builder(const Document& document, std::string_view origin) : document_(document), origin_(origin) {}

    Topology build()
    {
        const Attributes& graph = document_[boost::graph_bundle];
        Topology topology(attribute(graph, "name").value_or(std::string(origin_)));
        add_routers(topology);
        find_processors();
        add_processors(topology);
        add_channels(topology);
        if (const auto ports = attribute(graph, "ports"))
            topology.set_default_ports(parse_port_model(*ports));
        if (const auto kind = attribute(graph, "switches"))
            topology.set_switches(parse_switch_kind(*kind));
        return topology;
    }

private:
    /// What is known of a processor before all edges are seen.
    struct Terminal {
        std::string name;
        std::optional<RouterId> injection, ejection;
    };

    [[noreturn]] void fail(std::string_view what, std::string_view reason) const
    {
        throw std::invalid_argument(fmt::format("{}: {}", what, reason));
    }

    std::string name_of(Vertex v) const
    {
        return attribute(document_[v], "name").value_or(std::to_string(v));
    }

    std::string describe(Edge e) const
    {
        return fmt::format("edge {} -> {}", name_of(source(e, document_)), name_of(target(e, document_)));
    }

    bool is_terminal(Vertex v) const
    {
        const auto kind = attribute(document_[v], "kind");
        return kind == "processor" || kind == "source" || kind == "sink";
    }

    template <class Number>
    Number number(const Attributes& attributes, const std::string& name, Number fallback,
                  const std::string& owner) const
    {
        const auto text = attribute(attributes, name);
        if (!text)
            return fallback;
        const auto value = number_of<Number>(*text);
        if (!value || !(*value >= Number{0}) || !std::isfinite(static_cast<double>(*value)))
            fail(owner, fmt::format("{} '{}' is not a {}number from 0", name, *text,
                                    std::is_integral_v<Number> ? "whole " : ""));
        return *value;
    }

    void add_routers(Topology& topology)
    {
        routers_.resize(num_vertices(document_));
        std::uint64_t routers = 0;
        for (const Vertex v : boost::make_iterator_range(vertices(document_)))
            routers += !is_terminal(v);
        check_size("graph", {num_vertices(document_) - routers, routers, num_edges(document_)});
        for (const Vertex v : boost::make_iterator_range(vertices(document_))) {
            if (is_terminal(v))
                continue;
            const auto place = attribute(document_[v], "position");
            routers_[v] = topology.add_router(name_of(v), place ? parse_position(*place) : std::nullopt);
            if (const auto copies = attribute(document_[v], "copies"); copies && *copies == "true")
                topology.set_copying(*routers_[v]);
            else if (copies && *copies != "false")
                fail(name_of(v), fmt::format("copies '{}' is neither true nor false", *copies));
        }
    }

    /// Gathers the terminals, and the routers that they are joined to, from their edges.
    void find_processors()
    {
        std::map<std::string, std::size_t> halves; // by name
        std::vector<std::size_t> terminal_of(num_vertices(document_));
        for (const Vertex v : boost::make_iterator_range(vertices(document_))) {
            if (!is_terminal(v))
                continue;
            terminal_of[v] = terminals_.size();
            if (attribute(document_[v], "kind") != "processor")
                terminal_of[v] = halves.emplace(name_of(v), terminals_.size()).first->second;
            if (terminal_of[v] == terminals_.size())
                terminals_.push_back({name_of(v), std::nullopt, std::nullopt});
        }
        const auto join = [&](std::optional<RouterId>& end, Vertex router, Edge e) {
            if (!routers_[router])
                fail(describe(e), "it joins two processors");
            if (end)
                fail(describe(e), "the processor is joined to a router already");
            end = routers_[router];
        };
        for_each_arrow([&](Vertex from, Vertex to, Edge e) {
            if (is_terminal(from))
                join(terminals_[terminal_of[from]].injection, to, e);
            else if (is_terminal(to))
                join(terminals_[terminal_of[to]].ejection, from, e);
        });
    }

    void add_processors(Topology& topology) const
    {
        for (const Terminal& terminal : terminals_) {
            if (!terminal.injection || !terminal.ejection)
                fail(fmt::format("processor {}", terminal.name),
                     fmt::format("no edge {} a router", terminal.injection ? "from" : "to"));
            topology.add_processor(*terminal.injection, *terminal.ejection, terminal.name);
        }
        const auto all = boost::make_iterator_range(vertices(document_));
        const bool counted = std::any_of(all.begin(), all.end(), [&](Vertex v) {
            return attribute(document_[v], "processors").has_value();
        });
        const unsigned uncounted = counted || !terminals_.empty() ? 0 : 1;
        for (const Vertex v : all) {
            if (!routers_[v])
                continue;
            const unsigned count = number(document_[v], "processors", uncounted, "vertex " + name_of(v));
            check_size("graph", {topology.processor_count() + std::uint64_t{count}, 0, 0});
            for (unsigned i = 0; i < count; ++i)
                topology.add_processor(*routers_[v], *routers_[v],
                                       count == 1 ? name_of(v) : fmt::format("{}.{}", name_of(v), i));
        }
    }

    void add_channels(Topology& topology) const
    {
        for_each_arrow([&](Vertex from, Vertex to, Edge e) {
            if (is_terminal(from) || is_terminal(to))
                return;
            const Attributes& attributes = document_[e];
            topology.add_channel(Channel{*routers_[from], *routers_[to],
                                         number(attributes, "latency", 1u, describe(e)),
                                         number(attributes, "width", 0u, describe(e)),
                                         number(attributes, "length", 0.0, describe(e))});
        });
        check_size("graph", {0, 0, topology.channel_count()});
    }

    /// Calls visit(from, to, edge) for each direction that an edge stands for.
    template <class Visit>
    void for_each_arrow(Visit visit) const
    {
        for (const Edge e : boost::make_iterator_range(edges(document_))) {
            const std::string dir = attribute(document_[e], "dir").value_or("forward");
            if (dir != "back")
                visit(source(e, document_), target(e, document_), e);
            if (dir != "forward")
                visit(target(e, document_), source(e, document_), e);
        }
    }

    const Document& document_;
    std::string_view origin_;
    std::vector<std::optional<RouterId>> routers_; // by vertex; nothing for a terminal
    std::vector<Terminal> terminals_;
};

} // namespace

std::string text_of(const boost::any& value)
{
    if (const auto* text = boost::any_cast<std::string>(&value))
        return *text;
    if (const auto* truth = boost::any_cast<bool>(&value))
        return *truth ? "true" : "false";
    if (const auto* number = boost::any_cast<int>(&value))
        return std::to_string(*number);
    if (const auto* number = boost::any_cast<long>(&value))
        return std::to_string(*number);
    if (const auto* number = boost::any_cast<float>(&value))
        return fmt::format("{}", *number);
    if (const auto* number = boost::any_cast<double>(&value))
        return fmt::format("{}", *number);
    throw std::logic_error("an attribute of a type that no graph file has");
}

Document directed(const Graph<boost::undirectedS>& graph)
{
    Document document(num_vertices(graph));
    document[boost::graph_bundle] = graph[boost::graph_bundle];
    for (const auto v : boost::make_iterator_range(vertices(graph)))
        document[v] = graph[v];
    for (const auto e : boost::make_iterator_range(edges(graph))) {
        Attributes attributes = graph[e];
        attributes["dir"] = "both";
        add_edge(source(e, graph), target(e, graph), attributes, document);
    }
    return document;
}

Document document_of(const Topology& topology)
{
    Document document;
    document[boost::graph_bundle] = {{"name", topology.name()},
                                     {"ports", to_string(topology.default_ports())},
                                     {"switches", std::string(to_string(topology.switches()))}};
    for (RouterId r = 0; r < topology.router_count(); ++r) {
        Attributes router{{"kind", "router"}, {"name", topology.router_name(r)}};
        if (const auto place = topology.position(r))
            router["position"] = fmt::format("{},{}", place->x, place->y);
        if (topology.copies(r))
            router["copies"] = "true";
        document[add_vertex(document)] = std::move(router);
    }
    for (const Processor& processor : topology.processors()) {
        const Vertex v = add_vertex(document);
        document[v] = {{"kind", "processor"}, {"name", processor.name}};
        add_edge(v, processor.injection, {}, document);
        add_edge(processor.ejection, v, {}, document);
    }
    for (const Channel& channel : topology.channels())
        add_edge(channel.source, channel.target,
                 {{"latency", std::to_string(channel.latency_cycles)},
                  {"width", std::to_string(channel.width_bytes)},
                  {"length", fmt::format("{}", channel.length)}},
                 document);
    return document;
}

Topology topology_of(const Document& document, std::string_view origin)
{
    try {
        return Builder(document, origin).build();
    } catch (const std::invalid_argument& error) {
        throw std::runtime_error(fmt::format("{}: {}", origin, one_line(error.what())));
    }
}

} // namespace nocturne::graph_document
