// Collectives in chunks, as options ask for them.
#pragma once

#include "schedules/portfolio/portfolio.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "sim/cli/option_values.hpp"

#include <span>
#include <string>

namespace nocturne::cli {

/// Option `link-bytes`.
OptionTable link_options();
/// These, `bytes`, `start-cycles`, `latency-holds-link` and `cycle-ns`.
OptionTable chunk_cost_options();
/// These and `objective`.
OptionTable objective_options();

/// What `--objective` says; without it `time` where there is a `--bytes`. Nothing: the fewest steps of
/// disjoint paths under ports and slack.
std::optional<ChunkObjective> objective_of(const OptionValues& given);

/// Is there an objective? Remarks one that --bytes implies. Throws std::invalid_argument for an option, of
/// the problem or a search, that the other question has and this one not.
bool has_objective(const OptionValues& given);

/// What is asked for, and of the network what its file leaves open.
struct ChunkInput {
    ChunkProblem problem;
    LinkDefaults defaults;

    const Topology& topology() const { return *problem.topology; }
};

/// Of options `topology`, `fault`, those of collective_options(), `chunks` and, if there is an `objective`,
/// those above. Throws std::invalid_argument or std::runtime_error, one line.
ChunkInput chunk_input(const OptionValues& given);

/// The width of `link-bytes`, or else what the rate of a machine's links is in a cycle (gpu_machine()), or
/// else that of LinkDefaults. Throws std::invalid_argument, one line, if a rate is no whole number of bytes.
LinkDefaults link_defaults(const OptionValues& given, const Topology& topology);
/// Of the options of chunk_cost_options(). Throws std::invalid_argument, one line.
double cycle_of(const OptionValues& given);

/// The same as of the network alone, whence a rate is known that is not given, and that there is no start-up
/// where none is given: `25 GB/s, an NVLink of an H100`, `2 GB/s, the default (--link-bytes); no start-up of
/// transfers is counted (--start-cycles)`. The network has the links of the topology with link_defaults().
std::string link_rates_text(const OptionValues& given, const Topology& topology, const LinkNetwork& network,
                            double start_cycles);

/// Remarks on the first of these faults that hits parallel links, all of which fail with it.
void remark_parallel_links(const Topology& topology, std::span<const std::string> faults);

/// The size that is taken where nothing says one.
inline constexpr std::uint64_t usual_bytes = std::uint64_t{1} << 20U;

/// What a schedule costs in this setting; of what is not known, usual_bytes and no
/// start-up.
AlphaBeta cost_in(const MadeFor& setting, const Collective& collective);

/// Of one of so many equal chunks of a vector of `bytes` bytes, rounded up to the 4 bytes of an element.
std::uint64_t chunk_bytes(std::uint64_t bytes, std::uint64_t chunks);

} // namespace nocturne::cli
