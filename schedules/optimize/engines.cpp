// The table of engines: what `--engine` can name.
#include "schedules/optimize/engine.hpp"

namespace nocturne {

std::span<const Engine> engines()
{
    return {};
}

} // namespace nocturne
