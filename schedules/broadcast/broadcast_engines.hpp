// The engines for broadcasts; see engines.cpp.
#pragma once

#include "schedules/search/engine.hpp"

namespace nocturne {

// Broadcasts of many: a randomised construction step by step that learns from where it got stuck.

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

// The broadcast of one message, to all or to some: which processors have it after every step, by flows.

/// Does the problem have one message only? Then it is for search_one_to_all().
bool suits_one_to_all(const Problem& problem);

/// A schedule of an OAB or multicast in at most `steps` steps. All transfers of a step carry the same
/// message, so a step is one flow from processors that have it to processors that get it: it remains to
/// choose the set that has it after every step. A randomised search goes backwards: from the set of the last
/// step it takes away as many processors as the others can serve at once, and so on until only the source is
/// left. Flows know nothing of the length of paths: under a limit of the slack schedules with longer ones do
/// not count, and after a while search_broadcast() takes over. SearchProgress::tried counts processors moved.
/// Without an effort or a deadline it goes on until it has found a schedule. Throws std::invalid_argument if
/// the problem does not suit.
SearchResult search_one_to_all(const Problem& problem, unsigned steps, const SearchControl& control);

} // namespace nocturne
