// The messages of a collective with no schedule: what the same hardware does with them.
#pragma once

#include "sim/execution/workload.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// In which order a processor sends what it has to send.
///   in_order  by destination, 0 first
///   shifted   to i + 1, i + 2, … modulo the number of processors
///   random    a permutation of its own, from a seed
///   binomial  broadcasts only: each message along a binomial tree over its receivers, in rounds; the
///             receivers of a round send in the next
enum class SendOrder { in_order, shifted, random, binomial };

struct UnscheduledTraffic {
    SendOrder order = SendOrder::shifted;
    StartUp start_up = StartUp::every_step;
    std::uint64_t seed = 1; ///< of the random order
};

/// Each processor sends as many messages at once as it has ports, the next ones when these have left, and
/// does not wait for others (except in binomial trees, where it must hold what it sends). Broadcasts are
/// direct sends from the origin unless the order is binomial. Where sums are owed, each receiver gets every
/// contribution as a message of its own, and adds them when all have come. Throws std::invalid_argument for
/// binomial trees of a collective that is no broadcast.
Workload unscheduled(const Topology& topology, const Collective& collective, PortModel ports,
                     const Routing& routing, const UnscheduledTraffic& traffic);

/// `in-order`, `shifted`, `random`, `binomial`, and with `+chained` behind it when the start-up is paid once.
/// Parsing throws std::invalid_argument with the list.
std::string to_string(const UnscheduledTraffic& traffic);
UnscheduledTraffic parse_unscheduled(std::string_view text, std::uint64_t seed);

/// What compare() runs unless told otherwise: every order that the collective allows, and the chained forms
/// of `shifted` and `random`.
std::vector<UnscheduledTraffic> usual_baselines(const Collective& collective, std::uint64_t seed);

} // namespace nocturne
