// Virtual-channel classes that make any oblivious routing deadlock-free.
#pragma once

#include "models/routing/routing.hpp"

namespace nocturne {

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

} // namespace nocturne
