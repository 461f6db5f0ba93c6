#include "models/routing/switching.hpp"

#include "models/text/unknown_name.hpp"

namespace nocturne {

Switching parse_switching(std::string_view text)
{
    return value_named("switching", text, {Switching::wormhole, Switching::store_and_forward});
}

std::string to_string(Switching switching)
{
    if (switching == Switching::memory_to_memory)
        return "memory-to-memory";
    return switching == Switching::wormhole ? "wormhole" : "store-and-forward";
}

} // namespace nocturne
