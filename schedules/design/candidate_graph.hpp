// A candidate as the graph that measures read.
#pragma once

#include "models/measures/graph.hpp"
#include "schedules/design/objective.hpp"

namespace nocturne::design {

/// With the processors of its request. Time O(nodes + links).
measures::Graph graph_of(const Candidate& candidate);

} // namespace nocturne::design
