#include "models/routing/route_table.hpp"

#include "models/routing/distances.hpp"
#include "models/topology/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace nocturne {

namespace {

[[noreturn]] void fail_at(std::string_view place, const std::string& reason)
{
    throw std::runtime_error(one_line(fmt::format("{}: {}", place, reason)));
}

std::string pair_text(const Topology& topology, ProcessorId source, ProcessorId destination)
{
    return fmt::format("from {} to {}", topology.processor(source).name,
                       topology.processor(destination).name);
}

ChannelId channel_between(const Topology& topology, RouterId from, RouterId to, const std::string& place)
{
    for (const ChannelId id : topology.channels_from(from))
        if (topology.channel(id).target == to)
            return id;
    fail_at(place, fmt::format("{} has no channel {}->{}", topology.name(), topology.router_name(from),
                               topology.router_name(to)));
}

void check_class(std::uint32_t vc_class, const std::string& place)
{
    if (vc_class >= most_table_classes)
        fail_at(place,
                fmt::format("class {} of virtual channels: 0 to {}", vc_class, most_table_classes - 1));
}

/// The routes of all pairs, one behind the other.
struct FlatRoutes {
    std::size_t processors;
    std::vector<std::uint64_t> first; ///< by source * processors + destination; one more entry for the end
    std::vector<Hop> hops;
    std::uint32_t highest_class = 0;

    explicit FlatRoutes(std::size_t count) : processors(count) { first.reserve(count * count + 1); }
    /// Of the next pair.
    void add(const Route& route)
    {
        first.push_back(hops.size());
        for (const Hop& hop : route) {
            hops.push_back(hop);
            highest_class = std::max(highest_class, hop.vc_class);
        }
    }
    Route route(ProcessorId source, ProcessorId destination) const
    {
        const std::size_t pair = source * processors + destination;
        return {hops.begin() + static_cast<std::ptrdiff_t>(first[pair]),
                hops.begin() + static_cast<std::ptrdiff_t>(first[pair + 1])};
    }
};

Routing routing_of(const Topology& topology, const std::string& origin, FlatRoutes routes)
{
    routes.first.push_back(routes.hops.size());
    const unsigned classes = routes.highest_class + 1;
    ObliviousRoutes oblivious;
    oblivious.route = [&topology, table = std::make_shared<const FlatRoutes>(std::move(routes))](
                          ProcessorId source, ProcessorId destination) {
        endpoints(topology, source, destination); // do they exist?
        return table->route(source, destination);
    };
    return {origin, classes, std::move(oblivious)};
}

Route checked_route(const Topology& topology, const TableRoute& written)
{
    const auto [at, end] = endpoints(topology, written.source, written.destination);
    const auto& routers = written.routers;
    const auto expect = [&](RouterId router, RouterId expected, const char* which) {
        if (router != expected)
            fail_at(written.place,
                    fmt::format("the path {} {} with router {}, not {}",
                                pair_text(topology, written.source, written.destination), which,
                                topology.router_name(router), topology.router_name(expected)));
    };
    if (routers.empty())
        fail_at(written.place, "a path without a router");
    expect(routers.front(), at, "begins");
    expect(routers.back(), end, "ends");
    std::vector<RouterId> sorted = routers;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
        fail_at(written.place, fmt::format("the path {} visits router {} twice",
                                           pair_text(topology, written.source, written.destination),
                                           topology.router_name(*twice)));
    if (!written.classes.empty() && written.classes.size() != routers.size() - 1)
        fail_at(written.place,
                fmt::format("{} classes for {} hops", written.classes.size(), routers.size() - 1));
    Route route;
    for (std::size_t hop = 0; hop + 1 < routers.size(); ++hop) {
        const std::uint32_t vc_class = written.classes.empty() ? 0 : written.classes[hop];
        check_class(vc_class, written.place);
        route.push_back({channel_between(topology, routers[hop], routers[hop + 1], written.place), vc_class});
    }
    return route;
}

/// The entries of next hops by router and destination.
class NextHops {
public:
    NextHops(const Topology& topology, std::string origin, std::span<const TableHop> table)
        : topology_(topology), origin_(std::move(origin)), table_(table),
          entry_(topology.router_count() * topology.processor_count())
    {
        for (std::size_t i = 0; i < table.size(); ++i)
            take(table[i], i);
    }

