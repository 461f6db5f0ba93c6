#include "models/measures/measures.hpp"
#include "models/measures/wires.hpp"
#include "schedules/design/edge_exchange.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/design/example_requests.hpp"

namespace nocturne::edge_exchange_test {

using namespace nocturne::test;
using namespace design;
using Catch::Contains;

TEST_CASE("known optima are found: the Petersen graph, 8 nodes with 3 links, the maximum latency alone",
          "[schedules][design]")
{
    const auto& [nodes, objective, cost] = GENERATE(table<NodeId, Objective, double>(
        {{10, {}, 1.5 + 2}, {8, {}, 1.375 + 2}, {20, {.average_latency = 0}, 3}}));
    const Design design = exchange_links({.nodes = nodes, .degrees = {3}}, objective, {.exchanges = 200'000});
    CHECK(design.cost == Approx(cost));
    CHECK(design.terms.back() == Term{"maximum latency", 1, nodes == 20 ? 3.0 : 2.0});
}

TEST_CASE("networks without any choice are designed too", "[schedules][design]")
{
    const auto [request, links] = GENERATE(values<std::pair<Request, std::size_t>>({
        {{.nodes = 2, .degrees = {1}}, 1},
        {{.nodes = 3, .degrees = {2}}, 3},
        {{.nodes = 6, .degrees = {5}}, 15},
        {{.nodes = 2, .degrees = {3}, .parallel = ParallelLinks::allowed}, 3},
        {{.nodes = 3, .degrees = {1}, .kind = LinkKind::one_way}, 3},
        {{.nodes = 5, .degrees = {2}, .symmetry = 5}, 5},
    }));
    const Design design = exchange_links(request, {}, {.exchanges = 500});
    CHECK(design.links.size() == links);
    CHECK(find_violation(request, design.links).empty());
}

TEST_CASE("designs of all kinds keep to their requests and cost what they measure", "[schedules][design]")
{
    const auto [name, request] = GENERATE(from_range(example_requests()));
    INFO(name);
    const Objective objective{.wire_total = request.positions.empty() ? 0.0 : 1e-3};
    const Design design = exchange_links(request, objective, {.exchanges = 4000, .islands = 4, .rounds = 2});
    CHECK(find_violation(request, design.links).empty());
    const HopTotals hops = hops_by_search(request, design.links);
    CHECK(hops.apart == 0);
    double processors = 0;
    double wire = 0;
    for (NodeId node = 0; node < request.nodes; ++node)
        processors += request.processors_at(node);
    for (const LinkEnds& link : design.links)
        wire += request.wire_length(link.a, link.b);
    CHECK(design.cost == Approx(static_cast<double>(hops.sum) / processors / processors + hops.maximum +
                                objective.wire_total * wire));
    CHECK(cost_of(design.terms) == design.cost);
}

TEST_CASE("a weight of wires makes them shorter", "[schedules][design]")
{
    Request request{
        .nodes = 16, .degrees = {4}, .positions = measures::arrange(measures::Arrangement::grid, 16, 4)};
    const ExchangeOptions options{.exchanges = 60'000, .islands = 4, .rounds = 3};
    const auto wire_of = [&](const Design& design) {
        return terms_of({request, design.links},
                        {.average_latency = 0, .maximum_latency = 0, .wire_total = 1})
            .front()
            .value;
    };
    const Design without = exchange_links(request, {}, options);
    const Design with = exchange_links(request, {.wire_total = 0.1}, options);
    CHECK(wire_of(with) < wire_of(without));
}

TEST_CASE("terms of the user take part in the search", "[schedules][design]")
{
    // Wants node 0 and node 1 to be linked, and no link between even nodes.
    const Request request{.nodes = 12, .degrees = {3}};
    Objective objective;
    objective.extra.push_back({"wishes", 5, [](const Candidate& candidate) {
                                   double cost = 1;
                                   for (const LinkEnds& link : candidate.links) {
                                       cost -= link == LinkEnds{0, 1} ? 1 : 0;
                                       cost += link.a % 2 == 0 && link.b % 2 == 0 ? 1 : 0;
                                   }
                                   return cost;
                               }});
    const Design design =
        exchange_links(request, objective, {.exchanges = 20'000, .islands = 2, .rounds = 3});
    CHECK(design.terms.back().name == "wishes");
    CHECK(design.terms.back().value == 0);
}

TEST_CASE("measured terms take part in the search, and are the measures", "[schedules][design]")
{
    const Request request{.nodes = 12, .degrees = {3}};
    const Objective objective{.contention_average = 1,
                              .contention_maximum = 0.1,
                              .contention_deviation = 0.1,
                              .connectivity = 1,
                              .bisection = 1,
                              .node_path_deviation = 0.1,
                              .link_path_deviation = 0.1,
                              .single_fault_average = 1,
                              .single_fault_maximum = 0.1,
                              .random_fault_average = 1,
                              .random_fault_maximum = 0.1};
    const Design design = exchange_links(request, objective, {.exchanges = 800, .islands = 2, .rounds = 2});
    const measures::Measures measured =
        measures::measure(measures::graph_of(to_topology(request, design, "design")));
    const std::vector<double> expected{measured.latency.average_with_self,
                                       measured.latency.maximum,
                                       measured.contention->average_with_self,
                                       measured.contention->maximum,
                                       measured.contention->link_deviation,
                                       static_cast<double>(measured.smallest_degree),
                                       static_cast<double>(measured.bisection->links),
                                       measured.spread->node_deviation,
                                       measured.spread->link_deviation,
                                       measured.single_faults->average_with_self,
                                       measured.single_faults->maximum,
                                       measured.random_faults->average_with_self,
                                       measured.random_faults->maximum};
    REQUIRE(design.terms.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        INFO(design.terms[i].name);
        CHECK(design.terms[i].value == Approx(expected[i]));
        CHECK((design.terms[i].weight < 0) == (i == 5 || i == 6));
    }
}

TEST_CASE("what no engine can begin with is refused", "[schedules][design]")
{
    const Request request{.nodes = 8, .degrees = {3}};
    CHECK_THROWS_WITH(exchange_links(request, {}, {}), Contains("no limit"));
    CHECK_THROWS_WITH(exchange_links(request, {}, {.exchanges = 10, .islands = 0}), Contains("one island"));
    CHECK_THROWS_WITH(exchange_links(request, {.wire_total = -1}, {.exchanges = 10}),
                      Contains("total wire length"));
    CHECK_THROWS_WITH(
        exchange_links(request, {.average_latency = 0, .maximum_latency = 0}, {.exchanges = 10}),
        Contains("all weights are 0"));
    CHECK_THROWS_WITH(exchange_links({.nodes = 5, .degrees = {3}}, {}, {.exchanges = 10}), Contains("odd"));
}

} // namespace nocturne::edge_exchange_test
