#include "python/python_values.hpp"

#include "models/topology/topology_files.hpp"

#include <stdexcept>

namespace nocturne::python {

namespace py = pybind11;

py::object make_array(const void* data, std::size_t bytes, const py::object& type)
{
    const py::bytearray copy(static_cast<const char*>(data), bytes);
    return py::module_::import("nocturne._arrays").attr("of_bytes")(copy, type);
}

Topology to_topology(const py::object& network)
{
    if (py::isinstance<Topology>(network))
        return network.cast<Topology>();
    if (!py::isinstance<py::str>(network))
        throw py::type_error("a network is a Topology, or a specification or a file as str");
    return topology_from(network.cast<std::string>());
}

PortModel to_ports(const py::object& ports)
{
    return parse_port_model(py::str(ports).cast<std::string>());
}

py::object from_ports(PortModel ports)
{
    return ports.is_all_port() ? py::object(py::str("all")) : py::object(py::int_(ports.ports));
}

std::string to_path(const py::object& path)
{
    return py::module_::import("os").attr("fspath")(path).cast<std::string>();
}

} // namespace nocturne::python
