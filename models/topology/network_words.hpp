// What people and other tools call networks that have another name here, or none.
#pragma once

#include <string>
#include <string_view>

namespace nocturne {

/// `complete` of `fully_connected`, `mesh` of networkx's `grid_2d_graph`, `dgx_h100` of `h100x8`: the kind of
/// network that a word (of small letters, `_` for `-`) stands for. Empty if it stands for none.
std::string_view kind_of_word(std::string_view word);

/// How to come to a network that no specification makes: `'nocturne import topo.txt --gpu GB200 …' makes it
/// of …` for `gb200`. Empty for other words.
std::string advice_on_network(std::string_view word);

} // namespace nocturne
