#include "sim/recovery/repair_plan.hpp"

#include "models/routing/distances.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/reschedule/repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::uint64_t repair_effort = 200'000; ///< for each number of steps that is tried
constexpr std::uint32_t gone = RemainingNetwork::gone;

bool is_lost(const Topology& topology, const Faults& faults, ProcessorId id)
{
    return has_failed(faults, topology.processor(id).injection) ||
           has_failed(faults, topology.processor(id).ejection);
}

bool survives(const Transfer& transfer, const RemainingNetwork& rest)
{
    return rest.new_processor[transfer.source] != gone && rest.new_processor[transfer.destination] != gone &&
           std::none_of(transfer.path->begin(), transfer.path->end(),
                        [&](ChannelId id) { return rest.new_channel[id] == gone; });
}

/// A part of a message's deliveries, from one of those who have it.
using Share = std::pair<ProcessorId, MessageId>;

/// The transfers that are kept of a schedule, by step, and the share that each belongs to.
struct Kept {
    std::vector<std::vector<std::pair<Transfer, Share>>> steps;
    std::map<std::pair<MessageId, ProcessorId>, ProcessorId> root; ///< who a receiver's copy comes from
};

Kept keep(const Schedule& schedule, std::size_t from, const RemainingNetwork& rest,
          const MessageOwners& owners)
{
    Kept kept;
    for (std::size_t step = from; step < schedule.steps.size(); ++step) {
        std::vector<std::pair<Transfer, Share>> transfers;
        for (const Transfer& transfer : schedule.steps[step]) {
            if (!survives(transfer, rest) || owners[transfer.destination][transfer.message] ||
                kept.root.count({transfer.message, transfer.destination}) != 0)
                continue;
            const auto source = kept.root.find({transfer.message, transfer.source});
            if (owners[transfer.source][transfer.message])
                transfers.push_back({transfer, {transfer.source, transfer.message}});
            else if (source != kept.root.end())
                transfers.push_back({transfer, {source->second, transfer.message}});
        }
        // Behind the step: what comes in it can be passed on in the next.
        for (const auto& [transfer, share] : transfers)
            kept.root[{transfer.message, transfer.destination}] = share.first;
        if (!transfers.empty())
            kept.steps.push_back(std::move(transfers));
    }
    return kept;
}

/// The owed deliveries as a collective of the network that is left, and which share each of its messages is.
struct OwedCollective {
    Collective collective;
    std::vector<Share> shares; ///< ascending
};

OwedCollective owed_collective(const Schedule& schedule, const RemainingNetwork& rest,
                               const MessageOwners& owners, const std::vector<OwedDelivery>& owed,
                               const Kept& kept)
{
    std::map<Share, std::vector<std::uint32_t>> receivers;
    NearestHolders nearest_holder(rest, owners);
    const bool broadcast = is_broadcast(schedule.collective);
    for (const OwedDelivery& delivery : owed) {
        const auto found = kept.root.find({delivery.message, delivery.receiver});
        const ProcessorId root = found != kept.root.end() ? found->second : nearest_holder(delivery);
        receivers[{root, delivery.message}].push_back(rest.new_processor[delivery.receiver]);
    }
    OwedCollective result;
    Collective& collective = result.collective;
    collective.kind =
        broadcast ? CollectiveKind::many_to_many_broadcast : CollectiveKind::many_to_many_scatter;
    collective.processors = static_cast<std::uint32_t>(rest.old_processor.size());
    for (const auto& [share, to] : receivers) {
        const ProcessorList origin{rest.new_processor[share.first]};
        for (const std::uint32_t receiver : to)
            collective.demands.push_back({static_cast<ChunkId>(collective.chunks.size()), receiver, origin});
        collective.chunks.push_back({1, origin});
        result.shares.push_back(share);
    }
    return result;
}

std::vector<Step> start_steps(const Kept& kept, const RemainingNetwork& rest, const OwedCollective& owed)
{
    std::vector<Step> steps;
    for (const auto& transfers : kept.steps) {
        Step step;
        for (const auto& [transfer, share] : transfers) {
            // In the order of a map: see owed_collective().
            const auto found = std::lower_bound(owed.shares.begin(), owed.shares.end(), share);
            if (found == owed.shares.end() || *found != share)
                continue; // relays of what is not owed
            Path path;
            for (const ChannelId id : *transfer.path)
                path.push_back(rest.new_channel[id]);
            step.push_back({static_cast<MessageId>(found - owed.shares.begin()),
                            rest.new_processor[transfer.source], rest.new_processor[transfer.destination],
                            std::move(path)});
        }
        if (!step.empty())
            steps.push_back(std::move(step));
    }
    return steps;
}

