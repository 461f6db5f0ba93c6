#include "models/routing/make_routing.hpp"

#include "models/routing/adaptive.hpp"
#include "models/routing/grid_steps.hpp"
#include "models/routing/hamming_steps.hpp"
#include "models/routing/plane_routing.hpp"
#include "models/routing/routings.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/text/unknown_name.hpp"

#include <boost/algorithm/string/split.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <stdexcept>

namespace nocturne {

namespace {

struct Choices {
    std::uint64_t seed;
    PathCost cost;
};

/// `base`: a name, or one for each plane with commas between.
Routing over_planes(const Topology& topology, std::string_view base, const Choices& given)
{
    std::vector<std::string> names;
    boost::split(names, base, [](char c) { return c == ','; });
    return plane_routing(topology, names,
                         [&](const Topology& plane, const std::string& name, RouterId first) {
                             PathCost cost = given.cost;
                             auto& own = cost.own_router_cycles;
                             if (!own.empty())
                                 own = {own.begin() + first, own.begin() + first + plane.router_count()};
                             return make_routing(plane, name, given.seed, cost);
                         });
}

Routing suitable(const Topology& topology, const Choices& given)
{
    if (!topology.tag_digits().empty())
        return destination_tag(topology);
    if (has_planes(topology))
        return over_planes(topology, "auto", given);
    if (is_complete_grid(topology)) {
        if (GridSteps(topology).is_one_way()) // where routes cross the dateline and the middle of a ring
            return with_datelines(topology, dimension_order(topology));
        if (has_datelines(topology))
            return with_balanced_datelines(topology, dimension_order(topology, HalfWay::alternating));
        return dimension_order(topology);
    }
    if (is_hamming_graph(topology))
        return dimension_order(topology);
    return with_layers(topology, shortest_path(topology, given.cost));
}

constexpr std::string_view between_groups = "lgl";
constexpr unsigned most_ugal_threshold = 1'000'000;

template <TurnModel model>
Routing by_turns(const Topology& topology, const Choices& given)
{
    return turn_model(topology, model, given.seed);
}

Routing valiant_over(const Topology& topology, std::string_view base, const Choices& given)
{
    if (base == between_groups)
        return group_valiant(topology, given.seed, given.cost);
    return valiant(topology, make_routing(topology, base, given.seed, given.cost), given.seed);
}

/// A threshold may come first: `30:lgl`, or `30` alone.
Routing ugal_over(const Topology& topology, std::string_view base, const Choices& given,
                  QueueKnowledge knowledge)
{
    unsigned threshold = 0;
    if (!base.empty() && base.front() >= '0' && base.front() <= '9') {
        const std::string_view digits = base.substr(0, base.find(':'));
        const auto [end, error] = std::from_chars(digits.begin(), digits.end(), threshold);
        if (error != std::errc() || end != digits.end() || threshold > most_ugal_threshold)
            throw std::invalid_argument(
                fmt::format("threshold '{}' of ugal: 0 to {} flits", digits, most_ugal_threshold));
        base.remove_prefix(std::min(base.size(), digits.size() + 1));
        if (base.empty())
            base = "auto";
    }
    if (base == between_groups)
        return group_ugal(topology, given.seed, given.cost, knowledge, threshold);
    Routing minimal = make_routing(topology, base, given.seed, given.cost);
    Routing detour = valiant(topology, minimal, given.seed);
    return ugal(std::move(minimal), std::move(detour), knowledge, threshold);
}

Routing local_ugal(const Topology& topology, std::string_view base, const Choices& given)
{
    return ugal_over(topology, base, given, QueueKnowledge::local);
}

Routing global_ugal(const Topology& topology, std::string_view base, const Choices& given)
{
    return ugal_over(topology, base, given, QueueKnowledge::global);
}

struct NamedRouting {
    std::string_view name;
    Routing (*make)(const Topology&, const Choices&);
};

constexpr NamedRouting routings[] = {
    {"dor", [](const Topology& topology, const Choices&) { return dimension_order(topology); }},
    {"dor_even", [](const Topology& topology,
                    const Choices&) { return dimension_order(topology, HalfWay::alternating); }},
    {"dor_random",
     [](const Topology& topology, const Choices& given) { return dimension_order(topology, given.seed); }},
    {"xy", [](const Topology& topology, const Choices&) { return plane_order(topology, PlaneOrder::xy); }},
    {"yx", [](const Topology& topology, const Choices&) { return plane_order(topology, PlaneOrder::yx); }},
    {"tag", [](const Topology& topology, const Choices&) { return destination_tag(topology); }},
    {"tag_random",
     [](const Topology& topology, const Choices& given) { return destination_tag(topology, given.seed); }},
    {"updown", [](const Topology& topology, const Choices& given) { return up_down(topology, given.cost); }},
    {"updown_hops",
     [](const Topology& topology, const Choices&) { return up_down(topology, PathCost::hops()); }},
    {"nca", [](const Topology& topology,
               const Choices& given) { return nearest_common_ancestor(topology, given.seed); }},
    {"shortest",
     [](const Topology& topology, const Choices& given) { return shortest_path(topology, given.cost); }},
    {"shortest_hops",
     [](const Topology& topology, const Choices&) { return shortest_path(topology, PathCost::hops()); }},
    {"valiant",
     [](const Topology& topology, const Choices& given) { return valiant_over(topology, "auto", given); }},
    {"ugal",
     [](const Topology& topology, const Choices& given) { return local_ugal(topology, "auto", given); }},
    {"ugal_global",
     [](const Topology& topology, const Choices& given) { return global_ugal(topology, "auto", given); }},
    {"lgl",
     [](const Topology& topology, const Choices& given) { return group_minimal(topology, given.cost); }},
    {"planes",
     [](const Topology& topology, const Choices& given) { return over_planes(topology, "auto", given); }},
    {"o1turn", [](const Topology& topology, const Choices& given) { return o1turn(topology, given.seed); }},
    {"romm", [](const Topology& topology, const Choices& given) { return romm(topology, given.seed); }},
    {"adaptive", [](const Topology& topology,
                    const Choices& given) { return adaptive_routing(topology, given.cost, given.seed); }},
    {"adaptive_hops",
     [](const Topology& topology, const Choices& given) {
         return adaptive_routing(topology, PathCost::hops(), given.seed);
     }},
    {"west_first", by_turns<TurnModel::west_first>},
    {"north_last", by_turns<TurnModel::north_last>},
    {"negative_first", by_turns<TurnModel::negative_first>},
    {"odd_even", by_turns<TurnModel::odd_even>},
    {"auto", [](const Topology& topology, const Choices& given) { return suitable(topology, given); }},
};

struct OverRouting {
    std::string_view prefix;
    Routing (*make)(const Topology&, std::string_view base, const Choices&);
};

constexpr OverRouting routings_over[] = {{"valiant:", valiant_over},
                                         {"planes:", over_planes},
                                         {"ugal:", local_ugal},
                                         {"ugal_global:", global_ugal}};

struct NamedAssignment {
    std::string_view name;
    Routing (*assign)(const Topology&, Routing, std::uint64_t seed);
};

Routing balanced(const Topology& topology, Routing routing, std::uint64_t seed)
{
    if (routing.in_order())
        return with_balanced_datelines(topology, std::move(routing));
    return with_balanced_datelines(topology, std::move(routing), ~seed); // other numbers than the routes'
}

constexpr NamedAssignment assignments[] = {
    {"datelines", [](const Topology& topology, Routing routing,
                     std::uint64_t) { return with_datelines(topology, std::move(routing)); }},
    {"balanced", balanced},
    {"crossing", [](const Topology& topology, Routing routing,
                    std::uint64_t) { return with_crossing_classes(topology, std::move(routing)); }},
    {"layers", [](const Topology& topology, Routing routing, std::uint64_t) {
         return with_layers(topology, std::move(routing));
     }}};

template <typename Table>
std::vector<std::string> names_of(const Table& table)
{
    std::vector<std::string> names;
    for (const auto& entry : table)
        names.emplace_back(entry.name);
    return names;
}

template <typename Table>
auto& find(const Table& table, std::string_view name, std::string_view kind)
{
    const auto found = std::find_if(std::begin(table), std::end(table),
                                    [&](const auto& entry) { return entry.name == name; });
    if (found != std::end(table))
        return *found;
    throw std::invalid_argument(unknown_name(kind, name, names_of(table)));
}

/// A path may have a `+` of its own: only what is an assignment counts as one.
Routing read_file_routing(const Topology& topology, std::string_view path, std::uint64_t seed)
{
    const auto plus = path.rfind('+');
    for (const NamedAssignment& assignment : assignments)
        if (plus != std::string_view::npos && path.substr(plus + 1) == assignment.name)
            return assignment.assign(topology, read_routes(topology, std::string(path.substr(0, plus)), seed),
                                     seed);
    return read_routes(topology, std::string(path), seed);
}

} // namespace

Routing make_routing(const Topology& topology, std::string_view name, std::uint64_t seed,
                     const PathCost& cost)
{
    constexpr std::string_view file = "file:";
    if (name.starts_with(file))
        return read_file_routing(topology, name.substr(file.size()), seed);
    for (const OverRouting& over : routings_over)
        if (name.starts_with(over.prefix))
            return over.make(topology, name.substr(over.prefix.size()), {seed, cost});
    const auto plus = name.find('+');
    const auto make = find(routings, name.substr(0, plus), "routing").make;
    if (plus == std::string_view::npos)
        return make(topology, {seed, cost});
    const auto assign = find(assignments, name.substr(plus + 1), "virtual-channel assignment").assign;
    return assign(topology, make(topology, {seed, cost}), seed);
}

std::string routing_help()
{
    return fmt::format("{}, file:PATH; +{}", fmt::join(names_of(routings), ", "),
                       fmt::join(names_of(assignments), ", +"));
}

} // namespace nocturne
