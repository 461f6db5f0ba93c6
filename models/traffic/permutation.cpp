#include "models/traffic/permutation.hpp"

#include "models/routing/random.hpp"
#include "models/text/unknown_name.hpp"
#include "models/traffic/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <bit>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

/// The number of address bits; throws if the processors are no power of two.
unsigned address_bits(const Topology& topology, std::string_view name)
{
    const std::size_t processors = topology.processor_count();
    if (!std::has_single_bit(processors))
        throw std::invalid_argument(
            fmt::format("pattern {}: {} has {} processors, and this is made for powers of two", name,
                        topology.name(), processors));
    return static_cast<unsigned>(std::countr_zero(processors));
}

/// Is there one processor at each router of a grid, numbered as the routers are?
bool is_processor_grid(const Topology& topology)
{
    if (!topology.grid() || topology.processor_count() != topology.router_count())
        return false;
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        if (topology.processor(id).injection != id || topology.processor(id).ejection != id)
            return false;
    return true;
}

template <class Function>
Permutation map_processors(const Topology& topology, Function&& destination)
{
    Permutation permutation(topology.processor_count());
    for (ProcessorId id = 0; id < permutation.size(); ++id)
        permutation[id] = static_cast<ProcessorId>(destination(id));
    return permutation;
}

/// `advance(k)` on in each dimension of k routers, wrapping round.
template <class Advance>
Permutation move_on(const Topology& topology, Advance&& advance)
{
    const auto processors = static_cast<ProcessorId>(topology.processor_count());
    if (!is_processor_grid(topology))
        return map_processors(topology,
                              [&](ProcessorId id) { return (id + advance(processors)) % processors; });
    const auto& sizes = topology.grid()->extent;
    return map_processors(topology, [&](ProcessorId id) {
        std::vector<unsigned> at = topology.coordinates(id);
        ProcessorId to = 0;
        for (std::size_t dimension = 0; dimension < sizes.size(); ++dimension)
            to = to * sizes[dimension] + (at[dimension] + advance(sizes[dimension])) % sizes[dimension];
        return to;
    });
}

Permutation transpose(const Topology& topology, std::string_view name)
{
    const auto& grid = topology.grid();
    if (is_processor_grid(topology) && grid->extent.size() == 2 && grid->extent[0] == grid->extent[1]) {
        const unsigned side = grid->extent[0];
        return map_processors(topology, [=](ProcessorId id) { return id % side * side + id / side; });
    }
    const unsigned bits = address_bits(topology, name);
    if (bits % 2 != 0)
        throw std::invalid_argument(fmt::format(
            "pattern {}: {} has {} processors, and this is made for square grids and powers of four", name,
            topology.name(), topology.processor_count()));
    const ProcessorId low = (ProcessorId{1} << bits / 2) - 1;
    return map_processors(topology, [=](ProcessorId id) { return (id & low) << bits / 2 | id >> bits / 2; });
}

Permutation complement(const Topology& topology, std::string_view name)
{
    const ProcessorId mask = (ProcessorId{1} << address_bits(topology, name)) - 1;
    return map_processors(topology, [=](ProcessorId id) { return ~id & mask; });
}

Permutation reversal(const Topology& topology, std::string_view name)
{
    const unsigned bits = address_bits(topology, name);
    return map_processors(topology, [=](ProcessorId id) {
        ProcessorId reversed = 0;
        for (unsigned bit = 0; bit < bits; ++bit)
            reversed |= (id >> bit & 1U) << (bits - 1 - bit);
        return reversed;
    });
}

Permutation shuffle(const Topology& topology, std::string_view name)
{
    const unsigned bits = address_bits(topology, name);
    const ProcessorId mask = (ProcessorId{1} << bits) - 1;
    return map_processors(
        topology, [=](ProcessorId id) { return bits == 0 ? id : (id << 1 | id >> (bits - 1)) & mask; });
}

Permutation rotation(const Topology& topology, std::string_view name)
{
    const unsigned bits = address_bits(topology, name);
    return map_processors(topology,
                          [=](ProcessorId id) { return bits == 0 ? id : id >> 1 | (id & 1U) << (bits - 1); });
}

