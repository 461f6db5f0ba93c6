#include "schedules/chunk_search/turned_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace nocturne {

namespace {

/// `kind_of(node)` of those that are no processors, and each link as `change(link)` leaves it.
template <class KindOf, class Change>
LinkNetwork changed(const LinkNetwork& network, const KindOf& kind_of, const Change& change)
{
    LinkNetwork result{network.name(), network.processor_count()};
    for (NodeId node = 0; node < network.node_count(); ++node) {
        if (network.kind(node) != NodeKind::processor)
            result.add_switch(kind_of(node), network.node_name(node));
        result.set_node_name(node, network.node_name(node));
    }
    for (NetworkLink link : network.links()) {
        change(link);
        result.add_link(link);
    }
    return result;
}

} // namespace

LinkNetwork turned(const LinkNetwork& network)
{
    return changed(
        network, [](NodeId) { return NodeKind::plain_switch; },
        [](NetworkLink& link) { std::swap(link.source, link.target); });
}

LinkNetwork without_latencies(const LinkNetwork& network)
{
    return changed(
        network, [&](NodeId node) { return network.kind(node); },
        [](NetworkLink& link) { link.latency_cycles = 0; });
}

std::optional<Schedule> over_partners(const Schedule& schedule, const LinkNetwork& network)
{
    const std::vector<LinkId> partners = partners_of(network);
    Schedule result = schedule;
    for (Transfer& transfer : result.steps.front())
        if (transfer.path)
            for (LinkId& link : *transfer.path) {
                link = partners[link];
                if (link == no_partner)
                    return std::nullopt;
            }
    return result;
}

namespace {

void require_copies_once(const Schedule& schedule)
{
    std::unordered_map<std::uint64_t, bool> arrived;
    for (const Step& step : schedule.steps)
        for (const Transfer& transfer : step)
            if (transfer.operation != Operation::copy || !transfer.keeps_place() ||
                transfer.to >= schedule.collective.chunks.size() || transfer.is_local() ||
                !arrived.emplace(place_key(transfer.destination, transfer.to), true).second)
                throw std::invalid_argument(fmt::format(
                    "{}: only copies of chunks that arrive once can be turned round", schedule.name));
}

/// Run backwards, a node sends its sum when all that it sent to has come back.
void turn_dependencies(const Schedule& schedule, std::vector<ListedTransfer>& backward)
{
    const TransferList forward(schedule);
    const auto count = static_cast<std::uint32_t>(forward.size());
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> leaving;
    for (std::uint32_t id = 0; id < count; ++id)
        leaving[place_key(forward[id].source, forward[id].message)].push_back(count - 1 - id);
    for (std::uint32_t id = 0; id < count; ++id) {
        const Transfer& transfer = forward[id];
        const auto found = leaving.find(place_key(transfer.destination, transfer.to));
        std::vector<std::uint32_t>& after = backward[count - 1 - id].after;
        if (found != leaving.end())
            after.insert(after.end(), found->second.begin(), found->second.end());
        std::ranges::sort(after);
    }
}

/// Sends of a sum wait for what is added to it locally; the local transfers will follow the others.
void wait_for_locals(const std::vector<ListedTransfer>& locals, std::vector<ListedTransfer>& sends)
{
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> adding;
    for (std::size_t i = 0; i < locals.size(); ++i)
        adding[place_key(locals[i].transfer.destination, locals[i].transfer.to)].push_back(
            static_cast<std::uint32_t>(sends.size() + i));
    for (ListedTransfer& send : sends)
        if (const auto found = adding.find(place_key(send.transfer.source, send.transfer.message));
            found != adding.end())
            send.after.insert(send.after.end(), found->second.begin(), found->second.end());
}

} // namespace

Schedule turned_in_time(const Schedule& schedule, const Collective& collective)
{
    require_copies_once(schedule);
    Schedule result = schedule;
    result.collective = collective;
    const std::uint32_t steps = count_steps(schedule);
    std::ranges::reverse(result.rounds);
    std::vector<ListedTransfer> listed = list_transfers(schedule);
    std::ranges::reverse(listed);
    // A place that contributes nothing is first copied to; additions follow.
    std::unordered_map<std::uint64_t, std::uint32_t> first;
    const auto first_scratch = static_cast<PlaceId>(collective.chunks.size());
    std::unordered_map<NodeId, PlaceId> used_scratch;
    std::vector<ListedTransfer> locals;
    for (std::uint32_t id = 0; id < listed.size(); ++id) {
        auto& [transfer, step, after] = listed[id];
        after.clear();
        std::swap(transfer.source, transfer.destination);
        std::reverse(transfer.path->begin(), transfer.path->end());
        if (steps > 0)
            step = steps - 1 - step;
        const auto& contributors = collective.chunks[transfer.to].contributors;
        const auto [begun, is_first] = first.emplace(place_key(transfer.destination, transfer.to), id);
        const bool contributes = std::ranges::binary_search(contributors, transfer.destination);
        transfer.operation =
            contributors.size() > 1 && (contributes || !is_first) ? Operation::add : Operation::copy;
        if (contributes || is_first || (steps > 0 && listed[begun->second].step != step))
            continue;
        // It may come before there is something to add it to, or at once with that.
        const PlaceId scratch = first_scratch + used_scratch[transfer.destination]++;
        locals.push_back(
            {Transfer{
                 {scratch, transfer.to}, transfer.destination, transfer.destination, Path{}, Operation::add},
             step});
        if (steps == 0)
            locals.back().after = {begun->second, id};
        transfer.to = scratch % place_limit;
        transfer.operation = Operation::copy;
    }
    if (!is_in_steps(schedule)) {
        turn_dependencies(schedule, listed);
        wait_for_locals(locals, listed);
    }
    listed.insert(listed.end(), locals.begin(), locals.end());
    set_transfers(result, std::move(listed));
    return result;
}

void set_least_rounds(Schedule& schedule, const LinkNetwork& network)
{
    std::erase_if(schedule.steps, [](const Step& step) { return step.empty(); });
    std::vector<std::uint64_t> load(network.link_count(), 0);
    schedule.rounds.clear();
    const std::vector<std::uint32_t> weights = transfer_weights(schedule);
    std::size_t id = 0;
    for (const Step& step : schedule.steps) {
        std::uint64_t rounds = 1;
        std::ranges::fill(load, 0);
        for (const Transfer& transfer : step) {
            for (const LinkId link : transfer.links()) {
                load[link] += weights[id];
                rounds = std::max(rounds, (load[link] + network.units(link) - 1) / network.units(link));
            }
            ++id;
        }
        schedule.rounds.push_back(static_cast<std::uint32_t>(rounds));
    }
}

} // namespace nocturne
