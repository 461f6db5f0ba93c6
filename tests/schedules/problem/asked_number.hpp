// How many random problems a test tries.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace nocturne::test {

/// So many, or as many as a variable of the environment asks for.
inline std::uint64_t asked_number(const char* variable, std::uint64_t standard)
{
    const char* const asked = std::getenv(variable);
    return asked != nullptr ? std::strtoull(asked, nullptr, 10) : standard;
}

} // namespace nocturne::test
