#include "models/topology/anynet_format.hpp"

#include "models/text/number.hpp"
#include "models/topology/files.hpp"
#include "models/topology/input_log.hpp"
#include "models/topology/size.hpp"

#include <boost/algorithm/string/predicate.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

namespace nocturne {

namespace {

enum class Kind { node, router };

struct Vertex {
    Kind kind;
    unsigned number;
};

/// The words of one line, and where to complain.
class Line {
public:
    Line(std::string_view text, std::string_view origin, unsigned number)
        : rest_(text), origin_(origin), number_(number)
    {
    }

    [[noreturn]] void fail(std::string_view reason) const
    {
        throw std::runtime_error(
            fmt::format("{}: line {}: {}", origin_, number_, one_line(std::string(reason))));
    }

    bool at_end()
    {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r"), rest_.size()));
        return rest_.empty();
    }

    Vertex vertex()
    {
        const std::string_view kind = word();
        const bool is_router = boost::algorithm::iequals(kind, "router");
        if (!is_router && !boost::algorithm::iequals(kind, "node"))
            fail(fmt::format("'{}': expected 'router' or 'node'", kind));
        if (at_end())
            fail(fmt::format("'{}' without a number", kind));
        const std::string_view digits = word();
        const auto parsed = number_of<unsigned>(digits);
        if (!parsed)
            fail(fmt::format("'{}': expected the number of a {}", digits, kind));
        return {is_router ? Kind::router : Kind::node, *parsed};
    }

    /// The latency that may follow a vertex.
    std::optional<unsigned> latency()
    {
        if (at_end() || std::isalpha(static_cast<unsigned char>(rest_.front())) != 0)
            return std::nullopt;
        const std::string_view digits = word();
        const auto parsed = number_of<unsigned>(digits);
        if (!parsed || *parsed == 0)
            fail(fmt::format("'{}': expected 'router', 'node' or a latency in cycles from 1", digits));
        return parsed;
    }

private:
    std::string_view word()
    {
        const auto end = std::min(rest_.find_first_of(" \t\r"), rest_.size());
        const std::string_view word = rest_.substr(0, end);
        rest_.remove_prefix(end);
        return word;
    }

    std::string_view rest_;
    std::string_view origin_;
    unsigned number_;
};

/// What the lines say, in the order of numbers.
struct Contents {
    std::set<unsigned> routers;
    std::map<unsigned, unsigned> router_of_node;
    std::map<std::pair<unsigned, unsigned>, unsigned> latency; ///< of the channel from first to second
    bool has_node_latency = false;                             ///< which belongs to the hardware

    void attach(unsigned node, unsigned router, const Line& line)
    {
        const auto [at, added] = router_of_node.emplace(node, router);
        if (!added && at->second != router)
            line.fail(fmt::format("node {} is on router {} already", node, at->second));
    }

    void join(unsigned from, unsigned to, unsigned cycles)
    {
        latency[{from, to}] = cycles;
        latency.emplace(std::pair{to, from}, 1u);
    }
};

void read_line(Line line, Contents& contents)
{
    const auto seen = [&](const Vertex& vertex) {
        if (vertex.kind == Kind::router)
            contents.routers.insert(vertex.number);
        return vertex;
    };
    const Vertex head = seen(line.vertex());
    while (!line.at_end()) {
        const Vertex other = seen(line.vertex());
        const std::optional<unsigned> given = line.latency();
        const unsigned cycles = given.value_or(1);
        contents.has_node_latency =
            contents.has_node_latency || (given && (head.kind == Kind::node || other.kind == Kind::node));
        if (head.kind == Kind::router && other.kind == Kind::router)
            contents.join(head.number, other.number, cycles);
        else if (head.kind == Kind::router)
            contents.attach(other.number, head.number, line);
        else if (other.kind == Kind::router)
            contents.attach(head.number, other.number, line);
        else
            line.fail(
                fmt::format("node {} and node {}: two nodes cannot be joined", head.number, other.number));
    }
}

} // namespace

Topology topology_from_anynet(std::string_view text, std::string_view origin)
{
    Contents contents;
    for (unsigned number = 1; !text.empty(); ++number) {
        const auto end = std::min(text.find('\n'), text.size());
        const std::string_view whole = text.substr(0, end);
        Line line(whole.substr(0, std::min(whole.find("//"), whole.find('#'))), origin, number);
        if (!line.at_end())
            read_line(line, contents);
        text.remove_prefix(std::min(end + 1, text.size()));
    }

    const auto fail = [&](std::string_view reason) {
        throw std::runtime_error(fmt::format("{}: {}", origin, reason));
    };
    if (contents.router_of_node.empty())
        fail("no line puts a node on a router");
    try {
        check_size("network",
                   {contents.router_of_node.size(), contents.routers.size(), contents.latency.size()});
    } catch (const std::invalid_argument& error) {
        fail(error.what());
    }

    Topology topology{std::string(origin)};
    std::map<unsigned, RouterId> id_of; // numbers may have gaps, indices have none
    for (const unsigned router : contents.routers)
        id_of[router] = topology.add_router(std::to_string(router));
    for (const auto& [node, router] : contents.router_of_node)
        topology.add_processor(id_of[router], id_of[router], std::to_string(node));
    for (const auto& [pair, cycles] : contents.latency)
        topology.add_channel(Channel{id_of[pair.first], id_of[pair.second], cycles});
    InputLog::remark(fmt::format(
        "{}: defaults for what it does not say: width of all channels (that of a flit), ports ({}){}", origin,
        to_string(topology.default_ports()),
        contents.has_node_latency ? "; ignored: latencies between nodes and routers" : ""));
    return topology;
}

} // namespace nocturne
