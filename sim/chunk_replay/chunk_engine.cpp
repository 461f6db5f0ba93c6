#include "sim/chunk_replay/chunk_engine.hpp"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>
#include <utility>

namespace nocturne {

ChunkEngine::ChunkEngine(const sc_core::sc_module_name& name, Network& network, ProcessorId processor,
                         const std::vector<ChunkOrder>& orders, ChunkElement element,
                         std::function<void(std::uint32_t transfer)> arrived)
    : sc_module(name), network_(network), processor_(processor), orders_(orders), element_(element),
      arrived_(std::move(arrived))
{
    network_.interface(processor).attach(*this);
}

void ChunkEngine::issue(std::uint32_t transfer)
{
    const ChunkOrder& order = orders_[transfer];
    network_.check_route(processor_, order.destination, order.route);
    const PacketId id =
        network_.make_packet(processor_, order.destination,
                             static_cast<std::uint32_t>(network_.config().flits(order.bytes)), order.route);
    Packet& packet = network_.packets()[id];
    packet.step = transfer;
    packet.bytes = order.bytes;
    packet.payload.resize(order.bytes);
    access(tlm::TLM_READ_COMMAND, order.read_address, packet.payload.data(), order.bytes);
    network_.interface(processor_).send(id);
}

void ChunkEngine::carry_out(std::uint32_t transfer)
{
    const ChunkOrder& order = orders_[transfer];
    write(order, read(order.read_address, order.bytes));
}

void ChunkEngine::packet_arrived(const Packet& packet)
{
    const std::uint32_t transfer = packet.step; // the packet does not outlive what arrived_ sends
    std::vector<std::uint32_t> words(packet.payload.size() / 4);
    std::memcpy(words.data(), packet.payload.data(), packet.payload.size());
    write(orders_[transfer], words);
    arrived_(transfer);
}

void ChunkEngine::write(const ChunkOrder& order, const std::vector<std::uint32_t>& words)
{
    std::vector<std::uint32_t> result = words;
    if (order.operation == Operation::add) {
        result = read(order.write_address, order.bytes);
        add_words(element_, result, words);
    }
    access(tlm::TLM_WRITE_COMMAND, order.write_address, result.data(), order.bytes);
}

std::vector<std::uint32_t> ChunkEngine::read(std::uint64_t address, std::uint32_t bytes)
{
    std::vector<std::uint32_t> words(bytes / 4);
    access(tlm::TLM_READ_COMMAND, address, words.data(), bytes);
    return words;
}

void ChunkEngine::access(tlm::tlm_command command, std::uint64_t address, void* data, std::uint32_t bytes)
{
    tlm::tlm_generic_payload transaction;
    transaction.set_command(command);
    transaction.set_address(address);
    transaction.set_data_ptr(static_cast<unsigned char*>(data));
    transaction.set_data_length(bytes);
    transaction.set_streaming_width(bytes);
    transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    memory->b_transport(transaction, delay);
    if (!transaction.is_response_ok())
        throw std::runtime_error(fmt::format("{}: memory refuses {} bytes at address {:#x}: {}", name(),
                                             bytes, address, transaction.get_response_string()));
}

} // namespace nocturne
