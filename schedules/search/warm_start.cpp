#include "schedules/search/warm_start.hpp"

#include "models/topology/indices_by.hpp"
#include "schedules/problem/transfer_rules.hpp"
#include "schedules/schedule/validator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {
namespace {

/// Judges transfers one by one.
class TransferCheck {
public:
    explicit TransferCheck(const Problem& problem) : problem_(problem), rules_(problem) {}

    bool is_usable(const Transfer& transfer)
    {
        const Topology& topology = problem_.topology;
        const auto& [message, source, destination, written, operation, path] = transfer;
        if (message >= problem_.collective.messages().size() || source >= topology.processor_count() ||
            destination >= topology.processor_count() || source == destination || !path ||
            !connects(topology, source, destination, *path))
            return false;
        std::vector<RouterId> routers = routers_of(topology, source, *path);
        std::sort(routers.begin(), routers.end());
        if (std::adjacent_find(routers.begin(), routers.end()) != routers.end())
            return false;
        return rules_.allows_ends(problem_.collective.messages()[message], source, destination) &&
               rules_.allows_hops(source, destination, path->size());
    }

private:
    const Problem& problem_;
    TransferRules rules_;
};

} // namespace

void check_start(const Problem& problem, const Schedule& start)
{
    const auto compare = [&](const char* what, std::size_t its, std::size_t ours) {
        if (its != ours)
            throw std::invalid_argument(fmt::format("{}: the initial schedule is for {} {}, not {}",
                                                    describe(problem), its, what, ours));
    };
    compare("processors", start.collective.processors, problem.topology.processor_count());
    compare("messages", start.collective.messages().size(), problem.collective.messages().size());
}

std::vector<Step> usable_steps(const Problem& problem, const Schedule* start)
{
    if (start == nullptr)
        return {};
    check_start(problem, *start);
    TransferCheck check(problem);
    std::vector<Step> steps = start->steps;
    for (Step& step : steps)
        std::erase_if(step, [&](const Transfer& transfer) { return !check.is_usable(transfer); });
    return steps;
}

std::optional<Schedule> valid_start(const Problem& problem, unsigned steps, const Schedule* start)
{
    if (start == nullptr)
        return std::nullopt;
    check_start(problem, *start);
    if (start->steps.size() > steps || usable_steps(problem, start) != start->steps)
        return std::nullopt;
    Schedule schedule = *start;
    schedule.collective = problem.collective;
    schedule.ports = problem.ports;
    schedule.switching = problem.switching;
    schedule.slack = problem.slack;
    if (!validate(schedule, problem).empty())
        return std::nullopt;
    return schedule;
}

std::vector<std::size_t> fullest_steps(const std::vector<Step>& steps, std::size_t most)
{
    auto order = indices_by<std::size_t>(
        steps.size(), [&](std::size_t step) { return steps[step].size(); }, std::greater());
    order.resize(std::min(order.size(), most));
    std::sort(order.begin(), order.end());
    return order;
}

std::vector<std::optional<StraightTransfer>> straight_transfers(const Problem& problem, unsigned steps,
                                                                const Schedule* start)
{
    std::vector<Step> usable = usable_steps(problem, start);
    for (Step& step : usable)
        std::erase_if(step, [&](const Transfer& transfer) {
            const auto& [origin, receivers] = problem.collective.messages()[transfer.message];
            return transfer.source != origin || transfer.destination != receivers.front();
        });
    const std::vector<std::size_t> order = fullest_steps(usable, steps);
    std::vector<std::optional<StraightTransfer>> result(problem.collective.messages().size());
    for (std::uint32_t step = 0; step < order.size(); ++step)
        for (Transfer& transfer : usable[order[step]])
            if (!result[transfer.message])
                result[transfer.message] = StraightTransfer{step, std::move(*transfer.path)};
    return result;
}

Schedule straight_schedule(const Problem& problem, std::string_view engine,
                           std::vector<StraightTransfer> transfers)
{
    Schedule schedule = empty_schedule(problem, engine);
    for (MessageId id = 0; id < transfers.size(); ++id) {
        const Message& message = problem.collective.messages()[id];
        put_in_step(schedule.steps, transfers[id].step,
                    {id, message.origin, message.receivers.front(), std::move(transfers[id].path)});
    }
    return schedule;
}

} // namespace nocturne
