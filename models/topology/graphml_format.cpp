#include "models/topology/graphml_format.hpp"

#include "models/topology/files.hpp"
#include "models/topology/graph_document.hpp"
#include "models/topology/input_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <sstream>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace nocturne {

namespace graphml {

using namespace graph_document;

/// GraphML itself needs about five levels. Walks through the elements recurse.
constexpr unsigned deepest_nesting = 200;

/// A `key` element: what `data` elements with its identifier say.
struct Key {
    std::string attribute;
    std::string element; ///< `node`, `edge`, `graph` or `all`
    std::optional<std::string> otherwise = {};
};

/// Reads one document. What it throws is without the origin.
class Reader {
public:
    explicit Reader(std::string_view origin) : origin_(origin) {}

    Document read(const pugi::xml_document& xml)
    {
        const pugi::xml_node root = child(xml, "graphml");
        if (!root)
            throw std::runtime_error("no element 'graphml'");
        for (const pugi::xml_node element : root.children())
            if (is(element, "key"))
                add_key(element);
        const pugi::xml_node graph = child(root, "graph");
        if (!graph)
            throw std::runtime_error("no element 'graph'");
        for (pugi::xml_node next = graph.next_sibling(); next; next = next.next_sibling())
            if (is(next, "graph"))
                remark("only the first graph of the file is read");
        const std::string kind = graph.attribute("edgedefault").as_string("directed");
        if (kind != "directed" && kind != "undirected")
            throw std::runtime_error(
                fmt::format("edgedefault '{}' is neither directed nor undirected", kind));
        document_.is_directed = kind == "directed";
        document_.attributes = attributes_of(graph, "graph");
        add_nodes(graph, 0);
        add_edges(graph);
        return std::move(document_);
    }

private:
    /// Whatever prefix its namespace has.
    static bool is(const pugi::xml_node& element, std::string_view name)
    {
        const std::string_view full = element.name();
        return full == name || (full.ends_with(name) && full.size() > name.size() &&
                                full[full.size() - name.size() - 1] == ':');
    }
    static pugi::xml_node child(const pugi::xml_node& parent, std::string_view name)
    {
        return parent.find_child([&](const pugi::xml_node& each) { return is(each, name); });
    }

    void remark(std::string_view text) const { InputLog::remark(fmt::format("{}: {}", origin_, text)); }

    void add_key(const pugi::xml_node& element)
    {
        const std::string id = element.attribute("id").as_string();
        // Editors leave their own out, with `yfiles.type` instead.
        std::string name = element.attribute("attr.name").as_string();
        for (const pugi::xml_attribute attribute : element.attributes())
            if (name.empty() && std::string_view(attribute.name()).ends_with(".type") &&
                std::string_view(attribute.name()) != "attr.type")
                name = attribute.as_string();
        Key key{name.empty() ? id : name, element.attribute("for").as_string("all")};
        if (const pugi::xml_node otherwise = child(element, "default"))
            key.otherwise = text_of(otherwise);
        if (!keys_.emplace(id, std::move(key)).second)
            throw std::runtime_error(fmt::format("two keys have the identifier '{}'", id));
    }

    static std::string text_of(const pugi::xml_node& element)
    {
        std::string text;
        for (const pugi::xml_node part : element.children())
            text += part.value();
        return text;
    }

    Attributes attributes_of(const pugi::xml_node& element, std::string_view kind) const
    {
        Attributes attributes;
        for (const pugi::xml_node data : element.children())
            if (is(data, "data")) {
                const std::string id = data.attribute("key").as_string();
                const auto key = keys_.find(id);
                if (key == keys_.end())
                    throw std::runtime_error(fmt::format("there is no key '{}'", id));
                if (!attributes.emplace(key->second.attribute, text_of(data)).second)
                    throw std::runtime_error(
                        fmt::format("'{}' appears twice in an element {}", key->second.attribute, kind));
            }
        for (const auto& [id, key] : keys_)
            if (key.otherwise && (key.element == kind || key.element == "all"))
                attributes.emplace(key.attribute, *key.otherwise);
        return attributes;
    }

    /// Those of graphs within nodes behind the others.
    void add_nodes(const pugi::xml_node& graph, unsigned depth)
    {
        if (depth > deepest_nesting)
            throw std::runtime_error(fmt::format("graphs nested more than {} deep", deepest_nesting));
        for (const pugi::xml_node element : graph.children()) {
            if (is(element, "hyperedge"))
                throw std::runtime_error("a hyperedge has no meaning for a network");
            if (!is(element, "node"))
                continue;
            const pugi::xml_attribute id = element.attribute("id");
            if (!id)
                throw std::runtime_error("a node has no identifier");
            if (!index_of_.emplace(id.as_string(), document_.vertices.size()).second)
                throw std::runtime_error(fmt::format("two nodes have the identifier '{}'", id.as_string()));
            document_.vertices.push_back({id.as_string(), attributes_of(element, "node")});
        }
        for (const pugi::xml_node element : graph.children())
            if (is(element, "node"))
                if (const pugi::xml_node inner = child(element, "graph"))
                    add_nodes(inner, depth + 1);
    }

