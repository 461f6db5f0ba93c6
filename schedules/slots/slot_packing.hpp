// Jobs that want cells of a table that comes round: each takes one of its options, from one of all starts on.
#pragma once

#include "schedules/problem/search_end.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace nocturne {

/// One unit of a resource, so many units after the start.
struct PackingCell {
    std::uint32_t resource;
    std::uint32_t after_units;
};

using PackingOption = std::vector<PackingCell>;

/// Wants `count` starts of one of the options.
struct PackingJob {
    std::uint32_t count = 1;
    std::vector<PackingOption> options; ///< no cell of one is there twice, modulo the units of the table
};

/// What a job gets.
struct PackingPlace {
    std::uint32_t option = 0;
    std::vector<std::uint32_t> starts; ///< units, ascending
};

struct PackingTable {
    std::uint32_t resources = 0;
    std::uint32_t units = 1; ///< after which everything begins anew
};

/// How much is tried; what is counted decides, so that the same arguments give the same places.
struct PackingEffort {
    std::uint64_t placings = 0; ///< of a job
    std::uint64_t cells = 0;    ///< looked at in all placings together
    SearchEnd end = {};
};

/// Places for all jobs such that no cell of the table is taken twice; nothing if the effort did not suffice.
///
/// A job goes where it meets the least weight of others, which lose their places and are placed again. Each
/// time a job loses its place it becomes heavier, so that what is hard to place stays (as in breakout local
/// search: Morris, The breakout method for escaping from local minima, AAAI 1993). The longest jobs come
/// first. Time of a placing: options times cells times units.
std::optional<std::vector<PackingPlace>> pack(const PackingTable& table, const std::vector<PackingJob>& jobs,
                                              const PackingEffort& effort);

} // namespace nocturne
