#include "models/measures/latency.hpp"
#include "models/measures/wires.hpp"
#include "models/topology/json_format.hpp"
#include "schedules/design/design.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/design/example_requests.hpp"

namespace nocturne::design_test {

using namespace nocturne::test;
using namespace design;

TEST_CASE("a design becomes a topology that a file keeps", "[schedules][design]")
{
    const auto [name, request] = GENERATE(from_range(example_requests()));
    INFO(name);
    const std::vector<LinkEnds> links = random_network(request, 1).links();
    const Design design = make_design(request, {}, links);
    const Topology topology = to_topology(request, design, "design");
    CHECK(topology.router_count() == request.nodes);
    CHECK(topology.channel_count() == links.size() * (request.kind == LinkKind::one_way ? 1 : 2));
    const measures::HopLatency latency = measures::hop_latency(measures::graph_of(topology));
    CHECK(latency.average_with_self == Approx(design.terms[0].value));
    CHECK(latency.maximum == design.terms[1].value);
    if (!request.positions.empty()) {
        CHECK(topology.position(1) == request.positions[1]);
        CHECK(measures::wire_lengths(measures::graph_of(topology)).total ==
              Approx(measures::wire_lengths(measures::graph_of(topology), request.positions).total));
    }
    CHECK(topology_from_json(to_json(topology), "design") == topology);
}

TEST_CASE("a design with a link to nowhere is refused", "[schedules][design]")
{
    const Request request{.nodes = 2, .degrees = {1}};
    CHECK_THROWS_AS(to_topology(request, {.links = {{0, 2}}, .cost = 0, .terms = {}}, "design"),
                    std::invalid_argument);
}

} // namespace nocturne::design_test
