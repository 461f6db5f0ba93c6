// Networks that look the same from every router: Cayley graphs of Abelian groups.
#pragma once

#include "models/topology/topology.hpp"

#include <optional>
#include <vector>

namespace nocturne {

/// Routers written in the mixed radix `moduli`, the first digit being the most significant, add up digit by
/// digit without carry: rings and circulants {N}, tori {rows, columns}, hypercubes {2, 2, …} (exclusive or).
struct TranslationGroup {
    std::vector<unsigned> moduli;

    RouterId sum(RouterId a, RouterId b) const;
    RouterId difference(RouterId a, RouterId b) const; ///< a - b
};

/// Every router r has one channel to r + g for each generator g, and no others. So translations r -> r + t
/// are symmetries that take every router to every other one.
struct CayleyGraph {
    TranslationGroup group;
    std::vector<RouterId> generators; ///< ascending; parallel channels have equal ones
    std::vector<ChannelId> channels;  ///< [router * generators.size() + generator's place]

    ChannelId channel(RouterId from, std::size_t generator) const
    {
        return channels[from * generators.size() + generator];
    }
};

/// The network as a Cayley graph of the group of its grid, of the integers modulo its number of routers or of
/// bit strings, whichever fits its channels first; nothing if none does.
std::optional<CayleyGraph> find_cayley_graph(const Topology& topology);

} // namespace nocturne
