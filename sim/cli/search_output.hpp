// What commands that search say of it.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/collective/kind_names.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/cli/chunk_figures.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/report/fields.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne::cli {

/// Below the result of a search without --output.
inline constexpr std::string_view not_saved_text = "not saved: -o FILE writes the schedule";

/// How far it has come, for people who wait: one line; `command` (`schedule`) begins it. By an objective,
/// what that counts first.
std::string progress_text(std::string_view command, const SearchProgress& now,
                          std::optional<ChunkObjective> objective = std::nullopt);

// What is said of the same figures, wherever they are.
inline constexpr const char* problem_meaning = "Collective, network, ports and switching.";
inline constexpr const char* optimal_meaning =
    "Whether no schedule is better by the objective (proven); null without a schedule or a bound.";
inline constexpr const char* ports_meaning =
    "Messages that a processor sends, and receives, in a step; null for schedules in chunks.";
inline constexpr const char* valid_meaning = "Whether the schedule obeys all rules; null without a schedule.";
inline constexpr const char* violations_meaning = "Violated rules; empty if the schedule is valid.";
inline constexpr const char* proven_meaning =
    "Whether the certificates prove the bounds; null if the file claims none.";
inline constexpr const char* refutations_meaning = "Why a certificate fails, one line each.";
inline constexpr const char* bytes_meaning = "Size of the largest vector that a processor contributes.";
inline constexpr const char* start_cycles_meaning =
    "Start-up time of a transfer, in addition to link latency.";
inline constexpr const char* cycle_ns_meaning = "Clock cycle of the network; null if unknown.";
inline constexpr const char* interrupted_meaning = "Whether a signal ended the search early.";
inline constexpr const char* end_meaning =
    "How the search ended: `at the bound`, `settled`, `out of budget` or `interrupted`.";
inline constexpr const char* seconds_meaning = "Wall-clock time.";

/// A schedule or none, whole or of chunks, and the best lower bound on its steps or none.
struct Finding {
    std::string problem; ///< in words: describe()
    std::string topology;
    CollectiveKind kind;
    std::optional<std::uint32_t> chunks; ///< that each block is cut into; none: any number
    std::optional<PortModel> ports;      ///< none from memory to memory
    const Schedule* schedule;
    const Bound* bound;
    std::string bound_reason = {};
    std::string engine = {};                       ///< of the schedule
    std::optional<bool> is_optimal = std::nullopt; ///< by what was searched for, if it is known
    std::string note = {};  ///< what is to be said of it, if it is optimal: a line, or nothing
    std::string links = {}; ///< that times are for, and where that comes from: link_rates_text()
};
Fields<Finding> fields_of(const Finding*);

/// `holds`: both are what they claim to be.
Finding finding_of(const Problem& problem, const Schedule* schedule, const Bound* bound,
                   std::string engine = {}, bool holds = true);
/// Of chunks. The bounds must outlive it.
Finding finding_of(std::string problem, const Collective& collective, const LinkNetwork& network,
                   const Schedule* schedule, const Bounds& bounds);

/// `alltoall (AAS, all-to-all scatter) on mesh:4x4, all-port, wormhole`: the first line of what is printed.
inline std::string heading(const Finding& finding)
{
    return with_kind_in_words(finding.kind, finding.problem);
}

/// As text: a heading, the figures of `output`, what is to be said of an optimal schedule.
template <HasFields Output>
void print_finding(const Finding& finding, const Output& output)
{
    fmt::print("{}\n", heading(finding));
    print_figures(output);
    if (finding.is_optimal.value_or(false))
        fmt::print("{}", finding.note);
}

/// What no schedule has less of: of steps, or of rounds a chunk (in at most so many steps), or of cycles.
struct BoundRow {
    std::optional<unsigned> steps;
    std::optional<double> rounds;
    std::optional<double> time_cycles;
    std::string kind;
    std::string reason;
};
Fields<BoundRow> fields_of(const BoundRow*);

BoundRow bound_row(const Bound& bound);
std::vector<BoundRow> bound_rows(const Bounds& bounds, const LinkNetwork& network);

/// What the links of a network carry: `2 GB/s`, `2 to 50 GB/s`.
std::string link_rates_text(const LinkNetwork& network, double cycle_ns);

/// How good a schedule of chunks is by its objective, in one sentence: `29.36 µs (14680 cycles of 2 ns),
/// 1.12 times the lower bound of 26.21 µs (receptions: ...); bus bandwidth 3.57 GB/s of at most 4, over
/// links of 2 GB/s`. `link_rates` is link_rates_text(), for
/// ChunkObjective::time.
std::string sentence_of(const ChunkFigures& figures, ChunkObjective objective, const Bounds& bounds,
                        const LinkNetwork& network, std::string_view link_rates);

/// The bound on what the objective counts: `26.21 µs (13107.2 cycles of 2 ns)`, `3 steps, in which ...`.
std::string least_of(ChunkObjective objective, const Bounds& bounds, double cycle_ns);

/// One violation of a rule; see Violation.
struct ViolationRow {
    Violation violation;
    std::string place = {}; ///< in a foreign file
};
Fields<ViolationRow> fields_of(const ViolationRow*);

std::vector<ViolationRow> violation_rows(const std::vector<Violation>& violations);

} // namespace nocturne::cli
