#include "sim/cli/background_options.hpp"

#include "models/routing/make_routing.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne::cli {

OptionTable background_options()
{
    const BackgroundTraffic defaults;
    return option_table("Background traffic",
                        {{"background", real_value("LOAD", {.least = 0}),
                          "other traffic beside the messages, flits per processor and cycle"},
                         {"background-pattern",
                          name_value("PATTERN", defaults.pattern),
                          "where it goes, as for nocturne traffic",
                          {"background"}},
                         {"background-flits",
                          text_value("SIZES", defaults.packet_flits).parsed_by(make_message_sizes),
                          "its packets",
                          {"background"}},
                         {"background-arrivals",
                          text_value("A", defaults.arrivals).parsed_by(make_arrivals),
                          "when they come",
                          {"background"}},
                         {"background-routing",
                          name_value("NAME", defaults.routing),
                          "its routing, one that is decided at the source",
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
