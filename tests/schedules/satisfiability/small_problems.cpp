#include "tests/schedules/satisfiability/small_problems.hpp"

#include "models/routing/random.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/make_topology.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

namespace nocturne::test {
namespace {

Topology random_topology(SplitMix64& random)
{
    Topology topology("small");
    const unsigned routers = 2 + random.below(3);
    for (unsigned i = 0; i < routers; ++i)
        topology.add_router();
    // A ring of one-way or two-way channels keeps everybody reachable.
    const bool two_way = random.below(2) == 0;
    const auto join = [&](RouterId a, RouterId b) {
        topology.add_channel(a, b);
        if (two_way)
            topology.add_channel(b, a);
    };
    for (RouterId i = two_way ? 1 : 0; i < routers; ++i)
        join(i, (i + 1) % routers);
    for (unsigned extra = random.below(3); extra > 0; --extra) {
        const RouterId a = random.below(routers);
        join(a, (a + 1 + random.below(routers - 1)) % routers);
    }
    const unsigned processors = 2 + random.below(3);
    const bool direct = random.below(3) > 0;
    for (unsigned i = 0; i < processors; ++i) {
        const RouterId in = i < routers && direct ? i : random.below(routers);
        topology.add_processor(in, direct ? in : random.below(routers), "p" + std::to_string(i));
    }
    return topology;
}

Collective small_collective(SplitMix64& random, std::uint32_t n)
{
    const std::uint32_t a = random.below(n);
    const std::uint32_t b = (a + 1 + random.below(n - 1)) % n;
    const std::vector<std::uint32_t> two{std::min(a, b), std::max(a, b)};
    switch (random.below(9)) {
    case 0:
        return broadcast({n}, a);
    case 1:
        return n <= 3 ? allgather({n}) : many_to_many_broadcast({n}, two, {0, 1, 2, 3});
    case 2:
        return scatter({n}, a);
    case 3:
        return n <= 3 ? alltoall({n}) : many_to_many_scatter({n}, {a}, {0, 1, 2, 3});
    case 4:
        return gather({n}, a);
    case 5:
        return multicast({n}, a, {b});
    case 6: {
        std::vector<std::uint32_t> image;
        for (std::uint32_t i = 0; i < n; ++i)
            image.push_back((i + 1) % n);
        return permutation(image);
    }
    case 7:
        return many_to_many_broadcast({n}, two, two);
    default:
        return many_to_many_scatter({n}, two, two);
    }
}

} // namespace

Problem random_small_problem(std::uint64_t seed)
{
    SplitMix64 random(seed);
    Topology topology = random_topology(random);
    Collective collective = small_collective(random, static_cast<std::uint32_t>(topology.processor_count()));
    Problem problem{std::move(topology), std::move(collective), PortModel{random.below(3)}};
    if (random.below(4) == 0)
        problem.switching = Switching::store_and_forward;
    else if (const unsigned slack = random.below(4); slack < 2)
        problem.slack = slack;
    return problem;
}

namespace {

Topology larger_topology(SplitMix64& random)
{
    constexpr std::array specs{"omega:4", "butterfly:4", "clos:2,2,2", "benes:2,2",
                               "btree:4", "ring:5",      "mesh:2x3"};
    if (random.below(2) == 0)
        return make_topology(specs[random.below(specs.size())]);
    Topology topology("larger");
    const unsigned routers = 3 + random.below(4);
    for (unsigned i = 0; i < routers; ++i)
        topology.add_router();
    for (RouterId i = 0; i < routers; ++i)
        topology.add_channel(i, (i + 1) % routers);
    for (unsigned extra = random.below(5); extra > 0; --extra) {
        const RouterId a = random.below(routers);
        topology.add_channel(a, (a + 1 + random.below(routers - 1)) % routers);
    }
    for (RouterId i = 0; i < routers; ++i)
        topology.add_processor(i, random.below(4) == 0 ? random.below(routers) : i);
    return topology;
}

Topology with_some_faults(SplitMix64& random, const Topology& whole)
{
    Faults faults;
    for (unsigned count = random.below(4); count > 1; --count)
        faults.channels.push_back(random.below(static_cast<std::uint32_t>(whole.channel_count())));
    if (random.below(8) == 0)
        faults.routers.push_back(random.below(static_cast<std::uint32_t>(whole.router_count())));
    if (faults.channels.empty() && faults.routers.empty())
        return whole;
    try {
        return with_faults(whole, faults, "faults");
    } catch (const std::invalid_argument&) {
        return whole; // fewer than two processors were left
    }
}

std::vector<std::uint32_t> some_processors(SplitMix64& random, std::uint32_t n)
{
    std::vector<std::uint32_t> some;
    while (some.empty())
        for (std::uint32_t id = 0; id < n; ++id)
            if (random.below(2) == 0)
                some.push_back(id);
    return some;
}

Collective larger_collective(SplitMix64& random, std::uint32_t n)
{
    if (random.below(2) == 0)
        return small_collective(random, n);
    const auto senders = some_processors(random, n);
    auto receivers = some_processors(random, n);
    if (senders.size() == 1 && receivers == senders)
        receivers.front() = (receivers.front() + 1) % n;
    return random.below(3) > 0 ? many_to_many_broadcast({n}, senders, receivers)
                               : many_to_many_scatter({n}, senders, receivers);
}

} // namespace

Problem random_broken_problem(std::uint64_t seed)
{
    SplitMix64 random(seed);
    Topology topology =
        with_some_faults(random, random.below(3) == 0 ? random_topology(random) : larger_topology(random));
    Collective collective = larger_collective(random, static_cast<std::uint32_t>(topology.processor_count()));
    Problem problem{std::move(topology), std::move(collective), PortModel{random.below(3)}};
    if (random.below(4) == 0)
        problem.switching = Switching::store_and_forward;
    else if (const unsigned slack = random.below(5); slack < 3)
        problem.slack = slack;
    return problem;
}

} // namespace nocturne::test
