#include "schedules/evolution/chromosome.hpp"

#include "models/routing/distances.hpp"
#include "schedules/problem/transfer_rules.hpp"
#include "schedules/schedule/bytes.hpp"
#include "schedules/search/path_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

constexpr std::size_t most_genes = std::numeric_limits<std::uint16_t>::max();

void require_at_most(std::size_t count, std::string_view what)
{
    if (count > most_genes)
        throw std::invalid_argument(fmt::format("{} {}: a gene has room for {}", count, what, most_genes));
}

/// Are the processor's ports scarcer than the channels of its router? So they are if there are fewer of them,
/// if other processors use the channels, too, or if messages from or to others at the router need no channel
/// at all.
bool is_scarce(const Topology& topology, ProcessorId processor, RouterId router, std::size_t ports,
               std::size_t channels)
{
    const auto is_other = [processor](ProcessorId other) { return other != processor; };
    const auto injecting = topology.processors_injecting_into(router);
    const auto ejected = topology.processors_ejected_by(router);
    return ports < channels || std::any_of(injecting.begin(), injecting.end(), is_other) ||
           std::any_of(ejected.begin(), ejected.end(), is_other);
}

} // namespace

bool suits_chromosomes(const Problem& problem)
{
    if (problem.switching != Switching::wormhole || mixes_relays(problem))
        return false;
    const Topology& topology = problem.topology;
    const bool builds_trees = !is_personalized(problem.collective);
    std::vector<std::vector<std::uint32_t>> distances(topology.router_count()); // by destination, as needed
    std::vector<bool> looked_at(topology.processor_count(), false);
    const auto has_path = [&](ProcessorId source, ProcessorId receiver) {
        const Endpoints ends = endpoints(topology, source, receiver);
        if (distances[ends.destination].empty())
            distances[ends.destination] = distances_to(topology, ends.destination);
        return distances[ends.destination][ends.source] != unreachable;
    };
    for (const Message& message : problem.collective.messages())
        for (const ProcessorId receiver : message.receivers) {
            if (!has_path(message.origin, receiver))
                return false;
            if (!builds_trees || looked_at[receiver])
                continue;
            looked_at[receiver] = true;
            for (ProcessorId source = 0; source < topology.processor_count(); ++source)
                if (source != receiver && !has_path(source, receiver))
                    return false;
        }
    return true;
}

std::string describe(const PathLists& lists)
{
    return fmt::format("slack {}, most paths {}, path seed {}", lists.slack, lists.most_paths, lists.seed);
}

ChromosomeEncoding::ChromosomeEncoding(const Problem& problem, unsigned steps, const PathLists& lists)
    : problem_(&problem), steps_(steps), builds_trees_(!is_personalized(problem.collective))
{
    const Topology& topology = problem.topology;
    const auto processors = static_cast<ProcessorId>(topology.processor_count());
    if (problem.switching != Switching::wormhole)
        throw std::invalid_argument("chromosomes of whole paths are for wormhole switching");
    if (steps == 0)
        throw std::invalid_argument("0 steps: a schedule has 1 or more");
    require_at_most(steps, "steps");
    require_at_most(processors, "processors");
    require_at_most(lists.most_paths, "paths of one pair of processors");

    // Channels, then send ports, then receive ports.
    const auto channels = static_cast<StepResource>(topology.channel_count());
    capacity_.assign(channels, 1);
    std::vector<bool> scarce_send;
    std::vector<bool> scarce_receive;
    for (ProcessorId id = 0; id < processors; ++id) {
        const auto [injection, ejection, name] = topology.processor(id);
        send_limit_.push_back(send_ports(topology, id, problem.ports));
        receive_limit_.push_back(receive_ports(topology, id, problem.ports));
        scarce_send.push_back(
            is_scarce(topology, id, injection, send_limit_.back(), topology.channels_from(injection).size()));
        scarce_receive.push_back(
            is_scarce(topology, id, ejection, receive_limit_.back(), topology.channels_to(ejection).size()));
    }
    capacity_.insert(capacity_.end(), send_limit_.begin(), send_limit_.end());
    capacity_.insert(capacity_.end(), receive_limit_.begin(), receive_limit_.end());

    first_delivery_.push_back(0);
    std::vector<bool> wanted(std::size_t{processors} * processors, false);
    for (MessageId id = 0; id < problem.collective.messages().size(); ++id) {
        const Message& message = problem.collective.messages()[id];
        for (const ProcessorId receiver : message.receivers) {
            deliveries_.push_back({id, message.origin, receiver});
            for (ProcessorId source = 0; source < processors; ++source)
                if (source != receiver && (builds_trees_ || source == message.origin))
                    wanted[std::size_t{source} * processors + receiver] = true;
        }
        first_delivery_.push_back(static_cast<std::uint32_t>(deliveries_.size()));
    }

    first_path_.push_back(0);
    first_resource_.push_back(0);
    PathChoice choice{.slack = lists.slack, .most_paths = lists.most_paths, .seed = lists.seed};
    for (ProcessorId source = 0; source < processors; ++source)
        for (ProcessorId receiver = 0; receiver < processors; ++receiver, ++choice.seed) {
            if (wanted[std::size_t{source} * processors + receiver])
                for (const Path& path : choose_paths(topology, source, receiver, choice)) {
                    resources_.insert(resources_.end(), path.begin(), path.end());
                    hops_.push_back(static_cast<std::uint16_t>(path.size()));
                    if (scarce_send[source])
                        resources_.push_back(channels + source);
                    if (scarce_receive[receiver])
                        resources_.push_back(channels + processors + receiver);
                    first_resource_.push_back(static_cast<std::uint32_t>(resources_.size()));
                }
            first_path_.push_back(static_cast<std::uint32_t>(hops_.size()));
        }
}

