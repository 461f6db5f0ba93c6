// A processor's memory, as a TLM-2.0 target.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// Byte-addressed memory from address 0. Accesses take no simulated time: t0 and the network account for it.
/// It grants direct access to all of itself.
class Memory final : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<Memory> socket{"socket"};
    /// A second port to the same bytes, which may stay unbound.
    tlm_utils::simple_target_socket_optional<Memory> host{"host"};

    Memory(const sc_core::sc_module_name& name, std::size_t bytes);

    std::span<const std::uint8_t> contents() const { return bytes_; }
    /// Puts bytes in before the simulation starts, as $readmemh does. Throws std::out_of_range if they do not
    /// fit.
    void load(std::size_t address, std::span<const std::uint8_t> bytes);

private:
    void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& transaction);
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& region);
    bool contains(const tlm::tlm_generic_payload& transaction) const;

    std::vector<std::uint8_t> bytes_;
};

} // namespace nocturne
