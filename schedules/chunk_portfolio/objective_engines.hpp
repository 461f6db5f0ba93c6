// The table of engines that search by an objective: what `--engine` can name beside `--objective`.
#pragma once

#include "schedules/chunk_portfolio/chunk_engines.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace nocturne {

/// When a search asks an engine.
enum class EngineTurn {
    first, ///< before all others, once
    front, ///< all of these at once: they share the questions of find_front()
    parts, ///< for one number of parts after the other
};

/// A way to search by an objective: one row of the table.
struct ObjectiveEngine {
    std::string_view name;
    std::string_view summary; ///< one line
    EngineTurn turn;
    /// Can it be tried at all, on the collective in one part? Cheap.
    bool (*suits)(const LinkNetwork& network, const ChunkRequest& request, const Collective& one);
    /// Offers what it finds. Null for EngineTurn::front.
    void (ChunkEngines::*search)(const PartsTask& task) = nullptr;
};

/// All of them, in the order in which they are asked.
std::span<const ObjectiveEngine> objective_engines();

/// Those that the request, for what is `one` in one part, asks for by name, or for `auto` all that suit.
/// Throws std::invalid_argument, one line, for an engine that does not exist, or does not suit.
std::vector<const ObjectiveEngine*> engines_for(const LinkNetwork& network, const ChunkRequest& request,
                                                const Collective& one);

} // namespace nocturne
