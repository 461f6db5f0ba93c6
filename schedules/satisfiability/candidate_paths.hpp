// The paths that transfers of a problem may take.
#pragma once

#include "models/topology/path.hpp"
#include "schedules/problem/problem.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// Who sends to whom, and over which path.
struct CandidatePath {
    ProcessorId source;
    ProcessorId destination;
    Path path;
};

struct Pair {
    ProcessorId source;
    ProcessorId destination;
};

/// The paths of pair i are consecutive: from first[i] up to first[i + 1].
struct CandidatePaths {
    std::vector<CandidatePath> all;
    std::vector<std::uint32_t> first;
};

/// All paths between the processors of each pair, pair by pair: paths up to the slack of the problem, or one
/// hop under store-and-forward switching. Nothing as soon as the sum of `cost` over them exceeds `most`.
std::optional<CandidatePaths>
list_candidate_paths(const Problem& problem, std::span<const Pair> pairs,
                     const std::function<std::uint64_t(const CandidatePath&)>& cost, std::uint64_t most);

} // namespace nocturne
