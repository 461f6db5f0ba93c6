#include "models/topology/make_topology.hpp"
#include "models/topology/topology.hpp"
#include "sim/audit/link_setting.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"

namespace nocturne::link_setting_test {

using Catch::Contains;

TEST_CASE("rates are bytes or bits a second", "[audit]")
{
    CHECK(link_rate_of("25GB/s") == 25 * gb_per_s);
    CHECK(link_rate_of("200Gb/s") == 25 * gb_per_s);
    CHECK(link_rate_of("0.5GB/s") == gb_per_s / 2);
    for (const char* text : {"", "25", "GB/s", "-1GB/s", "0GB/s", "nanGB/s", "1e9GB/s"}) {
        CAPTURE(text);
        CHECK_THROWS_WITH(link_rate_of(text), Contains("expected a rate such as 25GB/s or 200Gb/s"));
    }
}

TEST_CASE("links without a width have the rate that is given, in whole bytes a cycle", "[audit]")
{
    const Topology boxes = make_topology("dgx_h100"), ring = make_topology("ring:4");
    const LinkSetting nvlinks = link_setting(boxes, {}, {});
    CHECK(nvlinks.bytes_per_cycle == 25);
    CHECK(nvlinks.cycle_ns == 1);
    CHECK_THAT(nvlinks.remark, Contains("25 GB/s"));
    CHECK(link_setting(boxes, 50 * gb_per_s, {}).bytes_per_cycle == 50);
    CHECK(link_setting(boxes, 50 * gb_per_s, {}).remark.empty());
    CHECK(link_setting(ring, gb_per_s * 25 / 2, {}).bytes_per_cycle == 25);
    CHECK(link_setting(ring, gb_per_s * 25 / 2, {}).cycle_ns == 2);
    CHECK(link_setting(ring, gb_per_s * 384 / 5, {}).cycle_ns == 5);
    CHECK(link_setting(ring, gb_per_s * 25 / 2, 4).bytes_per_cycle == 50);
    CHECK_THROWS_WITH(link_setting(ring, {}, {}), Contains("--link-rate is missing: links of ring:4"));
    CHECK_THROWS_WITH(link_setting(ring, gb_per_s * 25 / 2, 1),
                      Contains("12.5 GB/s is no whole number of bytes in a cycle of 1 ns"));

    const Topology wide =
        test::direct_network("wide", 2, test::both_ways({{.source = 0, .target = 1, .width_bytes = 50}}));
    CHECK(link_setting(wide, {}, {}).cycle_ns == 1);
    CHECK_THAT(link_setting(wide, {}, {}).remark, Contains("1 byte per cycle counts as 1 GB/s"));
    CHECK(link_setting(wide, {}, 2).remark.empty());
    CHECK_THROWS_WITH(link_setting(wide, 25 * gb_per_s, {}),
                      Contains("--link-rate: every link of wide has a width"));
}

TEST_CASE("a log of other GPUs than those of the machine is remarked", "[audit]")
{
    CHECK(other_gpus_remark("NVIDIA H200", "dgx_a100") ==
          "the log is of NVIDIA H200, whose links carry 450 GB/s one way together, those of an A100 in "
          "dgx_a100 "
          "300 GB/s");
    CHECK_THAT(other_gpus_remark("NVIDIA A100-SXM4-40GB", "dgx_h100"), Contains("carry 300 GB/s"));
    CHECK_THAT(other_gpus_remark("Tesla V100-SXM2-32GB", "dgx_h100 without link:gpu0-switch0"),
               Contains("150 GB/s"));
    CHECK(other_gpus_remark("NVIDIA H200", "dgx_h100").empty()); // the same links
    CHECK(other_gpus_remark("NVIDIA A100-SXM4-80GB", "dgx_a100").empty());
    CHECK(other_gpus_remark("NVIDIA H200", "ring:8").empty());
    CHECK(other_gpus_remark("", "dgx_h100").empty());
    CHECK(other_gpus_remark("NVIDIA Unknown", "dgx_h100").empty());
}

TEST_CASE("processors that share a router need a rate for their own links", "[audit]")
{
    Topology shared("shared");
    const RouterId first = shared.add_router(), second = shared.add_router();
    shared.add_processor(first, first, "a");
    shared.add_processor(first, first, "b");
    shared.add_processor(second);
    shared.add_channel({.source = first, .target = second, .width_bytes = 50});
    shared.add_channel({.source = second, .target = first, .width_bytes = 50});
    CHECK_THROWS_WITH(link_setting(shared, {}, {}),
                      Contains("links between a router and its several processors"));
    CHECK(link_setting(shared, 25 * gb_per_s, {}).bytes_per_cycle == 25);
    // A name that only begins like a box of NVLinks is none.
    const Topology other = test::direct_network("dgx_cloud", 2, {{0, 1}, {1, 0}});
    CHECK_THROWS_WITH(link_setting(other, {}, {}), Contains("--link-rate is missing"));
}

} // namespace nocturne::link_setting_test
