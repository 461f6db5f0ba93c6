#include "tests/schedules/formats/random_schedules.hpp"

#include "models/topology/make_topology.hpp"
#include "schedules/chunk_search/timed_search.hpp"
#include "schedules/formats/tool_formats.hpp"

namespace nocturne::test {

namespace {

CollectiveKind random_kind(SplitMix64& random)
{
    constexpr CollectiveKind kinds[] = {CollectiveKind::allreduce, CollectiveKind::allgather,
                                        CollectiveKind::reduce_scatter, CollectiveKind::alltoall};
    return kinds[random.below(4)];
}

} // namespace

LinkNetwork random_network(SplitMix64& random)
{
    const std::uint32_t nodes = 2 + random.below(6);
    LinkNetwork network("random", nodes);
    for (NodeId node = 0; node < nodes; ++node)
        network.add_links(node, (node + 1) % nodes, 4, 1 + random.below(5));
    for (std::uint32_t chords = random.below(4); chords > 0; --chords) {
        const NodeId a = random.below(nodes), b = random.below(nodes);
        if (a != b)
            network.add_links(a, b, 4U << random.below(2), 1);
    }
    return network;
}

Schedule random_schedule(SplitMix64& random, const LinkNetwork& network)
{
    const auto collective = make_collective(
        random_kind(random), {.processors = network.processor_count(), .parts = 1 + random.below(3)});
    TimedConfig config;
    config.seed = random();
    config.runs = 1;
    config.cost.bytes_per_weight = 64;
    return search_by_time(network, collective, config).value().schedule;
}

std::string example_program()
{
    const LinkNetwork network = link_network_of(make_topology("ring:3"));
    const auto found = search_by_time(network, allreduce({.processors = 3, .parts = 3}),
                                      {.cost = {.bytes_per_weight = 4096}, .runs = 1});
    return to_msccl_xml(found.value().schedule, network);
}

} // namespace nocturne::test
