#include "models/topology/make_topology.hpp"
#include "sim/execution/compile_dma_programs.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/decode_program.hpp"
#include "tests/schedules/schedule/example_schedules.hpp"

#include <algorithm>
#include <cstring>
#include <set>

namespace nocturne::compile_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

struct Compiled {
    Example example;
    std::vector<CompiledEngine> engines;
};

Compiled compiled(Example example, std::uint64_t message_bytes)
{
    const Workload workload = workload_of(example.schedule, example.topology, Synchronization::barrier);
    auto engines = compile_dma_programs(workload, example.schedule.collective, message_bytes);
    return {std::move(example), std::move(engines)};
}

/// Of a message, byte by byte.
std::vector<std::uint8_t> content_of(const Collective& collective, MessageId message, std::size_t bytes,
                                     std::uint64_t seed)
{
    return bytes_of(contributed_content(collective, message, collective.messages()[message].origin, bytes,
                                        {.seed = seed}),
                    bytes);
}

std::vector<std::uint32_t> words_of(std::vector<std::uint8_t> memory)
{
    memory.resize((memory.size() + 3) / 4 * 4);
    std::vector<std::uint32_t> words(memory.size() / 4);
    std::memcpy(words.data(), memory.data(), memory.size());
    return words;
}

} // namespace

TEST_CASE("a program sends what the schedule says, from where the message is to where it belongs",
          "[simulation][compile]")
{
    const auto [example, engines] = compiled(printed("omega8_aab.json"), 100);
    using Opcode = DmaDescriptor::Opcode;
    std::size_t sends = 0;
    for (ProcessorId id = 0; id < engines.size(); ++id) {
        const DmaProgram& program = engines[id].program;
        CHECK(program.back() == DmaDescriptor{Opcode::end, 7, 0, {}, 0, 0, 0, 0});
        for (const DmaDescriptor& line : program) {
            if (line.opcode == Opcode::receive)
                CHECK(line.length == 1); // one-port: one message a step
            if (line.opcode != Opcode::send)
                continue;
            ++sends;
            const Step& step = example.schedule.steps[line.step];
            const auto transfer = std::find_if(step.begin(), step.end(), [&](const Transfer& each) {
                return each.source == id && each.destination == line.destination;
            });
            REQUIRE(transfer != step.end());
            CHECK(line.remote_step == line.step);
            CHECK(line.length == 100);
            CHECK(line.local_address == engines[id].address_of(transfer->message));
            CHECK(line.remote_address == engines[line.destination].address_of(transfer->message));
            CHECK(std::equal(line.route.begin(), line.route.end(), transfer->path->begin(),
                             transfer->path->end(),
                             [](const Hop& hop, ChannelId channel) { return hop == Hop{channel, 0}; }));
        }
    }
    CHECK(sends == 56);
}

TEST_CASE("programs and messages lie in memory side by side, on 64-byte boundaries", "[simulation][compile]")
{
    const std::uint64_t bytes = GENERATE(1u, 63u, 64u, 65u, 1000u);
    for (const Example& example : valid_examples()) {
        INFO(example.schedule.name << " on " << example.topology.name() << ", " << bytes << " bytes");
        const auto [copy, engines] = compiled(example, bytes);
        for (const CompiledEngine& engine : engines) {
            std::uint64_t end = encode(engine.program).size() * 4;
            for (const auto& [message, address] : engine.addresses) {
                CHECK(engine.address_of(message) == address);
                CHECK(address % 64 == 0);
                CHECK(address >= end);
                end = address + bytes;
            }
            CHECK(end <= engine.memory_bytes);
        }
    }
}

TEST_CASE("a processor has a place for what it is origin of, sends or receives, and for nothing else",
          "[simulation][compile]")
{
    // 0 -> 1 -> 2 on a ring of five: 3 and 4 have nothing to do with it.
    const Example example = [] {
        Example made{{}, make_topology("ring:5")};
        made.schedule.collective = multicast({5}, 0, {2});
        made.schedule.steps = {{{0, 0, 1, Path{made.topology.channels_from(0)[0]}}},
                               {{0, 1, 2, Path{made.topology.channels_from(1)[0]}}}};
        return made;
    }();
    const auto [copy, engines] = compiled(example, 8);
    CHECK(engines[0].address_of(0));
    CHECK(engines[1].address_of(0));
    CHECK(engines[2].address_of(0));
    CHECK_FALSE(engines[3].address_of(0));
    CHECK_FALSE(engines[0].address_of(1));
    CHECK(engines[4].program.size() == 1);
}

