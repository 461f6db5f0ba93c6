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

class Ticker final : public Clocked {
public:
    explicit Ticker(ClockDomain& domain) : domain_(domain) { domain_.schedule(1, *this, 0); }
    void on_event(std::uint32_t, std::uint64_t) override
    {
        ++ticks;
        domain_.schedule(domain_.now() + 1, *this, 0);
    }
    int ticks = 0;

private:
    ClockDomain& domain_;
};

} // namespace

TEST_CASE("a thousand simulations fit into one process, each starts at zero", "[hardware][simulation]")
{
    for (int i = 0; i < 1000; ++i) {
        test::Simulation simulation;
        ClockDomain domain("clock", sc_core::sc_time(2, sc_core::SC_NS));
        REQUIRE(sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME);
        Ticker ticker(domain);
        test::run_before(domain, 10);
        REQUIRE(ticker.ticks == 9);
        test::run_through(domain, 10);
        REQUIRE(ticker.ticks == 10);
    }
}

TEST_CASE("a warning or an error of SystemC fails a test", "[hardware][simulation]")
{
    const auto severity = GENERATE(sc_core::SC_WARNING, sc_core::SC_ERROR);
    test::Simulation simulation;
    Reporter reporter("reporter", severity);
    CHECK_THROWS_AS(test::run_to_end(), sc_core::sc_report);
}

TEST_CASE("two modules of one name are a warning, so a test hears of it", "[hardware][simulation]")
{
    test::Simulation simulation;
    ClockDomain first("clock", sc_core::sc_time(2, sc_core::SC_NS));
    CHECK_THROWS_AS(ClockDomain("clock", sc_core::sc_time(2, sc_core::SC_NS)), sc_core::sc_report);
}

} // namespace nocturne::simulation_test
