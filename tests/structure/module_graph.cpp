#include "tests/structure/module_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace nocturne::structure {
namespace {

/// For each room the rooms to which a path of permissions leads.
std::map<std::string_view, std::set<std::string_view>> reachable_rooms(const std::vector<Room>& rooms)
{
    std::map<std::string_view, std::set<std::string_view>> reachable;
    for (const Room& room : rooms) { // each after those that it may include
        std::set<std::string_view>& from_here = reachable[room.name];
        for (const std::string_view next : room.may_include) {
            from_here.insert(next);
            const std::set<std::string_view>& beyond = reachable[next];
            from_here.insert(beyond.begin(), beyond.end());
        }
    }
    return reachable;
}

std::string_view colour_of(std::string_view room)
{
    if (room.starts_with("models/"))
        return "#dbe9f6";
    if (room.starts_with("schedules/"))
        return "#e3f1dc";
    return "#fdebd0";
}

} // namespace

std::string module_graph(const std::vector<Room>& rooms)
{
    const auto reachable = reachable_rooms(rooms);
    std::string text = "// Made from the table in tests/structure/include_rules.cpp by the tests beside it.\n"
                       "digraph modules {\n"
                       "    node [shape=box, style=filled, fontname=\"DejaVu Sans\", fontsize=11];\n";
    for (const Room& room : rooms)
        text += fmt::format("    \"{}\" [fillcolor=\"{}\"{}];\n", room.name, colour_of(room.name),
                            room.may_use_systemc ? ", peripheries=2" : "");
    for (const Room& room : rooms) {
        const std::set<std::string_view> allowed(room.may_include.begin(), room.may_include.end());
        for (const std::string_view other : reachable.at(room.name)) {
            const bool is_behind_another = std::any_of(allowed.begin(), allowed.end(), [&](auto next) {
                return reachable.at(next).contains(other);
            });
            if (!allowed.contains(other))
                text += fmt::format("    \"{}\" -> \"{}\" [style=dotted, color=red, constraint=false];\n",
                                    room.name, other);
            else if (!is_behind_another)
                text += fmt::format("    \"{}\" -> \"{}\";\n", room.name, other);
        }
    }
    return text + "}\n";
}

} // namespace nocturne::structure
