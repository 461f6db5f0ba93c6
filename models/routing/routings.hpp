// The routings that make_routing() makes by name, and what makes them deadlock-free.
#pragma once

#include "models/routing/grid_steps.hpp"
#include "models/routing/path_cost.hpp"
#include "models/routing/routing.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne {

// Dimension-order routing on meshes, tori and hypercubes.

/// Travels one dimension after the other, the last one first: with coordinates written row, column this is XY
/// routing, along the row to the right column and then along the column; on a hypercube it is e-cube routing,
/// lowest bit first. In a torus the shorter way round is taken, the positive direction when both are equally
/// short; in a dimension whose channels all lead one way, that way. Of parallel channels the first is used,
/// and channels that do not join neighbours of the grid are ignored; but where all routers of a line are
/// joined (is_hamming_graph(): HyperX, flattened butterflies) a message takes one hop in each dimension, and
/// the pairs spread over parallel channels.
///
/// Deadlock-free with its one class of virtual channels on meshes and hypercubes; on tori with
/// with_datelines(). The topology must outlive the routing. Throws std::invalid_argument if the topology has
/// no grid() or misses a channel between two neighbours of the grid; the routing throws for a processor that
/// does not exist.
Routing dimension_order(const Topology& topology);

/// dimension_order(), and if `half_way` is alternating named `dor_even`. Throws the same.
Routing dimension_order(const Topology& topology, HalfWay half_way);

/// dimension_order(), named `dor_random`: each message draws which way round it goes in each dimension in
/// which its destination is half a ring away, from a generator of its own that begins at `seed`. So a pair's
/// messages share several routes, and a permutation does not depend on which one a rule gives it; under
/// uniform traffic the channels carry the same on average, but not at each moment, as when alternating. (The
/// torus routing of BookSim2.) Throws the same.
Routing dimension_order(const Topology& topology, std::uint64_t seed);

/// The same with the dimensions in the order given, the one that is travelled first in front. Throws
/// std::invalid_argument unless each dimension of the grid is there once.
Routing dimension_order(const Topology& topology, std::vector<std::size_t> order);

/// Dimension order on grids of two dimensions, rows and columns: `xy` goes along the row first, as
/// dimension_order() does, `yx` along the column. Throws std::invalid_argument for another grid.
enum class PlaneOrder { xy, yx };
Routing plane_order(const Topology& topology, PlaneOrder order);

/// From a router that is not the destination (the second argument) to the next one. A message may begin to
/// follow it at any router: where it goes depends on nothing that was before.
using NextHop = std::function<Hop(RouterId at, RouterId destination)>;

/// The hops of dimension_order() with datelines that need no memory: a hop is in class 1 if the route crosses
/// the dateline of its ring, between the last router and the first, in a later hop, otherwise in class 0. So
/// class 1 ends before the dateline, and class 0 begins with it or does not meet it: deadlock-free on tori
/// too. Class 0 only on meshes and hypercubes. Throws as dimension_order() does.
NextHop dimension_order_hops(const Topology& topology);

// Virtual-channel classes that break the cycles of rings and tori.

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

// Virtual-channel classes that make any oblivious routing deadlock-free.

/// Deadlock freedom on any topology by layers of virtual channels. Each class has a set of turns (channel to
/// channel) without a cycle. A route begins in class 0 and moves up to the next class wherever its own
/// refuses the turn ahead. So classes only grow along a route, and within a class dependencies follow an
/// order of the channels: there is no cycle. (Koibuchi, Jouraku, Watanabe and Amano, Descending layers
/// routing, ICPP 2003, with sets that fit the routes in the place of up*/down*.)
///
/// The sets grow greedily: the routes of all pairs of processors, destination by destination, ask for their
/// turns, and a class takes a turn that closes no cycle with those it has. Where that takes several classes
/// it is tried once more with the turns into the busiest channels first, and the better of the two is taken:
/// fewer classes, then a lower load of the busiest virtual channel. `vc_classes` is exact: the most that a
/// route uses, 1 if the routing needs no help; 2 to 4 are usual for minimal routing. The loads of classes
/// are, by channel, the routes of all pairs that use them.
///
/// Asks for the route of each pair up to three times: on one core 0.1 to 3 s for 1000 processors, 5 s on
/// hypercube:10. Above a million turns it does so once, and a class refuses a turn, too, of which a short
/// search does not show that it closes no cycle: 2 s for 1000 routers with 43 neighbours each, 4 s for 1700.
/// That takes as many classes, and loads no virtual channel more, on the networks where it was compared
/// (random ones, slimfly:23, polarfly:31). Keeps one bit a turn and class. `routing` must give a pair the
/// same route each time: a route that was not foreseen and uses a class where no other does throws
/// std::runtime_error. The topology must outlive the routing. Throws std::invalid_argument if `routing` has
/// classes already or draws routes that need more than one, and what it throws for a pair.
Routing with_layers(const Topology& topology, Routing routing);

