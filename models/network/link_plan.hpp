// The links and virtual channels of a network, numbered once for all levels of the simulation.
#pragma once

#include "models/network/configuration.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/topology.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne {

/// Cycles and flits of one link, as the flit-level model has them (see Link).
struct LinkTiming {
    std::uint32_t flit_cycles = 1;   ///< from a flit's departure to its arrival in the buffer behind
    std::uint32_t credit_cycles = 2; ///< from a flit's departure out of that buffer to the next one's into it
    std::uint32_t buffer_flits = 1;  ///< of each virtual channel; 1 or more
    std::uint32_t pool_flits = 0;    ///< that virtual channels share beyond one each; 0: they share nothing
    std::uint32_t cycles_per_flit = 1;  ///< more than 1 on a link narrower than a flit
    std::uint32_t departure_cycles = 0; ///< of flit_cycles those before the wire, in a router's switch
    FlitRate rate = {};                 ///< of an injection or ejection link: of the interface

    friend bool operator==(const LinkTiming&, const LinkTiming&) = default;
};

/// Links are numbered: the topology's channels first, then the injection links of each processor, then the
/// ejection links of each. Virtual channel v of link l is `l * vcs + v`, with vcs the most that a link has:
/// one with fewer has the first of them. A group is a range of virtual channels any of which a head takes:
/// one for each channel and class (`channel * vc_classes + class`), then one for each processor, its ejection
/// links.
class LinkPlan {
public:
    LinkPlan() = default; ///< of no network

    /// The topology must outlive it. Throws std::invalid_argument for a bad configuration, a channel with
    /// fewer virtual channels than classes that use it, or one whose latency is more than a million cycles.
    LinkPlan(const Topology& topology, const HardwareConfig& config, PortModel ports,
             const VcClasses& vc_classes);

    /// Of virtual channels.
    struct Group {
        std::uint32_t first;
        std::uint32_t count;
    };

    const Topology& topology() const { return *topology_; }
    unsigned vcs() const { return vcs_; }
    unsigned vc_classes() const { return vc_classes_; }
    /// Of all routers that have none of their own.
    const Pipeline& pipeline() const { return pipeline_; }
    /// The longest pipeline, in cycles of the network's clock.
    unsigned most_router_cycles() const { return most_router_cycles_; }
    unsigned interface_cycles() const { return interface_cycles_; }
    std::uint32_t links() const { return static_cast<std::uint32_t>(timing_of_.size()); }
    std::uint32_t groups() const { return static_cast<std::uint32_t>(groups_.size()); }
    const Group& group(std::uint32_t index) const { return groups_[index]; }
    std::uint32_t group_of(const Hop& hop) const { return hop.channel * vc_classes_ + hop.vc_class; }
    std::uint32_t ejection_group(ProcessorId id) const { return first_ejection_group_ + id; }
    /// Virtual channels of a processor's ejection links together, each of which has so many: of several links
    /// each has the most that any link has.
    unsigned ejection_vcs(unsigned vcs, unsigned links) const { return links == 1 ? vcs : links * vcs_; }
    std::uint32_t first_injection_link(ProcessorId id) const { return injection_links_[id]; }
    unsigned injection_links(ProcessorId id) const { return injection_links_[id + 1] - injection_links_[id]; }
    std::uint32_t first_ejection_link(ProcessorId id) const { return ejection_links_[id]; }
    unsigned ejection_links(ProcessorId id) const { return ejection_links_[id + 1] - ejection_links_[id]; }
    bool is_injection(std::uint32_t link) const
    {
        return link >= injection_links_.front() && link < injection_links_.back();
    }
    bool is_ejection(std::uint32_t link) const { return link >= ejection_links_.front(); }
    /// All links that lead to a router, and all that lead away from it.
    std::vector<std::uint32_t> links_into(RouterId router) const;
    std::vector<std::uint32_t> links_out_of(RouterId router) const;
    /// `00->01`, `P00->00` (injection), `00->P00` (ejection).
    std::string link_name(std::uint32_t link) const;

    /// The different timings that there are, and which a link has.
    const std::vector<LinkTiming>& timings() const { return timings_; }
    std::uint32_t timing_index(std::uint32_t link) const { return timing_of_[link]; }
    const LinkTiming& timing(std::uint32_t link) const { return timings_[timing_of_[link]]; }

    /// Of LinkTiming::flit_cycles, those before the wire: in a router's switch.
    std::uint32_t departure_cycles(std::uint32_t link) const { return timing(link).departure_cycles; }
    /// Of the wire.
    std::uint32_t latency_cycles(std::uint32_t link) const
    {
        return timing(link).flit_cycles - departure_cycles(link) - timing(link).cycles_per_flit + 1;
    }

    /// Of the link's clock, which is its sender's, in cycles of the network's, rounded up.
    std::uint64_t network_cycles(std::uint32_t link, std::uint64_t cycles) const
    {
        if (clocks_.empty())
            return cycles;
        return (cycles * clocks_[link].base + clocks_[link].ticks - 1) / clocks_[link].ticks;
    }

    /// Does a flit follow another in every cycle on every link? Then the tail of a message that waits nowhere
    /// is everywhere as far behind the head as at the source.
    bool is_full_rate() const { return is_full_rate_; }

private:
    void set_clocks();
    /// To where a head takes so much longer than the flits behind it.
    void add_link(const LinkTiming& timing, unsigned head_cycles);

    const Topology* topology_ = nullptr;
    unsigned vcs_ = 1;
    unsigned vc_classes_ = 1;
    unsigned interface_cycles_ = 1;
    Pipeline pipeline_;
    unsigned most_router_cycles_ = 0;
    bool is_full_rate_ = true;
    std::uint32_t first_ejection_group_ = 0;
    std::vector<LinkTiming> timings_;
    std::vector<std::uint32_t> timing_of_; ///< by link
    std::vector<ClockRatio> clocks_;       ///< by link; empty: all have the network's
    std::vector<Group> groups_;
    std::vector<std::uint32_t> injection_links_; ///< by processor: its first; one entry more at the end
    std::vector<std::uint32_t> ejection_links_;  ///< the same
};

/// Throws std::invalid_argument if a channel has fewer virtual channels than classes that use it.
void require_vcs(const Topology& topology, const HardwareConfig& config, const VcClasses& vc_classes);

} // namespace nocturne
