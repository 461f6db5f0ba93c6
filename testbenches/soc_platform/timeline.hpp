// What happened on the platform, as a timeline.
#pragma once

#include "models/hardware/link.hpp"
#include "sim/report/timeline.hpp"
#include "testbenches/soc_platform/platform.hpp"

#include <map>
#include <utility>
#include <vector>

namespace nocturne::soc_platform {

double in_ns(const sc_core::sc_time& time);

/// Which messages held which channels between routers; with FabricTiming::flit.
class ChannelWatch final : public LinkObserver {
public:
    /// From now on, before the simulation starts. The platform must outlive it.
    explicit ChannelWatch(const Platform& platform);

    const std::vector<TimelineSpan>& spans() const { return spans_; }

private:
    void watch(sc_core::sc_object& object);
    void head_enters(std::uint32_t link, unsigned vc, PacketId packet, Cycle at) override;
    void tail_enters(std::uint32_t link, unsigned vc, PacketId packet, Cycle at) override;

    const Topology& network_;
    const double cycle_ns_;
    std::map<std::pair<std::uint32_t, unsigned>, Cycle> heads_; ///< by link and virtual channel
    std::vector<TimelineSpan> spans_;
};

/// The phases of the processors' programs, and the transactions that the fabric has kept, by initiator.
std::vector<TimelineSpan> timeline_of(const Platform& platform);

} // namespace nocturne::soc_platform
