// What networks and designs say at first sight.
#include "sim/report/summaries.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne {

namespace {

using Json = nlohmann::ordered_json;

/// `average latency 1.38, which no network beats`.
std::string term_text(const Json& term)
{
    const auto value = number_in(term, "value"), bound = number_in(term, "bound");
    std::string text = fmt::format("{} {}", text_in(term, "term"), short_number(value.value_or(0)));
    if (value && bound)
        text += *value <= *bound * (1 + 1e-9)
                    ? ", which no network beats"
                    : fmt::format(" (no network has less than {})", short_number(*bound));
    return text;
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
        summary.headline += fmt::format(" The narrowest cut that was found has {} links.",
                                        number_text(measures["bisection"], "links"));
    if (const auto is_free = flag_in(result, "deadlock_free")) {
        summary.is_bad = !*is_free;
        summary.headline +=
            fmt::format(" Routing {} {} deadlock.", text_in(result, "routing"), *is_free ? "cannot" : "can");
        if (!*is_free)
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
    Summary summary{"design of " + name, "The design has "};
    std::vector<std::string> terms;
    for (const Json& term : list_in(result, "terms"))
        terms.push_back(term_text(term));
    summary.headline += listed(terms, terms.size()) + '.';
    summary.table = FieldTable{"terms", {"term", "value", "bound", "weight"}};
    const Json& places = list_in(result, "places");
    const auto own =
        std::ranges::find_if(places, [&](const Json& each) { return text_in(each, "network") == name; });
    if (own == places.end())
        return summary;
    summary.headline +=
        fmt::format(" By its mean place it is {} of {} networks of its size.",
                    own == places.begin() ? "the best" : fmt::format("number {}", own - places.begin() + 1),
                    places.size());
    summary.table = FieldTable{"networks",
                               {"network", "average_with_self_hops", "maximum_hops", "channels",
                                "bisection_links", "scatter_steps", "broadcast_steps", "saturation_load"}};
    return summary;
}

} // namespace nocturne
