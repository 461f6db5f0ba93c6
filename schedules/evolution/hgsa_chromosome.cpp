#include "schedules/evolution/hgsa_chromosome.hpp"

#include "models/routing/distances.hpp"
#include "models/topology/indices_by.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

/// Can the users of a port be more in a step than it takes, although each has its channel next to the
/// processor?
bool is_scarce(std::span<const RelayArc> arcs, std::span<const std::uint32_t> users, std::uint32_t capacity,
               bool sends)
{
    std::vector<ChannelId> beside;
    for (const std::uint32_t arc : users) {
        const Path& path = arcs[arc].path;
        if (path.empty())
            return true;
        beside.push_back(sends ? path.front() : path.back());
    }
    std::sort(beside.begin(), beside.end());
    return std::unique(beside.begin(), beside.end()) - beside.begin() > std::ptrdiff_t{capacity};
}

/// Where the arcs of each processor begin; they are sorted by source.
std::vector<std::uint32_t> first_arcs(const Problem& problem, std::span<const RelayArc> arcs)
{
    std::vector<std::uint32_t> first(problem.topology.processor_count() + 1, 0);
    for (const RelayArc& arc : arcs)
        ++first[arc.source + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    return first;
}

/// Hops from the origin to each processor.
std::vector<std::uint32_t> hops_from(const Problem& problem, std::span<const RelayArc> arcs,
                                     std::span<const std::uint32_t> first_arc, const Message& message)
{
    std::vector<std::uint32_t> hops(problem.topology.processor_count(), unreachable);
    std::vector<ProcessorId> reached{message.origin};
    hops[message.origin] = 0;
    for (std::size_t next = 0; next < reached.size(); ++next)
        for (std::uint32_t arc = first_arc[reached[next]]; arc < first_arc[reached[next] + 1]; ++arc) {
            const ProcessorId there = arcs[arc].destination;
            if (hops[there] != unreachable)
                continue;
            hops[there] = hops[reached[next]] + 1;
            reached.push_back(there);
        }
    for (const ProcessorId receiver : message.receivers)
        if (hops[receiver] == unreachable)
            throw std::invalid_argument(fmt::format("processor {} cannot reach {} hop by hop",
                                                    problem.topology.processor(message.origin).name,
                                                    problem.topology.processor(receiver).name));
    return hops;
}

std::uint32_t farthest(const Message& message, std::span<const std::uint32_t> hops)
{
    std::uint32_t most = 0;
    for (const ProcessorId receiver : message.receivers)
        most = std::max(most, hops[receiver]);
    return most;
}

} // namespace

std::uint32_t farthest_hops(const Problem& problem)
{
    const std::vector<RelayArc> arcs = neighbour_arcs(problem, 1);
    const std::vector<std::uint32_t> first_arc = first_arcs(problem, arcs);
    std::uint32_t most = 0;
    for (const Message& message : problem.collective.messages())
        most = std::max(most, farthest(message, hops_from(problem, arcs, first_arc, message)));
    return most;
}

TimedPathEncoding::TimedPathEncoding(const Problem& problem, unsigned steps, const PathLists& lists,
                                     FirstHop first_hop)
    : problem_(&problem), steps_(steps), first_hop_(first_hop)
{
    if (!is_broadcast(problem.collective))
        throw std::invalid_argument("chromosomes of timed paths are for broadcasts");
    if (steps == 0)
        throw std::invalid_argument("0 steps: a schedule has 1 or more");
    if (constexpr auto most = std::numeric_limits<std::uint16_t>::max(); steps > most)
        throw std::invalid_argument(fmt::format("{} steps: a gene has room for {}", steps, most));
    if (lists.most_paths == 0)
        throw std::invalid_argument("0 paths: a gene has 1 or more to choose from");

    const std::size_t processors = problem.topology.processor_count();
    const std::size_t messages = problem.collective.messages().size();
    arcs_ = neighbour_arcs(problem, static_cast<unsigned>(std::min<std::size_t>(lists.most_paths, 1024)));
    first_arc_ = first_arcs(problem, arcs_);
    find_resources();

    SplitMix64 random(lists.seed);
    lists_.resize(messages * processors);
    gene_of_.assign(messages * processors, no_gene);
    first_gene_.push_back(0);
    for (MessageId message = 0; message < messages; ++message) {
        find_paths(message, lists, random);
        first_gene_.push_back(static_cast<std::uint32_t>(genes_.size()));
    }
    index_extensions();
}

