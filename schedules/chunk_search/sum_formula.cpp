// Written for the reader to be convinced: each clause stands below the rule that it says.
#include "schedules/chunk_search/sum_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

class SumFormulaMaker {
public:
    SumFormulaMaker(const LinkNetwork& network, const Collective& collective, const StepsAndRounds& shape,
                    const std::vector<SumSymmetry>& symmetries, std::size_t most_literals)
        : network_(network), collective_(collective), shape_(shape), symmetries_(symmetries),
          most_(most_literals), processors_(network.processor_count()), chunks_(collective.chunks.size())
    {
    }

    SumFormula make()
    {
        result_.hops = all_hops(network_, most_);
        std::erase_if(result_.hops, [&](const ChunkHop& hop) { // sums are made and used by processors only
            return hop.source >= processors_ || hop.destination >= processors_;
        });
        find_reach();
        if (shape_.steps * result_.hops.size() * chunks_ * processors_ > most_)
            throw_too_large();
        RoundsFormula rounds{result_.formula, shape_};
        values_.resize(shape_.steps * result_.hops.size() * chunks_);
        index_.assign(values_.size(), nothing);
        for (std::uint32_t t = 0; t < shape_.steps; ++t)
            make_step(t, rounds);
        for (const Demand& demand : collective_.demands)
            make_result(demand);
        return std::move(result_);
    }

private:
    static constexpr std::uint32_t nothing = ~0u;

    /// A sum that is sent: whether it is, and the contributions in it, by processor; 0: cannot be.
    struct Value {
        Literal made = 0;
        std::vector<Literal> contains;
    };

    /// What a sum can be made of, with the contributions in it, by processor; 0: cannot be.
    struct Part {
        std::uint32_t step;
        std::uint32_t hop;
        std::vector<Literal> contains; ///< of a node's own contribution: always
    };
    static constexpr Literal always = ~0;

    [[noreturn]] void throw_too_large() const
    {
        throw std::length_error(
            fmt::format("{}: a formula for sums of {} chunks in {} steps has more than {} "
                        "literals",
                        network_.name(), chunks_, shape_.steps, most_));
    }

    std::size_t value_index(std::uint32_t t, std::uint32_t h, ChunkId c) const
    {
        return (t * result_.hops.size() + h) * chunks_ + c;
    }

    void find_reach()
    {
        into_.resize(processors_);
        for (std::uint32_t h = 0; h < result_.hops.size(); ++h)
            into_[result_.hops[h].destination].push_back(h);
        to_ = hop_distances_to_receivers(network_.node_count(), result_.hops, collective_);
    }

    bool contributes(std::uint32_t node, ChunkId c) const
    {
        const auto& all = collective_.chunks[c].contributors;
        return std::ranges::binary_search(all, node);
    }

    /// What node v can add to a sum of chunk c after t steps: its own contribution, and what has come.
    std::vector<Part> parts_at(std::uint32_t t, NodeId v, ChunkId c) const
    {
        std::vector<Part> parts;
        if (contributes(v, c)) {
            parts.push_back({0, SumSource::own, std::vector<Literal>(processors_, 0)});
            parts.back().contains[v] = always;
        }
        for (std::uint32_t before = 0; before < t; ++before)
            for (const std::uint32_t h : into_[v])
                if (const Value& value = values_[value_index(before, h, c)]; value.made != 0)
                    parts.push_back({before, h, value.contains});
        return parts;
    }

    void make_step(std::uint32_t t, RoundsFormula& rounds)
    {
        std::vector<std::vector<WeightedLiteral>> on_link(network_.link_count());
        for (std::uint32_t h = 0; h < result_.hops.size(); ++h)
            for (ChunkId c = 0; c < chunks_; ++c) {
                const ChunkHop& hop = result_.hops[h];
                // It must be able to get on to a receiver in the steps that are left.
                if (to_[c][hop.destination] > shape_.steps - 1 - t)
                    continue;
                if (!copy_of_symmetric(t, h, c))
                    make_sent(t, h, c);
                if (const Literal made = values_[value_index(t, h, c)].made; made != 0)
                    for (const LinkId link : hop.path)
                        on_link[link].push_back({made, collective_.chunks[c].weight});
            }
        // A link of b units carries b sums of weight 1 in each round of the step.
        for (LinkId link = 0; link < network_.link_count(); ++link)
            rounds.limit(t, network_.units(link), on_link[link]);
        if (result_.formula.literal_count() > most_)
            throw_too_large();
    }

    /// Is the value that of another one, made before, under a symmetry? Then it is taken from there.
    bool copy_of_symmetric(std::uint32_t t, std::uint32_t h, ChunkId c)
    {
        for (const SumSymmetry& symmetry : symmetries_) {
            const std::size_t image = value_index(t, symmetry.hops[h], symmetry.chunks[c]);
            if (index_[image] == nothing || image == value_index(t, h, c))
                continue;
            const Value& there = values_[image];
            Value& here = values_[value_index(t, h, c)];
            here.made = there.made;
            here.contains.assign(processors_, 0);
            for (NodeId node = 0; node < processors_; ++node)
                here.contains[node] = there.contains[symmetry.nodes[node]];
            index_[value_index(t, h, c)] = static_cast<std::uint32_t>(result_.sums.size());
            result_.sums.push_back(image_of(result_.sums[index_[image]], symmetry, h, c));
            return true;
        }
        return false;
    }

