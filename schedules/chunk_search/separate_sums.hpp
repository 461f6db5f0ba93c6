// Collectives that add, carried out by copying: each contribution travels on its own, receivers add.
#pragma once

#include "schedules/schedule/transfer_weights.hpp"

namespace nocturne {

/// A chunk for each contribution to each chunk that somebody else is owed: nothing is added on the way.
Collective separate_contributions(const Collective& collective);

/// `schedule` carries out separate_contributions(collective) under dependencies, with each chunk in its own
/// place; the result carries out the collective: contributions of others travel through scratch, and a
/// receiver adds them up by local transfers when all that it was to send on is sent. The same time.
Schedule with_local_sums(const Schedule& schedule, const Collective& collective);

} // namespace nocturne
