// What a router keeps to select among the outputs that adaptive routing allows.
#pragma once

#include "models/hardware/flit.hpp"
#include "models/routing/random.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

class Router;

struct SelectionState {
    std::uint32_t last_chosen; ///< output that a packet got last
    SplitMix64 random;         ///< of random selection
    struct NextRouter {
        const Router* router = nullptr;
        std::uint32_t input = 0; ///< of it, where this router's output leads
    };
    // Of selection by neighbours.
    std::vector<NextRouter> next = {};     ///< by output
    std::vector<std::uint32_t> shown = {}; ///< by output virtual channel: its credits before the last tick
    Cycle shown_at = ~Cycle{0};            ///< when that was
};

} // namespace nocturne
