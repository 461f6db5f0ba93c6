// Chromosomes: how the evolutionary engines write down wormhole schedules (Jaroš 2009, section 4.2; Jaroš,
// Ohlídal and Dvořák 2007, section 3.2).
#pragma once

#include "models/topology/path.hpp"
#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// How one delivery is made. In the direct encoding of scatters the source is always the message's origin; in
/// the tree-building encoding of broadcasts it is a processor that has the message before `step`.
struct Gene {
    std::uint16_t source;
    std::uint16_t path; ///< index into the paths from source to the receiver
    std::uint16_t step; ///< from 0

    friend bool operator==(const Gene&, const Gene&) = default;
};

/// One gene for each delivery: a whole schedule, in general with conflicts.
using Chromosome = std::vector<Gene>;

/// Which paths genes choose from. What the papers leave open: lists that would not fit into memory.
struct PathLists {
    unsigned slack = 0;          ///< hops beyond a minimal path; the papers route minimally
    std::size_t most_paths = 64; ///< of one pair of processors; a random choice (seeded) where there are more
    std::uint64_t seed = 1;      ///< of that choice
};

/// `slack 0, most paths 64, path seed 1`
std::string describe(const PathLists& lists);

/// What a transfer takes from its step: a channel, or a send or receive port that can be scarcer than
/// channels.
using StepResource = std::uint32_t;

/// Can schedules of the problem be written as chromosomes? Under wormhole switching, if all messages go
/// straight or all may be relayed, and there is a path for every pair of processors that a gene may name.
bool suits_chromosomes(const Problem& problem);

/// A problem as the engines see it: deliveries are genes, and every pair of processors has its list of paths.
class ChromosomeEncoding {
public:
    struct Delivery {
        MessageId message;
        ProcessorId origin;
        ProcessorId receiver;
    };

    /// Wormhole switching only. Throws std::invalid_argument under another, for 0 steps or more than 65535 of
    /// steps, processors or paths. The problem must outlive the encoding.
    ChromosomeEncoding(const Problem& problem, unsigned steps, const PathLists& lists = {});

    const Problem& problem() const { return *problem_; }
    unsigned steps() const { return steps_; }
    /// By message, then by receiver in the order of the message's list: the deliveries of a message are
    /// consecutive.
    std::span<const Delivery> deliveries() const { return deliveries_; }
    /// Deliveries [first_delivery(m), first_delivery(m + 1)) are those of message m.
    std::uint32_t first_delivery(MessageId message) const { return first_delivery_[message]; }
    /// Broadcasts: genes have sources, and chromosomes must be restored to be admissible.
    bool builds_trees() const { return builds_trees_; }

    /// 1 or more for processors that differ and reach each other.
    std::uint32_t path_count(ProcessorId source, ProcessorId receiver) const
    {
        const std::size_t pair = source * problem_->topology.processor_count() + receiver;
        return first_path_[pair + 1] - first_path_[pair];
    }
    /// Channels and scarce ports that the gene's transfer holds, each once.
    std::span<const StepResource> resources(std::uint32_t delivery, const Gene& gene) const
    {
        const std::size_t pair =
            gene.source * problem_->topology.processor_count() + deliveries_[delivery].receiver;
        const std::uint32_t path = first_path_[pair] + gene.path;
        return std::span(resources_)
            .subspan(first_resource_[path], first_resource_[path + 1] - first_resource_[path]);
    }
    std::size_t resource_count() const { return capacity_.size(); }
    /// Transfers a step: 1 for channels, k for ports.
    std::uint32_t capacity(StepResource resource) const { return capacity_[resource]; }
    /// Messages that a processor can send (receive) in a step.
    unsigned send_limit(ProcessorId processor) const { return send_limit_[processor]; }
    unsigned receive_limit(ProcessorId processor) const { return receive_limit_[processor]; }

    /// The schedule of a chromosome without conflicts (and, for broadcasts, restored), under the name of the
    /// engine. Steps without transfers at the end are left out.
    Schedule decode(const Chromosome& chromosome, std::string_view engine) const;
    /// What of a schedule can be kept: a delivery that it makes over a path of its list within these steps
    /// becomes that gene, any other keeps the gene of `otherwise`. Vertices are those of the problem's
    /// topology.
    Chromosome encode(const Schedule& schedule, Chromosome otherwise) const;

private:
    const Problem* problem_;
    unsigned steps_;
    bool builds_trees_;
    std::vector<Delivery> deliveries_;
    std::vector<std::uint32_t> first_delivery_;
    std::vector<std::uint32_t> first_path_;     ///< by pair of processors
    std::vector<std::uint32_t> first_resource_; ///< by path
    std::vector<StepResource> resources_;
    std::vector<std::uint16_t> hops_; ///< by path: channels come first among its resources
    std::vector<std::uint32_t> capacity_;
    std::vector<unsigned> send_limit_;
    std::vector<unsigned> receive_limit_;
};

/// Takes a chromosome of the encoding from the front of `bytes`. Throws std::runtime_error for one of another
/// problem.
Chromosome extract_chromosome(std::span<const std::uint8_t>& bytes, const ChromosomeEncoding& encoding);

} // namespace nocturne
