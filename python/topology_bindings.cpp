#include "models/routing/distances.hpp"
#include "models/topology/attribute_names.hpp"
#include "models/topology/dot_format.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/files.hpp"
#include "models/topology/graph_document.hpp"
#include "models/topology/graphml_format.hpp"
#include "models/topology/input_log.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/part_rows.hpp"
#include "models/topology/topology_files.hpp"
#include "python/bindings.hpp"
#include "python/python_values.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <pybind11/stl.h>
#include <tuple>
#include <utility>

namespace nocturne::python {

namespace py = pybind11;
using namespace py::literals;

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> router_names(const Topology& topology)
{
    std::vector<std::string> names;
    for (RouterId id = 0; id < topology.router_count(); ++id)
        names.push_back(topology.router_name(id));
    return names;
}

std::vector<std::string> processor_names(const Topology& topology)
{
    std::vector<std::string> names;
    for (const Processor& processor : topology.processors())
        names.push_back(processor.name);
    return names;
}

py::object channels(const Topology& topology)
{
    return to_rows(std::vector<Channel>(topology.channels().begin(), topology.channels().end()),
                   {{"source", "u4"},
                    {"target", "u4"},
                    {"latency_cycles", "u4"},
                    {"width_bytes", "u4"},
                    {"length", "f8"},
                    {"buffer_flits", "u4"},
                    {"vcs", "u4"}});
}

py::object routers_of_processors(const Topology& topology, RouterId Processor::* router)
{
    std::vector<RouterId> routers;
    for (const Processor& processor : topology.processors())
        routers.push_back(processor.*router);
    return to_array(routers);
}

py::dict router_parts(const Topology& topology)
{
    py::dict parts;
    for (RouterId id = 0; topology.has_router_parts() && id < topology.router_count(); ++id) {
        py::dict part;
        for (const auto& [name, value] : properties_of(topology.part(id)))
            part[py::str(name)] = value;
        if (!part.empty())
            parts[py::int_(id)] = part;
    }
    return parts;
}

py::object positions(const Topology& topology)
{
    std::vector<double> places;
    for (RouterId id = 0; id < topology.router_count(); ++id) {
        const Position place = topology.position(id).value_or(Position{unknown, unknown});
        places.insert(places.end(), {place.x, place.y});
    }
    return to_array(places).attr("reshape")(-1, 2);
}

/// By source and destination router; -1 where there is no path.
py::object hop_distances(const Topology& topology)
{
    require_pairwise_size(topology, "a matrix of distances");
    const std::size_t routers = topology.router_count();
    std::vector<std::int32_t> hops;
    {
        const py::gil_scoped_release others_run;
        hops.reserve(routers * routers);
        for (RouterId source = 0; source < routers; ++source)
            for (const std::uint32_t distance : distances_from(topology, source))
                hops.push_back(distance == unreachable ? -1 : static_cast<std::int32_t>(distance));
    }
    return to_array(hops).attr("reshape")(routers, routers);
}

std::optional<std::vector<unsigned>> grid(const Topology& topology)
{
    return topology.grid() ? std::optional(topology.grid()->extent) : std::nullopt;
}

void save(const Topology& topology, const std::string& path)
{
    const py::gil_scoped_release others_run;
    const auto ends = [&](std::string_view end) { return path.ends_with(end); };
    if (ends(".json"))
        write_file_atomically(path, to_json(topology));
    else if (ends(".graphml"))
        write_file_atomically(path, to_graphml(topology));
    else if (ends(".dot") || ends(".gv"))
        write_file_atomically(path, to_dot(topology));
    else
        throw std::invalid_argument(
            fmt::format("{}: a network is written as .json, .graphml, .dot or .gv", path));
}

std::uint32_t find(const Topology& topology, const std::string& name, const char* kind,
                   std::optional<std::uint32_t> (Topology::*find_by_name)(std::string_view) const)
{
    if (const auto index = (topology.*find_by_name)(name))
        return *index;
    throw std::invalid_argument(fmt::format("{}: no {} '{}'", topology.name(), kind, name));
}

void bind_reading(py::class_<Topology>& type)
{
    type.def_property_readonly("name", &Topology::name, "The specification that made it, or its file's name.")
        .def_property_readonly("router_count", &Topology::router_count, "Number of routers.")
        .def_property_readonly("processor_count", &Topology::processor_count, "Number of processors.")
        .def_property_readonly("channel_count", &Topology::channel_count,
                               "Number of channels; a link in both directions is two.")
        .def_property_readonly("router_names", &router_names, "The routers' names, by index.")
        .def_property_readonly("processor_names", &processor_names, "The processors' names, by index.")
        .def_property_readonly("channels", &channels,
                               "Structured array, one row a channel: source and target (routers), "
                               "latency_cycles, width_bytes (0: a flit), length (grid units, 0: not known), "
                               "buffer_flits and vcs (0: as the router it leads to has, or the hardware).")
        .def_property_readonly("router_parts", &router_parts,
                               "By index of a router what it has of its own, by name, as texts: pipeline, "
                               "buffers, vcs, arbiter, clock; routers without are left out.")
        .def_property_readonly(
            "injection_routers",
            [](const Topology& topology) { return routers_of_processors(topology, &Processor::injection); },
            "uint32 array: the router that each processor injects into.")
        .def_property_readonly(
            "ejection_routers",
            [](const Topology& topology) { return routers_of_processors(topology, &Processor::ejection); },
            "uint32 array: the router that each processor is ejected from.")
        .def_property_readonly("positions", &positions,
                               "Array (routers, 2): x and y in a drawing, y downwards; nan if not known.")
        .def_property_readonly("grid", &grid, "Routers per dimension of a mesh or torus, or None.")
        .def_property_readonly("routers_per_group", &Topology::routers_per_group,
                               "Router r is number r % this of group r // this; 0 without groups.")
        .def_property_readonly(
            "default_ports", [](const Topology& topology) { return from_ports(topology.default_ports()); },
            "Ports of a processor unless a problem says otherwise: an int or 'all'.")
        .def("hop_distances", &hop_distances,
             "int32 array (routers, routers): fewest hops from row to column, -1 without a path.")
        .def(
            "find_processor",
            [](const Topology& topology, const std::string& name) {
                return find(topology, name, "processor", &Topology::find_processor);
            },
            "name"_a, "Index of the processor called so; a decimal index or '#index' will do.")
        .def(
            "find_router",
            [](const Topology& topology, const std::string& name) {
                return find(topology, name, "router", &Topology::find_router);
            },
            "name"_a, "Index of the router called so; a decimal index or '#index' will do.");
}

/// What `read` returns; what it remarks are warnings.
template <class Read>
auto with_warnings(Read read)
{
    const InputLog log;
    auto result = read();
    for (const std::string& remark : log.remarks())
        if (PyErr_WarnEx(PyExc_UserWarning, remark.c_str(), 2) != 0)
            throw py::error_already_set();
    return result;
}

using Attributes = graph_document::Attributes;

Topology topology_of_graph(bool is_directed, const Attributes& attributes,
                           const std::vector<std::pair<std::string, Attributes>>& nodes,
                           const std::vector<std::tuple<std::size_t, std::size_t, Attributes>>& edges,
                           const std::string& origin)
{
    graph_document::Document document{is_directed, attributes, {}, {}};
    for (const auto& [id, of_node] : nodes)
        document.vertices.push_back({id, of_node});
    for (const auto& [source, target, of_edge] : edges) {
        if (source >= nodes.size() || target >= nodes.size())
            throw std::invalid_argument(fmt::format("{}: an edge ends at no node", origin));
        document.edges.push_back({source, target, of_edge});
    }
    return with_warnings([&] { return graph_document::topology_of(document, origin); });
}

/// Both names of each attribute; the one with the unit, if there is one, first.
template <std::size_t count>
std::vector<std::vector<std::string>> names_of(const std::array<AttributeName, count>& attributes)
{
    std::vector<std::vector<std::string>> names;
    for (const AttributeName& each : attributes) {
        names.emplace_back();
        if (!each.longer.empty())
            names.back().emplace_back(each.longer);
        names.back().emplace_back(each.name);
    }
    return names;
}

/// Of use to graphs.py only.
void bind_graphs(py::module_& module)
{
    module.def("_topology_of_graph", &topology_of_graph, "directed"_a, "attributes"_a, "nodes"_a, "edges"_a,
               "origin"_a);
    module.def(
        "_graph_attributes",
        [](const Topology& topology) { return graph_document::document_of(topology).attributes; },
        "topology"_a);
    module.attr("_attribute_names") =
        py::dict("graph"_a = names_of(network_attributes), "node"_a = names_of(router_attributes),
                 "edge"_a = names_of(channel_attributes));
}

} // namespace

