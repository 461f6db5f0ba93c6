// Scatters of all on balanced dragonflies: every step is a permutation of the processors.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <optional>

namespace nocturne {

/// AAS on a balanced dragonfly, through one port, in N-1 steps, which is optimal with one port: 72 processors
/// in 71, 342 in 341, 1056 in 1055. Its groups are 2h routers, each with h processors, a channel to every
/// other one of the group, and channels to h other groups; of 2h^2+1 groups any two are joined by one channel
/// each way. Which routers have these channels does not matter.
///
/// 4h^4 steps hold what goes to other groups, over one global channel and at most one channel of the group
/// before and after it. In every step each group has a bit. The channel from router number r of a group to r'
/// carries messages that leave the group if r + r' + bit is even, otherwise those that arrive. So every
/// global channel carries a message in every step, and what is left is to find the processors:
/// - The bits are columns of a Hadamard matrix: of two groups each pair of bits is there in h^4 steps.
/// - For each group and bit, the processors that messages leave are an edge colouring of steps and (group to
///   which, bit of that group): each processor comes h^2 times for each of these pairs.
/// - For each group and bit, the processors at which messages arrive are an edge colouring of steps and
///   (processor from which): of the h^2 processors that a bit leads to each comes once for every other one.
/// Both are coloured by routers first, and then by processors of a router. As a vertex may be split into ones
/// with h edges, h colours always suffice.
///
/// 2h^2-1 steps hold what stays in its group. The h(h-1) pairs (m, n) with m+n != 0 modulo h give two steps
/// each: processor k-m of router r sends to processor k+n of router r + d, d = 1 + k in one step and h+1 + k
/// in the other. In 2h-1 more steps processor i of r sends to processor i of r + 1 + (i + t) modulo (2h-1).
///
/// Nothing for other collectives and store-and-forward switching, where the slack forbids such paths, for
/// other networks, those with routers that are not numbered group by group included, and if
/// hadamard_matrix() knows no order above the number of groups that divides 4h^4.
std::optional<Schedule> dragonfly_rounds(const Problem& problem);

} // namespace nocturne
