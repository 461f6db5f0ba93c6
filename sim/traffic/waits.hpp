// What waited in a network, from one moment to another.
#pragma once

#include "models/network/message_network.hpp"

#include <cstdint>
#include <optional>

namespace nocturne {

/// Cycles, see MessageNetwork; nothing for what a network does not count.
struct Waits {
    std::optional<std::uint64_t> blocked;
    std::optional<std::uint64_t> credits;
    std::optional<std::uint64_t> heads;
};

/// So far.
inline Waits waits_of(const MessageNetwork& network)
{
    return {network.blocked_cycles(), network.credit_wait_cycles(), network.head_wait_cycles()};
}

/// Of one network, those after `begin`.
inline Waits operator-(const Waits& end, const Waits& begin)
{
    const auto since = [](std::optional<std::uint64_t> from, std::optional<std::uint64_t> to) {
        return to ? std::optional(*to - *from) : std::nullopt;
    };
    return {since(begin.blocked, end.blocked), since(begin.credits, end.credits),
            since(begin.heads, end.heads)};
}

} // namespace nocturne
