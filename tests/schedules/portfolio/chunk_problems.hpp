// Problems of chunks as the tests of their search ask them.
#pragma once

#include "schedules/portfolio/portfolio.hpp"

namespace nocturne::test {

/// Of all processors, from or to the first if there is a root.
inline ChunkProblem chunk_problem(CollectiveKind kind, const LinkNetwork& network, ChunkObjective objective)
{
    return {.network = network,
            .collective = make_collective(kind, CollectiveShape{.processors = network.processor_count()},
                                          has_root(kind) ? std::optional{0U} : std::nullopt),
            .objective = objective};
}

/// In this process alone.
inline const PortfolioOptions patient{.budget = std::chrono::seconds(20), .workers = 1};

} // namespace nocturne::test
