// How subcommands take a schedule: from its file, on the network that it is for, with all its paths.
#pragma once

#include "models/network/configuration.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "sim/cli/option_values.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nocturne::cli {

/// Options `schedule` (the file), `topology` and `max-slack`.
OptionTable schedule_options();

/// What a schedule of chunks was before it became one in steps (schedules/conversion/conversion.hpp).
struct ConvertedChunks {
    std::string synchronization; ///< `dependencies`, `3 steps of 6 rounds`
    std::size_t transfers;
    std::uint64_t chunks_of_vector; ///< in the largest vector that a processor contributes
    MadeFor made_for;               ///< Schedule::made_for
};

struct InputSchedule {
    Schedule schedule; ///< of messages; complete but for `unrouted`
    Topology topology;
    nlohmann::ordered_json claims; ///< LoadedSchedule::claims
    bool has_name;                 ///< in the file; otherwise it is called as the file is
    bool is_completed = false;     ///< paths were missing in the file
    /// Why a step has no paths without conflict, a line each; such steps stay incomplete.
    std::vector<std::string> unrouted = {};
    std::optional<ConvertedChunks> converted = std::nullopt; ///< the file has chunks
    LinkDefaults links = {};                                 ///< of chunks, also if they were converted
};

/// `dependencies, 12 transfers, in 5 steps of one message a channel, 12 transfers; a message is 1/4 of
/// --bytes`; empty for a file of messages in steps.
std::string converted_text(const InputSchedule& input);
/// Prints that as a line if there is something to say, and not with --json.
void print_conversion(const InputSchedule& input, const OptionValues& given);
inline constexpr const char* unrouted_meaning = "Steps without conflict-free paths, one line each.";

/// What the schedule, or that from which it was converted, was made for.
const MadeFor& made_for_of(const InputSchedule& input);

/// The bytes of a message for each of the sizes: these, or of chunks, whose sizes are those of the largest
/// vector that a processor contributes, the bytes of one of weight 1, rounded up to 4.
std::vector<std::uint64_t> message_sizes(const InputSchedule& input, std::vector<std::uint64_t> sizes);
std::uint64_t message_size(const InputSchedule& input, std::uint64_t size);

/// The hardware that runs it. What the command line leaves open of it follows, for chunks, from what the
/// schedule was made for, the clock and the start-up (`least_start_cycles` or more), and from the network:
/// flits that links carry in whole cycles (flit_bytes_wanted()), and buffers for links at full rate. What
/// differs from the setting for which it was made is remarked. Throws as hardware_of().
HardwareConfig hardware_for(const OptionValues& given, const InputSchedule& input, unsigned vc_classes = 1,
                            unsigned least_start_cycles = 0);

/// Is --topology, if it is given, the network of the schedule in this file? Throws std::runtime_error if not,
/// and what topology_from() throws.
void require_topology(const OptionValues& given, const std::string& path, const Topology& topology);

/// Throws as require_kind(): is a schedule, of steps, chunks or another tool, in this file?
void require_schedule_file(const std::string& path);

/// steps_of_chunks() of what is in this file: where it throws, std::runtime_error that names the file.
Schedule steps_from(const std::string& path, const Schedule& chunks, const Topology& topology,
                    const LinkNetwork& network);

/// The schedule in the file that the option `schedule` names; one of chunks, of another tool too, becomes one
/// in steps. Throws std::runtime_error for a file that cannot be read or is of another kind (require_kind()),
/// as require_topology(), and for chunks that are invalid or have no schedule in steps.
InputSchedule schedule_of(const OptionValues& given);
/// The same, but that a schedule of chunks stays what it is: to be run. Throws for chunks that are invalid
/// only if the file is another tool's.
InputSchedule schedule_to_run(const OptionValues& given);
/// The same as schedule_of() for a file that is not the value of the option `schedule`.
InputSchedule schedule_from(const std::string& path, const OptionValues& given);

} // namespace nocturne::cli
