#include "models/hardware/dma_program.hpp"
#include "models/routing/random.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/decode_program.hpp"

namespace nocturne::dma_program_test {

using namespace nocturne::test;

using Opcode = DmaDescriptor::Opcode;

namespace {

DmaProgram random_program(SplitMix64& random)
{
    DmaProgram program;
    std::uint32_t step = 0;
    for (std::uint32_t i = random.below(20); i > 0; --i) {
        step += random.below(3);
        DmaDescriptor line;
        line.opcode = static_cast<Opcode>(1 + random.below(4)); // all but the end
        line.step = step;
        line.destination = static_cast<std::uint32_t>(random());
        line.remote_step = static_cast<std::uint32_t>(random());
        line.local_address = static_cast<std::uint32_t>(random());
        line.remote_address = static_cast<std::uint32_t>(random());
        line.length = static_cast<std::uint32_t>(random());
        for (std::uint32_t hops = random.below(40); hops > 0; --hops)
            line.route.push_back({random.below(1u << 24), random.below(256)});
        program.push_back(line);
    }
    DmaDescriptor end;
    end.step = step + random.below(3);
    program.push_back(end);
    return program;
}

} // namespace

TEST_CASE("a program that is written to memory and read back is the same", "[hardware][dma_program]")
{
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SplitMix64 random(seed);
        const DmaProgram program = random_program(random);
        const std::uint32_t base = 4 * random.below(100000);
        const std::vector<std::uint32_t> words = encode(program, base);
        REQUIRE(decode(words, base) == program);
    }
}

TEST_CASE("the layout in memory is the documented one", "[hardware][dma_program]")
{
    const DmaDescriptor send{Opcode::send, 3, 7, {{5, 1}, {0x123456, 0}}, 4, 0x100, 0x200, 99};
    const DmaDescriptor copy{Opcode::copy, 4, 0, {}, 0, 0x100, 0x200, 64};
    const DmaDescriptor add{Opcode::add, 4, 0, {}, 0, 0x140, 0x200, 64};
    DmaDescriptor end;
    end.step = 5;
    const std::uint32_t base = 0x1000;
    CHECK(encode({send, copy, add, end}, base) ==
          std::vector<std::uint32_t>{1 | 2 << 8,  3,       7, base + 128, 4, 0x100, 0x200, 99, //
                                     3,           4,       0, base + 136, 0, 0x100, 0x200, 64, //
                                     4,           4,       0, base + 136, 0, 0x140, 0x200, 64, //
                                     0,           5,       0, base + 136, 0, 0,     0,     0,  //
                                     5 | 1 << 24, 0x123456});
}

TEST_CASE("a program that cannot be written is refused", "[hardware][dma_program]")
{
    DmaDescriptor end;
    end.step = 5;
    DmaDescriptor receive;
    receive.opcode = Opcode::receive;
    receive.step = 5;
    CHECK_THROWS_WITH(encode({}), "DMA program: no end");
    CHECK_THROWS_WITH(encode({receive}), "DMA program: no end");
    CHECK_THROWS_WITH(encode({end, receive, end}), "DMA program: something follows the end");
    DmaDescriptor earlier = receive;
    earlier.step = 1;
    CHECK_THROWS_WITH(encode({receive, earlier, end}), "DMA program: step 1 after step 5");
    receive.route = {{1u << 24, 0}};
    CHECK_THROWS_WITH(encode({receive, end}), "DMA program: channel 16777216 class 0 does not fit a word");
    receive.route = {{0, 256}};
    CHECK_THROWS_WITH(encode({receive, end}), "DMA program: channel 0 class 256 does not fit a word");
}

TEST_CASE("an image that is cut off or spoiled is refused, whatever the place", "[hardware][dma_program]")
{
    SplitMix64 random(5);
    DmaProgram program = random_program(random);
    while (program.size() < 5 || program[0].route.empty())
        program = random_program(random);
    const std::vector<std::uint32_t> words = encode(program);
    for (std::size_t size = 0; size < words.size(); ++size)
        CHECK_THROWS_AS(decode(std::span(words).first(size)), std::runtime_error);
    std::vector<std::uint32_t> spoiled = words;
    spoiled[8] = 5;
    CHECK_THROWS_WITH(decode(spoiled), "DMA program: opcode 5 at address 0x20");
}

TEST_CASE("a hex image is what Verilog's readmemh reads", "[hardware][dma_program]")
{
    CHECK(to_hex(std::vector<std::uint32_t>{0, 0xdeadbeef}) == "@00000000\n00000000\ndeadbeef\n");
    CHECK(to_hex({}) == "@00000000\n");
}

} // namespace nocturne::dma_program_test
