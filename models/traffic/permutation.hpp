// Permutations: patterns in which each processor sends to one and receives from one.
#pragma once

#include "models/topology/topology.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// destination[source] for each processor.
using Permutation = std::vector<ProcessorId>;

/// Throws std::invalid_argument, naming the first thing wrong, unless `destination` is a permutation of 0 to
/// size - 1.
void check_permutation(std::span<const ProcessorId> destination, std::size_t size);

/// Throws std::invalid_argument if the network has lost processors (Topology::lost_processors()): a pattern
/// that goes by the numbers of all would be another one among those that are left.
void require_all_processors(const Topology& topology, std::string_view pattern);

/// All permutations with equal probability (Fisher and Yates).
Permutation random_permutation(std::uint32_t size, std::uint64_t seed);

/// A permutation of the topology's processors by name (Dally and Towles, Principles and Practices of
/// Interconnection Networks, section 3.2), with processors numbered from 0 to N - 1 and, where N = 2^b, of b
/// address bits:
///   random       random_permutation() with `seed`
///   transpose    on a square grid with a processor at each router (row, column) to (column, row), otherwise
///                the upper half of the address bits changes places with the lower; N = 4^k
///   complement   each address bit inverted; N = 2^b
///   reversal     the address bits in reverse; N = 2^b
///   shuffle      the address bits rotated left by one; N = 2^b
///   rotation     the address bits rotated right by one; N = 2^b
///   butterfly    the first address bit changes places with the last; N = 2^b
///   tornado      on a grid ceil(k/2) - 1 on in each dimension of k, otherwise as on a ring of all processors
///   neighbour    (or neighbor) on a grid one on in each dimension, wrapping round, otherwise as on a ring
/// Throws std::invalid_argument for an unknown name, with those that exist, for a number of processors
/// that the permutation is not made for, and for all but `random` as require_all_processors().
Permutation make_permutation(const Topology& topology, std::string_view name, std::uint64_t seed = 1);

/// The name under which a permutation is listed: `neighbour` for `neighbor`, any other text as it is.
std::string_view standard_spelling(std::string_view permutation);

/// The names that make_permutation() knows, each in one spelling.
std::vector<std::string> permutation_names();

/// Reads a permutation of `size` processors: one number for each, separated by white space or commas; what
/// follows a # on a line is a comment. Throws std::runtime_error, one line with the file's name, for a file
/// that cannot be read or is none.
Permutation read_permutation(const std::string& path, std::size_t size);

} // namespace nocturne
