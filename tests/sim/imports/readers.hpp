// The readers of other simulators' configurations, as the tables of tests call them.
#pragma once

#include "sim/imports/simulators.hpp"
#include "tests/rows.hpp"

#include <map>
#include <string>
#include <vector>

namespace nocturne::test {

/// TEXT ;; CHANGE ...
inline ImportedCommand import_booksim_row(const std::string& cell)
{
    const std::vector<std::string> pieces = pieces_of(cell);
    return import_booksim(pieces.front(), {pieces.begin() + 1, pieces.end()}, "net.cfg", "net.json");
}

/// KEY: VALUE ;; ... for a small mesh; without a value the key is left out.
inline ImportedCommand import_noxim_row(const std::string& cell)
{
    std::map<std::string, std::string> keys{{"topology", " MESH"},
                                            {"mesh_dim_x", " 3"},
                                            {"mesh_dim_y", " 5"},
                                            {"buffer_depth", " 4"},
                                            {"flit_size", " 32"},
                                            {"n_virtual_channels", " 1"},
                                            {"routing_algorithm", " XY"},
                                            {"selection_strategy", " RANDOM"},
                                            {"traffic_distribution", " TRAFFIC_RANDOM"},
                                            {"min_packet_size", " 8"},
                                            {"max_packet_size", " 8"},
                                            {"packet_injection_rate", " 0.01"},
                                            {"probability_of_retransmission", " 0.01"},
                                            {"clock_period_ps", " 1000"},
                                            {"stats_warm_up_time", " 1000"},
                                            {"simulation_time", " 10000"}};
    for (const std::string& piece : pieces_of(cell))
        keys[piece.substr(0, piece.find(':'))] = piece.substr(piece.find(':') + 1);
    std::string text;
    for (const auto& [key, value] : keys)
        if (!value.empty())
            text.append(key).append(":").append(value).append("\n");
    return import_noxim(text, "net.yaml");
}

/// OPTIONS
inline ImportedCommand import_garnet_row(const std::string& cell)
{
    return import_garnet("./build/NULL/gem5.opt configs/example/garnet_synth_traffic.py " + cell, "run.sh");
}

} // namespace nocturne::test
