#include "schedules/concurrent/joint_schedule.hpp"

#include "models/topology/indices_by.hpp"
#include "schedules/schedule/chunk_time.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

/// The second in the chunks behind the first, so many times as heavy, and released at that time.
void append_collective(Collective& all, const Collective& more, std::uint32_t weight,
                       std::uint64_t release_cycles)
{
    const auto offset = static_cast<ChunkId>(all.chunks.size());
    for (Chunk chunk : more.chunks) {
        chunk.weight *= weight;
        chunk.release_cycles = release_cycles;
        all.chunks.push_back(std::move(chunk));
    }
    for (const Demand& demand : more.demands)
        all.demands.push_back({demand.chunk + offset, demand.receiver, demand.contributors});
}

/// Adds schedules, and keeps where collectives end at a member.
class Joiner {
public:
    Joiner(const ConcurrentProblem& problem, const JointCollective& joint)
        : problem_(problem), joint_(joint), scratch_(static_cast<PlaceId>(joint.collective.chunks.size())),
          last_at_(problem.collectives.size())
    {
    }

    void add(std::size_t one, const CollectiveSchedules& schedules)
    {
        const auto begin = transfers_.size();
        for (const PartialSchedule& partial : schedules.schedules) {
            const auto chunks = static_cast<ChunkId>(partial.schedule.collective.chunks.size());
            const Listing listing{list_transfers(partial.schedule), partial.ends, chunks};
            if (partial.places.empty())
                add_one(one, listing, nullptr, joint_.first_chunks[one]);
            for (std::size_t i = 0; i < partial.places.size(); ++i)
                add_one(one, listing, &partial.places[i],
                        joint_.first_chunks[one] + static_cast<ChunkId>(partial.groups[i]) * chunks);
        }
        note_last(one, begin);
    }

    std::vector<JoinedTransfer> transfers() { return std::move(transfers_); }

private:
    /// Of a schedule alone.
    struct Listing {
        std::vector<ListedTransfer> transfers;
        const std::vector<double>& ends;
        ChunkId chunks;
    };

    /// Scratch of each schedule follows that of the one before.
    void add_one(std::size_t one, const Listing& listing, const GroupNetwork* in, ChunkId first_chunk)
    {
        const PlaceId first_scratch = scratch_;
        const auto placed = [&](PlaceId at) {
            if (at < listing.chunks)
                return first_chunk + at;
            const PlaceId there = first_scratch + (at - listing.chunks);
            scratch_ = std::max(scratch_, there + 1);
            return there;
        };
        for (const ListedTransfer& each : listing.transfers) { // before that of relays
            placed(each.transfer.message);
            placed(each.transfer.to);
        }
        std::vector<std::uint32_t> last_of; // by number: the last of its transfers
        for (std::size_t number = 0; number < listing.transfers.size(); ++number) {
            ListedTransfer listed = listing.transfers[number];
            Transfer& transfer = listed.transfer;
            transfer.message = placed(transfer.message);
            transfer.to = placed(transfer.to) % place_limit;
            if (in != nullptr) {
                transfer.source = in->nodes[transfer.source];
                transfer.destination = in->nodes[transfer.destination];
                if (transfer.path) {
                    Path path;
                    for (const LinkId link : *transfer.path)
                        path.insert(path.end(), in->paths[link].begin(), in->paths[link].end());
                    transfer.path = std::move(path);
                }
            }
            for (std::uint32_t& before : listed.after)
                before = last_of[before];
            if (listed.after.empty())
                wait_for_others(one, listed);
            add_over_relays(one, std::move(listed), listing.ends[number]);
            last_of.push_back(static_cast<std::uint32_t>(transfers_.size() - 1));
        }
    }

