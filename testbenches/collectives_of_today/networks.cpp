#include "testbenches/collectives_of_today/networks.hpp"

#include "models/text/number.hpp"
#include "testbenches/driver/measured.hpp"

#include <fmt/format.h>

#include <functional>
#include <numeric>
#include <stdexcept>

namespace nocturne::collectives_of_today {

LinkNetwork make_dgx1(const nlohmann::json& rows)
{
    LinkNetwork network{"DGX-1", 8};
    for (const nlohmann::json& row : rows)
        network.add_links(testbench::number_in<unsigned>(row, "a"), testbench::number_in<unsigned>(row, "b"),
                          testbench::number_in<unsigned>(row, "units"), 1);
    return network;
}

namespace {

std::vector<std::uint32_t> sides_of(std::string_view text)
{
    std::vector<std::uint32_t> sides;
    std::string rest(text.substr(text.find(' ') + 1));
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('x'), rest.size());
        const auto side = number_of<std::uint32_t>(rest.substr(0, end));
        if (!side || *side < 2 || *side > 1024)
            throw std::invalid_argument(fmt::format("{}: sides are 2 to 1024", text));
        sides.push_back(*side);
        rest.erase(0, end + 1);
    }
    return sides;
}

} // namespace

LinkNetwork make_grid(std::string_view text, const std::vector<std::uint64_t>& bytes_per_cycle,
                      std::uint64_t latency_cycles)
{
    const bool wraps = text.starts_with("torus ");
    if (!wraps && !text.starts_with("mesh "))
        throw std::invalid_argument(fmt::format("{}: expected mesh or torus, and its sides", text));
    const std::vector<std::uint32_t> sides = sides_of(text);
    if (sides.size() != bytes_per_cycle.size())
        throw std::invalid_argument(fmt::format("{}: a bandwidth for each dimension", text));
    const std::uint32_t nodes = std::accumulate(sides.begin(), sides.end(), 1u, std::multiplies<>());
    LinkNetwork network{std::string(text), nodes};
    std::uint32_t stride = 1;
    for (std::size_t dimension = 0; dimension < sides.size(); ++dimension) {
        const std::uint32_t side = sides[dimension];
        for (NodeId node = 0; node < nodes; ++node) {
            const std::uint32_t at = node / stride % side;
            const bool is_last = at + 1 == side;
            if (is_last && (!wraps || side == 2))
                continue;
            const NodeId next = is_last ? node - at * stride : node + stride;
            network.add_links(node, next, bytes_per_cycle[dimension], latency_cycles);
        }
        stride *= side;
    }
    return network;
}

} // namespace nocturne::collectives_of_today