// Turn models for meshes: adaptive routing without virtual channels, made deadlock-free by forbidden turns.

/// Minimal adaptive routings on meshes that are deadlock-free with one virtual channel: of the turns that
/// messages could take so many are forbidden that the others close no cycle. Routers choose among the outputs
/// that are left, as for AdaptiveRouting; there are no escape channels, as none are needed.
///
/// Directions are those of a drawing: of two dimensions the last is the column, the other one the row; west
/// and north lead to lower columns and rows, east and south to higher ones. `negative` is towards lower
/// coordinates.
///
/// C. J. Glass and L. M. Ni, The turn model for adaptive routing, J. ACM 41(5), 1994 (first in ISCA 1992),
/// for the first three; G.-M. Chiu, The odd-even turn model for adaptive routing, IEEE Trans. Parallel and
/// Distributed Systems 11(7), 2000, for the last.
enum class TurnModel : std::uint8_t {
    /// Two dimensions. Forbidden: from north and from south to west. So all hops to the west come first, and
    /// a message to the west has one path; to the east it may take any minimal one.
    west_first,
    /// Two dimensions. Forbidden: from north to west and to east. So hops to the north come last, and a
    /// message to the north has one path.
    north_last,
    /// Any number of dimensions. Forbidden: from a positive direction to a negative one. So all negative hops
    /// come first, in any order, then all positive ones, in any order.
    negative_first,
    /// Two dimensions. Forbidden: in even columns from east to north and from east to south, in odd columns
    /// from north and from south to west. A message to the east so turns towards its row in odd columns, or
    /// where it has been injected, and to the west it leaves its row in even ones.
    odd_even
};

/// `west_first`, `north_last`, `negative_first` or `odd_even`, as its name. `seed` is that of random
/// selection. The topology must outlive the routing. Throws std::invalid_argument unless the topology is a
/// complete mesh, with its links and no others, of so many dimensions.
Routing turn_model(const Topology& topology, TurnModel model, std::uint64_t seed = 1);

// Randomized minimal routing on meshes: the routes of a pair spread over its rectangle, whatever is free.

/// `o1turn`: each message goes along the row first or along the column first, as a drawn bit says, and turns
/// once. XY is class 0 of virtual channels, YX class 1: each alone is dimension order, so that there is no
/// cycle. The highest load of a channel under any permutation is as low as any oblivious minimal routing on a
/// k x k mesh has it if k is even. (D. Seo, A. Ali, W.-T. Lim, N. Rafique and M. Thottethodi, Near-optimal
/// worst-case throughput routing for two-dimensional mesh networks, ISCA 2005.)
///
/// Same seed, same draws; copies of the routing share one generator. The topology must outlive the routing.
/// Throws std::invalid_argument unless the topology is a mesh of two dimensions whose links are all there.
Routing o1turn(const Topology& topology, std::uint64_t seed);

/// `romm`: each message goes by dimension order to a router that is drawn with equal probability from the box
/// between source and destination, both included, and from there by dimension order to its destination: a
/// minimal route. The first part is class 0 of virtual channels, the second class 1. (T. Nesson and S. L.
/// Johnsson, ROMM routing on mesh and torus networks, SPAA 1995, with two phases.) Any number of dimensions;
/// otherwise as o1turn().
Routing romm(const Topology& topology, std::uint64_t seed);

