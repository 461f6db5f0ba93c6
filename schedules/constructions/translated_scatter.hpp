// Scatters of all on Cayley graphs, hop by hop: the paths of one source, translated to all of them.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <optional>

namespace nocturne {

/// AAS under store-and-forward switching on a network that looks the same from every router (ring, torus,
/// hypercube, octagon, circulant), through as many ports as a router has channels. What all sources send to
/// the receiver that lies d behind them takes the same hops in the same steps: if that is one hop over each
/// generator in each step, every channel carries one message. As the group is Abelian, the hops of a path may
/// come in any order, and only how often each generator is in it counts. Paths are shortest ones, chosen such
/// that the fullest generator is as empty as it can be; then each step has, for each generator, the fullest
/// first, one hop of the message with the longest way to go that still needs it.
///
/// Where d is its own inverse (the far side of a ring) half of the sources go the one way round, and half,
/// by the parity of a coordinate, the other way, if that takes fewer steps.
///
/// The steps are those that the channels need, N^2/8 on a ring, N n/8 on a torus of sides n, N/2 on a
/// hypercube, on all of these that were tried, up to 512 processors. Nothing for other collectives, other
/// switching, fewer ports, more than 2^22 transfers, or if find_cayley_graph() finds none.
std::optional<Schedule> translated_scatter(const Problem& problem);

} // namespace nocturne
