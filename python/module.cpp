// The extension module nocturne._core: networks, problems, schedules and bounds as Python values. What
// simulates or searches is not in it: the package runs the command for that, in processes of their own.
//
// No value can be changed from Python, so that threads may share it, and what takes time releases the GIL.
#include "python/bindings.hpp"

#include <stdexcept>

namespace py = pybind11;

PYBIND11_MODULE(_core, module)
{
    module.attr("__version__") = NOCTURNE_VERSION;
    module.doc() = "Networks, problems, schedules and bounds of Nocturne as Python values.";
    // std::invalid_argument is a ValueError anyway; a file that cannot be read becomes one too, with the same
    // line that the command prints.
    py::register_local_exception_translator([](std::exception_ptr error) {
        try {
            std::rethrow_exception(error);
        } catch (const py::builtin_exception&) {
            throw;
        } catch (const std::runtime_error& failure) {
            PyErr_SetString(PyExc_ValueError, failure.what());
        }
    });
    nocturne::python::bind_topologies(module);
    nocturne::python::bind_problems(module);
    nocturne::python::bind_schedules(module);
    nocturne::python::bind_bounds(module);
    nocturne::python::bind_chunks(module);
}
