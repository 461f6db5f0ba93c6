#include "models/topology/floogen_keys.hpp"

#include "models/text/unknown_name.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne {

namespace {

/// `where`: what the place is one of; empty for the whole.
void add_unknown(const YamlPlace& place, const std::string& where, const std::vector<std::string>& known,
                 std::vector<std::string>& unknown)
{
    for (const std::string& name : place.names()) {
        if (std::ranges::find(known, name) != known.end())
            continue;
        if (const std::string meant = meant_name(name, known); !meant.empty())
            place.fail(fmt::format("unknown key '{}'{}: {}", shortened(name),
                                   where.empty() ? "" : " of " + where, meant));
        const std::string noted =
            where.empty() ? shortened(name) : fmt::format("{} of {}", shortened(name), where);
        if (std::ranges::find(unknown, noted) == unknown.end())
            unknown.push_back(noted);
    }
}

} // namespace

std::vector<std::string> unknown_floogen_keys(const YamlPlace& root)
{
    std::vector<std::string> unknown;
    add_unknown(root, "",
                {"name", "description", "network_type", "protocols", "endpoints", "routers", "connections",
                 "routing", "params"},
                unknown);
    if (root.has("routing"))
        add_unknown(root["routing"], "routing", {"route_algo", "use_id_table"}, unknown);
    for (const YamlPlace& place : root["routers"].elements())
        add_unknown(
            place, "routers",
            {"name", "description", "array", "tree", "auto_connect", "xy_id_offset", "id_offset", "degree"},
            unknown);
    for (const YamlPlace& place : root["endpoints"].elements())
        add_unknown(place, "endpoints",
                    {"name", "description", "array", "num", "tree", "addr_range", "xy_id_offset", "id_offset",
                     "mgr_port_protocol", "sbr_port_protocol"},
                    unknown);
    for (const YamlPlace& place : root["connections"].elements())
        add_unknown(place, "connections",
                    {"description", "src", "dst", "src_idx", "dst_idx", "src_range", "dst_range", "src_lvl",
                     "dst_lvl", "src_dir", "dst_dir", "allow_multi", "bidirectional"},
                    unknown);
    return unknown;
}

} // namespace nocturne