    Route route(ProcessorId source, ProcessorId destination) const
    {
        auto [at, end] = endpoints(topology_, source, destination);
        Route route;
        while (at != end) {
            const std::size_t number = entry_[index(at, destination)];
            if (number == 0)
                fail_at(origin_,
                        fmt::format("no entry for router {}, destination {}, which messages from {} need",
                                    topology_.router_name(at), topology_.processor(destination).name,
                                    topology_.processor(source).name));
            const TableHop& entry = table_[number - 1];
            if (route.size() == topology_.router_count())
                fail_at(entry.place, fmt::format("messages {} go round in a circle: {}",
                                                 pair_text(topology_, source, destination),
                                                 circle_through(at, destination)));
            route.push_back({channel_between(topology_, at, entry.next, entry.place), entry.vc_class});
            at = entry.next;
        }
        return route;
    }

private:
    std::size_t index(RouterId router, ProcessorId destination) const
    {
        return std::size_t{router} * topology_.processor_count() + destination;
    }

    void take(const TableHop& entry, std::size_t number)
    {
        check_class(entry.vc_class, entry.place);
        channel_between(topology_, entry.router, entry.next, entry.place);
        if (entry.router == topology_.processor(entry.destination).ejection)
            fail_at(entry.place,
                    fmt::format("messages to {} leave the network at router {}, and go no further",
                                topology_.processor(entry.destination).name,
                                topology_.router_name(entry.router)));
        std::size_t& place = entry_[index(entry.router, entry.destination)];
        if (place != 0)
            fail_at(entry.place,
                    fmt::format("a second entry for router {}, destination {}: the first is at {}",
                                topology_.router_name(entry.router),
                                topology_.processor(entry.destination).name, table_[place - 1].place));
        place = number + 1;
    }

    std::string circle_through(RouterId start, ProcessorId destination) const
    {
        std::string text = topology_.router_name(start);
        RouterId at = start;
        do {
            at = table_[entry_[index(at, destination)] - 1].next;
            text += "->" + topology_.router_name(at);
        } while (at != start);
        return text;
    }

    const Topology& topology_;
    std::string origin_;
    std::span<const TableHop> table_;
    std::vector<std::size_t> entry_; ///< number in the table, from 1 on; 0: none
};

} // namespace

Routing routes_of_table(const Topology& topology, const std::string& origin,
                        std::span<const TableRoute> table)
{
    require_pairwise_size(topology, "a table of routes");
    const std::size_t processors = topology.processor_count();
    std::vector<std::size_t> entry(processors * processors); // number in the table, from 1 on
    for (std::size_t i = 0; i < table.size(); ++i) {
        std::size_t& place = entry[table[i].source * processors + table[i].destination];
        if (place != 0)
            fail_at(table[i].place, fmt::format("a second route {}: the first is at {}",
                                                pair_text(topology, table[i].source, table[i].destination),
                                                table[place - 1].place));
        place = i + 1;
    }
    FlatRoutes routes(processors);
    for (ProcessorId source = 0; source < processors; ++source)
        for (ProcessorId destination = 0; destination < processors; ++destination) {
            const auto [from, to] = endpoints(topology, source, destination);
            const std::size_t number = entry[source * processors + destination];
            if (number == 0 && from != to)
                fail_at(origin, fmt::format("no route {}", pair_text(topology, source, destination)));
            routes.add(number == 0 ? Route() : checked_route(topology, table[number - 1]));
        }
    return routing_of(topology, origin, std::move(routes));
}

Routing routes_of_next_hops(const Topology& topology, const std::string& origin,
                            std::span<const TableHop> table)
{
    require_pairwise_size(topology, "a table of next hops");
    const NextHops next_hops(topology, origin, table);
    FlatRoutes routes(topology.processor_count());
    for (ProcessorId source = 0; source < topology.processor_count(); ++source)
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination)
            routes.add(next_hops.route(source, destination));
    return routing_of(topology, origin, std::move(routes));
}

} // namespace nocturne
