#include "python/bindings.hpp"
#include "python/python_values.hpp"
#include "schedules/conversion/conversion.hpp"
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

/// The network of a schedule, and what its file says beside it.
struct Home {
    Topology topology;
    LinkDefaults defaults;
    nlohmann::ordered_json claims = nlohmann::ordered_json::object();
};

/// What Python calls a ChunkedSchedule.
struct PlacedSchedule {
    Schedule schedule;
    std::optional<Home> home; ///< nothing: only the name of its network is known
};

LinkDefaults defaults_of(std::optional<std::uint64_t> bytes_per_cycle,
                         std::optional<std::uint64_t> local_latency_cycles, const LinkDefaults& otherwise)
{
    return {bytes_per_cycle.value_or(otherwise.bytes_per_cycle),
            local_latency_cycles.value_or(otherwise.local_latency_cycles)};
}

/// Throws std::invalid_argument with what to type instead of `call`, a method without its network.
[[noreturn]] void ask_for_network(const PlacedSchedule& placed, std::string_view call)
{
    const std::string network = fmt::format(
        "nocturne.Topology('{}')", placed.schedule.topology.empty() ? "ring:4" : placed.schedule.topology);
    throw std::invalid_argument(fmt::format(
        "this schedule does not know its network: {} takes it, and so does ChunkedSchedule(..., topology={})",
        fmt::format(fmt::runtime(call), network), network));
}

/// The network that a call gives, or else the schedule's own. `call`: for the error where there is none.
LinkNetwork links_for(const PlacedSchedule& placed, const py::object& network, std::string_view call)
{
    if (!network.is_none())
        return py::isinstance<LinkNetwork>(network) ? network.cast<LinkNetwork>()
                                                    : link_network_of(to_topology(network));
    if (!placed.home)
        ask_for_network(placed, call);
    return link_network_of(placed.home->topology, placed.home->defaults);
}

/// The same for a topology with defaults.
Home home_for(const PlacedSchedule& placed, const py::object& topology,
              std::optional<std::uint64_t> bytes_per_cycle, std::optional<std::uint64_t> local_latency_cycles,
              std::string_view call)
{
    if (!topology.is_none())
        return {to_topology(topology), defaults_of(bytes_per_cycle, local_latency_cycles, {})};
    if (!placed.home)
        ask_for_network(placed, call);
    Home home = *placed.home;
    home.defaults = defaults_of(bytes_per_cycle, local_latency_cycles, home.defaults);
    return home;
}

PlacedSchedule to_chunked_schedule(const Collective& collective, const std::vector<ListedTransfer>& transfers,
                                   const std::optional<std::vector<std::uint32_t>>& rounds,
                                   const std::string& name, const py::object& topology,
                                   std::optional<std::uint64_t> bytes_per_cycle,
                                   std::optional<std::uint64_t> local_latency_cycles)
{
    std::optional<Home> home;
    if (!py::isinstance<py::str>(topology))
        home = Home{to_topology(topology), defaults_of(bytes_per_cycle, local_latency_cycles, {})};
    Schedule schedule =
        empty_schedule(name, home ? home->topology.name() : topology.cast<std::string>(), collective,
                       rounds ? ScheduleSynchronization::steps : ScheduleSynchronization::dependencies);
    schedule.rounds = rounds.value_or(std::vector<std::uint32_t>());
    for (const ListedTransfer& one : transfers)
        if (one.step >= (rounds ? rounds->size() : 1))
            throw std::invalid_argument(fmt::format("step {} of a transfer does not exist", one.step));
    set_transfers(schedule, transfers);
    return {std::move(schedule), std::move(home)};
}

/// Only what is valid has a time.
void require_valid(const Schedule& schedule, const LinkNetwork& network)
{
    const std::vector<Violation> violations = validate(schedule, network);
    if (!violations.empty())
        throw std::invalid_argument(fmt::format("not a valid schedule: {}", violations.front().text));
}

