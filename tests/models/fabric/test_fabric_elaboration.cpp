// What a fabric does before the simulation runs, and what it cannot be made of.
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/fabric/small_platform.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <fmt/format.h>

namespace nocturne::fabric_elaboration_test {

using test::OwnedPayload;
using test::report_of;
using test::with_timing;

namespace {

/// Makes its call when the kernel tells it that a stage of elaboration has come.
class Caller final : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
public:
    enum class Stage { before_end_of_elaboration, end_of_elaboration, start_of_simulation };
    tlm::tlm_initiator_socket<> socket{"socket"};
    std::function<void(Caller&)> call = [](Caller&) {};

    Caller(const sc_core::sc_module_name& name, Stage stage) : sc_module(name), stage_(stage)
    {
        socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    }

    unsigned invalidations = 0;

private:
    void act(Stage stage)
    {
        if (stage == stage_)
            call(*this);
    }
    void before_end_of_elaboration() override { act(Stage::before_end_of_elaboration); }
    void end_of_elaboration() override { act(Stage::end_of_elaboration); }
    void start_of_simulation() override { act(Stage::start_of_simulation); }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override
    {
        return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override { ++invalidations; }

    const Stage stage_;
};

} // namespace

TEST_CASE("from the end of elaboration on what takes no time works, in any order of construction, and what "
          "waits is refused until the simulation runs",
          "[fabric][elaboration]")
{
    FabricConfig config =
        with_timing(GENERATE(FabricTiming::fixed, FabricTiming::lt, FabricTiming::at, FabricTiming::flit));
    config.grants_dmi = true;
    const auto stage = GENERATE(Caller::Stage::before_end_of_elaboration, Caller::Stage::end_of_elaboration,
                                Caller::Stage::start_of_simulation);
    const bool is_first = GENERATE(true, false);
    CAPTURE(to_string(config.timing), static_cast<int>(stage), is_first);
    const test::Simulation simulation;
    std::optional<Caller> caller;
    if (is_first)
        caller.emplace("caller", stage);
    Memory ram("ram", 4096);
    Fabric fabric("fabric", make_topology("mesh:2x2"), AddressMap({{"ram", 0, 4095}}),
                  {{{"cpu", 0}}, {{"ram", 3}}}, config);
    if (!is_first)
        caller.emplace("caller", stage);
    caller->socket.bind(fabric.target_socket<32>("cpu"));
    fabric.initiator_socket<32>("ram").bind(ram.socket);

    bool has_called = false;
    caller->call = [&](Caller& from) {
        has_called = true;
        OwnedPayload payload(tlm::TLM_WRITE_COMMAND, 0x10, 4);
        payload.data = {1, 2, 3, 4};
        tlm::tlm_dmi memory;
        sc_core::sc_time delay;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        // Before the end nothing is known of the socket of the fabric's own target either.
        tlm::tlm_fw_transport_if<>& socket = *fabric.target_socket<32>("cpu").get_base_export().operator->();
        if (stage == Caller::Stage::before_end_of_elaboration) {
            const std::string too_early =
                "fabric: a call before the end of elaboration, when sockets are not bound yet";
            CHECK(report_of([&] { socket.transport_dbg(payload); }) == too_early);
            CHECK(report_of([&] { socket.get_direct_mem_ptr(payload, memory); }) == too_early);
            CHECK(report_of([&] { socket.b_transport(payload, delay); }) == too_early);
            return;
        }
        CHECK(from.socket->transport_dbg(payload) == 4);
        CHECK(ram.contents()[0x12] == 3);
        CHECK(from.socket->get_direct_mem_ptr(payload, memory));
        ram.socket->invalidate_direct_mem_ptr(0, 15);
        CHECK(from.invalidations == 1);
        const std::string refused = "fabric: cpu: a transaction that takes time, before the simulation runs";
        CHECK(report_of([&] { from.socket->nb_transport_fw(payload, phase, delay); }) == refused);
        const bool waits = config.timing == FabricTiming::at || config.timing == FabricTiming::flit;
        CHECK(report_of([&] { from.socket->b_transport(payload, delay); }) == (waits ? refused : ""));
        CHECK(payload.is_response_ok() == !waits);
    };
    sc_core::sc_start(sc_core::sc_time(200, sc_core::SC_NS));
    CHECK(has_called);
    CHECK(fabric.in_flight() == 0);
}

TEST_CASE("a clock cycle or a latency that the time resolution does not have is refused", "[fabric]")
{
    struct Case {
        double resolution_ns;
        double cycle_ns;
        FabricTiming timing;
        double fixed_latency_ns;
        std::string refusal;
    };
    const std::string cycle =
        "noc: hardware: cycle_ns = {}: it must be a multiple of the time resolution, {}";
    const std::string latency =
        "noc: fabric: fixed_latency_ns = {}: it must be a multiple of the time resolution, {}";
    const Case given = GENERATE_COPY(values<Case>({
        {1, 0.5, FabricTiming::lt, 0, fmt::format(fmt::runtime(cycle), 0.5, "1 ns")},
        {1, 2.5, FabricTiming::at, 0, fmt::format(fmt::runtime(cycle), 2.5, "1 ns")},
        {1, 2.5, FabricTiming::flit, 0, fmt::format(fmt::runtime(cycle), 2.5, "1 ns")},
        {10, 2, FabricTiming::lt, 0, fmt::format(fmt::runtime(cycle), 2.0, "10 ns")},
        {10, 2, FabricTiming::fixed, 0, fmt::format(fmt::runtime(cycle), 2.0, "10 ns")},
        {1, 2, FabricTiming::fixed, 0.5, fmt::format(fmt::runtime(latency), 0.5, "1 ns")},
        {1, 2, FabricTiming::lt, 0.5, ""},
        {1, 3, FabricTiming::lt, 0, ""},
        {0.1, 2.5, FabricTiming::flit, 0, ""},
        {0.001, 0.333, FabricTiming::lt, 0, ""},
        {0.001, 999.999, FabricTiming::at, 0, ""},
        {0.000001, 333333.333, FabricTiming::lt, 0, ""},
    }));
    CAPTURE(given.resolution_ns, given.cycle_ns, to_string(given.timing));
    const test::Simulation simulation;
    // Above a nanosecond the default unit changes, which the kernel warns of.
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_DEFAULT_TIME_UNIT_CHANGED_,
                                            sc_core::SC_DO_NOTHING);
    sc_core::sc_set_time_resolution(given.resolution_ns, sc_core::SC_NS);
    FabricConfig config = with_timing(given.timing);
    config.hardware.cycle_ns = given.cycle_ns;
    config.fixed_latency_ns = given.fixed_latency_ns;
    CHECK(report_of([&] {
              const Fabric fabric("noc", make_topology("mesh:2x2"), AddressMap({{"ram", 0, 15}}),
                                  {{{"cpu", 0}}, {{"ram", 1}}}, config);
          }) == given.refusal);
}

TEST_CASE("what a fabric cannot be made of is reported with its name", "[fabric]")
{
    const test::Simulation simulation;
    struct Subsystem : sc_core::sc_module {
        explicit Subsystem(const sc_core::sc_module_name& name) : sc_module(name)
        {
            FabricConfig config;
            config.routing = "dor";
            config.hardware.vcs = 1;
            const Fabric fabric("noc", make_topology("mesh:2x2"), AddressMap({{"ram", 0, 15}}),
                                {{{"cpu", 0}}, {{"ram", 1}}}, config);
        }
    };
    CHECK(report_of([] { const Subsystem subsystem("tile"); }) ==
          "tile.noc: fabric: mesh:2x2: requests and responses need 2 virtual channels with routing dor, the "
          "hardware has 1");
}

} // namespace nocturne::fabric_elaboration_test
