#include "schedules/chunk_search/exact_sums.hpp"

#include "schedules/chunk_search/symmetric_first.hpp"
#include "schedules/chunk_search/turned_network.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace nocturne {
namespace {

/// A node's own contribution, or what came over a hop in a step.
struct Source {
    std::uint32_t hop;
    std::uint32_t step;

    bool is_own() const { return hop == SumSource::own; }
    friend auto operator<=>(const Source&, const Source&) = default;
};

/// What is sent, or, without a hop, the result at a node.
struct Sum {
    std::uint32_t step;
    std::uint32_t hop;
    NodeId at; ///< where it is made
    ChunkId chunk;
    std::vector<Source> sources; ///< ascending
};

constexpr std::uint32_t no_hop = ~0u - 1;

/// What one node does with one chunk.
struct Desk {
    std::vector<const Sum*> sums; ///< ascending in step, the result last
    std::vector<Source> arrivals; ///< by step
};

/// From a model of a formula of sums to places and transfers.
class SumPlaces {
public:
    SumPlaces(const SumFormula& formula, const Model& model, const Collective& collective)
        : formula_(formula), collective_(collective)
    {
        list_needed(model);
        for (const Sum& sum : sums_) {
            Desk& desk = desks_[{sum.at, sum.chunk}];
            desk.sums.push_back(&sum);
            if (sum.hop != no_hop)
                desks_[{formula_.hops[sum.hop].destination, sum.chunk}].arrivals.push_back(
                    {sum.hop, sum.step});
        }
    }

    /// Transfers over links first.
    std::vector<ListedTransfer> transfers()
    {
        for (auto& [where, desk] : desks_)
            if (!use_one_place(where.first, where.second, desk))
                use_scratch(where.first, where.second, desk);
        std::vector<ListedTransfer> result;
        for (const Sum& sum : sums_)
            if (sum.hop != no_hop) {
                const ChunkHop& hop = formula_.hops[sum.hop];
                const auto& [to, operation] = arrival_.at({sum.hop, sum.step, sum.chunk});
                result.push_back(
                    {Transfer{{from_.at(&sum), to}, hop.source, hop.destination, hop.path, operation},
                     sum.step});
            }
        result.insert(result.end(), locals_.begin(), locals_.end());
        return result;
    }

private:
    struct Arrival {
        PlaceId place;
        Operation operation;
    };

    /// The results, and what they are made of.
    void list_needed(const Model& model)
    {
        std::map<std::tuple<std::uint32_t, std::uint32_t, ChunkId>, bool> needed; // by hop, step and chunk
        for (auto one = formula_.sums.rbegin(); one != formula_.sums.rend(); ++one) {
            const bool is_result = one->made == 0;
            if (!is_result && !needed.contains({one->hop, one->step, one->chunk}))
                continue;
            Sum sum{one->step,
                    is_result ? no_hop : one->hop,
                    is_result ? one->hop : formula_.hops[one->hop].source,
                    one->chunk,
                    {}};
            for (const SumSource& source : one->sources)
                if (holds(model, source.used)) {
                    sum.sources.push_back({source.hop, source.step});
                    if (source.hop != SumSource::own)
                        needed[{source.hop, source.step, one->chunk}] = true;
                }
            std::sort(sum.sources.begin(), sum.sources.end());
            sums_.push_back(std::move(sum));
        }
        std::reverse(sums_.begin(), sums_.end());
    }

