#include "models/hardware/kernel.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <functional>
#include <stdexcept>
#include <utility>

namespace nocturne::kernel_test {

namespace {

/// Does something in its process at 3 ns.
class Thrower final : public sc_core::sc_module {
public:
    Thrower(const sc_core::sc_module_name& name, std::function<void()> action)
        : sc_module(name), action_(std::move(action))
    {
        SC_HAS_PROCESS(Thrower);
        SC_METHOD(act);
        dont_initialize();
        sensitive << event_;
        event_.notify(3, sc_core::SC_NS);
    }

private:
    void act() { action_(); }

    std::function<void()> action_;
    sc_core::sc_event event_;
};

} // namespace

TEST_CASE("what a process throws, and a warning, arrive as one line with the simulated time",
          "[hardware][kernel]")
{
    const bool throws = GENERATE(true, false);
    test::Simulation simulation;
    prepare_kernel();
    Thrower thrower("thrower", [=] {
        if (throws)
            throw std::runtime_error("no way");
        SC_REPORT_WARNING("clock", "no way");
    });
    CHECK_THROWS_WITH(run_kernel(), "simulation, at 3 ns: no way");
}

TEST_CASE("a second simulation in a process is refused, and the reason said", "[hardware][kernel]")
{
    test::Simulation simulation;
    prepare_kernel();
    Thrower thrower("thrower", [] {});
    run_kernel(sc_core::sc_time(1, sc_core::SC_NS));
    CHECK_THROWS_WITH(prepare_kernel(), Catch::Contains("worker process of its own"));
}

} // namespace nocturne::kernel_test