    /// The sum over hop h, or at receiver h, that the symmetry takes to the model.
    SumVariable image_of(const SumVariable& model, const SumSymmetry& symmetry, std::uint32_t h,
                         ChunkId c) const
    {
        SumVariable sum{model.step, h, c, model.made, model.sources};
        for (SumSource& source : sum.sources)
            if (source.hop != SumSource::own)
                source.hop = static_cast<std::uint32_t>(std::ranges::find(symmetry.hops, source.hop) -
                                                        symmetry.hops.begin());
        return sum;
    }

    void make_sent(std::uint32_t t, std::uint32_t h, ChunkId c)
    {
        std::vector<Part> parts = parts_at(t, result_.hops[h].source, c);
        if (parts.empty())
            return;
        Value& value = values_[value_index(t, h, c)];
        value.made = result_.formula.add_variable();
        SumVariable sum{t, h, c, value.made, {}};
        value.contains = add_up(parts, value.made, sum);
        index_[value_index(t, h, c)] = static_cast<std::uint32_t>(result_.sums.size());
        result_.sums.push_back(std::move(sum));
    }

    /// The contributions in a sum of parts, by processor; the sum's sources are filled in.
    std::vector<Literal> add_up(const std::vector<Part>& parts, Literal made, SumVariable& sum)
    {
        std::vector<std::vector<Literal>> brought(processors_);
        std::vector<Literal> some{-made};
        for (const Part& part : parts) {
            const Literal used = result_.formula.add_variable();
            some.push_back(used);
            sum.sources.push_back({part.step, part.hop, used});
            // What is not sent has no parts, and what has not been sent is no part.
            if (made != 0)
                clause({-used, made});
            if (part.hop != SumSource::own)
                clause({-used, values_[value_index(part.step, part.hop, sum.chunk)].made});
            for (NodeId i = 0; i < processors_; ++i)
                if (part.contains[i] == always) {
                    brought[i].push_back(used);
                } else if (part.contains[i] != 0) {
                    // A part brings what is in it, if it is used.
                    const Literal brings = result_.formula.add_variable();
                    clause({-brings, used});
                    clause({-brings, part.contains[i]});
                    clause({brings, -used, -part.contains[i]});
                    brought[i].push_back(brings);
                }
        }
        // What is sent has a part.
        if (made != 0)
            result_.formula.add_clause(some);
        std::vector<Literal> contains(processors_, 0);
        for (NodeId i = 0; i < processors_; ++i) {
            if (brought[i].empty())
                continue;
            const Literal in = contains[i] = result_.formula.add_variable();
            std::vector<Literal> reasons{-in};
            reasons.insert(reasons.end(), brought[i].begin(), brought[i].end());
            result_.formula.add_clause(reasons);
            for (std::size_t a = 0; a < brought[i].size(); ++a) {
                clause({-brought[i][a], in});
                // No contribution is added twice.
                for (std::size_t b = 0; b < a; ++b)
                    clause({-brought[i][a], -brought[i][b]});
            }
        }
        return contains;
    }

    /// A receiver adds up what it is owed, exactly; as the one does that a symmetry takes it to.
    void make_result(const Demand& demand)
    {
        const auto here = std::pair{demand.receiver, demand.chunk};
        for (const SumSymmetry& symmetry : symmetries_)
            if (const auto there =
                    result_index_.find({symmetry.nodes[demand.receiver], symmetry.chunks[demand.chunk]});
                there != result_index_.end()) {
                result_index_[here] = result_.sums.size();
                result_.sums.push_back(
                    image_of(result_.sums[there->second], symmetry, demand.receiver, demand.chunk));
                return;
            }
        result_index_[here] = result_.sums.size();
        const std::vector<Part> parts = parts_at(shape_.steps, demand.receiver, demand.chunk);
        SumVariable sum{shape_.steps, demand.receiver, demand.chunk, 0, {}};
        const std::vector<Literal> contains = add_up(parts, 0, sum);
        for (NodeId i = 0; i < processors_; ++i) {
            const bool owed = std::ranges::binary_search(demand.contributors, i);
            if (contains[i] != 0)
                clause({owed ? contains[i] : -contains[i]});
            else if (owed)
                result_.formula.add_clause(std::span<const Literal>{});
        }
        result_.sums.push_back(std::move(sum));
    }

    void clause(std::initializer_list<Literal> literals) { result_.formula.add_clause(literals); }

    const LinkNetwork& network_;
    const Collective& collective_;
    const StepsAndRounds shape_;
    const std::vector<SumSymmetry>& symmetries_;
    const std::size_t most_;
    const std::uint32_t processors_;
    const std::size_t chunks_;
    SumFormula result_;
    std::vector<std::vector<std::uint32_t>> to_;   ///< hops from a node to a receiver of the chunk
    std::vector<std::vector<std::uint32_t>> into_; ///< hops, by destination
    std::vector<Value> values_;                    ///< by step, hop and chunk
    std::vector<std::uint32_t> index_;             ///< of their sums
    std::map<std::pair<NodeId, ChunkId>, std::size_t> result_index_;
};

} // namespace

SumFormula sum_formula(const LinkNetwork& network, const Collective& collective, const StepsAndRounds& shape,
                       const std::vector<SumSymmetry>& symmetries, std::size_t most_literals)
{
    require_steps_and_rounds(shape);
    return SumFormulaMaker{network, collective, shape, symmetries, most_literals}.make();
}

} // namespace nocturne
