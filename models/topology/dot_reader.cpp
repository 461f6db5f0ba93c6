#include "models/text/terminal_text.hpp"
#include "models/topology/dot_format.hpp"
#include "models/topology/dot_parser.hpp"
#include "models/topology/drawing_layout.hpp"
#include "models/topology/indices_by.hpp"

#include <boost/algorithm/string/replace.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

using namespace graph_document;

/// What Graphviz draws by: no property of a network, whatever its value.
constexpr std::string_view drawing_attributes =
    "Damping K URL _background area arrowhead arrowsize arrowtail bb beautify bgcolor center charset class "
    "cluster clusterrank color colorscheme comment compound concentrate constraint decorate defaultdist "
    "dim dimen diredgeconstraints distortion dpi edgeURL edgehref edgetarget edgetooltip epsilon esep "
    "fillcolor fixedsize fontcolor fontname fontnames fontpath fontsize forcelabels gradientangle group "
    "headURL head_lp headclip headhref headlabel headport headtarget headtooltip height href id image "
    "imagepath imagepos imagescale inputscale key label labelURL label_scheme labelangle labeldistance "
    "labelfloat labelfontcolor labelfontname labelfontsize labelhref labeljust labelloc labeltarget "
    "labeltooltip landscape layer layerlistsep layers layerselect layersep layout levels levelsgap lhead "
    "lheight linelength lp ltail lwidth margin maxiter mclimit mindist minlen mode model newrank nodesep "
    "nojustify normalize notranslate nslimit nslimit1 oneblock ordering orientation outputorder overlap "
    "overlap_scaling overlap_shrink pack packmode pad page pagedir pencolor penwidth peripheries pin pos "
    "quadtree quantum rank rankdir ranksep ratio rects regular remincross repulsiveforce resolution root "
    "rotate rotation samehead sametail samplepoints scale searchsize sep shape shapefile showboxes sides "
    "size skew smoothing sortv splines start style stylesheet tailURL tail_lp tailclip tailhref taillabel "
    "tailport tailtarget tailtooltip target tooltip truecolor vertices viewport voro_margin width "
    "xdotversion xlabel xlp z";

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

/// The same graph with its vertices in the natural order of their identifiers, and with places in router
/// pitches.
Document in_natural_order(Document parsed)
{
    for (auto& [attribute, text] : parsed.attributes)
        text = unescape(std::move(text));
    const auto order = indices_by<std::size_t>(
        parsed.vertices.size(), [&](std::size_t v) -> std::string_view { return parsed.vertices[v].id; },
        natural_less);
    std::vector<std::size_t> place_of(order.size());
    std::vector<GraphVertex> vertices;
    for (const std::size_t v : order) {
        place_of[v] = vertices.size();
        auto& [id, attributes] = vertices.emplace_back(std::move(parsed.vertices[v]));
        id = unescape(id);
        for (auto& [attribute, text] : attributes)
            text = unescape(std::move(text));
        if (const auto found = attributes.find("pos"); found != attributes.end()) {
            double x = 0, y = 0;
            const char* end = found->second.data() + found->second.size();
            const auto after_x = std::from_chars(found->second.data(), end, x);
            if (after_x.ec == std::errc{} && after_x.ptr != end &&
                std::from_chars(after_x.ptr + 1, end, y).ec == std::errc{})
                attributes.emplace("position",
                                   fmt::format("{},{}", x / points_per_pitch, -y / points_per_pitch));
            attributes.erase(found);
        }
    }
    parsed.vertices = std::move(vertices);
    for (GraphEdge& edge : parsed.edges) {
        edge.source = place_of[edge.source];
        edge.target = place_of[edge.target];
        edge.attributes.erase("pos"); // of its line
    }
    return parsed;
}

} // namespace

Topology topology_from_dot(std::string_view text, std::string_view origin)
{
    return topology_of_file(in_natural_order(parse_dot(text, origin)), origin,
                            words_of_line(drawing_attributes));
}

} // namespace nocturne
