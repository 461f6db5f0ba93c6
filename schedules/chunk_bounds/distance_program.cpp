#include "schedules/chunk_bounds/chunk_bounds.hpp"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>
#include <map>

namespace nocturne {
namespace {

/// Weight owed from one processor to another.
using Traffic = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;

std::optional<Traffic> traffic_of(const ChunkedCollective& collective)
{
    std::vector<bool> is_owed(collective.chunks.size(), false);
    Traffic traffic;
    for (const ChunkDemand& demand : collective.demands) {
        const Chunk& chunk = collective.chunks[demand.chunk];
        if (is_owed[demand.chunk] || chunk.contributors.size() != 1)
            return std::nullopt;
        is_owed[demand.chunk] = true;
        traffic[{chunk.contributors.front(), demand.receiver}] += chunk.weight;
    }
    return traffic;
}

/// The columns are the links' lengths, then for each source the distances of all nodes.
class DistanceProgram {
public:
    DistanceProgram(const LinkNetwork& network, const Traffic& traffic) : network_(network)
    {
        for (const auto& [pair, weight] : traffic)
            if (sources_.empty() || sources_.back() != pair.first)
                sources_.push_back(pair.first);
        const auto columns = network.link_count() + sources_.size() * network.node_count();
        model_.setLogLevel(0);
        model_.resize(0, static_cast<int>(columns));
        model_.setOptimizationDirection(-1);
        for (int column = 0; column < static_cast<int>(columns); ++column)
            model_.setColumnBounds(column, 0, COIN_DBL_MAX);
        for (std::size_t i = 0; i < sources_.size(); ++i)
            model_.setColumnUpper(distance(i, sources_[i]), 0);
        std::size_t source = 0;
        for (const auto& [pair, weight] : traffic) {
            source += sources_[source] != pair.first ? 1 : 0;
            model_.setObjectiveCoefficient(distance(source, pair.second), weight);
        }
        add_rows();
    }

    /// Lengths that are optimal up to rounding, the largest 1; empty if some distance has no limit.
    std::vector<double> solve()
    {
        model_.dual();
        if (!model_.isProvenOptimal())
            return {};
        const double* solution = model_.getColSolution();
        std::vector<double> lengths(solution, solution + network_.link_count());
        const double longest = *std::max_element(lengths.begin(), lengths.end());
        for (double& length : lengths)
            length = longest > 0 ? std::max(length / longest, 0.0) : 0;
        return lengths;
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

} // namespace

std::optional<ChunkBound> best_lengths(const LinkNetwork& network, const ChunkedCollective& collective)
{
    constexpr std::size_t most_rows = 100'000;
    const std::optional<Traffic> traffic = traffic_of(collective);
    if (!traffic || traffic->empty() || network.link_count() == 0 ||
        network.link_count() * network.processor_count() > most_rows)
        return std::nullopt;
    const std::vector<double> lengths = DistanceProgram(network, *traffic).solve();
    std::optional<ChunkBound> best;
    // Optimal lengths are fractions with a small denominator as a rule; the last is for those that are not.
    for (const double scale : {1., 2., 3., 4., 5., 6., 8., 10., 12., 20., 24., 60., 120., 840., 1e6}) {
        ChunkBound bound{.kind = ChunkBoundKind::lengths, .rounds = {}};
        for (const double length : lengths)
            bound.lengths.push_back(static_cast<std::uint64_t>(std::llround(length * scale)));
        if (lengths.empty())
            return std::nullopt;
        const std::optional<Ratio> rounds = proven_rounds(bound, network, collective);
        if (!rounds)
            return std::nullopt;
        bound.rounds = *rounds;
        if (!best || best->rounds < bound.rounds)
            best = std::move(bound);
    }
    return best;
}

} // namespace nocturne
