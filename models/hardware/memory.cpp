#include "models/hardware/memory.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace nocturne {

Memory::Memory(const sc_core::sc_module_name& name, std::size_t bytes) : sc_module(name), bytes_(bytes)
{
    socket.register_b_transport(this, &Memory::b_transport);
    socket.register_transport_dbg(this, &Memory::transport_dbg);
    socket.register_get_direct_mem_ptr(this, &Memory::get_direct_mem_ptr);
    host.register_b_transport(this, &Memory::b_transport);
    host.register_transport_dbg(this, &Memory::transport_dbg);
    host.register_get_direct_mem_ptr(this, &Memory::get_direct_mem_ptr);
}

void Memory::load(std::size_t address, std::span<const std::uint8_t> bytes)
{
    if (address > bytes_.size() || bytes.size() > bytes_.size() - address)
        throw std::out_of_range("memory: image does not fit");
    std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(address));
}

bool Memory::contains(const tlm::tlm_generic_payload& transaction) const
{
    return transaction.get_address() <= bytes_.size() &&
           transaction.get_data_length() <= bytes_.size() - transaction.get_address();
}

void Memory::b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time&)
{
    if (!contains(transaction)) {
        transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    } else if (transaction.get_byte_enable_ptr() != nullptr) {
        transaction.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    } else if (transaction.get_streaming_width() < transaction.get_data_length()) {
        transaction.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    } else {
        transport_dbg(transaction);
        transaction.set_dmi_allowed(true);
        transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    }
}

unsigned Memory::transport_dbg(tlm::tlm_generic_payload& transaction)
{
    if (!contains(transaction) || transaction.get_data_length() == 0)
        return 0;
    std::uint8_t* place = bytes_.data() + transaction.get_address();
    if (transaction.is_write())
        std::memcpy(place, transaction.get_data_ptr(), transaction.get_data_length());
    else if (transaction.is_read())
        std::memcpy(transaction.get_data_ptr(), place, transaction.get_data_length());
    return transaction.get_data_length();
}

bool Memory::get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& region)
{
    if (bytes_.empty())
        return false;
    region.set_dmi_ptr(bytes_.data());
    region.set_start_address(0);
    region.set_end_address(bytes_.size() - 1);
    region.allow_read_write();
    return true;
}

} // namespace nocturne
