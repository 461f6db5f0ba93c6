#include "models/routing/make_routing.hpp"

#include "models/routing/adaptive.hpp"
#include "models/routing/datelines.hpp"
#include "models/routing/destination_tag.hpp"
#include "models/routing/dimension_order.hpp"
#include "models/routing/layers.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/routing/up_down.hpp"
#include "models/routing/valiant.hpp"
#include "models/text/unknown_name.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace nocturne {

namespace {

Routing suitable(const Topology& topology)
{
    if (!topology.tag_digits().empty())
        return destination_tag(topology);
    if (is_complete_grid(topology)) {
        if (has_datelines(topology))
            return with_balanced_datelines(topology, dimension_order(topology, HalfWay::alternating));
        return dimension_order(topology);
    }
    return with_layers(topology, shortest_path(topology));
}

struct NamedRouting {
    std::string_view name;
    Routing (*make)(const Topology&, std::uint64_t seed);
};

constexpr NamedRouting routings[] = {
    {"dor", [](const Topology& topology, std::uint64_t) { return dimension_order(topology); }},
    {"dor_even",
     [](const Topology& topology, std::uint64_t) { return dimension_order(topology, HalfWay::alternating); }},
    {"dor_random",
     [](const Topology& topology, std::uint64_t seed) { return dimension_order(topology, seed); }},
    {"xy", [](const Topology& topology, std::uint64_t) { return plane_order(topology, PlaneOrder::xy); }},
    {"yx", [](const Topology& topology, std::uint64_t) { return plane_order(topology, PlaneOrder::yx); }},
    {"tag", [](const Topology& topology, std::uint64_t) { return destination_tag(topology); }},
    {"tag_random",
     [](const Topology& topology, std::uint64_t seed) { return destination_tag(topology, seed); }},
    {"updown", [](const Topology& topology, std::uint64_t) { return up_down(topology); }},
    {"nca",
     [](const Topology& topology, std::uint64_t seed) { return nearest_common_ancestor(topology, seed); }},
    {"shortest", [](const Topology& topology, std::uint64_t) { return shortest_path(topology); }},
    {"valiant", [](const Topology& topology,
                   std::uint64_t seed) { return valiant(topology, suitable(topology), seed); }},
    {"adaptive", [](const Topology& topology, std::uint64_t) { return adaptive_routing(topology); }},
    {"auto", [](const Topology& topology, std::uint64_t) { return suitable(topology); }},
};

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

} // namespace

Routing make_routing(const Topology& topology, std::string_view name, std::uint64_t seed)
{
    constexpr std::string_view over = "valiant:";
    if (name.starts_with(over))
        return valiant(topology, make_routing(topology, name.substr(over.size()), seed), seed);
    const auto plus = name.find('+');
    const auto make = find(routings, name.substr(0, plus), "routing").make;
    if (plus == std::string_view::npos)
        return make(topology, seed);
    const auto assign = find(assignments, name.substr(plus + 1), "virtual-channel assignment").assign;
    return assign(topology, make(topology, seed), seed);
}

std::string routing_help()
{
    return fmt::format("{}; +{}", fmt::join(names_of(routings), ", "),
                       fmt::join(names_of(assignments), ", +"));
}

} // namespace nocturne
