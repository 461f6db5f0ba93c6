#include "models/measures/wires.hpp"
#include "schedules/design/gappin.hpp"
#include "schedules/design/isomorphism.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/design/example_requests.hpp"

namespace nocturne::gappin_test {

using namespace nocturne::test;
using namespace design;
using Catch::Contains;

struct Printed {
    std::string name;
    Request request;
    double average; ///< printed
    double maximum;
};

TEST_CASE("the printed designs of 8 and 16 nodes are reached", "[schedules][design]")
{
    using measures::Arrangement;
    const auto wired = [](NodeId nodes, unsigned degree, double longest, Arrangement arrangement) {
        return Request{.nodes = nodes,
                       .degrees = {degree},
                       .positions = measures::arrange(arrangement, nodes),
                       .longest_wire = longest};
    };
    const auto [name, request, average, maximum] = GENERATE_COPY(values<Printed>({
        {"section 3.1", {.nodes = 8, .degrees = {3}}, 1.375, 2},
        {"table 3", wired(8, 3, 3, Arrangement::backplane), 1.438, 3},
        {"table 4, backplane", wired(16, 4, 4, Arrangement::backplane), 1.953, 4},
        {"table 4, centerplane", wired(16, 4, 4, Arrangement::centerplane), 1.836, 3},
    }));
    INFO(name);
    const GappinResult result = gappin(request, {}, {.population = 40, .generations = 150});
    CHECK(find_violation(request, result.design.links).empty());
    REQUIRE(result.design.terms.size() == 2);
    CHECK(result.design.terms[0].value < average + 0.0005);
    CHECK(result.design.terms[1].value <= maximum);
}

TEST_CASE("costs of the best and of the median never rise", "[schedules][design]")
{
    const Request request{.nodes = 20, .degrees = {3}};
    const GappinResult result = gappin(request, {},
                                       {.seed = 3,
                                        .population = 20,
                                        .generations = 60,
                                        .duplicates = GENERATE(Duplicates::kept, Duplicates::removed)});
    REQUIRE(result.history.size() == 61);
    for (std::size_t i = 1; i < result.history.size(); ++i) {
        const GappinGeneration& generation = result.history[i];
        REQUIRE(generation.number == i);
        REQUIRE(generation.best_cost <= result.history[i - 1].best_cost);
        REQUIRE(generation.median_cost <= result.history[i - 1].median_cost);
        REQUIRE(generation.best_cost <= generation.median_cost);
        REQUIRE(generation.best_cost == Approx(cost_of(generation.best_terms)));
        REQUIRE(generation.mean_age <= generation.maximum_age);
        REQUIRE(generation.maximum_age <= i);
    }
    CHECK(result.history.back().best_cost < result.history.front().best_cost);
    CHECK(result.design.cost == result.history.back().best_cost);
}

TEST_CASE("gappin's designs keep to their requests", "[schedules][design]")
{
    const auto [name, request] = GENERATE(from_range(example_requests()));
    INFO(name);
    const GappinOptions options{.population = 8, .generations = 4};
    if (request.kind == LinkKind::one_way || request.symmetry > 1) {
        CHECK_THROWS_WITH(gappin(request, {}, options), Contains("gappin"));
        return;
    }
    const Design design = gappin(request, {}, options).design;
    CHECK(find_violation(request, design.links).empty());
    CHECK(hops_by_search(request, design.links).apart == 0);
}

TEST_CASE("links are parallel only if redundant ones are accepted", "[schedules][design]")
{
    const Request request{.nodes = 6, .degrees = {5}};
    const auto parallel_links = [&](double probability) {
        const auto links = gappin(request, {.average_latency = 1},
                                  {.population = 4, .generations = 0, .redundant_links = probability})
                               .design.links;
        return links.end() != std::adjacent_find(links.begin(), links.end());
    };
    CHECK_FALSE(parallel_links(0));
    CHECK(parallel_links(1));
}

TEST_CASE("without duplicates one network does not fill a generation", "[schedules][design]")
{
    const Request request{.nodes = 8, .degrees = {3}};
    GappinOptions options{.population = 20, .generations = 100, .mutation = 0.05};
    const GappinGeneration filled = gappin(request, {}, options).history.back();
    CHECK(filled.median_cost == filled.best_cost);
    options.duplicates = Duplicates::removed;
    const GappinGeneration varied = gappin(request, {}, options).history.back();
    CHECK(varied.best_cost == filled.best_cost);
    CHECK(varied.median_cost > varied.best_cost);
}

TEST_CASE("renumbered networks have one canonical form", "[schedules][design]")
{
    const auto [name, request] = GENERATE(from_range(example_requests()));
    INFO(name);
    if (!request.positions.empty() || !request.processors.empty())
        return;
    const std::vector<LinkEnds> links = random_network(request, 1).links();
    std::vector<LinkEnds> renumbered;
    for (const LinkEnds& link : links) {
        const auto image = [nodes = request.nodes](NodeId node) { return (node + 7) % nodes; };
        renumbered.push_back({image(link.a), image(link.b)});
        if (request.kind == LinkKind::bidirectional && renumbered.back().a > renumbered.back().b)
            std::swap(renumbered.back().a, renumbered.back().b);
    }
    CHECK(canonical_links({request, renumbered}) == canonical_links({request, links}));
    const std::vector<LinkEnds> others = random_network(request, 2).links();
    CHECK(canonical_links({request, others}) != canonical_links({request, links}));
}

TEST_CASE("options out of range are refused", "[schedules][design]")
{
    const Request request{.nodes = 8, .degrees = {3}};
    CHECK_THROWS_WITH(gappin(request, {}, {.population = 1}), Contains("population"));
    CHECK_THROWS_WITH(gappin(request, {}, {.mutation = 1.5}), Contains("probability"));
    CHECK_THROWS_WITH(gappin(request, {}, {.mutation_tries = 0}), Contains("mutation"));
}

} // namespace nocturne::gappin_test
