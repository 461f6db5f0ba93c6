// What a design is judged by: weighted terms, of which the least sum is looked for.
#pragma once

#include "schedules/design/hop_levels.hpp"
#include "schedules/design/request.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne::design {

/// A network that has been proposed.
struct Candidate {
    const Request& request;
    std::span<const LinkEnds> links;
};

/// A term that only its user knows, such as a bound on the steps of a schedule.
struct ExtraTerm {
    std::string name;
    double weight = 1;
    /// Called for candidates that are connected, in the worker processes too. It should never be below 0:
    /// then candidates that are too bad without it need not be asked about.
    std::function<double(const Candidate&)> value;
    /// The value is never below this times the sum of the hops of all pairs: candidates that are too bad with
    /// that need not be asked about either. 0 or more.
    double least_per_hop = 0;
};

/// cost = average_latency * (average latency) + maximum_latency * (maximum latency) + ...: a weight for each
/// term (Marden, A Genetic Algorithm for Designing Parallel Processor Interconnection Networks, sections 2.3,
/// 4.1 and 6). Terms of weight 0 are not computed. Weights are 0 or more.
struct Objective {
    double average_latency = 1;      ///< hops, each processor with itself among the pairs
    double maximum_latency = 1;      ///< hops
    double wire_total = 0;           ///< length of all wires together
    double contention_average = 0;   ///< hops under moderate contention
    double contention_maximum = 0;   ///< hops
    double contention_deviation = 0; ///< messages on a channel, sample standard deviation
    double connectivity = 0; ///< smallest number of links at a node; more is better: enters with a minus
    double bisection = 0;    ///< links between two halves; more is better: enters with a minus
    double node_path_deviation = 0;  ///< paths through a node, standard deviation
    double link_path_deviation = 0;  ///< paths over a channel, standard deviation
    double single_fault_average = 0; ///< hops, over all single node faults
    double single_fault_maximum = 0; ///< hops
    double random_fault_average = 0; ///< hops, over twenty draws of 5 % of the nodes and links
    double random_fault_maximum = 0; ///< hops
    std::vector<ExtraTerm> extra = {};
};

/// A weight by the name that users give it.
struct WeightName {
    std::string_view name; ///< `average`
    std::string_view term; ///< what is weighted: `average latency`
    double Objective::* weight;
};

/// All of them, in the order of Objective.
std::span<const WeightName> weight_names();

/// A term of the cost that has a weight.
struct Term {
    std::string name; ///< `average latency`
    double weight;    ///< below 0 where more is better
    double value;     ///< infinite where the network is not connected and that matters

    friend bool operator==(const Term&, const Term&) = default;
};

/// All terms of a network that have weights, in the order of Objective. Measured with models/measures.
std::vector<Term> terms_of(const Candidate& candidate, const Objective& objective);
/// The sum of weight * value; infinite if a value is.
double cost_of(std::span<const Term> terms);

/// The terms of hops and wires as a function of what a search counts, and what remains.
class CostModel {
public:
    /// Both must outlive this. Throws std::invalid_argument for a weight below 0 or not finite, and if all
    /// are 0.
    CostModel(const Request& request, const Objective& objective);

    /// Of hops and wires alone, which are faster had than by terms_of().
    double cost(const HopTotals& hops, double wire_total) const
    {
        return per_hop_ * static_cast<double>(hops.sum) + objective_->maximum_latency * hops.maximum +
               objective_->wire_total * wire_total;
    }
    /// The limit for hops at which the cost, with what the other terms are at least, is `most`.
    HopLimit limit(double most, double wire_total) const
    {
        return {.per_hop = per_hop_ + least_more_per_hop_,
                .per_level = objective_->maximum_latency,
                .most = most - least_more_ - objective_->wire_total * wire_total};
    }
    /// Are there other terms than those?
    bool has_more() const { return has_more_; }
    /// Those other terms of a connected network.
    double more(std::span<const LinkEnds> links) const;

private:
    const Request* request_;
    const Objective* objective_;
    double per_hop_;
    bool has_more_;
    double least_more_ = 0; ///< what the other terms are at least, beside their share of the hops
    double least_more_per_hop_ = 0;
};

} // namespace nocturne::design
