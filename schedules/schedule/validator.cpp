#include "schedules/schedule/validator.hpp"

#include "schedules/problem/transfer_rules.hpp"
#include "schedules/schedule/rule_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <iterator>
#include <limits>
#include <numeric>
#include <thread>
#include <tuple>
#include <utility>

namespace nocturne {

namespace {

/// The violation if the schedule is for another topology.
std::optional<Violation> wrong_topology(const Schedule& schedule, const Topology& topology)
{
    const Collective& collective = schedule.collective;
    const auto processors = topology.processor_count();
    std::uint64_t needed = collective.processors;
    for (const Chunk& chunk : collective.chunks)
        for (const std::uint32_t contributor : chunk.contributors)
            needed = std::max(needed, std::uint64_t{contributor} + 1);
    for (const Demand& demand : collective.demands)
        needed = std::max(needed, std::uint64_t{demand.receiver} + 1);
    if (needed == processors)
        return std::nullopt;
    return Violation{.rule = Rule::wrong_topology,
                     .text = fmt::format("wrong-topology: the collective is on {} processors, {} has {}",
                                         needed, topology.name(), processors)};
}

/// The violation if the schedule has what only transfers from memory to memory have.
std::optional<Violation> beyond_messages(const Schedule& schedule)
{
    if (!is_in_steps(schedule) || !schedule.rounds.empty() || !schedule.after.empty())
        return Violation{
            .rule = Rule::wrong_step,
            .text = "wrong-step: messages are sent in steps of one round, and wait for nothing else"};
    if (!schedule.inputs.empty() || !schedule.outputs.empty())
        return Violation{.rule = Rule::unknown_place,
                         .text = "unknown-place: messages have no places but their own"};
    return std::nullopt;
}

/// Calls work(part, begin, end) for so many parts of the numbers below `count`, each in a thread of its own,
/// or in this one if the system has no more threads.
template <class Work>
void in_parts(std::size_t parts, std::size_t count, const Work& work)
{
    std::vector<std::future<void>> others; // wait when they go
    for (std::size_t part = 1; part < parts; ++part)
        others.push_back(std::async(std::launch::async | std::launch::deferred, work, part,
                                    count * part / parts, count * (part + 1) / parts));
    work(std::size_t{0}, std::size_t{0}, count / parts);
    for (std::future<void>& other : others)
        other.get();
}

/// Transfers by message, in order; those of message i are from begin[i] to begin[i + 1].
struct PlacesByMessage {
    std::vector<std::size_t> begin;
    std::vector<Place> places;
};

PlacesByMessage by_message(const Schedule& schedule, const std::vector<std::vector<Place>>& parts)
{
    const auto message_of = [&](Place place) { return schedule.steps[place.step][place.transfer].message; };
    PlacesByMessage sorted;
    sorted.begin.resize(schedule.collective.messages().size() + 1);
    for (const std::vector<Place>& part : parts)
        for (const Place place : part)
            ++sorted.begin[message_of(place) + 1];
    std::partial_sum(sorted.begin.begin(), sorted.begin.end(), sorted.begin.begin());
    sorted.places.resize(sorted.begin.back());
    std::vector<std::size_t> next(sorted.begin.begin(), sorted.begin.end() - 1);
    for (const std::vector<Place>& part : parts)
        for (const Place place : part)
            sorted.places[next[message_of(place)]++] = place;
    return sorted;
}

/// Leaves the first most_undelivered_listed of what is undelivered, which is last, and counts the others,
/// `unlisted` more among them.
void shorten(std::vector<Violation>& violations, std::uint64_t unlisted)
{
    const auto first = std::ranges::find_if(
        violations, [](const Violation& violation) { return violation.rule == Rule::undelivered; });
    const auto listed = static_cast<std::size_t>(violations.end() - first);
    if (listed > most_undelivered_listed) {
        unlisted += listed - most_undelivered_listed;
        violations.resize(violations.size() - (listed - most_undelivered_listed));
    }
    if (unlisted > 0)
        violations.push_back({.rule = Rule::undelivered,
                              .text = fmt::format("undelivered: and {} more deliveries", unlisted),
                              .count = unlisted});
}

/// One thread for schedules that it judges in some milliseconds: less than it takes to begin another.
std::size_t threads_for(const Schedule& schedule, unsigned threads)
{
    constexpr std::size_t transfers_of_a_thread = 20'000;
    const std::size_t most = threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
    std::size_t transfers = 0;
    for (const Step& step : schedule.steps)
        transfers += step.size();
    return threads > 0 ? most : std::clamp<std::size_t>(transfers / transfers_of_a_thread, 1, most);
}

} // namespace

std::string_view to_string(Rule rule)
{
    return rule_table[static_cast<std::size_t>(rule)].name;
}

std::uint64_t count_violations(std::span<const Violation> violations)
{
    return std::accumulate(
        violations.begin(), violations.end(), std::uint64_t{0},
        [](std::uint64_t sum, const Violation& violation) { return sum + violation.count; });
}

std::vector<Violation> validate(const Schedule& schedule, const Topology& topology, unsigned threads)
{
    if (is_between_memories(schedule))
        return validate(schedule, link_network_of(topology));
    if (const auto violation = wrong_topology(schedule, topology))
        return {*violation};
    if (const auto violation = beyond_messages(schedule))
        return {*violation};
    const std::size_t parts = threads_for(schedule, threads);
    std::vector<std::vector<Place>> meaningful(parts);
    std::vector<std::vector<Violation>> of_steps(parts);
    in_parts(parts, schedule.steps.size(), [&](std::size_t part, std::size_t begin, std::size_t end) {
        RuleChecks checks(schedule, topology);
        for (std::size_t step = begin; step < end; ++step)
            checks.check_step(step, meaningful[part]);
        of_steps[part] = std::move(checks).violations();
    });
    const PlacesByMessage sorted = by_message(schedule, meaningful);
    std::vector<std::vector<Violation>> of_messages(parts);
    std::vector<std::uint64_t> unlisted(parts);
    in_parts(parts, sorted.begin.size() - 1, [&](std::size_t part, std::size_t begin, std::size_t end) {
        RuleChecks checks(schedule, topology);
        for (std::size_t id = begin; id < end; ++id)
            checks.check_message(
                static_cast<MessageId>(id),
                std::span(sorted.places).subspan(sorted.begin[id], sorted.begin[id + 1] - sorted.begin[id]));
        unlisted[part] = checks.unlisted();
        of_messages[part] = std::move(checks).violations();
    });
    std::vector<Violation> all;
    for (auto* const violations : {&of_steps, &of_messages})
        for (std::vector<Violation>& part : *violations)
            std::move(part.begin(), part.end(), std::back_inserter(all));
    const auto place_of = [](const Violation& violation) {
        constexpr auto at_the_end = std::numeric_limits<std::size_t>::max();
        return std::tuple{violation.step.value_or(at_the_end), violation.transfer.value_or(at_the_end),
                          violation.rule == Rule::undelivered};
    };
    std::ranges::stable_sort(
        all, [&](const Violation& a, const Violation& b) { return place_of(a) < place_of(b); });
    shorten(all, std::accumulate(unlisted.begin(), unlisted.end(), std::uint64_t{0}));
    return all;
}

std::vector<Violation> validate(const Schedule& schedule, const Problem& problem)
{
    const auto wrong = [&](std::string_view what) {
        return std::vector<Violation>{
            {.rule = Rule::wrong_problem,
             .text = fmt::format("wrong-problem: {} of {}", what, describe(problem))}};
    };
    if (schedule.collective != problem.collective)
        return wrong("the collective is not that");
    if (schedule.ports != problem.ports)
        return wrong("the ports are not those");
    if (schedule.switching != problem.switching)
        return wrong("the switching is not that");
    if (schedule.slack != problem.slack)
        return wrong("the slack is not that");
    return validate(schedule, problem.topology);
}

std::optional<std::string> objection_to(const Schedule& schedule, const Problem& problem)
{
    const std::vector<Violation> violations = validate(schedule, problem);
    if (violations.empty())
        return std::nullopt;
    const std::uint64_t more = count_violations(violations) - 1;
    return violations.front().text + (more == 0 ? "" : fmt::format(" (and {} more)", more));
}

bool keeps_transfer_rules(const Problem& problem, const Schedule& schedule)
{
    TransferRules rules(problem);
    const auto keeps = [&](const Transfer& transfer) {
        const auto& [message, source, destination, written, operation, path] = transfer;
        const bool is_sum = problem.collective.chunks[message].contributors.size() > 1;
        return (is_sum || rules.allows_ends(problem.collective.messages()[message], source, destination)) &&
               rules.allows_hops(source, destination, path->size());
    };
    return std::ranges::all_of(schedule.steps,
                               [&](const Step& step) { return std::ranges::all_of(step, keeps); });
}

} // namespace nocturne