    /// Everything in the chunk's own place, if that works: what comes is added to what is there or takes its
    /// place, as the next sum asks.
    bool use_one_place(NodeId node, ChunkId chunk, const Desk& desk)
    {
        const auto& contributors = collective_.chunks[chunk].contributors;
        std::vector<Source> content;
        if (std::binary_search(contributors.begin(), contributors.end(), node))
            content.push_back({SumSource::own, 0});
        std::vector<std::pair<Source, Operation>> operations;
        auto arrived = desk.arrivals.begin();
        for (const Sum* sum : desk.sums) {
            while (arrived != desk.arrivals.end() && arrived->step < sum->step) {
                const auto begin = arrived;
                while (arrived != desk.arrivals.end() && arrived->step == begin->step)
                    ++arrived;
                const bool adds = !content.empty() && std::includes(sum->sources.begin(), sum->sources.end(),
                                                                    content.begin(), content.end());
                if (!adds && arrived - begin > 1)
                    return false;
                if (!adds)
                    content.clear();
                for (auto one = begin; one != arrived; ++one) {
                    operations.emplace_back(*one, adds ? Operation::add : Operation::copy);
                    content.push_back(*one);
                }
                std::sort(content.begin(), content.end());
            }
            if (content != sum->sources)
                return false;
        }
        if (arrived != desk.arrivals.end())
            return false;
        for (const auto& [source, operation] : operations)
            arrival_[{source.hop, source.step, chunk}] = {chunk, operation};
        for (const Sum* sum : desk.sums)
            from_[sum] = chunk;
        return true;
    }

    /// What comes stays apart in scratch, and so do sums of it.
    void use_scratch(NodeId node, ChunkId chunk, const Desk& desk)
    {
        std::map<std::vector<Source>, PlaceId> places{{{{SumSource::own, 0}}, chunk}};
        for (const Source& source : desk.arrivals) {
            places[{source}] = new_place(node);
            arrival_[{source.hop, source.step, chunk}] = {places[{source}], Operation::copy};
        }
        const auto add_up = [&](const std::vector<Source>& sources, PlaceId to, std::uint32_t step,
                                bool adds) {
            for (const Source& source : sources) {
                if (places.at({source}) == to)
                    continue;
                locals_.push_back({Transfer{{places.at({source}), to},
                                            node,
                                            node,
                                            Path{},
                                            adds ? Operation::add : Operation::copy},
                                   step});
                adds = true;
            }
        };
        for (const Sum* sum : desk.sums) {
            std::uint32_t step = 0; // in which the last of them comes
            for (const Source& source : sum->sources)
                step = std::max(step, source.is_own() ? 0 : source.step);
            const bool has_own = std::any_of(sum->sources.begin(), sum->sources.end(),
                                             [](const Source& source) { return source.is_own(); });
            if (sum->hop == no_hop) {
                add_up(sum->sources, chunk, sum->step - 1, has_own);
                continue;
            }
            const auto [known, is_new] = places.try_emplace(sum->sources, 0);
            if (is_new) {
                known->second = new_place(node);
                add_up(sum->sources, known->second, step, false);
            }
            from_[sum] = known->second;
        }
    }

    PlaceId new_place(NodeId node)
    {
        return static_cast<PlaceId>(collective_.chunks.size()) + scratch_[node]++;
    }

    const SumFormula& formula_;
    const Collective& collective_;
    std::vector<Sum> sums_; ///< ascending in step, results last
    std::map<std::pair<NodeId, ChunkId>, Desk> desks_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, ChunkId>, Arrival> arrival_; ///< by hop, step, chunk
    std::map<const Sum*, PlaceId> from_;
    std::map<NodeId, PlaceId> scratch_;
    std::vector<ListedTransfer> locals_;
};

} // namespace

Schedule schedule_of(const SumFormula& formula, const Model& model, const LinkNetwork& network,
                     const Collective& collective)
{
    Schedule schedule = empty_schedule("exact", network.name(), collective, ScheduleSynchronization::steps);
    set_transfers(schedule, SumPlaces{formula, model, collective}.transfers());
    set_least_rounds(schedule, network);
    return schedule;
}

ExactAnswer decide_sums(const LinkNetwork& network, const Collective& collective, const ExactConfig& config)
{
    require_steps_and_rounds(config.shape);
    // The same nodes and links; what copies is only passed through.
    const LinkNetwork plain = turned(turned(network));
    return decide_symmetric_first(
        plain, collective, config,
        // Everything false first: what serves nothing is not sent.
        {.most_groups = 6, .variables_each = network.processor_count(), .phases = {-1}},
        [&](const auto& hops, const auto& group) { return sum_symmetries(hops, collective, group); },
        [&](const std::vector<SumSymmetry>& symmetries) {
            return sum_formula(plain, collective, config.shape, symmetries);
        });
}

} // namespace nocturne
