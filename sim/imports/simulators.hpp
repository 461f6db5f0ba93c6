// Configurations of other simulators as commands.
#pragma once

#include "models/topology/topology.hpp"
#include "sim/imports/foreign_keys.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

// BookSim2's configurations (Jiang et al., A detailed and flexible cycle-accurate network-on-chip simulator,
// ISPASS 2013; https://github.com/booksim/booksim2, commit 28f4329).

/// The remark of the keys of requests and replies.
inline constexpr std::string_view only_with_requests = "only with use_read_write = 1";

std::span<const ForeignKey> booksim_keys();

/// Lines `key = value;`, `//` before comments. `changes`: `key=value` as behind BookSim2's command line; they
/// win. `network_file`: the name that the network file will have. Throws std::runtime_error for another text,
/// for keys and values that BookSim2 does not have, and for networks that Nocturne does not have.
ImportedCommand import_booksim(std::string_view text, std::span<const std::string> changes,
                               const std::string& origin, const std::string& network_file);

/// A network of BookSim2's.
struct BooksimNetwork {
    std::string specification = {}; ///< empty: `topology` is written to a file
    std::optional<Topology> topology = {};
    std::vector<std::string> parts = {}; ///< values of --part
};

/// The network that topology, k, n, c, x, y, xr, yr and use_noc_latency say, with the latencies of its
/// channels and its processors in BookSim2's order. Carries these keys.
BooksimNetwork booksim_network(CommandDraft& draft);

// Noxim's configurations (Catania et al., Cycle-accurate network on chip simulation with Noxim, TOMACS 27,
// 2016; https://github.com/davidepatti/noxim, commit 4c8e72d).

std::span<const ForeignKey> noxim_keys();

/// YAML. Throws std::runtime_error for another text, keys that Noxim does not have, keys without a default
/// that are left out, and for networks that there are not here.
ImportedCommand import_noxim(std::string_view text, const std::string& origin);

// Command lines of gem5's garnet_synth_traffic.py (Agarwal et al., GARNET: a detailed on-chip network model
// inside a full-system simulator, ISPASS 2009; https://github.com/gem5/gem5, configs/example, configs/network
// and configs/ruby).

std::span<const ForeignKey> garnet_options();

/// Words as a shell takes them, also over several lines; those up to the name of the script are gem5's own.
/// Throws std::runtime_error for options and values that the script does not have, and for networks that
/// there are not here.
ImportedCommand import_garnet(std::string_view text, const std::string& origin);

// ASTRA-sim's analytical networks and its systems (Won et al., ASTRA-sim2.0: modeling hierarchical networks
// and disaggregated systems for large-model training at scale, ISPASS 2023;
// https://github.com/astra-sim/astra-sim and https://github.com/astra-sim/astra-network-analytical).

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
