#include "models/topology/make_topology.hpp"
#include "schedules/problem/resources.hpp"
#include "tests/catch.hpp"

namespace nocturne::resources_test {
namespace {

Problem scatter_on(const std::string& network)
{
    Topology topology = make_topology(network);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    return make_problem(std::move(topology), alltoall({processors}));
}

/// Are the ports of every processor so?
bool all_ports_scarce(const Resources& resources)
{
    bool all = true;
    bool none = true;
    for (ProcessorId id = 0; id < resources.processor_count(); ++id)
        for (const ResourceId port : {resources.send_port(id), resources.receive_port(id)}) {
            all = all && resources.is_scarce(port);
            none = none && !resources.is_scarce(port);
        }
    REQUIRE(all != none);
    return all;
}

} // namespace

TEST_CASE("resources are the channels, then the send ports, then the receive ports", "[problem][resources]")
{
    const Problem problem = scatter_on("mesh:3x3"); // 24 channels
    const Resources resources(problem);
    CHECK(resources.count() == 24 + 9 + 9);
    CHECK(resources.is_channel(23));
    CHECK_FALSE(resources.is_channel(24));
    CHECK(resources.send_port(2) == 26);
    CHECK(resources.receive_port(2) == 35);
    CHECK(resources.capacity(0) == 1);
    CHECK(resources.capacity(resources.send_port(4)) == 4); // the middle one
    CHECK(resources.capacity(resources.receive_port(0)) == 2);
}

TEST_CASE("ports are scarce where channels do not say it all", "[problem][resources]")
{
    Problem mesh = scatter_on("mesh:3x3");
    CHECK_FALSE(all_ports_scarce(Resources(mesh)));
    mesh.switching = Switching::store_and_forward;
    CHECK(all_ports_scarce(Resources(mesh)));
    mesh.switching = Switching::wormhole;
    mesh.ports = one_port;
    CHECK(all_ports_scarce(Resources(mesh)));
    // Two processors on a router send to each other without any channel.
    Problem fat = scatter_on("fat_octagon:8");
    fat.ports = all_port;
    CHECK(all_ports_scarce(Resources(fat)));
}

TEST_CASE("a transfer holds the channels of its path, and scarce ports", "[problem][resources]")
{
    Problem ring = scatter_on("ring:4");
    const Path path{0, 2};
    CHECK(Resources(ring).held_by(path, 0, 2) == path);
    ring.ports = one_port;
    const Resources resources(ring);
    CHECK(resources.held_by(path, 0, 2) ==
          std::vector<ResourceId>{0, 2, resources.send_port(0), resources.receive_port(2)});
}

} // namespace nocturne::resources_test
