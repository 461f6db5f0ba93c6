// A schedule out of a file of another tool, and what its readers share.
#pragma once

#include "schedules/schedule/chunk_time.hpp"
#include "schedules/schedule/validator.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace nocturne {

struct ForeignSchedule {
    Schedule schedule;
    /// Where each transfer is in the file: `line 12`, `step 3, send 7`.
    std::vector<std::string> places;
    /// What the format asks for and the validator knows nothing of.
    std::vector<Violation> violations = {};
    bool order_is_open = false; ///< the file does not say in which order links carry what they carry
    std::uint32_t chosen_paths =
        0; ///< of transfers whose links the file leaves open: there were others as short
};

/// With the network that it is for.
struct ReadSchedule {
    ForeignSchedule foreign;
    LinkNetwork network;
};

/// Finds an order in which links carry the transfers: each starts as soon as it can; of several first what
/// has most behind it, or what has waited longest. Takes what is faster at that cost, or leaves the order as
/// it is. Preconditions: valid, under dependencies.
void order_links(Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost);

/// Ways of what a file sends from one processor to another without saying over which links.
class ProcessorPaths {
public:
    explicit ProcessorPaths(const LinkNetwork& network) : network_(network), load_(network.link_count(), 0) {}
    /// A shortest path that crosses switches only, whose fullest link carries least of what was asked for
    /// before: the same nodes for the same processors, and of parallel links the one that carries least.
    /// Empty if there is none: that is for the validator.
    std::vector<LinkId> between(NodeId source, NodeId destination);
    /// For how many of the paths that were asked for there were others as short.
    std::uint32_t chosen() const { return chosen_; }

private:
    struct NodePath {
        std::vector<NodeId> nodes;
        bool is_choice = false;
    };
    NodePath find(NodeId source, NodeId destination) const;

    const LinkNetwork& network_;
    std::vector<double> load_; ///< transfers over the width, by link
    std::map<std::pair<NodeId, NodeId>, NodePath> paths_;
    std::uint32_t chosen_ = 0;
};

/// From each of these nodes to the next over one link, of parallel ones the first; empty where there is none.
std::vector<LinkId> path_over(const LinkNetwork& network, const std::vector<NodeId>& nodes);

} // namespace nocturne
