#include "sim/cli/network_output.hpp"

#include "models/text/unknown_name.hpp"
#include "models/topology/drawing.hpp"
#include "models/topology/graphml_format.hpp"
#include "models/topology/json_format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <vector>

namespace nocturne::cli {

namespace {

const std::vector<std::string> formats{"json", "graphml", "dot", "svg", "png", "pdf"};

} // namespace

const std::vector<std::string>& network_formats()
{
    return formats;
}

std::string in_network_format(const Topology& topology, const std::string& format)
{
    if (format == "json")
        return to_json(topology);
    if (format == "graphml")
        return to_graphml(topology);
    return draw_topology(topology, format);
}

std::string network_format(const OptionValues& given)
{
    if (given.has("format"))
        return given.text("format");
    if (!given.has("output"))
        return {};
    const std::filesystem::path output(given.text("output"));
    const std::string extension = output.extension().string();
    if (extension.size() < 2 ||
        std::find(formats.begin(), formats.end(), extension.substr(1)) == formats.end())
        throw std::invalid_argument(
            fmt::format("--output {}: its name does not end in a format ({}): say --format", output.string(),
                        fmt::join(formats, ", ")));
    return extension.substr(1);
}

} // namespace nocturne::cli
