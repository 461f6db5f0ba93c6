#include "schedules/concurrent/way_search.hpp"

#include "schedules/schedule/chunk_time.hpp"
#include "schedules/schedule/start_order.hpp"
#include "schedules/schedule/transfer_order.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {

WaySearch::WaySearch(const ConcurrentProblem& problem, std::size_t one, std::size_t enough_transfers)
    : problem_(problem), one_(problem.collectives[one]), enough_transfers_(enough_transfers),
      among_(problem.network.link_count(), false)
{
    std::vector<GroupNetwork> places;
    for (const std::vector<std::uint32_t>& group : one_.groups)
        if (auto place = group_network(problem.network, group)) {
            for (const Path& path : place->paths)
                for (const LinkId link : path)
                    among_[link] = true;
            places.push_back(std::move(*place));
        }
    if (places.size() == one_.groups.size())
        members_ = patterns_of(std::move(places));
    else
        relays_ = patterns_of(relay_networks(problem.network, one_.groups));
}

bool WaySearch::can(Carriers carriers) const
{
    return carriers == Carriers::all || !(carriers == Carriers::members ? members_ : relays_).empty();
}

WaySearch::Patterns WaySearch::patterns_of(std::vector<GroupNetwork> places) const
{
    Patterns patterns;
    for (std::size_t group = 0; group < places.size(); ++group) {
        std::optional<GroupNetwork> like;
        auto pattern = patterns.begin();
        while (pattern != patterns.end() && !(like = placed_like(pattern->places.front(), places[group])))
            ++pattern;
        if (!like)
            pattern = patterns.insert(patterns.end(), Pattern{});
        pattern->places.push_back(like ? std::move(*like) : std::move(places[group]));
        pattern->groups.push_back(group);
    }
    return patterns;
}

std::optional<Way> WaySearch::search(Carriers carriers, const std::vector<double>& shares,
                                     const PortfolioOptions& options) const
{
    Way way{.carriers = carriers, .loads = std::vector<double>(problem_.network.link_count(), 0)};
    std::optional<std::uint32_t> parts;
    const Patterns whole(1);
    for (const Pattern& pattern : carriers == Carriers::all       ? whole
                                  : carriers == Carriers::members ? members_
                                                                  : relays_) {
        auto partial = search_pattern(pattern, shares, options, way, parts);
        if (!partial)
            return std::nullopt;
        add_loads(way, *partial);
        way.schedules.schedules.push_back(std::move(*partial));
    }
    way.schedules.parts = parts.value_or(1);
    return way;
}

std::optional<PartialSchedule> WaySearch::search_pattern(const Pattern& pattern,
                                                         const std::vector<double>& shares,
                                                         const PortfolioOptions& options, Way& way,
                                                         std::optional<std::uint32_t>& parts) const
{
    const bool is_whole = pattern.places.empty();
    LinkNetwork network = is_whole ? problem_.network : pattern.places.front().network;
    double scale = way.carriers == Carriers::relays ? share_parts : 1; // bytes of the network for one
    if (!shares.empty()) {
        std::vector<double> of_links(network.link_count(), 0);
        for (LinkId link = 0; link < network.link_count(); ++link) {
            if (is_whole)
                of_links[link] = shares[link];
            for (const GroupNetwork& place : pattern.places) {
                double least = 1;
                for (const LinkId there : place.paths[link])
                    least = std::min(least, shares[there]);
                of_links[link] += least / static_cast<double>(pattern.places.size());
            }
        }
        network = with_shares(network, of_links);
        scale *= share_parts;
    }
    const std::size_t copies = std::max<std::size_t>(pattern.places.size(), 1);
    const CollectiveShape shape{.processors = network.processor_count()};
    ChunkProblem problem{
        .network = network,
        .collective = is_whole ? collective_of_groups(one_, network.processor_count(), 1)
                               : make_collective(one_.kind, shape,
                                                 has_root(one_.kind) ? std::optional(0U) : std::nullopt),
        .objective = ChunkObjective::time,
        .bytes = static_cast<double>(one_.bytes) * scale,
        .start_cycles = problem_.start_cycles,
        .latency_holds_link = problem_.latency_holds_link};
    problem.parts = parts;
    PortfolioOptions with_limit = options;
    with_limit.accepts = [&](const Schedule& schedule) {
        return parts || schedule.collective.parts == 1 ||
               count_transfers(schedule) * copies <= enough_transfers_;
    };
    PortfolioResult result = find_schedule(problem, with_limit);
    way.is_cut = way.is_cut || result.end == EndReason::out_of_budget;
    if (!result.schedule)
        return std::nullopt;
    parts = result.schedule->collective.parts;
    way.engine = result.engine;
    way.cycles = std::max(way.cycles, result.cycles);
    Schedule schedule = in_order(*result.schedule, order_of_transfers(*result.schedule, network));
    std::vector<double> ends = end_times(schedule, network, result.cost);
    return PartialSchedule{std::move(schedule), std::move(ends), pattern.places, pattern.groups};
}

void WaySearch::add_loads(Way& way, const PartialSchedule& partial) const
{
    const std::vector<std::uint32_t> weights = transfer_weights(partial.schedule);
    const double bytes = static_cast<double>(one_.bytes) /
                         static_cast<double>(largest_contribution(partial.schedule.collective));
    const TransferList transfers(partial.schedule);
    const auto add = [&](LinkId link, std::uint32_t weight) {
        way.loads[link] += weight * bytes / static_cast<double>(problem_.network.link(link).bytes_per_cycle);
    };
    for (std::size_t id = 0; id < transfers.size(); ++id)
        for (const LinkId link : transfers[id].links()) {
            if (partial.places.empty())
                add(link, weights[id]);
            for (const GroupNetwork& place : partial.places)
                for (const LinkId there : place.paths[link])
                    add(there, weights[id]);
        }
}

} // namespace nocturne
