// BookSim2's configurations (Jiang et al., A detailed and flexible cycle-accurate network-on-chip simulator,
// ISPASS 2013; https://github.com/booksim/booksim2, commit 28f4329).
#pragma once

#include "models/topology/topology.hpp"
#include "sim/imports/foreign_keys.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace nocturne {

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

} // namespace nocturne
