// The formats of programs of ranks.
#pragma once

#include "models/traffic/rank_programs.hpp"

namespace nocturne {

/// Does the file, compressed or not, begin as GOAL does? Throws as ByteSource.
bool is_goal(const std::string& path);

/// Precondition: is_goal(path). Throws as read_programs().
RankPrograms read_goal(const std::string& path);

/// What stands before `.RANK.et` in the set of traces that read_programs() describes; nothing if it is none.
/// Throws std::runtime_error for a folder with several sets.
std::optional<std::string> chakra_stem(const std::string& path);

/// Throws as read_programs().
RankPrograms read_chakra(const std::string& stem);

} // namespace nocturne
