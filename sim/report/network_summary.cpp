// What networks and designs say at first sight.
#include "sim/report/summaries.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne {

namespace {

using Json = nlohmann::ordered_json;

bool is_at_bound(const Json& term)
{
    const auto value = number_in(term, "value"), bound = number_in(term, "bound");
    return value && bound && *value <= *bound * (1 + 1e-9);
}

/// A mark for each network.
LinePlot networks_plot(const Json& networks)
{
    LinePlot plot{"Networks of one size",
                  {"average distance (hops, with a processor's to itself)"},
                  {"saturation load (flits per processor and cycle)", Scale::linear, 0.0},
                  {}};
    for (const Json& network : networks)
        if (const auto hops = number_in(network, "average_with_self_hops"),
            load = number_in(network, "saturation_load");
            hops && load)
            plot.curves.push_back({text_in(network, "network"), {{*hops, *load}}});
    return plot;
}

/// How far each term is above what no network goes below: the terms have different units.
GanttPlot terms_plot(const Json& terms)
{
    GanttPlot plot{"Terms of the design",
                   {"times what no network goes below", Scale::linear, 0.0},
                   "",
                   {},
                   "",
                   {"design", "least possible"},
                   {}};
    for (const Json& term : terms)
        if (const auto value = number_in(term, "value"), bound = number_in(term, "bound");
            value && bound && *bound > 0) {
            plot.boxes.push_back({plot.rows.size(), 0, *value / *bound, 0, ""});
            plot.rows.push_back(fmt::format("{} {}", text_in(term, "term"), short_number(*value)));
        }
    if (!plot.rows.empty()) {
        plot.boxes.push_back({plot.rows.size(), 0, 1, 1, ""});
        plot.rows.emplace_back("least possible");
    }
    return plot;
}

} // namespace

Summary summary_of_network(const Json& result)
{
    Summary summary{text_in(result, "topology"), ""};
    summary.headline = fmt::format("{} processors on {} routers, at most {} hops apart and {} on average.",
                                   number_text(result, "processors"), number_text(result, "routers"),
                                   number_text(result, "maximum_hops"), number_text(result, "average_hops"));
    const Json& measures = result.contains("measures") ? result["measures"] : result;
    if (measures.is_object() && measures.contains("bisection") && measures["bisection"].is_object())
        summary.headline += fmt::format(
            " The narrowest cut into {} that was found has {} links.",
            text_in(measures["bisection"], "parts") == "halves" ? "halves" : "parts of at least 40 %",
            number_text(measures["bisection"], "links"));
    const std::string routing = text_in(result, "routing");
    if (const auto is_free = flag_in(result, "deadlock_free"); is_free == true)
        summary.headline += fmt::format(" Routing {} cannot deadlock.", routing);
    else if (is_free == false) {
        summary.is_bad = true;
        summary.headline = fmt::format("Routing {} can deadlock. {}", routing, summary.headline);
        summary.reasons.push_back(text_in(result, "cycle"));
    }
    summary.table = FieldTable{"",
                               {"processors", "routers", "channels", "largest_degree", "maximum_hops",
                                "average_hops", "vc_classes"}};
    return summary;
}

Summary summary_of_design(const Json& result)
{
    const std::string name = text_in(result, "topology");
    Summary summary{fmt::format("designed network {}: {} routers, {} channels", name,
                                number_text(result, "routers"), number_text(result, "channels")),
                    "The design has "};
    const Json& terms = list_in(result, "terms");
    const bool is_optimal = std::ranges::all_of(terms, is_at_bound);
    std::vector<std::string> reached;
    for (const Json& term : terms)
        reached.push_back(
            fmt::format("{} {}{}", text_in(term, "term"), number_text(term, "value"),
                        is_optimal || !number_in(term, "bound")
                            ? ""
                            : fmt::format(" (no network has less than {})", number_text(term, "bound"))));
    summary.headline += listed(reached, reached.size()) + (is_optimal ? ", and no network has less." : ".");
    summary.table = FieldTable{"terms", {"term", "value", "bound", "weight"}};
    const Json& places = list_in(result, "places");
    const auto own =
        std::ranges::find_if(places, [&](const Json& each) { return text_in(each, "network") == name; });
    if (own == places.end()) {
        if (GanttPlot plot = terms_plot(terms); !plot.rows.empty())
            summary.picture = std::move(plot);
        return summary;
    }
    summary.headline +=
        fmt::format(" By its mean place it is {} of {} networks of its size.",
                    own == places.begin() ? "the best" : fmt::format("number {}", own - places.begin() + 1),
                    places.size());
    if (LinePlot plot = networks_plot(list_in(result, "networks")); !plot.curves.empty())
        summary.picture = std::move(plot);
    summary.table = FieldTable{"networks",
                               {"network", "average_with_self_hops", "maximum_hops", "channels",
                                "scatter_steps", "broadcast_steps", "saturation_load"}};
    return summary;
}

} // namespace nocturne
