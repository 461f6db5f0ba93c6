#include "sim/audit/measured_log.hpp"

#include "sim/audit/log_lines.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

MeasuredLog read_measured_log(std::string_view text, const std::string& origin)
{
    const std::vector<LogLine> lines = lines_of(text);
    MeasuredLog log = is_mpi_log(lines)          ? read_mpi_log(lines)
                      : is_measured_table(lines) ? read_measured_table(lines, origin)
                                                 : read_perf_log(lines);
    if (log.runs.empty())
        throw std::runtime_error(fmt::format(
            "{}: no measured collective: expected what nccl-tests, rccl-tests, OSU's or Intel's MPI "
            "benchmarks print, or CSV with columns op, bytes and time_us",
            origin));
    return log;
}

double contributed_bytes(SizeMeaning meaning, CollectiveKind kind, double size, std::uint32_t members)
{
    const double n = members;
    const bool is_whole = meaning == SizeMeaning::whole;
    switch (kind) {
    case CollectiveKind::allgather:
    case CollectiveKind::gather:
        return is_whole ? size / n : size;
    case CollectiveKind::alltoall:
    case CollectiveKind::scatter:
        return is_whole ? size * (n - 1) / n : size * (n - 1);
    default:
        return size;
    }
}

} // namespace nocturne
