#include "models/topology/generator_helpers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace nocturne {

std::string digit_name(std::span<const unsigned> digits, unsigned base)
{
    return fmt::format("{}", fmt::join(digits, base <= 10 ? "" : ","));
}

std::vector<unsigned> digits_of(std::uint64_t value, unsigned base, std::size_t count)
{
    std::vector<unsigned> digits(count);
    for (; count-- > 0; value /= base)
        digits[count] = static_cast<unsigned>(value % base);
    return digits;
}

Position on_circle(unsigned i, unsigned n, double pitch)
{
    if (n < 2)
        return {0, 0};
    const double radius = on_circle_radius(n, pitch);
    const double angle = 2 * std::numbers::pi * i / n;
    return {radius * std::sin(angle), -radius * std::cos(angle)};
}

double on_circle_radius(unsigned n, double pitch)
{
    return n < 2 ? 0 : pitch / (2 * std::sin(std::numbers::pi / n));
}

void attach_processors(Topology& topology, unsigned each)
{
    const auto routers = static_cast<RouterId>(topology.router_count());
    for (RouterId r = 0; r < routers; ++r)
        for (unsigned i = 0; i < each; ++i)
            if (each == 1)
                topology.add_processor(r);
            else
                topology.add_processor(r, r);
    if (each > 1)
        topology.set_default_ports(one_port);
}

} // namespace nocturne
