// Steps that do not end: what a DMA engine reports, and how a host goes on.
#include "tests/catch.hpp"
#include "tests/models/hardware/dma_bench.hpp"

#include <cstring>

namespace nocturne::dma_time_out_test {

using test::DmaBench;
using test::DmaBenchConfig;

namespace {

constexpr std::uint32_t records = 1024; ///< address of the arrival records

std::vector<ArrivalRecord> records_of(DmaBench& bench, ProcessorId id)
{
    std::vector<ArrivalRecord> result(bench.read(id, dma_register::received));
    const std::vector<std::uint8_t> memory = bench.peek(id);
    for (std::size_t i = 0; i < result.size(); ++i)
        std::memcpy(&result[i], memory.data() + records + i * sizeof(ArrivalRecord), sizeof(ArrivalRecord));
    return result;
}

} // namespace

TEST_CASE("a message that comes in the cycle of the time-out is in time, one cycle later is too late",
          "[hardware][dma][fault]")
{
    const std::uint32_t control = GENERATE(0u, dma_control::self_timed);
    const auto status_with = [&](Cycle time_out) {
        DmaBench bench;
        bench.load_one_message(100);
        bench.write(1, dma_register::time_out, static_cast<std::uint32_t>(time_out));
        bench.start_all(control | dma_control::interrupt_enable);
        test::run_before(bench.network().domain(), time_out);
        CHECK(bench.status(1) == dma_status::busy);
        test::run_through(bench.network().domain(), time_out);
        CHECK(bench.interrupt(1));
        const std::uint32_t status = bench.status(1);
        test::run_to_end();
        CHECK(bench.status(1) == status);
        return status;
    };
    Cycle needed = 0;
    {
        DmaBench bench;
        needed = bench.start_up_cycles() + bench.transfer_cycles(0, 1, 100);
    }
    CHECK(status_with(needed) == dma_status::done);
    CHECK(status_with(needed - 1) == (dma_status::error | dma_status::timed_out));
}

TEST_CASE("a time-out says what is missing, and a late message still counts", "[hardware][dma][fault]")
{
    DmaBench bench;
    bench.load_one_message(400);
    bench.write(1, dma_register::arrivals, records);
    bench.write(1, dma_register::time_out, 20);
    bench.start_all();
    test::run_through(bench.network().domain(), 20);
    CHECK(bench.read(1, dma_register::missing) == 1);
    CHECK(bench.read(1, dma_register::unsent) == 0);
    CHECK_THAT(bench.engine(1).error(),
               Catch::Contains("time-out in step 0: 1 of 1 messages have not come, 0 of 0 have not left"));
    test::run_to_end();
    CHECK(bench.status(1) == (dma_status::error | dma_status::timed_out));
    CHECK(bench.read(1, dma_register::missing) == 0);
    CHECK(records_of(bench, 1) == std::vector<ArrivalRecord>{{0, 0, 512, 400}});
    bench.write(1, dma_register::status, ~0u);
    CHECK(bench.status(1) == 0);
}

TEST_CASE("a sender whose message cannot leave times out, and is busy until it has left",
          "[hardware][dma][fault]")
{
    DmaBench bench;
    bench.load_one_message(1200);
    const Cycle issued = bench.start_up_cycles();
    bench.write(0, dma_register::time_out, static_cast<std::uint32_t>(issued + 50));
    bench.start_all();
    test::run_through(bench.network().domain(), issued + 50);
    CHECK(bench.status(0) == (dma_status::error | dma_status::timed_out | dma_status::busy));
    CHECK(bench.read(0, dma_register::unsent) == 1);
    test::run_to_end();
    CHECK(bench.status(0) == (dma_status::error | dma_status::timed_out));
    CHECK(bench.read(0, dma_register::unsent) == 0);
    CHECK(bench.read(0, dma_register::sent) == 1);
}

TEST_CASE("a message that a fault cut off is not received, whatever came of it", "[hardware][dma][fault]")
{
    const Cycle into_transfer = GENERATE(range(0u, 120u, 7u));
    DmaBench bench;
    bench.load_one_message(400);
    bench.write(1, dma_register::arrivals, records);
    bench.write(1, dma_register::time_out, 2000);
    bench.network().plan_faults({{0, 1}, {}}, {bench.start_up_cycles() + into_transfer, DownTime::for_good});
    bench.start_all();
    test::run_to_end();
    // Behind the link there is still a router to cross and the ejection link.
    const bool whole =
        into_transfer + HardwareConfig().router.cycles() + 1 >= bench.transfer_cycles(0, 1, 400);
    CHECK(bench.status(1) == (whole ? dma_status::done : (dma_status::error | dma_status::timed_out)));
    CHECK(bench.read(1, dma_register::received) == (whole ? 1 : 0));
    CHECK(bench.read(1, dma_register::missing) == (whole ? 0 : 1));
    CHECK(bench.read(1, dma_register::discarded) <= (whole ? 0 : 1));
    CHECK(records_of(bench, 1).size() == (whole ? 1 : 0));
    CHECK(bench.read(0, dma_register::sent) == 1);
    CHECK(bench.network().packets().in_flight() == 0);
}

TEST_CASE("those at the barrier are halted, and all start again", "[hardware][dma][fault]")
{
    DmaBenchConfig config;
    config.topology = "complete:3";
    DmaBench bench(config);
    const auto load = [&](bool complete) {
        bench.load(0, {bench.send(0, 0, 1, 8), DmaBench::end(1)});
        bench.load(1, {DmaBench::receive(0, complete ? 1 : 2), DmaBench::end(1)});
        bench.load(2, {DmaBench::end(1)});
    };
    load(false);
    bench.write(1, dma_register::time_out, 5000);
    bench.start_all();
    test::run_to_end(); // engines 0 and 2 have arrived at the barrier
    CHECK(bench.status(1) == (dma_status::error | dma_status::timed_out));
    CHECK(bench.read(1, dma_register::missing) == 1);
    for (const ProcessorId id : {0u, 2u}) {
        CHECK(bench.status(id) == dma_status::busy);
        bench.write(id, dma_register::control, dma_control::halt);
        CHECK(bench.status(id) == dma_status::halted);
    }
    bench.write(1, dma_register::control, dma_control::halt); // it stands already
    CHECK(bench.status(1) == (dma_status::error | dma_status::timed_out));
    load(true);
    bench.start_all();
    test::run_to_end();
    for (const ProcessorId id : {0u, 1u, 2u})
        CHECK(bench.status(id) == dma_status::done);
}

TEST_CASE("the time-out of a step that is over does not hit the next one", "[hardware][dma][fault]")
{
    DmaBench bench;
    DmaDescriptor first = bench.send(0, 0, 1, 40);
    DmaDescriptor second = bench.send(1, 0, 1, 40);
    bench.load(0, {first, second, DmaBench::end(2)});
    bench.load(1, {DmaBench::receive(0, 1), DmaBench::receive(1, 1), DmaBench::end(2)});
    const auto needed = static_cast<std::uint32_t>(bench.start_up_cycles() + bench.transfer_cycles(0, 1, 40));
    for (const ProcessorId id : {0u, 1u})
        bench.write(id, dma_register::time_out, needed);
    bench.start_all();
    test::run_to_end();
    CHECK(bench.status(0) == dma_status::done);
    CHECK(bench.status(1) == dma_status::done);
}

TEST_CASE("arrival records that do not fit into memory are an error", "[hardware][dma][fault]")
{
    DmaBench bench;
    bench.load_one_message(40);
    bench.write(1, dma_register::arrivals, 4096 - 12);
    bench.start_all();
    test::run_to_end();
    CHECK((bench.status(1) & dma_status::error) != 0);
    CHECK_THAT(bench.engine(1).error(), Catch::Contains("memory refuses 16 bytes"));
}

} // namespace nocturne::dma_time_out_test
