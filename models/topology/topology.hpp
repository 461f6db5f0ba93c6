// The network as a value: routers, the processors attached to them, and the one-way channels between routers.
#pragma once

#include "models/topology/port_model.hpp"
#include "models/topology/router_part.hpp"
#include "models/topology/size.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace nocturne {

using RouterId = std::uint32_t;
using ProcessorId = std::uint32_t;
using ChannelId = std::uint32_t;

/// One direction of a wire between two routers.
struct Channel {
    RouterId source;
    RouterId target;
    unsigned latency_cycles = 1; ///< 1 or more
    unsigned width_bytes = 0;    ///< bytes per cycle; 0 = as wide as a flit of the hardware
    double length = 0;           ///< wire length in grid units; 0 = not known
    unsigned buffer_flits = 0;   ///< of each virtual channel at its end, at most most_buffer_flits; 0 = as
                                 ///< the router there has, or else the hardware
    unsigned vcs = 0;            ///< virtual channels, at most most_vcs; 0 = the same

    friend bool operator==(const Channel&, const Channel&) = default;
};

/// A processor injects into one router and is ejected to from one router: the same one in a direct network or
/// a tree, the first and the last stage in a unidirectional multistage network.
struct Processor {
    RouterId injection;
    RouterId ejection;
    std::string name;

    friend bool operator==(const Processor&, const Processor&) = default;
};

/// Shape of a mesh-like network: router r has the coordinates of r written in the mixed radix `extent`, the
/// first dimension being the most significant digit. What dimension-order routing and grid drawings need.
struct Grid {
    std::vector<unsigned> extent; ///< routers per dimension, each 1 or more
    bool wraps = false;           ///< every dimension closes to a ring (torus)

    friend bool operator==(const Grid&, const Grid&) = default;
};

/// One of several networks on the same tiles (composition.hpp): consecutive routers, and their own shape.
struct Plane {
    RouterId first;
    RouterId routers;
    std::optional<Grid> grid = {};  ///< of these routers, if they have one
    unsigned routers_per_group = 0; ///< as Topology::routers_per_group()

    friend bool operator==(const Plane&, const Plane&) = default;
};

/// What one column of a self-routing multistage network does with the control tag: it leaves through output
/// port (destination / divisor) mod radix, or through any of `radix` ports when `free`. Output port p of a
/// router is its p-th channel in channels_from(), or in the last column its p-th processor in
/// processors_ejected_by().
struct TagDigit {
    unsigned radix;
    unsigned divisor = 1;
    bool free = false;

    friend bool operator==(const TagDigit&, const TagDigit&) = default;
};

/// What passes the flits on: wormhole routers, or crossbar switches, the elements of multistage networks,
/// which find their way by a digit of a tag.
enum class SwitchKind { router, crossbar };

/// Place in a drawing, in units of one router pitch; y grows downwards.
struct Position {
    double x;
    double y;

    friend bool operator==(const Position&, const Position&) = default;
};

/// A directed multigraph of routers with processors attached. A value: generators and readers build it,
/// all other code only reads it. Indices are dense and start at 0; `name()` is the specification that made it
/// (`mesh:4x4`).
class Topology {
public:
    explicit Topology(std::string name) : name_(std::move(name)) {}

    // Building. Each returns the index of what it added.

    /// An empty name stands for the index. std::invalid_argument: another router has it, or it is as `#3`.
    RouterId add_router(std::string name = {}, std::optional<Position> position = std::nullopt);
    /// Throws likewise, and if a router does not exist.
    ProcessorId add_processor(RouterId injection, RouterId ejection, std::string name = {});
    /// A processor of a direct network: it carries its router's name.
    ProcessorId add_processor(RouterId router) { return add_processor(router, router, router_name(router)); }
    /// Throws std::invalid_argument if a router does not exist or the latency is 0. Parallel channels are
    /// welcome.
    ChannelId add_channel(const Channel& channel);
    ChannelId add_channel(RouterId source, RouterId target) { return add_channel(Channel{source, target}); }
    /// Both directions; returns the index of the first, the second is one more.
    ChannelId add_link(RouterId a, RouterId b);

    /// The name of a vertex that has failed, or the index that it had where it has no name: find_router() and
    /// find_processor() find nothing by it, nor by any plain index, as the vertices behind it have moved up.
    /// Does nothing for the name of a vertex that is there.
    void retire_router_name(const std::string& name);
    void retire_processor_name(const std::string& name);
    /// Throws std::invalid_argument unless the grid has one place, in every dimension at least one, for each
    /// router.
    void set_grid(Grid grid);
    /// Throws std::invalid_argument unless the routers are whole groups of so many; 0 for no groups.
    void set_routers_per_group(unsigned routers);
    /// Of planes that do not all have the grid of this. Throws std::invalid_argument unless they are in
    /// ascending order, apart from each other, and of routers that exist, and each grid has a place for each.
    void set_planes(std::vector<Plane> planes);
    void set_tag_digits(std::vector<TagDigit> digits) { tag_digits_ = std::move(digits); }
    void set_switches(SwitchKind kind) { switches_ = kind; }
    /// The router, which has no processor, can hold what comes and send it on several times.
    void set_copying(RouterId router) { copying_[router] = true; }
    void set_default_ports(PortModel ports) { default_ports_ = ports; }
    void set_name(std::string name) { name_ = std::move(name); }
    /// What the router has of its own. Throws std::invalid_argument for a value out of range.
    void set_part(RouterId router, const RouterPart& part);
    /// Other properties of a channel between the same two routers; throws as add_channel().
    void set_channel(ChannelId id, const Channel& channel);

