// The fractional routing of least congestion, and lengths that prove how little it can be.
#pragma once

#include "schedules/flows/congestion_program.hpp"
#include "schedules/flows/evened_load.hpp"
#include "schedules/flows/shortest_walks.hpp"
#include "schedules/problem/search_end.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace nocturne {

/// Lengths of resources in whole numbers, 0 or more.
using Lengths = std::vector<std::int64_t>;

/// What one source sends over a mixture of routings of its own. More groups mix more freely, fewer make a
/// smaller program.
struct FlowGroup {
    ProcessorId source;
    std::vector<WalkDemand> demands;
};

/// "Route all messages, fractionally, so that the most congested resource carries the least", and its dual:
/// under lengths the messages need the sum of their shortest walks, and a step offers the sum of length x
/// capacity; no routing is less congested than the one over the other.
///
/// First approximately: lengths that grow where shortest walks crowd (multiplicative weights: Garg and
/// Könemann, Faster and simpler algorithms for multicommodity flow and other fractional packing problems,
/// FOCS 1998). Then, on small networks, by column generation: a linear program mixes the routings that there
/// are, its prices are lengths, shortest walks under these are new routings. On others a routing is made more
/// and more even (see EvenedLoad). Work is counted, not timed.
class LeastCongestion {
public:
    enum class Goal {
        whole_steps, ///< a proof of the least congestion, rounded up
        exact,       ///< of the congestion itself, up to the precision of floating point
    };

    /// The graph must outlive it. Groups in the order of their sources, which reach all receivers.
    LeastCongestion(const WalkGraph& graph, std::vector<FlowGroup> groups, Goal goal,
                    const SearchEnd& end = {});

    /// What is known already: lengths, or that every routing is at least so congested.
    void consider(Lengths lengths) { keep_better(proof_of(std::move(lengths))); }
    void consider(double congestion) { known_ = std::max(known_, congestion); }

    /// Is the network small enough for linear programs?
    bool is_small() const;
    /// Routes all messages over shortest walks, where a resource is as long as a message takes on it.
    void route_once();
    /// Searches until flow and lengths meet, the work is done, or the end comes.
    void search();
    /// The smallest lengths that prove the same steps.
    void simplify();

    /// The best so far.
    const Lengths& lengths() const { return best_.lengths; }
    /// At least so congested is every routing.
    double bound() const { return std::max(known_, best_.congestion()); }
    /// So congested is the flow.
    double congestion() const { return congestion_; }
    /// Has anything been routed? Not if the end came first.
    bool has_flow() const { return !routings_.empty(); }
    /// What a group sends, by resource.
    std::vector<double> flow(std::size_t group) const;

private:
    using Routings = std::vector<std::vector<Load>>; // by group

    /// What lengths prove.
    struct Proof {
        Lengths lengths;
        double distance = 0; // whole numbers, as lengths are
        double capacity = 1;

        double congestion() const { return distance / capacity; }
    };

    bool begins_source(std::size_t group) const
    {
        return group == 0 || groups_[group].source != groups_[group - 1].source;
    }
    std::uint64_t work() const;
    template <typename Visit>
    Proof pass(Lengths lengths, Visit visit);
    Proof proof_of(Lengths lengths);
    void keep_better(Proof proof);
    bool proves(double congestion) const;
    Routings route(const std::vector<double>& weights);
    std::vector<double> congestion_of(const Routings& routings) const;
    std::vector<double> first_weights() const;
    bool spread();
    void solve_program();
    void even_out();

    const WalkGraph& graph_;
    std::vector<FlowGroup> groups_;
    Goal goal_;
    SearchEnd end_;
    ShortestWalks walks_;
    Proof best_;
    double known_ = 0;
    double congestion_ = 0;
    std::vector<Routings> routings_;   // for the program to mix, where there is one; otherwise the last
    std::vector<double> shares_;       // of the routings, one group after the other; none: all is the last's
    std::optional<EvenedLoad> evened_; // the flow, if there is one
};

} // namespace nocturne
