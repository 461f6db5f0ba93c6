// How far apart in time the processors of a network are, whatever is sent.
#pragma once

#include "models/topology/link_network.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// Processors by group: data get from one group to another with so much latency, or more.
struct NearProcessors {
    std::vector<std::uint32_t> group; ///< by processor
    std::uint64_t latency;
};

struct NetworkLatencies {
    /// By link: the least of a transfer that crosses it, from a node that stores to one that does; of a link
    /// that none crosses its own.
    std::vector<std::uint64_t> of_transfers;
    /// Each processor alone; then joined by links of at most a latency, for the least latencies that there
    /// are, as long as there are two groups.
    std::vector<NearProcessors> near;
};
NetworkLatencies latencies_of(const LinkNetwork& network);

} // namespace nocturne
