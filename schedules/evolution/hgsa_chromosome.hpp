// Chromosomes of HGSA: broadcasts as timed paths of single hops (Jaroš, Ohlídal and Dvořák, GECCO 2007,
// section 3.1 and figure 2).
#pragma once

#include "models/routing/random.hpp"
#include "schedules/evolution/chromosome.hpp"
#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/search/relay_arcs.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// The least steps that chromosomes of timed paths can have: hops to the farthest receiver. Throws
/// std::invalid_argument if one cannot be reached hop by hop.
std::uint32_t farthest_hops(const Problem& problem);

/// Index of a path over which a message gets to a processor; the paths of one message and processor are
/// consecutive.
using TimedPath = std::uint32_t;
inline constexpr TimedPath no_timed_path = ~0u;

/// One gene for each sender and receiver: a path in hops from processor to processor, and for each hop the
/// step in which it is made. A hop is what a message does in one step: a channel under store-and-forward
/// switching; under wormhole switching a path between neighbouring processors (see neighbour_arcs()).
struct TimedChromosome {
    std::vector<TimedPath> paths; ///< of each gene
    /// Of each hop of each gene, from 0, strictly increasing within a gene; 0 where another path of the gene
    /// would have more hops.
    std::vector<std::uint16_t> steps;

    friend bool operator==(const TimedChromosome&, const TimedChromosome&) = default;
};

/// In which steps the first hop of a path is drawn.
enum class FirstHop {
    any_step, ///< as other hops
    at_once,  ///< the first
};

/// A problem as HGSA sees it.
///
/// Steps. Hop z (from 1) of a path of L hops can be made in steps z to S - (L - z), as the paper says for z >
/// 1. For z = 1 it prints "in step 1" (FirstHop::at_once), which has every sender inform all its neighbours
/// at once: one port could never do that, and the paper schedules such networks. So the interval holds for z
/// = 1 too, unless the other is asked for.
///
/// Paths. Shortest in hops, as in the paper, or up to `slack` hops longer. A path is another one with one
/// more hop, and lists keep that: what a path of a list begins with is in the list of the processor where
/// that ends.
class TimedPathEncoding {
public:
    struct Gene {
        MessageId message;
        ProcessorId receiver;
        std::uint32_t most_hops;  ///< of its paths
        std::uint32_t first_step; ///< index into TimedChromosome::steps
    };
    using Arc = std::uint32_t;
    using Resource = std::uint32_t; ///< a channel, send port or receive port
    static constexpr std::uint32_t no_gene = ~0u;
    static constexpr Arc no_arc = ~0u;

    /// The problem must outlive the encoding. Throws std::invalid_argument for scatters, for 0 or more than
    /// 65535 steps, for fewer steps than some receiver is hops away, and for 0 paths.
    TimedPathEncoding(const Problem& problem, unsigned steps, const PathLists& lists = {},
                      FirstHop first_hop = FirstHop::any_step);

    const Problem& problem() const { return *problem_; }
    unsigned steps() const { return steps_; }

    /// By message, then by receiver in the order of the message's list.
    std::span<const Gene> genes() const { return genes_; }
    std::uint32_t first_gene(MessageId message) const { return first_gene_[message]; }
    /// Of the message's receiver, or no_gene.
    std::uint32_t gene_of(MessageId message, ProcessorId receiver) const
    {
        return gene_of_[list_of(message, receiver)];
    }
    /// Size of TimedChromosome::steps.
    std::uint32_t hop_count() const { return hop_count_; }

    /// The paths of a gene are first_path(), …, first_path() + path_count() - 1; path_count() is 1 or more.
    TimedPath first_path(const Gene& gene) const
    {
        return lists_[list_of(gene.message, gene.receiver)].first;
    }
    std::uint32_t path_count(const Gene& gene) const
    {
        return lists_[list_of(gene.message, gene.receiver)].count;
    }
    std::uint32_t hops(TimedPath path) const { return nodes_[path].hops; }
    Arc last_arc(TimedPath path) const { return nodes_[path].arc; }
    /// The path without its last hop.
    TimedPath parent(TimedPath path) const { return nodes_[path].parent; }
    /// The path with one hop more; no_timed_path if it is not in the lists.
    TimedPath extended(TimedPath path, Arc arc) const;

    std::span<const RelayArc> arcs() const { return arcs_; }
    /// What limits transfers over an arc: its channels, and ports that can be scarcer than channels. A
    /// resource whose every user needs another one of no greater capacity is left out: one port says all
    /// about the one channel behind it.
    std::span<const Resource> resources(Arc arc) const
    {
        return std::span(resources_)
            .subspan(first_resource_[arc], first_resource_[arc + 1] - first_resource_[arc]);
    }
    std::size_t resource_count() const { return capacity_.size(); }
    /// Transfers a step: 1 for channels, k for ports.
    std::uint32_t capacity(Resource resource) const { return capacity_[resource]; }

    /// Any of the paths and any of the admissible sequences of steps, all with equal probability.
    TimedChromosome random_chromosome(SplitMix64& random) const;
    /// Any of the admissible sequences for a path of steps.size() hops, one or more.
    void random_steps(std::span<std::uint16_t> steps, SplitMix64& random) const;

    /// Is it one of this encoding: paths of the lists, steps as demanded?
    bool admits(const TimedChromosome& chromosome) const;

    /// What is left of all timed hops of a message when each processor takes the first copy that reaches it
    /// and nobody is sent one that neither needs it nor passes it on: for a chromosome without conflicts the
    /// steps of a valid schedule.
    std::vector<Step> decode(const TimedChromosome& chromosome) const;
    /// What of a schedule can be kept: the genes of receivers that it informs over one of their paths within
    /// these steps; the others keep those of `otherwise`. Vertices are those of the problem's topology.
    TimedChromosome encode(const Schedule& schedule, TimedChromosome otherwise) const;

private:
    struct Node {
        TimedPath parent;
        Arc arc;
        std::uint32_t hops;
        ProcessorId end;
    };
    struct List {
        TimedPath first = 0;
        std::uint32_t count = 0;
    };

    std::size_t list_of(MessageId message, ProcessorId processor) const
    {
        return std::size_t{message} * problem_->topology.processor_count() + processor;
    }
    void find_resources();
    std::vector<Node> extensions(std::span<const Node> nodes, std::size_t first,
                                 std::span<const std::uint32_t> longest) const;
    void find_paths(MessageId message, const PathLists& lists, SplitMix64& random);
    void add_lists(MessageId message, std::span<const Node> nodes);
    void index_extensions();
    Arc find_arc(const Transfer& transfer) const;

    const Problem* problem_;
    unsigned steps_;
    FirstHop first_hop_;
    std::vector<RelayArc> arcs_;           ///< by source
    std::vector<std::uint32_t> first_arc_; ///< by source
    std::vector<std::uint32_t> first_resource_;
    std::vector<Resource> resources_;
    std::vector<std::uint32_t> capacity_;
    std::vector<Gene> genes_;
    std::vector<std::uint32_t> first_gene_; ///< by message
    std::vector<std::uint32_t> gene_of_;    ///< by message and processor
    std::vector<List> lists_;               ///< by message and processor
    std::vector<Node> nodes_;               ///< by path
    std::vector<std::uint32_t> first_extension_;
    std::vector<TimedPath> extensions_;
    std::uint32_t hop_count_ = 0;
};

} // namespace nocturne
