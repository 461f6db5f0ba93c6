#include "models/topology/make_topology.hpp"
#include "sim/rtl/bench_packets.hpp"
#include "tests/catch.hpp"

namespace nocturne::bench_packets_test {

TEST_CASE("a bench's load rises from the first packet to the last", "[rtl]")
{
    const Topology topology = make_topology("mesh:4x4");
    const std::vector<BenchPacket> packets =
        draw_packets(make_pattern(topology, "uniform"), make_message_sizes("4"), {20'000, 0.1, 0.9, 7});
    REQUIRE(packets.size() == 20'000);
    for (std::size_t i = 1; i < packets.size(); ++i)
        REQUIRE(packets[i - 1].cycle <= packets[i].cycle);
    const auto load_between = [&](std::size_t first, std::size_t last) {
        const auto cycles = static_cast<double>(packets[last].cycle - packets[first].cycle);
        return static_cast<double>(last - first) * 4 / 16 / cycles;
    };
    CHECK(load_between(0, 1000) == Approx(0.12).epsilon(0.1));
    CHECK(load_between(9500, 10'500) == Approx(0.5).epsilon(0.1));
    CHECK(load_between(19'000, 19'999) == Approx(0.88).epsilon(0.1));
}

} // namespace nocturne::bench_packets_test
