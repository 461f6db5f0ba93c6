// The engines that need no search; and for chunks, what they know of whole messages in steps, and the flow
// over the paths of such schedules.
#pragma once

#include "schedules/chunk_flows/path_rounding.hpp"
#include "schedules/collective/collective.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/search/engine.hpp"

#include <optional>

namespace nocturne {

/// The engine `construct`: best_construction(), if it needs no more than `steps` steps. It can be tried on
/// everything.
bool suits_construction(const Problem& problem);
SearchResult search_construction(const Problem& problem, unsigned steps, const SearchControl& control);

/// The engine `flow`: one_to_all_scatter(). `impossible` below fewest_scatter_steps(). Suits scatters from
/// one processor and gathers to one.
bool suits_flow(const Problem& problem);
SearchResult search_flow(const Problem& problem, unsigned steps, const SearchControl& control);

/// The schedule of whole messages with the fewest steps that a construction makes (constructions.hpp; but for
/// first fit, which is a search), whose messages are the chunks of the collective (conversion.hpp): for
/// collectives that add nothing, of equal blocks in one part each. Through the ports that are usual, or under
/// store-and-forward switching, where a step is a round of a link that carries one chunk, through all.
/// Nothing for other collectives, or if no construction applies.
std::optional<Schedule> constructed_steps(const Topology& topology, const Collective& collective,
                                          Switching switching = Switching::wormhole);

/// The paths of its messages, each of which has one receiver. `owed` is owed_pairs(its collective).
/// Which chunk a link takes first is left to who makes a schedule of them: relayed in the order of the steps
/// a message waits at each hop for the step's other messages to come in, and steps take twice as long.
LinkFlow flow_of_steps(const Schedule& schedule, const LinkNetwork& network, const OwedPairs& owed);

} // namespace nocturne