double chunk_time(const PlacedSchedule& placed, const py::object& network, double bytes_per_weight,
                  double start_cycles, bool latency_holds_link)
{
    const LinkNetwork links = links_for(placed, network, "time({})");
    const py::gil_scoped_release others_run;
    require_valid(placed.schedule, links);
    return time_of(placed.schedule, links, {bytes_per_weight, start_cycles, latency_holds_link});
}

py::object chunk_end_times(const PlacedSchedule& placed, const py::object& network, double bytes_per_weight,
                           double start_cycles, bool latency_holds_link)
{
    if (is_in_steps(placed.schedule))
        throw std::invalid_argument("times of transfers: the schedule is in steps, not under dependencies");
    const LinkNetwork links = links_for(placed, network, "end_times({})");
    require_valid(placed.schedule, links);
    return to_array(end_times(placed.schedule, links, {bytes_per_weight, start_cycles, latency_holds_link}));
}

std::vector<Violation> chunk_violations(const PlacedSchedule& placed, const py::object& network)
{
    const LinkNetwork links = links_for(placed, network, "violations({})");
    const py::gil_scoped_release others_run;
    return validate(placed.schedule, links);
}

/// Its links are those of the same network, so it keeps it, but not what was claimed of the other schedule.
PlacedSchedule chunks_reversed(const PlacedSchedule& placed, const py::object& network)
{
    PlacedSchedule back{reversed(placed.schedule, links_for(placed, network, "reversed({})")), std::nullopt};
    if (network.is_none())
        back.home = Home{placed.home->topology, placed.home->defaults};
    return back;
}

void save_chunks(const PlacedSchedule& placed, const py::object& path, const py::object& topology,
                 std::optional<std::uint64_t> bytes_per_cycle,
                 std::optional<std::uint64_t> local_latency_cycles)
{
    const std::string file = to_path(path);
    const Home home = home_for(placed, topology, bytes_per_cycle, local_latency_cycles, "save(path, {})");
    const py::gil_scoped_release others_run;
    save_schedule(file, placed.schedule, home.topology, home.claims, home.defaults);
}

LoadedSchedule chunks_in_steps(const PlacedSchedule& placed, const py::object& topology,
                               std::optional<std::uint64_t> bytes_per_cycle,
                               std::optional<std::uint64_t> local_latency_cycles)
{
    const Home home = home_for(placed, topology, bytes_per_cycle, local_latency_cycles, "in_steps({})");
    const py::gil_scoped_release others_run;
    const LinkNetwork network = link_network_of(home.topology, home.defaults);
    require_valid(placed.schedule, network);
    LoadedSchedule steps{steps_of_chunks(placed.schedule, home.topology, network), home.topology};
    steps.schedule.topology = home.topology.name();
    return steps;
}

