#include "python/bindings.hpp"
#include "python/python_values.hpp"
#include "schedules/collective/kind_names.hpp"
#include "schedules/problem/problem.hpp"

#include <fmt/format.h>

#include <pybind11/stl.h>

namespace nocturne::python {

namespace py = pybind11;
using namespace py::literals;

namespace {

using Processors = std::vector<std::uint32_t>;

Collective to_collective(const std::string& kind, std::uint32_t processors,
                         std::optional<std::uint32_t> source, const Processors& senders,
                         const Processors& receivers, const Processors& image)
{
    const CollectiveKind parsed = parse_collective_kind(kind);
    if (has_root(parsed) && !source)
        source = 0;
    return make_collective(parsed, processors, {source, senders, receivers, image});
}

Problem to_problem(const py::object& network, const py::object& collective, const py::object& ports,
                   const std::string& switching, std::optional<unsigned> slack,
                   std::optional<std::uint32_t> source)
{
    Topology topology = to_topology(network);
    Collective owed =
        py::isinstance<Collective>(collective)
            ? collective.cast<Collective>()
            : to_collective(py::str(collective).cast<std::string>(),
                            static_cast<std::uint32_t>(topology.processor_count()), source, {}, {}, {});
    const PortModel model = ports.is_none() ? topology.default_ports() : to_ports(ports);
    Problem problem{std::move(topology), std::move(owed), model, parse_switching(switching), slack};
    const py::gil_scoped_release others_run;
    check(problem);
    return problem;
}

void bind_collectives(py::module_& module)
{
    py::class_<Message>(module, "Message", "What one processor has and some others must get. Immutable.")
        .def_readonly("origin", &Message::origin, "The processor that has it.")
        .def_readonly("receivers", &Message::receivers, "The processors that must get it, ascending.")
        .def("__repr__", [](const Message& message) {
            return fmt::format("<Message of {} for {} processors>", message.origin, message.receivers.size());
        });
    py::class_<Collective>(module, "Collective", "Who owes which messages to whom. Immutable.")
        .def(py::init(&to_collective), "kind"_a, "processors"_a, "source"_a = py::none(),
             "senders"_a = Processors(), "receivers"_a = Processors(), "image"_a = Processors(),
             "A collective among so many processors. `kind`: OAB, AAB, OAS, AAS, AOG, AOR, multicast, "
             "permutation, MNB, MNS, or in words ('all-gather').\n`source`: of OAB, OAS and multicast, the "
             "root of AOG and AOR, 0 unless said. `senders`: of MNB and MNS. `receivers`: of these and "
             "multicast. `image`: of a permutation.")
        .def_property_readonly(
            "kind", [](const Collective& collective) { return to_string(collective.kind); }, "'AAS'")
        .def_readonly("processors", &Collective::processors, "Number of processors.")
        .def_property_readonly(
            "source", [](const Collective& collective) { return participants_of(collective).source; },
            "The source or root, or None.")
        .def_property_readonly(
            "senders", [](const Collective& collective) { return participants_of(collective).senders; },
            "Of MNB and MNS; else empty.")
        .def_property_readonly(
            "receivers", [](const Collective& collective) { return participants_of(collective).receivers; },
            "Of MNB, MNS and multicast; else empty.")
        .def_property_readonly(
            "image", [](const Collective& collective) { return participants_of(collective).image; },
            "Of a permutation: where each processor sends to; else empty.")
        .def_readonly("messages", &Collective::messages, "All messages; their indices are what Transfer has.")
        .def("__repr__", [](const Collective& collective) {
            return fmt::format("<Collective {} of {} processors, {} messages>", in_words(collective.kind),
                               collective.processors, collective.messages.size());
        });
}

} // namespace

void bind_problems(py::module_& module)
{
    bind_collectives(module);
    py::class_<Problem>(module, "Problem",
                        "A collective on a network, and how messages may travel. Immutable.")
        .def(py::init(&to_problem), "topology"_a, "collective"_a, py::kw_only(), "ports"_a = py::none(),
             "switching"_a = "wormhole", "slack"_a = py::none(), "source"_a = py::none(),
             "`topology`: a Topology, a specification or a file. `collective`: a Collective, or a kind that "
             "needs no more than a source.\n`ports`: messages that a processor sends and receives in a step, "
             "or 'all'; None: as usual for the network. `switching`: 'wormhole' or 'store-and-forward'. "
             "`slack`: most hops beyond a minimal path; None: any path.")
        .def_readonly("topology", &Problem::topology, "The network.")
        .def_readonly("collective", &Problem::collective, "What is owed.")
        .def_property_readonly(
            "ports", [](const Problem& problem) { return from_ports(problem.ports); }, "An int or 'all'.")
        .def_property_readonly(
            "switching", [](const Problem& problem) { return to_string(problem.switching); },
            "'wormhole' or 'store-and-forward'.")
        .def_readonly("slack", &Problem::slack, "Most hops beyond a minimal path, or None.")
        .def("__str__", &describe)
        .def("__repr__",
             [](const Problem& problem) { return fmt::format("<Problem {}>", describe(problem)); });
}

} // namespace nocturne::python
