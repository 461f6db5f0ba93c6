// The broadcast of one message, to all or to some: which processors have it after every step, by flows.
#pragma once

#include "schedules/search/engine.hpp"

namespace nocturne {

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
