// From a document to a topology.
#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/files.hpp"
#include "models/topology/graph_values.hpp"
#include "models/topology/input_log.hpp"
#include "models/topology/size.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace nocturne::graph_document {

namespace {

/// Builds a topology from a document, in the order in which the document has things.
class Builder {
public:
    Builder(const Document& document, std::string_view origin) : document_(document), origin_(origin) {}

    Topology build()
    {
        Topology topology(of_graph("name").value_or(std::string(origin_)));
        add_routers(topology);
        find_processors();
        add_processors(topology);
        add_channels(topology);
        if (const auto ports = of_graph("ports"))
            topology.set_default_ports(parse_port_model(*ports));
        if (const auto kind = of_graph("switches"))
            topology.set_switches(parse_switch_kind(*kind));
        set_structure(topology);
        return topology;
    }

    /// Where nothing says that the network was written as one, what it does not say.
    void remark_defaults(const Topology& topology) const
    {
        if (of_graph("switches"))
            return;
        std::vector<std::string> open;
        const auto left_open = [&](std::string_view name) {
            return std::ranges::count_if(document_.edges, [&](const GraphEdge& edge) {
                return !attribute(edge.attributes, channel_attributes, name);
            });
        };
        const auto edges = std::ranges::ssize(document_.edges);
        for (const auto& [name, value] :
             {std::pair{"latency", "1 cycle"}, std::pair{"width", "that of a flit"}})
            if (const auto count = left_open(name); count > 0)
                open.push_back(fmt::format(
                    "{} of {} ({})", name,
                    count == edges ? "all edges" : fmt::format("{} of {} edges", count, edges), value));
        const auto uncounted = std::ranges::count_if(document_.vertices, [](const GraphVertex& vertex) {
            return std::ranges::none_of(std::array{"kind", "processors", "injects", "ejects"},
                                        [&](const char* name) { return vertex.attributes.contains(name); });
        });
        if (uncounted > 0 && terminals_.empty())
            open.push_back(
                fmt::format("processors of {} ({})",
                            uncounted == std::ssize(document_.vertices)
                                ? "all nodes"
                                : fmt::format("{} of {} nodes", uncounted, document_.vertices.size()),
                            has_counts_ ? "none" : "one each"));
        if (!of_graph("ports"))
            open.push_back(fmt::format("ports ({})", to_string(topology.default_ports())));
        if (!open.empty())
            InputLog::remark(
                fmt::format("{}: defaults for what it does not say: {}", origin_, fmt::join(open, ", ")));
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

    /// What `read` throws with the name of the thing before it.
    template <class Read, class Name>
    auto named(Read read, Name name) const
    {
        try {
            return read();
        } catch (const std::invalid_argument& error) {
            fail(name(), error.what());
        }
    }

    std::optional<std::string> of_graph(std::string_view name) const
    {
        return attribute(document_.attributes, network_attributes, name);
    }
    std::optional<std::string> of_vertex(std::size_t v, std::string_view name) const
    {
        return named([&] { return attribute(document_.vertices[v].attributes, router_attributes, name); },
                     [&] { return "vertex " + document_.vertices[v].id; });
    }
    std::optional<std::string> of_edge(const GraphEdge& edge, std::string_view name) const
    {
        return named([&] { return attribute(edge.attributes, channel_attributes, name); },
                     [&] { return describe(edge); });
    }
    std::string name_of(std::size_t v) const
    {
        return of_vertex(v, "name").value_or(document_.vertices[v].id);
    }

    std::string describe(const GraphEdge& edge) const
    {
        return fmt::format("edge {} -> {}", name_of(edge.source), name_of(edge.target));
    }

    bool is_terminal(std::size_t v) const
    {
        const auto kind = of_vertex(v, "kind");
        return kind == "processor" || kind == "source" || kind == "sink";
    }

    /// Whole numbers may be written as real ones.
    template <class Number>
    Number number(const std::optional<std::string>& text, std::string_view name, Number fallback,
                  const std::string& owner) const
    {
        if (!text)
            return fallback;
        const auto value = number_of<double>(boost::algorithm::trim_copy(*text));
        const double most =
            std::is_integral_v<Number> ? double{std::numeric_limits<unsigned>::max()} : HUGE_VAL;
        if (!value || !(*value >= 0) || !std::isfinite(*value) || *value > most ||
            (std::is_integral_v<Number> && *value != std::floor(*value)))
            fail(owner, fmt::format("{} '{}' is not a {}number from 0", name, *text,
                                    std::is_integral_v<Number> ? "whole " : ""));
        return static_cast<Number>(*value);
    }

    bool truth(const std::optional<std::string>& text, std::string_view name, const std::string& owner) const
    {
        const auto value = text ? parse_truth(boost::algorithm::trim_copy(*text)) : false;
        if (!value)
            fail(owner, fmt::format("{} '{}' is neither true nor false", name, *text));
        return *value;
    }

    std::optional<Position> position_of(std::size_t v) const
    {
        const auto place = of_vertex(v, "position"), x = of_vertex(v, "x"), y = of_vertex(v, "y");
        if (!place && !x && !y)
            return std::nullopt;
        const std::string text = place ? *place : fmt::format("{},{}", x.value_or(""), y.value_or(""));
        const auto position = parse_position(text);
        if (!position)
            InputLog::remark(fmt::format("{}: vertex {}: position '{}' is not x,y, and ignored", origin_,
                                         name_of(v), shortened(text)));
        return position;
    }

    void add_routers(Topology& topology)
    {
        const std::size_t count = document_.vertices.size();
        routers_.resize(count);
        std::uint64_t routers = 0;
        for (std::size_t v = 0; v < count; ++v)
            routers += !is_terminal(v);
        check_size("graph", {count - routers, routers, document_.edges.size()});
        for (std::size_t v = 0; v < count; ++v) {
            if (is_terminal(v))
                continue;
            routers_[v] = topology.add_router(name_of(v), position_of(v));
            if (truth(of_vertex(v, "copies"), "copies", name_of(v)))
                topology.set_copying(*routers_[v]);
            named([&] { topology.set_part(*routers_[v], router_part_of(document_.vertices[v].attributes)); },
                  [&] { return "vertex " + name_of(v); });
        }
    }

    /// Gathers the terminals, and the routers that they are joined to, from their edges.
    void find_processors()
    {
        std::map<std::string, std::size_t> halves; // by name
        std::vector<std::size_t> terminal_of(document_.vertices.size());
        for (std::size_t v = 0; v < document_.vertices.size(); ++v) {
            if (!is_terminal(v))
                continue;
            terminal_of[v] = terminals_.size();
            if (of_vertex(v, "kind") != "processor")
                terminal_of[v] = halves.emplace(name_of(v), terminals_.size()).first->second;
            if (terminal_of[v] == terminals_.size())
                terminals_.push_back({name_of(v), std::nullopt, std::nullopt});
        }
        const auto join = [&](std::optional<RouterId>& end, std::size_t router, const GraphEdge& edge) {
            if (!routers_[router])
                fail(describe(edge), "it joins two processors");
            if (end)
                fail(describe(edge), "the processor is joined to a router already");
            end = routers_[router];
        };
        for_each_arrow([&](std::size_t from, std::size_t to, const GraphEdge& edge) {
            if (!routers_[from])
                join(terminals_[terminal_of[from]].injection, to, edge);
            else if (!routers_[to])
                join(terminals_[terminal_of[to]].ejection, from, edge);
        });
    }

    void add_processors(Topology& topology)
    {
        for (const Terminal& terminal : terminals_) {
            if (!terminal.injection || !terminal.ejection)
                fail(fmt::format("processor {}", terminal.name),
                     fmt::format("no edge {} a router", terminal.injection ? "from" : "to"));
            topology.add_processor(*terminal.injection, *terminal.ejection, terminal.name);
        }
        std::vector<std::string> order; // as they come
        std::map<std::string, RouterId> injection, ejection;
        for (std::size_t v = 0; v < document_.vertices.size(); ++v)
            has_counts_ = has_counts_ || of_vertex(v, "injects") || of_vertex(v, "ejects") ||
                          of_vertex(v, "kind") || of_vertex(v, "processors").value_or("0") != "0";
        const unsigned uncounted = has_counts_ || !terminals_.empty() ? 0 : 1;
        for (std::size_t v = 0; v < document_.vertices.size(); ++v) {
            if (!routers_[v])
                continue;
            const std::string owner = "vertex " + name_of(v);
            const unsigned count = number(of_vertex(v, "processors"), "processors", uncounted, owner);
            check_size("graph", {topology.processor_count() + order.size() + std::uint64_t{count}, 0, 0});
            std::vector<std::string> usual;
            for (unsigned i = 0; i < count; ++i)
                usual.push_back(count == 1 ? name_of(v) : fmt::format("{}.{}", name_of(v), i));
            const auto take = [&](std::string_view name, std::map<std::string, RouterId>& routers) {
                const auto names = of_vertex(v, name);
                for (const std::string& each :
                     names ? named([&] { return parse_names(*names); }, [&] { return std::string(owner); })
                           : usual) {
                    if (!routers.emplace(each, *routers_[v]).second)
                        fail(owner,
                             fmt::format("two routers {} '{}'", name.substr(0, name.size() - 1), each));
                    if (name == "injects")
                        order.push_back(each);
                }
            };
            take("injects", injection);
            take("ejects", ejection);
        }
        put_in_order(order, injection);
        for (const std::string& name : order) {
            if (!ejection.contains(name)) {
                InputLog::remark(
                    fmt::format("{}: processor {} has no ejection, and is left out", origin_, name));
                continue;
            }
            topology.add_processor(injection[name], ejection[name], name);
        }
        for (const auto& [name, router] : ejection)
            if (!injection.contains(name))
                InputLog::remark(
                    fmt::format("{}: processor {} has no injection, and is left out", origin_, name));
    }

    /// In their order before; those whose router is gone are gone too.
    void put_in_order(std::vector<std::string>& names, const std::map<std::string, RouterId>& known) const
    {
        const auto before = of_graph("processor_order");
        if (!before)
            return;
        std::vector<std::string> ordered;
        std::set<std::string> has;
        for (const auto& list : {parse_names(*before), names})
            for (const std::string& name : list)
                if (known.contains(name) && has.insert(name).second)
                    ordered.push_back(name);
        names = std::move(ordered);
    }

    void add_channels(Topology& topology) const
    {
        std::vector<std::pair<std::uint64_t, Channel>> channels; // with their place
        bool has_places = true;
        for_each_arrow([&](std::size_t from, std::size_t to, const GraphEdge& edge) {
            if (!routers_[from] || !routers_[to])
                return;
            const std::string owner = describe(edge);
            const auto place = of_edge(edge, "channel");
            has_places = has_places && place;
            channels.emplace_back(number(place, "channel", 0u, owner),
                                  Channel{*routers_[from], *routers_[to],
                                          number(of_edge(edge, "latency"), "latency", 1u, owner),
                                          number(of_edge(edge, "width"), "width", 0u, owner),
                                          number(of_edge(edge, "length"), "length", 0.0, owner),
                                          number(of_edge(edge, "buffers"), "buffers", 0u, owner),
                                          number(of_edge(edge, "vcs"), "vcs", 0u, owner)});
        });
        check_size("graph", {0, 0, channels.size()});
        if (has_places)
            std::ranges::stable_sort(channels, {}, &std::pair<std::uint64_t, Channel>::first);
        for (const auto& [place, channel] : channels)
            topology.add_channel(channel);
    }

    /// The grid, the groups and the tag digits, if the network is still what they were written for.
    void set_structure(Topology& topology) const
    {
        const auto grid = of_graph("grid"), digits = of_graph("tag_digits");
        const auto group = of_graph("routers_per_group");
        if (!grid && !digits && !group)
            return;
        if (number(of_graph("routers"), "routers", 0u, "graph") != topology.router_count() ||
            number(of_graph("channels"), "channels", 0u, "graph") != topology.channel_count()) {
            InputLog::remark(fmt::format("{}: {} ignored: it holds for the numbers of routers and channels "
                                         "that the graph was written with",
                                         origin_,
                                         grid    ? "grid"
                                         : group ? "routers_per_group"
                                                 : "tag_digits"));
            return;
        }
        if (grid)
            topology.set_grid({numbers_of(*grid, 'x'), truth(of_graph("wraps"), "wraps", "graph")});
        if (group)
            topology.set_routers_per_group(number(group, "routers_per_group", 1u, "graph"));
        if (digits) {
            std::vector<std::string> parts;
            boost::algorithm::split(parts, *digits, [](char c) { return c == ' '; });
            std::vector<TagDigit> parsed;
            for (const std::string& part : parts)
                parsed.push_back(parse_digit(part));
            topology.set_tag_digits(std::move(parsed));
        }
    }

    /// Calls visit(from, to, edge) for each direction that an edge stands for.
    template <class Visit>
    void for_each_arrow(Visit visit) const
    {
        for (const GraphEdge& edge : document_.edges) {
            const std::string dir = of_edge(edge, "dir").value_or(document_.is_directed ? "forward" : "both");
            if (dir != "forward" && dir != "back" && dir != "both" && dir != "none")
                fail(describe(edge), fmt::format("dir '{}' is none of forward, back, both and none", dir));
            if (!document_.is_directed || dir != "back")
                visit(edge.source, edge.target, edge);
            if (!document_.is_directed || dir != "forward")
                visit(edge.target, edge.source, edge);
        }
    }

    const Document& document_;
    std::string_view origin_;
    std::vector<std::optional<RouterId>> routers_; // by vertex; nothing for a terminal
    std::vector<Terminal> terminals_;
    bool has_counts_ = false; // some vertex says which processors it has
};

/// `then`: what else is to be said.
template <class Then>
Topology read(const Document& document, std::string_view origin,
              std::span<const std::string_view> passed_over, Then then)
{
    try {
        Builder builder(document, origin);
        Topology topology = builder.build();
        remark_others(document, origin, passed_over);
        then(builder, topology);
        return topology;
    } catch (const std::invalid_argument& error) {
        // A network without a name has that of the file, which the error then begins with.
        const std::string what = one_line(error.what()), prefix = fmt::format("{}: ", origin);
        throw std::runtime_error(what.starts_with(prefix) ? what : prefix + what);
    }
}

} // namespace

Topology topology_of(const Document& document, std::string_view origin)
{
    return read(document, origin, {}, [](const Builder&, const Topology&) {});
}

Topology topology_of_file(const Document& document, std::string_view origin,
                          std::span<const std::string_view> passed_over)
{
    return read(document, origin, passed_over,
                [](const Builder& builder, const Topology& topology) { builder.remark_defaults(topology); });
}

} // namespace nocturne::graph_document
