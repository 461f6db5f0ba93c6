#include "schedules/chunk_search/translated_search.hpp"

#include "models/topology/indices_by.hpp"
#include "schedules/chunk_search/all_reduce.hpp"
#include "schedules/chunk_search/timed_schedules.hpp"
#include "schedules/chunk_search/turned_network.hpp"
#include "schedules/problem/copying_problem.hpp"
#include "schedules/schedule/start_order.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace nocturne {
namespace {

/// These chunks of the collective, in this order.
Collective only(const Collective& collective, const std::vector<ChunkId>& chunks)
{
    Collective result{.processors = collective.processors, .parts = collective.parts};
    for (const ChunkId chunk : chunks) {
        const auto place = static_cast<ChunkId>(result.chunks.size());
        result.chunks.push_back(collective.chunks[chunk]);
        for (Demand demand : collective.demands.of(chunk)) {
            demand.chunk = place;
            result.demands.push_back(std::move(demand));
        }
    }
    return result;
}

/// What a search for the first member's chunks is made for.
class OneMembersSearch {
public:
    OneMembersSearch(const LinkNetwork& network, const Translations& translations, const TimedConfig& config)
        : network_(network), turned_(turned(network)), translations_(translations), config_(config)
    {
    }

    /// Of a collective that only copies, the chunks of the first member.
    std::optional<Schedule> copies(const Collective& collective) const
    {
        const TimedProblem problem = problem_of(network_, collective);
        const TimedOutcome outcome = direct_exchange(translations_.grid(), problem);
        if (!outcome.is_complete)
            return std::nullopt;
        const Schedule sent = schedule_of(problem, outcome.sends);
        return shorter(in_order_of_starts(sent, network_, config_.cost), sent);
    }

    /// Of one that adds, the chunks whose sums the first member has at the end.
    std::optional<Schedule> sums(const Collective& collective) const
    {
        const Collective copied = reversed(collective);
        const TimedProblem problem = problem_of(turned_, copied);
        TimedOutcome outcome = direct_exchange(translations_.grid(), problem);
        if (!outcome.is_complete)
            return std::nullopt;
        const Schedule released =
            in_order_of_releases(schedule_of(problem, outcome.sends), turned_, config_.cost);
        std::ranges::stable_sort(outcome.sends, {}, &TimedSend::released);
        return shorter(turned_in_time(released, collective),
                       turned_in_time(schedule_of(problem, outcome.sends), collective));
    }

    std::optional<Schedule> all_reduce(const Collective& collective) const
    {
        const AllReduceHalves halves = all_reduce_halves(
            collective, std::vector(collective.chunks.size(), translations_.grid().members.front()));
        const auto reduce = sums(halves.reduce), spread = copies(halves.spread);
        if (!reduce || !spread)
            return std::nullopt;
        const Schedule both = in_sequence(*reduce, *spread, collective);
        return shorter(both, in_order_of_starts(both, network_, config_.cost));
    }

    double cycles(const Schedule& schedule) const { return time_of(schedule, network_, config_.cost); }

private:
    Schedule shorter(Schedule a, Schedule b) const
    {
        return cycles(b) < cycles(a) ? std::move(b) : std::move(a);
    }

    /// With the hops from the first member to those of its column, and from these into their boxes.
    TimedProblem problem_of(const LinkNetwork& network, const Collective& collective) const
    {
        std::map<std::uint32_t, std::vector<Path>> paths; // representatives, by the seat that they lead to
        for (const ChunkHop& hop :
             shortest_hops_from(network, translations_.grid().members.front(), config_.paths_per_pair))
            if (translations_.is_member(hop.destination))
                if (auto path = translations_.representatives(hop.path))
                    paths[translations_.seat_of(hop.destination)].push_back(std::move(*path));
        const std::vector<NodeId>& members = translations_.grid().members;
        const std::uint32_t box = translations_.grid().sizes.front();
        std::vector<ChunkHop> hops;
        for (const auto& [seat, ways] : paths) {
            if (seat % box == 0)
                for (const Path& path : ways)
                    hops.push_back({members.front(), members[seat], path});
            if (seat < box)
                for (std::uint32_t from = 0; from < members.size(); from += box)
                    for (const Path& path : ways)
                        hops.push_back({members[from], members[from + seat], path});
        }
        std::ranges::stable_sort(hops, {},
                                 [](const ChunkHop& hop) { return std::pair(hop.source, hop.destination); });
        return timed_problem_over(std::move(hops), network, collective, config_.cost);
    }

