// What a transaction does to a memory, byte by byte.
#pragma once

#include <tlm>

#include <cstdint>
#include <vector>

namespace nocturne::test {

/// Reads or writes as the standard defines it (IEEE 1666-2011, clause 14.17), with byte enables and streaming
/// width. The address and `bytes` count from the same place, and the transaction must fit.
inline void access_plain_memory(std::vector<std::uint8_t>& bytes, const tlm::tlm_generic_payload& payload,
                                std::uint64_t address)
{
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
        const unsigned char* const enables = payload.get_byte_enable_ptr();
        if (enables != nullptr && enables[i % payload.get_byte_enable_length()] == TLM_BYTE_DISABLED)
            continue;
        std::uint8_t& place = bytes.at(address + i % payload.get_streaming_width());
        if (payload.is_write())
            place = payload.get_data_ptr()[i];
        else if (payload.is_read())
            payload.get_data_ptr()[i] = place;
    }
}

} // namespace nocturne::test
