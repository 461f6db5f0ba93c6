#include "models/topology/make_topology.hpp"
#include "models/topology/topology.hpp"
#include "sim/audit/link_rates.hpp"
#include "tests/catch.hpp"

namespace nocturne::link_rates_test {

using Catch::Contains;

TEST_CASE("rates are bytes or bits a second", "[audit]")
{
    CHECK(parse_rate("25GB/s") == 25);
    CHECK(parse_rate("200Gb/s") == 25);
    CHECK(parse_rate("0.5GB/s") == 0.5);
    for (const char* text :
         {"", "25", "GB/s", "25GiB/s", "-1GB/s", "0GB/s", "nanGB/s", "1e9GB/s", "25 GB/s"}) {
        CAPTURE(text);
        CHECK_THROWS_WITH(parse_rate(text), Contains("expected a rate such as 25GB/s or 200Gb/s"));
    }
}

TEST_CASE("links without a width have the rate that is given, in whole bytes a cycle", "[audit]")
{
    const Topology boxes = make_topology("dgx_h100"), ring = make_topology("ring:4");
    const LinkRates nvlinks = link_rates(boxes, {}, {});
    CHECK(nvlinks.bytes_per_cycle == 25);
    CHECK(nvlinks.cycle_ns == 1);
    CHECK_THAT(nvlinks.remark, Contains("25 GB/s"));
    CHECK(link_rates(boxes, 50, {}).bytes_per_cycle == 50);
    CHECK(link_rates(boxes, 50, {}).remark.empty());
    CHECK(link_rates(ring, 12.5, {}).bytes_per_cycle == 25);
    CHECK(link_rates(ring, 12.5, {}).cycle_ns == 2);
    CHECK(link_rates(ring, 76.8, {}).cycle_ns == 5);
    CHECK(link_rates(ring, 12.5, 4).bytes_per_cycle == 50);
    CHECK_THROWS_WITH(link_rates(ring, {}, {}), Contains("--link-rate is missing: the links of ring:4"));
    CHECK_THROWS_WITH(link_rates(ring, 12.5, 1),
                      Contains("12.5 GB/s is no whole number of bytes in a cycle of 1 ns"));

    Topology wide("wide");
    wide.add_processor(wide.add_router());
    wide.add_processor(wide.add_router());
    wide.add_channel({.source = 0, .target = 1, .width_bytes = 50});
    wide.add_channel({.source = 1, .target = 0, .width_bytes = 50});
    CHECK(link_rates(wide, {}, {}).cycle_ns == 1);
    CHECK_THAT(link_rates(wide, {}, {}).remark, Contains("1 byte per cycle counts as 1 GB/s"));
    CHECK(link_rates(wide, {}, 2).remark.empty());
    CHECK_THROWS_WITH(link_rates(wide, 25, {}), Contains("--link-rate: every link of wide has a width"));
}

} // namespace nocturne::link_rates_test
