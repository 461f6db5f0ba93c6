#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_bounds/pair_traffic.hpp"
#include "schedules/chunk_flows/end_watcher.hpp"
#include "schedules/chunk_flows/priced_flow.hpp"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <span>

namespace nocturne {
namespace {

/// The columns are the links' lengths, then for each source the distances of all nodes.
class DistanceProgram {
public:
    DistanceProgram(const LinkNetwork& network, std::span<const PairDemand> demands, const SearchEnd& end)
        : network_(network)
    {
        for (const PairDemand& demand : demands)
            if (sources_.empty() || sources_.back() != demand.source)
                sources_.push_back(demand.source);
        const auto columns = network.link_count() + sources_.size() * network.node_count();
        watch(model_, end);
        model_.setLogLevel(0);
        model_.resize(0, static_cast<int>(columns));
        model_.setOptimizationDirection(-1);
        for (int column = 0; column < static_cast<int>(columns); ++column)
            model_.setColumnBounds(column, 0, COIN_DBL_MAX);
        for (std::size_t i = 0; i < sources_.size(); ++i)
            model_.setColumnUpper(distance(i, sources_[i]), 0);
        std::size_t source = 0;
        for (const PairDemand& demand : demands) {
            source += sources_[source] != demand.source ? 1 : 0;
            model_.setObjectiveCoefficient(distance(source, demand.receiver),
                                           static_cast<double>(demand.weight));
        }
        add_rows();
    }

    /// Lengths that are optimal up to rounding; empty if some distance has no limit, or the end has come.
    std::vector<double> solve()
    {
        model_.dual();
        if (!model_.isProvenOptimal())
            return {};
        const double* solution = model_.getColSolution();
        return {solution, solution + network_.link_count()};
    }

private:
    int distance(std::size_t source, NodeId node) const
    {
        return static_cast<int>(network_.link_count() + source * network_.node_count() + node);
    }

    /// All links together have one unit of length times capacity; a distance grows by a link's length at
    /// most.
    void add_rows()
    {
        std::vector<int> starts{0};
        std::vector<int> columns;
        std::vector<double> values;
        for (LinkId id = 0; id < network_.link_count(); ++id) {
            columns.push_back(static_cast<int>(id));
            values.push_back(static_cast<double>(network_.units(id)));
        }
        starts.push_back(static_cast<int>(columns.size()));
        for (std::size_t source = 0; source < sources_.size(); ++source)
            for (LinkId id = 0; id < network_.link_count(); ++id) {
                columns.insert(columns.end(),
                               {distance(source, network_.link(id).target),
                                distance(source, network_.link(id).source), static_cast<int>(id)});
                values.insert(values.end(), {1, -1, -1});
                starts.push_back(static_cast<int>(columns.size()));
            }
        const std::vector<double> lower(starts.size() - 1, -COIN_DBL_MAX);
        std::vector<double> upper(starts.size() - 1, 0);
        upper.front() = 1;
        model_.addRows(static_cast<int>(lower.size()), lower.data(), upper.data(), starts.data(),
                       columns.data(), values.data());
    }

    const LinkNetwork& network_;
    std::vector<std::uint32_t> sources_;
    ClpSimplex model_;
};

/// Certificates, of which the best is kept as far as it is proven.
class PairBounds {
public:
    PairBounds(const LinkNetwork& network, const Collective& collective)
        : network_(network), collective_(collective)
    {
    }

    void keep(Certificate certificate)
    {
        auto bound = proven_bound(std::move(certificate), network_, collective_);
        if (bound && (!best_ || best_->rounds < bound->rounds))
            best_ = std::move(bound);
    }

    /// Lengths in whole numbers, the longest at least 1. Optimal ones are fractions with a small denominator
    /// as a rule; the last scale is for those that are not.
    void keep_lengths(const std::vector<double>& lengths, std::span<const double> scales)
    {
        const double longest = *std::max_element(lengths.begin(), lengths.end());
        for (const double scale : scales) {
            std::vector<std::uint64_t> whole;
            for (const double length : lengths)
                whole.push_back(longest > 0 ? static_cast<std::uint64_t>(
                                                  std::llround(std::max(length, 0.0) / longest * scale))
                                            : 0);
            const std::uint64_t divisor =
                std::accumulate(whole.begin(), whole.end(), std::uint64_t{0},
                                [](std::uint64_t a, std::uint64_t b) { return std::gcd(a, b); });
            for (std::uint64_t& length : whole)
                length /= std::max<std::uint64_t>(divisor, 1);
            if (tried_.insert(whole).second)
                keep(LinkLengths{std::move(whole)});
        }
    }

    bool proves(double rounds) const
    {
        constexpr double tolerance = 1e-6; // the program's
        return best_ && static_cast<double>(best_->rounds.numerator) >=
                            rounds * (1 - tolerance) * static_cast<double>(best_->rounds.denominator);
    }

    bool is_empty() const { return !best_; }
    std::optional<Bound> take() { return std::move(best_); }

private:
    const LinkNetwork& network_;
    const Collective& collective_;
    std::optional<Bound> best_;
    std::set<std::vector<std::uint64_t>> tried_; ///< lengths: times a factor they prove the same
};

constexpr std::array small_scales{1., 2., 3., 4., 5., 6., 8., 10., 12., 20., 24., 60., 120., 840., 1e6};
constexpr std::array fine_scale{1e6};

/// Links are as long as a byte takes on them.
std::vector<double> lengths_by_width(const LinkNetwork& network)
{
    std::vector<double> lengths;
    for (const NetworkLink& link : network.links())
        lengths.push_back(1 / static_cast<double>(link.bytes_per_cycle));
    return lengths;
}

} // namespace

std::optional<Bound> best_lengths(const LinkNetwork& network, const Collective& collective,
                                  const SearchEnd& end)
{
    constexpr std::size_t most_rows = 8'000; // of the program: a second
    const std::optional<OwedPairs> owed = owed_pairs(collective);
    if (!owed || owed->demands.empty() || network.link_count() == 0)
        return std::nullopt;
    PairBounds bounds(network, collective);
    bounds.keep_lengths(lengths_by_width(network), small_scales);
    if (bounds.is_empty())
        return std::nullopt; // something is infinitely far
    TrafficMatrix traffic(network.processor_count(), std::vector<double>(network.processor_count(), 0));
    std::size_t sources = 0;
    for (const PairDemand& demand : owed->demands) {
        sources += &demand == &owed->demands.front() || (&demand - 1)->source != demand.source ? 1 : 0;
        traffic[demand.source][demand.receiver] = static_cast<double>(demand.weight);
    }
    if (auto cut = best_swept_cut(network, traffic); !cut.empty())
        bounds.keep(NodeCut{std::move(cut)});
    const auto priced = nearly_least_congested_flow(network, owed->demands, 60, end);
    if (priced && !bounds.proves(priced->flow.rounds))
        bounds.keep_lengths(priced->lengths, fine_scale);
    const bool is_settled = !priced || bounds.proves(priced->flow.rounds) || end.has_come();
    if (!is_settled && network.link_count() * sources <= most_rows)
        if (const auto lengths = DistanceProgram(network, owed->demands, end).solve(); !lengths.empty())
            bounds.keep_lengths(lengths, small_scales);
    return bounds.take();
}

} // namespace nocturne
