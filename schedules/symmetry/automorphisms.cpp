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

/// A graph in nauty's form, which points into this.
class SparseGraph {
public:
    explicit SparseGraph(const ColouredGraph& coloured)
        : near_(neighbours(coloured)), degrees_(coloured.colours.size()), labels_(coloured.colours.size()),
          same_as_next_(coloured.colours.size(), 0)
    {
        const int vertices = static_cast<int>(coloured.colours.size());
        for (int vertex = 0; vertex < vertices; ++vertex)
            degrees_[vertex] = static_cast<int>(near_.first[vertex + 1] - near_.first[vertex]);
        SG_INIT(sparse_);
        sparse_.nv = vertices;
        sparse_.nde = near_.vertices.size();
        sparse_.v = near_.first.data();
        sparse_.d = degrees_.data();
        sparse_.e = near_.vertices.data();
        sparse_.vlen = sparse_.dlen = degrees_.size();
        sparse_.elen = near_.vertices.size();

        // The colours: vertices in order of them, and a 0 after the last vertex of each.
        std::iota(labels_.begin(), labels_.end(), 0);
        std::stable_sort(labels_.begin(), labels_.end(),
                         [&](int a, int b) { return coloured.colours[a] < coloured.colours[b]; });
        for (int i = 0; i + 1 < vertices; ++i)
            same_as_next_[i] = coloured.colours[labels_[i]] == coloured.colours[labels_[i + 1]];
    }
    SparseGraph(const SparseGraph&) = delete;
    SparseGraph& operator=(const SparseGraph&) = delete;

    statsblk search(optionblk& options, sparsegraph* canonical)
    {
        options.defaultptn = FALSE;
        std::vector<int> orbits(degrees_.size());
        statsblk statistics;
        sparsenauty(&sparse_, labels_.data(), same_as_next_.data(), orbits.data(), &options, &statistics,
                    canonical);
        return statistics;
    }

private:
    Neighbours near_;
    std::vector<int> degrees_;
    std::vector<int> labels_;
    std::vector<int> same_as_next_;
    sparsegraph sparse_;
};

} // namespace

AutomorphismGroup find_automorphisms(const ColouredGraph& graph)
{
    AutomorphismGroup group;
    if (graph.colours.empty())
        return group;
    DEFAULTOPTIONS_SPARSEGRAPH(options);
    options.userautomproc = collect_generator;
    found_generators = &group.generators;
    const statsblk statistics = SparseGraph(graph).search(options, nullptr);
    group.order = std::round(statistics.grpsize1 * std::pow(10.0, statistics.grpsize2));
    return group;
}

std::vector<std::uint32_t> canonical_form(const ColouredGraph& graph)
{
    std::vector<std::uint32_t> form{static_cast<std::uint32_t>(graph.colours.size())};
    if (graph.colours.empty())
        return form;
    form.insert(form.end(), graph.colours.begin(), graph.colours.end());
    std::sort(form.begin() + 1, form.end());
    DEFAULTOPTIONS_SPARSEGRAPH(options);
    options.getcanon = TRUE;
    sparsegraph canonical;
    SG_INIT(canonical);
    SparseGraph(graph).search(options, &canonical);
    sortlists_sg(&canonical);
    for (int vertex = 0; vertex < canonical.nv; ++vertex)
        for (int i = 0; i < canonical.d[vertex]; ++i)
            if (const int other = canonical.e[canonical.v[vertex] + i]; vertex < other) {
                form.push_back(static_cast<std::uint32_t>(vertex));
                form.push_back(static_cast<std::uint32_t>(other));
            }
    SG_FREE(canonical);
    return form;
}

} // namespace nocturne
