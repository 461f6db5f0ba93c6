#include "models/fabric/address_map_json.hpp"

#include "models/text/unknown_name.hpp"
#include "models/topology/files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>

namespace nocturne {

namespace {

using AddressJson = nlohmann::json;

/// A value of the document and where it is.
struct JsonPlace {
    const AddressJson& value;
    std::string pointer;

    [[noreturn]] void fail(std::string_view reason) const
    {
        throw std::runtime_error(fmt::format("{}: {}", pointer.empty() ? "/" : pointer, reason));
    }

    JsonPlace child(const std::string& name) const { return {value.at(name), pointer + "/" + name}; }

    void require_members(std::initializer_list<const char*> known) const
    {
        if (!value.is_object())
            fail("expected an object");
        const std::vector<std::string> names(known.begin(), known.end());
        for (const auto& [name, member] : value.items())
            if (std::ranges::find(names, name) == names.end())
                fail(unknown_name("member", name, names));
    }

    std::string text() const
    {
        if (!value.is_string())
            fail("expected a text");
        return value.get<std::string>();
    }

    std::uint64_t number() const
    {
        if (value.is_number_unsigned())
            return value.get<std::uint64_t>();
        if (!value.is_string())
            fail("expected a number that is 0 or more, or a text with one");
        const auto digits = value.get<std::string>();
        const bool is_hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
        const char* const begin = digits.data() + (is_hexadecimal ? 2 : 0);
        const char* const end = digits.data() + digits.size();
        std::uint64_t result = 0;
        const auto [read, error] = std::from_chars(begin, end, result, is_hexadecimal ? 16 : 10);
        if (error != std::errc() || read != end)
            fail(fmt::format("'{}' is no number of 64 bits", shortened(digits)));
        return result;
    }
};

TargetAddresses parse_target_addresses(const JsonPlace& place)
{
    const std::string text = place.text();
    if (text != "relative" && text != "absolute")
        place.fail(unknown_name("kind of addresses", text, std::vector<std::string>{"relative", "absolute"}));
    return text == "relative" ? TargetAddresses::relative : TargetAddresses::absolute;
}

std::uint64_t last_address(const JsonPlace& place, std::uint64_t first)
{
    if (place.value.contains("last") == place.value.contains("bytes"))
        place.fail("a range has either a member 'last' or a member 'bytes'");
    if (place.value.contains("last"))
        return place.child("last").number();
    const std::uint64_t bytes = place.child("bytes").number();
    if (bytes == 0 || bytes - 1 > std::numeric_limits<std::uint64_t>::max() - first)
        place.child("bytes").fail("a range has at least one byte, and ends within 64 bits");
    return first + (bytes - 1);
}

AddressRange parse_range(const JsonPlace& place)
{
    place.require_members({"target", "first", "last", "bytes", "addresses", "priority", "initiators"});
    for (const char* name : {"target", "first"})
        if (!place.value.contains(name))
            place.fail(fmt::format("member '{}' is missing", name));
    AddressRange range;
    range.target = place.child("target").text();
    range.first = place.child("first").number();
    range.last = last_address(place, range.first);
    if (place.value.contains("addresses"))
        range.addresses = parse_target_addresses(place.child("addresses"));
    if (place.value.contains("priority")) {
        const std::uint64_t priority = place.child("priority").number();
        if (priority > std::numeric_limits<unsigned>::max())
            place.child("priority").fail("a priority has at most 32 bits");
        range.priority = static_cast<unsigned>(priority);
    }
    if (place.value.contains("initiators")) {
        const JsonPlace list = place.child("initiators");
        if (!list.value.is_array() || list.value.empty())
            list.fail("expected an array of at least one name; without this member all see the range");
        for (std::size_t i = 0; i < list.value.size(); ++i)
            range.initiators.push_back(
                JsonPlace{list.value[i], fmt::format("{}/{}", list.pointer, i)}.text());
    }
    return range;
}

AddressMap parse_document(std::string_view text)
{
    const AddressJson document = AddressJson::parse(text, nullptr, false);
    if (document.is_discarded())
        throw std::runtime_error("no JSON document");
    const JsonPlace root{document, ""};
    root.require_members({"ranges", "default_target"});
    std::vector<AddressRange> ranges;
    if (document.contains("ranges")) {
        const JsonPlace list = root.child("ranges");
        if (!list.value.is_array())
            list.fail("expected an array");
        for (std::size_t i = 0; i < list.value.size(); ++i)
            ranges.push_back(parse_range({list.value[i], fmt::format("{}/{}", list.pointer, i)}));
    }
    std::optional<std::string> default_target;
    if (document.contains("default_target"))
        default_target = root.child("default_target").text();
    return AddressMap(std::move(ranges), std::move(default_target));
}

} // namespace

AddressMap parse_address_map(std::string_view text, std::string_view origin)
{
    try {
        return parse_document(text);
    } catch (const std::exception& error) {
        throw std::runtime_error(fmt::format("{}: {}", origin, error.what()));
    }
}

AddressMap read_address_map(const std::string& file)
{
    return parse_address_map(read_file(file), file);
}

} // namespace nocturne
