#include "schedules/design/objective.hpp"

#include "models/measures/bisection.hpp"
#include "models/measures/connectivity.hpp"
#include "models/measures/contention.hpp"
#include "models/measures/fault_latency.hpp"
#include "models/measures/graph.hpp"
#include "models/measures/latency.hpp"
#include "models/measures/path_spread.hpp"
#include "models/measures/wires.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

namespace nocturne::design {
namespace {

/// A candidate as the graph that measures read, with the processors of its request. Time O(nodes + links).
measures::Graph graph_of(const Candidate& candidate)
{
    const Request& request = candidate.request;
    measures::GraphParts parts{.nodes = request.nodes};
    for (const LinkEnds& link : candidate.links) {
        const auto arc = static_cast<measures::ArcId>(parts.arcs.size());
        parts.arcs.push_back({link.a, link.b});
        if (request.kind == LinkKind::one_way) {
            parts.opposites.push_back(measures::no_arc);
            continue;
        }
        parts.arcs.push_back({link.b, link.a});
        parts.opposites.push_back(arc + 1);
        parts.opposites.push_back(arc);
    }
    for (NodeId node = 0; node < request.nodes; ++node)
        for (unsigned processor = 0; processor < request.processors_at(node); ++processor)
            parts.processors.push_back({node, node});
    return measures::Graph(std::move(parts));
}

/// What several terms of a candidate share is measured once.
class Measured {
public:
    explicit Measured(const Candidate& candidate) : candidate_(&candidate), graph_(graph_of(candidate)) {}

    const measures::Graph& graph() const { return graph_; }
    double wire_total() const
    {
        double total = 0;
        for (const LinkEnds& link : candidate_->links)
            total += candidate_->request.wire_length(link.a, link.b);
        return total;
    }
    const measures::HopLatency& latency()
    {
        return once(latency_, [&] { return measures::hop_latency(graph_); });
    }
    const measures::Contention& contention()
    {
        return once(contention_, [&] { return measures::moderate_contention(graph_); });
    }
    const measures::PathSpread& spread()
    {
        return once(spread_, [&] { return measures::path_spread(graph_); });
    }
    const measures::FaultLatency& single_faults()
    {
        return once(single_faults_, [&] { return measures::single_node_faults(graph_); });
    }
    const measures::FaultLatency& random_faults()
    {
        return once(random_faults_, [&] { return measures::random_faults(graph_); });
    }

private:
    template <typename Value, typename Measure>
    static const Value& once(std::optional<Value>& value, const Measure& measure)
    {
        if (!value)
            value = measure();
        return *value;
    }

