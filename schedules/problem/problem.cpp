#include "schedules/problem/problem.hpp"

#include "models/routing/distances.hpp"
#include "models/text/fnv1a.hpp"
#include "models/topology/json_format.hpp"
#include "schedules/collective/kind_names.hpp"
#include "schedules/problem/transfer_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

/// By processor: can a message of `origin` get there under wormhole switching if every processor that it
/// comes to may pass it on? More than the channels say where processors inject and are ejected at different
/// routers. Includes the origin. Time O(routers + channels + processors).
std::vector<bool> processors_reached(const Topology& topology, ProcessorId origin)
{
    std::vector<bool> has_message(topology.processor_count(), false);
    std::vector<bool> seen(topology.router_count(), false);
    std::vector<RouterId> open;
    const auto visit = [&](RouterId router) {
        if (!seen[router])
            open.push_back(router);
        seen[router] = true;
    };
    has_message[origin] = true;
    visit(topology.processor(origin).injection);
    while (!open.empty()) {
        const RouterId at = open.back();
        open.pop_back();
        for (const ChannelId id : topology.channels_from(at))
            visit(topology.channel(id).target);
        for (const ProcessorId relay : topology.processors_ejected_by(at)) {
            has_message[relay] = true;
            visit(topology.processor(relay).injection);
        }
    }
    return has_message;
}

/// The processors at which messages of one origin can arrive: straight, and with the help of others.
class Reach {
public:
    Reach(const Problem& problem, ProcessorId origin) : problem_(problem), origin_(origin)
    {
        const Topology& topology = problem.topology;
        if (problem.switching == Switching::store_and_forward) {
            for (const std::uint32_t transfers : transfers_from(topology, origin))
                relayed_.push_back(transfers != unreachable);
            return;
        }
        const auto distances = distances_from(topology, topology.processor(origin).injection);
        for (const Processor& processor : topology.processors())
            straight_.push_back(distances[processor.ejection] != unreachable);
    }

    bool reaches(const Message& message, ProcessorId receiver)
    {
        if (!straight_.empty() && (straight_[receiver] || forbids_relays(problem_.slack, message)))
            return straight_[receiver];
        if (relayed_.empty()) // only in a broken network
            relayed_ = processors_reached(problem_.topology, origin_);
        return relayed_[receiver];
    }

private:
    const Problem& problem_;
    ProcessorId origin_;
    std::vector<bool> straight_; ///< under wormhole switching
    std::vector<bool> relayed_;  ///< empty until it is needed
};

std::string_view how_to_reach(const Problem& problem, const Message& message)
{
    if (problem.switching == Switching::store_and_forward)
        return " by hops from processor to processor";
    return forbids_relays(problem.slack, message) ? " without a relay, which the slack rules out" : "";
}

[[noreturn]] void throw_unreachable(const Problem& problem, ProcessorId receiver, ProcessorId origin,
                                    std::string_view how)
{
    const Topology& topology = problem.topology;
    throw std::invalid_argument(fmt::format("{}: processor {} cannot be reached from {}{}", topology.name(),
                                            topology.processor(receiver).name,
                                            topology.processor(origin).name, how));
}

/// The same of sums, which any processor may pass on.
void check_sums_reachable(const Problem& problem)
{
    const Collective& collective = problem.collective;
    for (ProcessorId origin = 0; origin < collective.processors; ++origin) {
        std::optional<Reach> reach;
        const std::array all{ProcessorId{0}, ProcessorId{1}}; // of several receivers: relays are allowed
        const Message message{origin, all};
        for (const Demand& demand : collective.demands) {
            const auto& contributors = demand.contributors;
            if (demand.receiver == origin || !std::ranges::binary_search(contributors, origin))
                continue;
            if (!reach)
                reach.emplace(problem, origin);
            if (!reach->reaches(message, demand.receiver))
                throw_unreachable(problem, demand.receiver, origin, how_to_reach(problem, message));
        }
    }
}

/// Throws for the first receiver that its message cannot get to.
void check_reachable(const Problem& problem)
{
    std::optional<Reach> reach;
    std::optional<ProcessorId> origin;
    for (const Message& message : problem.collective.messages()) {
        // Messages come in the order of their origins: one search for each.
        if (origin != message.origin) {
            reach.emplace(problem, message.origin);
            origin = message.origin;
        }
        for (const ProcessorId receiver : message.receivers)
            if (!reach->reaches(message, receiver))
                throw_unreachable(problem, receiver, message.origin, how_to_reach(problem, message));
    }
}

} // namespace

void check(const Problem& problem)
{
    if (problem.collective.processors != problem.topology.processor_count())
        throw std::invalid_argument(fmt::format(
            "{} for {} processors, but {} has {}", in_words(problem.collective.kind),
            problem.collective.processors, problem.topology.name(), problem.topology.processor_count()));
    if (std::ranges::any_of(problem.collective.chunks, [](const Chunk& chunk) { return chunk.weight != 1; }))
        throw std::invalid_argument("blocks of unequal weights are for --objective (of schedule and bound)");
    if (std::ranges::any_of(problem.collective.chunks, [&](const Chunk& chunk) {
            return chunk.contributors.size() > 1 && chunk.contributors.size() < problem.collective.processors;
        }))
        throw std::invalid_argument(
            "sums of some of the processors only are for --objective (of schedule and bound)");
    if (problem.switching == Switching::store_and_forward && problem.slack)
        throw std::invalid_argument(
            "a slack is for wormhole switching: under store-and-forward a path is one hop");
    require_pairwise_size(problem.topology, "schedules and their bounds");
    if (reduces(problem.collective))
        check_sums_reachable(problem);
    else
        check_reachable(problem);
}

Problem make_problem(Topology topology, Collective collective)
{
    const PortModel ports = topology.default_ports();
    Problem problem{std::move(topology), std::move(collective), ports};
    check(problem);
    return problem;
}

std::string describe(const Collective& collective, std::uint32_t parts)
{
    std::string text(paper_name(collective.kind));
    if (const std::uint32_t chunks = collective.parts * parts; chunks > 1)
        text += fmt::format(" in {} chunks", chunks);
    if (results_of(collective.kind, collective.processors, 1) == 0)
        return text; // sets of its own say who takes part
    std::vector<bool> is_member(collective.processors, false);
    for (const Chunk& chunk : collective.chunks)
        for (const ProcessorId contributor : chunk.contributors)
            is_member[contributor] = true;
    for (const Demand& demand : collective.demands)
        is_member[demand.receiver] = true;
    if (const auto members = std::ranges::count(is_member, true); members < collective.processors)
        text += fmt::format(" among {} processors", members);
    return text;
}

std::string describe(const Problem& problem)
{
    const std::string ports = problem.ports.is_all_port() ? "all" : to_string(problem.ports);
    std::string text = fmt::format("{} on {}, {}-port, {}", describe(problem.collective),
                                   problem.topology.name(), ports, to_string(problem.switching));
    if (problem.slack == 0U)
        text += ", minimal paths";
    else if (problem.slack)
        text += fmt::format(", slack {}", *problem.slack);
    return text;
}

std::string digest(const Problem& problem)
{
    std::string text = describe(problem) + to_json(problem.topology);
    for (const Message& message : problem.collective.messages()) {
        text += fmt::format("|{}:", message.origin);
        for (const ProcessorId receiver : message.receivers)
            text += fmt::format("{},", receiver);
    }
    return fmt::format("{:016x}", fnv1a(text));
}

} // namespace nocturne
