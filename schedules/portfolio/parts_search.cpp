#include "schedules/portfolio/parts_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace nocturne {
namespace {

/// By time a chunk has four bytes at least, an element: smaller ones are sent as such.
std::uint32_t most_parts_of(const ChunkProblem& problem)
{
    constexpr double most = 4096, element_bytes = 4;
    if (problem.objective != ChunkObjective::time)
        return static_cast<std::uint32_t>(most);
    const auto weight = static_cast<double>(largest_contribution(problem.collective));
    return static_cast<std::uint32_t>(std::clamp(problem.bytes / weight / element_bytes, 1.0, most));
}

/// Transfers of a schedule that is still worth its size.
constexpr double most_transfers = 1 << 19;

/// The same of one share of a sum for each member, without which no link but those of a tree carries
/// anything.
constexpr double most_transfers_of_shares = 1 << 22;

/// What is less better does not count: it costs a schedule of twice the size.
constexpr double worth_while = 2e-3;

/// Numbers in a row that have to be in vain.
constexpr unsigned most_in_vain = 3;

/// 1, or where each sum is made at one member the number of these: sums are shared out evenly then.
std::uint32_t members_of(const Collective& collective)
{
    const bool is_shared = collective.kind == CollectiveKind::allreduce;
    return is_shared ? static_cast<std::uint32_t>(collective.chunks.front().contributors.size()) : 1;
}

} // namespace

PartsSearch::PartsSearch(const ChunkProblem& problem, std::uint64_t seed, ChunkEngines& engines,
                         std::span<const Engine* const> asked, const BestSchedule& best,
                         std::vector<std::uint32_t> suggested, std::function<bool()> is_over)
    : members_(members_of(problem.collective)), most_parts_(most_parts_of(problem)), seed_(seed),
      engines_(engines), asked_(asked), best_(best), suggested_(std::move(suggested)),
      is_over_(std::move(is_over))
{
}

void PartsSearch::run()
{
    climb();
    try_around_best();
}

std::vector<std::uint32_t> PartsSearch::tried() const
{
    std::vector<std::uint32_t> parts;
    for (const auto& [number, value] : found_)
        parts.push_back(number);
    return parts;
}

/// Those suggested, then ever more. What a suggestion has found does not end the climb.
void PartsSearch::climb()
{
    const auto tasks_of = [&](const std::set<std::uint32_t>& numbers) {
        std::vector<PartsTask> tasks;
        for (const std::uint32_t parts : numbers)
            tasks.push_back({parts, PartsTask::Effort::quick, seed_});
        return tasks;
    };
    double least = best_.value();
    std::set<std::uint32_t> suggested;
    for (const std::uint32_t parts : suggested_)
        if (parts <= most_parts_)
            suggested.insert(parts);
    const auto is_small = [&](const PartsTask& task) {
        const double transfers = engines_.transfers_a_part() * task.parts;
        return task.parts == 1 || transfers <= most_transfers ||
               (task.parts <= members_ && transfers <= most_transfers_of_shares);
    };
    try_parts(
        tasks_of(suggested), [&](const PartsTask& task) { return !is_over_() && is_small(task); },
        [](double) {});
    std::set<std::uint32_t> numbers;
    for (const std::uint32_t base : {1U, members_})
        for (std::uint32_t parts = base; parts <= most_parts_; parts *= 2)
            if (!suggested.contains(parts))
                numbers.insert(parts);
    const bool has_two_series = numbers.size() > 13; // powers of two, and others
    const unsigned most = has_two_series ? 2 * most_in_vain : most_in_vain;
    unsigned in_vain = 0;
    try_parts(
        tasks_of(numbers),
        [&](const PartsTask& task) { return !is_over_() && in_vain <= most && is_small(task); },
        [&](double value) {
            in_vain = value < least * (1 - worth_while) ? 0 : in_vain + 1;
            least = std::min(least, value);
        });
}

/// The best three with all runs, then numbers between them, nearer each time, with other orders.
void PartsSearch::try_around_best()
{
    constexpr std::size_t most_again = 3;
    constexpr std::uint64_t most_rounds = 3;
    constexpr std::array<double, 6> factors{0.75, 1.5, 0.875, 1.25, 0.9375, 1.125};
    const auto is_wanted = [&](const PartsTask&) { return !is_over_(); };
    std::vector<std::pair<double, std::uint32_t>> order;
    for (const auto& [parts, value] : found_)
        order.emplace_back(value, parts);
    std::sort(order.begin(), order.end());
    order.resize(std::min(order.size(), most_again));
    std::vector<PartsTask> again;
    for (const auto& [value, parts] : order)
        again.push_back({parts, PartsTask::Effort::full, seed_});
    try_parts(again, is_wanted, [](double) {});
    bool is_better = !best_.is_empty();
    for (std::uint64_t round = 1; round <= most_rounds && is_better && !is_over_(); ++round) {
        const double before = best_.value();
        const std::uint32_t centre = best_.schedule().collective.parts;
        std::set<std::uint32_t> numbers{centre};
        for (const double factor : factors) {
            const double about = factor * centre;
            numbers.insert(static_cast<std::uint32_t>(std::max(std::lround(about), 1L)));
            if (members_ > 1)
                numbers.insert(members_ *
                               static_cast<std::uint32_t>(std::max(std::lround(about / members_), 1L)));
        }
        std::vector<PartsTask> tasks;
        for (const std::uint32_t parts : numbers)
            if (parts <= most_parts_ && engines_.transfers_a_part() * parts <= most_transfers)
                tasks.push_back({parts, PartsTask::Effort::full, seed_ + round});
        try_parts(tasks, is_wanted, [](double) {});
        is_better = best_.value() < before * (1 - worth_while);
    }
}

void PartsSearch::try_parts(const std::vector<PartsTask>& tasks,
                            const std::function<bool(const PartsTask&)>& is_wanted,
                            const std::function<void(double value)>& on_taken)
{
    engines_.try_parts(tasks, asked_, is_wanted, [&](const PartsTask& task, double value) {
        const auto [known, is_new] = found_.emplace(task.parts, value);
        known->second = std::min(known->second, value);
        on_taken(value);
    });
}

} // namespace nocturne
