#include "tests/models/routing/source_routes.hpp"

#include "models/routing/distances.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <unordered_map>

namespace nocturne {

namespace {

std::uint64_t key(ProcessorId source, ProcessorId destination)
{
    return std::uint64_t{source} << 32 | destination;
}

std::string pair_name(const Topology& topology, ProcessorId source, ProcessorId destination)
{
    return fmt::format("{}: route {} -> {}", topology.name(), topology.processor(source).name,
                       topology.processor(destination).name);
}

} // namespace

Routing source_routes(const Topology& topology, std::span<const SourceRoute> routes)
{
    const auto paths = std::make_shared<std::unordered_map<std::uint64_t, Path>>();
    for (const auto& [source, destination, path] : routes) {
        endpoints(topology, source, destination);
        if (!connects(topology, source, destination, path))
            throw std::invalid_argument(pair_name(topology, source, destination) +
                                        ": the path does not connect them");
        const auto [entry, is_new] = paths->emplace(key(source, destination), path);
        if (!is_new && entry->second != path)
            throw std::invalid_argument(pair_name(topology, source, destination) +
                                        ": two different paths are given");
    }
    auto route = [&topology, paths](ProcessorId source, ProcessorId destination) {
        endpoints(topology, source, destination);
        const auto found = paths->find(key(source, destination));
        if (found == paths->end())
            throw std::invalid_argument(pair_name(topology, source, destination) + ": no path is given");
        Route result;
        for (const ChannelId id : found->second)
            result.push_back({id});
        return result;
    };
    return {"source", 1, ObliviousRoutes{route}};
}

} // namespace nocturne
