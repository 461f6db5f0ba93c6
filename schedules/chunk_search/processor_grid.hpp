// Processors at the points of a grid, whose lines a collective can take one dimension after the other.
#pragma once

#include "schedules/chunk_search/boxes.hpp"
#include "schedules/chunk_search/timed_run.hpp"
#include "schedules/schedule/member_grid.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace nocturne {

/// Is each of any line of the dimension one hop from each other of it?
bool is_joined(const ProcessorGrid& grid, std::size_t dimension, const TimedProblem& problem);

/// All members in one line.
ProcessorGrid single_line(const TimedProblem& problem);

/// Is there one hop from the one to the other?
using AreJoined = std::function<bool(NodeId from, NodeId to)>;

/// Boxes of one size, of members alone, and columns of one member of each box, to which the first box's
/// member is joined: two dimensions, of which the first is the boxes. Nothing if these have no such columns.
std::optional<ProcessorGrid> aligned_boxes(const Boxes& boxes, const std::vector<NodeId>& members,
                                           const AreJoined& are_joined);

/// Boxes of one size, of members alone, and columns of one member of each box in which each is one hop from
/// each: two dimensions, of which the first is the boxes. Nothing if these have no such columns.
std::optional<ProcessorGrid> grid_of_columns(const Boxes& boxes, const std::vector<NodeId>& members,
                                             const TimedProblem& problem);

/// Does each of the first `count` members reach each other over hops both ways between them?
bool is_connected(const ProcessorGrid& grid, std::uint32_t count, const TimedProblem& problem);

/// Of a grid of columns: is each box joined inside as the first one, and this one connected?
bool has_equal_boxes(const ProcessorGrid& grid, const TimedProblem& problem);

/// Boxes (boxes_of()) of one size in which each is one hop from each, and columns of one member of each box
/// with the same property: two dimensions, of which the first is the boxes.
std::vector<ProcessorGrid> grids_of_boxes(const TimedProblem& problem);

/// The prime factors of the graph whose edges are the hops between members: the dimensions of a torus, a
/// mesh or a hypercube, boxes and rails (Feder, Product graph representations, Journal of Graph Theory 16,
/// 1992: relations of edges by distances, and of edges at a node that are on no square). Nothing if there is
/// but one, if not all reach each other, or if there are more than 1024 members.
std::optional<ProcessorGrid> factored_grid(const TimedProblem& problem);

} // namespace nocturne
