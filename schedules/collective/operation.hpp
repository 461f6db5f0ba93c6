// What becomes of data that come where data are.
#pragma once

#include <cstdint>

namespace nocturne {

enum class Operation : std::uint8_t {
    copy, ///< the place holds what came
    add,  ///< the place holds the sum of what was there and what came
};

} // namespace nocturne
