// What a virtual platform has before it has a network: a processor and a memory, written against TLM-2.0.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <cstring>
#include <iostream>
#include <vector>

/// Writes words to a range of addresses, and reads them back.
class Processor final : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<Processor, 32> socket{"socket"};

    Processor(const sc_core::sc_module_name& name, std::uint64_t base) : sc_module(name), base_(base)
    {
        SC_HAS_PROCESS(Processor);
        SC_THREAD(run);
    }

private:
    static constexpr std::uint32_t words = 64;

    void run()
    {
        std::uint32_t wrong = 0;
        for (std::uint32_t i = 0; i < words; ++i)
            transfer(tlm::TLM_WRITE_COMMAND, 4 * i, 3 * i + 1);
        for (std::uint32_t i = 0; i < words; ++i)
            wrong += transfer(tlm::TLM_READ_COMMAND, 4 * i, 0) != 3 * i + 1;
        std::cout << name() << ": " << wrong << " wrong words, done at " << sc_core::sc_time_stamp() << '\n';
    }

    std::uint32_t transfer(tlm::tlm_command command, std::uint64_t offset, std::uint32_t word)
    {
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(base_ + offset);
        payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
        payload.set_data_length(sizeof word);
        payload.set_streaming_width(sizeof word);
        sc_core::sc_time delay;
        socket->b_transport(payload, delay);
        if (payload.is_response_error())
            SC_REPORT_ERROR(name(), payload.get_response_string().c_str());
        wait(delay);
        return word;
    }

    const std::uint64_t base_;
};

/// 64 KiB that answer after 5 ns.
class Memory final : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<Memory, 32> socket{"socket"};

    explicit Memory(const sc_core::sc_module_name& name) : sc_module(name), bytes_(65536)
    {
        socket.register_b_transport(this, &Memory::b_transport);
    }

private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
    {
        const std::uint64_t address = payload.get_address();
        if (address > bytes_.size() || payload.get_data_length() > bytes_.size() - address) {
            payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        if (payload.is_write())
            std::memcpy(&bytes_[address], payload.get_data_ptr(), payload.get_data_length());
        else
            std::memcpy(payload.get_data_ptr(), &bytes_[address], payload.get_data_length());
        delay += sc_core::sc_time(5, sc_core::SC_NS);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }

    std::vector<std::uint8_t> bytes_;
};
