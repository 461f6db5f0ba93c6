#include "models/hardware/dma_engine.hpp"

#include <cstring>

namespace nocturne {

void DmaEngine::b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time&)
{
    if (transaction.get_byte_enable_ptr() != nullptr)
        transaction.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    else if (transaction.get_data_length() != 4 || transaction.get_streaming_width() < 4)
        transaction.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    else if (transaction.get_address() % 4 != 0 || transaction.get_address() >= dma_register::size)
        transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    else {
        const auto offset = static_cast<std::uint32_t>(transaction.get_address());
        std::uint32_t value = 0;
        if (transaction.is_write()) {
            std::memcpy(&value, transaction.get_data_ptr(), sizeof value);
            write_register(offset, value);
        } else if (transaction.is_read()) {
            value = read_register(offset);
            std::memcpy(transaction.get_data_ptr(), &value, sizeof value);
        }
        transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    }
}

unsigned DmaEngine::transport_dbg(tlm::tlm_generic_payload& transaction)
{
    if (!transaction.is_read() || transaction.get_data_length() != 4 || transaction.get_address() % 4 != 0 ||
        transaction.get_address() >= dma_register::size)
        return 0;
    const std::uint32_t value = read_register(static_cast<std::uint32_t>(transaction.get_address()));
    std::memcpy(transaction.get_data_ptr(), &value, sizeof value);
    return sizeof value;
}

std::uint32_t DmaEngine::read_register(std::uint32_t offset) const
{
    switch (offset) {
    case dma_register::control:
        return control_;
    case dma_register::status:
        return status_;
    case dma_register::program:
        return program_;
    case dma_register::step:
        return step_;
    case dma_register::sent:
        return sent_;
    case dma_register::received:
        return received_;
    case dma_register::time_out:
        return time_out_;
    case dma_register::arrivals:
        return arrivals_;
    case dma_register::missing:
        return missing();
    case dma_register::unsent:
        return unsent_;
    default:
        return discarded_;
    }
}

void DmaEngine::write_register(std::uint32_t offset, std::uint32_t value)
{
    const bool busy = (status_ & dma_status::busy) != 0;
    if (offset == dma_register::control) {
        control_ = value & ~(dma_control::start | dma_control::halt);
        if ((value & dma_control::halt) != 0)
            halt();
        else if ((value & dma_control::start) != 0 && !busy)
            start();
    } else if (offset == dma_register::status) {
        status_ &= ~(value & ~dma_status::busy);
    } else if (!busy) { // a running engine keeps what it runs by; the other registers are read-only
        if (offset == dma_register::program)
            program_ = value;
        else if (offset == dma_register::time_out)
            time_out_ = value;
        else if (offset == dma_register::arrivals)
            arrivals_ = value;
    }
    interrupt_changed_.notify(sc_core::SC_ZERO_TIME);
}

void DmaEngine::update_interrupt()
{
    const bool pending = (status_ & (dma_status::done | dma_status::error)) != 0;
    interrupt.write(pending && (control_ & dma_control::interrupt_enable) != 0);
}

} // namespace nocturne
