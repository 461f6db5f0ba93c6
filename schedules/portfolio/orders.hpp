// What the processes of a portfolio are asked for, on this machine or, through a transport, on others.
#pragma once

#include "schedules/portfolio/portfolio.hpp"
#include "schedules/portfolio/shared_progress.hpp"
#include "schedules/portfolio/task.hpp"
#include "schedules/workers/workers.hpp"

#include <chrono>
#include <optional>
#include <vector>

namespace nocturne {

struct Order {
    std::optional<Task> task; ///< nothing: the bound
    std::chrono::steady_clock::time_point deadline;
};

std::vector<Order> orders_for(const std::vector<Task>& tasks, std::chrono::steady_clock::time_point deadline);

/// Has them carried out with the start, processes or transport of `options`; what run_task() gives for a
/// task, with `lower_bound`, and {"bound": ..., "is_cut": was the time too short for it?} for the bound. As
/// run_jobs(). Beyond a transport nobody says how far he has come.
std::vector<nlohmann::json> carry_out(const Problem& problem, const std::vector<Order>& orders,
                                      unsigned lower_bound, const PortfolioOptions& options,
                                      SharedProgress& progress, const WorkerOptions& workers);

/// How many are carried out at a time.
std::size_t orders_at_a_time(const PortfolioOptions& options);

} // namespace nocturne
