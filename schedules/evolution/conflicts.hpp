// The fitness of the papers: conflicts between transfers of one step, counted exactly and kept up to date
// change by change.
#pragma once

#include "schedules/evolution/chromosome.hpp"
#include "schedules/evolution/fitness_count.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// The conflicts of one chromosome. Two transfers are in conflict if and only if they share a channel, or a
/// port that takes one message a step, in the same step (Jaroš 2009, section 4.3): a pair counts once however
/// much it shares. A port of k > 1 messages a step counts one conflict for each transfer beyond k (the papers
/// ensure that by other means). Zero exactly if the schedule is free of conflicts; it is valid if, for
/// broadcasts, it is restored, too.
///
/// Costs: the transfers met on the channels that a change leaves and takes, never the size of the chromosome.
class ConflictTable {
public:
    /// The encoding must outlive the table. Starts with no transfers at all.
    explicit ConflictTable(const ChromosomeEncoding& encoding);

    /// Makes the table that of `chromosome`: only genes that differ from those it holds are changed.
    void assign(const Chromosome& chromosome);
    void change(std::uint32_t delivery, const Gene& gene);

    const Chromosome& chromosome() const { return chromosome_; }
    const Gene& gene(std::uint32_t delivery) const { return chromosome_[delivery]; }
    /// The fitness: 0 is best. Counts as an evaluation each time.
    std::uint64_t conflicts() const
    {
        count_.add_solution();
        return conflicts_;
    }
    /// Conflicts that the delivery would have with `gene`, all others staying as they are. Counts as an
    /// evaluation.
    std::uint32_t conflicts_with(std::uint32_t delivery, const Gene& gene) const
    {
        count_.add_solution();
        return met(delivery, gene);
    }
    /// Conflicts that the delivery has. Counts as a gene's share of an evaluation.
    std::uint32_t conflicts_of(std::uint32_t delivery) const
    {
        count_.add_gene();
        return met(delivery, chromosome_[delivery]);
    }
    /// Evaluations so far.
    FitnessCount& count() const { return count_; }
    /// Deliveries on a resource in a step, in no particular order.
    std::span<const std::uint32_t> holders(StepResource resource, unsigned step) const
    {
        const Cell& cell = cells_[std::size_t{step} * encoding_->resource_count() + resource];
        return std::span(slots_).subspan(cell.first, cell.size);
    }

private:
    /// The holders of a resource in a step: slots_[first .. first + size).
    struct Cell {
        std::size_t first;
        std::uint32_t size;
        std::uint32_t room;
    };

    std::uint32_t met(std::uint32_t delivery, const Gene& gene) const;
    void add(std::uint32_t delivery, StepResource resource, unsigned step);
    void remove(std::uint32_t delivery, StepResource resource, unsigned step);

    const ChromosomeEncoding* encoding_;
    Chromosome chromosome_;
    std::uint64_t conflicts_ = 0;
    std::vector<Cell> cells_; ///< by step and resource
    /// A cell that runs out of room moves to the end and leaves a gap: all gaps of a cell are smaller than
    /// the cell.
    std::vector<std::uint32_t> slots_;
    /// By delivery: the last call of met() that counted it. Makes calls from several threads a race.
    mutable std::vector<std::uint64_t> counted_;
    mutable std::uint64_t calls_ = 0; ///< of met()
    mutable FitnessCount count_;
};

} // namespace nocturne
