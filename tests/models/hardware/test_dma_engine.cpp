#include "models/routing/random.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/dma_bench.hpp"
#include "tests/models/hardware/transaction.hpp"

#include <algorithm>

namespace nocturne::dma_engine_test {

using test::DmaBench;
using test::DmaBenchConfig;
using test::Transaction;

namespace {

std::vector<std::uint8_t> random_bytes(std::size_t count, SplitMix64& random)
{
    std::vector<std::uint8_t> bytes(count);
    for (std::uint8_t& byte : bytes)
        byte = static_cast<std::uint8_t>(random());
    return bytes;
}

} // namespace

TEST_CASE("registers hold what a driver writes, and what it must not write they keep", "[hardware][dma]")
{
    DmaBench bench;
    for (std::uint32_t offset = 0; offset < dma_register::size; offset += 4)
        CHECK(bench.read(0, offset) == 0);
    bench.write(0, dma_register::program, 0x1234);
    CHECK(bench.read(0, dma_register::program) == 0x1234);
    CHECK(bench.read(1, dma_register::program) == 0);
    bench.write(0, dma_register::control, dma_control::interrupt_enable | dma_control::chained);
    CHECK(bench.read(0, dma_register::control) == (dma_control::interrupt_enable | dma_control::chained));
    for (const std::uint32_t offset :
         {dma_register::status, dma_register::step, dma_register::sent, dma_register::received,
          dma_register::missing, dma_register::unsent, dma_register::discarded}) {
        bench.write(0, offset, ~0u);
        CHECK(bench.read(0, offset) == 0);
    }
}

TEST_CASE("an access that is no register gets an error response", "[hardware][dma]")
{
    DmaBench bench;
    const auto command = GENERATE(tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND);
    const auto respond = [&](std::uint64_t address, std::size_t bytes) {
        std::vector<std::uint8_t> data(bytes, 0xff);
        Transaction transaction(command, address, data);
        return bench.transport(0, transaction);
    };
    CHECK(respond(dma_register::size, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(respond(1ull << 32, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(respond(2, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    for (const std::size_t bytes : {1u, 2u, 3u, 5u, 8u})
        CHECK(respond(dma_register::program, bytes) == tlm::TLM_BURST_ERROR_RESPONSE);

    std::vector<std::uint8_t> data(4, 0xff);
    Transaction enabled(command, dma_register::program, data);
    unsigned char enable = 0xff;
    enabled.set_byte_enable_ptr(&enable);
    enabled.set_byte_enable_length(1);
    CHECK(bench.transport(0, enabled) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    Transaction narrow(command, dma_register::program, data);
    narrow.set_streaming_width(2);
    CHECK(bench.transport(0, narrow) == tlm::TLM_BURST_ERROR_RESPONSE);
    CHECK(bench.read(0, dma_register::program) == 0);
}

TEST_CASE("debug transport reads registers and changes nothing", "[hardware][dma]")
{
    DmaBench bench;
    bench.write(0, dma_register::program, 64);
    std::vector<std::uint8_t> data(4);
    Transaction read(tlm::TLM_READ_COMMAND, dma_register::program, data);
    CHECK(bench.debug(0, read) == 4);
    CHECK(data[0] == 64);
    Transaction write(tlm::TLM_WRITE_COMMAND, dma_register::program, data);
    CHECK(bench.debug(0, write) == 0);
    Transaction outside(tlm::TLM_READ_COMMAND, dma_register::size, data);
    CHECK(bench.debug(0, outside) == 0);
}

TEST_CASE("a step takes the start-up time and the message's time, not a cycle less or more",
          "[hardware][dma]")
{
    DmaBenchConfig config;
    config.hardware.t0_ns = GENERATE(0.0, 2.0, 1000.0);
    DmaBench bench(config);
    const std::uint32_t bytes = GENERATE(1u, 4u, 100u, 512u);
    bench.load_one_message(bytes);
    bench.start_all(dma_control::interrupt_enable);
    const Cycle end = bench.start_up_cycles() + bench.transfer_cycles(0, 1, bytes);
    const auto in_all = [&](std::uint32_t status, bool interrupt) {
        for (const ProcessorId id : {0u, 1u}) {
            CHECK(bench.status(id) == status);
            CHECK(bench.interrupt(id) == interrupt);
        }
    };
    in_all(dma_status::busy, false);
    test::run_before(bench.network().domain(), end);
    in_all(dma_status::busy, false);
    CHECK(bench.read(1, dma_register::received) == 0);
    test::run_through(bench.network().domain(), end);
    in_all(dma_status::done, true);
    CHECK(bench.read(0, dma_register::sent) == 1);
    CHECK(bench.read(1, dma_register::received) == 1);
    REQUIRE(bench.engine(1).step_times().size() == 1);
    CHECK(bench.engine(1).step_times()[0].begin == sc_core::SC_ZERO_TIME);
    CHECK(bench.cycle_of(bench.engine(1).step_times()[0].end) == end);
    CHECK(bench.network().blocked_cycles() == 0);

    // The interrupt stays until it is acknowledged.
    test::run_to_end();
    in_all(dma_status::done, true);
    bench.write(0, dma_register::status, dma_status::done);
    bench.write(1, dma_register::control, 0);
    test::run_to_end();
    CHECK(bench.status(0) == 0);
    CHECK(bench.status(1) == dma_status::done);
    CHECK_FALSE(bench.interrupt(0));
    CHECK_FALSE(bench.interrupt(1));
}

TEST_CASE("an engine whose interrupt is not enabled is done in silence", "[hardware][dma]")
{
    DmaBench bench;
    bench.load_one_message(10);
    bench.start_all();
    test::run_to_end();
    CHECK(bench.status(0) == dma_status::done);
    CHECK_FALSE(bench.interrupt(0));
    bench.write(0, dma_register::control, dma_control::interrupt_enable);
    test::run_to_end();
    CHECK(bench.interrupt(0));
}

TEST_CASE("every byte arrives where it should, and no other is touched", "[hardware][dma]")
{
    DmaBenchConfig config;
    config.hardware.flit_bytes = GENERATE(1u, 3u, 4u, 16u);
    const std::uint32_t bytes = GENERATE(0u, 1u, 2u, 3u, 4u, 5u, 15u, 16u, 17u, 63u, 64u, 65u, 511u);
    const std::uint32_t from = GENERATE(0u, 3u);
    DmaBench bench(config);
    SplitMix64 random(bytes);
    const std::vector<std::uint8_t> data = random_bytes(1024, random);
    const std::vector<std::uint8_t> before = random_bytes(2048, random);
    bench.poke(0, 0, data);
    bench.poke(1, 0, before);
    bench.load_one_message(bytes, from);
    const std::vector<std::uint8_t> sender = bench.peek(0);
    std::vector<std::uint8_t> expected = bench.peek(1);
    std::copy_n(data.begin() + from, bytes, expected.begin() + 512);
    bench.start_all();
    test::run_to_end();
    CHECK(bench.status(1) == dma_status::done);
    CHECK(bench.peek(1) == expected);
    CHECK(bench.peek(0) == sender);
    CHECK(bench.network().packets().in_flight() == 0);
}

TEST_CASE("a message is read when it is sent: what changes in memory later does not travel",
          "[hardware][dma]")
{
    DmaBench bench;
    bench.poke(0, 0, std::vector<std::uint8_t>(400, 1));
    bench.load_one_message(400);
    bench.start_all();
    test::run_through(bench.network().domain(), bench.start_up_cycles() + 20);
    bench.poke(0, 0, std::vector<std::uint8_t>(400, 2));
    test::run_to_end();
    const std::vector<std::uint8_t> received = bench.peek(1);
    CHECK(std::count(received.begin() + 512, received.begin() + 912, 1) == 400);
}

TEST_CASE("under the barrier a step begins for all when the last has ended the one before", "[hardware][dma]")
{
    DmaBenchConfig config;
    config.topology = "complete:3";
    DmaBench bench(config);
    // Step 0: 0 sends a short message and 1 a long one. Step 1: 2 sends one to 0.
    bench.load(0, {bench.send(0, 0, 2, 8), DmaBench::receive(1, 1), DmaBench::end(2)});
    bench.load(1, {bench.send(0, 1, 2, 800), DmaBench::end(2)});
    bench.load(2, {DmaBench::receive(0, 2), bench.send(1, 2, 0, 80), DmaBench::end(2)});
    bench.start_all();
    test::run_to_end();
    const Cycle first = bench.start_up_cycles() + bench.transfer_cycles(1, 2, 800);
    const Cycle second = first + bench.start_up_cycles() + bench.transfer_cycles(2, 0, 80);
    for (const ProcessorId id : {0u, 1u, 2u}) {
        REQUIRE(bench.status(id) == dma_status::done);
        CHECK(bench.read(id, dma_register::step) == 2);
        REQUIRE(bench.engine(id).step_times().size() == 2);
        CHECK(bench.cycle_of(bench.engine(id).step_times()[1].begin) == first);
    }
    CHECK(bench.cycle_of(bench.engine(2).step_times()[0].end) == first);
    CHECK(bench.cycle_of(bench.engine(0).step_times()[1].end) == second);
    CHECK(bench.cycle_of(sc_core::sc_time_stamp()) >= second);
}

TEST_CASE("self-timed, an engine goes on when its own step is done", "[hardware][dma]")
{
    DmaBenchConfig config;
    config.topology = "complete:3";
    DmaBench bench(config);
    // A chain: 0 sends to 1, which may send on to 2 only when the message has come; 0 sends twice.
    bench.load(0, {bench.send(0, 0, 1, 400), bench.send(1, 0, 1, 8), DmaBench::end(2)});
    bench.load(1,
               {DmaBench::receive(0, 1), bench.send(1, 1, 2, 40), DmaBench::receive(1, 1), DmaBench::end(2)});
    bench.load(2, {DmaBench::receive(1, 1), DmaBench::end(2)});
    bench.start_all(dma_control::self_timed);
    test::run_to_end();
    const auto& times = [&](ProcessorId id) { return bench.engine(id).step_times(); };
    for (const ProcessorId id : {0u, 1u, 2u}) {
        REQUIRE(bench.status(id) == dma_status::done);
        REQUIRE(times(id).size() == 2);
    }
    const Cycle arrival = bench.start_up_cycles() + bench.transfer_cycles(0, 1, 400);
    CHECK(bench.cycle_of(times(1)[0].end) == arrival);
    CHECK(bench.cycle_of(times(1)[1].begin) == arrival);
    // 0 is done with its first message when the last flit has left: one link, two routers and back before it
    // arrives. Nobody holds it back.
    const Cycle left = bench.start_up_cycles() + 1 + 400 / 4 - 1;
    CHECK(bench.cycle_of(times(0)[0].end) == left);
    CHECK(bench.cycle_of(times(0)[1].begin) == left);
    // Nothing to do in step 0: 2 is in its second step at once.
    CHECK(bench.cycle_of(times(2)[1].begin) == 0);
    CHECK(bench.cycle_of(times(2)[1].end) ==
          arrival + bench.start_up_cycles() + bench.transfer_cycles(1, 2, 40));
}

TEST_CASE("chained, only the first step with something to send waits for the start-up time",
          "[hardware][dma]")
{
    DmaBench bench;
    const std::uint32_t chained = GENERATE(0u, dma_control::chained);
    // The engine sends in steps 1, 2 and 3, and waits in none of the others.
    bench.load(0,
               {bench.send(1, 0, 1, 40), bench.send(2, 0, 1, 40), bench.send(3, 0, 1, 40), DmaBench::end(5)});
    bench.load(1,
               {DmaBench::receive(1, 1), DmaBench::receive(2, 1), DmaBench::receive(3, 1), DmaBench::end(5)});
    bench.start_all(chained);
    test::run_to_end();
    REQUIRE(bench.status(1) == dma_status::done);
    const Cycle start_ups = (chained != 0 ? 1 : 3) * bench.start_up_cycles();
    CHECK(bench.cycle_of(bench.engine(1).step_times()[3].end) ==
          start_ups + 3 * bench.transfer_cycles(0, 1, 40));
    CHECK(bench.engine(1).step_times().size() == 5);
}

TEST_CASE("a message that comes before its step counts when the step comes", "[hardware][dma]")
{
    DmaBench bench;
    DmaDescriptor early = bench.send(0, 0, 1, 16);
    early.remote_step = 3;
    bench.load(0, {early, DmaBench::end(4)});
    bench.load(1, {bench.send(1, 1, 0, 400), DmaBench::receive(3, 1), DmaBench::end(4)});
    bench.start_all(dma_control::self_timed);
    test::run_to_end();
    CHECK(bench.status(1) == dma_status::done);
    CHECK(bench.read(1, dma_register::received) == 1);
}

TEST_CASE("a busy engine ignores a second start and keeps its program", "[hardware][dma]")
{
    DmaBench bench;
    bench.load_one_message(100);
    bench.start_all();
    test::run_through(bench.network().domain(), 10);
    bench.write(0, dma_register::program, 0);
    CHECK(bench.read(0, dma_register::program) == DmaBench::program_address);
    bench.start(0);
    test::run_to_end();
    CHECK(bench.status(0) == dma_status::done);
    CHECK(bench.read(0, dma_register::sent) == 1);
    CHECK(bench.cycle_of(bench.engine(1).step_times()[0].end) ==
          bench.start_up_cycles() + bench.transfer_cycles(0, 1, 100));
}

TEST_CASE("an engine can be started again, and begins anew", "[hardware][dma]")
{
    DmaBench bench;
    bench.load_one_message(100);
    for (int run = 0; run < 3; ++run) {
        const sc_core::sc_time begin = sc_core::sc_time_stamp();
        bench.start_all(dma_control::interrupt_enable);
        test::run_to_end();
        REQUIRE(bench.status(1) == dma_status::done);
        CHECK(bench.read(0, dma_register::sent) == 1);
        CHECK(bench.read(1, dma_register::received) == 1);
        REQUIRE(bench.engine(1).step_times().size() == 1);
        CHECK(bench.cycle_of(bench.engine(1).step_times()[0].end - begin) ==
              bench.start_up_cycles() + bench.transfer_cycles(0, 1, 100));
    }
}

TEST_CASE("a program without steps is done at once", "[hardware][dma]")
{
    DmaBench bench;
    bench.load(0, {DmaBench::end(0)});
    bench.start(0);
    CHECK(bench.status(0) == dma_status::done);
    CHECK(bench.engine(0).step_times().empty());
}

} // namespace nocturne::dma_engine_test
