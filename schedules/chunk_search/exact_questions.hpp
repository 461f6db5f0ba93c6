// Questions of the exact search that are put one after the other until there is a schedule, in several
// processes.
#pragma once

#include "schedules/chunk_search/exact_steps.hpp"
#include "schedules/workers/ordered_jobs.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace nocturne {

/// Is there a schedule of the collective in so many steps and rounds? The collective must outlive it.
struct ExactQuestion {
    const Collective* collective;
    StepsAndRounds shape;
};

struct QuestionsConfig {
    std::uint64_t conflicts = 0; ///< of the solver, for each; 0 = no limit
    SearchEnd end = {};
    unsigned workers = 1; ///< processes, for what takes long; 0 = one for each core
    std::chrono::duration<double> least_to_hand_over = worth_handing_over;
};

/// `take` gets the answers of decide_steps(), or of decide_sums() for what that does not take, in order, up
/// to the first schedule or the end. They do not depend on the number of workers.
void put_questions(const LinkNetwork& network, std::span<const ExactQuestion> questions,
                   const QuestionsConfig& config,
                   const std::function<void(std::size_t question, ExactAnswer answer)>& take);

} // namespace nocturne
