#include "models/topology/graphml_format.hpp"

#include "models/topology/files.hpp"
#include "models/topology/graph_document.hpp"

#include <boost/graph/graphml.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>

namespace nocturne {

namespace {

using namespace graph_document;

/// GraphML itself needs about five levels. The XML parser recurses, so a deeper file could exhaust the stack.
constexpr unsigned deepest_nesting = 200;

/// Ends at the first `end` from `at` on, or at the end of the text.
std::size_t skip_past(std::string_view text, std::size_t at, std::string_view end)
{
    const auto found = text.find(end, at);
    return found == std::string_view::npos ? text.size() : found + end.size();
}

/// How deeply elements nest, as far as the text is well formed.
unsigned nesting(std::string_view text)
{
    unsigned depth = 0, deepest = 0;
    for (std::size_t at = text.find('<'); at < text.size(); at = text.find('<', at)) {
        const std::string_view rest = text.substr(at);
        if (rest.starts_with("<!--")) {
            at = skip_past(text, at, "-->");
        } else if (rest.starts_with("<![CDATA[")) {
            at = skip_past(text, at, "]]>");
        } else if (rest.starts_with("<?")) {
            at = skip_past(text, at, "?>");
        } else if (rest.starts_with("</")) {
            depth -= depth > 0 ? 1 : 0;
            ++at;
        } else {
            deepest = std::max(deepest, ++depth);
            for (++at; at < text.size() && text[at] != '>';
                 ++at) // to the end of the tag, over attribute values
                if (text[at] == '"' || text[at] == '\'')
                    at = skip_past(text, at + 1, text.substr(at, 1)) - 1;
            depth -= at < text.size() && text[at - 1] == '/' ? 1 : 0;
        }
    }
    return deepest;
}

/// The identifiers of the nodes of a `graph` element, those of graphs nested in them behind them.
void collect_identifiers(const boost::property_tree::ptree& graph, std::vector<std::string>& identifiers)
{
    std::vector<const boost::property_tree::ptree*> nested;
    for (const auto& [tag, element] : graph) {
        if (tag != "node")
            continue;
        identifiers.push_back(element.get<std::string>("<xmlattr>.id"));
        for (const auto& [inner_tag, inner] : element)
            if (inner_tag == "graph")
                nested.push_back(&inner);
    }
    for (const auto* inner : nested)
        collect_identifiers(*inner, identifiers);
}

/// Names the vertices by their identifiers where nothing else does: Boost's reader drops those, and invents a
/// node for an edge that ends at one that does not exist. Throws std::runtime_error if it did.
void name_vertices(Document& document, std::string_view text)
{
    std::istringstream in{std::string(text)};
    boost::property_tree::ptree tree;
    boost::property_tree::read_xml(in, tree);
    std::vector<std::string> identifiers;
    const auto graph = tree.get_child_optional("graphml.graph");
    if (!graph)
        throw std::runtime_error("no element 'graph'");
    collect_identifiers(*graph, identifiers);
    if (const std::set<std::string> different(identifiers.begin(), identifiers.end());
        different.size() != identifiers.size())
        throw std::runtime_error("two nodes have the same identifier");
    if (identifiers.size() != num_vertices(document))
        throw std::runtime_error("an edge ends at a node that does not exist");
    for (const auto v : boost::make_iterator_range(vertices(document)))
        document[v].emplace("name", identifiers[v]);
}

template <class Descriptor>
void write_attribute(boost::dynamic_properties& properties, Document& document, const std::string& name)
{
    properties.insert(name, boost::make_shared<AttributeMap<Document, Descriptor>>(document, name));
}

} // namespace

std::string to_graphml(const Topology& topology)
{
    Document document = document_of(topology);
    boost::dynamic_properties properties;
    for (const char* name : {"name", "ports", "switches"})
        write_attribute<Document*>(properties, document, name);
    for (const char* name : {"kind", "name", "position", "copies"})
        write_attribute<boost::graph_traits<Document>::vertex_descriptor>(properties, document, name);
    for (const char* name : {"latency", "width", "length"})
        write_attribute<boost::graph_traits<Document>::edge_descriptor>(properties, document, name);
    std::ostringstream out;
    boost::write_graphml(out, document, properties, true);
    return out.str();
}

Topology topology_from_graphml(std::string_view text, std::string_view origin)
{
    if (nesting(text) > deepest_nesting)
        throw std::runtime_error(
            fmt::format("{}: elements nested more than {} deep", origin, deepest_nesting));
    Document document;
    try {
        document = read_document([&](auto& graph, boost::dynamic_properties& properties) {
            std::istringstream in{std::string(text)};
            boost::read_graphml(in, graph, properties);
        });
        name_vertices(document, text);
    } catch (const boost::property_tree::xml_parser_error& error) {
        throw std::runtime_error(
            fmt::format("{}: line {}: {}", origin, error.line(), one_line(error.message())));
    } catch (const boost::parse_error& error) {
        throw std::runtime_error(fmt::format("{}: {}", origin, one_line(error.error)));
    } catch (const std::exception& error) {
        throw std::runtime_error(fmt::format("{}: {}", origin, one_line(error.what())));
    }
    return topology_of(document, origin);
}

} // namespace nocturne
