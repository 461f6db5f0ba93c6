#include "schedules/constructions/constructions.hpp"
#include "schedules/constructions/edge_colouring.hpp"
#include "schedules/schedule/validator.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

struct Part;

/// Lines enter at switches and leave at switches; between them are parts, each with a line from and to every
/// one of these. Without parts there is one switch.
struct Fabric {
    std::vector<std::uint32_t> entry; ///< by line in: its switch, counted from 0
    std::vector<std::uint32_t> exit;  ///< by line out
    std::vector<RouterId> entries;    ///< the switches: routers
    std::vector<RouterId> exits;
    std::vector<Part> parts; ///< as many as a switch has lines, at least
};

struct Part {
    std::vector<ChannelId> in;  ///< by entry switch
    std::vector<ChannelId> out; ///< by exit switch
    Fabric inside;
};

struct Lines {
    std::vector<RouterId> in;
    std::vector<RouterId> out;
};

/// Counts routers from 0, and says for each line which one it has.
std::vector<std::uint32_t> number(const std::vector<RouterId>& lines, std::vector<RouterId>& routers)
{
    std::map<RouterId, std::uint32_t> number_of;
    std::vector<std::uint32_t> result;
    for (const RouterId router : lines) {
        const auto [place, is_new] =
            number_of.try_emplace(router, static_cast<std::uint32_t>(routers.size()));
        if (is_new)
            routers.push_back(router);
        result.push_back(place->second);
    }
    return result;
}

std::size_t most_lines(const std::vector<std::uint32_t>& switches)
{
    std::vector<std::size_t> lines(switches.size());
    for (const std::uint32_t s : switches)
        ++lines[s];
    return *std::max_element(lines.begin(), lines.end());
}

/// Takes networks apart: every router is in one region, or outside all that are still to be taken apart.
class Dissection {
public:
    explicit Dissection(const Topology& topology) : topology_(topology), region_(topology.router_count(), 0)
    {
    }

    /// The fabric that `lines` enter and leave in a region; nothing if it has not the form.
    std::optional<Fabric> run(const Lines& lines, std::uint32_t region = 0)
    {
        Fabric fabric;
        fabric.entry = number(lines.in, fabric.entries);
        fabric.exit = number(lines.out, fabric.exits);
        if (fabric.entries.size() == 1 && fabric.entries == fabric.exits)
            return fabric;
        for (const auto* switches : {&fabric.entries, &fabric.exits})
            for (const RouterId router : *switches)
                region_[router] = outside;
        for (const ChannelId id : topology_.channels_from(fabric.entries.front())) {
            const RouterId beyond = topology_.channel(id).target;
            if (region_[beyond] != region)
                continue;
            const std::uint32_t component = ++regions_;
            fill(beyond, component);
            if (auto part = make_part(fabric, component))
                fabric.parts.push_back(std::move(*part));
        }
        if (fabric.parts.size() < std::max(most_lines(fabric.entry), most_lines(fabric.exit)))
            return std::nullopt;
        return fabric;
    }

private:
    static constexpr std::uint32_t outside = ~0u;

    /// Moves the routers that channels join to `start`, in whichever direction, from its region to another
    /// one.
    void fill(RouterId start, std::uint32_t region)
    {
        const std::uint32_t before = std::exchange(region_[start], region);
        std::vector<RouterId> found{start};
        const auto add = [&](RouterId router) {
            if (region_[router] != before)
                return;
            region_[router] = region;
            found.push_back(router);
        };
        for (std::size_t i = 0; i < found.size(); ++i) {
            for (const ChannelId id : topology_.channels_from(found[i]))
                add(topology_.channel(id).target);
            for (const ChannelId id : topology_.channels_to(found[i]))
                add(topology_.channel(id).source);
        }
    }

