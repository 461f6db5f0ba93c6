// Spatial patterns: where the messages of each processor go, and how many each processor sends.
#pragma once

#include "models/routing/random.hpp"
#include "models/topology/topology.hpp"
#include "models/traffic/multicast_groups.hpp"
#include "models/traffic/permutation.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// Numbers 0 .. n-1 drawn with given probabilities in constant time (Walker, An efficient method for
/// generating discrete random variables with general distributions, ACM TOMS 3, 1977, with Vose's way to set
/// it up).
class AliasTable {
public:
    /// Throws std::invalid_argument unless there is a weight, all are finite and 0 or more, and one is above
    /// 0.
    explicit AliasTable(std::span<const double> weights);

    std::uint32_t draw(SplitMix64& random) const
    {
        const std::uint32_t slot = random.below(static_cast<std::uint32_t>(slots_.size()));
        return random.uniform() < slots_[slot].own ? slot : slots_[slot].other;
    }

    /// Of each number.
    std::vector<double> probabilities() const;

private:
    struct Slot {
        double own; ///< probability that the slot stands for its own number
        std::uint32_t other;
    };
    std::vector<Slot> slots_;
};

/// For each processor a distribution of destinations and a share of the load. A value.
class TrafficPattern {
public:
    /// Any processor with equal probability, the source among them.
    static TrafficPattern uniform(std::uint32_t processors);
    /// Throws as check_permutation().
    static TrafficPattern permutation(Permutation destination);
    /// With probability `share` one of `hot`, each as often as another; otherwise any processor. Throws
    /// std::invalid_argument for a share outside 0 .. 1, no hot processor, and one that does not exist.
    static TrafficPattern hotspot(std::uint32_t processors, std::span<const ProcessorId> hot, double share);
    /// weights[source * processors + destination]: how much of the traffic that pair has. Throws
    /// std::invalid_argument for another number of weights, a negative one, or none above 0.
    static TrafficPattern matrix(std::uint32_t processors, std::span<const double> weights);

    /// The processors of each group of routers (Topology::routers_per_group()) to those of the group `shift`
    /// further on, wrapping round, each as often as another: ADV+shift, the adversarial traffic of
    /// dragonflies, which minimal routing sends over one channel a group (BookSim2's bad_dragon with 1).
    /// Throws std::invalid_argument if there are no groups, or one without processors, and for a shift that
    /// is a multiple of their number.
    static TrafficPattern adversarial(const Topology& topology, std::uint32_t shift);

    /// This pattern without the messages of all other processors; the mean of the shares stays 1. Throws
    /// std::invalid_argument if nothing is left.
    TrafficPattern sent_by(const std::vector<bool>& senders) const;

    /// Each packet of a processor goes to one of its groups, each as often as another, as a unicast to every
    /// destination; all processors that have one send the same number of flits. Throws std::invalid_argument
    /// for no group, one without destinations, and processors that do not exist.
    static TrafficPattern multicast(std::uint32_t processors, std::span<const MulticastGroup> groups);

    std::uint32_t processors() const { return static_cast<std::uint32_t>(shares_.size()); }
    /// Only for sources with a share above 0, and not of multicasts.
    ProcessorId destination(ProcessorId source, SplitMix64& random) const
    {
        switch (kind_) {
        case Kind::permutation:
            return permutation_[source];
        case Kind::matrix:
            return rows_[row_of_[source]].draw(random);
        case Kind::hotspot:
            if (random.uniform() < hot_share_)
                return hot_[random.below(static_cast<std::uint32_t>(hot_.size()))];
            break;
        case Kind::uniform:
        case Kind::multicast:
            break;
        }
        return random.below(processors());
    }
    /// Of multicasts: all destinations of a packet. Only for sources with a share above 0.
    std::span<const ProcessorId> group(ProcessorId source, SplitMix64& random) const
    {
        const std::vector<std::vector<ProcessorId>>& groups = groups_[source];
        return groups[groups.size() == 1 ? 0 : random.below(static_cast<std::uint32_t>(groups.size()))];
    }
    /// Packets in the network that one of the source becomes, in the mean: 1 but of multicasts.
    double unicasts(ProcessorId source) const;
    /// The probability of each destination, of a multicast's for each of its unicasts. Only for sources with
    /// a share above 0.
    std::vector<double> destinations(ProcessorId source) const;
    /// What the source sends, as a multiple of the mean of all processors: 1 unless it is a matrix or a
    /// multicast, or sent_by() some only.
    double share(ProcessorId source) const { return shares_[source]; }
    /// Is there one destination for each source?
    bool is_permutation() const { return kind_ == Kind::permutation; }
    bool is_multicast() const { return kind_ == Kind::multicast; }

private:
    enum class Kind { uniform, permutation, hotspot, matrix, multicast };

    TrafficPattern(Kind kind, std::uint32_t processors) : kind_(kind), shares_(processors, 1.0) {}

    Kind kind_;
    std::vector<double> shares_;
    Permutation permutation_;
    std::vector<ProcessorId> hot_;
    double hot_share_ = 0;
    std::vector<AliasTable> rows_;
    std::vector<std::uint32_t> row_of_;
    std::vector<std::vector<std::vector<ProcessorId>>> groups_; ///< by source
};

/// Throws std::invalid_argument for multicasts: what sends its messages to one processor each, `who`, takes
/// none.
void require_unicast(const TrafficPattern& pattern, std::string_view who);

/// A pattern of the topology's processors by its text:
///   uniform                uniform()
///   NAME                   a permutation of make_permutation(); `random` draws one with `seed`
///   hotspot:P[+P...],S     hotspot() with the processors P, named as in the topology (PlainNumbers), and
///                          the share S
///   adversarial:SHIFT      adversarial()
///   permutation:FILE       read_permutation()
///   application:FILE[,M]   pattern_of() map_application(), `seed` being that of a mapping that is annealed
///   noxim:FILE             read_noxim_table(); throws as require_all_processors()
///   multicast:K            multicast() with random_groups() of K, and `seed`
///   multicast:FILE         multicast() with read_groups()
///   matrix:FILE            matrix() with the numbers of the file, a row for each source
/// Throws std::invalid_argument for an unknown pattern, with those that exist, and what is said there;
/// std::runtime_error for a file that cannot be read.
TrafficPattern make_pattern(const Topology& topology, std::string_view text, std::uint64_t seed = 1);

/// The texts that make_pattern() knows, for a help text.
std::vector<std::string> pattern_names();

} // namespace nocturne
