#include "schedules/constructions/constructions.hpp"
#include "schedules/constructions/grid_products.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

/// A pattern of a dimension, seen from the class in its centre: the chain of the classes `place` away on
/// both sides, 0 for the crossing of the centre.
struct Unit {
    std::size_t place;
    std::size_t direction;
};

constexpr std::size_t rest_place = ~std::size_t{0};
constexpr Unit resting{rest_place, 0};

constexpr Unit crossing(std::size_t direction)
{
    return {0, direction};
}

using Product = std::vector<Unit>; ///< by dimension
using Products = std::vector<Product>;

LinePattern pattern_of(unsigned half, unsigned centre, Unit unit)
{
    if (unit.place == rest_place)
        return {{centre, centre, 0}, {centre + half, centre + half, 0}};
    if (unit.place == 0)
        return {{centre, centre + half, unit.direction}, {centre + half, centre, unit.direction}};
    const auto place = static_cast<unsigned>(unit.place);
    const auto [low, high] = std::minmax({(centre + place) % half, (centre + half - place) % half});
    std::array<unsigned, 4> around{low, high, low + half, high + half};
    if (unit.direction == 1)
        std::reverse(around.begin(), around.end());
    LinePattern chain;
    for (std::size_t i = 0; i < around.size(); ++i)
        chain.push_back({around[i], around[(i + 1) % around.size()], unit.direction});
    return chain;
}

/// The steps of two dimensions for one centre in each.
std::vector<Products> plane_steps(std::size_t q)
{
    std::vector<Products> steps;
    for (std::size_t sum = 0; sum <= q; ++sum) {
        Products& step = steps.emplace_back();
        for (const std::size_t way : {0U, 1U})
            for (std::size_t i = 0; i <= q; ++i)
                if (const std::size_t j = (sum + q + 1 - i) % (q + 1); way == 0 || i + j > 0)
                    step.push_back({{i, way}, {j, way}});
    }
    steps[0].push_back({crossing(1), resting});
    steps[0].push_back({resting, crossing(1)});
    for (std::size_t sum = 0; sum < q; ++sum) {
        Products& step = steps.emplace_back();
        for (const std::size_t way : {0U, 1U}) {
            for (std::size_t i = 0; i < q; ++i)
                step.push_back({{1 + i, way}, {1 + (sum + q - i) % q, 1 - way}});
            step.push_back({{1 + sum, way}, resting});
            step.push_back({resting, {1 + sum, 1 - way}});
        }
    }
    return steps;
}

/// Chains of a dimension in both directions as numbers below 2q.
constexpr Unit chain_of(std::size_t number)
{
    return {1 + number / 2, number % 2};
}
constexpr std::size_t turned(std::size_t number)
{
    return number ^ 1;
}

/// Which of 2q steps holds two rings of the centres, by the numbers of the chains whose classes these are and
/// in whose directions. In step i ring i of each kind is left over, and the two do not meet; or, for q = 1,
/// where no Latin square is like that, they meet in the other step.
class FrameSteps {
public:
    static constexpr std::size_t no_step = ~std::size_t{0};

    explicit FrameSteps(std::size_t q) : order_(2 * q) {}

    /// An idempotent Latin square of even order without its diagonal: (i+j)/2 modulo the odd number 2q-1,
    /// with a last row and column that take over what i and i+1 had.
    std::size_t operator()(std::size_t a, std::size_t b) const
    {
        if (order_ == 2)
            return a == b ? turned(a) : no_step;
        if (a == b)
            return no_step;
        const std::size_t odd = order_ - 1;
        const auto middle = [odd](std::size_t sum) { return sum * ((odd + 1) / 2) % odd; };
        if (b == odd)
            return middle(2 * a + 1);
        if (a == odd)
            return middle(2 * b + odd - 1);
        return b == (a + 1) % odd ? odd : middle(a + b);
    }

private:
    std::size_t order_;
};

/// A plane of three dimensions; `turn` says for which of its two dimensions direction 0 is that of step 1.
struct Plane {
    std::array<std::size_t, 2> dimensions;
    std::array<bool, 2> turn;
};

/// Opposite directions cover each pair of directions in each plane, and no step asks for a ring of two
/// crossings in one direction twice.
constexpr std::array planes{Plane{{0, 1}, {false, false}}, Plane{{0, 2}, {true, false}},
                            Plane{{1, 2}, {true, true}}};

/// A product of rests but for two dimensions.
Product in_plane(const Plane& plane, Unit first, Unit second)
{
    Product product(3, resting);
    product[plane.dimensions[0]] = first;
    product[plane.dimensions[1]] = second;
    return product;
}

