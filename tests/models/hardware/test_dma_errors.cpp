#include "tests/catch.hpp"
#include "tests/models/hardware/dma_bench.hpp"

#include <algorithm>
#include <limits>

namespace nocturne::dma_errors_test {

using test::DmaBench;
using test::DmaBenchConfig;

namespace {

constexpr std::uint32_t largest = std::numeric_limits<std::uint32_t>::max();

struct BadProgram {
    const char* error; ///< part of it
    std::size_t word;  ///< of the good program, that is spoiled
    std::uint32_t value;
};

/// Two steps: a message in each, and an end.
std::vector<std::uint32_t> good_program(const DmaBench& bench)
{
    DmaDescriptor second = bench.send(1, 0, 1, 40);
    second.remote_step = 0;
    return encode({bench.send(0, 0, 1, 40), second, DmaBench::end(2)}, DmaBench::program_address);
}

} // namespace

TEST_CASE("a bad program sets the error bit, says why, and leaves nothing behind", "[hardware][dma]")
{
    constexpr std::uint32_t send_with_one_hop = 1u | 1u << 8;
    // Words of a descriptor: opcode and hops, step, destination, route, remote step, local address, remote
    // address, length. The routes begin at word 24.
    const BadProgram bad = GENERATE(values<BadProgram>({
        {"opcode 5", 0, 5},
        {"opcode 255", 8, 0xff},
        {"step 0 after step 1", 17, 0},
        {"memory refuses 4 bytes", 0, 1u | 0xffffffu << 8}, // a route that runs out of the memory
        {"memory refuses 4 bytes", 3, 4096},                // a route outside
        {"memory refuses 4 bytes", 3, largest},
        {"memory refuses", 5, 4096}, // data outside
        {"memory refuses", 5, 4096 - 39},
        {"memory refuses", 5, largest - 10}, // beyond 32 bits
        {"memory refuses", 7, largest},      // longer than the memory
        {"memory refuses", 7, 4097},
        {"memory refuses", 13, 4096}, // in the second step
        {"processor 2 does not exist", 2, 2},
        {"processor 4294967295 does not exist", 2, largest},
        {"route from processor 0 to 0", 2, 0}, // ends elsewhere
        {"route from processor 0 to 1", 0, 1}, // too short
        {"no channel 1", 24, 1},               // starts elsewhere
        {"no channel 16777215", 24, 0xffffff}, // does not exist
        {"class 1", 24, 1u << 24},
        {"route from processor 0 to 1", 8, send_with_one_hop + (1u << 8)},
    }));
    CAPTURE(bad.error, bad.word, bad.value);
    DmaBench bench;
    std::vector<std::uint32_t> words = good_program(bench);
    words[bad.word] = bad.value;
    bench.load(0, words);
    bench.start(0, dma_control::interrupt_enable | dma_control::self_timed);
    test::run_to_end();
    CHECK(bench.status(0) == dma_status::error);
    CHECK(bench.interrupt(0));
    CHECK_THAT(bench.engine(0).error(), Catch::StartsWith("board.engine_0: ") && Catch::Contains(bad.error));
    CHECK(bench.network().packets().in_flight() == 0);

    // The next program finds an engine as good as new.
    bench.load(0, good_program(bench));
    bench.start(0, dma_control::self_timed);
    test::run_to_end();
    CHECK(bench.status(0) == dma_status::done);
    CHECK(bench.engine(0).error().empty());
    CHECK(bench.read(0, dma_register::sent) == 2);
}

TEST_CASE("a program outside the memory, or one that runs out of it, is an error", "[hardware][dma]")
{
    const std::uint32_t address = GENERATE(4096u, 4093u, largest - 2, 4096u - 32u);
    DmaBench bench;
    if (address == 4096u - 32u) // a receive as the last thing in the memory, and no end
        bench.load(0, {2, 0, 0, 0, 0, 0, 0, 1}, address);
    bench.write(0, dma_register::program, address);
    bench.start(0);
    test::run_to_end();
    CHECK(bench.status(0) == dma_status::error);
    CHECK_THAT(bench.engine(0).error(), Catch::Contains("memory refuses"));
}

TEST_CASE("if one message of a step is bad none is sent", "[hardware][dma]")
{
    DmaBench bench;
    DmaDescriptor bad = bench.send(0, 0, 1, 40);
    bad.local_address = 5000;
    bench.load(0, {bench.send(0, 0, 1, 40), bad, DmaBench::end(1)});
    bench.start(0);
    test::run_to_end();
    CHECK(bench.status(0) == dma_status::error);
    CHECK(bench.read(0, dma_register::sent) == 0);
    CHECK(bench.network().flit_hops() == 0);
    CHECK(bench.network().packets().in_flight() == 0);
}

TEST_CASE("a message for an address that the receiver does not have is the receiver's error",
          "[hardware][dma]")
{
    DmaBench bench;
    const std::uint32_t address = GENERATE(4096u, 4096u - 39u, largest - 7);
    DmaDescriptor line = bench.send(0, 0, 1, 40);
    line.remote_address = address;
    bench.load(0, {line, DmaBench::end(1)});
    bench.load(1, {DmaBench::receive(0, 1), DmaBench::end(1)});
    const std::vector<std::uint8_t> before = bench.peek(1);
    bench.start_all(dma_control::interrupt_enable | dma_control::self_timed);
    test::run_to_end();
    CHECK(bench.status(0) == dma_status::done);
    CHECK(bench.status(1) == dma_status::error);
    CHECK(bench.interrupt(1));
    CHECK_THAT(bench.engine(1).error(), Catch::Contains("memory refuses 4 bytes at address"));
    const std::vector<std::uint8_t> after = bench.peek(1);
    CHECK(std::equal(before.begin(), before.begin() + 4000, after.begin())); // no address wraps around
    CHECK(bench.network().packets().in_flight() == 0);
}

TEST_CASE("an engine that has failed does not go on", "[hardware][dma]")
{
    DmaBenchConfig config;
    config.hardware.t0_ns = 100;
    DmaBench bench(config);
    DmaDescriptor line = bench.send(0, 0, 1, 40);
    line.remote_address = 4096;
    bench.load(0, {line, DmaBench::end(1)});
    // 1 is in the start-up time of its second step when the message comes.
    bench.load(1, {DmaBench::receive(0, 0), bench.send(1, 1, 0, 8), DmaBench::end(2)});
    bench.start(0, dma_control::self_timed);
    test::run_before(bench.network().domain(), 50);
    bench.start(1, dma_control::self_timed);
    test::run_to_end();
    CHECK(bench.status(1) == dma_status::error);
    CHECK(bench.read(1, dma_register::sent) == 0);
}

TEST_CASE("a start during the start-up time of a run that failed waits the whole time", "[hardware][dma]")
{
    DmaBench bench;
    DmaDescriptor line = bench.send(0, 0, 1, 4);
    line.remote_address = 4096;
    bench.load(0, {line, DmaBench::end(1)});
    bench.load(1, {bench.send(0, 1, 0, 8), DmaBench::end(1)});
    bench.start(0, dma_control::self_timed);
    const Cycle arrival = bench.start_up_cycles() + bench.transfer_cycles(0, 1, 4);
    test::run_before(bench.network().domain(), arrival - 100);
    bench.start(1, dma_control::self_timed);
    test::run_before(bench.network().domain(), arrival + 100);
    REQUIRE(bench.status(1) == dma_status::error);
    bench.start(1, dma_control::self_timed);
    test::run_to_end();
    REQUIRE(bench.status(1) == dma_status::done);
    CHECK(bench.cycle_of(bench.engine(1).step_times()[0].end) ==
          arrival + 100 + bench.start_up_cycles() + 1 + 8 / 4 - 1);
}

TEST_CASE("a failed engine is busy until what it has sent has left, and then as good as new",
          "[hardware][dma]")
{
    DmaBench bench;
    // 1 fails by a bad address while its own long message is on its way into the network.
    DmaDescriptor bad = bench.send(0, 0, 1, 40);
    bad.remote_address = 4096;
    bench.load(0, {bad, DmaBench::end(1)});
    bench.load(1, {bench.send(0, 1, 0, 2000), DmaBench::end(1)});
    bench.start_all(dma_control::self_timed);
    const Cycle left = bench.start_up_cycles() + 1 + 2000 / 4 - 1;
    test::run_before(bench.network().domain(), left);
    REQUIRE(bench.status(1) == (dma_status::error | dma_status::busy));
    bench.start(1, dma_control::self_timed);
    CHECK(bench.status(1) == (dma_status::error | dma_status::busy));
    test::run_through(bench.network().domain(), left);
    CHECK(bench.status(1) == dma_status::error);
    bench.start(1, dma_control::self_timed);
    CHECK(bench.status(1) == dma_status::busy);
    test::run_to_end();
    CHECK(bench.status(1) == dma_status::done);
    CHECK(bench.read(1, dma_register::sent) == 1);
    CHECK(bench.network().packets().in_flight() == 0);
}

TEST_CASE("a message may count for any step", "[hardware][dma]")
{
    DmaBench bench;
    DmaDescriptor line = bench.send(0, 0, 1, 40);
    line.remote_step = GENERATE(1u, 1000000u, largest - 1, largest);
    bench.load(0, {line, DmaBench::end(1)});
    bench.load(1, {DmaBench::receive(0, 0), DmaBench::end(1)});
    bench.start_all();
    test::run_to_end();
    CHECK(bench.read(1, dma_register::received) == 1);
    CHECK(bench.status(1) == dma_status::done);
}

} // namespace nocturne::dma_errors_test
