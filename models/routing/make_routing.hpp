// Routings by name.
#pragma once

#include "models/routing/routing.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace nocturne {

/// The routing that `name` stands for: one of the names below, with `+datelines`, `+balanced`
/// (with_balanced_datelines), `+crossing` (with_crossing_classes) or `+layers` behind it for the assignment
/// of virtual channels of that name (`dor+datelines`, `shortest+layers`).
///   dor         dimension_order
///   dor_even    dimension_order, alternating where both ways round a torus are as short
///   dor_random  dimension_order, drawn with `seed` there; `+balanced` then draws, too; not with `+layers`
///   xy, yx      plane_order: the row first, the column first
///   tag         destination_tag
///   tag_random  destination_tag, free digits drawn with `seed`; takes no assignment
///   updown      up_down, by `cost`
///   nca         nearest_common_ancestor, drawn with `seed`; takes no assignment
///   shortest    shortest_path, by `cost`
///   valiant     valiant over auto, drawn with `seed`; takes no assignment, but `valiant:` and another name
///               is valiant over that (`valiant:dor+datelines`)
///   lgl         group_minimal, by `cost`; `valiant:lgl` is group_valiant
///   ugal        ugal between auto and valiant over that, likewise; `ugal:lgl` is group_ugal. A number before
///               the name is the threshold: `ugal:30:lgl`, `ugal:2`
///   ugal_global the same with global knowledge
///   planes      plane_routing, auto on each plane; `planes:` and another name is that on each, and
///               `planes:xy+datelines,yx+datelines` one for each plane; takes no assignment
///   o1turn, romm
///               as the functions are called, drawn with `seed`; take no assignment
///   adaptive    adaptive_routing, by `cost`, for hardware that is made for it (see Network); takes no
///               assignment
///   west_first, north_last, negative_first, odd_even
///               turn_model, likewise
///   auto        what suits the topology, always deadlock-free: tag for self-routing networks, planes for
///               those that are made of planes, dor for grids (dor_even+balanced on tori, dor+datelines on
///               one-way tori), otherwise shortest+layers
///   file:PATH   read_routes() of the file; an assignment may follow the path
///   updown_hops, shortest_hops, adaptive_hops
///               the same by hops, whatever the latencies of channels
/// `cost` is what a channel costs on the hardware (HardwareConfig::path_cost_on()), and matters only where
/// channels differ in latency.
/// The topology must outlive the routing. Throws std::invalid_argument for an unknown name, with those that
/// exist, and what the functions named above throw.
Routing make_routing(const Topology& topology, std::string_view name, std::uint64_t seed = 1,
                     const PathCost& cost = {});

/// The names and assignments that make_routing() knows, for a help text: `dor, xy, ...; +datelines, +layers`.
std::string routing_help();

} // namespace nocturne
