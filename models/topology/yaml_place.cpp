#include "models/topology/yaml_place.hpp"

#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <yaml-cpp/yaml.h>

namespace nocturne {

namespace {

[[noreturn]] void fail_at(const YAML::Mark& mark, std::string_view origin, std::string_view reason)
{
    const std::string line = mark.is_null() ? "" : fmt::format("line {}: ", mark.line + 1);
    throw std::runtime_error(one_line(fmt::format("{}: {}{}", origin, line, reason)));
}

YAML::Node parse_yaml(std::string_view text, std::string_view origin)
{
    try {
        return YAML::Load(std::string(text));
    } catch (const YAML::Exception& error) {
        fail_at(error.mark, origin, error.msg);
    }
}

} // namespace

YamlPlace::YamlPlace(std::string_view text, std::string_view origin)
    : node_(std::make_shared<const YAML::Node>(parse_yaml(text, origin))), origin_(origin)
{
}

YamlPlace::YamlPlace(const YAML::Node& node, const YamlPlace& in)
    : node_(std::make_shared<const YAML::Node>(node)), origin_(in.origin_)
{
}

void YamlPlace::fail(std::string_view reason) const
{
    fail_at(node_->Mark(), origin_, reason);
}

bool YamlPlace::has(const std::string& name) const
{
    if (!node_->IsMap())
        return false;
    const auto is_called_so = [&](const auto& each) {
        return each.first.IsScalar() && each.first.Scalar() == name;
    };
    if (std::count_if(node_->begin(), node_->end(), is_called_so) > 1)
        fail(fmt::format("'{}' appears twice", name));
    return (*node_)[name].IsDefined() && !(*node_)[name].IsNull();
}

YamlPlace YamlPlace::operator[](const std::string& name) const
{
    if (!node_->IsMap())
        fail("expected names with values");
    if (!has(name))
        fail(fmt::format("'{}' is missing", name));
    return {(*node_)[name], *this};
}

std::vector<std::string> YamlPlace::names() const
{
    std::vector<std::string> names;
    if (node_->IsMap())
        for (const auto& each : *node_)
            names.push_back(each.first.IsScalar() ? each.first.Scalar() : "?");
    return names;
}

std::vector<YamlPlace> YamlPlace::elements() const
{
    if (!node_->IsSequence())
        fail("expected a list");
    std::vector<YamlPlace> all;
    for (const YAML::Node& each : *node_)
        all.push_back({each, *this});
    return all;
}

std::string YamlPlace::text() const
{
    if (!node_->IsScalar() || node_->Scalar().empty())
        fail("expected a text");
    return node_->Scalar();
}

std::string YamlPlace::shown() const
{
    if (!node_->IsSequence())
        return node_->IsScalar() ? node_->Scalar() : "...";
    std::string text;
    for (const YAML::Node& each : *node_)
        text += (text.empty() ? "" : ",") + YamlPlace(each, *this).shown();
    return text;
}

bool YamlPlace::truth() const
{
    bool value = false;
    if (!node_->IsScalar() || !YAML::convert<bool>::decode(*node_, value))
        fail("expected true or false");
    return value;
}

unsigned YamlPlace::number() const
{
    const auto number = node_->IsScalar() ? number_of<unsigned>(node_->Scalar()) : std::nullopt;
    if (!number)
        fail(node_->IsScalar()
                 ? fmt::format("'{}' is no whole number of 0 or more", shortened(node_->Scalar()))
                 : "expected a whole number");
    return *number;
}

std::vector<unsigned> YamlPlace::numbers() const
{
    if (!node_->IsSequence())
        return {number()};
    std::vector<unsigned> all;
    for (const YamlPlace& each : elements())
        all.push_back(each.number());
    return all;
}

} // namespace nocturne