// Valiant's randomized routing.

/// Sends each message by `base` to a uniformly random processor, which may be its source or destination, and
/// from there by `base` to its destination: the load of every pattern becomes that of two uniform ones. (L.
/// G. Valiant, A scheme for fast parallel communication, SIAM J. Computing 11(2), 1982.) Messages between
/// processors of one router stay there.
///
/// The second part has classes of virtual channels of its own, behind those of the first, so that a base
/// which is deadlock-free makes a routing that is. Same seed, same draws; copies of the routing share one
/// generator. The topology must outlive the routing. Throws std::invalid_argument if a processor injects and
/// is ejected at different routers, so that messages cannot pass through it, or `base` has more than one
/// route for a pair; the routing throws what `base` throws.
Routing valiant(const Topology& topology, Routing base, std::uint64_t seed);

/// Throws std::invalid_argument if a processor injects and is ejected at different routers: no message can
/// pass through it.
void require_way_through_processors(const Topology& topology);

// Universal globally-adaptive load-balanced routing: minimal or round about, by the queues at the source.

/// `ugal` and `ugal_global`: a message goes by `minimal` or by `detour`. The router where the message enters
/// the network decides when it computes the route: the detour, if what is before it and `threshold` are less
/// than what is before the minimal route. That is the queue of the route's first output times its hops
/// (UGAL-L), or with global knowledge the sum of the queues of all its outputs (UGAL-G, which hardware can
/// only approach). A queue is the flits that the output has credits out for, in all its virtual channels, as
/// they stood at the beginning of the cycle where the output is another router's. (A. Singh, Load-balanced
/// routing in interconnection networks, PhD thesis, Stanford University, 2005.)
///
/// Both have the classes of virtual channels of the detour. The minimal routes must be parts of detours, so
/// that a detour which is deadlock-free makes a routing that is: as valiant() over the same base, and
/// group_valiant().
Routing ugal(Routing minimal, Routing detour, QueueKnowledge knowledge, unsigned threshold);

// Routing between the groups of a network, such as a dragonfly.

/// `lgl`, minimal routing of networks of groups (Topology::routers_per_group()): within the group to a router
/// with a global channel, one that joins groups, to the destination's group, over that, and within the group
/// to the destination (local, global, local). Among such paths it takes one of least cost, a pair always the
/// same, as shortest_path() does; a path over a third group is none, even where it has fewer hops.
///
/// The class of virtual channels is 1 from the global channel on, 0 before it: without deadlock where groups
/// are complete graphs. (J. Kim, W. J. Dally, S. Scott, D. Abts, Technology-driven, highly-scalable dragonfly
/// topology, ISCA 2008; class by class as BookSim2's min_dragonflynew.) Tables are those of shortest_path().
/// The topology must outlive the routing. Throws std::invalid_argument if the network has no groups, and when
/// it is asked for the route of a pair whose groups no channel joins.
Routing group_minimal(const Topology& topology, const PathCost& cost = {});

/// `valiant:lgl`: a message to another group draws a router of the network with `seed`. If that is in a third
/// group the message takes group_minimal()'s way there, as far as the group's first router, and from there
/// that to its destination; otherwise it goes minimally. The class is the number of global channels so far,
/// on minimal ways one more: three. Throws as group_minimal(), and as valiant().
Routing group_valiant(const Topology& topology, std::uint64_t seed, const PathCost& cost = {});

/// `ugal:lgl` and `ugal_global:lgl`: ugal() between the two.
Routing group_ugal(const Topology& topology, std::uint64_t seed, const PathCost& cost,
                   QueueKnowledge knowledge, unsigned threshold);

// Self-routing of multistage networks.

