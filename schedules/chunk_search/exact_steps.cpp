#include "schedules/chunk_search/exact_steps.hpp"

#include "schedules/chunk_search/symmetric_first.hpp"
#include "schedules/chunk_search/turned_network.hpp"

#include <set>

namespace nocturne {
namespace {

/// Without those that bring what nobody reads afterwards and no demand is for.
void drop_useless(Schedule& schedule)
{
    std::set<std::pair<NodeId, ChunkId>> wanted;
    for (const Demand& demand : schedule.collective.demands)
        wanted.emplace(demand.receiver, demand.chunk);
    for (auto step = schedule.steps.rbegin(); step != schedule.steps.rend(); ++step) {
        Step kept;
        for (auto one = step->rbegin(); one != step->rend(); ++one)
            if (wanted.contains({one->destination, PlaceId{one->to}})) {
                wanted.emplace(one->source, one->message);
                kept.push_back(*one);
            }
        step->assign(kept.rbegin(), kept.rend());
    }
}

} // namespace

Schedule schedule_of(const StepFormula& formula, const Model& model, const LinkNetwork& network,
                     const Collective& collective)
{
    Schedule schedule = empty_schedule("exact", network.name(), collective, ScheduleSynchronization::steps);
    std::vector<ListedTransfer> listed;
    for (const SentVariable& sent : formula.sent)
        if (holds(model, sent.literal)) {
            const ChunkHop& hop = formula.hops[sent.hop];
            listed.push_back({Transfer{sent.chunk, hop.source, hop.destination, hop.path}, sent.step});
        }
    set_transfers(schedule, std::move(listed));
    drop_useless(schedule);
    set_least_rounds(schedule, network);
    return schedule;
}

ExactAnswer decide_steps(const LinkNetwork& network, const Collective& collective, const ExactConfig& config)
{
    if (reduces(collective)) {
        ExactAnswer answer = decide_steps(turned(network), reversed(collective), config);
        if (answer.schedule)
            answer.schedule = turned_in_time(*answer.schedule, collective);
        return answer;
    }
    require_steps_and_rounds(config.shape);
    return decide_symmetric_first(
        network, collective, config, {.most_groups = 4},
        [&](const auto& hops, const auto& group) { return transfer_orbits(hops, collective, group); },
        [&](const TransferOrbits& orbits) {
            return step_formula(network, collective, config.shape, orbits);
        });
}

} // namespace nocturne
