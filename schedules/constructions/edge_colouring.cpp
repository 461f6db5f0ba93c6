#include "schedules/constructions/edge_colouring.hpp"

#include <algorithm>
#include <bit>

namespace nocturne {
namespace {

constexpr std::uint32_t nothing = ~0u;

/// The edges at the vertices of one side, by colour.
class Side {
public:
    Side(std::size_t vertices, std::uint32_t colours)
        : colours_(colours), words_((colours + 63) / 64), edges_(vertices * colours, nothing),
          free_(vertices * words_)
    {
        for (std::size_t i = 0; i < free_.size(); ++i) {
            const std::size_t rest = colours - i % words_ * 64;
            free_[i] = rest >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
        }
    }

    std::uint32_t edge(std::uint32_t vertex, std::uint32_t colour) const
    {
        return edges_[at(vertex, colour)];
    }
    std::span<const std::uint64_t> free(std::uint32_t vertex) const
    {
        return std::span(free_).subspan(std::size_t{vertex} * words_, words_);
    }
    void set(std::uint32_t vertex, std::uint32_t colour, std::uint32_t edge)
    {
        edges_[at(vertex, colour)] = edge;
        const std::uint64_t bit = std::uint64_t{1} << colour % 64;
        std::uint64_t& word = free_[std::size_t{vertex} * words_ + colour / 64];
        word = edge == nothing ? word | bit : word & ~bit;
    }

private:
    std::size_t at(std::uint32_t vertex, std::uint32_t colour) const
    {
        return std::size_t{vertex} * colours_ + colour;
    }

    std::uint32_t colours_;
    std::size_t words_;
    std::vector<std::uint32_t> edges_; ///< [vertex * colours + colour]
    std::vector<std::uint64_t> free_;  ///< colours without an edge, as bits
};

/// The lowest colour in `a`, and in `b` too; nothing if there is none.
std::uint32_t lowest(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b)
{
    for (std::uint32_t i = 0; i < a.size(); ++i)
        if (const std::uint64_t common = a[i] & b[i]; common != 0)
            return i * 64 + static_cast<std::uint32_t>(std::countr_zero(common));
    return nothing;
}

struct Degrees {
    std::size_t vertices = 0;
    std::uint32_t largest = 0;
};

Degrees degrees(std::span<const BipartiteEdge> edges, std::uint32_t BipartiteEdge::* end)
{
    std::vector<std::uint32_t> degree;
    for (const BipartiteEdge& edge : edges) {
        degree.resize(std::max<std::size_t>(degree.size(), edge.*end + std::size_t{1}));
        ++degree[edge.*end];
    }
    return {degree.size(), degree.empty() ? 0 : *std::max_element(degree.begin(), degree.end())};
}

} // namespace

std::vector<std::uint32_t> colour_edges(std::span<const BipartiteEdge> edges)
{
    const Degrees on_left = degrees(edges, &BipartiteEdge::left),
                  on_right = degrees(edges, &BipartiteEdge::right);
    const std::uint32_t colours = std::max(on_left.largest, on_right.largest);
    Side left(on_left.vertices, colours), right(on_right.vertices, colours);
    std::vector<std::uint32_t> colour_of(edges.size(), nothing);
    for (std::uint32_t id = 0; id < edges.size(); ++id) {
        const auto [u, v] = edges[id];
        std::uint32_t colour = lowest(left.free(u), right.free(v));
        if (colour == nothing) {
            // The path of `colour` and `other` from v never comes to u, which lacks `colour`: it would arrive
            // by that.
            colour = lowest(left.free(u), left.free(u));
            const std::uint32_t other = lowest(right.free(v), right.free(v));
            std::vector<std::uint32_t> path;
            bool at_right = true;
            for (std::uint32_t e = right.edge(v, colour); e != nothing; at_right = !at_right) {
                path.push_back(e);
                e = at_right ? left.edge(edges[e].left, other) : right.edge(edges[e].right, colour);
            }
            for (const std::uint32_t e : path) {
                left.set(edges[e].left, colour_of[e], nothing);
                right.set(edges[e].right, colour_of[e], nothing);
            }
            for (const std::uint32_t e : path) {
                colour_of[e] = colour_of[e] == colour ? other : colour;
                left.set(edges[e].left, colour_of[e], e);
                right.set(edges[e].right, colour_of[e], e);
            }
        }
        colour_of[id] = colour;
        left.set(u, colour, id);
        right.set(v, colour, id);
    }
    return colour_of;
}

} // namespace nocturne