    const LinkNetwork& network_;
    LinkNetwork turned_;
    const Translations& translations_;
    const TimedConfig& config_;
};

/// Schedules of one member's chunks, and where these are taken.
struct Found {
    Schedule base;
    TranslatedChunks chunks;
    Translations translations;
    double cycles;
};

/// The first member's transfers with the places that they have among those of all.
Schedule with_all_chunks(const Found& found, const Collective& collective)
{
    Schedule first = found.base;
    first.collective = collective;
    first.translations = found.translations.grid();
    const auto own = static_cast<PlaceId>(found.base.collective.chunks.size()),
               all = static_cast<PlaceId>(collective.chunks.size());
    const auto among_all = [&](PlaceId place) {
        return place < own ? found.chunks.first[place] : all + found.chunks.first[place - own];
    };
    for (Transfer& transfer : first.steps.front()) {
        transfer.message = among_all(transfer.message);
        transfer.to = among_all(transfer.to) % place_limit;
    }
    return first;
}

std::vector<NodeId> members_of(const Collective& collective)
{
    std::vector<bool> is_member(collective.processors, false);
    for (const Chunk& chunk : collective.chunks)
        for (const NodeId node : chunk.contributors)
            is_member[node] = true;
    return indices_where(is_member.size(), [&](NodeId node) { return is_member[node]; });
}

} // namespace

bool is_large(const Collective& collective)
{
    constexpr std::size_t most_of_runs = std::size_t{1} << 18;
    std::size_t transfers = collective.demands.size();
    for (const Chunk& chunk : collective.chunks)
        transfers += chunk.contributors.size() - 1;
    return transfers > most_of_runs;
}

std::vector<Translations> translations_of(const LinkNetwork& network, const std::vector<NodeId>& members)
{
    std::map<NodeId, std::vector<bool>> joined; // to which others, by those that were asked for
    const auto are_joined = [&](NodeId from, NodeId to) {
        auto& to_others = joined[from];
        if (to_others.empty()) {
            to_others.resize(network.node_count());
            for (const ChunkHop& hop : shortest_hops_from(network, from, 1))
                to_others[hop.destination] = true;
        }
        return to_others[to];
    };
    std::vector<ProcessorGrid> grids{{{static_cast<std::uint32_t>(members.size())}, members}};
    for (const Boxes& boxes : boxes_of(network))
        if (auto grid = aligned_boxes(boxes, members, are_joined);
            grid && std::ranges::find(grids, *grid) == grids.end())
            grids.push_back(std::move(*grid));
    std::vector<Translations> found;
    for (ProcessorGrid& grid : grids)
        if (auto translations = Translations::find(network, std::move(grid)))
            found.push_back(std::move(*translations));
    return found;
}

std::optional<TimedSchedule> search_translated(const LinkNetwork& network, const Collective& collective,
                                               const TimedConfig& config)
{
    std::optional<Found> best;
    for (const Translations& translations : translations_of(network, members_of(collective))) {
        auto chunks = translated_chunks(collective, translations);
        if (!chunks)
            continue;
        const OneMembersSearch search(network, translations, config);
        const Collective one = only(collective, chunks->first);
        auto base = collective.kind == CollectiveKind::allreduce ? search.all_reduce(one)
                    : reduces(collective)                        ? search.sums(one)
                                                                 : search.copies(one);
        if (!base)
            continue;
        const double cycles = search.cycles(*base);
        if (!best || cycles < best->cycles)
            best = Found{std::move(*base), std::move(*chunks), translations, cycles};
    }
    if (!best)
        return std::nullopt;
    const TransferImages images(network, collective, best->translations, best->chunks);
    Schedule first = with_all_chunks(*best, collective);
    for (Transfer& transfer : first.steps.front())
        transfer = images.of(transfer, 0);
    return TimedSchedule{translated(first, images), best->cycles, 0, 0};
}

} // namespace nocturne
