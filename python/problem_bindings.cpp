#include "python/bindings.hpp"
#include "python/python_values.hpp"
#include "schedules/collective/kind_names.hpp"
#include "schedules/problem/problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <pybind11/stl.h>
#include <tuple>

namespace nocturne::python {

namespace py = pybind11;
using namespace py::literals;

namespace {

using Processors = std::vector<std::uint32_t>;

using DemandValues = std::tuple<ChunkId, std::uint32_t, Processors>;

Collective to_collective(const std::string& kind, std::uint32_t processors,
                         std::optional<std::uint32_t> source, const Processors& senders,
                         const Processors& receivers, const Processors& image, const Processors& group,
                         const Processors& weights, std::uint32_t parts)
{
    const CollectiveKind parsed = parse_collective_kind(kind);
    if (has_root(parsed) && !source)
        source = group.empty() ? 0 : group.front();
    return make_collective(parsed, processors, {source, senders, receivers, image, group, weights, parts});
}

/// One that is not among the kinds. Whether it makes sense is for the validator.
Collective custom(std::uint32_t processors, const std::vector<Processors>& contributors,
                  const std::vector<DemandValues>& demands, const Processors& weights)
{
    if (!weights.empty() && weights.size() != contributors.size())
        throw std::invalid_argument(
            fmt::format("{} weights for {} chunks", weights.size(), contributors.size()));
    Collective collective{.processors = processors};
    for (std::size_t i = 0; i < contributors.size(); ++i)
        collective.chunks.push_back({weights.empty() ? 1 : weights[i], contributors[i]});
    std::vector<Demand> owed;
    for (const auto& [chunk, receiver, of_whom] : demands)
        owed.push_back({chunk, receiver, of_whom});
    collective.demands = Demands(std::move(owed));
    return collective;
}

/// What a participant's list or root is, where the kind says what the collective is; else none.
Participants said_of(const Collective& collective)
{
    return participants_of(collective).value_or(Participants{});
}

/// A Message that outlives its collective.
struct OwnMessage {
    ProcessorId origin;
    Processors receivers;

