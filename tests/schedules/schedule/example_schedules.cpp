#include "tests/schedules/schedule/example_schedules.hpp"

#include "models/routing/paths.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/schedule/complete_paths.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "tests/models/topology/direct_network.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne::test {

namespace {

Path e_cube(const Topology& topology, RouterId source, RouterId target)
{
    Path path;
    for (RouterId bit = 1; source != target; bit *= 2)
        if ((source ^ target) & bit) {
            path.push_back(channel_between(topology, source, source ^ bit));
            source ^= bit;
        }
    return path;
}

Path random_path(Random& random, const Topology& topology, ProcessorId source, ProcessorId destination)
{
    std::vector<Path> paths;
    PathEnumerator enumerator(topology, source, destination, 1);
    while (const auto path = enumerator.next())
        paths.push_back(*path);
    return paths[below(random, paths.size())];
}

Schedule empty_schedule(const Topology& topology, Collective collective, PortModel ports)
{
    return {"an example", "", topology.name(), std::move(collective), ports, Switching::wormhole, {}};
}

} // namespace

std::size_t below(Random& random, std::size_t bound)
{
    return random() % bound;
}

Example printed(const std::string& file)
{
    auto [schedule, topology, claims, defaults, is_bound] =
        load_schedule(std::string(SCHEDULE_LIBRARY) + "/" + file);
    return {complete_paths(schedule, topology), std::move(topology)};
}

Example xor_scatter(unsigned dimensions)
{
    Topology topology = make_topology(fmt::format("hypercube:{}", dimensions));
    const auto processors = static_cast<ProcessorId>(topology.processor_count());
    Schedule schedule = empty_schedule(topology, alltoall({processors}), one_port);
    for (ProcessorId difference = 1; difference < processors; ++difference) {
        Step& step = schedule.steps.emplace_back();
        for (ProcessorId source = 0; source < processors; ++source) {
            const ProcessorId destination = source ^ difference;
            step.push_back({*find_message(schedule.collective, source, destination), source, destination,
                            e_cube(topology, source, destination)});
        }
    }
    return {std::move(schedule), std::move(topology)};
}

Example binomial_broadcast(unsigned dimensions)
{
    Topology topology = make_topology(fmt::format("hypercube:{}", dimensions));
    const auto processors = static_cast<ProcessorId>(topology.processor_count());
    Schedule schedule = empty_schedule(topology, broadcast({processors}, 0), one_port);
    for (ProcessorId informed = 1; informed < processors; informed *= 2) {
        Step& step = schedule.steps.emplace_back();
        for (ProcessorId source = 0; source < informed; ++source)
            step.push_back({0, source, source + informed, e_cube(topology, source, source + informed)});
    }
    return {std::move(schedule), std::move(topology)};
}

Example rotation_broadcast(unsigned processors)
{
    Topology topology = make_topology(fmt::format("ring:{}", processors));
    Schedule schedule = empty_schedule(topology, allgather({processors}), one_port);
    schedule.switching = Switching::store_and_forward;
    for (ProcessorId age = 0; age + 1 < processors; ++age) {
        Step& step = schedule.steps.emplace_back();
        for (ProcessorId source = 0; source < processors; ++source) {
            const ProcessorId next = (source + 1) % processors;
            step.push_back({(source + processors - age) % processors, source, next,
                            Path{channel_between(topology, source, next)}});
        }
    }
    return {std::move(schedule), std::move(topology)};
}

Topology random_network(Random& random, unsigned routers, unsigned processors)
{
    Topology topology("random network");
    for (unsigned router = 0; router < routers; ++router)
        topology.add_router(fmt::format("r{}", router));
    for (RouterId router = 1; router < routers; ++router)
        topology.add_link(router, static_cast<RouterId>(below(random, router)));
    for (unsigned extra = 0; extra < routers; ++extra) // may be parallel to others
        if (const auto a = below(random, routers), b = below(random, routers); a != b)
            topology.add_channel(static_cast<RouterId>(a), static_cast<RouterId>(b));
    for (unsigned processor = 0; processor < processors; ++processor) {
        const auto router = static_cast<RouterId>(below(random, routers));
        topology.add_processor(router, router, fmt::format("p{}", processor));
    }
    return topology;
}

Example sequential_scatter(unsigned seed)
{
    Random random(seed);
    Topology topology = random_network(random, 6, 5);
    Schedule schedule = empty_schedule(topology, alltoall({5}), one_port);
    for (MessageId id = 0; id < schedule.collective.messages().size(); ++id) {
        const Message& message = schedule.collective.messages()[id];
        const ProcessorId receiver = message.receivers.front();
        schedule.steps.push_back(
            {{id, message.origin, receiver, random_path(random, topology, message.origin, receiver)}});
    }
    std::shuffle(schedule.steps.begin(), schedule.steps.end(), random);
    return {std::move(schedule), std::move(topology)};
}

std::vector<Example> valid_examples()
{
    std::vector<Example> examples;
    for (const char* file : {"omega8_aab.json", "fat_tree8_aas.json", "octagon8_aas.json"})
        examples.push_back(printed(file));
    for (const unsigned dimensions : {2u, 3u, 4u}) {
        examples.push_back(xor_scatter(dimensions));
        examples.push_back(binomial_broadcast(dimensions));
    }
    for (const unsigned processors : {3u, 8u})
        examples.push_back(rotation_broadcast(processors));
    for (const unsigned seed : {1u, 2u, 3u, 4u})
        examples.push_back(sequential_scatter(seed));
    return examples;
}

Example random_schedule(unsigned seed)
{
    Random random(seed);
    Topology topology = random_network(random, 5, 4);
    const auto channels = topology.channel_count();
    const Collective collectives[] = {allgather({4}), alltoall({4}), multicast({4}, 2, {0, 3}),
                                      gather({4}, 1), permutation({1, 2, 3, 0})};
    Schedule schedule = empty_schedule(topology, collectives[below(random, std::size(collectives))],
                                       PortModel{static_cast<unsigned>(below(random, 3))});
    schedule.switching = below(random, 3) == 0 ? Switching::store_and_forward : Switching::wormhole;
    schedule.steps.resize(below(random, 5));
    for (Step& step : schedule.steps)
        for (auto transfers = below(random, 5); transfers > 0; --transfers) {
            Transfer transfer{static_cast<MessageId>(below(random, schedule.collective.messages().size())),
                              static_cast<ProcessorId>(below(random, 4)),
                              static_cast<ProcessorId>(below(random, 4)), Path{}};
            const Message& message = schedule.collective.messages()[transfer.message];
            if (below(random, 2) == 0) { // one that makes sense
                transfer.source = message.origin;
                transfer.destination = message.receivers[below(random, message.receivers.size())];
            }
            const auto kind_of_path = below(random, 8);
            if (kind_of_path == 0)
                transfer.path.reset();
            else if (kind_of_path == 1)
                for (auto hops = below(random, 4); hops > 0; --hops)
                    transfer.path->push_back(static_cast<ChannelId>(below(random, channels + 1)));
            else
                transfer.path = random_path(random, topology, transfer.source, transfer.destination);
            step.push_back(std::move(transfer));
        }
    return {std::move(schedule), std::move(topology)};
}

std::vector<std::size_t> longest_hops(const Schedule& schedule)
{
    std::vector<std::size_t> hops;
    hops.reserve(schedule.steps.size());
    for (const Step& step : schedule.steps) {
        std::size_t longest = 0;
        for (const Transfer& transfer : step)
            longest = std::max(longest, transfer.path ? transfer.path->size() : 0);
        hops.push_back(longest);
    }
    return hops;
}

} // namespace nocturne::test
