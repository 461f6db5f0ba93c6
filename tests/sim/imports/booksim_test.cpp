#include "models/topology/json_format.hpp"
#include "sim/imports/simulators.hpp"
#include "tests/catch.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne::booksim_test {

namespace {

/// The network of a configuration.
Topology network_of(const std::string& text)
{
    return topology_from_json(import_booksim(text, {}, "net.cfg", "net.json").network, "net.json");
}

/// The router that a processor injects into.
RouterId router_of(const Topology& network, std::string_view processor)
{
    return network.processor(network.find_processor(processor).value()).injection;
}

} // namespace

TEST_CASE("a load that is more than a node's link takes is remarked", "[imports][booksim]")
{
    const auto says_too_much = [](const char* rate) {
        const std::string text =
            "topology = mesh; routing_function = dor; packet_size = 20; injection_rate = ";
        const auto notes = import_booksim(text + rate + ";", {}, "net.cfg", "net.json").notes;
        return std::ranges::any_of(notes, [](const std::string& note) {
            return note.starts_with("A load of 3 flits per node and cycle is more than a node's link takes");
        });
    };
    CHECK(says_too_much("0.15"));
    CHECK_FALSE(says_too_much("0.05"));
}

TEST_CASE("a concentrated mesh has BookSim2's nodes at its routers", "[imports][booksim]")
{
    const Topology network =
        network_of("topology = cmesh; k = 4; n = 2; c = 4; x = 4; y = 4; xr = 2; yr = 2; "
                   "routing_function = dor_no_express;");
    REQUIRE(network.processor_count() == 64);
    // Node (x, y) of an 8x8 grid is at router (x/2, y/2) of a 4x4 one.
    for (unsigned y = 0; y < 8; ++y)
        for (unsigned x = 0; x < 8; ++x)
            CHECK(router_of(network, fmt::format("{}", 8 * y + x)) == 4 * (y / 2) + x / 2);
    for (const Channel& channel : network.channels())
        CHECK(channel.latency_cycles == 2);
}

TEST_CASE("channels of a flattened butterfly are as long as the way between their routers",
          "[imports][booksim]")
{
    const std::string text =
        "topology = flatfly; k = 4; n = 2; c = 4; x = 4; y = 4; xr = 2; yr = 2; routing_function = ran_min;";
    const Topology network = network_of(text);
    REQUIRE(network.router_count() == 16);
    CHECK(network.channels().size() == 16 * 6);
    for (const Channel& channel : network.channels()) {
        const auto apart = [](RouterId a, RouterId b) { return a < b ? b - a : a - b; };
        CHECK(channel.latency_cycles == 2 * (apart(channel.source % 4, channel.target % 4) +
                                             apart(channel.source / 4, channel.target / 4)));
    }
    const Topology fast = network_of(text + "use_noc_latency = 0;");
    for (const Channel& channel : fast.channels())
        CHECK(channel.latency_cycles == 1);
}

TEST_CASE("the digits of a destination lead through a fly from every source", "[imports][booksim]")
{
    const auto [k, n] = GENERATE(std::pair(2u, 3u), std::pair(3u, 2u), std::pair(4u, 3u), std::pair(5u, 1u));
    const Topology network =
        network_of(fmt::format("topology = fly; k = {}; n = {}; routing_function = dest_tag;", k, n));
    unsigned nodes = 1;
    for (unsigned i = 0; i < n; ++i)
        nodes *= k;
    REQUIRE(network.processor_count() == nodes);
    for (ProcessorId source = 0; source < nodes; ++source)
        for (ProcessorId destination = 0; destination < nodes; ++destination) {
            RouterId at = network.processor(source).injection;
            for (unsigned stage = 0; stage + 1 < n; ++stage) {
                const TagDigit digit = network.tag_digits()[stage];
                at = network.channel(network.channels_from(at)[destination / digit.divisor % digit.radix])
                         .target;
            }
            CHECK(at == network.processor(destination).ejection);
        }
}

} // namespace nocturne::booksim_test
