// Values of the libraries as plain Python values, and back.
#pragma once

#include "models/topology/port_model.hpp"
#include "models/topology/topology.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <pybind11/pybind11.h>
#include <string>
#include <type_traits>
#include <vector>

namespace nocturne::python {

/// A NumPy array of the bytes, one-dimensional. `type`: what numpy.dtype() takes. The package makes it, not
/// pybind11: all else works without NumPy, and with any version of it. Throws ImportError if it is missing.
pybind11::object make_array(const void* data, std::size_t bytes, const pybind11::object& type);

/// An array with a copy of the numbers, one-dimensional.
template <typename Number>
pybind11::object to_array(const std::vector<Number>& numbers)
{
    static_assert(std::is_arithmetic_v<Number>);
    const char* const kind = std::is_floating_point_v<Number> ? "f" : std::is_signed_v<Number> ? "i" : "u";
    return make_array(numbers.data(), numbers.size() * sizeof(Number),
                      pybind11::str(kind + std::to_string(sizeof(Number))));
}

/// A structured array with a copy of the rows, one-dimensional. `fields`: name and type (`u4`) of each member
/// of a row, in their order.
template <typename Row>
pybind11::object to_rows(const std::vector<Row>& rows,
                         const std::vector<std::pair<std::string, std::string>>& fields)
{
    static_assert(std::is_trivially_copyable_v<Row>);
    pybind11::list type;
    for (const auto& [name, kind] : fields)
        type.append(pybind11::make_tuple(name, kind));
    return make_array(rows.data(), rows.size() * sizeof(Row), type);
}

/// Gives a class `==` by value, and the hash of what its repr says, which equal values share.
template <class Value, class Equal = std::equal_to<Value>>
void compare_by_value(pybind11::class_<Value>& type, Equal equal = {})
{
    type.def(
        "__eq__",
        [equal](const Value& value, const pybind11::object& other) {
            return pybind11::isinstance<Value>(other) && equal(value, other.cast<const Value&>());
        },
        pybind11::arg("other"));
    type.def("__hash__", [](const pybind11::object& self) { return pybind11::hash(pybind11::repr(self)); });
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
