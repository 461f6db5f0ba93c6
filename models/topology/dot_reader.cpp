#include "models/topology/dot_format.hpp"
#include "models/topology/drawing_layout.hpp"
#include "models/topology/files.hpp"
#include "models/topology/graph_document.hpp"

#include <boost/algorithm/string/replace.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <stdexcept>

namespace nocturne {
namespace {

using namespace graph_document;

/// The parser recurses at each brace, so more of them could exhaust the stack.
constexpr std::ptrdiff_t most_braces = 1000;
const std::string id_attribute = "the identifier of a node"; // no attribute of a file is called so

/// The parser has taken the backslash before a quote away, and left two of them as they are.
std::string unescape(std::string text)
{
    boost::replace_all(text, "\\\\", "\\");
    return text;
}

/// Compares runs of digits as numbers: `n9` before `n10`.
bool natural_less(std::string_view a, std::string_view b)
{
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto run = [&](std::string_view s) {
        return static_cast<std::size_t>(std::ranges::find_if_not(s, digit) - s.begin());
    };
    while (!a.empty() && !b.empty()) {
        const std::size_t digits_a = run(a), digits_b = run(b);
        if (digits_a > 0 && digits_b > 0) {
            const auto number = [](std::string_view s) {
                return s.substr(std::min(s.find_first_not_of('0'), s.size()));
            };
            const std::string_view x = number(a.substr(0, digits_a)), y = number(b.substr(0, digits_b));
            if (x != y)
                return x.size() != y.size() ? x.size() < y.size() : x < y;
            if (digits_a != digits_b) // 01 before 1
                return digits_a > digits_b;
            a.remove_prefix(digits_a);
            b.remove_prefix(digits_b);
        } else {
            if (a.front() != b.front())
                return a.front() < b.front();
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    return a.size() < b.size();
}

/// The same graph with its vertices in the natural order of their identifiers (the parser's order is
/// alphabetic), which become their names where the file gives none, and with places in router pitches.
Document in_natural_order(Document& parsed)
{
    std::vector<std::size_t> order(num_vertices(parsed));
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto id = [&](std::size_t v) -> const std::string& { return parsed[v][id_attribute]; };
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return natural_less(id(a), id(b)); });

    Document document;
    document[boost::graph_bundle] = std::move(parsed[boost::graph_bundle]);
    for (auto& [attribute, text] : document[boost::graph_bundle])
        text = unescape(std::move(text));
    std::vector<std::size_t> place_of(order.size());
    for (const std::size_t v : order) {
        place_of[v] = num_vertices(document);
        Attributes attributes = parsed[v];
        attributes.emplace("name", id(v));
        attributes["name"] = unescape(attributes["name"]);
        if (const auto found = attributes.find("pos"); found != attributes.end()) {
            double x = 0, y = 0;
            const char* end = found->second.data() + found->second.size();
            const auto after_x = std::from_chars(found->second.data(), end, x);
            if (after_x.ec == std::errc{} && after_x.ptr != end &&
                std::from_chars(after_x.ptr + 1, end, y).ec == std::errc{})
                attributes["position"] = fmt::format("{},{}", x / points_per_pitch, -y / points_per_pitch);
        }
        document[add_vertex(document)] = std::move(attributes);
    }
    for (const auto e : boost::make_iterator_range(edges(parsed)))
        add_edge(place_of[source(e, parsed)], place_of[target(e, parsed)], parsed[e], document);
    return document;
}

} // namespace

Topology topology_from_dot(std::string_view text, std::string_view origin)
{
    if (std::ranges::count(text, '{') > most_braces)
        throw std::runtime_error(fmt::format("{}: more than {} braces", origin, most_braces));
    Document parsed;
    try {
        parsed = read_document([&](auto& graph, boost::dynamic_properties& properties) {
            boost::read_graphviz(std::string(text), graph, properties, id_attribute);
        });
    } catch (const std::exception& error) {
        throw std::runtime_error(fmt::format("{}: {}", origin, one_line(error.what())));
    }
    return topology_of(in_natural_order(parsed), origin);
}

} // namespace nocturne