    bool operator==(const OwnMessage&) const = default;
};

std::vector<OwnMessage> messages_of(const Collective& collective)
{
    if (reduces(collective))
        throw std::invalid_argument(
            fmt::format("{} adds what comes: it has chunks, and no messages", to_string(collective.kind)));
    std::vector<OwnMessage> result;
    for (const Message& message : collective.messages())
        result.push_back({message.origin, {message.receivers.begin(), message.receivers.end()}});
    return result;
}

Problem to_problem(const py::object& network, const py::object& collective, const py::object& ports,
                   const std::string& switching, std::optional<unsigned> slack,
                   std::optional<std::uint32_t> source)
{
    Topology topology = to_topology(network);
    Collective owed = py::isinstance<Collective>(collective)
                          ? collective.cast<Collective>()
                          : to_collective(py::str(collective).cast<std::string>(),
                                          static_cast<std::uint32_t>(topology.processor_count()), source, {},
                                          {}, {}, {}, {}, 1);
    const PortModel model = ports.is_none() ? topology.default_ports() : to_ports(ports);
    Problem problem{std::move(topology), std::move(owed), model, parse_switching(switching), slack};
    const py::gil_scoped_release others_run;
    check(problem);
    return problem;
}

void bind_collectives(py::module_& module)
{
    py::class_<Chunk> chunk(module, "Chunk", "The part of a vector that travels as one. Immutable.");
    chunk.def_readonly("weight", &Chunk::weight, "Its size in units of the smallest part.")
        .def_readonly("release_cycles", &Chunk::release_cycles, "No transfer reads it before this time.")
        .def_property_readonly(
            "contributors",
            [](const Chunk& one) -> const std::vector<std::uint32_t>& { return one.contributors; },
            "Processors; several: contributions are added.")
        .def("__repr__", [](const Chunk& one) {
            return fmt::format("<Chunk of weight {} from {}>", one.weight, fmt::join(one.contributors, ", "));
        });
    compare_by_value(chunk);
    py::class_<Demand> demand(module, "Demand", "What a processor has at the end. Immutable.");
    demand.def_readonly("chunk", &Demand::chunk, "The chunk.")
        .def_readonly("receiver", &Demand::receiver, "The processor.")
        .def_property_readonly(
            "contributors",
            [](const Demand& one) -> const std::vector<std::uint32_t>& { return one.contributors; },
            "Whose contributions, added up.")
        .def("__repr__", [](const Demand& one) {
            return fmt::format("<Demand of chunk {} at {} from {}>", one.chunk, one.receiver,
                               fmt::join(one.contributors, ", "));
        });
    compare_by_value(demand);
    py::class_<OwnMessage> message_type(module, "Message",
                                        "What one processor has and some others must get. Immutable.");
    message_type.def_readonly("origin", &OwnMessage::origin, "The processor that has it.")
        .def_readonly("receivers", &OwnMessage::receivers, "The processors that must get it, ascending.")
        .def("__repr__", [](const OwnMessage& message) {
            return fmt::format("<Message of {} for {} processors>", message.origin, message.receivers.size());
        });
    compare_by_value(message_type);
    py::class_<Collective> type(module, "Collective",
                                "Who contributes what, and who is owed what. Immutable.");
    type.def(
            py::init(&to_collective), "kind"_a, "processors"_a, "source"_a = py::none(),
            "senders"_a = Processors(), "receivers"_a = Processors(), "image"_a = Processors(), py::kw_only(),
            "group"_a = Processors(), "weights"_a = Processors(), "parts"_a = 1,
            "A collective among so many processors. `kind`: broadcast, allgather, scatter, alltoall, gather, "
            "reduce, reduce-scatter, allreduce, scan, multicast, permutation, many-to-many-broadcast or "
            "many-to-many-scatter, or as papers write it (OAB, AAB, OAS, AAS, AOG, AOR, MNB, MNS).\n"
            "`source`: of broadcast, scatter and multicast, the root of gather and reduce, the first unless "
            "said. `senders`: of MNB and MNS. `receivers`: of these and multicast. `image`: of a "
            "permutation. `group`: of all others, the processors that take part, in this order; empty: all. "
            "`weights`: of "
            "an allgather, a reduce-scatter or an alltoall with unequal blocks. `parts`: into which each "
            "block is cut.")
        .def_static(
            "custom", &custom, "processors"_a, "contributors"_a, "demands"_a, "weights"_a = Processors(),
            "Any other one: the contributors of each chunk, and (chunk, receiver, contributors) each.")
        .def_property_readonly(
            "kind", [](const Collective& collective) { return std::string(to_string(collective.kind)); },
            "'alltoall', …, 'custom'.")
        .def_readonly("processors", &Collective::processors, "Number of processors.")
        .def_readonly("parts", &Collective::parts, "Parts of a block.")
        .def_property_readonly(
            "source", [](const Collective& collective) { return said_of(collective).source; },
            "The source or root, or None.")
        .def_property_readonly(
            "senders", [](const Collective& collective) { return said_of(collective).senders; },
            "Of MNB and MNS; else empty.")
        .def_property_readonly(
            "receivers", [](const Collective& collective) { return said_of(collective).receivers; },
            "Of MNB, MNS and multicast; else empty.")
        .def_property_readonly(
            "image", [](const Collective& collective) { return said_of(collective).image; },
            "Of a permutation: where each processor sends to; else empty.")
        .def_property_readonly(
            "group", [](const Collective& collective) { return said_of(collective).group; },
            "The processors that take part, if these are not all; else empty.")
        .def_property_readonly(
            "weights", [](const Collective& collective) { return said_of(collective).weights; },
            "Of blocks of unequal size; else empty.")
        .def_readonly("chunks", &Collective::chunks, "All chunks, by index.")
        .def_property_readonly(
            "demands",
            [](const Collective& collective) {
                return std::vector<Demand>(collective.demands.begin(), collective.demands.end());
            },
            "All demands, by chunk and receiver.")
        .def_property_readonly("messages", &messages_of,
                               "The chunks of one that adds nothing; their indices are what Transfer has.")
        .def(
            "reversed", [](const Collective& collective) { return reversed(collective); },
            "Each demand turned round: allgather becomes reduce-scatter.")
        .def("__repr__", [](const Collective& collective) {
            return fmt::format("<Collective {} of {} processors, {} chunks>", in_words(collective.kind),
                               collective.processors, collective.chunks.size());
        });
    compare_by_value(type);
}

} // namespace

void bind_problems(py::module_& module)
{
    bind_collectives(module);
    py::class_<Problem> type(module, "Problem",
                             "A collective on a network, and how messages may travel. Immutable.");
    type.def(py::init(&to_problem), "topology"_a, "collective"_a, py::kw_only(), "ports"_a = py::none(),
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
        .def("__str__", py::overload_cast<const Problem&>(&describe))
        .def("__repr__",
             [](const Problem& problem) { return fmt::format("<Problem {}>", describe(problem)); });
    compare_by_value(type, [](const Problem& a, const Problem& b) {
        return a.topology == b.topology && a.collective == b.collective && a.ports == b.ports &&
               a.switching == b.switching && a.slack == b.slack;
    });
}

} // namespace nocturne::python
