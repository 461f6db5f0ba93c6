// The fitness of HGSA: conflicts between transfers of one step, counted exactly and kept up to date change by
// change.
#pragma once

#include "schedules/evolution/fitness_count.hpp"
#include "schedules/evolution/hgsa_chromosome.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// The conflicts of one timed chromosome (Jaroš, Ohlídal and Dvořák, GECCO 2007, section 3.1). Genes of one
/// sender that use the same arc in the same step share one transfer. On each resource of the encoding and in
/// each step, every pair of transfers is a conflict if it takes one a step, and every transfer beyond k if it
/// takes k > 1. The decoded schedule of a chromosome without conflicts is valid.
///
/// Transfers of one message that differ and meet on a channel (to two processors of a fat node) are in
/// conflict as well: they are two transfers for validator and hardware.
class TimedConflicts {
public:
    using Gene = std::uint32_t; ///< index of a gene

    /// The encoding must outlive the table.
    TimedConflicts(const TimedPathEncoding& encoding, TimedChromosome chromosome);

    const TimedPathEncoding& encoding() const { return *encoding_; }
    const TimedChromosome& chromosome() const { return chromosome_; }
    std::span<const std::uint16_t> steps_of(Gene gene) const
    {
        return std::span(chromosome_.steps)
            .subspan(encoding_->genes()[gene].first_step, encoding_->hops(chromosome_.paths[gene]));
    }
    /// The fitness: 0 is best. Counts as an evaluation each time.
    std::uint64_t conflicts() const
    {
        count_.add_solution();
        return conflicts_;
    }
    /// Evaluations so far.
    FitnessCount& count() const { return count_; }

    /// `steps` has one for each hop of the path, and must not be the table's own. Costs: the hops that
    /// change.
    void change(Gene gene, TimedPath path, std::span<const std::uint16_t> steps);
    /// Is the gene another one in `chromosome`?
    bool differs(const TimedChromosome& chromosome, Gene gene) const;
    /// Makes the gene that of `chromosome`.
    void assign(const TimedChromosome& chromosome, Gene gene);
    /// All genes.
    void assign(const TimedChromosome& chromosome);

    /// How many genes make the last hop of this one's path in the same step, itself among them?
    std::uint32_t sharers(Gene gene) const
    {
        const auto& [message, receiver, most_hops, first_step] = encoding_->genes()[gene];
        const std::uint32_t last = first_step + encoding_->hops(chromosome_.paths[gene]) - 1;
        return uses_[use_of(message, arcs_[last], chromosome_.steps[last])];
    }

    /// Does the last hop of the gene's path take part in a conflict? Counts as a gene's share of an
    /// evaluation.
    bool has_conflict(Gene gene) const;

private:
    std::size_t use_of(MessageId message, std::uint32_t arc, std::uint32_t step) const
    {
        return (std::size_t{message} * encoding_->arcs().size() + arc) * encoding_->steps() + step;
    }
    void take(MessageId message, std::uint32_t arc, std::uint32_t step);
    void leave(MessageId message, std::uint32_t arc, std::uint32_t step);

    const TimedPathEncoding* encoding_;
    TimedChromosome chromosome_;
    std::vector<std::uint32_t> arcs_; ///< of each hop of each gene
    std::vector<std::uint16_t> uses_; ///< genes on a transfer: by message, arc, step
    std::vector<std::uint32_t> load_; ///< transfers on a resource: by resource, step
    std::uint64_t conflicts_ = 0;
    mutable FitnessCount count_;
};

} // namespace nocturne
