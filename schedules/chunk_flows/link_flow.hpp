// How to spread what processors owe each other over the links, so that the fullest link is as empty as it can
// be.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/flows/least_congestion.hpp"
#include "schedules/problem/search_end.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// What one processor owes another one: a weight of 1 or more.
struct PairDemand {
    std::uint32_t source;
    std::uint32_t receiver; ///< not the source
    std::uint64_t weight;
};

struct PathShare {
    std::vector<LinkId> path; ///< from source to receiver, no node twice
    double weight;
};

struct LinkFlow {
    /// Load of the fullest link over its units.
    double rounds;
    std::vector<std::vector<PathShare>> shares; ///< by demand, adding up to its weight; largest first
    /// No flow takes fewer rounds, up to the precision of floating point: a bound on how far this one is from
    /// the least congestion.
    double least_rounds = 0;
};

/// What pairs of processors owe each other, as a flow over links. Flows from one source to several receivers,
/// or, if these are fewer, from several sources to one receiver, are one until they are taken apart into
/// paths.
class PairFlow {
public:
    /// Precondition: no pair twice, processors exist, there are links and demands. The network must outlive
    /// it.
    PairFlow(const LinkNetwork& network, std::span<const PairDemand> demands, const SearchEnd& end);

    /// Can all receivers be reached? Otherwise there is nothing to search for.
    bool is_possible() const { return is_possible_; }
    /// Resources are the links. A link of b units is 1/b long at first.
    LeastCongestion& congestion() { return congestion_; }
    const LeastCongestion& congestion() const { return congestion_; }
    /// The flow of congestion(), which has one.
    LinkFlow flow() const;
    /// The same paths in a mixture of few of them, which is easier to round: a vertex of the linear program.
    /// Others keep a share of 0.
    void concentrate(LinkFlow& flow, const SearchEnd& end) const;

private:
    std::vector<FlowGroup> make_groups();

    bool is_turned_;
    LinkNetwork network_; ///< turned round if receivers are fewer than sources
    WalkGraph graph_;
    std::vector<PairDemand> demands_; ///< likewise, in the order of their sources
    std::vector<std::size_t> places_; ///< of these in what was asked for
    std::vector<std::size_t> first_;  ///< of the demands of a group; and the end
    LeastCongestion congestion_;
    bool is_possible_ = true;
};

enum class FlowEffort {
    shortest, ///< over shortest paths
    full,     ///< the multicommodity flow of least congestion (Shahrokhi and Matula, The maximum concurrent
              ///< flow problem, JACM 37, 1990), as far as LeastCongestion finds it
};

/// At the end the best so far. Nothing if a receiver cannot be reached, nothing is owed, or the end comes
/// before anything is routed.
std::optional<LinkFlow> link_flow(const LinkNetwork& network, std::span<const PairDemand> demands,
                                  FlowEffort effort, const SearchEnd& end = {});

} // namespace nocturne
