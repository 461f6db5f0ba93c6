#include "schedules/scatter/quotient.hpp"

#include "schedules/scatter/orbit_packing.hpp"

namespace nocturne {
namespace {

ResourceId image_of(const Resources& resources, const Symmetry& symmetry, ResourceId id)
{
    if (resources.is_channel(id))
        return symmetry.channels[id];
    const bool sends = id < resources.receive_port(0);
    const ProcessorId processor =
        symmetry.processors[id - (sends ? resources.send_port(0) : resources.receive_port(0))];
    return sends != symmetry.reverses ? resources.send_port(processor) : resources.receive_port(processor);
}

/// By resource, the first one of its orbit; nothing if an orbit of scarce ones is smaller than the group.
std::optional<std::vector<ResourceId>> orbits_of(const Resources& resources,
                                                 std::span<const Symmetry> elements)
{
    std::vector<ResourceId> first(resources.count(), no_resource);
    for (ResourceId id = 0; id < first.size(); ++id) {
        if (first[id] != no_resource)
            continue;
        std::size_t returns = 0;
        for (const Symmetry& element : elements) {
            const ResourceId other = image_of(resources, element, id);
            first[other] = id;
            returns += other == id ? 1 : 0;
        }
        if (returns > 1 && (resources.is_channel(id) || resources.is_scarce(id)))
            return std::nullopt;
    }
    return first;
}

} // namespace

std::optional<Quotient> make_quotient(const Problem& problem, std::span<const Symmetry> elements)
{
    for (const Symmetry& element : elements)
        if (!is_identity(element) && kept_message(problem.collective, element))
            return std::nullopt;
    const auto first = orbits_of(Resources(problem), elements);
    if (!first)
        return std::nullopt;
    Quotient quotient{{elements.begin(), elements.end()}, problem, {}, {}, {}};
    quotient.message_of = representatives(problem.collective, elements);
    Collective& kept = quotient.problem.collective;
    kept.chunks.clear();
    kept.demands = {};
    for (const MessageId id : quotient.message_of) {
        const Chunk& chunk = problem.collective.chunks[id];
        for (const ProcessorId receiver : problem.collective.messages()[id].receivers)
            kept.demands.push_back({static_cast<ChunkId>(kept.chunks.size()), receiver, chunk.contributors});
        kept.chunks.push_back(chunk);
    }
    quotient.resources = path_resources(quotient.problem);
    PathResources& resources = quotient.resources;
    for (ResourceId& channel : resources.of_channel)
        channel = (*first)[channel];
    quotient.classes.assign(resources.of_channel.begin(), resources.of_channel.end());
    for (auto& [send, receive] : resources.ports) {
        send = (*first)[send];
        receive = (*first)[receive];
        if (send == receive && resources.capacity[send] > 0)
            return std::nullopt;
    }
    return quotient;
}

} // namespace nocturne
