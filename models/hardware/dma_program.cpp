#include "models/hardware/dma_program.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::uint32_t byte_bits = 8;
constexpr std::uint32_t channel_bits = 24;
constexpr std::uint32_t word_bytes = 4;
constexpr std::size_t largest_image_words = 1u << 28; // 1 GiB: an address beyond is a mistake in the file

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
    if (opcode > static_cast<std::uint32_t>(DmaDescriptor::Opcode::receive))
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

DmaProgram decode(std::span<const std::uint32_t> words, std::uint32_t base)
{
    const auto read = [&](std::uint32_t address) {
        if (address < base || address % word_bytes != 0 || (address - base) / word_bytes >= words.size())
            throw std::runtime_error(fmt::format("DMA program: nothing at address {:#x}", address));
        return words[(address - base) / word_bytes];
    };
    DmaProgram program;
    do
        program.push_back(decode_descriptor(
            base + static_cast<std::uint32_t>(program.size()) * dma_descriptor_words * word_bytes, read));
    while (program.back().opcode != DmaDescriptor::Opcode::end);
    return program;
}

std::string to_hex(std::span<const std::uint32_t> words)
{
    std::string text = "@00000000\n";
    for (const std::uint32_t word : words)
        fmt::format_to(std::back_inserter(text), "{:08x}\n", word);
    return text;
}

std::vector<std::uint32_t> from_hex(std::string_view text)
{
    std::vector<std::uint32_t> words;
    std::size_t line_number = 0;
    while (!text.empty()) {
        ++line_number;
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (line.empty())
            continue;
        const bool is_address = line.starts_with('@');
        const std::string_view digits = line.substr(is_address ? 1 : 0);
        std::uint32_t value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
        if (error != std::errc{} || end != digits.data() + digits.size() || digits.size() != 8)
            throw std::invalid_argument(
                fmt::format("hex image: line {}: '{}' is no word of eight digits", line_number, line));
        if (is_address && (value < words.size() || value > largest_image_words))
            throw std::invalid_argument(
                fmt::format("hex image: line {}: address {:#x} is out of order", line_number, value));
        if (is_address)
            words.resize(value);
        else
            words.push_back(value);
    }
    return words;
}

} // namespace nocturne
