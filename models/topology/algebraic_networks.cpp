#include "models/topology/generator_helpers.hpp"
#include "models/topology/generators.hpp"
#include "models/topology/size.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace nocturne {

namespace {

/// q as p^n with p prime; nothing if it is no prime power.
std::optional<std::pair<unsigned, unsigned>> prime_power(unsigned q)
{
    if (q < 2)
        return std::nullopt;
    unsigned prime = 2;
    while (q % prime != 0)
        prime = std::uint64_t{prime} * prime < q ? prime + 1 : q;
    unsigned exponent = 0;
    for (; q % prime == 0; q /= prime)
        ++exponent;
    return q == 1 ? std::optional(std::pair(prime, exponent)) : std::nullopt;
}

/// Elements are the numbers 0 to q-1: the coefficients of a polynomial over GF(p), digits in base p, so that
/// GF(p) is arithmetic modulo p. Products are modulo the first polynomial, in the order of its coefficients,
/// of which x is a primitive root; powers of x are kept.
class FiniteField {
public:
    /// Throws std::invalid_argument unless q is a prime power, at most 2^16.
    explicit FiniteField(unsigned q) : size_(q)
    {
        const auto power = prime_power(q);
        if (!power || q > 1u << 16)
            throw std::invalid_argument(fmt::format("{} is not a prime power up to {}", q, 1u << 16));
        std::tie(prime_, degree_) = *power;
        // x^n is what a polynomial of lower degree says, the first one of which x is a primitive root.
        for (unsigned reduction = 1; !has_period(digits_of(reduction, prime_, degree_)); ++reduction)
            ;
        logarithms_.resize(size_);
        for (unsigned i = 0; i < powers_.size(); ++i)
            logarithms_[powers_[i]] = i;
    }

    unsigned size() const { return size_; }
    unsigned sum(unsigned a, unsigned b) const
    {
        unsigned result = 0;
        for (unsigned weight = 1; weight < size_; weight *= prime_)
            result += (a / weight % prime_ + b / weight % prime_) % prime_ * weight;
        return result;
    }
    unsigned difference(unsigned a, unsigned b) const
    {
        unsigned result = 0;
        for (unsigned weight = 1; weight < size_; weight *= prime_)
            result += (a / weight % prime_ + prime_ - b / weight % prime_) % prime_ * weight;
        return result;
    }
    unsigned product(unsigned a, unsigned b) const
    {
        if (a == 0 || b == 0)
            return 0;
        return power_of_primitive(logarithms_[a] + logarithms_[b]);
    }
    /// Only where b is not 0.
    unsigned quotient(unsigned a, unsigned b) const
    {
        return a == 0 ? 0 : power_of_primitive(logarithms_[a] + size_ - 1 - logarithms_[b]);
    }
    /// The primitive element to the power of `exponent`.
    unsigned power_of_primitive(unsigned exponent) const { return powers_[exponent % (size_ - 1)]; }

private:
    /// Do the powers of x, with x^n = `reduction` (the highest coefficient first), run through all elements
    /// but 0? Then they are kept.
    bool has_period(const std::vector<unsigned>& reduction)
    {
        powers_.clear();
        unsigned element = 1;
        do {
            powers_.push_back(element);
            const unsigned top = element / (size_ / prime_);
            unsigned next = 0, low = element % (size_ / prime_) * prime_, weight = 1;
            for (std::size_t i = reduction.size(); i-- > 0; weight *= prime_) {
                const auto digit = std::uint64_t{low % prime_} + std::uint64_t{top} * reduction[i];
                next += static_cast<unsigned>(digit % prime_) * weight;
                low /= prime_;
            }
            element = next;
        } while (element > 1 && powers_.size() < size_);
        return element == 1 && powers_.size() == size_ - 1;
    }

