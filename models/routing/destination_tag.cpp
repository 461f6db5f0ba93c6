#include "models/routing/destination_tag.hpp"

#include "models/routing/distances.hpp"

#include <fmt/format.h>

#include <memory>
#include <random>
#include <stdexcept>

namespace nocturne {

namespace {

void require_digits(const Topology& topology)
{
    if (topology.tag_digits().empty())
        throw std::invalid_argument(
            fmt::format("{}: no tag digits for destination-tag routing", topology.name()));
}

/// `free_digit(radix)` is asked once for each free column, in order.
template <typename FreeDigit>
Route follow_tag(const Topology& topology, ProcessorId source, ProcessorId destination, FreeDigit free_digit)
{
    RouterId at = endpoints(topology, source, destination).source;
    const auto digits = topology.tag_digits();
    const auto lost = [&] {
        return std::invalid_argument(
            fmt::format("{}: the tag of processor {} does not lead there from processor {}", topology.name(),
                        topology.processor(destination).name, topology.processor(source).name));
    };
    Route result;
    for (std::size_t column = 0; column < digits.size(); ++column) {
        const auto [radix, divisor, free] = digits[column];
        const auto port = free ? free_digit(radix) : destination / divisor % radix;
        if (column + 1 == digits.size()) {
            const auto ejected = topology.processors_ejected_by(at);
            if (port >= ejected.size() || ejected[port] != destination)
                throw lost();
        } else {
            const auto ports = topology.channels_from(at);
            if (port >= ports.size())
                throw lost();
            result.push_back({ports[port]});
            at = topology.channel(ports[port]).target;
        }
    }
    return result;
}

} // namespace

Routing destination_tag(const Topology& topology)
{
    require_digits(topology);
    auto route = [&topology](ProcessorId source, ProcessorId destination) {
        return follow_tag(topology, source, destination, [rest = source](unsigned radix) mutable {
            const auto digit = rest % radix;
            rest /= radix;
            return digit;
        });
    };
    return {"tag", 1, route};
}

Routing destination_tag(const Topology& topology, std::uint64_t seed)
{
    require_digits(topology);
    auto route = [&topology, generator = std::make_shared<std::mt19937_64>(seed)](ProcessorId source,
                                                                                  ProcessorId destination) {
        return follow_tag(topology, source, destination, [&](unsigned radix) {
            return std::uniform_int_distribution<std::uint32_t>(0, radix - 1)(*generator);
        });
    };
    return {"tag_random", 1, route};
}

} // namespace nocturne
