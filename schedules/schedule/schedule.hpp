// A schedule: which message goes where, over which path, in which step.
#pragma once

#include "models/routing/switching.hpp"
#include "models/topology/path.hpp"
#include "models/topology/port_model.hpp"
#include "schedules/collective/collective.hpp"
#include "schedules/collective/operation.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace nocturne {

/// One message over one path in one step. Without a path the schedule is *incomplete*: complete_paths() finds
/// them.
struct Transfer {
    MessageId message = 0;
    ProcessorId source = 0;
    ProcessorId destination = 0;
    Operation operation = Operation::copy; ///< what the destination does with it
    std::optional<Path> path;

    Transfer() = default;
    Transfer(MessageId m, ProcessorId from, ProcessorId to, std::optional<Path> over = std::nullopt,
             Operation then = Operation::copy)
        : message(m), source(from), destination(to), operation(then), path(std::move(over))
    {
    }

    friend bool operator==(const Transfer&, const Transfer&) = default;
};

/// Stands in a transfer that somebody wrote down for a message that the collective does not have.
inline constexpr MessageId no_message = ~0u;

using Step = std::vector<Transfer>;

/// A sequence of synchronized steps that carries out a collective on a topology, and what it promises of
/// itself: ports, switching, slack. Whether it keeps that is for the validator.
struct Schedule {
    std::string name;     ///< free text
    std::string source;   ///< where it comes from: a paper's table, an engine; free text, may be empty
    std::string topology; ///< specification (`omega:8`), or the name of the topology it was made for
    Collective collective;
    PortModel ports;
    Switching switching = Switching::wormhole;
    std::vector<Step> steps;
    /// Most hops of a path beyond a minimal one that the schedule keeps to, as Problem::slack; nothing = any
    /// path.
    std::optional<unsigned> slack = std::nullopt;

    friend bool operator==(const Schedule&, const Schedule&) = default;
};

std::size_t count_transfers(const Schedule& schedule);

/// Does some transfer add?
bool adds(const Schedule& schedule);

/// Has every transfer a path?
bool is_complete(const Schedule& schedule);

/// "step 2, transfer 5 (0>4)": how messages name a transfer. The arguments are indices from 0, the text
/// counts from 1.
std::string describe_transfer(const Schedule& schedule, const Topology& topology, std::size_t step,
                              std::size_t transfer);

} // namespace nocturne