/// Each column of the network takes its output port from a digit of the destination (Topology::tag_digits). A
/// column whose digit is free takes a digit of the source instead: the first free column the lowest digit in
/// its radix, the next one the digit above, and so on. In a Benes or Clos network the sources of one
/// first-stage router so leave through different ports, and no two of a permutation's messages meet before
/// its middle stage.
///
/// Deadlock-free with one class of virtual channels: routes only go from one column to the next.
/// The topology must outlive the routing. Throws std::invalid_argument if the network has no tag digits;
/// asking for a route throws if a processor does not exist or the digits do not lead to the destination.
Routing destination_tag(const Topology& topology);

/// The same with free digits drawn at random for each message; same seed, same draws. Copies of the routing
/// share one generator.
Routing destination_tag(const Topology& topology, std::uint64_t seed);

// Up*/down* routing.

/// Up*/down* on any connected topology of two-way links: every channel leads either up, towards the root of a
/// spanning order, or down, and a route never goes up after it went down. So dependencies follow one order of
/// the channels and the routing is deadlock-free with one class of virtual channels. (Schroeder et al.,
/// Autonet: a high-speed, self-configuring local area network using point-to-point links, IEEE JSAC 9(8),
/// 1991.)
///
/// The order is breadth-first from a central router: the least distance to the farthest of eight landmarks
/// that are far from each other, among these the highest degree, then the lowest index. Equal depths are
/// ordered by index. A route costs as little as any legal one (PathCost); among equally good ones a hash of
/// (source, destination) chooses at each hop.
///
/// One-way channels are used too, but then a legal path may be missing: asking for such a route throws
/// std::invalid_argument, as it does for a destination that cannot be reached or a processor that does not
/// exist. Tables are made when a destination is first asked for and kept as long as they stay below 256 MiB
/// (1024 routers need 8 MiB). The topology must outlive the routing and its copies, which share their tables:
/// not for use by several threads at once. Throws std::invalid_argument if the topology has no router.
Routing up_down(const Topology& topology, const PathCost& cost = {});

/// Random routing in fat trees and other trees with several roots: up to a nearest common ancestor, by a
/// random one of the links up that lead to one, and down from there. (Leiserson, Fat-trees: universal
/// networks for hardware-efficient supercomputing, IEEE Trans. Computers C-34(10), 1985; Dally and Towles,
/// Principles and Practices of Interconnection Networks, section 9.2.) All paths up and down of fewest hops,
/// whatever the latencies of their channels, are equally likely where routers of a level are alike.
/// Deadlock-free with one class of virtual channels.
///
/// Up is away from the processors: a router's level is its distance to the next one from which processors are
/// ejected. Same seed, same draws; copies of the routing share one generator. The topology must outlive the
/// routing. Throws std::invalid_argument if processors are injected elsewhere than ejected, links join
/// routers of one level or lead one way only, or two processors have no common ancestor; the routing throws
/// for a processor that does not exist. Tables as up_down().
Routing nearest_common_ancestor(const Topology& topology, std::uint64_t seed);

// Tables of routes and next hops in files.

/// The routing that a file says: CSV, JSON if the name ends in `.json`, or a table of Noxim's, see
/// read_noxim_table(), which leaves a choice to the routers. Processors and routers are given by
/// name or number.
///
/// Routes, one for each pair of processors:
///
///     source,destination,path,classes        {"routes": [{"source": "00", "destination": "11",
///     00,11,00->01->11,0 1                                "path": ["00", "01", "11"], "classes": [0, 1]}]}
///
/// Next hops, one for each router and processor that a message to it meets:
///
///     router,destination,next,class          {"next_hops": [{"router": "00", "destination": "11",
///     00,11,01,0                                             "next": "01", "class": 0}]}
///
/// The class of virtual channels may be left out, with its column: all are 0. A single number in `classes` is
/// that of all hops. In CSV a name with a comma stands in double quotes, empty lines and those that begin
/// with # say nothing.
///
/// `seed` is that of random selection. Its name is `file:` and the path. Throws std::runtime_error, one line
/// with file and line (in JSON the place), for what cannot be read, and what routes_of_table(),
/// routes_of_next_hops() and read_noxim_table() throw.
Routing read_routes(const Topology& topology, const std::string& path, std::uint64_t seed = 1);

} // namespace nocturne
