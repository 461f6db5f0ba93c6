// What table-driven routings share: one table a destination, made when it is first needed, and the spreading
// of routes.
#pragma once

#include "models/topology/topology.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <string_view>
#include <vector>

namespace nocturne {

/// A cache of tables of hop distances, one per destination router. Holds at most `budget_bytes` of them (at
/// least one): the one that was made first goes first. 1024 routers fit several times over. Not for use by
/// several threads at once.
class DestinationTables {
public:
    using Table = std::vector<std::uint32_t>;
    static constexpr std::size_t default_budget_bytes = std::size_t{256} << 20;

    /// `make` computes the table of a destination.
    DestinationTables(std::size_t routers, std::function<Table(RouterId)> make,
                      std::size_t budget_bytes = default_budget_bytes);

    /// Valid until the next call.
    const Table& of(RouterId destination);

private:
    std::function<Table(RouterId)> make_;
    std::size_t budget_bytes_;
    std::vector<Table> tables_; ///< by router; empty where there is none
    std::deque<RouterId> held_; ///< oldest first
    std::size_t held_bytes_ = 0;
};

/// Throws std::invalid_argument, with the size that the tables of all destinations would take, if the network
/// exceeds largest_pairwise_network.
void require_room_for_tables(const Topology& topology, std::string_view routing);

/// Takes one of several equally good ways, hop after hop, by a hash of source and destination (the finalizer
/// of SplitMix64: Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014): the
/// same for the same pair on every machine, and even over the pairs.
class Spread {
public:
    Spread(ProcessorId source, ProcessorId destination);

    /// A number below `choices`, which is 1 or more.
    std::size_t pick(std::size_t choices);

private:
    std::uint64_t state_;
};

} // namespace nocturne
