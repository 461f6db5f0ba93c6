#include "schedules/constructions/constructions.hpp"
#include "schedules/constructions/network_shape.hpp"
#include "schedules/constructions/processor_ring.hpp"
#include "schedules/schedule/validator.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {
namespace {

using Cycle = std::vector<RouterId>;

bool is_cycle(const Topology& topology, const Cycle& cycle)
{
    for (std::size_t i = 0; i < cycle.size(); ++i)
        if (!find_channel(topology, cycle[i], cycle[(i + 1) % cycle.size()]))
            return false;
    return true;
}

/// All places of a grid, row after row, every other row backwards: each differs from the one before by 1 in
/// one dimension.
std::vector<std::vector<unsigned>> snake(const std::vector<unsigned>& extent)
{
    std::vector<std::vector<unsigned>> places{{}};
    for (const unsigned size : extent) {
        std::vector<std::vector<unsigned>> longer;
        for (std::size_t i = 0; i < places.size(); ++i)
            for (unsigned digit = 0; digit < size; ++digit) {
                longer.push_back(places[i]);
                longer.back().push_back(i % 2 == 0 ? digit : size - 1 - digit);
            }
        places = std::move(longer);
    }
    return places;
}

/// The cycle through the grid whose dimension `even` counts rows: a row is what the other dimensions span, as
/// a snake.
Cycle grid_cycle(const Grid& grid, std::size_t even)
{
    std::vector<unsigned> rest = grid.extent;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(even));
    const auto columns = snake(rest);
    const auto router = [&](unsigned row, std::size_t column) {
        RouterId id = 0;
        for (std::size_t d = 0; d < grid.extent.size(); ++d)
            id = id * grid.extent[d] + (d == even ? row : columns[column][d < even ? d : d - 1]);
        return id;
    };
    const unsigned rows = grid.extent[even];
    Cycle cycle;
    for (unsigned row = 0; row < rows; ++row)
        for (std::size_t i = 1; i < columns.size(); ++i)
            cycle.push_back(router(row, row % 2 == 0 ? i : columns.size() - i));
    for (unsigned row = rows; row-- > 0;)
        cycle.push_back(router(row, 0));
    return cycle;
}

class Backtracking {
public:
    Backtracking(const Topology& topology, const std::vector<RouterId>& routers)
        : topology_(topology), routers_(routers), is_open_(topology.router_count())
    {
        for (const RouterId r : routers)
            is_open_[r] = true;
    }

    std::optional<Cycle> run()
    {
        enter(routers_.front());
        if (extend())
            return path_;
        return std::nullopt;
    }

private:
    void enter(RouterId router)
    {
        path_.push_back(router);
        is_open_[router] = false;
    }
    void leave()
    {
        is_open_[path_.back()] = true;
        path_.pop_back();
    }

    bool extend()
    {
        if (path_.size() == routers_.size())
            return find_channel(topology_, path_.back(), path_.front()).has_value();
        if (effort_left_ < routers_.size() || !can_all_be_passed())
            return false;
        effort_left_ -= routers_.size();
        std::vector<std::pair<std::size_t, RouterId>> choices;
        for (const ChannelId id : topology_.channels_from(path_.back()))
            if (const RouterId next = topology_.channel(id).target; is_open_[next])
                choices.emplace_back(ways_on(next), next);
        std::ranges::sort(choices);
        for (const auto& [ways, next] : choices) {
            enter(next);
            if (extend())
                return true;
            leave();
        }
        return false;
    }

    std::size_t ways_on(RouterId router) const
    {
        const auto channels = topology_.channels_from(router);
        return static_cast<std::size_t>(std::ranges::count_if(
            channels, [&](ChannelId id) { return is_open_[topology_.channel(id).target]; }));
    }

    /// Has every open router a way in and another one out, from and to routers that are still to have one?
    bool can_all_be_passed() const
    {
        return std::ranges::all_of(routers_, [&](RouterId r) { return !is_open_[r] || can_be_passed(r); });
    }
    bool can_be_passed(RouterId router) const
    {
        std::optional<RouterId> one; // neighbour, and whether there is a second
        bool another = false, in = false, out = false;
        const auto note = [&](RouterId neighbour) {
            another = another || (one && *one != neighbour);
            one = neighbour;
        };
        for (const ChannelId id : topology_.channels_to(router))
            if (const RouterId from = topology_.channel(id).source; is_open_[from] || from == path_.back()) {
                in = true;
                note(from);
            }
        for (const ChannelId id : topology_.channels_from(router))
            if (const RouterId to = topology_.channel(id).target; is_open_[to] || to == path_.front()) {
                out = true;
                note(to);
            }
        return in && out && another;
    }

    const Topology& topology_;
    const std::vector<RouterId>& routers_;
    std::vector<bool> is_open_; ///< by router: to be visited
    Cycle path_;
    std::size_t effort_left_ = 2'000'000; ///< routers looked at
};

/// A cycle of channels through each of `routers` (three or more) once and through no other router. On a grid
/// of at least two dimensions, of which one has an even extent: back and forth through all but the first of
/// its rows, back along those first routers. Otherwise a backtracking search, to the neighbour with the
/// fewest ways on first (Warnsdorff's rule), which gives up after about a tenth of a second: nothing does not
/// prove that there is none.
std::optional<Cycle> find_hamiltonian_cycle(const Topology& topology, const std::vector<RouterId>& routers)
{
    if (routers.size() < 3)
        return std::nullopt;
    if (const auto& grid = topology.grid(); grid && routers.size() == topology.router_count())
        for (std::size_t d = 0; d < grid->extent.size(); ++d)
            if (grid->extent[d] % 2 == 0)
                if (Cycle cycle = grid_cycle(*grid, d); is_cycle(topology, cycle))
                    return cycle;
    return Backtracking(topology, routers).run();
}

} // namespace

std::optional<Schedule> hamiltonian_ring(const Problem& problem)
{
    const Topology& topology = problem.topology;
    const std::vector<ProcessorId> members = ring_members(problem.collective);
    std::vector<std::vector<ProcessorId>> processors(topology.router_count());
    std::vector<RouterId> routers;
    for (const ProcessorId p : members) {
        const Processor& processor = topology.processor(p);
        if (processor.injection != processor.ejection)
            return std::nullopt;
        if (processors[processor.injection].empty())
            routers.push_back(processor.injection);
        processors[processor.injection].push_back(p);
    }
    const auto cycle = find_hamiltonian_cycle(topology, routers);
    if (!cycle)
        return std::nullopt;

    ProcessorRing ring;
    bool both_ways = common_ports(problem) >= 2;
    for (std::size_t i = 0; i < cycle->size(); ++i) {
        const RouterId at = (*cycle)[i], next = (*cycle)[(i + 1) % cycle->size()];
        const auto& here = processors[at];
        ring.order.insert(ring.order.end(), here.begin(), here.end());
        ring.onward.resize(ring.order.size() - 1); // empty paths between processors at one router
        ring.onward.push_back({*find_channel(topology, at, next)});
        ring.back.resize(ring.order.size() - 1);
        const auto back = find_channel(topology, next, at);
        both_ways = both_ways && back;
        ring.back.push_back(back ? Path{*back} : Path{});
    }
    if (!both_ways)
        ring.back.clear();
    Schedule schedule = circulate(problem, ring, "construct, Hamiltonian ring");
    if (!keeps_transfer_rules(problem, schedule)) // it relays what must go straight
        return std::nullopt;
    return schedule;
}

} // namespace nocturne
