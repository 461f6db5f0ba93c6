#include "models/topology/json_place.hpp"

#include "models/text/json_text.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace nocturne {

nlohmann::json parse_json(std::string_view text, std::string_view origin)
{
    try {
        return json_of_unique_members(text);
    } catch (const std::invalid_argument& error) {
        throw std::runtime_error(one_line(fmt::format("{}: {}", origin, error.what())));
    } catch (const nlohmann::json::exception& error) {
        // "[json.exception.parse_error.101] parse error at line 1, column 2: ...": the bracket is of no use
        // to anybody
        std::string reason = error.what();
        reason.erase(0, std::min(reason.find("] ") + 2, reason.size()));
        throw std::runtime_error(fmt::format("{}: {}", origin, one_line(reason)));
    }
}

JsonPlace::JsonPlace(const nlohmann::json& value, std::string_view origin, std::string pointer)
    : value_(value), origin_(origin), pointer_(std::move(pointer))
{
}

void JsonPlace::fail(std::string_view reason) const
{
    throw std::runtime_error(
        one_line(fmt::format("{}: {}: {}", origin_, pointer_.empty() ? "/" : pointer_, reason)));
}

void JsonPlace::check_members(std::initializer_list<const char*> known) const
{
    if (!value_.is_object())
        fail("expected an object");
    const std::vector<std::string> names(known.begin(), known.end());
    for (const auto& [name, value] : value_.items())
        if (std::ranges::find(names, name) == names.end())
            fail(unknown_name("member", name, names));
}

JsonPlace JsonPlace::operator[](const std::string& name) const
{
    if (!has(name))
        fail(fmt::format("member '{}' is missing", name));
    return child(name, value_[name]);
}

std::vector<JsonPlace> JsonPlace::elements() const
{
    if (!value_.is_array())
        fail("expected an array");
    std::vector<JsonPlace> places;
    for (std::size_t i = 0; i < value_.size(); ++i)
        places.push_back(child(std::to_string(i), value_[i]));
    return places;
}

std::string JsonPlace::text() const
{
    if (!value_.is_string())
        fail("expected a string");
    return value_.get<std::string>();
}

bool JsonPlace::truth() const
{
    if (!value_.is_boolean())
        fail("expected true or false");
    return value_.get<bool>();
}

unsigned JsonPlace::number(unsigned least) const
{
    constexpr unsigned most = std::numeric_limits<unsigned>::max();
    if (!value_.is_number_unsigned() || value_.get<std::uint64_t>() > most ||
        value_.get<std::uint64_t>() < least)
        fail(fmt::format("expected a whole number from {} to {}", least, most));
    return value_.get<unsigned>();
}

std::uint64_t JsonPlace::word() const
{
    if (value_.is_number_unsigned())
        return value_.get<std::uint64_t>();
    if (!value_.is_string())
        fail("expected a number that is 0 or more, or a text with one");
    const auto digits = value_.get<std::string>();
    const bool is_hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    const char* const begin = digits.data() + (is_hexadecimal ? 2 : 0);
    const char* const end = digits.data() + digits.size();
    std::uint64_t result = 0;
    const auto [read, error] = std::from_chars(begin, end, result, is_hexadecimal ? 16 : 10);
    if (error != std::errc() || read != end)
        fail(fmt::format("'{}' is no number of 64 bits", shortened(digits)));
    return result;
}

double JsonPlace::real() const
{
    if (!value_.is_number())
        fail("expected a number");
    return value_.get<double>();
}

double JsonPlace::positive_real() const
{
    const double value = real();
    if (!(value >= 0))
        fail("expected a number that is 0 or more");
    return value;
}

JsonPlace JsonPlace::child(const std::string& name, const nlohmann::json& value) const
{
    return {value, origin_, pointer_ + (nlohmann::json::json_pointer() / name).to_string()};
}

} // namespace nocturne
