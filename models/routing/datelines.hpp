// Virtual-channel classes that break the cycles of rings and tori.
#pragma once

#include "models/routing/routing.hpp"

#include <cstdint>

namespace nocturne {

/// Gives each hop a class: how many datelines the route has crossed before in the dimension that the hop
/// travels. The dateline of a ring lies between its last and its first router; a route that starts in a new
/// dimension starts in class 0 again. Two classes on minimal routes, one if none crosses and goes on. (Dally
/// and Seitz, Deadlock-free message routing in multiprocessor interconnection networks, IEEE Trans. Computers
/// C-36(5), 1987.)
///
/// Works on tori (grid() that wraps) and on rings, whatever made them: connected networks in which each
/// router has two neighbours. Makes deadlock-free any routing that travels one dimension after the other in a
/// fixed order, as dimension_order() and every minimal routing on a ring do.
///
/// `routing` must give a pair the same route each time, or be minimal dimension order. In the first case
/// `vc_classes` is exact because all pairs are asked for their routes once. The topology must outlive the
/// routing. Throws std::invalid_argument if the topology is neither ring nor torus, a route leaves the grid,
/// `routing` has classes already, it draws other routes than those of dimension order, or it throws for a
/// pair of processors.
Routing with_datelines(const Topology& topology, Routing routing);

/// The same with the classes used evenly, on every minimal routing. A hop's class belongs to all of the
/// route's way along one dimension: class 1 if it crosses the dateline, class 0 if it crosses the middle of
/// the ring (between routers (k-1)/2 and (k-1)/2 + 1 of k), and by a hash of source and destination one of
/// the two if it crosses neither. So class 0 is cut at the dateline and class 1 in the middle: no cycle. What
/// crosses no dateline no longer waits in class 0 for all that does, so that a network beyond saturation goes
/// on carrying what it can. (The "partition" allocation of Scott and Thorson, Optimized routing in the Cray
/// T3D, PCRCW 1994; as in BookSim2.) Throws as with_datelines(), and if a route crosses both, which no
/// minimal one does.
Routing with_balanced_datelines(const Topology& topology, Routing routing);

/// The same, but the class of what crosses neither is drawn for each message and ring, from a generator of
/// its own that begins at `seed`.
Routing with_balanced_datelines(const Topology& topology, Routing routing, std::uint64_t seed);

/// One class again for all of a route's way along a ring, with what crosses the dateline set apart from the
/// ring's first channel on: class 1 if the route leaves the ring at a lower coordinate than it enters it,
/// otherwise class 0. Upwards class 1 has the routes across the dateline, downwards those that do not cross
/// it. So in each direction one class is cut at the dateline and the other one in the middle, which no
/// minimal route crosses as well. Most routes cross no dateline, so that the classes are used unevenly: a
/// torus accepts more than with_datelines() and less than with_balanced_datelines(). With dimension order
/// that draws directions it is BookSim2's dim_order of tori (its dim_order_bal is with_balanced_datelines(),
/// drawn), for comparison with results of that.
///
/// There are two classes wherever a ring has two routers or more, as in BookSim2. Throws as
/// with_balanced_datelines().
Routing with_crossing_classes(const Topology& topology, Routing routing);

/// Is the topology a torus or a ring that with_datelines() can handle?
bool has_datelines(const Topology& topology);

} // namespace nocturne
