// What a router is made of.
#pragma once

#include "models/hardware/bit_set.hpp"
#include "models/network/configuration.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace nocturne {

/// Output virtual channels among which a packet takes any that is free: the channels of one class on one
/// link, or all those of the ejection links to one processor. Virtual channel v of output p has the index p *
/// vcs + v.
struct OutputGroup {
    std::uint32_t first;
    std::uint32_t count;
};

/// Where a router may send packets whose way is not set: what AdaptiveRouting allows there. Rows are the
/// routers from which processors are ejected.
struct AdaptiveOutputs {
    std::uint32_t row = BitRows::none;  ///< of this router, if it is one of those
    std::uint32_t classes = 1;          ///< output group of output p and class c: p * classes + c
    std::uint32_t arrivals = 1;         ///< that AdaptiveRouting tells apart
    std::vector<std::uint32_t> arrival; ///< by input
    BitRows allowed{0, 0};              ///< by row * arrivals + arrival: outputs
    std::vector<std::uint32_t> escape;  ///< by row: output group; empty if none is needed
    std::vector<unsigned> depth; ///< by channel out: buffer at its other end; empty if credits do not matter
    Selection selection = Selection::in_turn;
    std::vector<std::uint32_t> first; ///< of `dyad`, by row * arrivals + arrival: the first of the outputs
    std::uint64_t seed = 1;           ///< of random selection, the same for all routers
    std::uint64_t router = 0;         ///< of which it is: each draws numbers of its own

    std::uint32_t row_of(std::uint32_t destination_row, std::uint32_t input) const
    {
        return destination_row * arrivals + arrival[input];
    }
};

/// How a router chooses between two routes, see ugal().
struct RouteChooser {
    std::vector<unsigned> depth; ///< of the buffers at the other ends, by channel out; empty: it does not
    unsigned threshold = 0;
    bool knows_all_queues = false; ///< not just its own
};

struct RouterConfig {
    Pipeline pipeline;
    Allocation allocation;
    unsigned vcs = 1;                   ///< of every link, 1..32
    std::vector<unsigned> buffer_flits; ///< by input: depth of each of its virtual channels
    /// Inputs for each link, 1 unless the router copies packets (see LinkFork): those of the links, then the
    /// second ones of all links, and so on.
    unsigned copies = 1;
    std::size_t links_in() const { return buffer_flits.size() / copies; }
    struct Output {
        unsigned credits = 0; ///< buffer depth of each virtual channel at the other end
        unsigned cycles_per_flit = 1;
        FlitRate rate = {}; ///< of the interface behind it
        unsigned pool = 0;  ///< flits beyond one each that virtual channels at the other end share; 0: none
    };
    std::vector<Output> outputs;
    std::vector<OutputGroup> groups; ///< what Packet::outputs refers to; no two overlap
    /// Of a router that chooses routes. It counts credits.
    RouteChooser chooser;
    /// Nothing if every packet brings its route.
    std::shared_ptr<const AdaptiveOutputs> adaptive;
};

} // namespace nocturne
