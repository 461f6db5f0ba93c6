#include "models/topology/router_part.hpp"

#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace nocturne {

ClockRatio parse_clock(std::string_view text)
{
    const std::size_t slash = std::min(text.find('/'), text.size());
    const auto ticks = number_of<unsigned>(text.substr(0, slash));
    const auto base = slash == text.size() ? 1u : number_of<unsigned>(text.substr(slash + 1));
    const auto is_in_range = [](std::optional<unsigned> number) {
        return number && *number >= 1 && *number <= ClockRatio::most;
    };
    if (!is_in_range(ticks) || !is_in_range(base))
        throw std::invalid_argument(fmt::format("clock '{}': expected N or N/M, each from 1 to {}",
                                                shortened(text), ClockRatio::most));
    const unsigned common = std::gcd(*ticks, *base);
    return {*ticks / common, *base / common};
}

std::string to_string(const ClockRatio& clock)
{
    return clock.base == 1 ? fmt::to_string(clock.ticks) : fmt::format("{}/{}", clock.ticks, clock.base);
}

namespace {

/// `28.1` bytes in a cycle, as thousandths.
unsigned byte_rate(std::string_view name, std::string_view value)
{
    constexpr double least = 0.1, most = 4096;
    const auto bytes = number_of<double>(value);
    const double thousandths = bytes ? std::round(*bytes * 1000) : 0;
    if (!bytes || !(*bytes >= least && *bytes <= most) || std::abs(*bytes * 1000 - thousandths) > 1e-6)
        throw std::invalid_argument(
            fmt::format("{}={}: expected bytes in a cycle, from {} to {}, with three decimals at most", name,
                        shortened(value), least, most));
    return static_cast<unsigned>(thousandths);
}

} // namespace

std::vector<std::pair<std::string, std::string>> properties_of(const RouterPart& part)
{
    std::vector<std::pair<std::string, std::string>> properties;
    if (part.pipeline)
        properties.emplace_back("pipeline", to_string(*part.pipeline));
    if (part.buffer_flits != 0)
        properties.emplace_back("buffers", std::to_string(part.buffer_flits));
    if (part.pool_flits != 0)
        properties.emplace_back("pool", std::to_string(part.pool_flits));
    if (part.vcs != 0)
        properties.emplace_back("vcs", std::to_string(part.vcs));
    if (part.packets != 0)
        properties.emplace_back("packets", std::to_string(part.packets));
    if (part.arbiter)
        properties.emplace_back("arbiter", to_string(*part.arbiter));
    if (!part.clock.is_base())
        properties.emplace_back("clock", to_string(part.clock));
    if (part.injection_rate != 0)
        properties.emplace_back("injection", fmt::format("{:g}", part.injection_rate / 1000.0));
    if (part.ejection_rate != 0)
        properties.emplace_back("ejection", fmt::format("{:g}", part.ejection_rate / 1000.0));
    return properties;
}

unsigned part_number(std::string_view name, std::string_view value, unsigned most)
{
    const auto number = number_of<unsigned>(value);
    if (!number || *number < 1 || *number > most)
        throw std::invalid_argument(
            fmt::format("{}={}: expected a whole number from 1 to {}", name, shortened(value), most));
    return *number;
}

void set_property(RouterPart& part, std::string_view name, const std::string& value)
{
    if (name == "pipeline") {
        const Pipeline pipeline = parse_pipeline(value);
        pipeline.validate();
        part.pipeline = pipeline;
    } else if (name == "buffers") {
        part.buffer_flits = part_number(name, value, most_buffer_flits);
    } else if (name == "pool") {
        part.pool_flits = part_number(name, value, most_buffer_flits);
    } else if (name == "vcs") {
        part.vcs = part_number(name, value, most_vcs);
    } else if (name == "packets") {
        part.packets = part_number(name, value, most_vcs);
    } else if (name == "arbiter") {
        part.arbiter = parse_arbiter(value);
    } else if (name == "clock") {
        part.clock = parse_clock(value);
    } else if (name == "injection") {
        part.injection_rate = byte_rate(name, value);
    } else if (name == "ejection") {
        part.ejection_rate = byte_rate(name, value);
    } else {
        throw std::invalid_argument(unknown_name(
            "property", name, std::vector<std::string>(router_properties.begin(), router_properties.end())));
    }
}

} // namespace nocturne
