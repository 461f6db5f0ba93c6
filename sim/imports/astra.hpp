// ASTRA-sim's analytical networks and its systems (Won et al., ASTRA-sim2.0: modeling hierarchical networks
// and disaggregated systems for large-model training at scale, ISPASS 2023;
// https://github.com/astra-sim/astra-sim and https://github.com/astra-sim/astra-network-analytical).
#pragma once

#include "models/topology/topology.hpp"
#include "sim/imports/foreign_keys.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nocturne {

/// Those of the network, then those of the system.
std::span<const ForeignKey> astra_keys();

/// A network (YAML) with or without a system (JSON). The command is `schedule` for the fastest all-reduce;
/// the collective and its size are in ASTRA-sim's workload, which is not read. `network_file`: the name that
/// the network file will have. Throws std::runtime_error for another text, for keys and values that ASTRA-sim
/// does not have, and for networks beyond 4096 processors.
ImportedCommand import_astra(const ForeignText& network, const std::optional<ForeignText>& system,
                             const std::string& network_file);

/// One dimension of a network: groups of `npus` joined by a `Ring`, a `Switch` or as `FullyConnected`.
struct AstraDimension {
    std::string kind;
    unsigned npus = 2;
    double bytes_per_ns = 1;
    double latency_ns = 0;
};

/// A network in whole bytes per cycle and whole cycles.
struct AstraScale {
    unsigned cycle_ps = 1000;
    std::vector<unsigned> widths;    ///< bytes per cycle, by dimension
    std::vector<unsigned> latencies; ///< cycles, by dimension
    double error = 0; ///< the largest relative error of a bandwidth or of a latency of a cycle or more
};

/// Of the cycles with an error of at most 0.2 % the one with the smallest ratio of the widest link to the
/// unit of all widths, and of these the one nearest to the time of a byte at 1 GB/s; otherwise the one with
/// the smallest error.
AstraScale astra_scale(std::span<const AstraDimension> dimensions);

/// NPU n has the coordinates of n, the first dimension being the least significant.
Topology astra_topology(std::span<const AstraDimension> dimensions, const AstraScale& scale);

} // namespace nocturne
