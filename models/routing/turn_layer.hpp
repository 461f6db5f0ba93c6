// A set of turns without a cycle, which grows.
#pragma once

#include "models/routing/acyclic_graph.hpp"
#include "models/topology/topology.hpp"

#include <limits>
#include <vector>

namespace nocturne {

/// The turns of one class of virtual channels while the sets grow. Once taken or refused a turn stays so,
/// because no turn ever leaves a set: a route asked for later gets the same answers as it did when it was
/// first seen.
class TurnLayer {
public:
    /// As many channels and turns as Turns of the topology has; `effort` as of an AcyclicGraph.
    TurnLayer(std::size_t channels, std::size_t turns,
              std::size_t effort = std::numeric_limits<std::size_t>::max())
        : order_(channels, effort), known_(turns), taken_(turns)
    {
    }

    /// Takes the turn from `channel` to `next`, number `turn`, unless it closes a cycle or that is not known
    /// within the effort; is it in the set now?
    bool take(std::size_t turn, ChannelId channel, ChannelId next)
    {
        if (!known_[turn]) {
            known_[turn] = true;
            taken_[turn] = order_.insert(channel, next);
        }
        return taken_[turn];
    }
    /// By number of the turn.
    const std::vector<bool>& taken() const { return taken_; }

private:
    AcyclicGraph order_; ///< of the channels
    std::vector<bool> known_;
    std::vector<bool> taken_;
};

} // namespace nocturne
