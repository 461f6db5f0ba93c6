// How HGSA changes a chromosome: the moves of its Metropolis iterations and its mutation.
#pragma once

#include "models/routing/random.hpp"
#include "schedules/evolution/hgsa_conflicts.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// The paper: "a random gene". Which of its parts change, and how, is open. Shares of the moves; what they
/// leave up to 1 are retimings: another step for one hop of the path.
struct HgsaMoves {
    double redraw = 0.05; ///< any path with any steps
    /// The path and the steps by which the message reaches a neighbour of the receiver, and one hop more: so
    /// that transfers come to be shared, which is what makes a broadcast of single paths.
    double graft = 0.7;
    /// Of the grafts: the gene takes the step of another one with the same receiver, which gets its step by
    /// another graft.
    double swap = 0.9;
    /// Of all moves: among a few random genes the first one in conflict is taken.
    double focus = 0.9;
    /// Genes whose paths begin with the changed one's go with it, as far as their steps allow.
    bool follow = true;
};

/// Changes a table at random, and takes the last change back.
class HgsaMutation {
public:
    using Gene = TimedConflicts::Gene;

    /// The table must outlive it.
    HgsaMutation(TimedConflicts& table, const HgsaMoves& moves);

    /// Changes a random gene, and others as the moves demand. Forgets the changes before.
    void change(SplitMix64& random);
    /// Takes the last change back.
    void undo();

private:
    struct Change {
        Gene gene;
        TimedPath path;
        std::uint32_t first_step; ///< into old_steps_
    };

    Gene choose(SplitMix64& random) const;
    void set(Gene gene, TimedPath path, std::span<const std::uint16_t> steps);
    void remember(Gene gene);
    void redraw(Gene gene, SplitMix64& random);
    void retime(Gene gene, SplitMix64& random);
    TimedPath choose_graft(Gene gene, SplitMix64& random);
    void graft(Gene gene, SplitMix64& random);
    bool graft_at(Gene gene, std::uint16_t step, SplitMix64& random);
    void swap(Gene gene, SplitMix64& random);
    void find_followers(Gene gene);
    void follow(Gene gene, Gene leader, std::uint32_t old_hops);
    std::uint16_t last_step(Gene gene) const { return table_->steps_of(gene).back(); }

    TimedConflicts* table_;
    const TimedPathEncoding* encoding_;
    HgsaMoves moves_;
    std::vector<std::vector<Gene>> received_by_; ///< genes by receiver
    std::vector<Change> log_;
    std::vector<std::uint16_t> old_steps_;
    std::vector<std::uint16_t> steps_;    ///< of the gene at hand
    std::vector<std::uint16_t> followed_; ///< of a gene that follows
    std::vector<Gene> followers_;
    std::vector<TimedPathEncoding::Arc> suffix_;
};

} // namespace nocturne