void TimedPathEncoding::find_resources()
{
    const Topology& topology = problem_->topology;
    const auto processors = static_cast<ProcessorId>(topology.processor_count());
    const auto channels = static_cast<Resource>(topology.channel_count());
    capacity_.assign(channels, 1);
    for (ProcessorId p = 0; p < processors; ++p)
        capacity_.push_back(send_ports(topology, p, problem_->ports));
    for (ProcessorId p = 0; p < processors; ++p)
        capacity_.push_back(receive_ports(topology, p, problem_->ports));

    std::vector<std::vector<Resource>> held(arcs_.size());
    std::vector<std::vector<Arc>> users(capacity_.size());
    for (Arc arc = 0; arc < arcs_.size(); ++arc) {
        held[arc].assign(arcs_[arc].path.begin(), arcs_[arc].path.end());
        held[arc].push_back(channels + arcs_[arc].source);
        held[arc].push_back(channels + processors + arcs_[arc].destination);
        for (const Resource resource : held[arc])
            users[resource].push_back(arc); // ascending
    }
    // Ports no scarcer than the channels at them first, while all channels are there to stand in for them.
    std::vector<bool> counts(capacity_.size(), true);
    for (Resource port = channels; port < capacity_.size(); ++port)
        counts[port] = is_scarce(arcs_, users[port], capacity_[port], port < channels + processors);
    for (Resource channel = 0; channel < channels; ++channel) {
        if (users[channel].empty())
            continue;
        const auto stands_in = [&](Resource other) {
            return other != channel && counts[other] && capacity_[other] == 1 &&
                   std::includes(users[other].begin(), users[other].end(), users[channel].begin(),
                                 users[channel].end());
        };
        const auto& candidates = held[users[channel].front()];
        counts[channel] = std::none_of(candidates.begin(), candidates.end(), stands_in);
    }
    first_resource_.push_back(0);
    for (Arc arc = 0; arc < arcs_.size(); ++arc) {
        std::copy_if(held[arc].begin(), held[arc].end(), std::back_inserter(resources_),
                     [&](Resource resource) { return counts[resource]; });
        first_resource_.push_back(static_cast<std::uint32_t>(resources_.size()));
    }
}

/// Those of nodes first, … with one hop more, without a processor twice, no longer than `longest` allows
/// where they end.
std::vector<TimedPathEncoding::Node>
TimedPathEncoding::extensions(std::span<const Node> nodes, std::size_t first,
                              std::span<const std::uint32_t> longest) const
{
    std::vector<Node> found;
    const auto visits = [&](std::size_t path, ProcessorId processor) {
        for (; path != no_timed_path; path = nodes[path].parent)
            if (nodes[path].end == processor)
                return true;
        return false;
    };
    for (std::size_t path = first; path < nodes.size(); ++path) {
        const std::uint32_t hops = nodes[path].hops + 1;
        for (Arc arc = first_arc_[nodes[path].end]; arc < first_arc_[nodes[path].end + 1]; ++arc)
            if (const ProcessorId end = arcs_[arc].destination; hops <= longest[end] && !visits(path, end))
                found.push_back({static_cast<TimedPath>(path), arc, hops, end});
    }
    return found;
}

/// Breadth first. Where a list would get too long, a random choice of the paths with the most hops stays.
void TimedPathEncoding::find_paths(MessageId message, const PathLists& lists, SplitMix64& random)
{
    const Message& sent = problem_->collective.messages()[message];
    const std::vector<std::uint32_t> hops = hops_from(*problem_, arcs_, first_arc_, sent);
    const std::uint32_t most = farthest(sent, hops);
    if (most > steps_)
        throw std::invalid_argument(fmt::format("{} steps: a receiver is {} hops from processor {}", steps_,
                                                most, problem_->topology.processor(sent.origin).name));
    std::vector<std::uint32_t> longest(hops.size(), 0);
    for (ProcessorId end = 0; end < hops.size(); ++end)
        if (hops[end] <= most)
            longest[end] = std::min({hops[end] + lists.slack, most + lists.slack, steps_});

    std::vector<Node> nodes{{no_timed_path, no_arc, 0, sent.origin}};
    std::vector<std::size_t> count(hops.size(), 0);
    for (std::size_t first = 0; first < nodes.size();) {
        std::vector<Node> found = extensions(nodes, first, longest);
        for (std::size_t i = found.size(); i > 1; --i)
            std::swap(found[i - 1], found[random.below(static_cast<std::uint32_t>(i))]);
        first = nodes.size();
        std::copy_if(found.begin(), found.end(), std::back_inserter(nodes),
                     [&](const Node& node) { return count[node.end]++ < lists.most_paths; });
    }
    add_lists(message, nodes);
    for (const ProcessorId receiver : sent.receivers) {
        gene_of_[list_of(message, receiver)] = static_cast<std::uint32_t>(genes_.size());
        genes_.push_back({message, receiver, longest[receiver], hop_count_});
        hop_count_ += longest[receiver];
    }
}

