#include "models/topology/topology.hpp"
#include "sim/simulation/memory_need.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"

namespace nocturne::memory_need_test {

using Catch::Contains;

TEST_CASE("as many workers run at a time as fit into the limit", "[simulation][memory]")
{
    constexpr std::uint64_t gib = 1ull << 30;
    std::vector<std::string> notices;
    const MemoryLimit limit{8 * gib, [&](const std::string& text) { notices.push_back(text); }};
    CHECK(workers_that_fit(4, {1000, 1000}, limit) == 2);
    CHECK(notices.empty());
    CHECK(workers_that_fit(4, {gib, 3 * gib, 4 * gib, gib}, limit) == 3);
    CHECK(notices == std::vector<std::string>{"simulating takes about 8.0 GiB of memory, 3 runs at a time"});
    CHECK(workers_that_fit(4, {6 * gib, 3 * gib}, limit) == 1);
    CHECK_THAT(notices.back(), Contains("6.0 GiB of memory, 1 run at a time"));
    CHECK_THROWS_WITH(workers_that_fit(1, {gib, 9 * gib}, limit),
                      Contains("about 9.0 GiB of memory, more than the 8.0 GiB"));
}

TEST_CASE("a network takes every place of its buffers, also where their depth follows from the links",
          "[simulation][memory]")
{
    Topology topology = test::direct_network("two", 2, {{0, 1}, {1, 0}});
    HardwareConfig hardware;
    hardware.vcs = 3;
    const auto bytes = [&](unsigned depth) {
        hardware.buffer_flits = depth;
        return network_bytes(topology, hardware, one_port);
    };
    constexpr std::uint64_t slot = 16;         // a flit and its cycle
    const std::uint64_t buffers = 3 * (2 + 2); // of channels and injection links
    CHECK(bytes(2000) - bytes(1000) == buffers * 1000 * slot);
    CHECK(bytes(0) == bytes(hardware.full_rate_buffer_flits(hardware.router, 1)));
    const std::uint64_t near = bytes(0);
    topology.add_channel(Channel{0, 1, 500'000});
    CHECK(bytes(0) - near > 3 * 2 * 500'000 * slot);
    // What hardware refuses does not wrap here.
    topology.add_channel(Channel{0, 1, ~0u});
    CHECK(bytes(0) > near);
}

} // namespace nocturne::memory_need_test
