// The DMA engine of a processor that copies and adds chunks.
#pragma once

#include "models/hardware/memory.hpp"
#include "models/hardware/network.hpp"
#include "sim/chunk_replay/chunk_replay.hpp"

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>

#include <functional>
#include <string>
#include <vector>

namespace nocturne {

/// What a transfer does, as its engines know it.
struct ChunkOrder {
    ProcessorId destination;
    Route route;
    std::uint64_t read_address;  ///< in the source's memory
    std::uint64_t write_address; ///< in the destination's
    std::uint32_t bytes;
    Operation operation;
};

/// Reads a chunk from memory and sends it, when told to; writes or adds what comes, when the whole chunk is
/// there: so that of two additions one is over before the other begins. Memory is reached through the
/// initiator socket and takes no time.
class ChunkEngine final : public sc_core::sc_module, public PacketClient {
public:
    tlm_utils::simple_initiator_socket<ChunkEngine> memory{"memory"};

    /// `orders`, by transfer, must outlive it; `arrived` is told of each transfer that has ended here.
    ChunkEngine(const sc_core::sc_module_name& name, Network& network, ProcessorId processor,
                const std::vector<ChunkOrder>& orders, ChunkElement element,
                std::function<void(std::uint32_t transfer)> arrived);

    /// A transfer of this processor begins.
    void issue(std::uint32_t transfer);
    /// The same within this processor: it ends at once.
    void carry_out(std::uint32_t transfer);

    void packet_sent(const Packet&) override {}
    void flit_arrived(const Packet&, std::uint32_t) override {}
    void packet_arrived(const Packet& packet) override;
    bool wants_flits() const override { return false; }

private:
    void write(const ChunkOrder& order, const std::vector<std::uint32_t>& words);
    std::vector<std::uint32_t> read(std::uint64_t address, std::uint32_t bytes);
    void access(tlm::tlm_command command, std::uint64_t address, void* data, std::uint32_t bytes);

    Network& network_;
    const ProcessorId processor_;
    const std::vector<ChunkOrder>& orders_;
    const ChunkElement element_;
    std::function<void(std::uint32_t transfer)> arrived_;
};

} // namespace nocturne
