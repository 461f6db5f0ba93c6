#include "models/hardware/kernel.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string>

namespace nocturne {

namespace {

/// An exception that leaves a process arrives as a report E549 whose message is the exception's own.
template <typename Start>
void run_reporting_errors(Start start)
{
    try {
        start();
    } catch (const sc_core::sc_report& report) {
        const std::string message = report.get_msg();
        throw std::runtime_error(fmt::format("simulation, at {}: {}", sc_core::sc_time_stamp().to_string(),
                                             message.empty() ? report.get_msg_type() : message));
    }
}

} // namespace

void prepare_kernel()
{
    if (sc_core::sc_get_status() != sc_core::SC_ELABORATION)
        throw std::logic_error("a simulation has run in this process already, and SystemC takes only one: "
                               "each needs a worker process of its own");
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW);
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
}

sc_core::sc_time exact_time(double nanoseconds, std::string_view parameter)
{
    const double resolution_ns = sc_core::sc_get_time_resolution().to_seconds() * 1e9;
    const double units = nanoseconds / resolution_ns;
    // As far from a whole number as a double can be that stands for one.
    constexpr double rounding = 1e-9;
    if (std::abs(units - std::round(units)) > rounding * std::max(1.0, units))
        throw std::invalid_argument(fmt::format("{} = {}: it must be a multiple of the time resolution, {}",
                                                parameter, nanoseconds,
                                                sc_core::sc_get_time_resolution().to_string()));
    return sc_core::sc_time(nanoseconds, sc_core::SC_NS);
}

void run_kernel()
{
    run_reporting_errors([] { sc_core::sc_start(); });
}

void run_kernel(const sc_core::sc_time& time, sc_core::sc_starvation_policy policy)
{
    run_reporting_errors([&] { sc_core::sc_start(time, policy); });
}

} // namespace nocturne
