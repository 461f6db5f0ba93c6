#include "testbenches/soc_platform/parts.hpp"

#include <cstring>

namespace nocturne::soc_platform {

namespace {

sc_core::sc_time nanoseconds(double ns)
{
    return sc_core::sc_time(ns, sc_core::SC_NS);
}

bool is_command(std::uint64_t value)
{
    return value == std::uint64_t(DmaCommand::copy) || value == std::uint64_t(DmaCommand::program);
}

} // namespace

TileMemory::TileMemory(const sc_core::sc_module_name& name) : sc_module(name), bytes_(memory_bytes)
{
    for (auto* const socket : {&network, &bus, &engine})
        socket->register_b_transport(this, &TileMemory::b_transport);
}

void TileMemory::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&)
{
    const std::uint64_t address = payload.get_address();
    if (address > bytes_.size() || payload.get_data_length() > bytes_.size() - address) {
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    if (payload.is_write())
        std::memcpy(bytes_.data() + address, payload.get_data_ptr(), payload.get_data_length());
    else
        std::memcpy(payload.get_data_ptr(), bytes_.data() + address, payload.get_data_length());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

LocalBus::LocalBus(const sc_core::sc_module_name& name, unsigned tile, const PartTimes& times)
    : sc_module(name), base_(tile * tile_bytes), times_(times)
{
    processor.register_b_transport(this, &LocalBus::b_transport);
}

void LocalBus::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    const std::uint64_t address = payload.get_address();
    if (address / tile_bytes != base_ / tile_bytes) {
        network->b_transport(payload, delay);
        return;
    }
    const unsigned words = (payload.get_data_length() + 7) / 8;
    delay += nanoseconds(times_.local_access_ns + words * times_.local_word_ns);
    const bool is_memory = address - base_ < register_offset;
    payload.set_address(address - base_ - (is_memory ? 0 : register_offset));
    (is_memory ? memory : registers)->b_transport(payload, delay);
    payload.set_address(address);
}

TileBarrier::TileBarrier(const sc_core::sc_module_name& name, unsigned engines, const PartTimes& times)
    : sc_module(name), engines_(engines), latency_(nanoseconds(times.barrier_ns))
{
}

void TileBarrier::await_all()
{
    if (++arrived_ == engines_) {
        arrived_ = 0;
        released_.notify(latency_);
    }
    sc_core::wait(released_);
}

TileEngine::TileEngine(const sc_core::sc_module_name& name, const PartTimes& times)
    : sc_module(name), start_(nanoseconds(times.copy_start_ns))
{
    SC_HAS_PROCESS(TileEngine);
    registers.register_b_transport(this, &TileEngine::access_register);
    SC_THREAD(run);
    SC_METHOD(drive_interrupt);
    sensitive << status_changed_;
    dont_initialize();
}

void TileEngine::access_register(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    const std::uint64_t address = payload.get_address();
    if (address % 8 != 0 || address / 8 >= values_.size()) {
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    if (payload.get_data_length() != 8) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return;
    }
    const auto which = static_cast<DmaRegister>(address / 8);
    if (payload.is_read()) {
        std::memcpy(payload.get_data_ptr(), &value(which), 8);
    } else {
        std::uint64_t written = 0;
        std::memcpy(&written, payload.get_data_ptr(), 8);
        // A command to an engine that is busy would be lost.
        const bool is_busy = value(DmaRegister::status) == std::uint64_t(DmaStatus::busy);
        if (is_busy || (which == DmaRegister::go && !is_command(written))) {
            payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
            return;
        }
        write_register(which, written, delay);
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void TileEngine::write_register(DmaRegister which, std::uint64_t written, const sc_core::sc_time& delay)
{
    value(which) = written;
    if (which == DmaRegister::go) {
        value(DmaRegister::status) = std::uint64_t(DmaStatus::busy);
        started_.notify(delay); // the processor may be ahead of simulated time
    } else if (which == DmaRegister::status) {
        value(DmaRegister::status) = std::uint64_t(DmaStatus::idle);
        status_changed_.notify(delay);
    }
}

void TileEngine::run()
{
    for (;;) {
        wait(started_);
        if (value(DmaRegister::go) == std::uint64_t(DmaCommand::copy)) {
            copy({value(DmaRegister::source), value(DmaRegister::destination), value(DmaRegister::length)});
        } else {
            for (std::uint64_t i = 0; i < value(DmaRegister::length); ++i) {
                CopyDescriptor step;
                sc_core::sc_time fetched_before;
                transport(memory, tlm::TLM_READ_COMMAND, value(DmaRegister::source) + i * sizeof step, &step,
                          sizeof step, fetched_before);
                if (step.length > 0)
                    copy(step);
                barrier->await_all();
            }
        }
        value(DmaRegister::status) = std::uint64_t(DmaStatus::done);
        status_changed_.notify(sc_core::SC_ZERO_TIME);
    }
}

void TileEngine::copy(const CopyDescriptor& descriptor)
{
    wait(start_);
    std::vector<std::uint8_t> data(descriptor.length);
    sc_core::sc_time streamed;
    transport(memory, tlm::TLM_READ_COMMAND, descriptor.source, data.data(), data.size(), streamed);
    sc_core::sc_time delay;
    transport(network, tlm::TLM_WRITE_COMMAND, descriptor.destination, data.data(), data.size(), delay);
    wait(delay);
}

} // namespace nocturne::soc_platform