void bind_topologies(py::module_& module)
{
    py::class_<Topology> type(module, "Topology",
                              "Routers, the processors attached to them, and one-way channels. Indices start "
                              "at 0. Immutable.");
    type.def(py::init([](const std::string& network) {
                 return with_warnings([&] {
                     const py::gil_scoped_release others_run;
                     return topology_from(network);
                 });
             }),
             "network"_a,
             "The network of a specification ('mesh:4x4') or a file (.json, .dot, .graphml, .anynet, .yml).");
    bind_reading(type);
    type.def(
            "with_faults",
            [](const Topology& topology, const std::vector<std::string>& faults) {
                return with_faults(topology, faults);
            },
            "faults"_a, "What is left when 'link:00-01', 'channel:00-01' or 'node:5' have failed.")
        .def(
            "with_parts",
            [](const Topology& topology, const std::vector<std::string>& rows) {
                return with_parts(topology, rows);
            },
            "rows"_a,
            "The network with properties of some routers or links: 'router 0*: clock=1/2', 'link dim0: "
            "width=2' (docs/networks.md).")
        .def(
            "save", [](const Topology& topology, const py::object& path) { save(topology, to_path(path)); },
            "path"_a, "Writes it as .json (everything), .graphml, .dot or .gv.")
        .def(
            "to_json", [](const Topology& topology) { return to_json(topology); },
            "The JSON text of docs/files.md.")
        .def_static("from_json", &topology_from_json, "text"_a, "origin"_a = "network",
                    "The network of a JSON text; `origin` begins the messages of errors.")
        .def("__repr__",
             [](const Topology& topology) {
                 return fmt::format("<Topology {}: {} processors, {} routers, {} channels>", topology.name(),
                                    topology.processor_count(), topology.router_count(),
                                    topology.channel_count());
             })
        .def(py::pickle([](const Topology& topology) { return to_json(topology); },
                        [](const std::string& text) { return topology_from_json(text, "pickle"); }));
    compare_by_value(type);
    bind_graphs(module);

    module.def(
        "topology_kinds",
        [] {
            py::dict kinds;
            for (const TopologyKind& kind : topology_kinds())
                kinds[py::str(kind.name.data(), kind.name.size())] =
                    fmt::format("{}{}: {}", kind.name, kind.parameters, kind.help);
            return kinds;
        },
        "The kinds of networks that a specification can name, each with its parameters and a line of help.");
}

} // namespace nocturne::python
