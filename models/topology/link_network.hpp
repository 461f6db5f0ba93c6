// A network as chunks see it: nodes that hold data or only pass it on, and links with bandwidth and latency.
#pragma once

#include "models/topology/topology.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nocturne {

using NodeId = std::uint32_t;
using LinkId = std::uint32_t;

enum class NodeKind {
    processor,      ///< has contributions and receives; holds, copies and adds
    copying_switch, ///< holds and copies what came, as multicast switches do; has no contribution of its own
    plain_switch,   ///< holds nothing: chunks cross it on a path of several links
};

/// One direction of a wire. A link of 50 bytes a cycle and 700 cycles has 50 GB/s and 0.7 us at 1 GHz.
struct NetworkLink {
    NodeId source;
    NodeId target;
    std::uint64_t bytes_per_cycle; ///< 1 or more
    std::uint64_t latency_cycles;  ///< 0 or more
    /// The topology's channel; none where a processor that shares its router, or has two, enters and leaves.
    std::optional<ChannelId> channel = std::nullopt;

    friend bool operator==(const NetworkLink&, const NetworkLink&) = default;
};

/// A directed multigraph of nodes. Node p is processor p; switches follow. A value like Topology.
class LinkNetwork {
public:
    /// `processors` nodes without links, named by their numbers.
    LinkNetwork(std::string name, std::uint32_t processors);

    /// Throws std::invalid_argument for NodeKind::processor.
    NodeId add_switch(NodeKind kind, std::string name);
    /// Throws std::invalid_argument if a node does not exist, source and target are the same, or the
    /// bandwidth is 0.
    LinkId add_link(const NetworkLink& link);
    /// One link each way; returns the first, the second is one more.
    LinkId add_links(NodeId a, NodeId b, std::uint64_t bytes_per_cycle, std::uint64_t latency_cycles);
    void set_node_name(NodeId node, std::string name) { names_[node] = std::move(name); }

    const std::string& name() const { return name_; }
    std::uint32_t processor_count() const { return processors_; }
    std::size_t node_count() const { return kinds_.size(); }
    std::size_t link_count() const { return links_.size(); }
    NodeKind kind(NodeId node) const { return kinds_[node]; }
    const std::string& node_name(NodeId node) const { return names_[node]; }
    const NetworkLink& link(LinkId id) const { return links_[id]; }
    std::span<const NetworkLink> links() const { return links_; }
    std::span<const LinkId> links_from(NodeId node) const { return from_[node]; }
    std::span<const LinkId> links_to(NodeId node) const { return to_[node]; }

    /// Greatest common divisor of the bandwidths: one unit. 1 if there are no links.
    std::uint64_t unit_bytes_per_cycle() const { return unit_; }
    /// How many chunks of unit weight a link carries in a round: its bandwidth in units.
    std::uint64_t units(LinkId id) const { return links_[id].bytes_per_cycle / unit_; }

    friend bool operator==(const LinkNetwork&, const LinkNetwork&) = default;

private:
    std::string name_;
    std::uint32_t processors_;
    std::vector<NodeKind> kinds_;
    std::vector<std::string> names_;
    std::vector<NetworkLink> links_;
    std::vector<std::vector<LinkId>> from_;
    std::vector<std::vector<LinkId>> to_;
    std::uint64_t unit_ = 1;
};

/// What a topology's file leaves open.
struct LinkDefaults {
    std::uint64_t bytes_per_cycle = 4;      ///< of a channel without a width, and of injection and ejection
    std::uint64_t local_latency_cycles = 0; ///< of injection and ejection links

    friend bool operator==(const LinkDefaults&, const LinkDefaults&) = default;
};

/// Has the topology links whose width LinkDefaults gives?
bool has_open_widths(const Topology& topology);

/// A router that one processor both injects into and is ejected from, and no other processor uses, is one
/// node with it: its links are the processor's. Every other router is a switch, copying if the topology says
/// so of it, and its processors hang on it by injection and ejection links of their own.
LinkNetwork link_network_of(const Topology& topology, const LinkDefaults& defaults = {});

/// The network as a graph of routers, one a node, with its links as channels: link_network_of() gives it
/// back, but that a channel takes a cycle at least, and a switch that is called as another node has no name.
/// Throws std::invalid_argument for a width or latency of more than 32 bits.
Topology topology_of(const LinkNetwork& network);

/// The link from one node to another, if there is just one.
std::optional<LinkId> only_link(const LinkNetwork& network, NodeId source, NodeId destination);

/// "3>7", with the nodes' names: how messages name a link.
std::string describe_link(const LinkNetwork& network, LinkId id);

} // namespace nocturne
