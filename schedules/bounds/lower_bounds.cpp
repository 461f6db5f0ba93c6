#include "schedules/bounds/lower_bounds.hpp"

#include "models/topology/indices_by.hpp"
#include "schedules/certificate/sum_receptions.hpp"
#include "schedules/problem/copying_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

/// Processors that others are owed sums with: all of them, or some of many.
std::vector<ProcessorId> origins_to_try(const Problem& problem)
{
    constexpr std::size_t most = 32;
    const Collective& collective = problem.collective;
    std::vector<bool> is_owed(collective.processors);
    for (const Demand& demand : collective.demands)
        for (const std::uint32_t contributor : demand.contributors)
            if (contributor != demand.receiver)
                is_owed[contributor] = true;
    const auto all = indices_where(collective.processors, [&](ProcessorId id) { return is_owed[id]; });
    std::vector<ProcessorId> some;
    if (all.empty())
        throw std::invalid_argument(fmt::format("{}: there is nothing to send", describe(problem)));
    const std::size_t stride = (all.size() + most - 1) / most;
    for (std::size_t i = 0; i < all.size(); i += stride)
        some.push_back(all[i]);
    return some;
}

/// The bounds of what only copies.
std::vector<Bound> bounds_of_sums(const Problem& problem, std::chrono::steady_clock::time_point deadline)
{
    if (const auto backwards = bounding_problem(problem, std::nullopt)) {
        std::vector<Bound> bounds = lower_bounds(*backwards, deadline);
        for (Bound& bound : bounds)
            bound.reason = fmt::format("run backwards: {}", bound.reason);
        return bounds;
    }
    // Of each kind the best, the first of equal ones.
    std::vector<Bound> best;
    for (const ProcessorId origin : origins_to_try(problem))
        for (Bound& bound : lower_bounds(*bounding_problem(problem, origin), deadline)) {
            const auto same =
                std::ranges::find(best, kind_of(bound), [](const Bound& one) { return kind_of(one); });
            if (same != best.end() && same->steps >= bound.steps)
                continue;
            bound.origin = origin;
            bound.reason = fmt::format("the contribution of {} alone: {}",
                                       problem.topology.processor(origin).name, bound.reason);
            if (same == best.end())
                best.push_back(std::move(bound));
            else
                *same = std::move(bound);
        }
    if (const SumReceptions all = sum_receptions(problem); all.steps() > 0)
        best.push_back(
            {static_cast<unsigned>(all.steps()),
             fmt::format("sums are received {} times until all are made and spread, at most {} in a step",
                         all.receptions, all.ports),
             Receptions{}});
    if (const unsigned steps = steps_of_sum_growth(problem); steps > 0)
        best.push_back(
            {steps,
             fmt::format("sums of {} contributions double in a step at best{}", problem.collective.processors,
                         problem.collective.processors % 2 == 1
                             ? ", and in the last one only an even number of processors is completed"
                             : ""),
             MessageGrowth{}});
    std::ranges::stable_sort(best, std::greater{}, &Bound::steps);
    return best;
}

} // namespace

std::vector<Bound> lower_bounds(const Problem& problem, std::chrono::steady_clock::time_point deadline)
{
    check(problem);
    if (reduces(problem.collective))
        return bounds_of_sums(problem, deadline);
    std::vector<Bound> bounds{port_bound(problem)};
    const auto add = [&](std::optional<Bound> bound) {
        if (bound)
            bounds.push_back(std::move(*bound));
    };
    const auto is_over = [&] {
        return deadline != std::chrono::steady_clock::time_point::max() &&
               std::chrono::steady_clock::now() >= deadline;
    };
    for (const auto bound : {growth_bound, dominator_bound, distance_bound, vertex_set_bound})
        if (!is_over())
            add(bound(problem));
    if (!is_over())
        add(flow_bound(problem, deadline));
    // Of equal ones the simplest stays first.
    std::ranges::stable_sort(bounds, [](const Bound& a, const Bound& b) { return a.steps > b.steps; });
    return bounds;
}

Bound lower_bound(const Problem& problem, std::chrono::steady_clock::time_point deadline)
{
    return lower_bounds(problem, deadline).front();
}

} // namespace nocturne