    /// A transfer leads through plain switches only: from relay to relay there is one each.
    void add_over_relays(std::size_t one, ListedTransfer listed, double end)
    {
        const Transfer whole = listed.transfer;
        const auto stores = [&](NodeId node) {
            return problem_.network.kind(node) != NodeKind::plain_switch && node != whole.destination;
        };
        auto begin = whole.links().begin();
        for (auto link = begin; link != whole.links().end(); ++link) {
            const NodeId relay = problem_.network.link(*link).target;
            if (!stores(relay))
                continue;
            ListedTransfer part = listed;
            part.transfer.destination = relay;
            part.transfer.to = scratch_ % place_limit;
            part.transfer.operation = Operation::copy;
            part.transfer.path = Path(begin, link + 1);
            transfers_.push_back({std::move(part), end, one});
            listed.after = {static_cast<std::uint32_t>(transfers_.size() - 1)};
            listed.transfer.source = relay;
            listed.transfer.message = scratch_++;
            begin = link + 1;
        }
        if (begin != whole.links().begin())
            listed.transfer.path = Path(begin, whole.links().end());
        transfers_.push_back({std::move(listed), end, one});
    }

    /// What reads a member's own contribution begins when the collectives before have ended there.
    void wait_for_others(std::size_t one, ListedTransfer& listed) const
    {
        for (const std::size_t before : problem_.collectives[one].after) {
            const auto found = last_at_[before].find(listed.transfer.source);
            if (found != last_at_[before].end())
                listed.after.insert(listed.after.end(), found->second.begin(), found->second.end());
        }
    }

    /// By member: the transfers at it that no other one of the same collective there waits for.
    void note_last(std::size_t one, std::size_t begin)
    {
        std::vector<std::vector<std::uint32_t>> followed_at(transfers_.size() - begin);
        const auto ends_of = [](const Transfer& transfer) {
            return std::array{transfer.source, transfer.destination};
        };
        for (std::size_t i = begin; i < transfers_.size(); ++i)
            for (const std::uint32_t before : transfers_[i].listed.after)
                if (before >= begin)
                    for (const std::uint32_t node : ends_of(transfers_[i].listed.transfer))
                        followed_at[before - begin].push_back(node);
        for (std::size_t i = begin; i < transfers_.size(); ++i)
            for (const std::uint32_t node : ends_of(transfers_[i].listed.transfer))
                if (std::ranges::find(followed_at[i - begin], node) == followed_at[i - begin].end()) {
                    std::vector<std::uint32_t>& last = last_at_[one][node];
                    if (last.empty() || last.back() != i)
                        last.push_back(static_cast<std::uint32_t>(i));
                }
    }

    const ConcurrentProblem& problem_;
    const JointCollective& joint_;
    PlaceId scratch_;                                                          ///< the first that nobody uses
    std::vector<std::map<std::uint32_t, std::vector<std::uint32_t>>> last_at_; ///< by collective and node
    std::vector<JoinedTransfer> transfers_;
};

} // namespace

AlphaBeta cost_at(const ConcurrentProblem& problem, double bytes_per_weight)
{
    return {.bytes_per_weight = bytes_per_weight,
            .start_cycles = problem.start_cycles,
            .latency_holds_link = problem.latency_holds_link};
}

Collective collective_of_groups(const ConcurrentCollective& one, std::uint32_t processors,
                                std::uint32_t parts)
{
    Collective all{.kind = CollectiveKind::custom, .processors = processors, .parts = parts};
    for (const std::vector<std::uint32_t>& group : one.groups) {
        const std::optional<std::uint32_t> root =
            has_root(one.kind) ? std::optional(group.front()) : std::nullopt;
        const CollectiveShape shape{.processors = processors, .parts = parts, .group = group};
        append_collective(all, make_collective(one.kind, shape, root), 1, 0);
    }
    return all;
}

