#include "models/text/json_text.hpp"
#include "python/bindings.hpp"
#include "python/python_values.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "schedules/schedule/checked_json.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "sim/result_files/result_file.hpp"

#include <fmt/format.h>

#include <pybind11/stl.h>

namespace nocturne::python {

namespace py = pybind11;
using namespace py::literals;

namespace {

/// None, or a dict of what the checker gets. Here bounds are of messages.
struct CertificateValues {
    template <class Other>
    py::object operator()(const Other&) const
    {
        return py::none();
    }
    py::object operator()(const ChannelLengths& lengths) const
    {
        py::dict values;
        values["channels"] = to_array(lengths.channels);
        values["injections"] = to_array(lengths.injections);
        values["ejections"] = to_array(lengths.ejections);
        return values;
    }
    py::object operator()(const VertexSet& set) const
    {
        py::dict values;
        values["routers"] = to_array(set.routers);
        values["direction"] = set.direction == Direction::entering ? "entering" : "leaving";
        return values;
    }
    py::object operator()(const InfeasibilityProof& proof) const
    {
        py::dict values;
        values["proof"] = proof.proof;
        return values;
    }
};

/// The bound in the JSON of a file, for a network.
Bound bound_from_json(const std::string& text, const Topology& topology, const std::string& origin)
{
    return parse_bound(read_checked_json(text, bound_schema(), origin), topology, origin);
}

std::optional<Bound> claimed_bound(const LoadedSchedule& loaded)
{
    if (!loaded.claims.contains("lower_bound"))
        return std::nullopt;
    return parse_bound(loaded.claims["lower_bound"], loaded.topology, "lower_bound");
}

/// Problem, schedule or None, bound or None.
py::tuple result_of(const py::object& path)
{
    const std::string file = to_path(path);
    ResultFile result = [&] {
        const py::gil_scoped_release others_run;
        return load_result(file);
    }();
    py::object schedule = py::none();
    if (result.schedule) {
        LoadedSchedule loaded{std::move(*result.schedule), result.problem.topology};
        if (result.bound)
            // As it stands in the file: a number that was read is unsigned, one that was made is not.
            loaded.claims["lower_bound"] =
                ordered_json_from_text(json_text(to_json(*result.bound, loaded.topology)));
        schedule = py::cast(std::move(loaded));
    }
    return py::make_tuple(std::move(result.problem), schedule, std::move(result.bound));
}

} // namespace

void bind_bounds(py::module_& module)
{
    py::class_<Bound> type(module, "Bound", "No valid schedule of a problem has fewer steps. Immutable.");
    type.def_readonly("steps", &Bound::steps, "The bound.")
        .def_property_readonly(
            "kind", [](const Bound& bound) { return kind_of(bound); },
            "'port', 'growth', 'dominator', 'distance', 'vertex-set', 'flow' or 'infeasibility'.")
        .def_readonly("reason", &Bound::reason, "One sentence for people.")
        .def_property_readonly(
            "certificate",
            [](const Bound& bound) { return std::visit(CertificateValues(), bound.certificate); },
            "None where the checker computes the bound itself; lengths of 'channels', 'injections' and "
            "'ejections' as arrays; 'routers' and 'direction' of a vertex set; or the 'proof' (DRAT) that "
            "fewer steps are impossible.")
        .def(
            "to_json",
            [](const Bound& bound, const Topology& topology) { return json_text(to_json(bound, topology)); },
            "topology"_a, "The JSON text of docs/files.md, with the names of that network.")
        .def_static("from_json", &bound_from_json, "text"_a, "topology"_a, "origin"_a = "bound",
                    "The bound of a JSON text; `origin` begins the messages of errors.")
        .def("__repr__", [](const Bound& bound) {
            return fmt::format("<Bound {} ({}): {}>", bound.steps, kind_of(bound), bound.reason);
        });
    compare_by_value(type);
    module.def("check_bound", py::overload_cast<const Problem&, const Bound&>(&refute), "problem"_a,
               "bound"_a, py::call_guard<py::gil_scoped_release>(),
               "Why the certificate does not prove the bound for the problem, in one line; None if it does. "
               "Uses nothing of what finds bounds.");
    module.def("claimed_bound", &claimed_bound, "schedule"_a,
               "The lower bound in a schedule's file, or None; check_bound() says whether it holds.");
    module.def("load_result", &result_of, "path"_a,
               "Problem, schedule and bound of a result file; what it does not have is None.");
}

} // namespace nocturne::python
