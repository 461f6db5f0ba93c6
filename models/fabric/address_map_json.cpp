#include "models/fabric/address_map_json.hpp"

#include "models/text/unknown_name.hpp"
#include "models/topology/files.hpp"
#include "models/topology/json_place.hpp"

#include <limits>

namespace nocturne {

namespace {

TargetAddresses parse_target_addresses(const JsonPlace& place)
{
    const std::string text = place.text();
    if (text != "relative" && text != "absolute")
        place.fail(unknown_name("kind of addresses", text, std::vector<std::string>{"relative", "absolute"}));
    return text == "relative" ? TargetAddresses::relative : TargetAddresses::absolute;
}

std::uint64_t last_address(const JsonPlace& place, std::uint64_t first)
{
    if (place.has("last") == place.has("bytes"))
        place.fail("a range has either a member 'last' or a member 'bytes'");
    if (place.has("last"))
        return place["last"].word();
    const std::uint64_t bytes = place["bytes"].word();
    if (bytes == 0 || bytes - 1 > std::numeric_limits<std::uint64_t>::max() - first)
        place["bytes"].fail("a range has at least one byte, and ends within 64 bits");
    return first + (bytes - 1);
}

AddressRange parse_range(const JsonPlace& place)
{
    place.check_members({"target", "first", "last", "bytes", "addresses", "priority", "initiators"});
    AddressRange range;
    range.target = place["target"].text();
    range.first = place["first"].word();
    range.last = last_address(place, range.first);
    if (place.has("addresses"))
        range.addresses = parse_target_addresses(place["addresses"]);
    if (place.has("priority"))
        range.priority = place["priority"].number(0);
    if (place.has("initiators")) {
        const std::vector<JsonPlace> names = place["initiators"].elements();
        if (names.empty())
            place["initiators"].fail("expected a name or more; without this member all see the range");
        for (const JsonPlace& name : names)
            range.initiators.push_back(name.text());
    }
    return range;
}

} // namespace

AddressMap parse_address_map(std::string_view text, std::string_view origin)
{
    const nlohmann::json document = parse_json(text, origin);
    const JsonPlace root(document, origin);
    root.check_members({"ranges", "default_target"});
    std::vector<AddressRange> ranges;
    if (root.has("ranges"))
        for (const JsonPlace& range : root["ranges"].elements())
            ranges.push_back(parse_range(range));
    std::optional<std::string> default_target;
    if (root.has("default_target"))
        default_target = root["default_target"].text();
    return root.here([&] { return AddressMap(std::move(ranges), std::move(default_target)); });
}

AddressMap read_address_map(const std::string& file)
{
    return parse_address_map(read_file(file), file);
}

} // namespace nocturne
