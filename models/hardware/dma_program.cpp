#include "models/hardware/dma_program.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::uint32_t byte_bits = 8;
constexpr std::uint32_t channel_bits = 24;
constexpr std::uint32_t word_bytes = 4;

} // namespace

std::vector<std::uint32_t> encode(const DmaProgram& program, std::uint32_t base)
{
    if (program.empty() || program.back().opcode != DmaDescriptor::Opcode::end)
        throw std::invalid_argument("DMA program: no end");
    std::vector<std::uint32_t> words;
    std::vector<std::uint32_t> routes;
    std::uint32_t step = 0;
    for (const DmaDescriptor& line : program) {
        if (line.step < step)
            throw std::invalid_argument(fmt::format("DMA program: step {} after step {}", line.step, step));
        step = line.step;
        if (line.opcode == DmaDescriptor::Opcode::end && &line != &program.back())
            throw std::invalid_argument("DMA program: something follows the end");
        const auto hops = static_cast<std::uint32_t>(line.route.size());
        const std::size_t route = program.size() * dma_descriptor_words + routes.size();
        if (line.route.size() >> channel_bits != 0)
            throw std::invalid_argument(fmt::format("DMA program: a route of {} hops", line.route.size()));
        for (const Hop& hop : line.route) {
            if (hop.channel >> channel_bits != 0 || hop.vc_class >> byte_bits != 0)
                throw std::invalid_argument(fmt::format(
                    "DMA program: channel {} class {} does not fit a word", hop.channel, hop.vc_class));
            routes.push_back(hop.channel | hop.vc_class << channel_bits);
        }
        words.insert(words.end(), {static_cast<std::uint32_t>(line.opcode) | hops << byte_bits, line.step,
                                   line.destination, static_cast<std::uint32_t>(base + route * word_bytes),
                                   line.remote_step, line.local_address, line.remote_address, line.length});
    }
    words.insert(words.end(), routes.begin(), routes.end());
    return words;
}

DmaDescriptor decode_descriptor(std::uint32_t address,
                                const std::function<std::uint32_t(std::uint32_t)>& read)
{
    const auto word = [&](std::uint32_t index) { return read(address + index * word_bytes); };
    const std::uint32_t opcode = word(0) & 0xff;
    if (opcode > static_cast<std::uint32_t>(DmaDescriptor::Opcode::add))
        throw std::runtime_error(fmt::format("DMA program: opcode {} at address {:#x}", opcode, address));
    DmaDescriptor line{
        static_cast<DmaDescriptor::Opcode>(opcode), word(1), word(2), {}, word(4), word(5), word(6), word(7)};
    const std::uint32_t hops = word(0) >> byte_bits;
    for (std::uint32_t hop = 0; hop < hops; ++hop) {
        const std::uint32_t code = read(word(3) + hop * word_bytes);
        line.route.push_back({code & ((1u << channel_bits) - 1), code >> channel_bits});
    }
    return line;
}

std::string to_hex(std::span<const std::uint32_t> words)
{
    std::string text = "@00000000\n";
    for (const std::uint32_t word : words)
        fmt::format_to(std::back_inserter(text), "{:08x}\n", word);
    return text;
}

} // namespace nocturne
