#include "models/routing/acyclic_graph.hpp"
#include "tests/catch.hpp"

#include <random>
#include <vector>

namespace nocturne::acyclic_graph_test {

namespace {

using Matrix = std::vector<std::vector<bool>>; // [from][to]: is there a path?

/// Adds an edge to a transitive closure.
void close_over(Matrix& reaches, unsigned from, unsigned to)
{
    for (unsigned a = 0; a < reaches.size(); ++a)
        for (unsigned b = 0; b < reaches.size(); ++b)
            if ((a == from || reaches[a][from]) && (b == to || reaches[to][b]))
                reaches[a][b] = true;
}

} // namespace

TEST_CASE("an acyclic graph refuses exactly the edges that close a cycle, and keeps its order",
          "[routing][acyclic]")
{
    const auto seed = GENERATE(range(0u, 50u));
    const unsigned vertices = 3 + seed % 15;
    std::mt19937_64 generator(seed);
    std::uniform_int_distribution<unsigned> any(0, vertices - 1);

    AcyclicGraph graph(vertices);
    Matrix reaches(vertices, std::vector<bool>(vertices));
    std::vector<std::pair<unsigned, unsigned>> edges;
    for (unsigned i = 0; i < 4 * vertices; ++i) {
        const unsigned from = any(generator);
        const unsigned to = any(generator);
        const bool closes = from == to || reaches[to][from];
        REQUIRE(graph.insert(from, to) == !closes);
        if (closes)
            continue;
        edges.emplace_back(from, to);
        close_over(reaches, from, to);
        for (const auto& [a, b] : edges)
            REQUIRE(graph.place(a) < graph.place(b));
    }
}

TEST_CASE("with little effort an acyclic graph refuses more edges, but none that close a cycle get in",
          "[routing][acyclic]")
{
    const auto seed = GENERATE(range(0u, 20u));
    constexpr unsigned vertices = 40;
    constexpr std::size_t efforts[] = {0, 1, 3, 1000};
    std::size_t most = 0;
    for (const std::size_t effort : efforts) {
        std::mt19937_64 generator(seed);
        std::uniform_int_distribution<unsigned> any(0, vertices - 1);
        AcyclicGraph graph(vertices, effort);
        Matrix reaches(vertices, std::vector<bool>(vertices));
        std::vector<std::pair<unsigned, unsigned>> edges;
        for (unsigned i = 0; i < 6 * vertices; ++i) {
            const unsigned from = any(generator), to = any(generator);
            const bool agrees = from != to && graph.place(from) < graph.place(to);
            const bool closes = from == to || reaches[to][from];
            const bool is_taken = graph.insert(from, to);
            REQUIRE((is_taken || closes || effort < 1000));
            REQUIRE_FALSE((is_taken && closes));
            REQUIRE((is_taken || !agrees)); // what agrees with the order needs no effort
            if (!is_taken)
                continue;
            edges.emplace_back(from, to);
            close_over(reaches, from, to);
            for (const auto& [a, b] : edges)
                REQUIRE(graph.place(a) < graph.place(b));
        }
        CHECK(edges.size() >= most);
        most = effort == 0 ? edges.size() : most;
    }
}

} // namespace nocturne::acyclic_graph_test
