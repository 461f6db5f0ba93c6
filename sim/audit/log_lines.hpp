// What the readers of logs share: lines, words, names of collectives.
#pragma once

#include "sim/audit/measured_log.hpp"

#include <string_view>
#include <vector>

namespace nocturne {

struct LogLine {
    std::string_view text;  ///< without blanks around it, and without `[1,0]<stdout>:` before it
    std::size_t number = 0; ///< from 1
};

std::vector<LogLine> lines_of(std::string_view text);

/// `all_reduce`, `Reduce_scatter`, `osu_alltoall`; nothing for another name.
std::optional<CollectiveKind> kind_called(std::string_view name);

/// Rows that are left out, by reason.
struct LeftOut {
    std::size_t empty_rows = 0;           ///< of 0 bytes, or without a time
    std::vector<std::string> others = {}; ///< benchmarks of no collective

    void add_other(const std::string& name);
    std::vector<std::string> remarks() const;
};

/// Logs of nccl-tests and rccl-tests.
MeasuredLog read_perf_log(const std::vector<LogLine>& lines);

/// Do the lines name a benchmark of MPI?
bool is_mpi_log(const std::vector<LogLine>& lines);
/// Logs of OSU's and Intel's benchmarks of MPI. The time of a row is the average over the processes (OSU), or
/// that of the slowest one (Intel).
MeasuredLog read_mpi_log(const std::vector<LogLine>& lines);

/// Does the first line name a size and a time, with commas between?
bool is_measured_table(const std::vector<LogLine>& lines);
/// Columns `op` (or collective), `bytes` (or size), `time_us`, and if there are `ranks`, `place`, and the two
/// bandwidths (`algbw`, `busbw`, and longer names that begin so). Sizes are those of nccl-tests, or of an op
/// that begins with `osu` those of OSU. Rows of one op and number of ranks are a run. Throws
/// std::runtime_error for a table that is none.
MeasuredLog read_measured_table(const std::vector<LogLine>& lines, const std::string& origin);

} // namespace nocturne
