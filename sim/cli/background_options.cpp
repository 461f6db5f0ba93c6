#include "sim/cli/background_options.hpp"

#include "models/routing/make_routing.hpp"
#include "sim/cli/command.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace nocturne::cli {

namespace po = boost::program_options;

po::options_description background_options()
{
    const BackgroundTraffic defaults;
    const auto text = [](const char* name, const std::string& value) {
        return po::value<std::string>()->value_name(name)->default_value(value);
    };
    po::options_description options("Background traffic");
    options.add_options()("background", po::value<double>()->value_name("LOAD"),
                          "other traffic beside the messages, flits per processor and cycle")(
        "background-pattern", text("PATTERN", defaults.pattern), "where it goes, as for nocturne traffic")(
        "background-flits", text("SIZES", defaults.packet_flits),
        "its packets")("background-arrivals", text("A", defaults.arrivals),
                       "when they come")("background-routing", text("NAME", defaults.routing),
                                         "its routing, one that is decided at the source");
    return options;
}

std::optional<BackgroundTraffic> background_of(const po::variables_map& map)
{
    if (map.count("background") == 0) {
        for (const char* option :
             {"background-pattern", "background-flits", "background-arrivals", "background-routing"})
            if (!map[option].defaulted())
                throw std::invalid_argument(fmt::format("--{}: how much? --background is missing", option));
        return std::nullopt;
    }
    return BackgroundTraffic{map["background"].as<double>(),
                             map["background-pattern"].as<std::string>(),
                             map["background-flits"].as<std::string>(),
                             map["background-arrivals"].as<std::string>(),
                             map["background-routing"].as<std::string>(),
                             map["seed"].as<Count>().value};
}

unsigned vc_classes_of(const std::optional<BackgroundTraffic>& background, const Topology& topology)
{
    return background ? with_vc_class_offset(make_routing(topology, background->routing, background->seed), 0)
                            .vc_classes
                      : 0;
}

void add_background(nlohmann::json& document, const std::optional<BackgroundTraffic>& background)
{
    if (background)
        document["background"] = {{"load", background->load},
                                  {"pattern", background->pattern},
                                  {"packet_flits", background->packet_flits},
                                  {"arrivals", background->arrivals},
                                  {"routing", background->routing},
                                  {"seed", background->seed}};
}

} // namespace nocturne::cli