    unsigned size_;
    unsigned prime_ = 0;
    unsigned degree_ = 0;
    std::vector<unsigned> powers_;     ///< of the primitive element, size - 1 of them
    std::vector<unsigned> logarithms_; ///< by element but 0
};

using Point = std::array<unsigned, 3>;

std::string field_network_name(std::string_view kind, unsigned q, unsigned processors)
{
    return processors == 1 ? fmt::format("{}:{}", kind, q) : fmt::format("{}:{},{}", kind, q, processors);
}

FiniteField checked_field(const std::string& name, unsigned q, unsigned processors, std::uint64_t routers,
                          std::uint64_t degree)
{
    if (processors < 1)
        throw std::invalid_argument(fmt::format("{}: p is at least 1", name));
    check_size(name,
               {saturating_product({routers, processors}), routers, saturating_product({routers, degree})});
    if (!prime_power(q))
        throw std::invalid_argument(fmt::format("{}: {} is not a prime power", name, q));
    return FiniteField(q);
}

/// The differences of linked routers of a group, by element: X, or with `shift` 1 X'.
std::vector<bool> generators(const FiniteField& field, unsigned shift)
{
    const unsigned q = field.size();
    const bool is_folded = q % 4 == 3; // then the second half are odd powers
    std::vector<bool> in(q);
    for (unsigned i = 0, count = (q + (is_folded ? 1 : 0)) / 2; i < count; ++i)
        in[field.power_of_primitive(2 * i - (is_folded && i >= count / 2 ? 1 : 0) + shift)] = true;
    return in;
}

void link_group(Topology& topology, const FiniteField& field, RouterId first, const std::vector<bool>& in)
{
    for (unsigned a = 0; a < field.size(); ++a)
        for (unsigned b = a + 1; b < field.size(); ++b)
            if (in[field.difference(a, b)])
                topology.add_link(first + a, first + b);
}

/// The points of the plane, left-normalized, in the order of their numbers.
std::vector<Point> projective_plane(unsigned q)
{
    std::vector<Point> points{{0, 0, 1}};
    for (unsigned z = 0; z < q; ++z)
        points.push_back({0, 1, z});
    for (unsigned y = 0; y < q; ++y)
        for (unsigned z = 0; z < q; ++z)
            points.push_back({1, y, z});
    return points;
}

/// The numbers of the points that are orthogonal to a point, in ascending order.
std::vector<RouterId> orthogonal_to(const Point& point, const FiniteField& field)
{
    const unsigned q = field.size();
    std::vector<RouterId> numbers;
    // The z with first + point[2] * z = 0.
    const auto add_each_z = [&](unsigned first, RouterId number_of_z_0) {
        if (point[2] != 0)
            numbers.push_back(number_of_z_0 + field.quotient(field.difference(0, first), point[2]));
        for (unsigned z = 0; z < q && point[2] == 0 && first == 0; ++z)
            numbers.push_back(number_of_z_0 + z);
    };
    if (point[2] == 0)
        numbers.push_back(0);
    add_each_z(point[1], 1);
    for (unsigned y = 0; y < q; ++y)
        add_each_z(field.sum(point[0], field.product(point[1], y)), 1 + q + y * q);
    return numbers;
}

} // namespace

Topology make_slim_fly(unsigned q, unsigned processors)
{
    const std::string name = field_network_name("slimfly", q, processors);
    if (q < 3 || q % 4 == 2)
        throw std::invalid_argument(fmt::format("{}: q is a prime power 4w - 1, 4w or 4w + 1", name));
    const FiniteField field =
        checked_field(name, q, processors, saturating_product({2, q, q}), 2 * std::uint64_t{q});
    Topology topology(name);
    for (unsigned group = 0; group < 2 * q; ++group)
        for (unsigned i = 0; i < q; ++i) {
            const Position centre = on_circle(group, 2 * q, on_circle_radius(q) * 2 + 1),
                           spoke = on_circle(i, q);
            topology.add_router(digit_name(std::array{group / q, group % q, i}, q),
                                Position{centre.x + spoke.x, centre.y + spoke.y});
        }
    for (unsigned group = 0; group < 2 * q; ++group)
        link_group(topology, field, group * q, generators(field, group / q));
    for (unsigned x = 0; x < q; ++x)
        for (unsigned m = 0; m < q; ++m)
            for (unsigned c = 0; c < q; ++c)
                topology.add_link(x * q + field.sum(field.product(m, x), c), (q + m) * q + c);
    topology.set_routers_per_group(q);
    attach_processors(topology, processors);
    return topology;
}

Topology make_polarfly(unsigned q, unsigned processors)
{
    const std::string name = field_network_name("polarfly", q, processors);
    const FiniteField field =
        checked_field(name, q, processors, saturating_product({q, q}) + q + 1, q + std::uint64_t{1});
    const std::vector<Point> points = projective_plane(q);
    Topology topology(name);
    for (unsigned i = 0; i < points.size(); ++i)
        topology.add_router(digit_name(points[i], q),
                            on_circle(i, static_cast<unsigned>(points.size()), 1.2));
    for (RouterId a = 0; a < points.size(); ++a)
        for (const RouterId b : orthogonal_to(points[a], field))
            if (a < b)
                topology.add_link(a, b);
    attach_processors(topology, processors);
    return topology;
}

} // namespace nocturne
