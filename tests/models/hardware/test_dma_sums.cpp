// DMA engines that copy and add what has come: when they do, and what they refuse.
#include "tests/catch.hpp"
#include "tests/models/hardware/dma_bench.hpp"

#include <cstring>

namespace nocturne::dma_sums_test {

using test::DmaBench;
using Opcode = DmaDescriptor::Opcode;

namespace {

constexpr std::uint32_t place = 256;
constexpr std::uint32_t buffer = 512;
constexpr std::uint32_t seen = 1024; ///< where engine 0 gets what engine 1 sends

using Words = std::vector<std::uint32_t>;

DmaDescriptor combine(Opcode opcode, std::uint32_t step, std::uint32_t bytes)
{
    return {opcode, step, 0, {}, 0, buffer, place, bytes};
}

/// A message from `from` to `to`.
DmaDescriptor message(const DmaBench& bench, std::uint32_t step, std::uint32_t from_address,
                      std::uint32_t to_address, std::uint32_t bytes, ProcessorId source = 0)
{
    DmaDescriptor line = bench.send(step, source, 1 - source, bytes);
    line.local_address = from_address;
    line.remote_address = to_address;
    return line;
}

void put(DmaBench& bench, ProcessorId id, std::uint32_t address, const Words& words)
{
    std::vector<std::uint8_t> bytes(words.size() * 4);
    std::memcpy(bytes.data(), words.data(), bytes.size());
    bench.poke(id, address, bytes);
}

Words get(const DmaBench& bench, ProcessorId id, std::uint32_t address, std::size_t count)
{
    const std::vector<std::uint8_t> memory = bench.peek(id);
    Words words(count);
    std::memcpy(words.data(), memory.data() + address, count * 4);
    return words;
}

} // namespace

TEST_CASE("an exchange adds on both sides what the other had when the step began", "[hardware][dma][sums]")
{
    const std::uint32_t control = GENERATE(0u, dma_control::self_timed);
    DmaBench bench;
    for (const ProcessorId id : {0u, 1u})
        bench.load(id, {message(bench, 0, place, buffer, 12, id), DmaBench::receive(0, 1),
                        combine(Opcode::add, 0, 12), DmaBench::end(1)});
    put(bench, 0, place, {1, 0xffffffff, 0x80000000, 7});
    put(bench, 1, place, {2, 1, 0x80000001, 8});
    bench.start_all(control);
    test::run_to_end();
    // Modulo 2^32, no word carries into the next, and what lies behind stays.
    CHECK(get(bench, 0, place, 4) == Words{3, 0, 1, 7});
    CHECK(get(bench, 1, place, 4) == Words{3, 0, 1, 8});
}

TEST_CASE("adding takes no time: a step with additions ends when the messages are there",
          "[hardware][dma][sums]")
{
    const auto run = [](bool adds) {
        DmaBench bench;
        bench.load(
            0, {message(bench, 0, place, buffer, 40), message(bench, 1, place, seen, 40), DmaBench::end(2)});
        DmaProgram program{DmaBench::receive(0, 1)};
        if (adds)
            program.push_back(combine(Opcode::add, 0, 40));
        program.push_back(DmaBench::receive(1, 1));
        program.push_back(DmaBench::end(2));
        bench.load(1, program);
        bench.start_all();
        test::run_to_end();
        std::vector<Cycle> ends;
        for (const DmaEngine::StepTime& time : bench.engine(1).step_times())
            ends.push_back(bench.cycle_of(time.end));
        return ends;
    };
    CHECK(run(true) == run(false));
    CHECK(run(true).size() == 2);
}

TEST_CASE("without a barrier what comes early waits in its buffer until the step that it is for ends",
          "[hardware][dma][sums]")
{
    DmaBench bench;
    DmaDescriptor early = message(bench, 0, place, buffer, 8);
    early.remote_step = 2;
    bench.load(0, {early, DmaBench::receive(1, 1), DmaBench::receive(2, 1), DmaBench::end(3)});
    // Engine 1 is still at its start-up when the message comes, and sends its place in steps 1 and 3.
    bench.load(1, {message(bench, 0, 0, 2000, 4, 1), message(bench, 1, place, seen, 8, 1),
                   DmaBench::receive(2, 1), combine(Opcode::add, 2, 8),
                   message(bench, 3, place, seen + 8, 8, 1), DmaBench::end(4)});
    put(bench, 0, place, {10, 20});
    put(bench, 1, place, {1, 2});
    bench.start_all(dma_control::self_timed);
    test::run_through(bench.network().domain(), bench.start_up_cycles() + bench.transfer_cycles(0, 1, 8) + 5);
    REQUIRE(bench.read(1, dma_register::received) == 1);
    REQUIRE(bench.read(1, dma_register::step) < 2);
    CHECK(get(bench, 1, place, 2) == Words{1, 2});
    test::run_to_end();
    CHECK(get(bench, 0, seen, 4) == Words{1, 2, 11, 22});
    CHECK(get(bench, 1, place, 2) == Words{11, 22});
}

TEST_CASE("copies and additions of a step are carried out in their order, copies of any length",
          "[hardware][dma][sums]")
{
    DmaBench bench;
    bench.load(1, {combine(Opcode::copy, 0, 5), combine(Opcode::add, 1, 8), combine(Opcode::add, 1, 8),
                   DmaBench::end(2)});
    put(bench, 1, buffer, {0x01020304, 0x05060708});
    put(bench, 1, place, {0xaaaaaaaa, 0xbbbbbb00});
    bench.start(1, dma_control::self_timed);
    test::run_to_end();
    CHECK(bench.status(1) == dma_status::done);
    CHECK(get(bench, 1, place, 2) == Words{0x0306090c, 0xbbbbbb08 + 2 * 0x05060708u});
}

TEST_CASE("of a step that fails nothing is added, so that what is lost can be sent again",
          "[hardware][dma][sums]")
{
    DmaBench bench;
    // Engine 1 has all that it waits for, engine 0 has not.
    bench.load(0, {message(bench, 0, place, buffer, 4), DmaBench::receive(0, 1), DmaBench::end(1)});
    bench.load(1, {DmaBench::receive(0, 1), combine(Opcode::add, 0, 4), DmaBench::end(1)});
    bench.write(0, dma_register::time_out, 3000);
    put(bench, 0, place, {5});
    put(bench, 1, place, {6});
    bench.start_all();
    test::run_to_end();
    REQUIRE((bench.status(0) & dma_status::timed_out) != 0);
    bench.write(1, dma_register::control, dma_control::halt);
    test::run_to_end();
    CHECK(get(bench, 1, place, 1) == Words{6});
    CHECK(get(bench, 1, buffer, 1) == Words{5});
    bench.load(0, {DmaBench::end(1)});
    bench.load(1, {combine(Opcode::add, 0, 4), DmaBench::end(1)});
    bench.start_all();
    test::run_to_end();
    CHECK(get(bench, 1, place, 1) == Words{11});
}

TEST_CASE("an addition of no whole words, or outside the memory, is an error", "[hardware][dma][sums]")
{
    constexpr std::uint32_t last_word = 4092;
    const auto& [line, what] = GENERATE(table<DmaDescriptor, std::string>({
        {combine(Opcode::add, 0, 10), "10 bytes to add are no whole words"},
        {{Opcode::copy, 0, 0, {}, 0, last_word, place, 8}, "memory refuses 1 bytes at address 0x1003"},
        {{Opcode::add, 0, 0, {}, 0, last_word, place, 8}, "memory refuses 1 bytes at address 0x1003"},
        {{Opcode::copy, 0, 0, {}, 0, buffer, last_word, 8}, "memory refuses 8 bytes at address 0xffc"},
        {combine(Opcode::add, 0, ~3u), "memory refuses 1 bytes at address 0x1000001fb"}, // a mistake
    }));
    DmaBench bench;
    bench.load(1, {line, DmaBench::end(1)});
    bench.start(1, dma_control::self_timed);
    test::run_to_end();
    CHECK(bench.status(1) == dma_status::error);
    CHECK_THAT(bench.engine(1).error(), Catch::Contains(what));
}

} // namespace nocturne::dma_sums_test