TEST_CASE("a memory image reads back as the program and the messages", "[simulation][compile]")
{
    const auto [example, engines] = compiled(printed("octagon8_aas.json"), 37);
    const Collective& collective = example.schedule.collective;
    for (ProcessorId id = 0; id < engines.size(); ++id) {
        const auto memory = initial_memory(engines[id], id, collective, 37, 5);
        CHECK(memory.size() == engines[id].memory_bytes);
        CHECK(decode(words_of(memory)) == engines[id].program);
        for (const auto& [message, address] : engines[id].addresses) {
            const auto content = content_of(collective, message, 37, 5);
            const bool is_there = std::equal(content.begin(), content.end(), memory.begin() + address);
            CHECK(is_there == (collective.messages()[message].origin == id));
        }
    }
}

TEST_CASE("no byte of a message is right before it has come", "[simulation][compile]")
{
    // Of 4032 messages of one byte some are 0: an empty memory must not pass for one that holds them.
    const Collective collective = alltoall({64});
    Workload workload;
    workload.engines.assign(64, std::vector<EngineStep>(1));
    for (MessageId id = 0; id < collective.messages().size(); ++id)
        workload.engines[collective.messages()[id].origin][0].sends.push_back(
            {id, collective.messages()[id].receivers.front(), {}, 0});
    const auto engines = compile_dma_programs(workload, collective, 1);
    std::size_t right = 0;
    for (ProcessorId id = 0; id < 64; ++id) {
        const auto memory = initial_memory(engines[id], id, collective, 1, 1);
        for (const auto& [message, address] : engines[id].addresses)
            if (collective.messages()[message].origin != id)
                right += memory[address] == content_of(collective, message, 1, 1).front() ? 1 : 0;
    }
    CHECK(right == 0);
}

TEST_CASE("every message has a content of its own, by seed, and a longer one begins like a shorter one",
          "[simulation][compile]")
{
    const Collective collective = alltoall({33});
    std::set<std::vector<std::uint8_t>> contents;
    for (MessageId id = 0; id < 1000; ++id)
        for (const std::uint64_t seed : {1u, 2u, 3u})
            contents.insert(content_of(collective, id, 16, seed));
    CHECK(contents.size() == 3000);
    const auto shorter = content_of(collective, 7, 13, 3);
    const auto longer = content_of(collective, 7, 29, 3);
    CHECK(std::equal(shorter.begin(), shorter.end(), longer.begin()));
}

TEST_CASE("messages that no memory can hold, or that are empty, are refused", "[simulation][compile]")
{
    const Example example = printed("octagon8_aas.json"); // 14 messages a processor
    const Workload workload = workload_of(example.schedule, example.topology, Synchronization::barrier);
    const auto compile_with = [&](std::uint64_t bytes) {
        compile_dma_programs(workload, example.schedule.collective, bytes);
    };
    CHECK_THROWS_WITH(compile_with(0), "message of 0 bytes: it takes at least 1");
    CHECK_THROWS_WITH(
        compile_with(1u << 30),
        "messages of 1073741824 bytes: the 14 that processor 0 holds need a memory of more than 4 GiB");
    CHECK_THROWS_WITH(compile_with(~std::uint64_t{0}), Contains("need a memory of more than 4 GiB"));
    CHECK_THROWS_WITH(compile_with(1u << 28), Contains("the memories need 28 GiB, more than 16 GiB"));
    CHECK_NOTHROW(compile_with(1u << 27)); // nothing is allocated for it yet
}

TEST_CASE("a transfer without a path cannot be compiled", "[simulation][compile]")
{
    Example example = printed("omega8_aab.json");
    example.schedule.steps[2][1].path.reset();
    CHECK_THROWS_WITH(workload_of(example.schedule, example.topology, Synchronization::barrier),
                      Contains("step 3: a transfer from 1 to 0 has no path"));
}

} // namespace nocturne::compile_test
