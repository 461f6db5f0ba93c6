#include "tests/structure/include_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace nocturne::structure {

const std::vector<Room>& rooms()
{
    static const std::vector<Room> all = [] {
        std::vector<Room> upstream{
            {"models/text", {}},
            {"models/topology", {}},
            {"schedules/collective", {}},
            {"models/routing", {"models/topology"}},
            {"models/measures", {"models/topology", "models/routing"}},
            {"models/traffic", {"models/topology", "models/routing"}},
            {"models/benes", {"models/topology", "models/routing", "models/traffic"}},
            {"models/energy", {"models/topology"}},
            {"schedules/problem", {"models/topology", "models/routing", "schedules/collective"}},
            {"schedules/schedule",
             {"models/topology", "models/routing", "schedules/collective", "schedules/problem"}},
            {"schedules/sums",
             {"models/topology", "models/routing", "schedules/collective", "schedules/schedule",
              "schedules/problem"}},
            {"schedules/conversion",
             {"models/topology", "models/routing", "schedules/collective", "schedules/problem",
              "schedules/schedule"}},
            // Judges bounds and proofs: nothing of what finds them, encoders included.
            {"schedules/certificate",
             {"models/topology", "models/routing", "schedules/collective", "schedules/problem"}},
            {"schedules/satisfiability",
             {"models/topology", "models/routing", "schedules/collective", "schedules/problem",
              "schedules/certificate"}},
            {"schedules/flows", {"models/topology", "models/routing", "schedules/problem"}},
            {"schedules/bounds",
             {"models/topology", "models/routing", "schedules/collective", "schedules/problem",
              "schedules/certificate", "schedules/satisfiability", "schedules/flows"}},
            {"schedules/constructions",
             {"models/topology", "models/routing", "schedules/collective", "schedules/schedule",
              "schedules/problem", "schedules/flows"}},
            {"schedules/symmetry",
             {"models/topology", "models/routing", "schedules/collective", "schedules/problem"}},
            {"schedules/workers", {}},
            {"schedules/chunk_search",
             {"models/topology", "models/routing", "schedules/collective", "schedules/problem",
              "schedules/schedule", "schedules/certificate", "schedules/satisfiability", "schedules/symmetry",
              "schedules/workers"}},
            {"schedules/chunk_flows",
             {"models/topology", "schedules/collective", "schedules/problem", "schedules/schedule",
              "schedules/flows"}},
            {"schedules/chunk_bounds",
             {"models/topology", "schedules/collective", "schedules/problem", "schedules/schedule",
              "schedules/flows", "schedules/certificate", "schedules/chunk_search", "schedules/chunk_flows"}},
            {"schedules/chunk_trees",
             {"models/topology", "models/routing", "schedules/collective", "schedules/problem",
              "schedules/schedule", "schedules/flows", "schedules/chunk_search", "schedules/certificate",
              "schedules/chunk_bounds"}},
            {"schedules/formats",
             {"models/topology", "schedules/collective", "schedules/problem", "schedules/schedule"}},
            {"schedules/ranks", {"schedules/workers"}},
            {"schedules/search",
             {"models/topology", "models/routing", "schedules/collective", "schedules/schedule",
              "schedules/problem"}},
            {"schedules/evolution",
             {"models/topology", "models/routing", "schedules/collective", "schedules/schedule",
              "schedules/problem", "schedules/workers", "schedules/search"}},
            {"schedules/scatter",
             {"models/topology", "models/routing", "schedules/collective", "schedules/schedule",
              "schedules/problem", "schedules/certificate", "schedules/flows", "schedules/bounds",
              "schedules/symmetry", "schedules/search"}},
            {"schedules/slots",
             {"models/topology", "models/routing", "schedules/collective", "schedules/schedule",
              "schedules/problem", "schedules/certificate", "schedules/satisfiability", "schedules/flows",
              "schedules/bounds", "schedules/symmetry", "schedules/search", "schedules/scatter"}},
            {"schedules/broadcast",
             {"models/topology", "models/routing", "schedules/collective", "schedules/schedule",
              "schedules/problem", "schedules/search"}},
            {"schedules/portfolio",
             {"models/topology",          "models/routing",         "schedules/collective",
              "schedules/schedule",       "schedules/problem",      "schedules/certificate",
              "schedules/satisfiability", "schedules/bounds",       "schedules/constructions",
              "schedules/conversion",     "schedules/chunk_bounds", "schedules/chunk_trees",
              "schedules/chunk_flows",    "schedules/chunk_search", "schedules/workers",
              "schedules/search",         "schedules/evolution",    "schedules/scatter",
              "schedules/broadcast",      "schedules/sums"}},
            {"schedules/concurrent",
             {"models/topology", "schedules/collective", "schedules/schedule", "schedules/problem",
              "schedules/certificate", "schedules/search", "schedules/workers", "schedules/chunk_search",
              "schedules/chunk_flows", "schedules/chunk_bounds", "schedules/portfolio"}},
            {"schedules/reschedule",
             {"models/topology", "models/routing", "schedules/collective", "schedules/schedule",
              "schedules/problem", "schedules/certificate", "schedules/bounds", "schedules/workers",
              "schedules/search", "schedules/portfolio", "schedules/sums", "schedules/chunk_search"}},
            {"schedules/design",
             {"models/topology", "models/routing", "models/measures", "schedules/collective",
              "schedules/schedule", "schedules/problem", "schedules/certificate", "schedules/bounds",
              "schedules/symmetry", "schedules/workers"}},
            // What the levels of the simulation share.
            {"models/network", {"models/topology", "models/routing"}},
            // Sources and what else stands behind the interfaces, at any level.
            {"models/endpoints", {"models/topology", "models/routing", "models/traffic", "models/network"}},
            {"models/hardware", {"models/topology", "models/routing", "models/network"}, true},
            {"models/worm", {"models/topology", "models/routing", "models/network"}},
            {"models/fabric",
             {"models/topology", "models/routing", "models/energy", "models/network", "models/hardware",
              "models/worm"},
             true},
            {"sim/report", {}},
            {"sim/result_files",
             {"models/topology", "models/routing", "schedules/collective", "schedules/schedule",
              "schedules/problem", "schedules/certificate"}},
            {"sim/evolution",
             {"schedules/collective", "schedules/schedule", "schedules/problem", "schedules/workers",
              "schedules/evolution", "sim/report"}},
            // One runner; what asks it something does not know the others.
            {"sim/simulation",
             {"models/topology", "models/routing", "models/traffic", "models/network", "models/endpoints",
              "models/hardware", "models/worm", "schedules/workers", "sim/report"},
             true},
            {"sim/execution",
             {"models/topology", "models/routing", "models/network", "models/hardware",
              "schedules/collective", "schedules/schedule", "sim/report", "sim/simulation"},
             true},
            {"sim/replay",
             {"models/topology", "models/routing", "models/network", "models/hardware",
              "schedules/collective", "schedules/problem", "schedules/schedule", "schedules/workers",
              "sim/report", "sim/simulation", "sim/execution"},
             true},
            {"sim/traffic",
             {"models/topology", "models/routing", "models/traffic", "models/network", "models/endpoints",
              "models/hardware", "models/worm", "schedules/problem", "schedules/workers", "sim/report",
              "sim/simulation"},
             true},
            {"sim/recovery",
             {"models/topology", "models/routing", "models/network", "models/hardware",
              "schedules/collective", "schedules/schedule", "schedules/problem", "schedules/bounds",
              "schedules/reschedule", "sim/report", "sim/simulation", "sim/execution"},
             true},
            {"sim/benes",
             {"models/topology", "models/routing", "models/traffic", "models/benes", "models/network",
              "models/hardware", "schedules/workers", "sim/report", "sim/simulation"},
             true},
            {"sim/contracts",
             {"models/topology", "models/routing", "models/traffic", "models/network", "models/endpoints",
              "models/hardware", "schedules/problem", "schedules/slots", "sim/report", "sim/simulation"},
             true},
            {"sim/design",
             {"models/topology", "models/routing", "models/traffic", "models/network", "models/hardware",
              "models/measures", "schedules/collective", "schedules/schedule", "schedules/problem",
              "schedules/certificate", "schedules/workers", "schedules/portfolio", "sim/report",
              "sim/simulation", "sim/execution", "sim/replay", "sim/traffic"},
             true},
            {"sim/rtl",
             {"models/topology", "models/routing", "models/traffic", "models/network", "models/endpoints",
              "models/hardware", "schedules/collective", "schedules/schedule", "sim/report", "sim/simulation",
              "sim/execution"},
             true},
            // Runs commands as functions that it is given.
            {"sim/sweep", {"models/topology", "schedules/workers", "sim/report"}},
            // Reads configurations of other simulators: a command is all that they become.
            {"sim/imports", {"models/topology", "sim/report"}},
            {"sim/audit",
             {"models/topology", "schedules/collective", "schedules/problem", "schedules/schedule",
              "schedules/certificate", "schedules/search", "schedules/workers", "schedules/chunk_search",
              "schedules/chunk_bounds", "schedules/portfolio", "sim/report", "sim/imports"}},
            // Pages are of files and values: nothing that searches or simulates.
            {"sim/page",
             {"models/topology", "models/routing", "models/network", "schedules/collective",
              "schedules/problem", "schedules/schedule", "schedules/certificate", "sim/report",
              "sim/result_files"}},
        };
        for (Room& room : upstream) // what is said of a name that does not exist is the same everywhere
            if (room.name != "models/text")
                room.may_include.emplace_back("models/text");
        // From here on each may use everything before it.
        for (const std::string_view name : {"sim/cli", "testbenches"}) {
            Room room{name, {}, true};
            for (const Room& before : upstream)
                room.may_include.push_back(before.name);
            upstream.push_back(std::move(room));
        }
        // Values only: what searches and simulates is the command's.
        upstream.push_back(
            {"python",
             {"models/text", "models/topology", "models/routing", "schedules/collective", "schedules/problem",
              "schedules/schedule", "schedules/conversion", "schedules/certificate", "sim/result_files"}});
        return upstream;
    }();
    return all;
}

