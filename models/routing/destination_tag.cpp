#include "models/routing/distances.hpp"
#include "models/routing/routings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>

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

/// What messages to one destination can do, column by column, whatever digits are drawn: a router that one
/// message reaches takes every digit for each that comes.
class DrawnTurns {
public:
    DrawnTurns(const Topology& topology, ProcessorId destination)
        : topology_(topology), destination_(destination), reached_in_(topology.router_count())
    {
        for (const Processor& processor : topology.processors())
            reach(processor.injection);
    }

    void visit(const VisitFragment& visit)
    {
        const auto digits = topology_.tag_digits();
        for (const TagDigit& digit : digits.first(digits.size() - 1)) {
            for (const ChannelId in : arrivals_)
                for (const ChannelId out : ways_out(topology_.channel(in).target, digit))
                    visit({{in}, {out}});
            advance(digit);
        }
    }

private:
    void reach(RouterId router)
    {
        if (std::exchange(reached_in_[router], columns_) != columns_)
            column_.push_back(router);
    }

    /// A digit that names no port is left to the message that draws it, which says so.
    std::span<const ChannelId> ways_out(RouterId router, const TagDigit& digit) const
    {
        const auto ports = topology_.channels_from(router);
        if (digit.free)
            return ports.first(std::min<std::size_t>(digit.radix, ports.size()));
        const std::size_t port = destination_ / digit.divisor % digit.radix;
        return port < ports.size() ? ports.subspan(port, 1) : ports.first(0);
    }

    void advance(const TagDigit& digit)
    {
        arrivals_.clear();
        ++columns_;
        for (const RouterId router : std::exchange(column_, {}))
            for (const ChannelId out : ways_out(router, digit)) {
                arrivals_.push_back(out);
                reach(topology_.channel(out).target);
            }
    }

    const Topology& topology_;
    const ProcessorId destination_;
    unsigned columns_ = 1;             ///< reached so far
    std::vector<unsigned> reached_in_; ///< by router: the column in which it was reached last
    std::vector<RouterId> column_;     ///< routers that messages reach
    std::vector<ChannelId> arrivals_;  ///< channels by which they do
};

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
    return {"tag", 1, ObliviousRoutes{route}};
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
    auto fragments = [&topology](const VisitFragment& visit) {
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination)
            DrawnTurns(topology, destination).visit(visit);
    };
    return {"tag_random", 1, ObliviousRoutes{route, fragments, false}};
}

} // namespace nocturne
