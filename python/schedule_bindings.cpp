#include "python/bindings.hpp"
#include "python/python_values.hpp"
#include "schedules/schedule/complete_paths.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "schedules/schedule/schedule_json.hpp"
#include "schedules/schedule/validator.hpp"

#include <fmt/format.h>

#include <pybind11/stl.h>
#include <tuple>

namespace nocturne::python {

namespace py = pybind11;
using namespace py::literals;

namespace {

/// A row of the array of all transfers.
struct TransferRow {
    std::uint32_t step;
    std::uint32_t message;
    std::uint32_t source;
    std::uint32_t destination;
    std::int32_t hops; ///< -1 without a path
};

using Steps = std::vector<std::vector<Transfer>>;

LoadedSchedule to_schedule(const Problem& problem, const Steps& steps, const std::string& name,
                           const std::string& source)
{
    Schedule schedule{
        name,  source,       problem.topology.name(), problem.collective, problem.ports, problem.switching,
        steps, problem.slack};
    return {std::move(schedule), problem.topology};
}

LoadedSchedule of_messages(LoadedSchedule loaded, const std::string& file)
{
    if (loaded.is_bound || is_between_memories(loaded.schedule))
        throw std::runtime_error(fmt::format("{}: {}", file,
                                             loaded.is_bound
                                                 ? "it has bounds, and no schedule"
                                                 : "this is a schedule in chunks: load_chunks()"));
    return loaded;
}

Problem problem_of(const LoadedSchedule& loaded)
{
    const Schedule& schedule = loaded.schedule;
    return {loaded.topology, schedule.collective, schedule.ports, schedule.switching, schedule.slack};
}

py::object transfers(const LoadedSchedule& loaded)
{
    std::vector<TransferRow> rows;
    for (std::uint32_t step = 0; step < loaded.schedule.steps.size(); ++step)
        for (const Transfer& transfer : loaded.schedule.steps[step])
            rows.push_back({step, transfer.message, transfer.source, transfer.destination,
                            transfer.path ? static_cast<std::int32_t>(transfer.path->size()) : -1});
    return to_rows(
        rows, {{"step", "u4"}, {"message", "u4"}, {"source", "u4"}, {"destination", "u4"}, {"hops", "i4"}});
}

LoadedSchedule completed(LoadedSchedule loaded, unsigned max_slack)
{
    PathSearch search;
    search.max_slack = max_slack;
    loaded.schedule = complete_paths(loaded.schedule, loaded.topology, search);
    return loaded;
}

std::vector<Violation> judge(const LoadedSchedule& loaded, const Problem* problem)
{
    return problem == nullptr ? validate(loaded.schedule, loaded.topology)
                              : validate(loaded.schedule, *problem);
}

void bind_transfers(py::module_& module)
{
    py::class_<Transfer> type(module, "Transfer", "One message over one path in one step. Immutable.");
    type.def(py::init([](MessageId message, ProcessorId source, ProcessorId destination,
                         std::optional<Path> path, bool add) {
                 return Transfer{message, source, destination, std::move(path),
                                 add ? Operation::add : Operation::copy};
             }),
             "message"_a, "source"_a, "destination"_a, "path"_a = py::none(), "add"_a = false,
             "`message`: index in Collective.chunks. `path`: channels in order, or None: not known yet. "
             "`add`: the destination adds what comes to what it has.")
        .def_readonly("message", &Transfer::message, "Index in Collective.chunks.")
        .def_readonly("source", &Transfer::source, "The processor that sends.")
        .def_readonly("destination", &Transfer::destination, "The processor that receives.")
        .def_readonly("path", &Transfer::path, "Channels in order, or None.")
        .def_property_readonly(
            "add", [](const Transfer& transfer) { return transfer.operation == Operation::add; },
            "Does the destination add what comes?")
        .def("__repr__", [](const Transfer& transfer) {
            return fmt::format("<Transfer of message {}: {}>{}>", transfer.message, transfer.source,
                               transfer.destination);
        });
    compare_by_value(type);
}

bool are_same_violations(const Violation& a, const Violation& b)
{
    const auto all = [](const Violation& of) {
        return std::tie(of.rule, of.step, of.transfer, of.channel, of.processor, of.chunk, of.contributor,
                        of.text, of.count);
    };
    return all(a) == all(b);
}

void bind_violations(py::module_& module)
{
    py::class_<Violation> type(module, "Violation",
                               "A rule that a schedule breaks, and where. Indices start at 0.");
    type.def_property_readonly(
            "rule", [](const Violation& violation) { return std::string(to_string(violation.rule)); },
            "'channel-conflict', …: see validation_rules().")
        .def_readonly("step", &Violation::step, "Step, or None.")
        .def_readonly("transfer", &Violation::transfer, "Transfer in the step, or None.")
        .def_readonly("channel", &Violation::channel, "Channel (or link), or None.")
        .def_readonly("processor", &Violation::processor, "Processor (or node), or None.")
        .def_readonly("chunk", &Violation::chunk, "Chunk, or None.")
        .def_readonly("contributor", &Violation::contributor,
                      "Processor whose contribution is doubled or missing, or None.")
        .def_readonly("text", &Violation::text, "One line for people; it counts from 1.")
        .def_readonly(
            "count", &Violation::count,
            "How many violations it stands for: 1, or more in the last one, which counts deliveries "
            "that are missing and not listed.")
        .def("__repr__", [](const Violation& violation) {
            return fmt::format("<Violation {}: {}>", to_string(violation.rule), violation.text);
        });
    compare_by_value(type, &are_same_violations);
    module.def(
        "validation_rules",
        [] {
            py::dict rules;
            for (const RuleEntry& rule : rule_table)
                rules[py::str(rule.name.data(), rule.name.size())] =
                    py::str(rule.demands.data(), rule.demands.size());
            return rules;
        },
        "The rules of a valid schedule: name and what it demands.");
}

} // namespace

void bind_schedules(py::module_& module)
{
    bind_transfers(module);
    py::class_<LoadedSchedule> type(module, "Schedule",
                                    "Which message goes where, over which path, in which step. Immutable.");
    type.def(py::init(&to_schedule), "problem"_a, "steps"_a, "name"_a = "", "source"_a = "",
             "A schedule of a problem: a list of steps, each a list of Transfer. Whether it is one "
             "violations() says.")
        .def_static(
            "load",
            [](const py::object& path) {
                const std::string file = to_path(path);
                const py::gil_scoped_release others_run;
                return of_messages(load_schedule(file), file);
            },
            "path"_a, "The schedule of a file: JSON, or binary (.nsched), with the network that it names.")
        .def_static(
            "from_json",
            [](const std::string& text, const std::filesystem::path& origin) {
                return of_messages(parse_schedule_file(text, origin), origin.string());
            },
            "text"_a, "origin"_a = "schedule",
            "The schedule of a JSON text; `origin` begins the messages of errors.")
        .def(
            "save",
            [](const LoadedSchedule& loaded, const py::object& path) {
                const std::string file = to_path(path);
                const py::gil_scoped_release others_run;
                save_schedule(file, loaded.schedule, loaded.topology, loaded.claims);
            },
            "path"_a, "Writes it, with its lower bound if it has one: JSON, or binary (.nsched).")
        .def(
            "to_json",
            [](const LoadedSchedule& loaded) {
                return to_json_text(loaded.schedule, loaded.topology, loaded.claims);
            },
            py::call_guard<py::gil_scoped_release>(), "The JSON text of docs/files.md.")
        .def_property_readonly(
            "name", [](const LoadedSchedule& loaded) { return loaded.schedule.name; }, "Free text.")
        .def_property_readonly(
            "source", [](const LoadedSchedule& loaded) { return loaded.schedule.source; },
            "Where it comes from: an engine, a paper's table; free text.")
        .def_readonly("topology", &LoadedSchedule::topology, "The network that it is for.")
        .def_property_readonly("problem", &problem_of, "What it solves, as it says itself.")
        .def_property_readonly(
            "steps", [](const LoadedSchedule& loaded) { return loaded.schedule.steps; },
            "A list of steps, each a list of Transfer; a copy.")
        .def_property_readonly(
            "transfers", &transfers,
            "Structured array, one row a transfer: step, message, source, destination, hops (-1: no path).")
        .def("__len__", [](const LoadedSchedule& loaded) { return loaded.schedule.steps.size(); })
        .def("complete_paths", &completed, "max_slack"_a = 2, py::call_guard<py::gil_scoped_release>(),
             "The schedule with a path for every transfer, without conflicts in any step, at most so many "
             "hops longer than the shortest.")
        .def("violations", &judge, "problem"_a = py::none(), py::call_guard<py::gil_scoped_release>(),
             "Every violation, in order, of missing deliveries the first thousand; empty: the schedule is "
             "valid. With a problem it must be a schedule of that problem.")
        .def("__repr__",
             [](const LoadedSchedule& loaded) {
                 return fmt::format("<Schedule {}: {} steps, {} transfers>", describe(problem_of(loaded)),
                                    loaded.schedule.steps.size(), count_transfers(loaded.schedule));
             })
        .def(py::pickle(
            [](const LoadedSchedule& loaded) {
                return to_json_text(loaded.schedule, loaded.topology, loaded.claims);
            },
            [](const std::string& text) { return parse_schedule_file(text, "pickle"); }));
    compare_by_value(type, [](const LoadedSchedule& a, const LoadedSchedule& b) {
        return a.schedule == b.schedule && a.topology == b.topology;
    });
    bind_violations(module);
}

} // namespace nocturne::python
