// Runs programs in MSCCL's XML as its executor does (msccl-executor-nccl, src/misc/msccl/msccl_parser.cc and
// src/device/msccl_kernel.cu at c6f6b36), with nothing of ours.
#pragma once

#include <cstdint>
#include <string>

namespace nocturne::test {

/// Thread blocks load, add and store one after the other, in an order that the seed draws; so does it how
/// many chunks the executor takes at once, and how many chunks above the least a connection holds. Empty if
/// the results are right, and no two thread blocks touched a place at once; otherwise what went wrong.
std::string execute_msccl(const std::string& xml, bool in_place, std::uint64_t seed);

} // namespace nocturne::test
