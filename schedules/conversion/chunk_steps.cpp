#include "schedules/conversion/chunk_history.hpp"
#include "schedules/conversion/conversion.hpp"
#include "schedules/problem/free_steps.hpp"
#include "schedules/problem/transfer_rules.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <queue>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

namespace nocturne {

namespace {

/// `after` is in no earlier step than `before`, or in a later one.
struct StepConstraint {
    std::uint32_t before; ///< delivery
    std::uint32_t after;  ///< delivery
    bool is_later;
};

struct MessageOrder {
    std::vector<std::optional<Operation>> operations; ///< by delivery; nothing: it is not needed
    std::vector<StepConstraint> constraints;          ///< between those that are
};

using Parts = std::vector<std::uint32_t>;

/// Which deliveries results are made of, directly or by way of others.
std::vector<bool> needed_by_results(const ChunkHistory& history)
{
    std::vector<bool> needed(history.deliveries.size(), false);
    std::vector<std::uint32_t> open;
    const auto need = [&](const HeldChunk& held) {
        for (const std::uint32_t part : *held.parts)
            if (part != own_part && !needed[part]) {
                needed[part] = true;
                open.push_back(part);
            }
    };
    for (const HeldChunk& result : history.results)
        need(result);
    while (!open.empty()) {
        const std::uint32_t delivery = open.back();
        open.pop_back();
        need(history.deliveries[delivery].carried);
    }
    return needed;
}

/// One processor's place for one message.
struct Slot {
    std::optional<HeldChunk> held;
    Parts writers; ///< deliveries that what it holds is made of, the copy first
    Parts readers; ///< deliveries that have read it since the copy
};

/// In steps a processor has one place for each message. What comes is put there when it is asked for: until
/// then the place keeps what it has, which others may still send. So scratch that holds what came until it is
/// added, or passed on, is not needed; what only doubles what is there is left out. Throws
/// std::invalid_argument, one line, if one place does not do.
class Slots {
public:
    Slots(const ChunkHistory& history, const Schedule& schedule, const LinkNetwork& network)
        : history_(history), chunks_(schedule.collective.chunks), network_(network)
    {
        order_.operations.resize(history.deliveries.size());
    }

    MessageOrder order(const Demands& demands) &&
    {
        const std::vector<bool> needed = needed_by_results(history_);
        for (const std::uint32_t delivery : history_.order)
            if (needed[delivery])
                read(delivery);
        for (std::size_t i = 0; i < demands.size(); ++i)
            make(demands[i].receiver, history_.results[i]);
        std::erase_if(order_.constraints, [&](const StepConstraint& it) {
            return !order_.operations[it.before] || !order_.operations[it.after];
        });
        return std::move(order_);
    }

private:
    Slot& slot_of(NodeId processor, ChunkId chunk)
    {
        const auto [found, is_new] = slots_.try_emplace(place_key(processor, chunk));
        const auto& contributors = chunks_[chunk].contributors;
        if (is_new && std::binary_search(contributors.begin(), contributors.end(), processor))
            found->second.held =
                HeldChunk{chunk, std::make_shared<const Parts>(1, own_part),
                          std::make_shared<const ContributionBits>(bits_of(chunks_[chunk], {processor}))};
        return found->second;
    }

    void read(std::uint32_t delivery)
    {
        const auto& [source, destination, path, carried] = history_.deliveries[delivery];
        make(source, carried);
        Slot& slot = slot_of(source, carried.chunk);
        for (const std::uint32_t writer : slot.writers)
            order_.constraints.push_back({writer, delivery, true});
        slot.readers.push_back(delivery);
    }

    /// The place holds that from now on.
    void make(NodeId processor, const HeldChunk& wanted)
    {
        Slot& slot = slot_of(processor, wanted.chunk);
        if (slot.held &&
            (slot.held->parts == wanted.parts || *slot.held->contributions == *wanted.contributions))
            return;
        Parts missing = *wanted.parts;
        const bool adds = slot.held && std::includes(missing.begin(), missing.end(),
                                                     slot.held->parts->begin(), slot.held->parts->end());
        if (adds)
            missing = difference(missing, *slot.held->parts);
        for (const std::uint32_t part : missing)
            if (part == own_part || order_.operations[part])
                refuse(processor, wanted.chunk);
        if (!adds) {
            const auto copied = std::find_if(missing.begin(), missing.end(), [&](std::uint32_t part) {
                return !slot.held || first_beyond(*history_.deliveries[part].carried.contributions,
                                                  *slot.held->contributions);
            });
            if (copied == missing.end())
                refuse(processor, wanted.chunk);
            copy(slot, *copied);
            missing.erase(copied);
        }
        for (const std::uint32_t part : missing)
            add(slot, part);
        slot.held = wanted;
    }

    static Parts difference(const Parts& all, const Parts& some)
    {
        Parts others;
        std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(others));
        return others;
    }

    void copy(Slot& slot, std::uint32_t delivery)
    {
        order_.operations[delivery] = Operation::copy;
        for (const std::uint32_t writer : slot.writers)
            order_.constraints.push_back({writer, delivery, true});
        wait_for_readers(slot, delivery);
        slot.writers.assign(1, delivery);
        slot.readers.clear();
    }

    void add(Slot& slot, std::uint32_t delivery)
    {
        order_.operations[delivery] = Operation::add;
        if (!slot.writers.empty() && order_.operations[slot.writers.front()] == Operation::copy)
            order_.constraints.push_back({slot.writers.front(), delivery, true});
        wait_for_readers(slot, delivery);
        slot.writers.push_back(delivery);
    }

    void wait_for_readers(const Slot& slot, std::uint32_t delivery)
    {
        for (const std::uint32_t reader : slot.readers)
            if (reader != delivery)
                order_.constraints.push_back({reader, delivery, false});
    }

    [[noreturn]] void refuse(NodeId processor, ChunkId chunk) const
    {
        throw std::invalid_argument(
            fmt::format("no schedule in steps: {} keeps sums of chunk {} apart from each other, and in steps "
                        "it has one place for them",
                        network_.node_name(processor), chunk));
    }

    const ChunkHistory& history_;
    const std::vector<Chunk>& chunks_;
    const LinkNetwork& network_;
    std::unordered_map<std::uint64_t, Slot> slots_;
    MessageOrder order_;
};

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
    const MessageOrder order = Slots(history, schedule, network).order(schedule.collective.demands);
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
