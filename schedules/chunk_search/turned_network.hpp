// Collectives that add are collectives that copy, run backwards on the network with every link turned round.
#pragma once

#include "schedules/schedule/transfer_weights.hpp"

#include <optional>

namespace nocturne {

/// The same links, each with source and target exchanged; they keep their numbers. Switches that copy become
/// plain ones: backwards they would have to add.
LinkNetwork turned(const LinkNetwork& network);

/// The same links, none of which takes time on its way.
LinkNetwork without_latencies(const LinkNetwork& network);

/// The schedule, under dependencies, as one for turned(network): it takes the same ways, over links that lead
/// the other way. Nothing if some link that is used has no partner.
std::optional<Schedule> over_partners(const Schedule& schedule, const LinkNetwork& network);

/// `schedule`, made for turned(network) and reversed(collective), and made only of copies of chunks in their
/// own places, each coming once to a node, as a schedule for the network and the collective: it runs
/// backwards, and adds where the other one fanned out. Its steps, rounds and alpha + beta time are the
/// other's. Unlike reversed(schedule, network) it asks for no partners of links, and takes schedules under
/// dependencies, whose transfers are in the order in which they end. A node that contributes nothing keeps
/// what comes apart, and adds it by local transfers. Throws std::invalid_argument if the schedule is none of
/// these.
Schedule turned_in_time(const Schedule& schedule, const Collective& collective);

/// Under steps: as many rounds in each step as its fullest link needs, one at least; steps without transfers
/// are left out.
void set_least_rounds(Schedule& schedule, const LinkNetwork& network);

} // namespace nocturne
