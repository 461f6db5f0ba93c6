#include "models/hardware/dma_engine.hpp"

#include "models/hardware/chunk_element.hpp"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

namespace nocturne {

DmaEngine::DmaEngine(const sc_core::sc_module_name& name, const DmaEngineConfig& config,
                     NetworkInterface& interface, PacketPool& packets, PacketMaker make_packet,
                     Barrier& barrier)
    : sc_module(name), config_(config), interface_(interface), packets_(packets),
      make_packet_(std::move(make_packet)), barrier_(barrier)
{
    registers.register_b_transport(this, &DmaEngine::b_transport);
    registers.register_transport_dbg(this, &DmaEngine::transport_dbg);
    interface_.attach(*this);

    SC_HAS_PROCESS(DmaEngine);
    SC_METHOD(issue);
    sensitive << timer_;
    dont_initialize();
    SC_METHOD(expire);
    sensitive << time_is_up_;
    dont_initialize();
    SC_METHOD(next_step);
    sensitive << barrier_.released();
    dont_initialize();
    SC_METHOD(update_interrupt);
    sensitive << interrupt_changed_;
    dont_initialize();
}

// The program.

void DmaEngine::start()
{
    status_ = dma_status::busy;
    sent_ = received_ = discarded_ = step_ = 0;
    started_up_ = false;
    step_times_.clear();
    arrived_.clear();
    error_.clear();
    cursor_ = program_;
    try {
        next_ = decode_descriptor(cursor_, [this](std::uint32_t address) { return read_word(address); });
    } catch (const std::exception& bad) {
        fail(bad.what());
        return;
    }
    fetch_step();
}

void DmaEngine::fetch_step()
{
    using Opcode = DmaDescriptor::Opcode;
    sends_.clear();
    combines_.clear();
    expected_ = 0;
    if (next_.opcode == Opcode::end && step_ >= next_.step) {
        finish();
        return;
    }
    step_times_.push_back({sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME});
    if (time_out_ > 0)
        time_is_up_.notify(config_.cycle * time_out_);
    try {
        while (next_.opcode != Opcode::end && next_.step == step_) {
            if (next_.opcode == Opcode::send)
                sends_.push_back(next_);
            else if (next_.opcode == Opcode::receive)
                expected_ += next_.length;
            else
                combines_.push_back(next_);
            cursor_ += dma_descriptor_words * 4;
            next_ = decode_descriptor(cursor_, [this](std::uint32_t address) { return read_word(address); });
        }
        if (next_.step < step_)
            throw std::runtime_error(fmt::format("DMA program: step {} after step {}", next_.step, step_));
    } catch (const std::exception& bad) {
        fail(bad.what());
        return;
    }
    const bool needs_start_up = !sends_.empty() && ((control_ & dma_control::chained) == 0 || !started_up_);
    phase_ = Phase::starting_up;
    if (needs_start_up) {
        started_up_ = true;
        timer_.notify(config_.start_up);
    } else {
        timer_.notify(sc_core::SC_ZERO_TIME);
    }
}

void DmaEngine::issue()
{
    phase_ = Phase::transferring;
    std::vector<PacketId> messages;
    try {
        for (const DmaDescriptor& send : sends_) {
            messages.push_back(make_packet_(send.destination, send.length, send.route));
            fill(messages.back(), send);
        }
    } catch (const std::exception& bad) {
        for (const PacketId message : messages)
            packets_.release(message);
        fail(bad.what());
        return;
    }
    unsent_ = static_cast<std::uint32_t>(messages.size());
    for (const PacketId message : messages)
        interface_.send(message);
    proceed();
}

void DmaEngine::fill(PacketId message, const DmaDescriptor& send)
{
    Packet& packet = packets_[message];
    packet.step = send.remote_step;
    packet.address = send.remote_address;
    packet.bytes = send.length;
    if (send.length == 0)
        return;
    require_readable(send.local_address, send.length);
    packet.payload.resize(send.length);
    access_memory(tlm::TLM_READ_COMMAND, send.local_address, packet.payload.data(), send.length);
}

void DmaEngine::packet_sent(const Packet&)
{
    ++sent_;
    if (--unsent_ == 0 && phase_ == Phase::idle)
        status_ &= ~dma_status::busy;
    proceed();
}

void DmaEngine::flit_arrived(const Packet& packet, std::uint32_t sequence)
{
    const std::size_t begin = std::size_t{sequence} * config_.flit_bytes;
    if (begin >= packet.bytes)
        return;
    const std::size_t bytes = std::min<std::size_t>(config_.flit_bytes, packet.bytes - begin);
    try {
        access_memory(tlm::TLM_WRITE_COMMAND, packet.address + begin,
                      const_cast<std::byte*>(packet.payload.data() + begin),
                      static_cast<std::uint32_t>(bytes));
    } catch (const std::exception& bad) {
        fail(bad.what());
    }
}

void DmaEngine::packet_arrived(const Packet& packet)
{
    ++received_;
    ++messages_;
    latency_cycles_ += static_cast<std::uint64_t>(sc_core::sc_time_stamp() / config_.cycle) - packet.created;
    ++arrived_[packet.step];
    record(packet);
    proceed();
}

void DmaEngine::record(const Packet& packet)
{
    if (arrivals_ == 0)
        return;
    ArrivalRecord words{packet.source, packet.step, packet.address, packet.bytes};
    static_assert(sizeof words == 16);
    try {
        access_memory(tlm::TLM_WRITE_COMMAND, arrivals_ + (received_ - 1) * std::uint64_t{sizeof words},
                      &words, sizeof words);
    } catch (const std::exception& bad) {
        fail(bad.what());
    }
}

/// Messages of this step that have not come.
std::uint32_t DmaEngine::missing() const
{
    const auto arrived = arrived_.find(step_);
    const std::uint32_t count = arrived == arrived_.end() ? 0 : arrived->second;
    return count < expected_ ? expected_ - count : 0;
}

void DmaEngine::proceed()
{
    if (phase_ != Phase::transferring || unsent_ > 0 || missing() > 0)
        return;
    time_is_up_.cancel();
    step_times_.back().end = sc_core::sc_time_stamp();
    phase_ = Phase::at_barrier;
    if ((control_ & dma_control::self_timed) != 0)
        next_step();
    else
        barrier_.arrive();
}

void DmaEngine::next_step()
{
    if (phase_ != Phase::at_barrier)
        return;
    try {
        for (const DmaDescriptor& line : combines_)
            combine(line);
    } catch (const std::exception& bad) {
        fail(bad.what());
        return;
    }
    ++step_;
    fetch_step();
}

void DmaEngine::combine(const DmaDescriptor& line)
{
    const bool adds = line.opcode == DmaDescriptor::Opcode::add;
    if (adds && line.length % sizeof(std::uint32_t) != 0)
        throw std::runtime_error(fmt::format("DMA program: {} bytes to add are no whole words", line.length));
    std::vector<std::uint32_t> words = read_bytes(line.local_address, line.length);
    if (adds)
        add_words(ChunkElement::int32, words, read_bytes(line.remote_address, line.length));
    access_memory(tlm::TLM_WRITE_COMMAND, line.remote_address, words.data(), line.length);
}

void DmaEngine::finish()
{
    phase_ = Phase::idle;
    status_ = dma_status::done;
    interrupt_changed_.notify(sc_core::SC_ZERO_TIME);
}

void DmaEngine::fail(const std::string& reason)
{
    error_ = fmt::format("{}: {}", name(), reason);
    stop(dma_status::error);
}

void DmaEngine::expire()
{
    // What comes in this very cycle is in time: the clock domain has run when this returns.
    if (!is_expiring_) {
        is_expiring_ = true;
        next_trigger(sc_core::SC_ZERO_TIME);
        return;
    }
    is_expiring_ = false;
    const bool in_step = phase_ == Phase::starting_up || phase_ == Phase::transferring;
    if (!in_step || sc_core::sc_time_stamp() - step_times_.back().begin < config_.cycle * time_out_)
        return; // it was, and this is another step
    error_ = fmt::format("{}: time-out in step {}: {} of {} messages have not come, {} of {} have not left",
                         name(), step_, missing(), expected_, unsent_, sends_.size());
    stop(dma_status::error | dma_status::timed_out);
}

void DmaEngine::halt()
{
    if (phase_ == Phase::idle)
        return;
    if (phase_ == Phase::at_barrier)
        barrier_.withdraw();
    stop(dma_status::halted);
}

/// Ends the program where it is. The engine stays busy as long as messages that it has issued leave.
void DmaEngine::stop(std::uint32_t status)
{
    phase_ = Phase::idle;
    timer_.cancel();
    time_is_up_.cancel();
    status_ = status | (unsent_ > 0 ? dma_status::busy : 0);
    interrupt_changed_.notify(sc_core::SC_ZERO_TIME);
}

// The memory.

void DmaEngine::access_memory(tlm::tlm_command command, std::uint64_t address, void* data,
                              std::uint32_t bytes)
{
    if (bytes == 0)
        return;
    if (region_.get_dmi_ptr() != nullptr && address >= region_.get_start_address() &&
        address + bytes - 1 <= region_.get_end_address()) {
        auto* place = region_.get_dmi_ptr() + (address - region_.get_start_address());
        if (command == tlm::TLM_WRITE_COMMAND)
            std::memcpy(place, data, bytes);
        else
            std::memcpy(data, place, bytes);
        return;
    }
    transaction_.set_command(command);
    transaction_.set_address(address);
    transaction_.set_data_ptr(static_cast<unsigned char*>(data));
    transaction_.set_data_length(bytes);
    transaction_.set_streaming_width(bytes);
    transaction_.set_byte_enable_ptr(nullptr);
    transaction_.set_dmi_allowed(false);
    transaction_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    memory->b_transport(transaction_, delay);
    if (!transaction_.is_response_ok())
        throw std::runtime_error(fmt::format("memory refuses {} bytes at address {:#x}: {}", bytes, address,
                                             transaction_.get_response_string()));
    if (transaction_.is_dmi_allowed() && !memory->get_direct_mem_ptr(transaction_, region_))
        region_.init();
}

/// Asks for the last byte: a length that is a mistake must not cost its buffer.
void DmaEngine::require_readable(std::uint64_t address, std::uint32_t bytes)
{
    std::byte last{};
    access_memory(tlm::TLM_READ_COMMAND, address + bytes - 1, &last, 1);
}

/// The last word is filled up with zeros.
std::vector<std::uint32_t> DmaEngine::read_bytes(std::uint32_t address, std::uint32_t bytes)
{
    if (bytes > 0)
        require_readable(address, bytes);
    std::vector<std::uint32_t> words((std::size_t{bytes} + 3) / 4);
    access_memory(tlm::TLM_READ_COMMAND, address, words.data(), bytes);
    return words;
}

std::uint32_t DmaEngine::read_word(std::uint32_t address)
{
    std::uint32_t word = 0;
    access_memory(tlm::TLM_READ_COMMAND, address, &word, sizeof word);
    return word;
}

} // namespace nocturne
