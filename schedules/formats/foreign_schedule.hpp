// A schedule out of a file of another tool, and what its readers share.
#pragma once

#include "schedules/chunks/chunk_validator.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace nocturne {

struct ForeignSchedule {
    ChunkedSchedule schedule;
    /// Where each transfer is in the file: `line 12`, `step 3, send 7`.
    std::vector<std::string> places;
    /// What the format asks for and the validator knows nothing of.
    std::vector<ChunkViolation> violations = {};
};

/// Ways of what a file sends from one processor to another without saying over which links.
class ProcessorPaths {
public:
    explicit ProcessorPaths(const LinkNetwork& network) : network_(network) {}
    /// The link, or the shortest way over switches; of parallel links the first. Empty if there is none: that
    /// is for the validator.
    const std::vector<LinkId>& between(NodeId source, NodeId destination);

private:
    const LinkNetwork& network_;
    std::map<std::pair<NodeId, NodeId>, std::vector<LinkId>> paths_;
};

/// From each of these nodes to the next over one link, of parallel ones the first; empty where there is none.
std::vector<LinkId> path_over(const LinkNetwork& network, const std::vector<NodeId>& nodes);

} // namespace nocturne
