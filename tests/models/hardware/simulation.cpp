#include "tests/models/hardware/simulation.hpp"

#include <vector>

/// Timed notifications that are pending when a kernel is destroyed are not freed by it (SystemC 2.3.4).
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions()
{
    return "leak:sc_core::sc_event_timed::allocate\n";
}
extern "C" const char* __lsan_default_options();
extern "C" const char* __lsan_default_options()
{
    return "print_suppressions=0";
}

namespace nocturne::test {

Simulation::Simulation()
    : outer_(sc_core::sc_curr_simcontext), outer_default_(sc_core::sc_default_global_context),
      warning_actions_(sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW))
{
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    // To run when there is nothing to do is no mistake here.
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
    sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = new sc_core::sc_simcontext;
}

Simulation::~Simulation()
{
    sc_core::sc_simcontext* mine = sc_core::sc_curr_simcontext;
    sc_core::sc_curr_simcontext = outer_;
    sc_core::sc_default_global_context = outer_default_;
    if constexpr (SC_VERSION_MAJOR < 3) {
        delete mine;
    } else { // its threads would ask for what it deletes before them (SystemC 3.0.1)
        // Never destroyed: what it has is in reach when leaks are looked for.
        static auto& kept = *new std::vector<sc_core::sc_simcontext*>;
        kept.push_back(mine);
    }
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, warning_actions_);
}

void run_before(const ClockDomain& domain, Cycle cycle)
{
    const sc_core::sc_time at = domain.period() * static_cast<double>(cycle);
    // sc_start(t) stops before the delta cycles at t.
    if (at > sc_core::sc_time_stamp())
        sc_core::sc_start(at - sc_core::sc_time_stamp());
}

void run_through(const ClockDomain& domain, Cycle cycle)
{
    run_before(domain, cycle);
    sc_core::sc_start(sc_core::sc_get_time_resolution());
}

void run_to_end()
{
    sc_core::sc_start();
}

} // namespace nocturne::test
