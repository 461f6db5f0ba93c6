#include "models/network/fault_plan.hpp"
#include "models/network/link_plan.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/all_networks.hpp"

#include <algorithm>

namespace nocturne::link_plan_test {

TEST_CASE(
    "channels come first, then injection, then ejection links, and virtual channels in that order, shared "
    "evenly by the classes of a routing",
    "[network][plan]")
{
    const auto [vcs, classes] =
        GENERATE(table<unsigned, unsigned>({{1, 1}, {3, 1}, {2, 2}, {3, 2}, {5, 3}, {32, 3}, {32, 32}}));
    const PortModel ports{GENERATE(0u, 1u, 2u)};
    HardwareConfig config;
    config.vcs = vcs;
    for (const std::string& spec : test::small_networks()) {
        CAPTURE(spec, vcs, classes, ports.ports);
        const Topology topology = make_topology(spec);
        const LinkPlan plan(topology, config, ports, classes);
        std::uint32_t next = static_cast<std::uint32_t>(topology.channel_count());
        for (std::uint32_t link = 0; link < next; ++link) {
            REQUIRE_FALSE((plan.is_injection(link) || plan.is_ejection(link)));
            // Classes share the virtual channels of a channel evenly, and none is left over.
            std::uint32_t vc = link * vcs;
            for (std::uint32_t of = 0; of < classes;
                 vc += plan.group(plan.group_of({link, of})).count, ++of) {
                REQUIRE(plan.group(plan.group_of({link, of})).first == vc);
                REQUIRE(plan.group(plan.group_of({link, of})).count - vcs / classes <= 1);
            }
            REQUIRE(vc == (link + 1) * vcs);
        }
        for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
            REQUIRE(plan.first_injection_link(id) == next);
            REQUIRE(plan.injection_links(id) == send_ports(topology, id, ports));
            for (unsigned port = 0; port < plan.injection_links(id); ++port)
                REQUIRE(plan.is_injection(next++));
        }
        for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
            REQUIRE(plan.first_ejection_link(id) == next);
            REQUIRE(plan.group(plan.ejection_group(id)).first == next * vcs);
            REQUIRE(plan.group(plan.ejection_group(id)).count == plan.ejection_links(id) * vcs);
            for (unsigned port = 0; port < plan.ejection_links(id); ++port)
                REQUIRE(plan.is_ejection(next++));
        }
        REQUIRE(plan.links() == next);
    }
}

TEST_CASE("links are called by their ends", "[network][plan]")
{
    const Topology topology = make_topology("mesh:2x2");
    const LinkPlan plan(topology, {}, one_port, 1);
    const Channel& channel = topology.channel(0);
    CHECK(plan.link_name(0) ==
          topology.router_name(channel.source) + "->" + topology.router_name(channel.target));
    CHECK(plan.link_name(plan.first_injection_link(1)) == "P01->01");
    CHECK(plan.link_name(plan.first_ejection_link(2)) == "10->P10");
}

TEST_CASE("a flit's time on a link is the switch's, the wire's, and what its width adds", "[network][plan]")
{
    HardwareConfig config;
    config.link_cycles = GENERATE(1u, 3u);
    config.router.switch_traversal = GENERATE(0u, 1u, 2u);
    const Topology topology = make_topology("mesh:2x2");
    const LinkPlan plan(topology, config, one_port, 1);
    for (std::uint32_t link = 0; link < plan.links(); ++link) {
        CHECK(plan.latency_cycles(link) == config.link_cycles);
        const unsigned in_switch = plan.is_injection(link) ? 0 : 1 + config.router.switch_traversal;
        CHECK(plan.departure_cycles(link) == in_switch);
        CHECK(plan.timing(link).flit_cycles == in_switch + config.link_cycles);
    }
}

TEST_CASE("a router takes all its links with it, those into it from the cycle before on", "[network][plan]")
{
    const Topology topology = make_topology("mesh:3x3");
    const LinkPlan plan(topology, {}, one_port, 1);
    const RouterId middle = 4;
    const std::vector<LinkDown> down = links_down(plan, {{}, {middle}}, {100, 101});
    REQUIRE(down.size() == 10); // four channels each way, injection and ejection
    const std::vector<std::uint32_t> into = plan.links_into(middle);
    for (const LinkDown& part : down) {
        const bool is_into = std::find(into.begin(), into.end(), part.link) != into.end();
        CHECK(part.down.from == (is_into ? 99 : 100));
        CHECK(part.down.until > 101); // until its pipeline is empty
    }
    // A slow interface is busy for longer.
    Topology slow = topology;
    slow.set_part(middle, {.ejection_rate = 400}); // of 4 bytes
    for (const LinkDown& part : links_down(LinkPlan(slow, {}, one_port, 1), {{}, {middle}}, {100, 101}))
        CHECK(part.down.until == down.front().down.until + 9);
    const std::vector<LinkDown> channel = links_down(plan, {{3}, {}}, {100, 101});
    REQUIRE(channel.size() == 1);
    CHECK(channel[0].link == 3);
    CHECK(channel[0].down.until == 101);
}

} // namespace nocturne::link_plan_test
