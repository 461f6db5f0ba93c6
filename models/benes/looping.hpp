// Settings of a Benes network that bring any permutation through without a conflict.
#pragma once

#include "models/benes/benes_wiring.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// Control tags, columns() digits for each source one source after the other, with which all messages of a
/// permutation get through in one network cycle. For q = 2 the looping algorithm (Opferman and Tsao-Wu, On a
/// class of rearrangeable switching networks, part I, Bell Syst. Tech. J. 50, 1971), which follows the loops
/// of an outer pair of columns, and recursion into the copies between; for larger switches its loops are the
/// alternating paths of an edge colouring with q colours (the input and output switches are the vertices, the
/// messages the edges, the copies the colours). Time O(N log N) for q = 2; N^2 / q at worst otherwise, in
/// practice little more than N log N.
///
/// destination[source] for each line. Throws std::invalid_argument unless that is a permutation of all lines
/// and the network has all its columns (r = 0): a truncated one cannot do every permutation.
std::vector<std::uint16_t> looping(const BenesWiring& wiring, std::span<const std::uint32_t> destination);

} // namespace nocturne