std::string chunks_in_short(const PlacedSchedule& placed)
{
    const Schedule& schedule = placed.schedule;
    return fmt::format("<ChunkedSchedule {} of {} processors{}: {} transfers>",
                       to_string(schedule.collective.kind), schedule.collective.processors,
                       schedule.topology.empty() ? "" : " on " + schedule.topology,
                       count_transfers(schedule));
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
    py::class_<PlacedSchedule> type(module, "ChunkedSchedule",
                                    "What is copied or added where, over which links, when or after what. "
                                    "Immutable. Where a method takes "
                                    "a network (a LinkNetwork, a Topology or its specification), None is the "
                                    "schedule's own, which it has "
                                    "from its file or its constructor; ValueError without one.");
    type.def(py::init(&to_chunked_schedule), "collective"_a, "transfers"_a, "rounds"_a = py::none(),
             "name"_a = "", "topology"_a = "", "bytes_per_cycle"_a = py::none(),
             "local_latency_cycles"_a = py::none(),
             "`rounds`: of each step; None: transfers wait for each other instead (`after`). `topology`: the "
             "Topology that it is for, with what LinkNetwork.of() takes, or only its name.")
        .def_property_readonly(
            "name", [](const PlacedSchedule& placed) { return placed.schedule.name; }, "Free text.")
        .def_property_readonly(
            "topology", [](const PlacedSchedule& placed) { return placed.schedule.topology; },
            "The name of the network that it was made for.")
        .def_property_readonly(
            "network",
            [](const PlacedSchedule& placed) {
                return placed.home
                           ? std::optional(link_network_of(placed.home->topology, placed.home->defaults))
                           : std::nullopt;
            },
            "The LinkNetwork that it was made for, or None: only its name is known.")
        .def_property_readonly(
            "collective", [](const PlacedSchedule& placed) { return placed.schedule.collective; },
            "What it carries out.")
        .def_property_readonly(
            "transfers", [](const PlacedSchedule& placed) { return list_transfers(placed.schedule); },
            "All transfers; a copy.")
        .def_property_readonly(
            "rounds",
            [](const PlacedSchedule& placed) {
                return is_in_steps(placed.schedule) ? std::optional(placed.schedule.rounds) : std::nullopt;
            },
            "Rounds of each step, or None under dependencies.")
        .def_property_readonly(
            "made_for",
            [](const PlacedSchedule& placed) {
                const MadeFor& setting = placed.schedule.made_for;
                return py::dict("bytes"_a = setting.bytes, "start_cycles"_a = setting.start_cycles,
                                "latency_holds_link"_a = setting.latency_holds_link,
                                "cycle_ns"_a = setting.cycle_ns);
            },
            "For what it was made, as far as it is known (None otherwise): `bytes` of the largest vector "
            "that a processor contributes, `start_cycles` of a transfer, `latency_holds_link`, `cycle_ns`.")
        .def("reversed", &chunks_reversed, "network"_a = py::none(),
             "Run backwards, on the links turned round: an allgather becomes a reduce-scatter.")
        .def("time", &chunk_time, "network"_a = py::none(), py::kw_only(), "bytes_per_weight"_a = 1.0,
             "start_cycles"_a = 0.0, "latency_holds_link"_a = false,
             "Cycles in the alpha-beta model. ValueError unless it is valid.")
        .def("end_times", &chunk_end_times, "network"_a = py::none(), py::kw_only(),
             "bytes_per_weight"_a = 1.0, "start_cycles"_a = 0.0, "latency_holds_link"_a = false,
             "Array: when each transfer ends, in cycles; only under dependencies.")
        .def(
            "save", &save_chunks, "path"_a, "topology"_a = py::none(), "bytes_per_cycle"_a = py::none(),
            "local_latency_cycles"_a = py::none(),
            "Writes it as JSON, for LinkNetwork.of(topology, bytes_per_cycle, local_latency_cycles); for its "
            "own network with its lower bounds, if its file had some.")
        .def("in_steps", &chunks_in_steps, "topology"_a = py::none(), "bytes_per_cycle"_a = py::none(),
             "local_latency_cycles"_a = py::none(),
             "The same as a Schedule of messages in steps, a chunk each. ValueError unless it is valid, and "
             "where chunks have unequal weights or a processor keeps sums of one chunk apart.")
        .def("violations", &chunk_violations, "network"_a = py::none(),
             "Every violation, in order of transfers; empty: the schedule carries out its collective.")
        .def("__len__", [](const PlacedSchedule& placed) { return count_transfers(placed.schedule); })
        .def("__repr__", &chunks_in_short);
    compare_by_value(type, [](const PlacedSchedule& a, const PlacedSchedule& b) {
        return a.schedule == b.schedule && a.home.has_value() == b.home.has_value() &&
               (!a.home || (a.home->topology == b.home->topology && a.home->defaults == b.home->defaults));
    });
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
            Home home{loaded.topology, loaded.defaults, std::move(loaded.claims)};
            return py::make_tuple(PlacedSchedule{std::move(loaded.schedule), std::move(home)},
                                  std::move(network), std::move(loaded.topology));
        },
        "path"_a, "Schedule, network of links and topology of a file of chunks.");
}

} // namespace nocturne::python
