#include "schedules/conversion/chunk_history.hpp"

#include "models/topology/indices_by.hpp"
#include "schedules/schedule/transfer_order.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

namespace nocturne {

namespace {

using Places = std::unordered_map<std::uint64_t, PlaceId>;

/// By processor and chunk, where a contribution or result is not in the chunk's own place.
Places places_of(const std::vector<ChunkPlacement>& placements)
{
    Places places;
    for (const ChunkPlacement& placement : placements)
        places[place_key(placement.processor, placement.chunk)] = placement.place;
    return places;
}

PlaceId place_in(const Places& places, std::uint32_t processor, ChunkId chunk)
{
    const auto found = places.find(place_key(processor, chunk));
    return found == places.end() ? chunk : found->second;
}

HeldChunk sum_of(const HeldChunk& a, const HeldChunk& b)
{
    auto parts = std::make_shared<std::vector<std::uint32_t>>(a.parts->size() + b.parts->size());
    std::merge(a.parts->begin(), a.parts->end(), b.parts->begin(), b.parts->end(), parts->begin());
    return {a.chunk, std::move(parts),
            std::make_shared<ContributionBits>(united(*a.contributions, *b.contributions))};
}

/// What is in a place, or on its way where the place is a switch's.
struct Content {
    HeldChunk held;
    std::optional<std::uint32_t> route = std::nullopt; ///< in a switch: how it came there
};

/// From the processor where a chunk was last stored to the switch where it is.
struct Route {
    NodeId source;
    std::uint32_t read_at; ///< when the processor's place was read
    std::vector<LinkId> path;
};

class Follower {
public:
    Follower(const Schedule& schedule, const LinkNetwork& network)
        : schedule_(schedule), transfers_(schedule), network_(network)
    {
        const auto& chunks = schedule.collective.chunks;
        const Places inputs = places_of(schedule.inputs);
        const auto own = std::make_shared<const std::vector<std::uint32_t>>(1, own_part);
        const auto alone = std::make_shared<const ContributionBits>(1, 1); // the only contribution to a chunk
        for (ChunkId chunk = 0; chunk < chunks.size(); ++chunk)
            for (const std::uint32_t processor : chunks[chunk].contributors)
                contents_[place_key(processor, place_in(inputs, processor, chunk))].held = {
                    chunk, own,
                    chunks[chunk].contributors.size() == 1
                        ? alone
                        : std::make_shared<const ContributionBits>(bits_of(chunks[chunk], {processor}))};
    }

    ChunkHistory follow() &&
    {
        if (is_in_steps(schedule_))
            follow_steps();
        else
            for (const std::uint32_t id : order_of_transfers(schedule_, network_))
                write(id, content_of(id), next_read_++);
        const Places outputs = places_of(schedule_.outputs);
        ChunkHistory history;
        for (const Demand& demand : schedule_.collective.demands)
            history.results.push_back(
                contents_.at(place_key(demand.receiver, place_in(outputs, demand.receiver, demand.chunk)))
                    .held);
        put_in_order(history);
        return history;
    }

private:
    Content content_of(std::uint32_t id) const
    {
        return contents_.at(place_key(transfers_[id].source, transfers_[id].message));
    }

    /// All of a step is read before anything is written, but for what it does within nodes.
    void follow_steps()
    {
        for (std::size_t step = 0; step < schedule_.steps.size(); ++step) {
            const std::uint32_t begin = transfers_.first_of(step), end = transfers_.first_of(step + 1);
            std::vector<std::pair<std::uint32_t, Content>> carried;
            for (std::uint32_t id = begin; id < end; ++id)
                if (!transfers_[id].is_local())
                    carried.emplace_back(id, content_of(id));
            // Of several sums of a chunk the smaller first: others are added to them.
            std::stable_sort(carried.begin(), carried.end(), [](const auto& a, const auto& b) {
                return a.second.held.parts->size() < b.second.held.parts->size();
            });
            for (auto& [id, content] : carried)
                write(id, std::move(content), next_read_++);
            for (std::uint32_t id = begin; id < end; ++id)
                if (transfers_[id].is_local())
                    write(id, content_of(id), next_read_);
        }
    }

    void write(std::uint32_t id, Content content, std::uint32_t read_at)
    {
        const Transfer& it = transfers_[id];
        if (!it.is_local())
            content = arrived(it, std::move(content), read_at);
        Content& there = contents_[place_key(it.destination, it.to)];
        if (it.operation == Operation::add)
            content.held = sum_of(there.held, content.held);
        there = std::move(content);
    }

    Content arrived(const Transfer& it, Content content, std::uint32_t read_at)
    {
        Route route{it.source, read_at, {}};
        if (content.route)
            route = routes_[*content.route];
        route.path.insert(route.path.end(), it.links().begin(), it.links().end());
        if (network_.kind(it.destination) != NodeKind::processor) {
            routes_.push_back(std::move(route));
            content.route = static_cast<std::uint32_t>(routes_.size() - 1);
            return content;
        }
        content.route.reset();
        if (route.source == it.destination) // there and back
            return content;
        const auto delivery = static_cast<std::uint32_t>(deliveries_.size());
        read_at_.push_back(route.read_at);
        deliveries_.push_back({route.source, it.destination, std::move(route.path), content.held});
        content.held.parts = std::make_shared<const std::vector<std::uint32_t>>(1, delivery);
        return content;
    }

    /// Deliveries are numbered as they are written; they are read in another order where switches copy.
    void put_in_order(ChunkHistory& history)
    {
        history.order = indices_by(deliveries_.size(), [&](std::uint32_t id) { return read_at_[id]; });
        history.deliveries = std::move(deliveries_);
    }

    const Schedule& schedule_;
    const TransferList transfers_;
    const LinkNetwork& network_;
    std::unordered_map<std::uint64_t, Content> contents_; ///< by node and place
    std::vector<Route> routes_;
    std::vector<ChunkDelivery> deliveries_;
    std::vector<std::uint32_t> read_at_; ///< by delivery
    std::uint32_t next_read_ = 0;
};

} // namespace

ChunkHistory history_of(const Schedule& schedule, const LinkNetwork& network)
{
    return Follower(schedule, network).follow();
}

} // namespace nocturne
