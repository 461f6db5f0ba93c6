// Networks by name: what the command line and configurations say, `mesh:4x4`.
#pragma once

#include "models/topology/topology.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// A kind of network that a specification can name.
struct TopologyKind {
    std::string_view name;
    std::string_view parameters; ///< what follows the name, `:n,m,r`; empty if nothing does
    std::string_view help;       ///< one line
    std::string_view example;
    char separator; ///< between the sizes
    unsigned fewest_sizes;
    unsigned most_sizes;
    Topology (*make)(std::span<const unsigned> sizes);
    std::uint64_t (*processors)(std::span<const unsigned> sizes); ///< of such a network, if it can be made
};

/// All of them, in the order in which they are listed to people.
std::span<const TopologyKind> topology_kinds();

/// Is it a specification, of sizes that its kind may have?
bool is_specification(std::string_view text);

/// What `Mesh4x4`, `mesh-4x4`, `mesh(4,4)`, `4x4`, `dgx-h100` and `h100` mean: specifications. Empty if
/// nothing is known.
std::vector<std::string> meant_specifications(std::string_view text);

/// Does it name a kind of network, with sizes or without? A file of such a name needs a folder before it.
bool names_topology_kind(std::string_view text);

/// The network of a specification, its name() in a normal form: `fattree:2,3` is called `fattree:8`.
/// Throws std::invalid_argument with one line that names the specification: unknown names list the known
/// ones, sizes that are no whole numbers, out of range or together beyond largest_network are refused before
/// anything is built.
Topology make_topology(std::string_view spec);

/// How many processors it has, without building it; stops at 2^60. Throws std::invalid_argument for what is
/// no specification; sizes that make_topology() refuses may pass.
std::uint64_t processors_of(std::string_view spec);

} // namespace nocturne
