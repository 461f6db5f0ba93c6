#include "models/routing/paths.hpp"
#include "models/routing/routings.hpp"
#include "schedules/constructions/constructions.hpp"
#include "schedules/constructions/network_shape.hpp"
#include "schedules/schedule/validator.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

/// Nothing where there is no path.
using FindPath = std::function<std::optional<Path>(ProcessorId, ProcessorId)>;

FindPath follow(Routing routing)
{
    return [routing = std::move(routing)](ProcessorId source, ProcessorId destination) {
        Path path;
        for (const Hop& hop : routing.route(source, destination))
            path.push_back(hop.channel);
        return path;
    };
}

std::optional<FindPath> own_routing(const Topology& topology)
{
    constexpr double most_channels_looked_at = 3e8;
    const auto processors = static_cast<double>(topology.processor_count());
    if (!topology.tag_digits().empty())
        return follow(destination_tag(topology));
    if (is_complete_grid(topology))
        return follow(dimension_order(topology));
    if (processors * processors * static_cast<double>(topology.channel_count()) > most_channels_looked_at)
        return std::nullopt;
    return [&topology](ProcessorId source, ProcessorId destination) {
        return PathEnumerator(topology, source, destination).next();
    };
}

using Round = std::vector<Transfer>;
using Partner = ProcessorId (*)(ProcessorId source, ProcessorId round, ProcessorId processors);

/// The rounds 1 .. N-1, or nothing if one of them has a conflict or lacks a path.
std::optional<std::vector<Round>> make_rounds(const Problem& problem, const FindPath& find_path,
                                              Partner partner)
{
    const auto processors = static_cast<ProcessorId>(problem.topology.processor_count());
    std::vector<ProcessorId> last_user(problem.topology.channel_count(), 0); // round
    std::vector<Round> rounds;
    for (ProcessorId k = 1; k < processors; ++k) {
        Round& round = rounds.emplace_back();
        for (ProcessorId source = 0; source < processors; ++source) {
            const ProcessorId destination = partner(source, k, processors);
            std::optional<Path> path = find_path(source, destination);
            if (!path)
                return std::nullopt;
            for (const ChannelId channel : *path)
                if (std::exchange(last_user[channel], k) == k)
                    return std::nullopt;
            round.push_back({*find_message(problem.collective, source, destination), source, destination,
                             std::move(path)});
        }
    }
    return rounds;
}

std::size_t count_hops(const Round& round)
{
    std::size_t hops = 0;
    for (const Transfer& transfer : round)
        hops += transfer.path->size();
    return hops;
}

/// Rounds in the fewest steps that first fit, the longest first, finds for `ports` ports.
std::vector<Step> merge(std::vector<Round> rounds, unsigned ports, std::size_t channels)
{
    struct Merged {
        Step transfers;
        std::vector<bool> is_used; ///< by channel
        unsigned rounds = 0;
    };
    std::stable_sort(rounds.begin(), rounds.end(),
                     [](const Round& a, const Round& b) { return count_hops(a) > count_hops(b); });
    std::vector<Merged> steps;
    for (Round& round : rounds) {
        const auto has_room = [&](const Merged& step) {
            return step.rounds < ports &&
                   std::all_of(
                       round.begin(), round.end(),
                       [&](const Transfer& transfer) {
                           return std::none_of(transfer.path->begin(), transfer.path->end(),
                                               [&](ChannelId channel) { return step.is_used[channel]; });
                       });
        };
        auto step = std::find_if(steps.begin(), steps.end(), has_room);
        if (step == steps.end())
            step = steps.insert(steps.end(), {{}, std::vector<bool>(channels), 0});
        ++step->rounds;
        for (Transfer& transfer : round) {
            for (const ChannelId channel : *transfer.path)
                step->is_used[channel] = true;
            step->transfers.push_back(std::move(transfer));
        }
    }
    std::vector<Step> result;
    for (Merged& step : steps)
        result.push_back(std::move(step.transfers));
    return result;
}

} // namespace

std::optional<Schedule> permutation_rounds(const Problem& problem)
{
    if (!is_among_all(problem.collective, CollectiveKind::allgather) &&
        !is_among_all(problem.collective, CollectiveKind::alltoall))
        return std::nullopt;
    const auto find_path = own_routing(problem.topology);
    if (!find_path)
        return std::nullopt;
    std::optional<std::vector<Round>> rounds;
    if (std::has_single_bit(problem.topology.processor_count()))
        rounds = make_rounds(problem, *find_path,
                             [](ProcessorId source, ProcessorId k, ProcessorId) { return source ^ k; });
    if (!rounds)
        rounds =
            make_rounds(problem, *find_path, [](ProcessorId source, ProcessorId k, ProcessorId processors) {
                return (source + k) % processors;
            });
    if (!rounds)
        return std::nullopt;
    Schedule schedule = empty_schedule(problem, "construct, permutation rounds");
    schedule.steps = merge(std::move(*rounds), common_ports(problem), problem.topology.channel_count());
    if (!keeps_transfer_rules(problem, schedule))
        return std::nullopt;
    return schedule;
}

} // namespace nocturne