Permutation butterfly(const Topology& topology, std::string_view name)
{
    const unsigned bits = address_bits(topology, name);
    const ProcessorId ends = bits < 2 ? 0 : 1U | ProcessorId{1} << (bits - 1);
    return map_processors(
        topology, [=](ProcessorId id) { return (id & ends) == 0 || (id & ends) == ends ? id : id ^ ends; });
}

Permutation tornado(const Topology& topology, std::string_view)
{
    return move_on(topology, [](unsigned size) { return (size + 1) / 2 - 1; });
}

Permutation neighbour(const Topology& topology, std::string_view)
{
    return move_on(topology, [](unsigned size) { return 1 % size; });
}

struct Named {
    std::string_view name;
    Permutation (*make)(const Topology& topology, std::string_view name);
};

constexpr std::array fixed{Named{"transpose", transpose}, Named{"complement", complement},
                           Named{"reversal", reversal},   Named{"shuffle", shuffle},
                           Named{"rotation", rotation},   Named{"butterfly", butterfly},
                           Named{"tornado", tornado},     Named{"neighbour", neighbour}};

} // namespace

void require_all_processors(const Topology& topology, std::string_view pattern)
{
    if (!topology.lost_processors().empty())
        throw std::invalid_argument(
            fmt::format("pattern {}: {}: it goes by the places of all processors, and {} failed", pattern,
                        topology.name(),
                        topology.lost_processors().size() == 1
                            ? fmt::format("{} has", topology.lost_processors().front())
                            : fmt::format("{} of them have", topology.lost_processors().size())));
}

void check_permutation(std::span<const ProcessorId> destination, std::size_t size)
{
    if (destination.size() != size)
        throw std::invalid_argument(
            fmt::format("a permutation of {} numbers for {} processors", destination.size(), size));
    std::vector<std::optional<ProcessorId>> source_of(size);
    for (ProcessorId source = 0; source < size; ++source) {
        const ProcessorId to = destination[source];
        if (to >= size)
            throw std::invalid_argument(
                fmt::format("no permutation: {} sends to {}, and there are {} processors", source, to, size));
        if (source_of[to])
            throw std::invalid_argument(
                fmt::format("no permutation: {} and {} both send to {}", *source_of[to], source, to));
        source_of[to] = source;
    }
}

Permutation random_permutation(std::uint32_t size, std::uint64_t seed)
{
    Permutation permutation(size);
    std::iota(permutation.begin(), permutation.end(), 0U);
    SplitMix64 random(seed);
    for (std::uint32_t left = size; left > 1; --left)
        std::swap(permutation[left - 1], permutation[random.below(left)]);
    return permutation;
}

std::vector<std::string> permutation_names()
{
    std::vector<std::string> names{"random"};
    for (const Named& named : fixed)
        names.emplace_back(named.name);
    return names;
}

std::string_view standard_spelling(std::string_view permutation)
{
    return permutation == "neighbor" ? "neighbour" : permutation;
}

Permutation make_permutation(const Topology& topology, std::string_view name, std::uint64_t seed)
{
    name = standard_spelling(name);
    if (name == "random")
        return random_permutation(static_cast<std::uint32_t>(topology.processor_count()), seed);
    for (const Named& named : fixed)
        if (named.name == name) {
            require_all_processors(topology, name);
            return named.make(topology, name);
        }
    throw std::invalid_argument(unknown_name("permutation", name, permutation_names()));
}

Permutation read_permutation(const std::string& path, std::size_t size)
{
    Permutation permutation;
    for (const double number : read_numbers(path)) {
        if (!(number >= 0 && number < static_cast<double>(size) &&
              number == static_cast<ProcessorId>(number)))
            throw std::runtime_error(
                fmt::format("{}: {} is no processor; there are 0 to {}", path, number, size - 1));
        permutation.push_back(static_cast<ProcessorId>(number));
    }
    try {
        check_permutation(permutation, size);
    } catch (const std::invalid_argument& error) {
        throw std::runtime_error(fmt::format("{}: {}", path, error.what()));
    }
    return permutation;
}

} // namespace nocturne
