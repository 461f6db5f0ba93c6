// How many flits are in the buffers of routers.
#pragma once

#include "models/network/message_network.hpp"
#include "sim/report/traffic_results.hpp"
#include "sim/traffic/packet_counts.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace nocturne {

/// Counts when flits come and leave: its cost follows flits times routers, whatever the cycles. A flit is in
/// a buffer from the cycle in which it comes to the one in which it leaves, both included.
class BufferUse final : public BufferObserver {
public:
    /// Before the first message is sent. The network must outlive it, and the window, which is that of the
    /// run. Throws as MessageNetwork::observe_buffers().
    BufferUse(MessageNetwork& network, const HardwareConfig& hardware, const Window& window);

    void flit_comes(std::uint32_t link, unsigned vc, std::uint64_t at) override;
    void flit_leaves(std::uint32_t link, unsigned vc, std::uint64_t at) override;

    /// What happens from that cycle on does not count.
    void end_window(std::uint64_t end) { end_ = end; }
    /// By link and virtual channel, of the window's cycles; `end`: the cycle after the last of the run.
    std::vector<BufferOccupancy> buffers(std::uint64_t cycles, std::uint64_t end);

private:
    struct Buffer {
        std::uint32_t first = 0; ///< in arrivals_
        std::uint32_t depth = 0;
        std::uint32_t position = 0;  ///< of the flit that leaves next
        std::uint32_t count = 0;     ///< of flits that are there or will be
        std::uint64_t flits = 0;     ///< that came in the window
        std::uint64_t residence = 0; ///< cycles of all flits in the window
        std::uint32_t most = 0;
    };

    std::uint64_t arrival(const Buffer& buffer, std::uint32_t place) const;
    void leave(Buffer& buffer, std::uint64_t at);

    const MessageNetwork& network_;
    const Window& window_;
    const unsigned vcs_;
    std::uint64_t end_ = std::numeric_limits<std::uint64_t>::max();
    std::vector<Buffer> buffers_;         ///< by link and virtual channel
    std::vector<std::uint64_t> arrivals_; ///< of the flits of each buffer, a ring each
};

} // namespace nocturne
