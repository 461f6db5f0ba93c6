#include "models/network/configuration.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace nocturne::configuration_test {

namespace {

/// Requires that every good value passes and every bad one is refused by name.
template <typename T>
void require_range(T HardwareConfig::* parameter, const std::string& name, std::vector<T> good,
                   std::vector<T> bad)
{
    for (const T value : good) {
        HardwareConfig config;
        config.*parameter = value;
        CHECK_NOTHROW(config.validate());
    }
    for (const T value : bad) {
        HardwareConfig config;
        config.*parameter = value;
        CAPTURE(name, value);
        CHECK_THROWS_WITH(config.validate(),
                          Catch::StartsWith("hardware: " + name + " = ") && Catch::Contains("it must be"));
    }
}

constexpr double infinite = std::numeric_limits<double>::infinity();
const double no_number = std::nan("");

} // namespace

TEST_CASE("a multiple of the cycle is that many cycles, a bit more is one more", "[hardware][configuration]")
{
    const auto from_text = [](std::uint64_t ps) {
        return std::stod(std::to_string(ps / 1000) + '.' + std::to_string(1000 + ps % 1000).substr(1));
    };
    const std::uint64_t cycle_ps =
        GENERATE(1, 3, 7, 70, 100, 300, 333, 700, 1000, 1300, 2000, 2500, 7001, 999'999'999, 1'000'000'000);
    HardwareConfig config;
    config.cycle_ns = from_text(cycle_ps);
    std::uint64_t wrong = 0;
    const auto check = [&](double t0_ns, std::uint64_t cycles) {
        config.t0_ns = t0_ns;
        wrong += config.start_up_cycles() != cycles;
    };
    check(0, 0);
    for (std::uint64_t multiple = 1; multiple <= 2000; ++multiple) {
        check(from_text(multiple * cycle_ps), multiple);
        check(static_cast<double>(multiple) * config.cycle_ns, multiple); // as a program computes it
        check(from_text(multiple * cycle_ps + 1), multiple + 1);
        check(from_text(multiple * cycle_ps - 1), cycle_ps == 1 ? multiple - 1 : multiple);
    }
    check(1e12, (1'000'000'000'000'000 + cycle_ps - 1) / cycle_ps);
    CHECK(wrong == 0);
    CHECK(whole_cycles(0.000'001, 0.7) == 1);
}

TEST_CASE("the defaults are the example of the papers", "[hardware][configuration]")
{
    const HardwareConfig config;
    config.validate();
    CHECK(config.t0_ns == 1000);
    CHECK(config.t1_ns_per_byte() == 0.5);
    CHECK(wormhole_router_pipeline.cycles() == 4);
    CHECK(crossbar_switch_pipeline.cycles() == 2);
}

TEST_CASE("a parameter out of range is refused by name, the ends of the range are not",
          "[hardware][configuration]")
{
    using C = HardwareConfig;
    require_range(&C::cycle_ns, "cycle_ns", {0.001, 0.5, 1e6},
                  {0, -1, 0.0005, 1e6 + 1, infinite, no_number, 1.0005});
    require_range(&C::flit_bytes, "flit_bytes", {1, 4096}, {0, 4097, ~0u});
    require_range(&C::t0_ns, "t0_ns", {0, 1e12}, {-1, 1e13, infinite, no_number});
    require_range(&C::link_cycles, "link_cycles", {1, 1000}, {0, 1001, ~0u});
    require_range(&C::credit_cycles, "credit_cycles", {0, 1000}, {1001, ~0u});
    require_range(&C::interface_cycles, "interface_cycles", {1, 1000}, {0, 1001});
    require_range(&C::buffer_flits, "buffer_flits", {0, 1, 65536}, {65537, ~0u});
    require_range(&C::vcs, "vcs", {1, 32}, {0, 33, ~0u});
}

TEST_CASE("a fault leaves the switches what they are", "[hardware][configuration]")
{
    const HardwareConfig config;
    for (const char* network : {"omega:8", "benes:2,3", "clos:3,3,3"}) {
        const Topology whole = make_topology(network);
        const Channel& channel = whole.channel(0);
        const std::string fault =
            "channel:" + whole.router_name(channel.source) + "-" + whole.router_name(channel.target);
        const Topology rest = with_faults(whole, std::vector<std::string>{fault});
        CHECK(rest.tag_digits().empty()); // no tag leads everywhere any more
        CHECK(&config.pipeline_of(rest) == &config.crossbar);
        CHECK(&config.pipeline_of(topology_from_json(to_json(rest), "f")) == &config.crossbar);
    }
    CHECK(&config.pipeline_of(with_faults(make_topology("fattree:8"),
                                          std::vector<std::string>{"channel:l0s0-l1s0"})) == &config.router);
}

TEST_CASE("a pipeline stage out of range is refused by name", "[hardware][configuration]")
{
    const auto [stage, name, least] = GENERATE(table<unsigned Pipeline::*, const char*, unsigned>(
        {{&Pipeline::route_computation, "route_computation", 0},
         {&Pipeline::vc_allocation, "vc_allocation", 1},
         {&Pipeline::switch_allocation, "switch_allocation", 0},
         {&Pipeline::switch_traversal, "switch_traversal", 0}}));
    const auto pipeline = GENERATE(&HardwareConfig::router, &HardwareConfig::crossbar);
    HardwareConfig config;
    for (const unsigned good : {least, 100u}) {
        config.*pipeline.*stage = good;
        CHECK_NOTHROW(config.validate());
    }
    for (const unsigned bad : {least - 1, 101u}) {
        config.*pipeline.*stage = bad;
        CHECK_THROWS_WITH(config.validate(), Catch::StartsWith(std::string("hardware: ") + name + " = "));
    }
}

TEST_CASE("settings of the allocators that contradict each other are refused by name",
          "[hardware][configuration]")
{
    using C = HardwareConfig;
    const auto [change, refusal] = GENERATE(table<void (*)(C&), std::string>({
        {[](C&) {}, ""},
        {[](C& c) { c.allocation.input_speedup = 4; }, ""},
        {[](C& c) { c.allocation.input_speedup = 5; }, "input_speedup = 5"},
        {[](C& c) { c.allocation.input_speedup = 0; }, "input_speedup = 0"},
        {[](C& c) { c.allocation.iterations = 0; }, "iterations = 0"},
        {[](C& c) { c.allocation = {.switch_allocator = AllocatorKind::wavefront, .iterations = 2}; },
         "iterations = 2"},
        {[](C& c) { c.allocation.switch_allocator = AllocatorKind::rotating; },
         "switch_allocator = rotating"},
        {[](C& c) { c.allocation = {.vc_allocator = AllocatorKind::rotating, .arbiter = ArbiterKind::age}; },
         "arbiter = age"},
        {[](C& c) { c.router.speculation = Speculation::before_vc; }, "switch_allocation = 1"},
    }));
    HardwareConfig config;
    config.vcs = 4;
    change(config);
    if (refusal.empty())
        CHECK_NOTHROW(config.validate());
    else
        CHECK_THROWS_WITH(config.validate(), Catch::Contains(refusal));
}

TEST_CASE("a message has as many flits as its bytes need, and one at least", "[hardware][configuration]")
{
    HardwareConfig config;
    config.flit_bytes = 4;
    const std::vector<std::pair<std::uint64_t, std::uint64_t>> cases{
        {0, 1}, {1, 1}, {4, 1}, {5, 2}, {8, 2}, {65536, 16384}, {~std::uint64_t{0}, std::uint64_t{1} << 62}};
    for (const auto& [bytes, flits] : cases)
        CHECK(config.flits(bytes) == flits);
}

TEST_CASE("a channel passes a flit in as many cycles as its width needs", "[hardware][configuration]")
{
    HardwareConfig config;
    config.flit_bytes = 8;
    for (const auto& [width, cycles] :
         {std::pair{0u, 1u}, {1u, 8u}, {3u, 3u}, {4u, 2u}, {7u, 2u}, {8u, 1u}, {9u, 1u}})
        CHECK(config.cycles_per_flit(Channel{0, 1, 1, width}) == cycles);
}

} // namespace nocturne::configuration_test
