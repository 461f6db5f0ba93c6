#include "sim/imports/link_rates.hpp"
#include "tests/catch.hpp"

#include <vector>

namespace nocturne::link_rates_test {

TEST_CASE("rates are read in bits and in bytes", "[imports][rates]")
{
    CHECK(parse_link_rate("400Gb/s") == 50 * gb_per_s);
    CHECK(parse_link_rate("400Gbps") == 50 * gb_per_s);
    CHECK(parse_link_rate("400 Gbit/s") == 50 * gb_per_s);
    CHECK(parse_link_rate("50GB/s") == 50 * gb_per_s);
    CHECK(parse_link_rate("50GBps") == 50 * gb_per_s);
    CHECK(parse_link_rate("2880Gbps") == 360 * gb_per_s);
    CHECK(parse_link_rate("100Mb/s") == 12'500);
    CHECK(parse_link_rate("76.8GB/s") == 76'800'000);
    CHECK(parse_link_rate("1.5TB/s") == 1500 * gb_per_s);
    CHECK(parse_link_rate("1000Mib/s") == 131'072);
    CHECK(parse_link_rate("8000000b/s") == 1000);
}

TEST_CASE("texts that are no rates are none", "[imports][rates]")
{
    for (const char* text : {"", "400", "400G", "Gb/s", "400Gb", "400gb/s", "400Gb/h", "-1Gb/s", "0Gb/s",
                             "nanGb/s", "infGB/s", "1e300GB/s", "100001GB/s", "1b/s", "400GGb/s", "400Gb/s "})
        CHECK_FALSE(parse_link_rate(text).has_value());
}

TEST_CASE("rates are shown in GB/s", "[imports][rates]")
{
    CHECK(shown_rate(450 * gb_per_s) == "450 GB/s");
    CHECK(shown_rate(12'500'000) == "12.5 GB/s");
    CHECK(shown_rate(14'062'500) == "14.0625 GB/s");
}

TEST_CASE("PCIe carries what its encoding leaves", "[imports][rates]")
{
    CHECK(pcie_rate(8, 16) == 15'750'000);
    CHECK(pcie_rate(16, 16) == 31'500'000);
    CHECK(pcie_rate(32, 16) == 63'000'000);
    CHECK(pcie_rate(64, 16) == 121'000'000);
    CHECK(pcie_rate(5, 8) == 4'000'000);
    CHECK(pcie_rate(2.5, 1) == 250'000);
    CHECK(pcie_rate(16, 0) == 0);
    CHECK(pcie_rate(0, 16) == 0);
    // 128b/130b: within 0.03 % of the exact rate.
    CHECK(static_cast<double>(pcie_rate(32, 16)) == Approx(32e6 * 16 / 8 * 128 / 130).epsilon(3e-4));
}

TEST_CASE("a clock makes all widths whole", "[imports][rates]")
{
    const auto cycle = [](const std::vector<LinkRate>& rates) { return clock_for(rates).cycle_ns; };
    CHECK(cycle({}) == 1);
    CHECK(cycle({450 * gb_per_s, 50 * gb_per_s}) == 1);
    CHECK(cycle({12'500'000, 150 * gb_per_s}) == 2);
    CHECK(cycle({76'800'000}) == 5);
    CHECK(cycle({15'750'000, 76'800'000}) == 20);
    const LinkClock clock = clock_for(std::vector<LinkRate>{15'750'000, 76'800'000});
    CHECK(clock.error == 0);
    CHECK(clock.width_of(15'750'000) == 315);
    CHECK(clock.width_of(76'800'000) == 1536);
}

TEST_CASE("rates that no clock up to 1 us makes whole are rounded, and the error is said", "[imports][rates]")
{
    const LinkRate odd = 12'345'679; // GB/s: 12.345679
    const LinkClock clock = clock_for(std::vector<LinkRate>{odd, 50 * gb_per_s});
    CHECK(clock.cycle_ns == 100); // at 10 ns: 123 of 123.46 bytes, 0.4 %
    CHECK(clock.width_of(odd) == 1235);
    CHECK(clock.error == Approx(1235 / 1234.5679 - 1));
    const LinkClock slow = clock_for(std::vector<LinkRate>{1, gb_per_s});
    CHECK(slow.cycle_ns == 1000);
    CHECK(slow.width_of(1) == 1); // never none
}

} // namespace nocturne::link_rates_test
