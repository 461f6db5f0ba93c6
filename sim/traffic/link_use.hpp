// How busy the links of a network are over time.
#pragma once

#include "models/network/message_network.hpp"
#include "sim/report/traffic_results.hpp"
#include "sim/simulation/network_model.hpp"
#include "sim/traffic/use_over_time.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nocturne {

/// Busy cycles of all links from the first cycle on, whatever the length of the run. At the flit level it
/// reads the counters of links from time to time. At the message level the flits of a message are spread
/// evenly over the time for which it holds a virtual channel of the link.
class LinkUse final : public HoldObserver {
public:
    /// `parts`: into so many the time will be cut; bins are 1/4 of that or finer. Before the first message
    /// is sent; the network must outlive it. Throws as require_memory().
    LinkUse(MessageNetwork& network, NetworkModel model, std::uint32_t parts);

    /// Runs the network as run_to_the_end().
    void run_to_the_end();
    void channel_held(const NetworkMessage& message, const ChannelHold& hold, std::uint8_t client) override;

    /// By link, over `parts` equal parts of the cycles from `begin` to `end`, without parts if these are
    /// none; `end_of_run`: when all has stood still.
    std::vector<ChannelLoad> loads(std::uint64_t begin, std::uint64_t end, std::uint32_t parts,
                                   std::uint64_t end_of_run) const;

private:
    void read_counters(std::uint64_t since, std::uint64_t now);

    MessageNetwork& network_;
    const bool reads_counters_;
    UseOverTime use_;
    std::vector<std::uint64_t> busy_before_; ///< by link, of counters
};

} // namespace nocturne
