#include "schedules/formats/xml_place.hpp"

#include "models/text/number.hpp"
#include "models/text/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace nocturne {

XmlLines::XmlLines(std::string_view text)
{
    for (std::size_t at = 0; at < text.size(); ++at)
        if (text[at] == '\n')
            ends_.push_back(static_cast<std::ptrdiff_t>(at));
}

std::size_t XmlLines::line_of(std::ptrdiff_t offset) const
{
    const auto end = std::lower_bound(ends_.begin(), ends_.end(), offset);
    return static_cast<std::size_t>(end - ends_.begin()) + 1;
}

std::string XmlPlace::line() const
{
    return fmt::format("line {}", lines_->line_of(node_.offset_debug()));
}

void XmlPlace::fail(const std::string& reason) const
{
    throw std::runtime_error(fmt::format("{}: {}: {}", origin_, line(), reason));
}

std::string XmlPlace::text(const char* name) const
{
    const pugi::xml_attribute attribute = node_.attribute(name);
    if (!attribute)
        fail(fmt::format("<{}> has no attribute '{}'", node_.name(), name));
    return attribute.value();
}

std::int32_t XmlPlace::number(const char* name, std::int32_t least, std::int32_t most) const
{
    const std::string value = text(name);
    const auto number = number_of<std::int32_t>(value);
    if (!number || *number < least || *number > most)
        fail(fmt::format("{}=\"{}\" is no whole number from {} to {}", name, value, least, most));
    return *number;
}

double XmlPlace::amount(const char* name) const
{
    const std::string value = text(name);
    const auto amount = number_of<double>(value);
    if (!amount || !(*amount >= 0) || std::isinf(*amount))
        fail(fmt::format("{}=\"{}\" is no number of 0 or more", name, value));
    return *amount;
}

std::vector<XmlPlace> XmlPlace::children(const char* name) const
{
    std::vector<XmlPlace> places;
    for (const pugi::xml_node child : node_.children(name))
        places.emplace_back(child, *lines_, origin_);
    return places;
}

XmlFile::XmlFile(std::string_view text, std::string_view origin)
    : lines_(without_byte_order_mark(text)), origin_(origin)
{
    text = without_byte_order_mark(text);
    const pugi::xml_parse_result parsed = document_.load_buffer(text.data(), text.size());
    if (!parsed)
        throw std::runtime_error(
            fmt::format("{}: line {}: {}", origin, lines_.line_of(parsed.offset), parsed.description()));
}

XmlPlace XmlFile::root(const char* name) const
{
    if (!document_.child(name))
        throw std::runtime_error(fmt::format("{}: there is no <{}>", origin_, name));
    return {document_.child(name), lines_, origin_};
}

bool is_xml_of(std::string_view text, std::string_view name)
{
    text = without_byte_order_mark(text);
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    return text.starts_with('<') &&
           text.substr(0, 4096).find(fmt::format("<{}", name)) != std::string_view::npos;
}

} // namespace nocturne
