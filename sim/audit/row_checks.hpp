// Rows of a log that contradict themselves or their neighbours.
#pragma once

#include "sim/audit/measured_log.hpp"

#include <string>
#include <vector>

namespace nocturne {

/// Why the bandwidths that a row of nccl-tests prints are not those of its size, its time and so many members
/// (`algbw is GiB/s: ...`); empty if they are, up to their last digits.
std::string contradiction(const LogRow& row, CollectiveKind kind, std::uint32_t members);

/// For each row of a run what is to be said of it, or nothing: wrong results, a contradiction, a size that is
/// slow between quick ones, a time that is all start-up.
std::vector<std::string> notes_on_rows(const MeasuredRun& run, CollectiveKind kind, std::uint32_t members);

/// `in place 16 % quicker than out of place` where they differ by a tenth or more; empty otherwise.
std::string note_on_places(const MeasuredRun& run);

} // namespace nocturne
