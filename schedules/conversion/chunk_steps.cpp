#include "schedules/conversion/chunk_steps.hpp"

#include "schedules/conversion/chunk_history.hpp"
#include "schedules/conversion/message_order.hpp"
#include "schedules/problem/free_steps.hpp"
#include "schedules/problem/transfer_rules.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

/// A message has no weight: all are of one size.
Collective of_equal_messages(Collective collective)
{
    const std::uint32_t weight = collective.chunks.empty() ? 1 : collective.chunks.front().weight;
    for (Chunk& chunk : collective.chunks)
        if (chunk.release_cycles > 0)
            throw std::invalid_argument("no schedule in steps: messages have no release");
        else if (std::exchange(chunk.weight, 1) != weight)
            throw std::invalid_argument("no schedule in steps: chunks of unequal weights, where messages are "
                                        "all of one size");
    return collective;
}

/// The channels of its links, without ways round that lead back to a router.
Path path_of(const ChunkDelivery& delivery, const Topology& topology, const LinkNetwork& network)
{
    Path path;
    for (const LinkId link : delivery.path)
        if (const auto channel = network.link(link).channel)
            path.push_back(*channel);
    return without_loops(topology, path);
}

/// Transfers that share a step: each has to wait for the other's reading.
struct Bundle {
    std::vector<std::uint32_t> transfers;                  ///< ascending
    std::vector<std::pair<std::uint32_t, bool>> followers; ///< bundles, and whether in a later step
    std::size_t waits_for = 0;
    std::size_t earliest = 0;
};

/// Transfers into as early steps as their order, channels and ports allow: greedily, in the order of
/// `transfers` as far as the constraints, between indices of these, let it. Transfers none of which may come
/// before another are put in one step. Throws std::invalid_argument, one line, where they do not fit into
/// one.
class StepsPacker {
public:
    StepsPacker(std::vector<Transfer> transfers, std::span<const StepConstraint> constraints,
                const Topology& topology, PortModel ports)
        : transfers_(std::move(transfers)), topology_(topology), free_(topology, ports)
    {
        tie(constraints);
        for (const auto& [before, after, is_later] : constraints) {
            const std::uint32_t first = bundle_of_[before];
            const std::uint32_t second = bundle_of_[after];
            if (first == second && is_later)
                refuse(bundles_[first], "and each has to come after another");
            if (first == second)
                continue;
            bundles_[first].followers.emplace_back(second, is_later);
            ++bundles_[second].waits_for;
        }
    }

    std::vector<Step> run() &&
    {
        // The bundle with the first transfer of those that can be put.
        using Next = std::pair<std::uint32_t, std::uint32_t>;
        std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
        const auto offer = [&](std::uint32_t bundle) {
            next.emplace(bundles_[bundle].transfers.front(), bundle);
        };
        for (std::uint32_t bundle = 0; bundle < bundles_.size(); ++bundle)
            if (bundles_[bundle].waits_for == 0)
                offer(bundle);
        for (; !next.empty();) {
            const Bundle& bundle = bundles_[next.top().second];
            next.pop();
            const std::size_t step = put(bundle);
            for (const auto& [follower, is_later] : bundle.followers) {
                Bundle& other = bundles_[follower];
                other.earliest = std::max(other.earliest, step + (is_later ? 1 : 0));
                if (--other.waits_for == 0)
                    offer(follower);
            }
        }
        return std::move(steps_);
    }

private:
    void tie(std::span<const StepConstraint> constraints)
    {
        boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(transfers_.size());
        for (const StepConstraint& constraint : constraints)
            boost::add_edge(constraint.before, constraint.after, graph);
        bundle_of_.resize(transfers_.size());
        const auto count = boost::strong_components(
            graph, boost::make_iterator_property_map(bundle_of_.begin(), get(boost::vertex_index, graph)));
        bundles_.resize(count);
        for (std::uint32_t id = 0; id < transfers_.size(); ++id)
            bundles_[bundle_of_[id]].transfers.push_back(id);
    }

    TransferRoute route_of(std::uint32_t id) const
    {
        return {transfers_[id].source, transfers_[id].destination, *transfers_[id].path};
    }

    /// The step that it is put in.
    std::size_t put(const Bundle& bundle)
    {
        std::size_t step = bundle.earliest;
        const std::size_t end = std::max(step, steps_.size()) + 1; // by then all is free
        for (; !has_room(bundle, step); ++step)
            if (step >= end)
                refuse(bundle, "and do not fit into one step");
        if (step >= steps_.size())
            steps_.resize(step + 1);
        for (const std::uint32_t id : bundle.transfers)
            steps_[step].push_back(std::move(transfers_[id]));
        return step;
    }

    /// The first step from `step` on in which its first transfer has room; takes it if all of them have.
    bool has_room(const Bundle& bundle, std::size_t& step)
    {
        const auto& ids = bundle.transfers;
        step = free_.first(route_of(ids.front()), step);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (free_.first(route_of(ids[i]), step) != step) {
                while (i > 0)
                    free_.give_back(route_of(ids[--i]), step);
                return false;
            }
            free_.take(route_of(ids[i]), step);
        }
        return true;
    }

    [[noreturn]] void refuse(const Bundle& bundle, const char* why) const
    {
        const Transfer& first = transfers_[bundle.transfers.front()];
        throw std::invalid_argument(fmt::format(
            "no schedule in steps: {} transfers of chunk {} ({} to {} and others) exchange sums at once, {}",
            bundle.transfers.size(), first.message, topology_.processor(first.source).name,
            topology_.processor(first.destination).name, why));
    }

    std::vector<Transfer> transfers_;
    const Topology& topology_;
    FreeSteps free_;
    std::vector<std::uint32_t> bundle_of_; ///< by transfer
    std::vector<Bundle> bundles_;
    std::vector<Step> steps_;
};

} // namespace

Schedule steps_of_chunks(const Schedule& schedule, const Topology& topology, const LinkNetwork& network)
{
    Schedule result;
    result.name = schedule.name;
    result.source = schedule.source;
    result.topology = schedule.topology;
    result.collective = of_equal_messages(schedule.collective);
    result.ports = topology.default_ports();
    const ChunkHistory history = history_of(schedule, network);
    const MessageOrder order = message_order_of(history, schedule, network);
    std::vector<std::uint32_t> index(history.deliveries.size());
    std::vector<Transfer> transfers;
    for (const std::uint32_t id : history.order) {
        if (!order.operations[id])
            continue;
        const ChunkDelivery& delivery = history.deliveries[id];
        index[id] = static_cast<std::uint32_t>(transfers.size());
        transfers.emplace_back(delivery.carried.chunk, delivery.source, delivery.destination,
                               path_of(delivery, topology, network), *order.operations[id]);
    }
    std::vector<StepConstraint> constraints = order.constraints;
    for (StepConstraint& constraint : constraints) {
        constraint.before = index[constraint.before];
        constraint.after = index[constraint.after];
    }
    result.steps = StepsPacker(std::move(transfers), constraints, topology, result.ports).run();
    return result;
}

} // namespace nocturne
