// The parts of a tile: memory, local bus, DMA engine, and the barrier that the engines of all tiles share.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace nocturne::soc_platform {

/// Each tile has so many bytes of the address space, tile 0 from address 0 on.
inline constexpr std::uint64_t tile_bytes = 1 << 20;
/// From the beginning of a tile: its memory, whose upper part is left to background traffic, and the
/// registers of its DMA engine, which only its own processor sees.
inline constexpr std::uint64_t memory_bytes = 0xf0000;
inline constexpr std::uint64_t scratch_offset = 0xe0000;
inline constexpr std::uint64_t register_offset = memory_bytes;

/// What the parts take, ns.
struct PartTimes {
    double local_access_ns = 4; ///< of a processor at its local bus, before the first word
    double local_word_ns = 2;   ///< for each 8 bytes after that
    double copy_start_ns = 200; ///< of a DMA engine, from its command to the message's way into the network
    double barrier_ns = 20;     ///< from the last engine's arrival to the release of all
};

/// One blocking transaction. Throws std::runtime_error, one line that names the socket, for an error
/// response.
template <typename Socket>
void transport(Socket& socket, tlm::tlm_command command, std::uint64_t address, void* data, std::size_t bytes,
               sc_core::sc_time& delay)
{
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(static_cast<unsigned>(bytes));
    payload.set_streaming_width(static_cast<unsigned>(bytes));
    socket->b_transport(payload, delay);
    if (payload.is_response_error())
        throw std::runtime_error(std::string(socket.name()) + ": " + payload.get_response_string());
}

/// A memory with two ports that answers at once: of the network, and of its tile.
class TileMemory final : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<TileMemory> network{"network"};
    tlm_utils::simple_target_socket<TileMemory> bus{"bus"};
    tlm_utils::simple_target_socket<TileMemory> engine{"engine"};

    explicit TileMemory(const sc_core::sc_module_name& name);

    /// What a loader sees, outside of simulated time.
    std::vector<std::uint8_t>& bytes() { return bytes_; }

private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

    std::vector<std::uint8_t> bytes_;
};

/// Between a processor and the rest: the memory and the registers of its own tile, or the network.
class LocalBus final : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<LocalBus> processor{"processor"};
    tlm_utils::simple_initiator_socket<LocalBus> memory{"memory"};
    tlm_utils::simple_initiator_socket<LocalBus> registers{"registers"};
    tlm_utils::simple_initiator_socket<LocalBus> network{"network"};

    LocalBus(const sc_core::sc_module_name& name, unsigned tile, const PartTimes& times);

private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

    const std::uint64_t base_;
    const PartTimes times_;
};

/// What a DMA engine sees of the barrier.
class BarrierInterface : public sc_core::sc_interface {
public:
    /// Returns PartTimes::barrier_ns after all have called it. From an SC_THREAD.
    virtual void await_all() = 0;
};

/// Wires of their own between the engines.
class TileBarrier final : public sc_core::sc_module, public BarrierInterface {
public:
    TileBarrier(const sc_core::sc_module_name& name, unsigned engines, const PartTimes& times);
    void await_all() override;

private:
    const unsigned engines_;
    const sc_core::sc_time latency_;
    unsigned arrived_ = 0;
    sc_core::sc_event released_;
};

/// Registers of a DMA engine, 8 bytes each, and their values.
enum class DmaRegister : std::uint64_t {
    source,      ///< offset in the tile's memory: of the bytes, or of the first descriptor
    destination, ///< address
    length,      ///< bytes, or descriptors
    go,          ///< written: a DmaCommand
    status       ///< a DmaStatus; written: idle again, and no interrupt
};
enum class DmaCommand : std::uint64_t { copy = 1, program = 2 };
enum class DmaStatus : std::uint64_t { idle, busy, done };

/// A step of a DMA program, as it is in the tile's memory.
struct CopyDescriptor {
    std::uint64_t source = 0;
    std::uint64_t destination = 0;
    std::uint64_t length = 0; ///< bytes; 0: nothing to send in this step
};

/// Copies from its tile's memory to any address. A program is one descriptor a step, and a barrier of all
/// engines behind each step; descriptors are fetched while the step before runs. A message is one write
/// transaction, hence one packet; the engine reads the memory as fast as the network takes the bytes.
class TileEngine final : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<TileEngine> registers{"registers"};
    tlm_utils::simple_initiator_socket<TileEngine> memory{"memory"};
    tlm_utils::simple_initiator_socket<TileEngine> network{"network"};
    sc_core::sc_port<BarrierInterface> barrier{"barrier"};
    sc_core::sc_out<bool> interrupt{"interrupt"};

    TileEngine(const sc_core::sc_module_name& name, const PartTimes& times);

private:
    void access_register(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    void write_register(DmaRegister which, std::uint64_t value, const sc_core::sc_time& delay);
    std::uint64_t& value(DmaRegister which) { return values_[static_cast<std::size_t>(which)]; }
    void run();
    void copy(const CopyDescriptor& descriptor);
    void drive_interrupt() { interrupt.write(value(DmaRegister::status) == std::uint64_t(DmaStatus::done)); }

    const sc_core::sc_time start_;
    std::array<std::uint64_t, 5> values_{};
    sc_core::sc_event started_;
    sc_core::sc_event status_changed_;
};

} // namespace nocturne::soc_platform