namespace {

const Room* find_room(std::string_view path)
{
    const auto contains = [&](const Room& room) {
        return path.starts_with(room.name) && path.substr(room.name.size()).starts_with('/');
    };
    const auto room = std::find_if(rooms().begin(), rooms().end(), contains);
    return room == rooms().end() ? nullptr : &*room;
}

bool is_systemc(std::string_view header)
{
    const auto starts = [&](std::string_view prefix) { return header.starts_with(prefix); };
    return starts("systemc") || starts("sysc/") || starts("tlm");
}

/// What an include directive names, behind its opening delimiter (`<vector`, `"models/a.hpp`); empty for
/// another line.
std::string included_header(std::string line)
{
    const auto skip = [&](std::string_view what) {
        line.erase(0, line.find_first_not_of(" \t"));
        const bool found = line.starts_with(what);
        line.erase(0, found ? what.size() : 0);
        return found;
    };
    if (!skip("#") || !skip("include") || !skip(""))
        return {};
    const char end = line.starts_with('<') ? '>' : '"';
    return line.starts_with('<') || line.starts_with('"') ? line.substr(0, line.find(end, 1)) : std::string();
}

/// Why `room` must not include the header, or nothing.
std::string objection(const Room& room, char delimiter, std::string_view header)
{
    if (is_systemc(header))
        return room.may_use_systemc ? "" : "SystemC does not belong into " + std::string(room.name);
    const Room* const other = find_room(header);
    if (other == nullptr)
        return delimiter == '<' ? "" : "our headers are included from the project root, from a room";
    if (delimiter == '<')
        return "our headers are included with quotes";
    if (other->name == room.name ||
        std::find(room.may_include.begin(), room.may_include.end(), other->name) != room.may_include.end())
        return "";
    return fmt::format("{} must not include {}", room.name, other->name);
}

} // namespace

std::string_view room_of(std::string_view path)
{
    const Room* const room = find_room(path);
    return room == nullptr ? std::string_view() : room->name;
}

std::vector<std::string> check_includes(std::string_view path, std::string_view text)
{
    const Room* const room = find_room(path);
    std::vector<std::string> complaints;
    if (room == nullptr)
        return complaints;
    std::istringstream lines{std::string(text)};
    std::string line;
    for (unsigned number = 1; std::getline(lines, line); ++number) {
        const std::string header = included_header(line);
        if (header.empty())
            continue;
        const std::string_view name = std::string_view(header).substr(1);
        if (const std::string reason = objection(*room, header.front(), name); !reason.empty())
            complaints.push_back(fmt::format("{}:{}: {}: {}", path, number, name, reason));
    }
    return complaints;
}

} // namespace nocturne::structure
