// Values of the libraries as plain Python values, and back.
#pragma once

#include "models/topology/port_model.hpp"
#include "models/topology/topology.hpp"

#include <nlohmann/json.hpp>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace nocturne::python {

/// An array with a copy of the values, one-dimensional.
template <typename Value>
pybind11::array_t<Value> to_array(const std::vector<Value>& values)
{
    return pybind11::array_t<Value>(static_cast<pybind11::ssize_t>(values.size()), values.data());
}

/// A network from a Topology, or from a text that is a specification or a file. Throws std::invalid_argument
/// for another type, and what topology_from() throws.
Topology to_topology(const pybind11::object& network);

/// `"all"`, or a number of ports as text or int. Throws as parse_port_model().
PortModel to_ports(const pybind11::object& ports);
/// `"all"` or an int.
pybind11::object from_ports(PortModel ports);

/// `path` as text: a str or anything with __fspath__.
std::string to_path(const pybind11::object& path);

} // namespace nocturne::python
