#include "sim/cli/background_options.hpp"

#include "models/routing/make_routing.hpp"

namespace nocturne::cli {

OptionTable background_options()
{
    const BackgroundTraffic defaults;
    return option_table("Background traffic",
                        {{"background", real_value("LOAD", {.least = 0}),
                          "load of background traffic, in flits per processor and cycle"},
                         {"background-pattern",
                          name_value("PATTERN", defaults.pattern),
                          "pattern of background traffic, as for 'nocturne traffic'",
                          {"background"}},
                         {"background-flits",
                          text_value("SIZES", defaults.packet_flits).parsed_by(make_message_sizes),
                          "flits of a background packet",
                          {"background"}},
                         {"background-arrivals",
                          text_value("A", defaults.arrivals).parsed_by(make_arrivals),
                          "arrival process of background packets",
                          {"background"}},
                         {"background-routing",
                          name_value("NAME", defaults.routing),
                          "routing of background traffic; source routing only",
                          {"background"}}});
}

std::optional<BackgroundTraffic> background_of(const OptionValues& given)
{
    if (!given.has("background"))
        return std::nullopt;
    return BackgroundTraffic{given.real("background"),         given.text("background-pattern"),
                             given.text("background-flits"),   given.text("background-arrivals"),
                             given.text("background-routing"), given.count("seed")};
}

Routing routing_of(const BackgroundTraffic& background, const Topology& topology, const PathCost& cost)
{
    return with_vc_class_offset(make_routing(topology, background.routing, background.seed, cost), 0);
}

unsigned vc_classes_of(const std::optional<BackgroundTraffic>& background, const Topology& topology,
                       const PathCost& cost)
{
    return background ? routing_of(*background, topology, cost).vc_classes.count() : 0;
}

} // namespace nocturne::cli
