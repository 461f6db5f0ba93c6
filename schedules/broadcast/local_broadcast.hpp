// Broadcasts of many: a randomised construction step by step that learns from where it got stuck.
#pragma once

#include "schedules/search/engine.hpp"

namespace nocturne {

/// Can search_broadcast() be tried? It takes every kind of broadcast.
bool suits_broadcast(const Problem& problem);

/// A schedule of a broadcast (AAB, MNB; OAB and multicast are a case of them) in at most `steps` steps, any
/// processor relaying any message. Builds the schedule from its first step on, again and again. In a step the
/// receivers take turns, those first whose receive ports are needed most in the steps left; each takes the
/// message that is most wanted behind it, and where channels or ports are taken, their owners move to others
/// if they can (augmenting paths, as in a matching). What attempts differ in, besides chance:
/// - receivers that no sender could give anything new weigh more in the next attempt;
/// - half of them use the arcs of the step before again where they can: a cycle of all processors then serves
/// every step;
/// - after the first few, every other attempt on a network of up to 64 processors uses paths past other
/// processors, too.
///
/// With a schedule to begin with, the first attempt and one of four after it begin each step with the
/// transfers that that has there, as far as they are possible; the receivers that lack something then take
/// their turns.
///
/// SearchProgress::tried counts attempts and tries to serve a receiver. Gives up at once if some processor
/// has not the ports for what it is owed. Throws std::invalid_argument if the collective is not a broadcast.
SearchResult search_broadcast(const Problem& problem, unsigned steps, const SearchControl& control);

} // namespace nocturne
