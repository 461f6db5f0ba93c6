// Groups of processors that multicast packets go to.
#pragma once

#include "models/topology/topology.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne {

/// A packet of the source goes to all destinations.
struct MulticastGroup {
    ProcessorId source = 0;
    std::vector<ProcessorId> destinations; ///< each once; one or more

    friend bool operator==(const MulticastGroup&, const MulticastGroup&) = default;
};

/// For each processor a group of so many others, drawn with the seed. Throws std::invalid_argument unless
/// there are as many others, one or more are asked for, and all groups together have no more than 2^28.
std::vector<MulticastGroup> random_groups(std::uint32_t processors, std::uint32_t destinations,
                                          std::uint64_t seed);

/// Groups of a CSV file with the header `source,destinations`, a group a line: processors as PlainNumbers has
/// them, those of a group separated by spaces. A source may have several. Throws std::runtime_error, one line
/// with the place in the file, for what is no such file, an unknown processor, and a destination twice.
std::vector<MulticastGroup> read_groups(const Topology& topology, const std::string& path);

} // namespace nocturne
