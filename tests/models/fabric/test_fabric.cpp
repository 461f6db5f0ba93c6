#include "models/network/zero_load.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/fabric/small_platform.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <fmt/format.h>

#include <set>

namespace nocturne::fabric_test {

using test::OwnedPayload;
using test::report_of;
using test::ScriptedInitiator;
using test::SmallPlatform;
using test::with_timing;

namespace {

/// Runs the script as `cpu` of a platform.
void run_cpu(SmallPlatform& platform, std::function<void(ScriptedInitiator&)> script)
{
    platform.cpu.script = std::move(script);
    test::run_to_end();
}

sc_core::sc_time cycles(std::uint64_t count, const FabricConfig& config)
{
    return sc_core::sc_time(static_cast<double>(count) * config.hardware.cycle_ns, sc_core::SC_NS);
}

} // namespace

TEST_CASE(
    "a single transaction takes the cycles of the zero-load formula, with every timing and both transports",
    "[fabric]")
{
    FabricConfig config = with_timing(GENERATE(FabricTiming::lt, FabricTiming::at, FabricTiming::flit));
    const bool is_blocking = GENERATE(true, false);
    const tlm::tlm_command command = GENERATE(tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND);
    const unsigned bytes = GENERATE(1u, 4u, 63u);
    const bool has_enables = GENERATE(true, false);
    CAPTURE(to_string(config.timing), is_blocking, command, bytes, has_enables);
    const test::Simulation simulation;
    SmallPlatform platform(config);
    OwnedPayload payload(command, 0x1000, bytes);
    std::vector<std::uint8_t> enables(bytes, TLM_BYTE_ENABLED);
    payload.set_byte_enable_ptr(has_enables ? enables.data() : nullptr);
    payload.set_byte_enable_length(bytes);

    const unsigned header = config.header_bytes;
    const bool is_write = command == tlm::TLM_WRITE_COMMAND;
    const auto to =
        make_routing(platform.topology, "auto").route(SmallPlatform::cpu_at, SmallPlatform::ram_at);
    const auto back =
        make_routing(platform.topology, "auto").route(SmallPlatform::ram_at, SmallPlatform::cpu_at);
    const std::uint64_t expected =
        zero_load_cycles(
            platform.topology, config.hardware, to,
            config.hardware.flits(header + (is_write ? bytes : 0) + (has_enables ? (bytes + 7) / 8 : 0))) +
        zero_load_cycles(platform.topology, config.hardware, back,
                         config.hardware.flits(header + (is_write ? 0 : bytes)));

    sc_core::sc_time end;
    run_cpu(platform, [&](ScriptedInitiator& cpu) {
        sc_core::sc_time delay;
        if (is_blocking) {
            cpu.socket->b_transport(payload, delay);
            end = sc_core::sc_time_stamp() + delay;
        } else {
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            CHECK(cpu.socket->nb_transport_fw(payload, phase, delay) == tlm::TLM_UPDATED);
            CHECK(phase == tlm::END_REQ);
        }
    });
    if (!is_blocking) {
        REQUIRE(platform.cpu.calls.size() == 1);
        end = platform.cpu.calls[0].at;
    }
    CHECK(payload.get_response_status() == (has_enables ? tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE
                                                        : tlm::TLM_OK_RESPONSE)); // as the memory answers
    CHECK(end == cycles(expected, config));
    CHECK(platform.fabric->stats(0, 0).transactions == 1);
    CHECK(platform.fabric->stats(0, 0).latency == cycles(expected, config));
    CHECK(payload.get_ref_count() == 1);
    CHECK(platform.fabric->in_flight() == 0);
}

TEST_CASE(
    "what is asked with an annotated delay happens that much later; lt never waits, at and flit always do",
    "[fabric]")
{
    const FabricConfig config = with_timing(GENERATE(FabricTiming::lt, FabricTiming::at, FabricTiming::flit));
    CAPTURE(to_string(config.timing));
    std::vector<sc_core::sc_time> ends;
    for (const unsigned ahead_cycles : {0u, 100u}) {
        const test::Simulation simulation;
        SmallPlatform platform(config);
        OwnedPayload payload(tlm::TLM_READ_COMMAND, 0x1000, 4);
        run_cpu(platform, [&](ScriptedInitiator& cpu) {
            sc_core::sc_time delay = cycles(ahead_cycles, config);
            cpu.socket->b_transport(payload, delay);
            ends.push_back(sc_core::sc_time_stamp() + delay);
            CHECK((sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME) == (config.timing == FabricTiming::lt));
            CHECK((delay == sc_core::SC_ZERO_TIME) == (config.timing != FabricTiming::lt));
        });
    }
    CHECK(ends[1] - ends[0] == cycles(100, config));
}

TEST_CASE("the fixed latency is added to each transaction once", "[fabric]")
{
    FabricConfig config = with_timing(FabricTiming::fixed);
    config.fixed_latency_ns = GENERATE(0.0, 13.0);
    const test::Simulation simulation;
    SmallPlatform platform(config);
    OwnedPayload first(tlm::TLM_WRITE_COMMAND, 0x1000, 4);
    OwnedPayload second(tlm::TLM_READ_COMMAND, 0x1000, 4);
    run_cpu(platform, [&](ScriptedInitiator& cpu) {
        sc_core::sc_time delay(5, sc_core::SC_NS);
        cpu.socket->b_transport(first, delay);
        CHECK(delay == sc_core::sc_time(5 + config.fixed_latency_ns, sc_core::SC_NS));
        test::begin_request(cpu, second);
    });
    REQUIRE(platform.cpu.calls.size() == 1);
    CHECK(platform.cpu.calls[0].at == sc_core::sc_time(config.fixed_latency_ns, sc_core::SC_NS));
}

TEST_CASE("END_REQ is withheld while an initiator has its requests in flight", "[fabric]")
{
    FabricConfig config = with_timing(GENERATE(FabricTiming::lt, FabricTiming::at, FabricTiming::flit));
    config.requests_in_flight = 2;
    const test::Simulation simulation;
    SmallPlatform platform(config);
    std::vector<std::unique_ptr<OwnedPayload>> payloads;
    for (unsigned i = 0; i < 3; ++i)
        payloads.push_back(std::make_unique<OwnedPayload>(tlm::TLM_READ_COMMAND, 0x1000 + 4 * i, 4));
    std::vector<tlm::tlm_sync_enum> answers;
    run_cpu(platform, [&](ScriptedInitiator& cpu) {
        for (const auto& payload : payloads)
            answers.push_back(test::begin_request(cpu, *payload));
    });
    CHECK(answers == std::vector<tlm::tlm_sync_enum>{tlm::TLM_UPDATED, tlm::TLM_UPDATED, tlm::TLM_ACCEPTED});
    // The response of the first, then END_REQ of the third, then the other responses, in order.
    REQUIRE(platform.cpu.calls.size() == 4);
    CHECK(platform.cpu.calls[0].payload == payloads[0].get());
    CHECK(platform.cpu.calls[1].payload == payloads[2].get());
    CHECK(platform.cpu.calls[1].phase == tlm::END_REQ);
    CHECK(platform.cpu.calls[1].at >= platform.cpu.calls[0].at);
    CHECK(platform.cpu.calls[2].payload == payloads[1].get());
    CHECK(platform.cpu.calls[3].payload == payloads[2].get());
}

TEST_CASE("an address that nobody has, or that crosses the end of its range, is an error response; a "
          "streaming width narrower than the data keeps a transaction in it",
          "[fabric]")
{
    const FabricConfig config =
        with_timing(GENERATE(FabricTiming::fixed, FabricTiming::lt, FabricTiming::at, FabricTiming::flit));
    const auto [address, bytes, width] =
        GENERATE(table<std::uint64_t, unsigned, unsigned>({{0xfff, 1, 1},
                                                           {0x2000, 4, 4},
                                                           {0x1ffd, 4, 4},
                                                           {0xffffffffffffffff, 2, 2},
                                                           {0x1ffc, 16, 5},
                                                           {0x1ffc, 16, 4}})); // narrow enough
    const bool is_there = width == 4 && bytes == 16;
    CAPTURE(to_string(config.timing), address, bytes, width);
    const test::Simulation simulation;
    SmallPlatform platform(config);
    OwnedPayload blocking(tlm::TLM_READ_COMMAND, address, bytes);
    OwnedPayload nonblocking(tlm::TLM_WRITE_COMMAND, address, bytes);
    blocking.set_streaming_width(width);
    nonblocking.set_streaming_width(width);
    run_cpu(platform, [&](ScriptedInitiator& cpu) {
        sc_core::sc_time delay(7, sc_core::SC_NS);
        cpu.socket->b_transport(blocking, delay);
        if (is_there)
            return;
        CHECK(delay == sc_core::sc_time(7, sc_core::SC_NS));
        CHECK(test::begin_request(cpu, nonblocking) == tlm::TLM_COMPLETED);
    });
    CHECK(platform.fabric->address_errors() == (is_there ? 0 : 2));
    if (is_there)
        return;
    CHECK(blocking.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(nonblocking.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(blocking.get_address() == address);
    CHECK(nonblocking.get_ref_count() == 1);
}

TEST_CASE("debug access sees the target's bytes as far as the range reaches, and takes no time", "[fabric]")
{
    const FabricConfig config = with_timing(GENERATE(FabricTiming::lt, FabricTiming::flit));
    const test::Simulation simulation;
    SmallPlatform platform(config);
    OwnedPayload write(tlm::TLM_WRITE_COMMAND, 0x1ffc, 8);
    OwnedPayload read(tlm::TLM_READ_COMMAND, 0x1ffc, 4);
    OwnedPayload nowhere(tlm::TLM_READ_COMMAND, 0x3000, 4);
    for (unsigned i = 0; i < 8; ++i)
        write.data[i] = static_cast<std::uint8_t>(i + 1);
    run_cpu(platform, [&](ScriptedInitiator& cpu) {
        CHECK(cpu.socket->transport_dbg(write) == 4);
        CHECK(cpu.socket->transport_dbg(read) == 4);
        CHECK(cpu.socket->transport_dbg(nowhere) == 0);
        CHECK(sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME);
    });
    CHECK(write.get_data_length() == 8);
    CHECK(write.get_address() == 0x1ffc);
    CHECK(read.data == std::vector<std::uint8_t>{1, 2, 3, 4});
    CHECK(platform.ram.contents()[0xfff] == 4);
}

TEST_CASE(
    "memory is granted if that is asked for, with the initiator's addresses, and ends where its range ends",
    "[fabric][dmi]")
{
    FabricConfig config = with_timing(FabricTiming::lt);
    config.grants_dmi = GENERATE(true, false);
    const test::Simulation simulation;
    SmallPlatform platform(config);
    struct Case {
        std::uint64_t address;
        std::uint64_t first;
        std::uint64_t last;
        std::size_t offset;
    };
    const Case granted = GENERATE(Case{0x1800, 0x1000, 0x1fff, 0}, Case{0x8010, 0x8000, 0x80ff, 0x8000});
    OwnedPayload payload(tlm::TLM_READ_COMMAND, granted.address, 4);
    run_cpu(platform, [&](ScriptedInitiator& cpu) {
        tlm::tlm_dmi memory;
        REQUIRE(cpu.socket->get_direct_mem_ptr(payload, memory) == config.grants_dmi);
        if (!config.grants_dmi)
            return;
        CHECK(memory.get_start_address() == granted.first);
        CHECK(memory.get_end_address() == granted.last);
        const auto& target = granted.address < 0x8000 ? platform.ram : platform.rom;
        CHECK(memory.get_dmi_ptr() == target.contents().data() + granted.offset);
        CHECK(payload.get_address() == granted.address);
        OwnedPayload nowhere(tlm::TLM_READ_COMMAND, 0x3000, 4);
        CHECK_FALSE(cpu.socket->get_direct_mem_ptr(nowhere, memory));
        CHECK(memory.get_start_address() == 0x3000);
        CHECK(memory.get_end_address() == 0x3000);
    });
}

TEST_CASE("all initiators hear of an invalidation, in their addresses and within their ranges",
          "[fabric][dmi]")
{
    const test::Simulation simulation;
    SmallPlatform platform(with_timing(FabricTiming::lt));
    using Invalidations = std::vector<ScriptedInitiator::Invalidation>;
    run_cpu(platform, [&](ScriptedInitiator&) {
        platform.ram.socket->invalidate_direct_mem_ptr(0x10, 0xffffffff);
        platform.rom.socket->invalidate_direct_mem_ptr(0, 0x7fff);
    });
    const Invalidations expected{{0x1010, 0x1fff}};
    CHECK(platform.cpu.invalidations == expected);
    CHECK(platform.dma.invalidations == expected);
}

TEST_CASE("sockets of every bus width can be bound, and only with their width", "[fabric]")
{
    const test::Simulation simulation;
    const Topology topology = make_topology("ring:3");
    FabricPorts ports;
    std::vector<AddressRange> ranges;
    for (const unsigned width : {32u, 64u, 128u, 256u, 512u}) {
        ports.initiators.push_back({fmt::format("i{}", width), 0, width});
        ports.targets.push_back({fmt::format("t{}", width), 1, width});
        ranges.push_back({fmt::format("t{}", width), width, width});
    }
    Fabric fabric("fabric", topology, AddressMap(ranges), ports, {});
    CHECK_NOTHROW(fabric.target_socket<32>("i32"));
    CHECK_NOTHROW(fabric.target_socket<64>("i64"));
    CHECK_NOTHROW(fabric.target_socket<128>("i128"));
    CHECK_NOTHROW(fabric.target_socket<256>("i256"));
    CHECK_NOTHROW(fabric.target_socket<512>("i512"));
    CHECK_NOTHROW(fabric.initiator_socket<512>("t512"));
    CHECK(report_of([&] { fabric.target_socket<64>("i32"); }) ==
          "fabric: 'i32' has a bus of 32 bits, not 64");
    CHECK_THAT(report_of([&] { fabric.initiator_socket<32>("t23"); }),
               Catch::StartsWith("fabric: unknown target 't23'"));
}

TEST_CASE("a socket that is not bound, or twice, is named when the simulation starts", "[fabric]")
{
    const test::Simulation simulation;
    const Topology topology = make_topology("mesh:2x2");
    Fabric fabric("fabric", topology, AddressMap({{"ram", 0, 15}}), {{{"cpu", 0}}, {{"ram", 1}}}, {});
    SECTION("of an initiator")
    {
        Memory ram("ram", 16);
        fabric.initiator_socket<32>("ram").bind(ram.socket);
        CHECK(report_of([] { sc_core::sc_start(); }) == "fabric: the socket of initiator 'cpu' is not bound");
    }
    SECTION("of a target")
    {
        ScriptedInitiator cpu("cpu");
        cpu.socket.bind(fabric.target_socket<32>("cpu"));
        CHECK(report_of([] { sc_core::sc_start(); }) == "fabric: the socket of target 'ram' is not bound");
    }
    SECTION("by two initiators")
    {
        Memory ram("ram", 16);
        fabric.initiator_socket<32>("ram").bind(ram.socket);
        ScriptedInitiator cpu("cpu");
        ScriptedInitiator dma("dma");
        for (ScriptedInitiator* const each : {&cpu, &dma})
            each->socket.bind(fabric.target_socket<32>("cpu"));
        CHECK(report_of([] { sc_core::sc_start(); }) ==
              "fabric: the socket of initiator 'cpu' is bound 2 times");
    }
    SECTION("to two targets")
    {
        ScriptedInitiator cpu("cpu");
        cpu.socket.bind(fabric.target_socket<32>("cpu"));
        Memory ram("ram", 16);
        Memory rom("rom", 16);
        for (Memory* const each : {&ram, &rom})
            fabric.initiator_socket<32>("ram").bind(each->socket);
        CHECK(report_of([] { sc_core::sc_start(); }) ==
              "fabric: the socket of target 'ram' is bound 2 times");
    }
}

TEST_CASE("what an initiator or a target does against the protocol is an error of SystemC that names it",
          "[fabric]")
{
    FabricConfig config = with_timing(FabricTiming::lt);
    config.requests_in_flight = 1;
    const test::Simulation simulation;
    SmallPlatform platform(config);
    OwnedPayload first(tlm::TLM_READ_COMMAND, 0x1000, 4);
    OwnedPayload second(tlm::TLM_READ_COMMAND, 0x1000, 4);
    OwnedPayload third(tlm::TLM_READ_COMMAND, 0x1000, 4);
    std::vector<std::string> errors;
    std::set<std::string> places;
    const auto call = [&](OwnedPayload& payload, tlm::tlm_phase phase) {
        try {
            sc_core::sc_time delay;
            platform.cpu.socket->nb_transport_fw(payload, phase, delay);
        } catch (const sc_core::sc_report& report) {
            errors.emplace_back(report.get_msg());
            places.insert(report.get_file_name());
        }
    };
    run_cpu(platform, [&](ScriptedInitiator&) {
        call(first, tlm::END_RESP);
        call(first, tlm::BEGIN_REQ);
        call(first, tlm::BEGIN_REQ);
        call(second, tlm::BEGIN_REQ); // END_REQ is withheld
        call(third, tlm::BEGIN_REQ);
        call(third, tlm::BEGIN_RESP);
    });
    CHECK(places == std::set<std::string>{"models/fabric/fabric.cpp"});
    CHECK(errors == std::vector<std::string>{
                        "fabric: cpu: END_RESP without a response",
                        "fabric: cpu: BEGIN_REQ with the payload of a transaction that has not ended",
                        "fabric: cpu: BEGIN_REQ before the END_REQ of another request",
                        "fabric: cpu: a phase that only targets begin"});
    CHECK(platform.fabric->stats(0, 0).transactions == 2);
    CHECK(platform.fabric->in_flight() == 0);
}

} // namespace nocturne::fabric_test
