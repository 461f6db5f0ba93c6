// Which part has failed: what probes have shown so far, and which probe shows more.
#pragma once

#include "models/topology/faults.hpp"
#include "sim/recovery/probe.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace nocturne {

/// What probes have located.
struct FaultLocation {
    /// What has failed, one entry a part: a channel or a router; several of them where no probe tells them
    /// apart and one of them has failed.
    std::vector<Faults> parts;

    /// All of it together: what a new schedule has to avoid. Channels that no probe can tell from a failed
    /// one are of no use to anybody, since every path over them crosses it.
    Faults failed() const;
};

/// Locates faults from the outside, with nothing but messages between processors. A channel works if some
/// probe over it arrives; it has failed if a probe is lost of which every other channel works. What neither
/// holds for is probed along other paths, each chosen so that it avoids what is doubtful and that its result
/// does not follow from those of earlier probes; this ends when there is no such path. Then the channels
/// around those that have failed are probed, since a link or a router may have failed with them. The location
/// is the smallest set of channels and routers without which every lost probe would have arrived.
///
/// A router counts as failed if no probe through it arrives. Injection and ejection channels fail only with
/// their router.
class FaultLocator {
public:
    /// `suspects` are probed in any case; `working` are known to work. The topology must outlive it.
    FaultLocator(const Topology& topology, const std::vector<ChannelId>& suspects,
                 const std::vector<ChannelId>& working);

    /// The probes whose results say something new, in any order; none if nothing more can be learnt.
    std::vector<Probe> next_probes();
    void note(const Probe& probe, bool has_arrived);

    FaultLocation location() const;

private:
    enum class State : std::uint8_t { unknown, suspect, works, failed };
    using Channels = std::vector<ChannelId>;
    using Costs = std::vector<std::uint64_t>;

    std::optional<Probe> new_probe_over(ChannelId suspect) const;
    std::optional<Path> cheapest_path_over(ChannelId suspect, const Costs& costs) const;
    std::optional<Path> cheapest_path(const std::vector<bool>& from, const std::vector<bool>& to,
                                      const Costs& costs) const;
    /// The channels of a path that are not known to work, ascending.
    Channels doubtful(const Path& path) const;
    /// A lost probe all of whose doubtful channels are among these: the probe over them will be lost as well.
    std::optional<std::size_t> lost_probe_within(const Channels& channels) const;
    bool suspect_neighbours();
    void draw_conclusions();
    std::vector<RouterId> failed_routers() const;

    const Topology& topology_;
    std::vector<bool> injecting_;       ///< by router: some processor injects there
    std::vector<bool> ejecting_;        ///< by router
    std::vector<State> state_;          ///< by channel
    std::vector<std::uint32_t> losses_; ///< by channel: lost probes over it
    std::vector<Channels> lost_; ///< the channels of each lost probe that are not known to work, ascending
};

} // namespace nocturne
