// The table of engines: what `--engine` can name.
#pragma once

#include "schedules/portfolio/chunk_engines.hpp"
#include "schedules/search/engine.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace nocturne {

/// All of them: those for messages in few steps, cheapest first, then those by an objective, in the order in
/// which they are asked.
std::span<const Engine> engines();

/// The engine for messages called `name`. Throws std::invalid_argument with the list of these.
const Engine& find_engine(std::string_view name);

/// Those for messages that are asked for by `name`, or for `auto` all that suit the problem, but for those
/// that must be asked for by name. Throws std::invalid_argument, one line, if there are none.
std::vector<const Engine*> engines_for(const Problem& problem, std::string_view name);

/// The same by the objective of a problem.
std::vector<const Engine*> engines_for(const ChunkProblem& problem, std::string_view name);

} // namespace nocturne