    const Candidate* candidate_;
    measures::Graph graph_;
    std::optional<measures::HopLatency> latency_;
    std::optional<measures::Contention> contention_;
    std::optional<measures::PathSpread> spread_;
    std::optional<measures::FaultLatency> single_faults_;
    std::optional<measures::FaultLatency> random_faults_;
};

struct TermKind {
    WeightName of;
    double sign; ///< -1: more is better
    double (*value)(Measured&);
};

constexpr std::size_t fast_terms = 3; // those that CostModel has without measuring

constexpr std::array term_kinds{
    TermKind{{"average", "average latency", &Objective::average_latency},
             1,
             [](Measured& of) { return of.latency().average_with_self; }},
    TermKind{{"maximum", "maximum latency", &Objective::maximum_latency},
             1,
             [](Measured& of) { return of.latency().maximum; }},
    TermKind{{"wire", "total wire length", &Objective::wire_total},
             1,
             [](Measured& of) { return of.wire_total(); }},
    TermKind{{"contention-average", "average latency under contention", &Objective::contention_average},
             1,
             [](Measured& of) { return of.contention().average_with_self; }},
    TermKind{{"contention-maximum", "maximum latency under contention", &Objective::contention_maximum},
             1,
             [](Measured& of) { return of.contention().maximum; }},
    TermKind{{"contention-deviation", "deviation of messages on links", &Objective::contention_deviation},
             1,
             [](Measured& of) { return of.contention().link_deviation; }},
    TermKind{{"connectivity", "minimum connectivity", &Objective::connectivity},
             -1,
             [](Measured& of) { return static_cast<double>(measures::smallest_degree(of.graph())); }},
    TermKind{{"bisection", "bisection bandwidth", &Objective::bisection},
             -1,
             [](Measured& of) { return static_cast<double>(measures::bisection(of.graph()).links); }},
    TermKind{{"node-paths", "deviation of paths through nodes", &Objective::node_path_deviation},
             1,
             [](Measured& of) { return of.spread().node_deviation; }},
    TermKind{{"link-paths", "deviation of paths over links", &Objective::link_path_deviation},
             1,
             [](Measured& of) { return of.spread().link_deviation; }},
    TermKind{{"fault-average", "average latency with a node fault", &Objective::single_fault_average},
             1,
             [](Measured& of) { return of.single_faults().average_with_self; }},
    TermKind{{"fault-maximum", "maximum latency with a node fault", &Objective::single_fault_maximum},
             1,
             [](Measured& of) { return of.single_faults().maximum; }},
    TermKind{{"faults-average", "average latency with random faults", &Objective::random_fault_average},
             1,
             [](Measured& of) { return of.random_faults().average_with_self; }},
    TermKind{{"faults-maximum", "maximum latency with random faults", &Objective::random_fault_maximum},
             1,
             [](Measured& of) { return of.random_faults().maximum; }},
};

/// Of these kinds and the extra ones.
std::vector<Term> weighted_terms(const Candidate& candidate, const Objective& objective,
                                 std::span<const TermKind> kinds)
{
    Measured measured(candidate);
    std::vector<Term> terms;
    for (const TermKind& kind : kinds)
        if (const double weight = objective.*kind.of.weight; weight > 0)
            terms.push_back({std::string(kind.of.term), kind.sign * weight, kind.value(measured)});
    for (const ExtraTerm& extra : objective.extra)
        if (extra.weight > 0)
            terms.push_back(
                {extra.name, extra.weight,
                 measured.latency().unreachable_pairs > 0 ? measures::infinite : extra.value(candidate)});
    return terms;
}

} // namespace

std::span<const WeightName> weight_names()
{
    static const std::vector<WeightName> names = [] {
        std::vector<WeightName> all;
        for (const TermKind& kind : term_kinds)
            all.push_back(kind.of);
        return all;
    }();
    return names;
}

std::vector<Term> terms_of(const Candidate& candidate, const Objective& objective)
{
    return weighted_terms(candidate, objective, term_kinds);
}

double cost_of(std::span<const Term> terms)
{
    double cost = 0;
    for (const Term& term : terms)
        cost += term.weight * term.value;
    return std::isfinite(cost) ? cost : measures::infinite;
}

CostModel::CostModel(const Request& request, const Objective& objective)
    : request_(&request), objective_(&objective), has_more_(false)
{
    double processors = 0;
    double ends = 0;
    unsigned smallest = request.degree(0);
    for (NodeId node = 0; node < request.nodes; ++node) {
        processors += request.processors_at(node);
        ends += request.degree(node);
        smallest = std::min(smallest, request.degree(node));
    }
    per_hop_ = objective.average_latency / (processors * processors);
    double sum = 0;
    const auto check = [&](double weight, std::string_view name) {
        if (!std::isfinite(weight) || weight < 0)
            throw std::invalid_argument("design: the weight of " + std::string(name) +
                                        " is below 0 or not finite");
        sum += weight;
    };
    for (const TermKind& kind : term_kinds)
        check(objective.*kind.of.weight, kind.of.term);
    for (const ExtraTerm& term : objective.extra)
        check(term.weight, term.name);
    if (!(sum > 0))
        throw std::invalid_argument("design: all weights are 0");
    for (std::size_t kind = fast_terms; kind < term_kinds.size(); ++kind)
        has_more_ |= objective.*term_kinds[kind].of.weight > 0;
    for (const ExtraTerm& term : objective.extra) {
        has_more_ |= term.weight > 0;
        least_more_per_hop_ += term.weight * term.least_per_hop;
    }
    least_more_ = -objective.connectivity * smallest - objective.bisection * ends;
}

double CostModel::more(std::span<const LinkEnds> links) const
{
    return cost_of(
        weighted_terms({*request_, links}, *objective_, std::span(term_kinds).subspan(fast_terms)));
}

} // namespace nocturne::design
