// What to type instead of a first word that is no command: `simulate`, `allreduce`, `mesh:4x4`, `net.json`.
#pragma once

#include <string>
#include <vector>

namespace nocturne::cli {

/// `'nocturne traffic mesh:4x4' sends synthetic traffic`: lines that work, in quotes, with the network, the
/// collective or the file among the arguments in their places, or examples where there is none. Empty for
/// arguments that lead nowhere.
std::string advice_on(const std::vector<std::string>& arguments);

} // namespace nocturne::cli
