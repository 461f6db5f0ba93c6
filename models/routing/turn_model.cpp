#include "models/routing/adaptive.hpp"
#include "models/routing/destination_tables.hpp"
#include "models/routing/grid_steps.hpp"
#include "models/routing/routings.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

namespace nocturne {

namespace {

using enum GridDirection;

constexpr std::size_t row_dimension = 0;
constexpr std::size_t column_dimension = 1;

/// Where a message is, and how far it has to go: above 0 to the east and to the south.
struct TurnOffset {
    unsigned column;
    unsigned destination_column;
    int rows;
    int columns;
};

/// How a message came to a router, as odd-even tells it: a turn from the east to a column is what counts.
enum OddEvenArrival : unsigned { by_injection_or_column, by_row };

/// Which of the directions that lead nearer a message may take.
struct Allowed {
    bool along_row = true;
    bool along_column = true;
};

Allowed allowed_west_first(const TurnOffset& offset, unsigned)
{
    return {true, offset.columns >= 0};
}

Allowed allowed_north_last(const TurnOffset& offset, unsigned)
{
    return {true, offset.rows > 0 || offset.columns == 0};
}

/// With rows left to go the last hop to the east does not lead into an even column, where no message may turn
/// out of its row.
Allowed allowed_odd_even(const TurnOffset& offset, unsigned arrival)
{
    const bool is_odd = offset.column % 2 == 1;
    if (offset.columns > 0) // to the east
        return {offset.rows == 0 || offset.destination_column % 2 == 1 || offset.columns != 1,
                is_odd || arrival == by_injection_or_column};
    return {true, offset.columns == 0 || !is_odd};
}

using AllowedIn = Allowed (*)(const TurnOffset&, unsigned arrival);

AllowedIn rule_of(TurnModel model)
{
    switch (model) {
    case TurnModel::west_first:
        return allowed_west_first;
    case TurnModel::north_last:
        return allowed_north_last;
    default:
        return allowed_odd_even;
    }
}

const char* name_of(TurnModel model)
{
    switch (model) {
    case TurnModel::west_first:
        return "west_first";
    case TurnModel::north_last:
        return "north_last";
    case TurnModel::negative_first:
        return "negative_first";
    default:
        return "odd_even";
    }
}

/// All channels that lead from a router to its neighbour there: links may be parallel.
void add_channels(const Topology& topology, const GridSteps& steps, RouterId at, std::size_t d,
                  GridDirection direction, AdaptiveRouting::Channels& channels)
{
    const RouterId next = topology.channel(steps.channel(at, d, direction)).target;
    for (const ChannelId id : topology.channels_from(at))
        if (topology.channel(id).target == next)
            channels.push_back(id);
}

/// The row first.
AllowedChannels in_plane_to(const Topology& topology, const SharedGridSteps& steps, AllowedIn rule,
                            RouterId destination)
{
    return [&topology, steps, rule, destination](RouterId at, unsigned arrival) {
        const auto difference = [&](std::size_t d) {
            return static_cast<int>(steps->coordinate(destination, d)) -
                   static_cast<int>(steps->coordinate(at, d));
        };
        const TurnOffset offset{steps->coordinate(at, column_dimension),
                                steps->coordinate(destination, column_dimension), difference(row_dimension),
                                difference(column_dimension)};
        const Allowed allowed = rule(offset, arrival);
        AdaptiveRouting::Channels channels;
        if (offset.columns != 0 && allowed.along_row)
            add_channels(topology, *steps, at, column_dimension, offset.columns > 0 ? positive : negative,
                         channels);
        if (offset.rows != 0 && allowed.along_column)
            add_channels(topology, *steps, at, row_dimension, offset.rows > 0 ? positive : negative,
                         channels);
        return channels;
    };
}

/// The last dimension first.
AllowedChannels negative_first_to(const Topology& topology, const SharedGridSteps& steps,
                                  RouterId destination)
{
    return [&topology, steps, destination](RouterId at, unsigned) {
        AdaptiveRouting::Channels channels;
        for (const GridDirection direction : {negative, positive}) {
            for (std::size_t d = steps->dimensions(); d-- > 0;) {
                const unsigned from = steps->coordinate(at, d);
                const unsigned to = steps->coordinate(destination, d);
                if (direction == positive ? from < to : from > to)
                    add_channels(topology, *steps, at, d, direction, channels);
            }
            if (!channels.empty())
                break;
        }
        return channels;
    };
}

RoutingFunction function_of(const Topology& topology, TurnModel model)
{
    const SharedGridSteps steps = complete_grid(topology, name_of(model));
    if (model == TurnModel::negative_first)
        return {[&topology, steps](RouterId destination) {
            return negative_first_to(topology, steps, destination);
        }};
    RoutingFunction function{[&topology, steps, rule = rule_of(model)](RouterId destination) {
        return in_plane_to(topology, steps, rule, destination);
    }};
    if (model == TurnModel::odd_even) {
        function.arrivals = 2;
        function.arrival_by = [&topology, steps](ChannelId id) -> unsigned {
            const Channel& channel = topology.channel(id);
            const bool is_in_row = steps->coordinate(channel.source, row_dimension) ==
                                   steps->coordinate(channel.target, row_dimension);
            return is_in_row ? by_row : by_injection_or_column;
        };
    }
    return function;
}

} // namespace

Routing turn_model(const Topology& topology, TurnModel model, std::uint64_t seed)
{
    const std::string name = name_of(model);
    const auto refuse = [&](const char* reason) {
        throw std::invalid_argument(fmt::format("{}: {} routing is for {}", topology.name(), name, reason));
    };
    require_room_for_tables(topology, name);
    if (!topology.grid() || topology.grid()->wraps || !is_complete_grid(topology))
        refuse("complete meshes");
    if (model != TurnModel::negative_first && topology.grid()->extent.size() != 2)
        refuse("meshes of two dimensions");
    return {name, 1, std::make_shared<const AdaptiveRouting>(topology, function_of(topology, model), seed)};
}

} // namespace nocturne
