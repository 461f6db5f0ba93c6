#include "tests/catch.hpp"
#include "tests/models/hardware/simulation.hpp"

namespace nocturne::simulation_test {

namespace {

/// Does in a process what a test must hear of.
class Reporter final : public sc_core::sc_module {
public:
    Reporter(const sc_core::sc_module_name& name, sc_core::sc_severity severity)
        : sc_module(name), severity_(severity)
    {
        SC_HAS_PROCESS(Reporter);
        SC_METHOD(report);
    }

private:
    void report() { sc_core::sc_report_handler::report(severity_, "test", "on purpose", __FILE__, __LINE__); }
    sc_core::sc_severity severity_;
};

} // namespace

TEST_CASE("a warning or an error of SystemC fails a test", "[hardware][simulation]")
{
    const auto severity = GENERATE(sc_core::SC_WARNING, sc_core::SC_ERROR);
    test::Simulation simulation;
    Reporter reporter("reporter", severity);
    CHECK_THROWS_AS(test::run_to_end(), sc_core::sc_report);
}

} // namespace nocturne::simulation_test
