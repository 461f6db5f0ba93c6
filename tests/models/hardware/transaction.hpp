// A TLM-2.0 transaction made in one line.
#pragma once

#include <tlm>

#include <cstdint>
#include <vector>

namespace nocturne::test {

/// Reads into, or writes from, `data`, which must outlive it.
struct Transaction : tlm::tlm_generic_payload {
    Transaction(tlm::tlm_command command, std::uint64_t address, std::vector<std::uint8_t>& data)
    {
        set_command(command);
        set_address(address);
        set_data_ptr(data.data());
        set_data_length(static_cast<unsigned>(data.size()));
        set_streaming_width(static_cast<unsigned>(data.size()));
    }
};

} // namespace nocturne::test
