#include "models/hardware/memory.hpp"
#include "models/routing/random.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/simulation.hpp"
#include "tests/models/hardware/transaction.hpp"

#include <tlm_utils/simple_initiator_socket.h>

#include <numeric>

namespace nocturne::memory_test {

using test::Transaction;

namespace {

constexpr std::size_t memory_bytes = 100;

/// A memory of 100 bytes with an initiator bound to it.
struct MemoryBench : sc_core::sc_module {
    explicit MemoryBench(const sc_core::sc_module_name& module_name, std::size_t bytes = memory_bytes)
        : sc_module(module_name), memory("memory", bytes)
    {
        socket.bind(memory.socket);
    }
    tlm::tlm_response_status transport(tlm::tlm_generic_payload& transaction)
    {
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->b_transport(transaction, delay);
        CHECK(delay == sc_core::SC_ZERO_TIME);
        return transaction.get_response_status();
    }
    tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address,
                                    std::vector<std::uint8_t>& data)
    {
        Transaction transaction(command, address, data);
        return transport(transaction);
    }

    Memory memory;
    tlm_utils::simple_initiator_socket<MemoryBench> socket{"socket"};
};

} // namespace

TEST_CASE("a memory keeps what was written to it, byte for byte", "[hardware][memory]")
{
    test::Simulation simulation;
    MemoryBench bench("bench");
    std::vector<std::uint8_t> expected(memory_bytes);
    CHECK(std::equal(expected.begin(), expected.end(), bench.memory.contents().begin()));
    SplitMix64 random(1);
    for (int i = 0; i < 500; ++i) {
        const std::uint32_t begin = random.below(memory_bytes);
        std::vector<std::uint8_t> data(1 + random.below(memory_bytes - begin));
        if (random.below(2) == 0) {
            for (std::uint8_t& byte : data)
                byte = static_cast<std::uint8_t>(random());
            REQUIRE(bench.access(tlm::TLM_WRITE_COMMAND, begin, data) == tlm::TLM_OK_RESPONSE);
            std::copy(data.begin(), data.end(), expected.begin() + begin);
        } else {
            REQUIRE(bench.access(tlm::TLM_READ_COMMAND, begin, data) == tlm::TLM_OK_RESPONSE);
            REQUIRE(std::equal(data.begin(), data.end(), expected.begin() + begin));
        }
        REQUIRE(std::equal(expected.begin(), expected.end(), bench.memory.contents().begin()));
    }
}

TEST_CASE("an access outside the memory is an address error and changes nothing", "[hardware][memory]")
{
    const auto [address, bytes] = GENERATE(table<std::uint64_t, std::size_t>({{memory_bytes, 1},
                                                                              {memory_bytes - 1, 2},
                                                                              {0, memory_bytes + 1},
                                                                              {~0ull, 1},
                                                                              {~0ull - 3, 8},
                                                                              {1ull << 32, 4}}));
    const auto command = GENERATE(tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND);
    test::Simulation simulation;
    MemoryBench bench("bench");
    std::vector<std::uint8_t> data(bytes, 0xaa);
    CHECK(bench.access(command, address, data) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    Transaction debug(command, address, data);
    CHECK(bench.socket->transport_dbg(debug) == 0);
    CHECK(data == std::vector<std::uint8_t>(bytes, 0xaa));
    for (const std::uint8_t byte : bench.memory.contents())
        REQUIRE(byte == 0);
}

TEST_CASE("byte enables and narrow streams are refused, not ignored", "[hardware][memory]")
{
    test::Simulation simulation;
    MemoryBench bench("bench");
    std::vector<std::uint8_t> data(8, 0xaa);
    Transaction enabled(tlm::TLM_WRITE_COMMAND, 0, data);
    unsigned char enables[] = {0xff, 0};
    enabled.set_byte_enable_ptr(enables);
    enabled.set_byte_enable_length(2);
    CHECK(bench.transport(enabled) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    Transaction narrow(tlm::TLM_WRITE_COMMAND, 0, data);
    narrow.set_streaming_width(4);
    CHECK(bench.transport(narrow) == tlm::TLM_BURST_ERROR_RESPONSE);
    CHECK(bench.memory.contents()[0] == 0);
    Transaction wide(tlm::TLM_WRITE_COMMAND, 0, data);
    wide.set_streaming_width(9);
    CHECK(bench.transport(wide) == tlm::TLM_OK_RESPONSE);
    CHECK(bench.memory.contents()[7] == 0xaa);
    CHECK(bench.memory.contents()[8] == 0);
}

TEST_CASE("debug transport reads and writes", "[hardware][memory]")
{
    test::Simulation simulation;
    MemoryBench bench("bench");
    std::vector<std::uint8_t> data(memory_bytes);
    std::iota(data.begin(), data.end(), std::uint8_t{1});
    Transaction write(tlm::TLM_WRITE_COMMAND, 0, data);
    CHECK(bench.socket->transport_dbg(write) == memory_bytes);
    std::vector<std::uint8_t> read_back(memory_bytes - 10);
    Transaction read(tlm::TLM_READ_COMMAND, 10, read_back);
    CHECK(bench.socket->transport_dbg(read) == memory_bytes - 10);
    CHECK(std::equal(read_back.begin(), read_back.end(), data.begin() + 10));
}

TEST_CASE("a memory grants direct access to all of itself and says so", "[hardware][memory]")
{
    test::Simulation simulation;
    MemoryBench bench("bench");
    std::vector<std::uint8_t> data(1, 0x5a);
    Transaction transaction(tlm::TLM_WRITE_COMMAND, 99, data);
    CHECK(bench.transport(transaction) == tlm::TLM_OK_RESPONSE);
    CHECK(transaction.is_dmi_allowed());
    tlm::tlm_dmi region;
    REQUIRE(bench.socket->get_direct_mem_ptr(transaction, region));
    CHECK(region.get_start_address() == 0);
    CHECK(region.get_end_address() == memory_bytes - 1);
    CHECK(region.is_read_write_allowed());
    CHECK(region.get_dmi_ptr()[99] == 0x5a);
    region.get_dmi_ptr()[98] = 0x77;
    CHECK(bench.memory.contents()[98] == 0x77);
}

TEST_CASE("an empty memory refuses everything", "[hardware][memory]")
{
    test::Simulation simulation;
    MemoryBench bench("bench", 0);
    std::vector<std::uint8_t> data(1);
    Transaction transaction(tlm::TLM_READ_COMMAND, 0, data);
    CHECK(bench.transport(transaction) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK_FALSE(transaction.is_dmi_allowed());
    tlm::tlm_dmi region;
    CHECK_FALSE(bench.socket->get_direct_mem_ptr(transaction, region));
}

} // namespace nocturne::memory_test