    void add_edges(const pugi::xml_node& graph)
    {
        for (const pugi::xml_node element : graph.children()) {
            if (is(element, "node"))
                if (const pugi::xml_node inner = child(element, "graph"))
                    add_edges(inner);
            if (!is(element, "edge"))
                continue;
            GraphEdge edge{end_of(element, "source"), end_of(element, "target"),
                           attributes_of(element, "edge")};
            // An edge may say it otherwise than its graph.
            const bool is_directed = element.attribute("directed").as_bool(document_.is_directed);
            if (is_directed && !document_.is_directed)
                throw std::runtime_error("a directed edge in an undirected graph");
            if (!is_directed && document_.is_directed)
                edge.attributes["dir"] = "both";
            document_.edges.push_back(std::move(edge));
        }
    }

    std::size_t end_of(const pugi::xml_node& edge, const char* which) const
    {
        const std::string id = edge.attribute(which).as_string();
        const auto found = index_of_.find(id);
        if (found == index_of_.end())
            throw std::runtime_error(fmt::format("an edge ends at node '{}', which does not exist", id));
        return found->second;
    }

    std::string_view origin_;
    std::map<std::string, Key> keys_; ///< by identifier
    std::unordered_map<std::string, std::size_t> index_of_;
    Document document_;
};

/// A key for each attribute of each kind of element.
class Writer {
public:
    explicit Writer(const Document& document) : document_(document)
    {
        pugi::xml_node declaration = xml_.prepend_child(pugi::node_declaration);
        declaration.append_attribute("version") = "1.0";
        declaration.append_attribute("encoding") = "UTF-8";
        root_ = xml_.append_child("graphml");
        root_.append_attribute("xmlns") = "http://graphml.graphdrawing.org/xmlns";
    }

    std::string write()
    {
        add_keys("graph", {document_.attributes});
        std::vector<Attributes> all;
        for (const GraphVertex& vertex : document_.vertices)
            all.push_back(vertex.attributes);
        add_keys("node", all);
        all.clear();
        for (const GraphEdge& edge : document_.edges)
            all.push_back(edge.attributes);
        add_keys("edge", all);
        pugi::xml_node graph = root_.append_child("graph");
        graph.append_attribute("id") = "G";
        graph.append_attribute("edgedefault") = "directed";
        add_data(graph, "graph", document_.attributes);
        for (const GraphVertex& vertex : document_.vertices) {
            pugi::xml_node node = graph.append_child("node");
            node.append_attribute("id") = vertex.id.c_str();
            add_data(node, "node", vertex.attributes);
        }
        for (const GraphEdge& edge : document_.edges) {
            pugi::xml_node element = graph.append_child("edge");
            element.append_attribute("source") = document_.vertices[edge.source].id.c_str();
            element.append_attribute("target") = document_.vertices[edge.target].id.c_str();
            add_data(element, "edge", edge.attributes);
        }
        std::ostringstream out;
        xml_.save(out, "  ");
        return out.str();
    }

private:
    static const char* type_of(const std::string& attribute)
    {
        if (attribute == "latency" || attribute == "width" || attribute == "routers" ||
            attribute == "routers_per_group" || attribute == "channels" || attribute == "buffers" ||
            attribute == "vcs")
            return "long";
        if (attribute == "length")
            return "double";
        return attribute == "copies" || attribute == "wraps" ? "boolean" : "string";
    }

    void add_keys(const char* element, const std::vector<Attributes>& all)
    {
        for (const Attributes& attributes : all)
            for (const auto& [name, value] : attributes) {
                const auto [place, is_new] =
                    ids_.emplace(std::pair(element, name), fmt::format("key{}", ids_.size()));
                if (!is_new)
                    continue;
                pugi::xml_node key = root_.append_child("key");
                key.append_attribute("id") = place->second.c_str();
                key.append_attribute("for") = element;
                key.append_attribute("attr.name") = name.c_str();
                key.append_attribute("attr.type") = type_of(name);
            }
    }

    void add_data(pugi::xml_node& element, const char* kind, const Attributes& attributes)
    {
        for (const auto& [name, value] : attributes) {
            pugi::xml_node data = element.append_child("data");
            data.append_attribute("key") = ids_.at(std::pair(kind, name)).c_str();
            data.text().set(value.c_str());
        }
    }

    const Document& document_;
    pugi::xml_document xml_;
    pugi::xml_node root_;
    std::map<std::pair<std::string, std::string>, std::string> ids_; ///< by element and attribute
};

} // namespace graphml

std::string to_graphml(const Topology& topology)
{
    return graphml::Writer(graph_document::document_of(topology)).write();
}

Topology topology_from_graphml(std::string_view text, std::string_view origin)
{
    graph_document::Document document;
    try {
        pugi::xml_document xml;
        const pugi::xml_parse_result parsed =
            xml.load_buffer(text.data(), text.size(), pugi::parse_default | pugi::parse_ws_pcdata_single,
                            pugi::encoding_auto);
        if (!parsed) {
            const auto end = text.begin() + std::min<std::ptrdiff_t>(parsed.offset, std::ssize(text));
            throw std::runtime_error(
                fmt::format("line {}: {}", 1 + std::count(text.begin(), end, '\n'), parsed.description()));
        }
        document = graphml::Reader(origin).read(xml);
    } catch (const std::exception& error) {
        throw std::runtime_error(fmt::format("{}: {}", origin, one_line(error.what())));
    }
    return graph_document::topology_of_file(document, origin);
}

} // namespace nocturne
