// Symmetries of a network and of what is sent in it: who can change places without anything else changing.
#pragma once

#include "models/topology/path.hpp"
#include "models/topology/topology.hpp"
#include "schedules/collective/collective.hpp"

#include <compare>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// A permutation of processors and one of channels under which the network stays what it is: paths become
/// paths, from the image of the source to the image of the destination. One that `reverses` turns every
/// channel round: a path from a to b becomes one from the image of b to the image of a, and what was sent is
/// received. On a network of bidirectional links, turning every path round with all processors in their
/// places is such a symmetry.
struct Symmetry {
    bool reverses = false;
    std::vector<ProcessorId> processors; ///< image of each
    std::vector<ChannelId> channels;     ///< image of each

    friend bool operator==(const Symmetry&, const Symmetry&) = default;
    // NOLINTNEXTLINE(modernize-use-nullptr): takes the 0 in what the compiler makes of this for a pointer
    friend auto operator<=>(const Symmetry&, const Symmetry&) = default;
};

struct SourceAndDestination {
    ProcessorId source;
    ProcessorId destination;

    friend bool operator==(const SourceAndDestination&, const SourceAndDestination&) = default;
};

Symmetry identity(const Topology& topology);
bool is_identity(const Symmetry& symmetry);
/// First `first`, then `second`.
Symmetry compose(const Symmetry& first, const Symmetry& second);
Symmetry inverse(const Symmetry& symmetry);

/// Where a message, a path goes.
SourceAndDestination image(const Symmetry& symmetry, SourceAndDestination message);
Path image(const Symmetry& symmetry, const Path& path);

/// A message of a scatter or permutation that the symmetry takes to itself; nothing if it moves all.
std::optional<SourceAndDestination> kept_message(const Collective& collective, const Symmetry& symmetry);

/// All symmetries, by generators of their group.
struct SymmetryGroup {
    std::vector<Symmetry> generators; ///< without the identity: none if there is no other
    double order = 1;                 ///< how many symmetries there are; exact up to 2^53
};

/// Do symmetries that reverse count?
enum class Reversal { excluded, included };

/// The symmetries of the network alone; the same network gives the same generators. Takes milliseconds for a
/// few hundred routers (see automorphisms.hpp).
SymmetryGroup find_symmetries(const Topology& topology, Reversal reversal);
/// Those that also keep the messages of the collective. Broadcasts cannot be reversed: only the others are
/// found for them. Throws std::invalid_argument if the collective is for another number of processors.
SymmetryGroup find_symmetries(const Topology& topology, const Collective& collective, Reversal reversal);

/// The identity first, then every other product of the generators; nothing if there are more than `most` (1
/// or more) in all, or one that is not `acceptable`.
std::optional<std::vector<Symmetry>> elements(
    const Topology& topology, std::span<const Symmetry> generators, std::size_t most,
    const std::function<bool(const Symmetry&)>& acceptable = [](const Symmetry&) { return true; });

} // namespace nocturne