    std::optional<Part> make_part(const Fabric& fabric, std::uint32_t region)
    {
        Part part;
        Lines lines;
        for (const RouterId router : fabric.entries)
            for (const ChannelId id : topology_.channels_from(router))
                if (const RouterId target = topology_.channel(id).target; region_[target] == region) {
                    part.in.push_back(id);
                    lines.in.push_back(target);
                    break;
                }
        for (const RouterId router : fabric.exits)
            for (const ChannelId id : topology_.channels_to(router))
                if (const RouterId source = topology_.channel(id).source; region_[source] == region) {
                    part.out.push_back(id);
                    lines.out.push_back(source);
                    break;
                }
        if (part.in.size() < fabric.entries.size() || part.out.size() < fabric.exits.size())
            return std::nullopt;
        auto inside = run(lines, region);
        if (!inside)
            return std::nullopt;
        part.inside = std::move(*inside);
        return part;
    }

    const Topology& topology_;
    std::vector<std::uint32_t> region_; ///< by router
    std::uint32_t regions_ = 0;
};

/// A message between two lines of a fabric.
struct Connection {
    std::uint32_t in;
    std::uint32_t out;
    std::size_t transfer; ///< whose path it takes
};

/// Appends channel-disjoint ways through the fabric to the paths of the step; no two connections share a
/// line.
void route(const Fabric& fabric, const std::vector<Connection>& connections, Step& step)
{
    std::vector<BipartiteEdge> edges;
    std::vector<std::size_t> transfers;
    for (const auto& [in, out, transfer] : connections) {
        const std::uint32_t entry = fabric.entry[in], exit = fabric.exit[out];
        if (fabric.entries[entry] == fabric.exits[exit])
            continue; // turns round
        edges.push_back({entry, exit});
        transfers.push_back(transfer);
    }
    const std::vector<std::uint32_t> colours = colour_edges(edges);
    std::vector<std::vector<Connection>> by_part(fabric.parts.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
        step[transfers[i]].path->push_back(fabric.parts[colours[i]].in[edges[i].left]);
        by_part[colours[i]].push_back({edges[i].left, edges[i].right, transfers[i]});
    }
    for (std::size_t p = 0; p < by_part.size(); ++p)
        if (!by_part[p].empty())
            route(fabric.parts[p].inside, by_part[p], step);
    for (std::size_t i = 0; i < edges.size(); ++i)
        step[transfers[i]].path->push_back(fabric.parts[colours[i]].out[edges[i].right]);
}

/// What origins send straight to receivers, in steps in which no processor sends or receives twice.
std::vector<Step> direct_steps(const Collective& collective)
{
    std::vector<Transfer> transfers;
    for (MessageId id = 0; id < collective.messages().size(); ++id)
        for (const ProcessorId receiver : collective.messages()[id].receivers)
            transfers.emplace_back(id, collective.messages()[id].origin, receiver, Path{});
    // In this order the first colour that is free at both ends mostly does; in an AAS or AAB always.
    const auto shift = [&](const Transfer& transfer) {
        return (transfer.destination + collective.processors - transfer.source) % collective.processors;
    };
    std::stable_sort(transfers.begin(), transfers.end(),
                     [&](const Transfer& a, const Transfer& b) { return shift(a) < shift(b); });
    std::vector<BipartiteEdge> edges;
    for (const Transfer& transfer : transfers)
        edges.push_back({transfer.source, transfer.destination});
    const std::vector<std::uint32_t> colours = colour_edges(edges);
    std::vector<Step> steps;
    for (std::size_t i = 0; i < transfers.size(); ++i)
        put_in_step(steps, colours[i], std::move(transfers[i]));
    return steps;
}

} // namespace

std::optional<Schedule> rearrangeable_network(const Problem& problem)
{
    Lines processors;
    for (const Processor& processor : problem.topology.processors()) {
        processors.in.push_back(processor.injection);
        processors.out.push_back(processor.ejection);
    }
    const auto fabric = Dissection(problem.topology).run(processors);
    if (!fabric)
        return std::nullopt;
    Schedule schedule = empty_schedule(problem, "construct, rearrangeable network");
    schedule.steps = direct_steps(problem.collective);
    for (Step& step : schedule.steps) {
        std::vector<Connection> connections;
        for (std::size_t i = 0; i < step.size(); ++i)
            connections.push_back({step[i].source, step[i].destination, i});
        route(*fabric, connections, step);
    }
    if (!keeps_transfer_rules(problem, schedule))
        return std::nullopt;
    return schedule;
}

} // namespace nocturne
