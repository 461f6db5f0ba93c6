#include "schedules/conversion/conversion.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace nocturne {

std::vector<LinkId> links_of(const Transfer& transfer, const LinkNetwork& network)
{
    // Links of channels come first, in their order; then a processor's own, where it is no router.
    std::vector<LinkId> links(transfer.path->begin(), transfer.path->end());
    const auto own = [&](std::span<const LinkId> candidates) {
        return std::ranges::find_if(candidates, [&](LinkId link) { return !network.link(link).channel; });
    };
    const auto out = network.links_from(transfer.source);
    if (const auto link = own(out); link != out.end())
        links.insert(links.begin(), *link);
    const auto in = network.links_to(transfer.destination);
    if (const auto link = own(in); link != in.end())
        links.push_back(*link);
    return links;
}

namespace {

/// A processor's place for a message: who has written what is there, and who has read it since.
struct PlaceUse {
    std::vector<std::uint32_t> writers; ///< transfers, the copy first if there is one
    std::vector<std::uint32_t> readers;
    bool is_copied = false;
};

class Relays {
public:
    Relays(const Schedule& schedule, const LinkNetwork& network) : network_(network)
    {
        result_ = empty_schedule(schedule.name, schedule.topology, schedule.collective,
                                 ScheduleSynchronization::dependencies);
        result_.source = schedule.source;
        next_scratch_ = static_cast<PlaceId>(result_.collective.chunks.size());
    }

    /// What a step writes where it also reads comes to scratch, and is written within the node when all has
    /// been read.
    void add(const Step& step)
    {
        std::unordered_set<std::uint64_t> read;
        std::vector<std::vector<std::uint32_t>> before; // by transfer
        for (const Transfer& transfer : step) {
            read.insert(place_key(transfer.source, transfer.message));
            before.push_back(uses_[place_key(transfer.source, transfer.message)].writers);
        }
        std::vector<std::pair<const Transfer*, std::uint32_t>> staged;
        for (std::size_t i = 0; i < step.size(); ++i) {
            const Transfer& transfer = step[i];
            const auto [first, last] = send(transfer, std::move(before[i]));
            uses_[place_key(transfer.source, transfer.message)].readers.push_back(first);
            if (read.contains(place_key(transfer.destination, transfer.message)))
                staged.emplace_back(&transfer, last);
            else
                write(transfer, last);
        }
        for (const auto& [transfer, last] : staged) {
            const PlaceId scratch = next_scratch_++;
            transfers_[last].transfer.to = scratch % place_limit;
            transfers_[last].transfer.operation = Operation::copy;
            transfers_.push_back({Transfer{{scratch, transfer->message},
                                           transfer->destination,
                                           transfer->destination,
                                           Path{},
                                           transfer->operation},
                                  0,
                                  {last}});
            write(*transfer, static_cast<std::uint32_t>(transfers_.size() - 1));
        }
    }

    Schedule take()
    {
        set_transfers(result_, std::move(transfers_));
        return std::move(result_);
    }

private:
    /// Hop by hop, the first after those before; the first and the last of the hops.
    std::pair<std::uint32_t, std::uint32_t> send(const Transfer& transfer, std::vector<std::uint32_t> before)
    {
        const auto first = static_cast<std::uint32_t>(transfers_.size());
        ListedTransfer hop{Transfer{transfer.message, transfer.source, transfer.source, Path{}}, 0,
                           std::move(before)};
        for (const LinkId link : links_of(transfer, network_)) {
            hop.transfer.path->push_back(link);
            hop.transfer.destination = network_.link(link).target;
            if (network_.kind(hop.transfer.destination) != NodeKind::processor)
                continue;
            const bool has_arrived = hop.transfer.destination == transfer.destination;
            hop.transfer.to = (has_arrived ? transfer.message : next_scratch_++) % place_limit;
            hop.transfer.operation = has_arrived ? transfer.operation : Operation::copy;
            const auto id = static_cast<std::uint32_t>(transfers_.size());
            const ListedTransfer next{
                Transfer{hop.transfer.to, hop.transfer.destination, hop.transfer.destination, Path{}},
                0,
                {id}};
            transfers_.push_back(std::exchange(hop, next));
        }
        return {first, static_cast<std::uint32_t>(transfers_.size() - 1)};
    }

    /// The transfer `id` writes to the place: after those that have read it, and what it overwrites.
    void write(const Transfer& transfer, std::uint32_t id)
    {
        PlaceUse& use = uses_[place_key(transfer.destination, transfer.message)];
        std::vector<std::uint32_t>& after = transfers_[id].after;
        after.insert(after.end(), use.readers.begin(), use.readers.end());
        if (transfer.operation == Operation::copy) {
            after.insert(after.end(), use.writers.begin(), use.writers.end());
            use = {{id}, {}, true};
        } else {
            if (use.is_copied)
                after.push_back(use.writers.front());
            use.writers.push_back(id);
        }
        std::ranges::sort(after);
        after.erase(std::unique(after.begin(), after.end()), after.end());
    }

    const LinkNetwork& network_;
    Schedule result_;
    std::vector<ListedTransfer> transfers_;
    std::unordered_map<std::uint64_t, PlaceUse> uses_; ///< by processor and message
    PlaceId next_scratch_ = 0;
};

} // namespace

Schedule chunks_of_steps(const Schedule& schedule, const LinkNetwork& network)
{
    Relays relays(schedule, network);
    for (const Step& step : schedule.steps)
        relays.add(step);
    return relays.take();
}

} // namespace nocturne
