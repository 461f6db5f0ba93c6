// What Graphviz and GraphML files have in common: vertices and edges with attributes that are text. Of use
// inside this room only.
//
// A vertex is a router unless its attribute `kind` says `processor` (it injects into and is ejected from the
// routers that it has edges to and from), `source` or `sink` (the two halves of a processor, joined by their
// name). The attribute `processors` of a router is the number of processors on it. Where neither occurs, the
// graph is from elsewhere, and every vertex is a router with one processor. Further attributes: of the graph
// `name`, `ports` and `switches`, of a vertex `name`, `position` ("x,y") and `copies` (`true` or `false`), of
// an edge `latency`, `width` and `length` (see Channel), and `dir`, with the meaning that it has in Graphviz:
// `both` or `none` for a channel in each direction, `back` for one against the arrow.
#pragma once

#include "models/topology/topology.hpp"

#include <boost/any.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/make_shared.hpp>
#include <boost/property_map/dynamic_property_map.hpp>

#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace nocturne::graph_document {

using Attributes = std::map<std::string, std::string>;

template <class Directedness>
using Graph =
    boost::adjacency_list<boost::vecS, boost::vecS, Directedness, Attributes, Attributes, Attributes>;

/// With edges in both lists Boost keeps all of them in the order in which they were added.
using Document = Graph<boost::bidirectionalS>;

/// Routers first, then processors, each of kind `processor`; edges: injection and ejection, then channels.
Document document_of(const Topology& topology);

/// Throws std::runtime_error that begins with `origin` and names the vertex or edge. Vertices without a
/// `name` are called by their index.
Topology topology_of(const Document& document, std::string_view origin);

/// The text of a value that a reader of Boost's hands to a property map.
std::string text_of(const boost::any& value);

/// A document with the vertices of `graph` in the same order; each edge of an undirected graph has a channel
/// in both directions.
Document directed(const Graph<boost::undirectedS>& graph);
inline Document directed(const Document& document)
{
    return document;
}

/// One attribute of the graph, of all its vertices or of all its edges, as Key is a pointer to the graph or a
/// descriptor.
template <class G, class Key>
class AttributeMap final : public boost::dynamic_property_map {
public:
    AttributeMap(G& graph, std::string name) : graph_(graph), name_(std::move(name)) {}

    boost::any get(const boost::any& key) override { return get_string(key); }
    std::string get_string(const boost::any& key) override { return attributes(key)[name_]; }
    void put(const boost::any& key, const boost::any& value) override
    {
        attributes(key)[name_] = text_of(value);
    }
    const std::type_info& key() const override { return typeid(Key); }
    const std::type_info& value() const override { return typeid(std::string); }

private:
    Attributes& attributes(const boost::any& key)
    {
        if constexpr (std::is_same_v<Key, G*>)
            return graph_[boost::graph_bundle];
        else
            return graph_[boost::any_cast<Key>(key)];
    }

    G& graph_;
    std::string name_;
};

/// Collects whatever attributes a file has.
template <class G>
boost::dynamic_properties attributes_of(G& graph)
{
    using Vertex = typename boost::graph_traits<G>::vertex_descriptor;
    using Edge = typename boost::graph_traits<G>::edge_descriptor;
    return boost::dynamic_properties(
        [&graph](const std::string& name, const boost::any& key, const boost::any&) {
            boost::shared_ptr<boost::dynamic_property_map> map;
            if (key.type() == typeid(Vertex))
                map = boost::make_shared<AttributeMap<G, Vertex>>(graph, name);
            else if (key.type() == typeid(Edge))
                map = boost::make_shared<AttributeMap<G, Edge>>(graph, name);
            else
                map = boost::make_shared<AttributeMap<G, G*>>(graph, name);
            return map;
        });
}

/// Reads with `read(graph, properties)`, one of Boost's readers, as a directed graph or, if it turns out not
/// to be one, as an undirected one.
template <class Reader>
Document read_document(Reader read)
{
    const auto read_as = [&]<class G>(G graph) {
        boost::dynamic_properties properties = attributes_of(graph);
        read(graph, properties);
        return directed(graph);
    };
    try {
        return read_as(Document());
    } catch (const boost::undirected_graph_error&) {
        return read_as(Graph<boost::undirectedS>());
    }
}

} // namespace nocturne::graph_document