JointCollective joint_collective(const ConcurrentProblem& problem, const std::vector<std::uint32_t>& parts)
{
    constexpr std::uint64_t element = 4; // bytes: chunks are of whole ones
    std::vector<Collective> all;
    std::vector<std::uint64_t> sizes;
    std::uint64_t unit = 0;
    for (std::size_t i = 0; i < problem.collectives.size(); ++i) {
        all.push_back(
            collective_of_groups(problem.collectives[i], problem.network.processor_count(), parts[i]));
        const std::uint64_t elements = element * largest_contribution(all.back());
        sizes.push_back((problem.collectives[i].bytes + elements - 1) / elements * element);
        unit = std::gcd(unit, sizes.back());
    }
    JointCollective joint{{.kind = CollectiveKind::custom, .processors = problem.network.processor_count()},
                          {},
                          {},
                          static_cast<double>(unit)};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::uint64_t weight = sizes[i] / unit;
        if (weight > std::numeric_limits<std::uint32_t>::max())
            throw std::invalid_argument("sizes of collectives at once: chunks without a common unit");
        joint.first_chunks.push_back(static_cast<ChunkId>(joint.collective.chunks.size()));
        joint.chunk_bytes.push_back(static_cast<double>(sizes[i]));
        append_collective(joint.collective, all[i], static_cast<std::uint32_t>(weight),
                          problem.collectives[i].start_cycles);
    }
    joint.first_chunks.push_back(static_cast<ChunkId>(joint.collective.chunks.size()));
    return joint;
}

std::vector<JoinedTransfer> joined_transfers(const ConcurrentProblem& problem, const JointCollective& joint,
                                             const std::vector<const CollectiveSchedules*>& schedules)
{
    Joiner joiner(problem, joint);
    for (std::size_t i = 0; i < schedules.size(); ++i)
        joiner.add(i, *schedules[i]);
    return joiner.transfers();
}

Schedule joint_schedule(const ConcurrentProblem& problem, const JointCollective& joint,
                        const std::vector<JoinedTransfer>& joined, const std::vector<double>& alone,
                        Precedence precedence)
{
    std::vector<std::size_t> ranks(alone.size(), 0);
    if (precedence == Precedence::longest_first || precedence == Precedence::shortest_first) {
        const double sign = precedence == Precedence::longest_first ? -1 : 1;
        const auto order = indices_by(alone.size(), [&](std::size_t one) { return sign * alone[one]; });
        for (std::size_t rank = 0; rank < order.size(); ++rank)
            ranks[order[rank]] = rank;
    }
    const auto listing = indices_by(
        joined.size(), [&](std::uint32_t id) { return std::pair(ranks[joined[id].one], joined[id].end); });
    std::vector<std::uint32_t> place(joined.size());
    for (std::uint32_t i = 0; i < listing.size(); ++i)
        place[listing[i]] = i;
    Schedule result = empty_schedule("at once", problem.network.name(), joint.collective,
                                     ScheduleSynchronization::dependencies);
    std::vector<ListedTransfer> listed;
    listed.reserve(joined.size());
    for (const std::uint32_t id : listing) {
        listed.push_back(joined[id].listed);
        for (std::uint32_t& before : listed.back().after)
            before = place[before];
    }
    set_transfers(result, std::move(listed));
    return result;
}

std::vector<double> ends_of(const Schedule& schedule, const JointCollective& joint,
                            const LinkNetwork& network, const AlphaBeta& cost)
{
    const std::vector<double> ends = end_times(schedule, network, cost);
    std::vector<double> last(joint.first_chunks.size() - 1, 0);
    const TransferList transfers(schedule);
    for (std::size_t id = 0; id < transfers.size(); ++id) {
        const PlaceId at = transfers[id].to;
        if (at >= joint.first_chunks.back())
            continue;
        const auto behind = std::ranges::upper_bound(joint.first_chunks, at);
        double& end = last[static_cast<std::size_t>(behind - joint.first_chunks.begin()) - 1];
        end = std::max(end, ends[id]);
    }
    return last;
}

} // namespace nocturne
