#include "schedules/schedule/schedule.hpp"

#include "schedules/problem/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace nocturne {

// A million transfers are not to take more.
static_assert(sizeof(Transfer) == 48);

Dependencies::Dependencies(const std::vector<std::vector<std::uint32_t>>& lists)
{
    for (const std::vector<std::uint32_t>& list : lists)
        push_back(list);
}

void Dependencies::push_back(std::span<const std::uint32_t> before)
{
    ids_.insert(ids_.end(), before.begin(), before.end());
    ends_.push_back(static_cast<std::uint32_t>(ids_.size()));
}

bool operator==(const Dependencies& a, const Dependencies& b)
{
    if (a.ids_ != b.ids_)
        return false;
    for (std::size_t id = 0; id < std::max(a.ends_.size(), b.ends_.size()); ++id)
        if (a.of(id).size() != b.of(id).size())
            return false;
    return true;
}

Schedule empty_schedule(const Problem& problem, std::string_view engine)
{
    return {.name = describe(problem),
            .source = fmt::format("engine {}", engine),
            .topology = problem.topology.name(),
            .collective = problem.collective,
            .ports = problem.ports,
            .switching = problem.switching,
            .steps = {},
            .slack = problem.slack};
}

Schedule empty_schedule(std::string name, std::string topology, Collective collective,
                        ScheduleSynchronization synchronization)
{
    Schedule schedule;
    schedule.name = std::move(name);
    schedule.topology = std::move(topology);
    schedule.collective = std::move(collective);
    schedule.switching = Switching::memory_to_memory;
    schedule.synchronization = synchronization;
    schedule.steps.resize(synchronization == ScheduleSynchronization::dependencies ? 1 : 0);
    return schedule;
}

void require_messages(const Schedule& schedule)
{
    if (is_between_memories(schedule))
        throw std::invalid_argument(
            fmt::format("schedule '{}' is in chunks, from memory to memory; messages in steps are wanted",
                        schedule.name));
}

void put_in_step(std::vector<Step>& steps, std::size_t step, Transfer transfer)
{
    if (steps.size() <= step)
        steps.resize(step + 1);
    steps[step].push_back(std::move(transfer));
}

std::uint32_t append_transfer(Schedule& schedule, Transfer transfer, const std::vector<std::uint32_t>& after)
{
    Step& transfers = schedule.steps.front();
    transfers.push_back(std::move(transfer));
    schedule.after.push_back(after);
    return static_cast<std::uint32_t>(transfers.size() - 1);
}

TransferList::TransferList(const Schedule& schedule)
{
    all_.reserve(count_transfers(schedule));
    for (const Step& step : schedule.steps) {
        first_.push_back(static_cast<std::uint32_t>(all_.size()));
        for (const Transfer& transfer : step)
            all_.push_back(&transfer);
    }
    first_.push_back(static_cast<std::uint32_t>(all_.size()));
}

std::uint32_t TransferList::step_of(std::size_t id) const
{
    return static_cast<std::uint32_t>(std::ranges::upper_bound(first_, id) - first_.begin() - 1);
}

void set_transfers(Schedule& schedule, std::vector<ListedTransfer> listed)
{
    const bool in_steps = is_in_steps(schedule);
    schedule.after = {};
    schedule.steps.assign(in_steps ? schedule.rounds.size() : 1, {});
    for (ListedTransfer& one : listed) {
        put_in_step(schedule.steps, one.step, std::move(one.transfer));
        if (!in_steps)
            schedule.after.push_back(one.after);
    }
}

std::vector<ListedTransfer> list_transfers(const Schedule& schedule)
{
    std::vector<ListedTransfer> listed;
    listed.reserve(count_transfers(schedule));
    for (std::uint32_t step = 0; step < schedule.steps.size(); ++step)
        for (const Transfer& transfer : schedule.steps[step]) {
            const auto after = schedule.after.of(listed.size());
            listed.push_back({transfer, step, {after.begin(), after.end()}});
        }
    return listed;
}

std::uint32_t count_steps(const Schedule& schedule)
{
    return is_in_steps(schedule) ? static_cast<std::uint32_t>(schedule.steps.size()) : 0;
}

std::uint64_t count_rounds(const Schedule& schedule)
{
    return schedule.rounds.empty()
               ? count_steps(schedule)
               : std::accumulate(schedule.rounds.begin(), schedule.rounds.end(), std::uint64_t{0});
}

std::size_t count_local(const Schedule& schedule)
{
    std::size_t count = 0;
    for (const Step& step : schedule.steps)
        count += static_cast<std::size_t>(std::ranges::count_if(step, &Transfer::is_local));
    return count;
}

std::size_t count_transfers(const Schedule& schedule)
{
    std::size_t count = 0;
    for (const Step& step : schedule.steps)
        count += step.size();
    return count;
}

bool adds(const Schedule& schedule)
{
    return std::ranges::any_of(schedule.steps, [](const Step& step) {
        return std::ranges::any_of(step, [](const Transfer& t) { return t.operation == Operation::add; });
    });
}

bool is_complete(const Schedule& schedule)
{
    return std::ranges::all_of(schedule.steps, [](const Step& step) {
        return std::ranges::all_of(step, [](const Transfer& t) { return t.path.has_value(); });
    });
}

std::string describe_transfer(const Schedule& schedule, const Topology& topology, std::size_t step,
                              std::size_t transfer)
{
    const auto name = [&](ProcessorId id) {
        return id < topology.processor_count() ? topology.processor(id).name : fmt::format("#{}", id);
    };
    const Transfer& t = schedule.steps[step][transfer];
    return fmt::format("step {}, transfer {} ({}>{})", step + 1, transfer + 1, name(t.source),
                       name(t.destination));
}

} // namespace nocturne
