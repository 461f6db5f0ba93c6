// What moves over a network when, as the page plays it: of a schedule step by step, or in cycles.
#pragma once

#include "schedules/collective/alpha_beta.hpp"
#include "schedules/schedule/schedule_files.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace nocturne {

/// Transfers in the order of their beginnings, and the links of their paths.
///
/// Links are the topology's channels, then what else the movie has: links of processors into the network and
/// out of it. Where nothing says when a link is held, it is for as long as its transfer lasts, and a transfer
/// without a time lasts for its step.
struct Movie {
    std::string name;
    std::string unit = "step"; ///< of time: `step` or `cycle`
    double length = 0;         ///< of all, in this unit
    std::uint32_t steps = 0;   ///< 0: it has none

    // By transfer.
    std::vector<std::uint32_t> sources;      ///< page_node()
    std::vector<std::uint32_t> destinations; ///< page_node()
    std::vector<std::uint32_t> chunks;       ///< or messages, by number
    std::vector<std::uint32_t> in_step;      ///< from 0
    std::vector<std::uint32_t> adds;         ///< 1: the destination adds it; empty: none does
    std::vector<float> begins;               ///< in cycles; empty: with its step
    std::vector<float> ends;
    std::vector<std::uint32_t> hops; ///< of the path

    // By hop of all paths.
    std::vector<std::uint32_t> links; ///< numbers, or if `has_ports` of those that leave the router: from 0
    bool has_ports = false;
    std::vector<std::uint32_t> hold_begins; ///< in cycles; empty: with the transfer
    std::vector<std::uint32_t> hold_ends;

    std::vector<std::uint32_t> link_sources; ///< of links behind the channels: page_node()
    std::vector<std::uint32_t> link_targets;

    std::size_t transfers_left_out = 0; ///< at the end: so that the page stays small enough to be loaded
    nlohmann::ordered_json extra = nlohmann::ordered_json::object(); ///< "bottleneck", "stall", "violations"
};

/// A page holds movies of so many characters.
inline constexpr std::size_t largest_page_movies = std::size_t{14} << 20U;
/// And hops, which a browser holds as numbers.
inline constexpr std::size_t largest_movie_hops = std::size_t{20} << 20U;

/// Of messages in steps, or of chunks in steps or under dependencies; these take the times that `cost` gives
/// them, without start-ups that hold no links. Precondition: valid.
Movie movie_of(const LoadedSchedule& loaded, const AlphaBeta& cost);

/// With what it shows of network number `network`. Transfers at the end that take more than `most` characters
/// are left out, and counted.
nlohmann::ordered_json movie_json(const Movie& movie, std::size_t network, std::size_t most);

} // namespace nocturne
