#include "schedules/chunk_portfolio/step_chunks.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace nocturne {

namespace {

/// Over the channels of its path; a processor that is no router has links of its own, too.
std::vector<LinkId> links_of(const Transfer& transfer, const LinkNetwork& network)
{
    // Links of channels come first, in their order; then a processor's own, where it is no router.
    std::vector<LinkId> links(transfer.path->begin(), transfer.path->end());
    const auto own = [&](std::span<const LinkId> candidates) {
        return std::find_if(candidates.begin(), candidates.end(),
                            [&](LinkId link) { return !network.link(link).channel; });
    };
    const auto out = network.links_from(transfer.source);
    if (const auto link = own(out); link != out.end())
        links.insert(links.begin(), *link);
    const auto in = network.links_to(transfer.destination);
    if (const auto link = own(in); link != in.end())
        links.push_back(*link);
    return links;
}

class Relays {
public:
    Relays(const Schedule& schedule, const LinkNetwork& network) : network_(network)
    {
        result_.name = schedule.name;
        result_.source = schedule.source;
        result_.topology = schedule.topology;
        result_.collective = schedule.collective;
        result_.synchronization = ChunkSynchronization::dependencies;
        next_scratch_ = static_cast<PlaceId>(result_.collective.chunks.size());
    }

    void add(const Transfer& transfer)
    {
        std::vector<LinkId> way;
        const auto came = arrivals_.find({transfer.source, transfer.message});
        Arrival here = came == arrivals_.end() ? Arrival{std::nullopt, transfer.message} : came->second;
        for (const LinkId link : links_of(transfer, network_)) {
            way.push_back(link);
            const NodeId node = network_.link(link).target;
            if (network_.kind(node) != NodeKind::processor)
                continue;
            const bool has_arrived = node == transfer.destination;
            const bool is_new = has_arrived && !arrivals_.contains({transfer.destination, transfer.message});
            const PlaceId to = is_new ? transfer.message : next_scratch_++;
            here = send(here, to, std::exchange(way, {}));
            if (is_new)
                arrivals_.emplace(std::pair(transfer.destination, transfer.message), here);
        }
    }

    ChunkedSchedule take() { return std::move(result_); }

private:
    /// Where a message is in a node, and since when.
    struct Arrival {
        std::optional<std::uint32_t> transfer; ///< none: since all began
        PlaceId place;
    };

    Arrival send(const Arrival& from, PlaceId to, std::vector<LinkId> path)
    {
        ChunkTransfer transfer{network_.link(path.front()).source, network_.link(path.back()).target,
                               from.place, to};
        transfer.path = std::move(path);
        if (from.transfer)
            transfer.after = {*from.transfer};
        result_.transfers.push_back(std::move(transfer));
        return {static_cast<std::uint32_t>(result_.transfers.size() - 1), to};
    }

    const LinkNetwork& network_;
    ChunkedSchedule result_;
    std::map<std::pair<NodeId, ChunkId>, Arrival> arrivals_; ///< the first of each, at its receivers
    PlaceId next_scratch_ = 0;
};

} // namespace

ChunkedSchedule chunks_of_steps(const Schedule& schedule, const LinkNetwork& network)
{
    Relays relays(schedule, network);
    for (const Step& step : schedule.steps)
        for (const Transfer& transfer : step)
            relays.add(transfer);
    return relays.take();
}

LinkFlow flow_of_steps(const Schedule& schedule, const LinkNetwork& network, const OwedPairs& owed)
{
    std::vector<LinkPath> paths(schedule.collective.messages().size());
    for (const Step& step : schedule.steps)
        for (const Transfer& transfer : step) {
            const std::vector<LinkId> links = links_of(transfer, network);
            LinkPath& path = paths[transfer.message];
            path.insert(path.end(), links.begin(), links.end());
        }
    LinkFlow flow{0, {}};
    std::vector<double> load(network.link_count(), 0);
    for (std::size_t i = 0; i < owed.demands.size(); ++i) {
        LinkPath& path = paths[owed.chunks[i].front()];
        const auto weight = static_cast<double>(owed.demands[i].weight);
        for (const LinkId link : path)
            flow.rounds =
                std::max(flow.rounds, load[link] += weight / static_cast<double>(network.units(link)));
        flow.shares.push_back({{std::move(path), weight}});
    }
    return flow;
}

} // namespace nocturne
