// Applications: cores that send each other so many megabytes a second, and where they sit.
#pragma once

#include "models/topology/topology.hpp"
#include "models/traffic/pattern.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// A task graph. A value.
struct Application {
    struct Flow {
        std::uint32_t source; ///< in `cores`
        std::uint32_t destination;
        double mbytes_per_s; ///< 10^6 bytes a second, above 0

        friend bool operator==(const Flow&, const Flow&) = default;
    };
    std::vector<std::string> cores; ///< by name, in the order in which they appear
    std::vector<Flow> flows;        ///< at most one from a core to another

    double mbytes_per_s() const; ///< of all flows
};

/// Where each core sits: a processor each, none twice.
using CoreMapping = std::vector<ProcessorId>;

/// Reads a CSV file with the header `source,destination,mbytes_per_s`, a flow a line; lines that begin with #
/// are comments. Throws std::runtime_error, one line with file and line, for a file that cannot be read,
/// another header, a wrong number of fields, a rate that is not above 0 and finite, a core that sends to
/// itself, a flow that is there twice, and a file without flows.
Application read_application(const std::string& path);

/// Reads a CSV file with the header `core,processor`: processors by name (`10`) or number (`#10`), see
/// PlainNumbers. Throws likewise, and for cores that the application does not have or that are missing, and a
/// processor with two cores.
CoreMapping read_mapping(const Topology& topology, const Application& application, const std::string& path);

/// What a mapping costs: MB/s times hops, summed over the flows. `distances` by router and router, in hops.
double mapping_cost(const Application& application, const Topology& topology, const CoreMapping& mapping);

/// A mapping of low cost, by simulated annealing over exchanges of two places, the best that is seen, from
/// three starts (Kirkpatrick, Gelatt, Vecchi, Optimization by simulated annealing, Science 220, 1983; over
/// hop-weighted bandwidth as Murali and De Micheli, Bandwidth-constrained mapping of cores onto NoC
/// architectures, DATE 2004). The same seed gives the same mapping. Throws std::invalid_argument for more
/// cores than processors, a network of more than 4096 routers, and cores that do not reach each other.
CoreMapping anneal_mapping(const Application& application, const Topology& topology, std::uint64_t seed);

/// An application on a network.
struct MappedApplication {
    Application application;
    CoreMapping mapping;
    std::string mapping_file; ///< empty: anneal_mapping() made it
};

/// `FILE[,MAPPING]`: without a second file the mapping is annealed with that seed. Throws as the functions
/// above.
MappedApplication map_application(const Topology& topology, std::string_view text, std::uint64_t seed);

/// The pattern in which each flow has its share of the traffic, and the load at which flows have their
/// rates: the mean over the processors in flits per cycle, of flits that have so many bytes in a cycle of
/// so many ns.
TrafficPattern pattern_of(const Topology& topology, const MappedApplication& mapped);
double load_of(const Topology& topology, const Application& application, double flit_bytes, double cycle_ns);

} // namespace nocturne
