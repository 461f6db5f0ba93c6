// The table of engines: what `--engine` can name.
#pragma once

#include "schedules/search/engine.hpp"

#include <span>
#include <string_view>

namespace nocturne {

/// All of them, cheapest first.
std::span<const Engine> engines();

/// The engine called `name`. Throws std::invalid_argument with the list of engines.
const Engine& find_engine(std::string_view name);

} // namespace nocturne
