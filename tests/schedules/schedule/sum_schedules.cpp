#include "tests/schedules/schedule/sum_schedules.hpp"

#include "models/routing/paths.hpp"
#include "models/topology/make_topology.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

namespace nocturne::test {

namespace {

Example begin(const std::string& spec, Collective collective, PortModel ports)
{
    Topology topology = make_topology(spec);
    Schedule schedule{.name = "sums on " + spec,
                      .source = {},
                      .topology = spec,
                      .collective = std::move(collective),
                      .ports = ports,
                      .steps = {}};
    return {std::move(schedule), std::move(topology)};
}

/// What transfers of one step take of the network.
class StepResources {
public:
    StepResources(const Topology& topology, PortModel ports)
        : topology_(topology), ports_(ports), sends_(topology.processor_count()),
          receives_(topology.processor_count()), used_(topology.channel_count())
    {
    }

    /// A minimal path that is free, and is taken.
    std::optional<Path> take(ProcessorId source, ProcessorId destination)
    {
        if (sends_[source] == send_ports(topology_, source, ports_) ||
            receives_[destination] == receive_ports(topology_, destination, ports_))
            return std::nullopt;
        PathEnumerator paths(topology_, source, destination);
        for (std::optional<Path> path = paths.next(); path; path = paths.next()) {
            if (std::any_of(path->begin(), path->end(), [&](ChannelId id) { return used_[id]; }))
                continue;
            for (const ChannelId id : *path)
                used_[id] = true;
            ++sends_[source];
            ++receives_[destination];
            return path;
        }
        return std::nullopt;
    }

private:
    const Topology& topology_;
    const PortModel ports_;
    std::vector<std::size_t> sends_;
    std::vector<std::size_t> receives_;
    std::vector<bool> used_;
};

void add_transfer(Step& step, StepResources& resources, MessageId message, ProcessorId source,
                  ProcessorId destination, Operation operation)
{
    if (auto path = resources.take(source, destination))
        step.push_back({message, source, destination, std::move(path), operation});
}

/// The steps of a broadcast along a random tree, each edge from `from` to `to` in turn, and with paths in the
/// other direction if they are `turned`.
std::vector<Step> random_tree(const Topology& topology, ProcessorId root, Random& random, bool turned)
{
    std::vector<ProcessorId> inside{root};
    std::vector<ProcessorId> outside;
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        if (id != root)
            outside.push_back(id);
    std::vector<Step> steps;
    while (!outside.empty()) {
        StepResources resources(topology, one_port);
        Step step;
        std::shuffle(outside.begin(), outside.end(), random);
        std::vector<ProcessorId> informed;
        for (const ProcessorId from : inside) {
            if (outside.empty() || below(random, 4) == 0)
                continue;
            const ProcessorId to = outside.back();
            const std::size_t before = step.size();
            if (turned)
                add_transfer(step, resources, 0, to, from, Operation::add);
            else
                add_transfer(step, resources, 0, from, to, Operation::copy);
            if (step.size() == before)
                continue;
            outside.pop_back();
            informed.push_back(to);
        }
        inside.insert(inside.end(), informed.begin(), informed.end());
        if (!step.empty())
            steps.push_back(std::move(step));
    }
    if (turned)
        std::reverse(steps.begin(), steps.end());
    return steps;
}

} // namespace

Example recursive_doubling(unsigned dimensions)
{
    const std::uint32_t n = 1u << dimensions;
    Example example = begin("hypercube:" + std::to_string(dimensions), allreduce({n}), one_port);
    for (std::uint32_t bit = 1; bit < n; bit *= 2) {
        StepResources resources(example.topology, one_port);
        Step& step = example.schedule.steps.emplace_back();
        for (ProcessorId id = 0; id < n; ++id)
            add_transfer(step, resources, 0, id, id ^ bit, Operation::add);
    }
    return example;
}

Example hillis_steele(unsigned processors)
{
    Example example = begin("complete:" + std::to_string(processors), scan({processors}), one_port);
    for (std::uint32_t distance = 1; distance < processors; distance *= 2) {
        StepResources resources(example.topology, one_port);
        Step& step = example.schedule.steps.emplace_back();
        for (ProcessorId id = 0; id + distance < processors; ++id)
            add_transfer(step, resources, 0, id, id + distance, Operation::add);
    }
    return example;
}

Example ring_reduce_scatter(unsigned processors)
{
    Example example = begin("ring:" + std::to_string(processors), reduce_scatter({processors}), one_port);
    for (std::uint32_t s = 0; s + 1 < processors; ++s) {
        StepResources resources(example.topology, one_port);
        Step& step = example.schedule.steps.emplace_back();
        for (ProcessorId id = 0; id < processors; ++id)
            add_transfer(step, resources, (id + 2 * processors - 1 - s) % processors, id,
                         (id + 1) % processors, Operation::add);
    }
    return example;
}

Example random_reduce(const std::string& topology, unsigned seed, bool spreads)
{
    Random random(seed);
    const auto n = static_cast<std::uint32_t>(make_topology(topology).processor_count());
    const auto root = static_cast<ProcessorId>(below(random, n));
    Example example = begin(topology, spreads ? allreduce({n}) : reduce({n}, root), one_port);
    example.schedule.steps = random_tree(example.topology, root, random, true);
    if (spreads)
        for (Step& step : random_tree(example.topology, root, random, false))
            example.schedule.steps.push_back(std::move(step));
    return example;
}

Example random_sums(const std::string& topology, unsigned seed)
{
    using Contributions = std::set<std::uint32_t>;
    Random random(seed);
    const PortModel ports{static_cast<unsigned>(below(random, 3))};
    Example example = begin(topology, {}, ports);
    const auto n = static_cast<std::uint32_t>(example.topology.processor_count());
    Collective& collective = example.schedule.collective;
    collective.processors = n;
    // By chunk and processor: what is there.
    std::vector<std::vector<Contributions>> there(1 + below(random, 3), std::vector<Contributions>(n));
    for (auto& chunk : there) {
        std::vector<std::uint32_t> order(n);
        std::iota(order.begin(), order.end(), 0u);
        std::shuffle(order.begin(), order.end(), random);
        order.resize(2 + below(random, n - 1));
        std::sort(order.begin(), order.end());
        for (const std::uint32_t contributor : order)
            chunk[contributor] = {contributor};
        collective.chunks.push_back({1, order});
    }
    for (auto steps = 2 + below(random, 6); steps > 0; --steps) {
        StepResources resources(example.topology, ports);
        Step step;
        auto after = there;
        std::set<std::pair<MessageId, ProcessorId>> copied;
        for (std::size_t i = 0; i < 4 * std::size_t{n}; ++i) {
            const auto message = static_cast<MessageId>(below(random, there.size()));
            const auto from = static_cast<ProcessorId>(below(random, n));
            const auto to = static_cast<ProcessorId>(below(random, n));
            const Contributions& sent = there[message][from];
            Contributions& sum = after[message][to];
            if (from == to || sent.empty() || copied.count({message, to}) != 0)
                continue;
            const auto has = [&](std::uint32_t contributor) { return sum.count(contributor) != 0; };
            const bool adds = !sum.empty() && std::none_of(sent.begin(), sent.end(), has);
            // What is replaced is a part of what comes, and nothing has been added to it in this step.
            const bool copies = sum.size() < sent.size() && sum == there[message][to] &&
                                std::includes(sent.begin(), sent.end(), sum.begin(), sum.end());
            if (!adds && !copies)
                continue;
            const std::size_t before = step.size();
            add_transfer(step, resources, message, from, to, adds ? Operation::add : Operation::copy);
            if (step.size() == before)
                continue;
            sum.insert(sent.begin(), sent.end());
            if (!adds)
                copied.emplace(message, to);
        }
        there = std::move(after);
        if (!step.empty())
            example.schedule.steps.push_back(std::move(step));
    }
    for (MessageId message = 0; message < there.size(); ++message)
        for (ProcessorId id = 0; id < n; ++id)
            if (const Contributions& sum = there[message][id];
                !sum.empty() && sum != Contributions{id} && below(random, 4) != 0)
                collective.demands.push_back(
                    {message, id, std::vector<std::uint32_t>(sum.begin(), sum.end())});
    return example;
}

} // namespace nocturne::test
