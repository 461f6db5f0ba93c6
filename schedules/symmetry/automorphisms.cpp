#include "schedules/symmetry/automorphisms.hpp"

#include <algorithm>
#include <cmath>
#include <nausparse.h>
#include <numeric>

namespace nocturne {

namespace {

/// nauty tells generators to a function without any context: each thread searches one graph at a time.
thread_local std::vector<std::vector<std::uint32_t>>* found_generators = nullptr;

void collect_generator(int, int* image, int*, int, int, int vertices)
{
    found_generators->emplace_back(image, image + vertices);
}

struct Neighbours {
    std::vector<std::size_t> first; ///< by vertex, and one more
    std::vector<int> vertices;
};

Neighbours neighbours(const ColouredGraph& graph)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
    for (const auto& [a, b] : graph.edges) {
        arcs.emplace_back(a, b);
        arcs.emplace_back(b, a);
    }
    std::sort(arcs.begin(), arcs.end());
    arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
    Neighbours result{.first = std::vector<std::size_t>(graph.colours.size() + 1, 0), .vertices = {}};
    for (const auto& [from, to] : arcs) {
        ++result.first[from + 1];
        result.vertices.push_back(static_cast<int>(to));
    }
    std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
    return result;
}

} // namespace

AutomorphismGroup find_automorphisms(const ColouredGraph& graph)
{
    AutomorphismGroup group;
    const int vertices = static_cast<int>(graph.colours.size());
    if (vertices == 0)
        return group;
    Neighbours near = neighbours(graph);
    std::vector<int> degrees(vertices);
    for (int vertex = 0; vertex < vertices; ++vertex)
        degrees[vertex] = static_cast<int>(near.first[vertex + 1] - near.first[vertex]);
    sparsegraph sparse;
    SG_INIT(sparse);
    sparse.nv = vertices;
    sparse.nde = near.vertices.size();
    sparse.v = near.first.data();
    sparse.d = degrees.data();
    sparse.e = near.vertices.data();
    sparse.vlen = sparse.dlen = degrees.size();
    sparse.elen = near.vertices.size();

    // The colours: vertices in order of them, and a 0 after the last vertex of each.
    std::vector<int> labels(vertices);
    std::iota(labels.begin(), labels.end(), 0);
    std::stable_sort(labels.begin(), labels.end(),
                     [&](int a, int b) { return graph.colours[a] < graph.colours[b]; });
    std::vector<int> same_as_next(vertices, 0);
    for (int i = 0; i + 1 < vertices; ++i)
        same_as_next[i] = graph.colours[labels[i]] == graph.colours[labels[i + 1]];

    DEFAULTOPTIONS_SPARSEGRAPH(options);
    options.defaultptn = FALSE;
    options.userautomproc = collect_generator;
    found_generators = &group.generators;
    std::vector<int> orbits(vertices);
    statsblk statistics;
    sparsenauty(&sparse, labels.data(), same_as_next.data(), orbits.data(), &options, &statistics, nullptr);
    group.order = std::round(statistics.grpsize1 * std::pow(10.0, statistics.grpsize2));
    return group;
}

} // namespace nocturne