    // Reading.

    const std::string& name() const { return name_; }
    std::size_t router_count() const { return router_names_.size(); }
    std::size_t processor_count() const { return processors_.size(); }
    std::size_t channel_count() const { return channels_.size(); }

    const Channel& channel(ChannelId id) const { return channels_[id]; }
    const Processor& processor(ProcessorId id) const { return processors_[id]; }
    std::span<const Channel> channels() const { return channels_; }
    std::span<const Processor> processors() const { return processors_; }
    const std::string& router_name(RouterId id) const { return router_names_[id]; }

    /// Channels out of (into) a router, in the order of its ports.
    std::span<const ChannelId> channels_from(RouterId id) const { return from_[id]; }
    std::span<const ChannelId> channels_to(RouterId id) const { return to_[id]; }
    /// Processors that inject into (are ejected to from) a router, in the order of its ports.
    std::span<const ProcessorId> processors_injecting_into(RouterId id) const { return injecting_[id]; }
    std::span<const ProcessorId> processors_ejected_by(RouterId id) const { return ejected_[id]; }

    /// The vertex called `text`: a name first, then a decimal index, then `#` and an index (which reaches an
    /// index that some name hides: `10` is row 1, column 0 of mesh:4x4, `#10` its eleventh router). Nothing
    /// if there is none. In a network that has lost some, decimal indices do not count: they would mean
    /// others than in the whole network.
    std::optional<RouterId> find_router(std::string_view text) const;
    std::optional<ProcessorId> find_processor(std::string_view text) const;

    /// Names of the vertices that have failed, in the order of their indices before.
    std::span<const std::string> lost_routers() const { return lost_routers_; }
    std::span<const std::string> lost_processors() const { return lost_processors_; }

    const std::optional<Grid>& grid() const { return grid_; }
    /// Coordinates of a router in grid(); only when there is one.
    std::vector<unsigned> coordinates(RouterId id) const;
    /// Of a network of groups, such as a dragonfly: router r is number r % this of group r / this. 0 for a
    /// network without groups.
    unsigned routers_per_group() const { return routers_per_group_; }
    /// The planes that the network is made of, where grid() does not tell; else empty.
    std::span<const Plane> planes() const { return planes_; }
    /// One digit per column of a self-routing multistage network; empty for every other network.
    std::span<const TagDigit> tag_digits() const { return tag_digits_; }
    /// Crossbars also where a fault has left no tag that leads everywhere.
    SwitchKind switches() const { return switches_; }
    /// Does the router copy, as multicast switches do? The file of the network says so.
    bool copies(RouterId id) const { return copying_[id]; }
    const RouterPart& part(RouterId id) const { return id < parts_.size() ? parts_[id] : no_part; }
    /// Has any router something of its own?
    bool has_router_parts() const { return !parts_.empty(); }
    /// How many messages a processor of this network handles at once unless the user says otherwise.
    PortModel default_ports() const { return default_ports_; }
    /// Where a drawing puts the router; nothing if the layout is left to the drawing tool.
    std::optional<Position> position(RouterId id) const { return positions_[id]; }

    /// Equal in every index, name and property: what a round trip through a file must keep.
    friend bool operator==(const Topology&, const Topology&) = default;

private:
    static constexpr RouterPart no_part{};

    void require_places(const Grid& grid, std::size_t routers) const;
    void check_channel(ChannelId id, const Channel& channel) const;

    std::string name_;
    std::vector<std::string> router_names_;
    std::vector<std::optional<Position>> positions_;
    std::vector<bool> copying_;
    std::vector<RouterPart> parts_; ///< by router, up to the last that has something of its own
    std::vector<Processor> processors_;
    std::vector<Channel> channels_;
    std::vector<std::vector<ChannelId>> from_;
    std::vector<std::vector<ChannelId>> to_;
    std::vector<std::vector<ProcessorId>> injecting_;
    std::vector<std::vector<ProcessorId>> ejected_;
    std::unordered_map<std::string, RouterId> router_by_name_;
    std::unordered_map<std::string, ProcessorId> processor_by_name_;
    std::vector<std::string> lost_routers_;
    std::vector<std::string> lost_processors_;
    std::optional<Grid> grid_;
    unsigned routers_per_group_ = 0;
    std::vector<Plane> planes_;
    std::vector<TagDigit> tag_digits_;
    SwitchKind switches_ = SwitchKind::router;
    PortModel default_ports_ = all_port;
};

/// `router` or `crossbar`; throws std::invalid_argument for anything else.
SwitchKind parse_switch_kind(std::string_view text);
std::string_view to_string(SwitchKind kind);

/// "router 3 (03)", "channel 7 (00->01)" and the like: how messages name a thing.
std::string describe_channel(const Topology& topology, ChannelId id);

/// How large the network is.
NetworkSize size_of(const Topology& topology);

/// Throws std::invalid_argument if the network exceeds largest_pairwise_network: `what` ("schedules") takes
/// memory or time for each pair of its processors or routers.
void require_pairwise_size(const Topology& topology, std::string_view what);

/// How many messages a processor can send (receive) in one step under a port model: k, or as many as its
/// router has channels out (in) when all-port. At least 1.
unsigned send_ports(const Topology& topology, ProcessorId id, PortModel ports);
unsigned receive_ports(const Topology& topology, ProcessorId id, PortModel ports);

} // namespace nocturne
