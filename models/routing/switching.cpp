#include "models/routing/switching.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

Switching parse_switching(std::string_view text)
{
    for (const Switching switching : {Switching::wormhole, Switching::store_and_forward})
        if (text == to_string(switching))
            return switching;
    throw std::invalid_argument(fmt::format("switching '{}': expected wormhole or store-and-forward", text));
}

std::string to_string(Switching switching)
{
    if (switching == Switching::memory_to_memory)
        return "memory-to-memory";
    return switching == Switching::wormhole ? "wormhole" : "store-and-forward";
}

} // namespace nocturne
