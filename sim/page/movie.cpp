#include "sim/page/movie.hpp"

#include "models/routing/turns.hpp"
#include "models/topology/indices_by.hpp"
#include "schedules/schedule/chunk_time.hpp"
#include "sim/page/bottleneck.hpp"
#include "sim/page/network_json.hpp"
#include "sim/page/packed.hpp"
#include "sim/report/words.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace nocturne {

namespace {

void add_transfer(Movie& movie, const Transfer& transfer, std::uint32_t step)
{
    movie.chunks.push_back(transfer.message);
    movie.in_step.push_back(step);
    movie.adds.push_back(transfer.operation == Operation::copy ? 0 : 1);
    movie.hops.push_back(static_cast<std::uint32_t>(transfer.links().size()));
}

/// Of messages in steps.
void add_messages(Movie& movie, const Schedule& schedule, const Topology& topology)
{
    const std::vector<std::uint32_t> ports = output_positions(topology);
    movie.has_ports = true;
    for (std::uint32_t step = 0; step < schedule.steps.size(); ++step)
        for (const Transfer& transfer : schedule.steps[step]) {
            movie.sources.push_back(page_node(topology, transfer.source));
            movie.destinations.push_back(page_node(topology, transfer.destination));
            add_transfer(movie, transfer, step);
            for (const ChannelId channel : transfer.links())
                movie.links.push_back(ports[channel]);
        }
}

/// Of chunks from memory to memory: in the order of their beginnings.
void add_chunks(Movie& movie, const LoadedSchedule& loaded, const AlphaBeta& cost)
{
    const Schedule& schedule = loaded.schedule;
    const LinkNetwork network = loaded.network();
    const std::vector<std::uint32_t> nodes = page_nodes(loaded.topology, network);
    const TransferList transfers(schedule);
    std::vector<double> begins(transfers.size()), ends(transfers.size());
    if (!is_in_steps(schedule)) {
        const std::vector<std::uint32_t> weights = transfer_weights(schedule);
        ends = end_times(schedule, network, cost);
        // Start-ups that hold no links are not shown: nothing is on the way yet.
        const double start = cost.latency_holds_link ? 0 : cost.start_cycles;
        for (std::uint32_t id = 0; id < transfers.size(); ++id)
            begins[id] =
                ends[id] - (transfers[id].is_local()
                                ? 0
                                : transfer_time(transfers[id], weights[id], network, cost).duration - start);
    }
    for (const std::uint32_t id :
         indices_by(transfers.size(), [&](std::uint32_t index) { return begins[index]; })) {
        const Transfer& transfer = transfers[id];
        movie.sources.push_back(nodes[transfer.source]);
        movie.destinations.push_back(nodes[transfer.destination]);
        add_transfer(movie, transfer, is_in_steps(schedule) ? transfers.step_of(id) : 0);
        const auto links = transfer.links();
        movie.links.insert(movie.links.end(), links.begin(), links.end());
        if (!is_in_steps(schedule)) {
            movie.begins.push_back(static_cast<float>(begins[id]));
            movie.ends.push_back(static_cast<float>(ends[id]));
        }
    }
    for (std::size_t id = loaded.topology.channel_count(); id < network.link_count(); ++id) {
        movie.link_sources.push_back(nodes[network.link(static_cast<LinkId>(id)).source]);
        movie.link_targets.push_back(nodes[network.link(static_cast<LinkId>(id)).target]);
    }
    if (!is_in_steps(schedule)) {
        movie.unit = "cycle";
        movie.length = ends.empty() ? 0 : *std::ranges::max_element(ends);
    }
}

template <class Number>
std::span<const Number> first(const std::vector<Number>& numbers, std::size_t count)
{
    return std::span(numbers).first(std::min(count, numbers.size()));
}

/// Of the first `kept` transfers, whose paths have so many hops.
nlohmann::ordered_json packed_movie(const Movie& movie, std::size_t kept, std::size_t hops)
{
    nlohmann::ordered_json transfers{{"count", kept},
                                     {"source", packed(first(movie.sources, kept))},
                                     {"destination", packed(first(movie.destinations, kept))},
                                     {"chunk", packed(first(movie.chunks, kept))},
                                     {"step", packed(first(movie.in_step, kept))}};
    if (std::ranges::find(movie.adds, 1U) != movie.adds.end())
        transfers["adds"] = packed(first(movie.adds, kept));
    if (!movie.begins.empty()) {
        transfers["begin"] = packed(first(movie.begins, kept));
        transfers["end"] = packed(first(movie.ends, kept));
    }
    nlohmann::ordered_json paths{{"hops", packed(first(movie.hops, kept))},
                                 {movie.has_ports ? "ports" : "links", packed(first(movie.links, hops))}};
    if (!movie.hold_begins.empty()) {
        paths["begin"] = packed(first(movie.hold_begins, hops));
        paths["end"] = packed(first(movie.hold_ends, hops));
    }
    return {{"transfers", std::move(transfers)}, {"paths", std::move(paths)}};
}

std::size_t size_of_all(const nlohmann::ordered_json& json)
{
    std::size_t size = 0;
    for (const char* const part : {"transfers", "paths"})
        for (const auto& member : json.at(part))
            if (member.is_object())
                size += packed_size(member);
    return size;
}

} // namespace

Movie movie_of(const LoadedSchedule& loaded, const AlphaBeta& cost)
{
    const Schedule& schedule = loaded.schedule;
    Movie movie;
    movie.name = schedule.name;
    // Files name a collective as the papers do.
    if (const std::string_view paper = paper_name(schedule.collective.kind); movie.name.starts_with(paper))
        movie.name.replace(0, paper.size(), collective_text(to_string(schedule.collective.kind)));
    movie.steps = count_steps(schedule);
    movie.length = movie.steps;
    if (is_between_memories(schedule))
        add_chunks(movie, loaded, cost);
    else
        add_messages(movie, schedule, loaded.topology);
    return movie;
}

nlohmann::ordered_json movie_json(const Movie& movie, std::size_t network, std::size_t most)
{
    std::size_t kept = movie.sources.size(), hops = movie.links.size();
    const auto keep = [&](std::size_t fewer_hops) {
        while (kept > 0 && hops > fewer_hops)
            hops -= movie.hops[--kept];
    };
    keep(largest_movie_hops);
    nlohmann::ordered_json content = packed_movie(movie, kept, hops);
    while (kept > 0 && size_of_all(content) > most) {
        constexpr double margin = 0.95;
        const double share = static_cast<double>(most) / static_cast<double>(size_of_all(content));
        const std::size_t before = kept;
        keep(static_cast<std::size_t>(margin * share * static_cast<double>(hops)));
        kept = std::min(kept, before - 1);
        hops = std::accumulate(movie.hops.begin(), movie.hops.begin() + static_cast<std::ptrdiff_t>(kept),
                               std::size_t{0});
        content = packed_movie(movie, kept, hops);
    }
    nlohmann::ordered_json json{
        {"name", movie.name},
        {"network", network},
        {"unit", movie.unit},
        {"length", movie.length},
        {"steps", movie.steps},
        {"transfers_left_out", movie.sources.size() - kept + movie.transfers_left_out},
        {"link_source", packed(movie.link_sources)},
        {"link_target", packed(movie.link_targets)}};
    json.update(content);
    json.update(movie.extra);
    return json;
}

} // namespace nocturne
