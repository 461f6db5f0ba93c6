// Virtual channels by class of traffic that differ from link to link.
#pragma once

#include "models/topology/topology.hpp"
#include "sim/traffic/class_specification.hpp"

#include <span>
#include <string>
#include <vector>

namespace nocturne {

/// By channel and class the virtual channels of the class there; no row where it is as the classes say
/// (ClassSpecification::vcs).
using ClassVcs = std::vector<std::vector<unsigned>>;

/// Of rows `link PATTERN: NAME=N ...` (part_rows.hpp), with names of classes; one that a row does not name
/// has its `vcs` there. The links get as many virtual channels as their classes have together, 1..most_vcs,
/// and the network a name that says so. Throws std::invalid_argument, which names the row, for no such link
/// or class, for numbers out of range, for rows that contradict each other or what a link has of its own, and
/// unless all classes say their `vcs`.
ClassVcs set_class_vcs(Topology& topology, const std::vector<ClassSpecification>& classes,
                       std::span<const std::string> rows);

/// Throws std::invalid_argument if the text is no row of links.
void check_class_vcs_row(std::string_view row);

} // namespace nocturne