Schedule find_repair(const Problem& problem, const Schedule& start)
{
    const std::size_t owed = problem.collective.demands.size();
    const std::size_t placed = count_transfers(start);
    const std::size_t waiting = owed - std::min(owed, placed);
    const auto first =
        static_cast<unsigned>(std::max<std::size_t>(lower_bound(problem).steps, start.steps.size()));
    SearchControl control;
    control.effort = repair_effort;
    control.start = &start;
    std::optional<Schedule> found =
        repair_in_fewest_steps(problem, first, first + static_cast<unsigned>(owed), waiting, control);
    if (!found)
        throw std::runtime_error(fmt::format("{}: no schedule for what is owed was found", start.name));
    return std::move(*found);
}

} // namespace

OwedDeliveries owed_deliveries(const Collective& collective, const Topology& topology, const Faults& faults,
                               const MessageOwners& owners)
{
    OwedDeliveries result;
    for (MessageId id = 0; id < collective.messages().size(); ++id) {
        const auto holds = [&](ProcessorId holder) {
            return owners[holder][id] && !is_lost(topology, faults, holder);
        };
        bool is_held = holds(collective.messages()[id].origin); // as a rule: not to ask all of them
        for (ProcessorId holder = 0; holder < collective.processors && !is_held; ++holder)
            is_held = holds(holder);
        for (const ProcessorId receiver : collective.messages()[id].receivers) {
            if (is_lost(topology, faults, receiver))
                result.dropped.push_back({id, receiver}); // whether it had come or not
            else if (!owners[receiver][id])
                (is_held ? result.owed : result.dropped).push_back({id, receiver});
        }
    }
    return result;
}

NearestHolders::NearestHolders(const RemainingNetwork& rest, const MessageOwners& owners)
    : rest_(rest), owners_(owners), distances_(rest.topology.router_count())
{
}

ProcessorId NearestHolders::operator()(const OwedDelivery& owed)
{
    const RouterId to = rest_.topology.processor(rest_.new_processor[owed.receiver]).ejection;
    if (distances_[to].empty())
        distances_[to] = distances_to(rest_.topology, to);
    std::optional<ProcessorId> best;
    const auto distance = [&](ProcessorId id) {
        return distances_[to][rest_.topology.processor(rest_.new_processor[id]).injection];
    };
    for (const ProcessorId id : rest_.old_processor)
        if (owners_[id][owed.message] && (!best || distance(id) < distance(*best)))
            best = id;
    return best.value();
}

RepairPlan plan_repair(const Schedule& schedule, std::size_t from, const Topology& topology,
                       const Faults& faults, const MessageOwners& owners)
{
    const auto begin = std::chrono::steady_clock::now();
    const RemainingNetwork rest = remaining_network(topology, faults);
    const OwedDeliveries deliveries = owed_deliveries(schedule.collective, topology, faults, owners);
    if (deliveries.owed.empty()) { // the fault took only what no processor can have any more
        RepairPlan nothing{schedule, 0};
        nothing.schedule.steps.clear();
        return nothing;
    }
    const Kept kept = keep(schedule, from, rest, owners);
    OwedCollective owed = owed_collective(schedule, rest, owners, deliveries.owed, kept);
    const Problem problem{rest.topology, owed.collective, schedule.ports, schedule.switching};
    const Schedule start{.name = schedule.name,
                         .source = {},
                         .topology = rest.topology.name(),
                         .collective = owed.collective,
                         .ports = schedule.ports,
                         .switching = schedule.switching,
                         .steps = start_steps(kept, rest, owed)};
    RepairPlan plan{find_repair(problem, start), 0};
    for (Step& step : plan.schedule.steps)
        for (Transfer& transfer : step) {
            transfer.set_message(owed.shares[transfer.message].second);
            transfer.source = rest.old_processor[transfer.source];
            transfer.destination = rest.old_processor[transfer.destination];
            for (ChannelId& id : *transfer.path)
                id = rest.old_channel[id];
        }
    std::erase_if(plan.schedule.steps, [](const Step& step) { return step.empty(); });
    plan.schedule.topology = topology.name();
    plan.schedule.collective = schedule.collective;
    plan.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return plan;
}

} // namespace nocturne
