// The order in which transfers get the links that they wait for.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/collective/alpha_beta.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace nocturne {

/// The same transfers under dependencies, listed in this order of their indices.
Schedule in_order(const Schedule& schedule, const std::vector<std::uint32_t>& order);

/// The same transfers under dependencies, listed as they start if a link that falls free goes to the first of
/// the present list that has all that it waits for: none stands idle for a transfer that cannot use it yet.
/// That takes less time as a rule, not always. Precondition: valid.
Schedule in_order_of_starts(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost);

/// The same, but listed as they give back their links: what turned_in_time() takes.
Schedule in_order_of_releases(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost);

/// The same of millions of transfers, which can take half a minute: nothing as soon as `is_over`.
std::optional<Schedule> in_order_of_starts(const Schedule& schedule, const LinkNetwork& network,
                                           const AlphaBeta& cost, const std::function<bool()>& is_over);
std::optional<Schedule> in_order_of_releases(const Schedule& schedule, const LinkNetwork& network,
                                             const AlphaBeta& cost, const std::function<bool()>& is_over);

} // namespace nocturne
