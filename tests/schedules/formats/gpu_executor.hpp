// What MSCCL++'s executor does with a plan, thread by thread in any order: from its kernel, with nothing of
// ours.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace nocturne::test {

/// Two threads a block take turns with three elements a chunk; kernels begin when they like. Empty if every
/// GPU ends with what the collective says, everything that was told was waited for, and no GPU's memory was
/// touched before its kernel began or after it ended; else what went wrong.
std::string execute(const nlohmann::json& plan, std::uint64_t seed);

} // namespace nocturne::test
