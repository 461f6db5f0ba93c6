// The include rules of the house: which room may use which, and where SystemC may appear.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nocturne::structure {

/// A room, and the rooms that it may include besides itself.
struct Room {
    std::string_view name; ///< its folder from the project root
    std::vector<std::string_view> may_include;
    bool may_use_systemc = false;
};

/// The table of the rules: every room, after all rooms that it may include.
const std::vector<Room>& rooms();

/// Every line of `text` that breaks a rule for the file at `path` (from the project root), as `path:line:
/// reason`; empty if there is none. Files outside the rooms (tests, benchmarks) may include anything.
std::vector<std::string> check_includes(std::string_view path, std::string_view text);

/// The room that a path from the project root lies in (`models/topology`), or nothing.
std::string_view room_of(std::string_view path);

} // namespace nocturne::structure