/// Appends the paths of a message, sorted by where they end; parents are indices into `nodes` so far.
void TimedPathEncoding::add_lists(MessageId message, std::span<const Node> nodes)
{
    if (nodes_.size() + nodes.size() >= no_timed_path)
        throw std::invalid_argument(
            "more paths than can be listed: choose fewer of each sender and receiver");
    const auto order = indices_by(nodes.size(), [&](std::uint32_t node) { return nodes[node].end; });
    const auto first = static_cast<TimedPath>(nodes_.size());
    std::vector<TimedPath> id(nodes.size());
    for (TimedPath i = 0; i < nodes.size(); ++i)
        id[order[i]] = first + i;
    for (const std::uint32_t old : order) {
        List& list = lists_[list_of(message, nodes[old].end)];
        if (list.count++ == 0)
            list.first = static_cast<TimedPath>(nodes_.size());
        nodes_.push_back(nodes[old]);
        if (TimedPath& parent = nodes_.back().parent; parent != no_timed_path)
            parent = id[parent];
    }
}

void TimedPathEncoding::index_extensions()
{
    first_extension_.assign(nodes_.size() + 1, 0);
    for (const Node& node : nodes_)
        if (node.parent != no_timed_path)
            ++first_extension_[node.parent + 1];
    for (std::size_t i = 0; i < nodes_.size(); ++i)
        first_extension_[i + 1] += first_extension_[i];
    extensions_.resize(first_extension_.back());
    std::vector<std::uint32_t> next(first_extension_.begin(), first_extension_.end() - 1);
    for (TimedPath path = 0; path < nodes_.size(); ++path)
        if (nodes_[path].parent != no_timed_path)
            extensions_[next[nodes_[path].parent]++] = path;
}

TimedPath TimedPathEncoding::extended(TimedPath path, Arc arc) const
{
    for (std::uint32_t i = first_extension_[path]; i < first_extension_[path + 1]; ++i)
        if (nodes_[extensions_[i]].arc == arc)
            return extensions_[i];
    return no_timed_path;
}

/// A random set of that many steps (Floyd's algorithm: one draw for each element), kept sorted.
void TimedPathEncoding::random_steps(std::span<std::uint16_t> steps, SplitMix64& random) const
{
    std::uint16_t least = 0;
    if (first_hop_ == FirstHop::at_once) {
        steps.front() = 0;
        steps = steps.subspan(1);
        least = 1;
    }
    const auto hops = static_cast<std::uint32_t>(steps.size());
    for (std::uint32_t count = 0; count < hops; ++count) {
        const std::uint32_t last = steps_ - hops + count;
        auto step = static_cast<std::uint16_t>(least + random.below(last + 1 - least));
        const auto end = steps.begin() + count;
        if (std::find(steps.begin(), end, step) != end)
            step = static_cast<std::uint16_t>(last); // greater than all that are there
        auto place = end;
        for (; place != steps.begin() && *(place - 1) > step; --place)
            *place = *(place - 1);
        *place = step;
    }
}

TimedChromosome TimedPathEncoding::random_chromosome(SplitMix64& random) const
{
    TimedChromosome chromosome{{}, std::vector<std::uint16_t>(hop_count_)};
    for (const Gene& gene : genes_) {
        const TimedPath path = first_path(gene) + random.below(path_count(gene));
        chromosome.paths.push_back(path);
        random_steps(std::span(chromosome.steps).subspan(gene.first_step, hops(path)), random);
    }
    return chromosome;
}

bool TimedPathEncoding::admits(const TimedChromosome& chromosome) const
{
    if (chromosome.paths.size() != genes_.size() || chromosome.steps.size() != hop_count_)
        return false;
    for (std::uint32_t i = 0; i < genes_.size(); ++i) {
        const TimedPath path = chromosome.paths[i];
        if (path < first_path(genes_[i]) || path - first_path(genes_[i]) >= path_count(genes_[i]))
            return false;
        const auto steps = std::span(chromosome.steps).subspan(genes_[i].first_step, genes_[i].most_hops);
        const auto used = steps.first(nodes_[path].hops);
        const auto unused = steps.subspan(used.size());
        if (used.back() >= steps_ ||
            std::adjacent_find(used.begin(), used.end(), std::greater_equal<>{}) != used.end() ||
            std::any_of(unused.begin(), unused.end(), [](std::uint16_t step) { return step != 0; }))
            return false;
    }
    return true;
}

} // namespace nocturne
