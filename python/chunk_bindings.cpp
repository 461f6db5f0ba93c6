#include "python/bindings.hpp"
#include "python/python_values.hpp"
#include "schedules/conversion/chunk_steps.hpp"
#include "schedules/schedule/chunk_time.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "schedules/schedule/validator.hpp"

#include <fmt/format.h>

#include <pybind11/stl.h>
#include <tuple>

namespace nocturne::python {

namespace py = pybind11;
using namespace py::literals;

namespace {

/// A row of the array of all links.
struct LinkRow {
    NodeId source;
    NodeId target;
    std::uint64_t bytes_per_cycle;
    std::uint64_t latency_cycles;
};

using LinkValues = std::tuple<NodeId, NodeId, std::uint64_t, std::uint64_t>;
using SwitchValues = std::pair<std::string, bool>; ///< name, does it copy?

LinkNetwork to_network(const std::string& name, std::uint32_t processors,
                       const std::vector<LinkValues>& links, const std::vector<SwitchValues>& switches)
{
    LinkNetwork network(name, processors);
    for (const auto& [switch_name, copies] : switches)
        network.add_switch(copies ? NodeKind::copying_switch : NodeKind::plain_switch, switch_name);
    for (const auto& [source, target, bytes_per_cycle, latency_cycles] : links)
        network.add_link({source, target, bytes_per_cycle, latency_cycles});
    return network;
}

py::object links_of(const LinkNetwork& network)
{
    std::vector<LinkRow> rows;
    for (const NetworkLink& link : network.links())
        rows.push_back({link.source, link.target, link.bytes_per_cycle, link.latency_cycles});
    return to_rows(rows,
                   {{"source", "u4"}, {"target", "u4"}, {"bytes_per_cycle", "u8"}, {"latency_cycles", "u8"}});
}

std::vector<std::string> node_names(const LinkNetwork& network)
{
    std::vector<std::string> names;
    for (NodeId node = 0; node < network.node_count(); ++node)
        names.push_back(network.node_name(node));
    return names;
}

Schedule to_chunked_schedule(const Collective& collective, const std::vector<ListedTransfer>& transfers,
                             const std::optional<std::vector<std::uint32_t>>& rounds, const std::string& name,
                             const std::string& topology)
{
    Schedule schedule =
        empty_schedule(name, topology, collective,
                       rounds ? ScheduleSynchronization::steps : ScheduleSynchronization::dependencies);
    schedule.rounds = rounds.value_or(std::vector<std::uint32_t>());
    for (const ListedTransfer& one : transfers)
        if (one.step >= (rounds ? rounds->size() : 1))
            throw std::invalid_argument(fmt::format("step {} of a transfer does not exist", one.step));
    set_transfers(schedule, transfers);
    return schedule;
}

/// Only what is valid has a time.
void require_valid(const Schedule& schedule, const LinkNetwork& network)
{
    const std::vector<Violation> violations = validate(schedule, network);
    if (!violations.empty())
        throw std::invalid_argument(fmt::format("not a valid schedule: {}", violations.front().text));
}

double chunk_time(const Schedule& schedule, const LinkNetwork& network, double bytes_per_weight,
                  double start_cycles, bool latency_holds_link)
{
    require_valid(schedule, network);
    return time_of(schedule, network, {bytes_per_weight, start_cycles, latency_holds_link});
}

std::vector<double> chunk_end_times(const Schedule& schedule, const LinkNetwork& network,
                                    double bytes_per_weight, double start_cycles, bool latency_holds_link)
{
    if (is_in_steps(schedule))
        throw std::invalid_argument("times of transfers: the schedule is in steps, not under dependencies");
    require_valid(schedule, network);
    return end_times(schedule, network, {bytes_per_weight, start_cycles, latency_holds_link});
}

void bind_networks(py::module_& module)
{
    py::class_<LinkNetwork> type(
        module, "LinkNetwork",
        "Nodes that hold data or pass it on, and one-way links with bandwidth and latency. "
        "Nodes 0 to processors - 1 are processors, switches follow. Immutable.");
    type.def(py::init(&to_network), "name"_a, "processors"_a, "links"_a,
             "switches"_a = std::vector<SwitchValues>(),
             "`links`: (source, target, bytes_per_cycle, latency_cycles) each. `switches`: (name, does it "
             "copy) each.")
        .def_static(
            "of",
            [](const py::object& network, std::uint64_t bytes_per_cycle, std::uint64_t local_latency_cycles) {
                return link_network_of(to_topology(network), {bytes_per_cycle, local_latency_cycles});
            },
            "topology"_a, "bytes_per_cycle"_a = 4, "local_latency_cycles"_a = 0,
            "The same network with links: `bytes_per_cycle` where a channel has no width, and of injection "
            "and ejection.")
        .def_property_readonly("name", &LinkNetwork::name, "What it is called.")
        .def_property_readonly("processor_count", &LinkNetwork::processor_count, "Number of processors.")
        .def_property_readonly("node_names", &node_names, "Names of processors and switches, by index.")
        .def_property_readonly("links", &links_of,
                               "Structured array, one row a link: source, target, bytes_per_cycle, "
                               "latency_cycles.")
        .def_property_readonly(
            "unit_bytes_per_cycle", &LinkNetwork::unit_bytes_per_cycle,
            "Greatest common divisor of the bandwidths: what carries one chunk of weight 1 in a round.")
        .def("__repr__", [](const LinkNetwork& network) {
            return fmt::format("<LinkNetwork {}: {} processors, {} nodes, {} links>", network.name(),
                               network.processor_count(), network.node_count(), network.link_count());
        });
    compare_by_value(type);
}

void bind_transfers_of_chunks(py::module_& module)
{
    using Ids = std::vector<std::uint32_t>;
    py::class_<ListedTransfer> type(
        module, "ChunkTransfer",
        "What is at a place of one node goes to a place of another. Place c is chunk c's "
        "own; higher places are scratch. Immutable.");
    type.def(py::init([](NodeId source, NodeId destination, PlaceId place, std::optional<PlaceId> to,
                         bool add, const Ids& path, std::uint32_t step, const Ids& after) {
                 return ListedTransfer{Transfer{{place, to.value_or(place)},
                                                source,
                                                destination,
                                                path,
                                                add ? Operation::add : Operation::copy},
                                       step, after};
             }),
             "source"_a, "destination"_a, "place"_a, "to"_a = py::none(), py::kw_only(), "add"_a = false,
             "path"_a = Ids(), "step"_a = 0, "after"_a = Ids(),
             "`to`: the other place; None: the same one. `add`: to what is there. `path`: links. `step`: "
             "where "
             "steps synchronize. `after`: transfers that end before this one begins, where dependencies do.")
        .def_property_readonly(
            "source", [](const ListedTransfer& one) { return one.transfer.source; }, "The node that sends.")
        .def_property_readonly(
            "destination", [](const ListedTransfer& one) { return one.transfer.destination; },
            "The node that receives.")
        .def_property_readonly(
            "place", [](const ListedTransfer& one) { return one.transfer.message; },
            "The place that is read.")
        .def_property_readonly(
            "to", [](const ListedTransfer& one) { return PlaceId{one.transfer.to}; },
            "The place that is written.")
        .def_property_readonly(
            "add", [](const ListedTransfer& one) { return one.transfer.operation == Operation::add; },
            "Is it added to what is there?")
        .def_property_readonly(
            "path", [](const ListedTransfer& one) { return *one.transfer.path; }, "Links in order.")
        .def_readonly("step", &ListedTransfer::step, "Step, from 0.")
        .def_readonly("after", &ListedTransfer::after, "Transfers that it waits for.")
        .def("__repr__", [](const ListedTransfer& one) {
            const Transfer& transfer = one.transfer;
            return fmt::format("<ChunkTransfer {}>{}, place {} {} {}>", transfer.source, transfer.destination,
                               transfer.message, transfer.operation == Operation::add ? "added to" : "to",
                               PlaceId{transfer.to});
        });
    compare_by_value(type, [](const ListedTransfer& a, const ListedTransfer& b) {
        return a.transfer == b.transfer && a.step == b.step && a.after == b.after;
    });
}

void bind_chunked_schedules(py::module_& module)
{
    py::class_<Schedule> type(
        module, "ChunkedSchedule",
        "What is copied or added where, over which links, when or after what. Immutable.");
    type.def(py::init(&to_chunked_schedule), "collective"_a, "transfers"_a, "rounds"_a = py::none(),
             "name"_a = "", "topology"_a = "",
             "`rounds`: of each step; None: transfers wait for each other instead (`after`).")
        .def_readonly("name", &Schedule::name, "Free text.")
        .def_readonly("topology", &Schedule::topology, "The network that it was made for.")
        .def_readonly("collective", &Schedule::collective, "What it carries out.")
        .def_property_readonly("transfers", &list_transfers, "All transfers; a copy.")
        .def_property_readonly(
            "rounds",
            [](const Schedule& schedule) {
                return is_in_steps(schedule) ? std::optional(schedule.rounds) : std::nullopt;
            },
            "Rounds of each step, or None under dependencies.")
        .def_property_readonly(
            "made_for",
            [](const Schedule& schedule) {
                const MadeFor& setting = schedule.made_for;
                return py::dict("bytes"_a = setting.bytes, "start_cycles"_a = setting.start_cycles,
                                "latency_holds_link"_a = setting.latency_holds_link,
                                "cycle_ns"_a = setting.cycle_ns);
            },
            "For what it was made, as far as it is known (None otherwise): `bytes` of the largest vector "
            "that a processor contributes, `start_cycles` of a transfer, `latency_holds_link`, `cycle_ns`.")
        .def(
            "reversed",
            [](const Schedule& schedule, const LinkNetwork& network) { return reversed(schedule, network); },
            "network"_a, "Run backwards, on the links turned round: an allgather becomes a reduce-scatter.")
        .def("time", &chunk_time, "network"_a, py::kw_only(), "bytes_per_weight"_a = 1.0,
             "start_cycles"_a = 0.0, "latency_holds_link"_a = false, py::call_guard<py::gil_scoped_release>(),
             "Cycles in the alpha-beta model. ValueError unless it is valid.")
        .def(
            "end_times",
            [](const Schedule& schedule, const LinkNetwork& network, double bytes_per_weight,
               double start_cycles, bool latency_holds_link) {
                return to_array(
                    chunk_end_times(schedule, network, bytes_per_weight, start_cycles, latency_holds_link));
            },
            "network"_a, py::kw_only(), "bytes_per_weight"_a = 1.0, "start_cycles"_a = 0.0,
            "latency_holds_link"_a = false,
            "Array: when each transfer ends, in cycles; only under dependencies.")
        .def(
            "save",
            [](const Schedule& schedule, const py::object& path, const Topology& topology,
               std::uint64_t bytes_per_cycle, std::uint64_t local_latency_cycles) {
                const std::string file = to_path(path);
                const py::gil_scoped_release others_run;
                save_schedule(file, schedule, topology, nlohmann::ordered_json::object(),
                              {bytes_per_cycle, local_latency_cycles});
            },
            "path"_a, "topology"_a, "bytes_per_cycle"_a = 4, "local_latency_cycles"_a = 0,
            "Writes it as JSON, for LinkNetwork.of(topology, bytes_per_cycle, local_latency_cycles).")
        .def(
            "in_steps",
            [](const Schedule& schedule, const Topology& topology, std::uint64_t bytes_per_cycle,
               std::uint64_t local_latency_cycles) {
                const LinkNetwork network =
                    link_network_of(topology, {bytes_per_cycle, local_latency_cycles});
                require_valid(schedule, network);
                LoadedSchedule steps{steps_of_chunks(schedule, topology, network), topology};
                steps.schedule.topology = topology.name();
                return steps;
            },
            "topology"_a, "bytes_per_cycle"_a = 4, "local_latency_cycles"_a = 0,
            py::call_guard<py::gil_scoped_release>(),
            "The same as a Schedule of messages in steps, a chunk each. ValueError unless it is valid, and "
            "where chunks have unequal weights or a processor keeps sums of one chunk apart.")
        .def(
            "violations",
            [](const Schedule& schedule, const LinkNetwork& network) { return validate(schedule, network); },
            "network"_a, py::call_guard<py::gil_scoped_release>(),
            "Every violation, in order of transfers; empty: the schedule carries out its collective.")
        .def("__len__", [](const Schedule& schedule) { return count_transfers(schedule); })
        .def("__repr__", [](const Schedule& schedule) {
            return fmt::format("<ChunkedSchedule {} of {} processors: {} transfers>",
                               to_string(schedule.collective.kind), schedule.collective.processors,
                               count_transfers(schedule));
        });
    compare_by_value(type);
}

} // namespace

void bind_chunks(py::module_& module)
{
    bind_networks(module);
    bind_transfers_of_chunks(module);
    bind_chunked_schedules(module);
    module.def(
        "load_chunks",
        [](const py::object& path) {
            const std::string file = to_path(path);
            LoadedSchedule loaded = [&] {
                const py::gil_scoped_release others_run;
                return load_schedule(file);
            }();
            if (!is_between_memories(loaded.schedule))
                throw std::runtime_error(
                    fmt::format("{}: this is a schedule in steps: Schedule.load() reads it", file));
            LinkNetwork network = loaded.network();
            return py::make_tuple(std::move(loaded.schedule), std::move(network), std::move(loaded.topology));
        },
        "path"_a, "Schedule, network of links and topology of a file of chunks.");
}

} // namespace nocturne::python
