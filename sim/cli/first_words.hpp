// What to type instead of a first word that is no command: `simulate`, `allreduce`, `mesh:4x4`, `net.json`.
#pragma once

#include <string>
#include <vector>

namespace nocturne::cli {

/// `'nocturne traffic mesh:4x4' sends synthetic traffic`: lines that work, in quotes, with what the arguments
/// mean (Meaning) in its place, or examples where they mean nothing, and what of them is left out. Empty for
/// arguments that lead nowhere.
std::string advice_on(const std::vector<std::string>& arguments);

/// The network in words that are almost one (`mesh8x8`, `mesh 8x8`, `16 node ring`), as a specification;
/// empty if there is none among them.
std::string near_network(const std::vector<std::string>& arguments);

} // namespace nocturne::cli
