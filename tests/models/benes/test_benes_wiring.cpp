#include "benes_reference.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"

#include <fmt/format.h>

namespace nocturne::benes_wiring_test {

using Catch::Contains;

TEST_CASE("the tables are the wires of the topology", "[benes]")
{
    const test::BenesSize size = GENERATE(from_range(test::benes_sizes()));
    const BenesWiring wiring(size.q, size.n, size.truncated);
    const Topology topology = make_topology(fmt::format("benes:{},{},{}", size.q, size.n, size.truncated));
    REQUIRE(wiring.lines() == topology.processor_count());
    REQUIRE(wiring.columns() == topology.tag_digits().size());
    const std::uint32_t switches = wiring.lines() / wiring.switch_size();
    for (unsigned column = 0; column + 1 < wiring.columns(); ++column)
        for (std::uint32_t line = 0; line < wiring.lines(); ++line) {
            // Switches are numbered column by column, channels out of one by output port.
            const RouterId from = column * switches + line / size.q;
            const ChannelId channel = topology.channels_from(from)[line % size.q];
            CHECK(topology.channel(channel).target ==
                  (column + 1) * switches + wiring.enters_next(column, line) / size.q);
        }
}

TEST_CASE("any tag leads from any source to the destination of its last digits", "[benes]")
{
    const test::BenesSize size = GENERATE(from_range(test::benes_sizes()));
    const BenesWiring wiring(size.q, size.n, size.truncated);
    SplitMix64 random(7);
    std::vector<std::uint16_t> tag(wiring.columns());
    for (std::uint32_t source = 0; source < wiring.lines(); ++source)
        for (std::uint32_t destination = 0; destination < wiring.lines(); ++destination) {
            for (unsigned column = 0; column < wiring.columns(); ++column)
                tag[column] = static_cast<std::uint16_t>(column < wiring.free_columns()
                                                             ? random.below(size.q)
                                                             : wiring.destination_digit(column, destination));
            REQUIRE(test::lines_of(wiring, source, tag).back() == destination);
        }
}

TEST_CASE("wires between columns are one to one", "[benes]")
{
    const test::BenesSize size = GENERATE(from_range(test::benes_sizes()));
    const BenesWiring wiring(size.q, size.n, size.truncated);
    for (unsigned column = 0; column + 1 < wiring.columns(); ++column) {
        std::vector<bool> entered(wiring.lines(), false);
        for (std::uint32_t line = 0; line < wiring.lines(); ++line) {
            const std::uint32_t next = wiring.enters_next(column, line);
            CHECK_FALSE(entered.at(next));
            entered[next] = true;
        }
    }
}

TEST_CASE("sizes that no Benes network has are refused", "[benes]")
{
    CHECK_THROWS_WITH(BenesWiring(1, 3), Contains("q is at least 2"));
    CHECK_THROWS_WITH(BenesWiring(2, 0), Contains("n at least 1"));
    CHECK_THROWS_WITH(BenesWiring(2, 3, 3), Contains("at most n-1 = 2"));
    CHECK_THROWS_WITH(BenesWiring(2, 21), Contains("more than 1048576 lines"));
    CHECK_THROWS_WITH(BenesWiring(65536, 40), Contains("more than 1048576 lines"));
}

} // namespace nocturne::benes_wiring_test
