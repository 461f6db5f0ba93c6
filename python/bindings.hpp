// What the parts of the extension module add to it.
#pragma once

#include <pybind11/pybind11.h>

namespace nocturne::python {

/// Networks: the class Topology and the kinds of networks.
void bind_topologies(pybind11::module_& module);
/// Collective and Problem.
void bind_problems(pybind11::module_& module);
/// Transfer, Schedule, Violation, validate().
void bind_schedules(pybind11::module_& module);
/// Networks of links, collectives in chunks, their schedules, time and validator.
void bind_chunks(pybind11::module_& module);
/// Bound, check_bound(), load_result().
void bind_bounds(pybind11::module_& module);

} // namespace nocturne::python
