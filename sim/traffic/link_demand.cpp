#include "sim/traffic/link_demand.hpp"

#include "models/routing/make_routing.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace nocturne {

namespace {

constexpr unsigned draw_batches = 8;

/// Flits per cycle.
struct LinkLoads {
    std::vector<double> channels; ///< by channel
    /// Of routes that are drawn: by batch of draws, then channel.
    std::vector<std::vector<double>> drawn;
    std::vector<double> ejected; ///< by processor

    /// Of a channel: what it carries at least, so far as draws tell.
    double least_of(ChannelId id) const
    {
        constexpr double errors = 5; // standard ones, of few batches: one of many links may be off by so much
        double sum = 0, squares = 0;
        for (const std::vector<double>& batch : drawn) {
            sum += batch[id];
            squares += batch[id] * batch[id];
        }
        const double mean = sum / draw_batches,
                     variance = std::max(0.0, squares / draw_batches - mean * mean);
        return channels[id] + std::max(0.0, mean - errors * std::sqrt(variance / (draw_batches - 1)));
    }
};

void add_loads(const Topology& topology, const Routing& routing, const Traffic& traffic, LinkLoads& loads)
{
    constexpr std::size_t most_draws = std::size_t{1} << 18, most_of_a_pair = 4096;
    // Destination by destination: a table-driven routing then stays in one table.
    std::vector<std::vector<double>> rows(topology.processor_count());
    std::size_t pairs = 0;
    for (ProcessorId source = 0; source < rows.size(); ++source)
        if (traffic.pattern.share(source) > 0) {
            rows[source] = traffic.pattern.destinations(source);
            pairs += rows[source].size() - static_cast<std::size_t>(std::ranges::count(rows[source], 0.0));
        }
    if (routing.name == "o1turn") { // one of two routes, each as often as the other
        Traffic half = traffic;
        half.load /= 2;
        for (const char* const order : {"xy", "yx"})
            add_loads(topology, make_routing(topology, order), half, loads);
        return;
    }
    const bool draws = routing.is_oblivious() && !routing.in_order();
    const std::size_t of_a_batch =
        draws && pairs > 0
            ? std::clamp<std::size_t>(most_draws / pairs, draw_batches, most_of_a_pair) / draw_batches
            : 0;
    // A routing of its own, so that asking it changes nothing.
    const std::optional<Routing> drawing =
        draws ? std::optional(make_routing(topology, routing.name)) : std::nullopt;
    for (ProcessorId destination = 0; destination < rows.size(); ++destination)
        for (ProcessorId source = 0; source < rows.size(); ++source) {
            if (rows[source].empty() || rows[source][destination] == 0)
                continue;
            const double flits = traffic.load * traffic.pattern.share(source) * rows[source][destination];
            loads.ejected[destination] += flits;
            if (routing.in_order())
                for (const Hop& hop : routing.route(source, destination))
                    loads.channels[hop.channel] += flits;
            for (unsigned batch = 0; draws && batch < draw_batches; ++batch)
                for (std::size_t i = 0; i < of_a_batch; ++i)
                    for (const Hop& hop : drawing->route(source, destination))
                        loads.drawn[batch][hop.channel] += flits / static_cast<double>(of_a_batch);
        }
}

} // namespace

LinkDemand highest_demand(const LinkPlan& plan, std::span<const ClassTraffic> classes)
{
    const Topology& topology = plan.topology();
    const std::vector<double> none(topology.channel_count());
    LinkLoads loads{none, std::vector(draw_batches, none), std::vector<double>(topology.processor_count())};
    for (const ClassTraffic& each : classes)
        add_loads(topology, each.routing, each.traffic, loads);
    LinkDemand highest;
    const auto take = [&](std::uint32_t link, double demand) {
        if (demand > highest.demand)
            highest = {plan.link_name(link), demand};
    };
    // A thousand of them, which are whole cycles of the network or nearly so.
    const auto cycles_of_flit = [&](std::uint32_t link) {
        constexpr std::uint64_t many = 1000;
        return static_cast<double>(plan.network_cycles(link, many * plan.timing(link).cycles_per_flit)) /
               many;
    };
    for (ChannelId id = 0; id < loads.channels.size(); ++id)
        take(id, loads.least_of(id) * cycles_of_flit(id));
    for (ProcessorId id = 0; id < loads.ejected.size(); ++id)
        take(plan.first_ejection_link(id),
             loads.ejected[id] * cycles_of_flit(plan.first_ejection_link(id)) / plan.ejection_links(id));
    return highest;
}

} // namespace nocturne
