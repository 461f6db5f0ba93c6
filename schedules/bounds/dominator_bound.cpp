#include "models/routing/distances.hpp"
#include "schedules/bounds/lower_bounds.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace nocturne {
namespace {

constexpr RouterId none = ~0u;

/// The routers that one router dominates.
struct Region {
    RouterId entry;                ///< that router
    std::uint64_t channels_in = 0; ///< into it from outside
    bool is_closed = true;         ///< no processor injects within and is ejected outside
    std::vector<std::uint64_t>
        reach;                ///< [a]: the best a processors and all whom they can inform in a step, at most
    std::uint64_t needed = 0; ///< informed processors within, with the steps to go that are looked at
    std::uint64_t informed = 0; ///< when the schedule begins
};

/// The router that dominates each router immediately; `none` for the first router and those out of reach.
std::vector<RouterId> immediate_dominators(const Topology& topology, RouterId from)
{
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;
    Graph graph(topology.router_count());
    const auto distances = distances_from(topology, from);
    // The algorithm reads beyond its memory where an edge comes from a vertex that is out of reach.
    for (const Channel& channel : topology.channels())
        if (distances[channel.source] != unreachable)
            boost::add_edge(channel.source, channel.target, graph);
    std::vector<RouterId> dominators(topology.router_count(), none);
    boost::lengauer_tarjan_dominator_tree(
        graph, from, boost::make_iterator_property_map(dominators.begin(), get(boost::vertex_index, graph)));
    // What the algorithm leaves for routers out of reach says nothing.
    for (RouterId router = 0; router < dominators.size(); ++router)
        if (router == from || distances[router] == unreachable)
            dominators[router] = none;
    return dominators;
}

/// The tree of dominators: regions from the largest inwards, every one before those within it.
class Regions {
public:
    Regions(const Problem& problem, const Message& message)
        : topology_(problem.topology), root_(topology_.processor(message.origin).injection),
          parents_(immediate_dominators(topology_, root_)), first_(topology_.router_count(), none),
          last_(topology_.router_count(), none)
    {
        order_regions();
        for (Region& region : regions_)
            fill(region, problem);
        count(message.origin, &Region::informed);
        count(message.origin, &Region::needed); // it stays informed
        for (const ProcessorId receiver : message.receivers)
            count(receiver, &Region::needed);
    }

    /// From what is needed with some steps to go to what is needed with one more.
    void step_back()
    {
        std::vector<std::uint64_t> of_parts(regions_.size()); // what the regions within need together
        for (std::size_t i = regions_.size(); i-- > 0;) {
            Region& region = regions_[i];
            region.needed = std::max(of_parts[i], needed_for_growth(region));
            if (i > 0)
                of_parts[first_[parents_[region.entry]]] += region.needed;
        }
    }

    /// A region that would need more informed processors to begin with than there are; nothing if there is
    /// none.
    const Region* find_short() const
    {
        const auto found = std::find_if(regions_.rbegin(), regions_.rend(),
                                        [](const Region& region) { return region.needed > region.informed; });
        return found == regions_.rend() ? nullptr : &*found;
    }

private:
    /// Regions in preorder: those within region i are i + 1 up to last_ of its entry.
    void order_regions()
    {
        std::vector<std::vector<RouterId>> children(parents_.size());
        for (RouterId router = 0; router < parents_.size(); ++router)
            if (parents_[router] != none)
                children[parents_[router]].push_back(router);
        std::vector<RouterId> open{root_};
        while (!open.empty()) {
            const RouterId router = open.back();
            if (first_[router] == none) {
                first_[router] = static_cast<std::uint32_t>(regions_.size());
                regions_.push_back({.entry = router, .reach = {}});
                open.insert(open.end(), children[router].begin(), children[router].end());
            } else {
                last_[router] = static_cast<std::uint32_t>(regions_.size() - 1);
                open.pop_back();
            }
        }
    }

    bool is_within(RouterId router, RouterId entry) const
    {
        return first_[router] != none && first_[entry] <= first_[router] && first_[router] <= last_[entry];
    }

    void fill(Region& region, const Problem& problem) const
    {
        for (const ChannelId channel : topology_.channels_to(region.entry)) {
            const RouterId source = topology_.channel(channel).source;
            if (first_[source] != none && !is_within(source, region.entry)) // nothing comes from out of reach
                ++region.channels_in;
        }
        std::vector<std::uint64_t> ports;
        for (ProcessorId id = 0; id < topology_.processor_count(); ++id) {
            const bool receives_within = is_within(topology_.processor(id).ejection, region.entry);
            if (receives_within)
                ports.push_back(send_ports(topology_, id, problem.ports));
            else if (is_within(topology_.processor(id).injection, region.entry))
                region.is_closed = false;
        }
        std::ranges::sort(ports, std::greater<>());
        region.reach.push_back(0);
        for (const std::uint64_t each : ports)
            region.reach.push_back(region.reach.back() + 1 + each);
    }

    /// Adds one to `what` of every region that the processor receives in.
    void count(ProcessorId id, std::uint64_t Region::* what)
    {
        for (RouterId router = topology_.processor(id).ejection; router != none; router = parents_[router])
            ++(regions_[first_[router]].*what);
    }

    static std::uint64_t needed_for_growth(const Region& region)
    {
        if (!region.is_closed || region.needed <= region.channels_in)
            return 0;
        const std::uint64_t within = region.needed - region.channels_in;
        const auto least = std::ranges::lower_bound(region.reach, within);
        return static_cast<std::uint64_t>(least - region.reach.begin());
    }

    const Topology& topology_;
    RouterId root_;
    std::vector<RouterId> parents_;
    std::vector<std::uint32_t> first_; ///< by router: index of its region, `none` if it is out of reach
    std::vector<std::uint32_t> last_;  ///< index of the last region within
    std::vector<Region> regions_;
};

/// Can the message come through wherever a processor sends?
bool sends_only_from_reached(const Topology& topology, ProcessorId origin)
{
    const auto distances = distances_from(topology, topology.processor(origin).injection);
    return std::ranges::all_of(topology.processors(), [&](const Processor& each) {
        return distances[each.injection] != unreachable && distances[each.ejection] != unreachable;
    });
}

} // namespace

std::optional<Bound> dominator_bound(const Problem& problem)
{
    const Messages messages = problem.collective.messages();
    if (messages.size() != 1 || messages.front().receivers.size() < 2)
        return std::nullopt;
    if (!sends_only_from_reached(problem.topology, messages.front().origin))
        return std::nullopt;
    Regions regions(problem, messages.front());
    // Each step back some region needs less, or growth alone would never end: the loop ends with the
    // receivers.
    unsigned steps = 0;
    std::optional<Region> last;
    while (const Region* const region = regions.find_short()) {
        last = *region;
        ++steps;
        regions.step_back();
    }
    return Bound{
        steps,
        fmt::format(
            "in {} step{} the {} processors behind router {}, with {} channel{} in, would need {} of them "
            "to have the message when it begins",
            steps - 1, steps == 2 ? "" : "s", last->reach.size() - 1,
            problem.topology.router_name(last->entry), last->channels_in, last->channels_in == 1 ? "" : "s",
            last->needed),
        Dominators{}};
}

} // namespace nocturne
