#include "schedules/chunk_flows/link_flow.hpp"

#include "schedules/chunk_flows/end_watcher.hpp"

#include <ClpSimplex.hpp>
#include <algorithm>

namespace nocturne {
namespace {

constexpr double least_flow = 1e-7; // what the program may leave where nothing flows

/// Variables: column 0 is the congestion, then a column for each pair of source and link. Rows: the links,
/// then a balance for each pair of source and node.
class FlowProgram {
public:
    FlowProgram(const LinkNetwork& network, std::span<const PairDemand> demands) : network_(network)
    {
        source_index_.assign(network.processor_count(), 0);
        for (const PairDemand& demand : demands)
            sources_.push_back(demand.source);
        std::sort(sources_.begin(), sources_.end());
        sources_.erase(std::unique(sources_.begin(), sources_.end()), sources_.end());
        for (std::size_t k = 0; k < sources_.size(); ++k)
            source_index_[sources_[k]] = k;
    }

    std::size_t row_count() const { return network_.link_count() + sources_.size() * network_.node_count(); }
    std::span<const std::uint32_t> sources() const { return sources_; }

    void build(std::span<const PairDemand> demands, const SearchEnd& end)
    {
        watch(model_, end);
        model_.setLogLevel(0);
        model_.resize(static_cast<int>(row_count()), 0);
        for (LinkId id = 0; id < network_.link_count(); ++id)
            model_.setRowBounds(static_cast<int>(id), -COIN_DBL_MAX, 0);
        for (std::size_t k = 0; k < sources_.size(); ++k)
            for (NodeId node = 0; node < network_.node_count(); ++node)
                // What leaves the source follows from the rest.
                model_.setRowBounds(balance_row(k, node), node == sources_[k] ? -COIN_DBL_MAX : 0,
                                    node == sources_[k] ? COIN_DBL_MAX : 0);
        for (const PairDemand& demand : demands) {
            const int row = balance_row(source_index_[demand.source], demand.receiver);
            const auto weight = static_cast<double>(demand.weight);
            model_.setRowBounds(row, weight, weight);
        }
        add_columns();
    }

    /// Nothing if there is no solution in time.
    std::optional<double> least_congestion()
    {
        model_.primal(); // a tenth of the time of the dual simplex on meshes
        if (!model_.isProvenOptimal())
            return std::nullopt;
        return model_.objectiveValue();
    }

    bool shorten(double congestion)
    {
        model_.setColUpper(0, congestion * (1 + 1e-9));
        model_.setObjectiveCoefficient(0, 0);
        for (std::size_t k = 0; k < sources_.size(); ++k)
            for (LinkId id = 0; id < network_.link_count(); ++id)
                model_.setObjectiveCoefficient(column(k, id), 1.0 / static_cast<double>(network_.units(id)));
        model_.primal();
        return model_.isProvenOptimal();
    }

    /// What flows over each link from the k-th source.
    std::vector<double> flow_from(std::size_t k) const
    {
        const double* const values = model_.getColSolution();
        std::vector<double> flow(network_.link_count());
        for (LinkId id = 0; id < flow.size(); ++id)
            flow[id] = values[column(k, id)];
        return flow;
    }

private:
    int balance_row(std::size_t k, NodeId node) const
    {
        return static_cast<int>(network_.link_count() + k * network_.node_count() + node);
    }
    int column(std::size_t k, LinkId id) const
    {
        return static_cast<int>(1 + k * network_.link_count() + id);
    }

    void add_columns()
    {
        std::vector<int> starts{0}, rows;
        std::vector<double> values, objective{1};
        const auto add = [&](int row, double value) {
            rows.push_back(row);
            values.push_back(value);
        };
        for (LinkId id = 0; id < network_.link_count(); ++id)
            add(static_cast<int>(id), -static_cast<double>(network_.units(id)));
        starts.push_back(static_cast<int>(rows.size()));
        for (std::size_t k = 0; k < sources_.size(); ++k)
            for (LinkId id = 0; id < network_.link_count(); ++id) {
                add(static_cast<int>(id), 1);
                add(balance_row(k, network_.link(id).source), -1);
                add(balance_row(k, network_.link(id).target), 1);
                starts.push_back(static_cast<int>(rows.size()));
                objective.push_back(0);
            }
        const std::vector<double> lower(objective.size(), 0), upper(objective.size(), COIN_DBL_MAX);
        model_.addColumns(static_cast<int>(objective.size()), lower.data(), upper.data(), objective.data(),
                          starts.data(), rows.data(), values.data());
    }

    const LinkNetwork& network_;
    std::vector<std::uint32_t> sources_;
    std::vector<std::size_t> source_index_;
    ClpSimplex model_;
};

/// A way back from the receiver to the source where something flows, as links in the order of travel; empty
/// if there is none. Where the flow goes round in a cycle, the cycle is taken out of it first.
std::vector<LinkId> flowing_path(const LinkNetwork& network, std::vector<double>& flow, NodeId source,
                                 NodeId receiver)
{
    std::vector<LinkId> path; // backwards
    NodeId at = receiver;
    while (at != source) {
        const auto into = network.links_to(at);
        const auto most =
            std::max_element(into.begin(), into.end(), [&](LinkId a, LinkId b) { return flow[a] < flow[b]; });
        if (most == into.end() || flow[*most] < least_flow)
            return {};
        path.push_back(*most);
        at = network.link(*most).source;
        const auto cycle =
            std::find_if(path.begin(), path.end(), [&](LinkId id) { return network.link(id).target == at; });
        if (cycle == path.end())
            continue;
        double least = flow[*cycle];
        for (auto link = cycle; link != path.end(); ++link)
            least = std::min(least, flow[*link]);
        for (auto link = cycle; link != path.end(); ++link)
            flow[*link] -= least;
        path.clear();
        at = receiver;
    }
    std::reverse(path.begin(), path.end());
    return path;
}

std::vector<PathShare> take_apart(const LinkNetwork& network, std::vector<double>& flow,
                                  const PairDemand& demand)
{
    std::vector<PathShare> shares;
    double open = static_cast<double>(demand.weight);
    while (open > least_flow) {
        std::vector<LinkId> path = flowing_path(network, flow, demand.source, demand.receiver);
        if (path.empty())
            break;
        double share = open;
        for (const LinkId id : path)
            share = std::min(share, flow[id]);
        for (const LinkId id : path)
            flow[id] -= share;
        open -= share;
        shares.push_back({std::move(path), share});
    }
    std::stable_sort(shares.begin(), shares.end(),
                     [](const PathShare& a, const PathShare& b) { return a.weight > b.weight; });
    return shares;
}

} // namespace

std::optional<LinkFlow> least_congested_flow(const LinkNetwork& network, std::span<const PairDemand> demands,
                                             const SearchEnd& end)
{
    FlowProgram program(network, demands);
    if (program.row_count() > max_flow_rows)
        return std::nullopt;
    program.build(demands, end);
    const std::optional<double> congestion = program.least_congestion();
    if (!congestion || !program.shorten(*congestion))
        return std::nullopt;
    LinkFlow result{*congestion, std::vector<std::vector<PathShare>>(demands.size())};
    for (std::size_t k = 0; k < program.sources().size(); ++k) {
        std::vector<double> flow = program.flow_from(k);
        for (std::size_t i = 0; i < demands.size(); ++i)
            if (demands[i].source == program.sources()[k]) {
                result.shares[i] = take_apart(network, flow, demands[i]);
                if (result.shares[i].empty())
                    return std::nullopt;
            }
    }
    return result;
}

} // namespace nocturne