/// What fills the rings of the centres in the steps of chains, and what is left of it.
void add_frames(std::size_t q, std::span<Products> chain_steps, std::span<Products> crossing_steps)
{
    const FrameSteps frame(q);
    for (const Plane& plane : planes) {
        const auto number_at = [&](std::size_t number, std::size_t end) {
            return plane.turn[end] ? turned(number) : number;
        };
        for (std::size_t a = 0; a < 2 * q; ++a)
            for (std::size_t b = 0; b < 2 * q; ++b) {
                // The ring that a chain keeps busy is of the other's classes.
                const Product product = in_plane(plane, {chain_of(b).place, chain_of(a).direction},
                                                 {chain_of(a).place, chain_of(b).direction});
                const std::size_t step = frame(number_at(a, 0), number_at(b, 1));
                if (step == FrameSteps::no_step)
                    crossing_steps[chain_of(a).place].push_back(product);
                else
                    chain_steps[step].push_back(product);
            }
        for (std::size_t step = 0; step < 2 * q; ++step) {
            const Unit first = chain_of(number_at(step, 0)), second = chain_of(number_at(step, 1));
            chain_steps[step].push_back(in_plane(plane, first, crossing(second.direction)));
            chain_steps[step].push_back(in_plane(plane, crossing(first.direction), second));
        }
    }
}

/// The steps of three dimensions for one centre in each.
std::vector<Products> space_steps(std::size_t q)
{
    std::vector<Products> equal(q + 1), unlike(q + 1), chains(2 * q);
    std::vector<std::size_t> place(3, 0);
    const std::vector<std::size_t> places(3, q + 1);
    do {
        const std::size_t i = place[0], j = place[1], k = place[2], sum = (i + j + k) % (q + 1);
        const auto crossings = std::count(place.begin(), place.end(), 0U);
        for (const std::size_t way : {0U, 1U}) {
            const std::size_t back = 1 - way;
            if (crossings < 3)
                equal[sum].push_back({{i, way}, {j, way}, {k, way}});
            if (crossings < 2)
                unlike[sum].push_back({{i, way}, {j, i == 0 ? way : back}, {k, back}});
            if (crossings == 0) {
                const std::size_t step = (i + j + k) % q * 2;
                chains[step].push_back({{i, way}, {j, back}, {k, way}});
                chains[step + 1].push_back({{i, way}, {j, way}, {k, back}});
            }
        }
    } while (advance(place, places));
    equal[0].insert(equal[0].end(), {{crossing(0), crossing(0), crossing(0)},
                                     {crossing(1), resting, resting},
                                     {resting, crossing(1), resting},
                                     {resting, resting, crossing(1)}});
    unlike[0].insert(unlike[0].end(), {{crossing(0), crossing(0), resting},
                                       {crossing(1), resting, crossing(0)},
                                       {resting, crossing(1), crossing(1)}});
    for (std::size_t i = 1; i <= q; ++i)
        for (const std::size_t way : {0U, 1U})
            unlike[i].insert(
                unlike[i].end(),
                {{{i, way}, resting, resting}, {resting, {i, way}, resting}, {resting, resting, {i, way}}});
    add_frames(q, chains, unlike);
    std::vector<Products> steps = std::move(equal);
    for (std::vector<Products>* const more : {&unlike, &chains})
        std::move(more->begin(), more->end(), std::back_inserter(steps));
    return steps;
}

} // namespace

std::optional<Schedule> odd_torus_phases(const Problem& problem)
{
    const auto& grid = problem.topology.grid();
    if (!grid || grid->extent.size() < 2 || grid->extent.size() > 3)
        return std::nullopt;
    const unsigned half = grid->extent[0] / 2;
    if (half < 3 || half % 2 == 0 ||
        std::any_of(grid->extent.begin(), grid->extent.end(), [&](unsigned n) { return n != 2 * half; }))
        return std::nullopt;
    const auto dimensions = static_cast<unsigned>(grid->extent.size());
    auto torus =
        GridScatter::begin(problem, Grid{grid->extent, true}, dimensions + 1, "construct, odd torus phases");
    if (!torus)
        return std::nullopt;
    const std::size_t q = half / 2;
    const auto steps = dimensions == 2 ? plane_steps(q) : space_steps(q);
    std::vector<std::size_t> centre(dimensions, 0);
    const std::vector<std::size_t> centres(dimensions, half);
    std::vector<LinePattern> patterns(dimensions);
    std::vector<const LinePattern*> product_of(dimensions);
    do {
        for (const Products& products : steps) {
            torus->add_step();
            for (const Product& product : products) {
                for (std::size_t d = 0; d < product.size(); ++d) {
                    patterns[d] = pattern_of(half, static_cast<unsigned>(centre[d]), product[d]);
                    product_of[d] = &patterns[d];
                }
                torus->add_product(product_of);
            }
        }
    } while (advance(centre, centres));
    return std::move(*torus).finish();
}

} // namespace nocturne
