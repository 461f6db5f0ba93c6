// What benchmarks of collectives print, as values: nccl-tests and rccl-tests in their formats of all years,
// the collectives of the OSU micro-benchmarks and of the Intel MPI Benchmarks, and tables in CSV.
#pragma once

#include "schedules/collective/collective.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// One measured time.
struct LogRow {
    std::size_t line = 0;                                     ///< of the log, from 1
    std::uint64_t size = 0;                                   ///< bytes, see contributed_bytes(); 1 or more
    double time_us = 0;                                       ///< more than 0
    std::optional<double> algorithm_bandwidth = std::nullopt; ///< GB/s, as printed
    std::optional<double> bus_bandwidth = std::nullopt;       ///< GB/s, as printed
    std::string place = {};                                   ///< `in` or `out`; empty: not said
    bool is_wrong = false; ///< the benchmark says that the results were wrong
};

/// What a benchmark calls the size of a collective.
enum class SizeMeaning {
    whole,     ///< nccl-tests: of an allgather and a gather the blocks of all, of an alltoall with one's own
    one_block, ///< OSU and Intel: of allgather, gather, scatter and alltoall one block
};

/// One collective by one group of processes.
struct MeasuredRun {
    std::string tool; ///< `nccl-tests`, `OSU micro-benchmarks`, `Intel MPI Benchmarks`, `a table`
    SizeMeaning size_meaning = SizeMeaning::whole;
    std::optional<CollectiveKind> kind = std::nullopt; ///< none: neither the log nor its figures say it
    bool is_kind_inferred = false;                     ///< from columns and bandwidths
    std::uint32_t ranks = 0;                           ///< 0: not said
    std::uint32_t hosts = 0;                           ///< that these are on; 0: not said
    std::string device = {};                           ///< `NVIDIA GB200`; empty: not said
    std::vector<LogRow> rows = {};                     ///< in the log's order, at least one
};

struct MeasuredLog {
    std::vector<MeasuredRun> runs = {};    ///< at least one
    std::vector<std::string> remarks = {}; ///< what was left out or is odd, one line each
};

/// Passes over lines that belong to no table, and what launchers write before a line (`[1,0]<stdout>:`,
/// `0:`). Throws std::runtime_error, one line that begins with `origin`, if there is no row of a collective.
MeasuredLog read_measured_log(std::string_view text, const std::string& origin);

/// Bytes of the largest vector that a member contributes if the benchmark says this size, of so many members
/// (nccl-tests, doc/PERFORMANCE.md; osu_allgather and osu_alltoall count a block).
double contributed_bytes(SizeMeaning meaning, CollectiveKind kind, double size, std::uint32_t members);

} // namespace nocturne
