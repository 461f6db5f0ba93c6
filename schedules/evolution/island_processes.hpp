// Where islands live: in worker processes of this machine that keep them, or beyond a transport, which brings
// an island's state to whichever process is free.
#pragma once

#include "schedules/evolution/island.hpp"
#include "schedules/workers/process.hpp"
#include "schedules/workers/team.hpp"

#include <memory>
#include <span>
#include <vector>

namespace nocturne {

/// What the master asks of an island: the first byte of a message.
enum class IslandRequest : std::uint8_t {
    advance,          ///< an epoch, with the immigrant that follows
    keep_and_advance, ///< the same, after its state has been kept for `kept`
    kept,             ///< its state before the last epoch
    save,             ///< its state
    load,             ///< the state that follows
};

Bytes island_message(IslandRequest request, std::span<const std::uint8_t> content = {});

class IslandProcesses {
public:
    IslandProcesses() = default;
    IslandProcesses(const IslandProcesses&) = delete;
    IslandProcesses& operator=(const IslandProcesses&) = delete;
    virtual ~IslandProcesses() = default;

    /// Sends each island its message and returns the answers, by island. That to an epoch says in its first
    /// byte whether it came to the end of it, then brings report_to_bytes(). `is_stopped` is asked a few
    /// times a second; where it can, a true cuts the epoch short. Throws as Team::round(), or run_jobs()
    /// through a transport.
    virtual std::vector<Bytes> round(std::span<const Bytes> messages,
                                     const std::function<bool()>& is_stopped) = 0;
};

/// As many islands as seeds. `model` and `options` must outlive them.
std::unique_ptr<IslandProcesses> island_processes(const IslandModel& model, const EvolutionOptions& options,
                                                  const std::vector<std::uint64_t>& seeds);

} // namespace nocturne
