// How much is tried of what takes long with sanitizers: a share in `./run test`, all of it in
// `./run nightly`.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace nocturne::test {

inline bool is_nightly()
{
    return std::getenv("NOCTURNE_NIGHTLY") != nullptr;
}

/// Is the `i`-th of many to be tried, where one in `share` is enough for a day?
inline bool is_tried(std::size_t i, std::size_t share)
{
    return is_nightly() || i % share == 0;
}

/// Of random inputs, as many as are enough for a day: one in `share` of `all`.
inline unsigned tries(unsigned all, unsigned share)
{
    return is_nightly() ? all : all / share;
}

} // namespace nocturne::test
