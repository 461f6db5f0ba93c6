#include "sim/execution/compile_dma_programs.hpp"

#include "sim/execution/memories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace nocturne {

namespace {

/// Throws std::invalid_argument, saying how large messages are, if a memory of so many bytes has 4 GiB or
/// more, or all of them together more than 16 GiB.
void check_memories(const std::vector<std::uint64_t>& sizes, std::uint64_t message_bytes)
{
    std::uint64_t total = 0;
    for (std::size_t id = 0; id < sizes.size(); ++id) {
        if (sizes[id] > largest_memory)
            throw std::invalid_argument(
                fmt::format("messages of {} bytes: those of processor {} need a memory of more than 4 GiB",
                            message_bytes, id));
        total += sizes[id];
    }
    if (total > all_memories)
        throw std::invalid_argument(
            fmt::format("messages of {} bytes: the memories need {} GiB, more than {} GiB", message_bytes,
                        total >> 30, all_memories >> 30));
}

} // namespace

std::uint64_t program_words(const Workload& workload, ProcessorId id)
{
    std::uint64_t words = (1 + workload.combinations_of(id).size()) * dma_descriptor_words; // with the end
    for (const EngineStep& step : workload.engines[id]) {
        words += step.expected > 0 ? dma_descriptor_words : 0;
        for (const Sending& send : step.sends)
            words += dma_descriptor_words + send.route.size();
    }
    return words;
}

std::vector<std::vector<MessageId>> messages_held(const Workload& workload, const Collective& collective)
{
    std::vector<std::vector<MessageId>> held(collective.processors);
    for (MessageId id = 0; id < collective.chunks.size(); ++id)
        for (const ProcessorId contributor : collective.chunks[id].contributors)
            held[contributor].push_back(id);
    for (const auto& engine : workload.engines)
        for (const EngineStep& step : engine)
            for (const Sending& send : step.sends)
                held[send.destination].push_back(send.message);
    for (auto& messages : held) {
        std::sort(messages.begin(), messages.end());
        messages.erase(std::unique(messages.begin(), messages.end()), messages.end());
    }
    return held;
}

std::optional<std::uint32_t> CompiledEngine::address_of(MessageId message) const
{
    const auto found = std::lower_bound(addresses.begin(), addresses.end(), std::pair{message, 0u});
    if (found == addresses.end() || found->first != message)
        return std::nullopt;
    return found->second;
}

std::vector<CompiledEngine> compile_dma_programs(const Workload& workload, const Collective& collective,
                                                 std::uint64_t message_bytes)
{
    if (message_bytes == 0)
        throw std::invalid_argument("message of 0 bytes: it takes at least 1");
    require_words_of_sums(collective, message_bytes);
    std::vector<CompiledEngine> engines(collective.processors);
    const std::vector<std::vector<MessageId>> held = messages_held(workload, collective);
    std::vector<std::uint64_t> sizes;
    const std::uint64_t place = aligned(message_bytes);
    for (ProcessorId id = 0; id < collective.processors; ++id) {
        const std::uint64_t buffers = workload.combinations_of(id).size();
        std::uint64_t address = aligned(program_words(workload, id) * sizeof(std::uint32_t));
        if (message_bytes > largest_memory || address + (held[id].size() + buffers) * place > largest_memory)
            throw std::invalid_argument(
                fmt::format("messages of {} bytes: the {} that processor {} holds need a memory "
                            "of more than 4 GiB",
                            message_bytes, held[id].size() + buffers, id));
        for (const MessageId message : held[id]) {
            engines[id].addresses.emplace_back(message, static_cast<std::uint32_t>(address));
            address += place;
        }
        engines[id].buffers = static_cast<std::uint32_t>(address);
        address += buffers * place;
        engines[id].memory_bytes = static_cast<std::uint32_t>(address);
        sizes.push_back(address);
    }
    check_memories(sizes, message_bytes);

    // value(): a sender that never holds the message is an invalid schedule: the caller must not compile it.
    const auto address_of = [&](ProcessorId id, MessageId message, std::uint32_t buffer) {
        return buffer == no_buffer ? engines[id].address_of(message).value()
                                   : engines[id].buffers + buffer * static_cast<std::uint32_t>(place);
    };
    for (ProcessorId id = 0; id < collective.processors; ++id)
        engines[id].program =
            make_program(workload, id, address_of, static_cast<std::uint32_t>(message_bytes));
    return engines;
}

DmaProgram make_program(const Workload& workload, ProcessorId id, const MessageAddress& address_of,
                        std::uint32_t message_bytes)
{
    using Opcode = DmaDescriptor::Opcode;
    const std::vector<EngineStep>& steps = workload.engines[id];
    const std::span<const Combination> combinations = workload.combinations_of(id);
    std::uint32_t buffer = 0;
    DmaProgram program;
    for (std::uint32_t step = 0; step < steps.size(); ++step) {
        for (const Sending& send : steps[step].sends)
            program.push_back({Opcode::send, step, send.destination, send.route, send.remote_step,
                               address_of(id, send.message, no_buffer),
                               address_of(send.destination, send.message, send.buffer), message_bytes});
        if (steps[step].expected > 0)
            program.push_back({Opcode::receive, step, 0, {}, 0, 0, 0, steps[step].expected});
        for (; buffer < combinations.size() && combinations[buffer].step == step; ++buffer) {
            const auto& [of_step, message, operation] = combinations[buffer];
            program.push_back({operation == Operation::add ? Opcode::add : Opcode::copy,
                               of_step,
                               0,
                               {},
                               0,
                               address_of(id, message, buffer),
                               address_of(id, message, no_buffer),
                               message_bytes});
        }
    }
    program.push_back({Opcode::end, static_cast<std::uint32_t>(steps.size()), 0, {}, 0, 0, 0, 0});
    return program;
}

namespace {

/// With its program, and nothing else.
std::vector<std::uint8_t> programmed_memory(const CompiledEngine& engine)
{
    std::vector<std::uint8_t> memory(engine.memory_bytes);
    const std::vector<std::uint32_t> words = encode(engine.program);
    std::memcpy(memory.data(), words.data(), words.size() * sizeof(std::uint32_t));
    return memory;
}

} // namespace

std::vector<std::uint8_t> initial_memory(const CompiledEngine& engine, ProcessorId id,
                                         const Collective& collective, std::uint64_t message_bytes,
                                         std::uint64_t seed)
{
    std::vector<std::uint8_t> memory = programmed_memory(engine);
    for (const auto& [message, address] : engine.addresses) {
        const bool has_it = contributes(collective, message, id);
        const ProcessorId origin = collective.chunks[message].contributors.front();
        std::vector<std::uint32_t> words =
            contributed_content(collective, message, has_it ? id : origin, message_bytes, {.seed = seed});
        if (!has_it) // its place must not be right before it has come
            for (std::uint32_t& word : words)
                word = ~word;
        std::memcpy(memory.data() + address, words.data(), message_bytes);
    }
    return memory;
}

} // namespace nocturne
