// The fractional routing of least congestion, and the lengths that prove how little that can be.
#pragma once

#include "schedules/flows/congestion_program.hpp"
#include "schedules/flows/evened_load.hpp"
#include "schedules/flows/shortest_walks.hpp"
#include "schedules/problem/search_end.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// What is routed together.
struct WalkGroup {
    ProcessorId source;
    std::vector<WalkDemand> demands;
};

/// How near bound and congestion have to be.
enum class CongestionPrecision {
    whole_steps, ///< the bound, rounded up, is the congestion, rounded up
    exact,       ///< but for the precision of floating point
};

/// By resource, 0 or more. The shortest walks of all messages are `distance` long under them, and a step (or
/// round) offers `capacity`: no routing takes less than distance / capacity.
struct LengthsProof {
    std::vector<std::int64_t> lengths;
    std::int64_t distance = 0;
    std::int64_t capacity = 1;

    std::int64_t steps() const { return (distance + capacity - 1) / capacity; }
    double congestion() const { return static_cast<double>(distance) / static_cast<double>(capacity); }
};

/// The linear program "route all demands, fractionally, so that the most congested resource carries the
/// least" (Shahrokhi and Matula, The maximum concurrent flow problem, JACM 37, 1990), and its dual, from
/// rough to exact: multiplicative weights, a potential of all loads, column generation. Callers choose what
/// is worth its time; each step goes on from what there is, and ends at once where bound and congestion meet.
/// Lengths are whole numbers, so that what they prove is exact whatever the program says.
class LeastCongestion {
public:
    using Lengths = std::vector<std::int64_t>;
    using Loads = std::vector<Load>;

    /// Groups of one source are neighbours. The graph must outlive it; all receivers are reached.
    LeastCongestion(const WalkGraph& graph, std::vector<WalkGroup> groups, CongestionPrecision precision,
                    const SearchEnd& end);

    /// Keeps what these lengths prove, if that is most.
    void consider(const Lengths& lengths);

    /// Multiplicative weights (Garg and Könemann, Faster and simpler algorithms for multicommodity flow and
    /// other fractional packing problems, FOCS 1998): where shortest walks crowd, lengths grow. The mean of
    /// the later routings is the mixture. So many times at most, once at least, unless the end comes.
    void follow_weights(unsigned most_rounds);
    /// Frank and Wolfe's algorithm, a group at a time: it moves a part of its messages to what are the
    /// shortest walks by now, under prices that become steeper round by round, until bound and congestion
    /// are close, or its walks have looked at so many arcs. Begins with the last routing of
    /// follow_weights(). A second is worth some ten millions.
    void even_out(std::uint64_t most_work);
    /// Column generation: the program mixes the routings that there are, its prices are lengths, shortest
    /// walks under these are new routings. Under prices near those that prove most, new routings are better
    /// (Wentges, Weighted Dantzig-Wolfe decomposition for linear mixed-integer programming, International
    /// Transactions in Operational Research 4, 1997). Until both meet, or CongestionProgram::work() is more:
    /// a second is worth half a million.
    void solve_program(std::uint64_t most_work);
    /// The smallest lengths that prove the same steps.
    void simplify();

    const LengthsProof& proof() const { return best_; }
    /// Are bound and congestion as near as asked for?
    bool is_settled() const { return proves(congestion_); }
    /// Of the best mixture; infinity if there is none.
    double congestion() const { return congestion_; }
    /// What that puts on resources, by group; one resource may come several times. There must be one.
    std::vector<Loads> flows() const;

    /// Arcs that shortest walks from all sources look at.
    std::uint64_t work() const { return work_; }

private:
    struct Routing {
        std::size_t group;
        Loads loads;
    };

    bool proves(double congestion) const;
    bool begins_source(std::size_t group) const
    {
        return group == 0 || groups_[group].source != groups_[group - 1].source;
    }
    template <typename Visit>
    void measure(Lengths lengths, Visit visit);
    Lengths rounded(const std::vector<double>& weights, std::int64_t longest) const;
    std::vector<Routing> route(const std::vector<double>& weights);
    std::vector<double> congestion_of(std::span<const Routing> routings) const;
    void keep_round(std::vector<Routing> round);
    void take_mean(std::size_t rounds);
    std::vector<double> between(const std::vector<double>& prices, double share_of_best) const;
    std::size_t add_cheaper(CongestionProgram& program, const CongestionProgram::Solution& solution,
                            std::vector<Routing> routings);

    const WalkGraph& graph_;
    std::vector<WalkGroup> groups_;
    CongestionPrecision precision_;
    SearchEnd end_;
    std::int64_t finest_; ///< the longest of rounded lengths
    std::uint64_t work_ = 0;
    ShortestWalks walks_;
    LengthsProof best_;
    std::vector<Routing> routings_; ///< found on the way, for the program to mix
    std::vector<double> shares_;    ///< by routing, in the best mixture; empty if that is evened_
    std::optional<EvenedLoad> evened_;
    double congestion_;
};

} // namespace nocturne
