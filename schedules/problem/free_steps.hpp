// In which steps channels and ports have room left, for schedulers that put transfers one after another.
#pragma once

#include "models/topology/path.hpp"
#include "models/topology/port_model.hpp"
#include "models/topology/topology.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nocturne {

/// What a transfer holds for a step.
struct TransferRoute {
    ProcessorId source;
    ProcessorId destination;
    const Path& path;
};

/// Any number of steps; none holds anything at first.
class FreeSteps {
public:
    FreeSteps(const Topology& topology, PortModel ports);

    /// The first step from `earliest` on in which the path and its ports have room.
    std::size_t first(const TransferRoute& route, std::size_t earliest);

    /// There must be room.
    void take(const TransferRoute& route, std::size_t step);
    /// Undoes it.
    void give_back(const TransferRoute& route, std::size_t step);

private:
    /// The steps in which a channel or port has no room left, a bit each.
    class FullSteps {
    public:
        std::uint64_t word(std::size_t index) const { return index < words_.size() ? words_[index] : 0; }
        /// The first word with a step that has room.
        std::size_t first_word() const { return first_; }
        void set(std::size_t step);
        void clear(std::size_t step);

    private:
        std::vector<std::uint64_t> words_;
        std::size_t first_ = 0;
    };

    /// A send or receive port of one processor: full after so many messages of a step.
    struct Port {
        unsigned capacity;
        std::vector<unsigned> used = {}; ///< by step
        FullSteps full = {};

        void take(std::size_t step);
        void give_back(std::size_t step);
    };

    std::vector<FullSteps> channels_;
    std::vector<Port> senders_, receivers_;
    std::vector<const FullSteps*> taken_; ///< by the transfer at hand
};

} // namespace nocturne