Schedule ChromosomeEncoding::decode(const Chromosome& chromosome, std::string_view engine) const
{
    Schedule schedule = empty_schedule(*problem_, engine);
    for (std::uint32_t i = 0; i < deliveries_.size(); ++i) {
        const auto [message, origin, receiver] = deliveries_[i];
        const Gene& gene = chromosome[i];
        const std::size_t pair = gene.source * problem_->topology.processor_count() + receiver;
        const auto channels = resources(i, gene).first(hops_[first_path_[pair] + gene.path]);
        put_in_step(schedule.steps, gene.step,
                    {message, gene.source, receiver, Path(channels.begin(), channels.end())});
    }
    return schedule;
}

Chromosome ChromosomeEncoding::encode(const Schedule& schedule, Chromosome otherwise) const
{
    std::map<std::pair<MessageId, ProcessorId>, std::uint32_t> delivery_of;
    for (std::uint32_t i = 0; i < deliveries_.size(); ++i)
        delivery_of.emplace(std::pair(deliveries_[i].message, deliveries_[i].receiver), i);
    for (std::size_t step = 0; step < std::min<std::size_t>(schedule.steps.size(), steps_); ++step)
        for (const Transfer& transfer : schedule.steps[step]) {
            const auto delivery = delivery_of.find({transfer.message, transfer.destination});
            if (delivery == delivery_of.end() || !transfer.path)
                continue;
            Gene gene{static_cast<std::uint16_t>(transfer.source), 0, static_cast<std::uint16_t>(step)};
            if (!builds_trees_ && transfer.source != deliveries_[delivery->second].origin)
                continue;
            const std::uint32_t paths = path_count(transfer.source, transfer.destination);
            for (std::uint32_t path = 0; path < paths; ++path) {
                gene.path = static_cast<std::uint16_t>(path);
                const std::size_t pair =
                    gene.source * problem_->topology.processor_count() + transfer.destination;
                const auto channels =
                    resources(delivery->second, gene).first(hops_[first_path_[pair] + path]);
                if (std::equal(channels.begin(), channels.end(), transfer.path->begin(),
                               transfer.path->end())) {
                    otherwise[delivery->second] = gene;
                    break;
                }
            }
        }
    return otherwise;
}

Chromosome extract_chromosome(std::span<const std::uint8_t>& bytes, const ChromosomeEncoding& encoding)
{
    const auto deliveries = encoding.deliveries();
    Chromosome genes(deliveries.size());
    extract_values(bytes, genes);
    const std::size_t processors = encoding.problem().topology.processor_count();
    for (std::size_t i = 0; i < genes.size(); ++i) {
        const auto [source, path, step] = genes[i];
        const auto [message, origin, receiver] = deliveries[i];
        const bool is_sender =
            encoding.builds_trees() ? source < processors && source != receiver : source == origin;
        if (!is_sender || step >= encoding.steps() || path >= encoding.path_count(source, receiver))
            throw std::runtime_error("a solution of another problem");
    }
    return genes;
}

} // namespace nocturne
