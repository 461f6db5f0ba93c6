#include "models/topology/port_model.hpp"
#include "schedules/problem/transfer_rules.hpp"
#include "schedules/schedule/complete_paths.hpp"
#include "schedules/sums/sum_schedules.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

/// Transfers that go in one step, or in none.
struct Bundle {
    std::vector<Transfer> transfers;
    /// Index of the bundle than whose step this must have no earlier one; none: any step will do.
    std::optional<std::size_t> not_before = std::nullopt;
};

/// Shares out bundles among as few steps as it finds: each goes into the first that has ports and channels
/// free for it.
class RoundSteps {
public:
    explicit RoundSteps(const Problem& problem)
        : problem_(problem), rules_(problem), before_(problem.topology.router_count())
    {
    }

    /// The steps of the bundles; nothing if one has no path.
    std::optional<std::vector<Step>> place(const std::vector<Bundle>& bundles)
    {
        if (auto step = in_one_step(bundles))
            return std::vector<Step>{std::move(*step)};
        std::vector<Load> loads;
        std::vector<std::size_t> step_of;
        for (const Bundle& bundle : bundles) {
            std::size_t step = bundle.not_before ? step_of[*bundle.not_before] : 0;
            while (step < loads.size() && !fits(loads[step], bundle))
                ++step;
            if (step == loads.size()) {
                loads.emplace_back(problem_.topology);
                if (!fits(loads.back(), bundle))
                    return std::nullopt;
            }
            step_of.push_back(step);
        }
        std::vector<Step> steps;
        for (Load& load : loads)
            steps.push_back(std::move(load.transfers));
        return steps;
    }

private:
    struct Load {
        explicit Load(const Topology& topology)
            : is_taken(topology.channel_count()), sent(topology.processor_count()),
              received(topology.processor_count())
        {
        }

        std::vector<bool> is_taken;
        std::vector<unsigned> sent, received;
        Step transfers = {};
    };

    /// Negotiated paths for all at once, which first come, first served may not find.
    std::optional<Step> in_one_step(const std::vector<Bundle>& bundles)
    {
        Schedule round = empty_schedule(problem_, "doubling");
        Step& step = round.steps.emplace_back();
        std::vector<unsigned> sent(problem_.topology.processor_count()), received(sent);
        for (const Bundle& bundle : bundles)
            for (const Transfer& transfer : bundle.transfers) {
                if (!has_ports(transfer, ++sent[transfer.source], ++received[transfer.destination]))
                    return std::nullopt;
                step.push_back(transfer);
            }
        try {
            constexpr unsigned default_slack = 2;
            PathSearch search{.max_slack = problem_.slack.value_or(default_slack), .search_limit = 20'000};
            return complete_paths(round, problem_.topology, search).steps.front();
        } catch (const std::runtime_error&) {
            return std::nullopt; // not in one step, or not found
        }
    }

    bool has_ports(const Transfer& transfer, unsigned sent, unsigned received) const
    {
        return sent <= send_ports(problem_.topology, transfer.source, problem_.ports) &&
               received <= receive_ports(problem_.topology, transfer.destination, problem_.ports);
    }

    /// Takes what the bundle needs, if it is free, and nothing if it is not.
    bool fits(Load& load, const Bundle& bundle)
    {
        const std::size_t before = load.transfers.size();
        for (const Transfer& transfer : bundle.transfers)
            if (!take(load, transfer)) {
                for (; load.transfers.size() > before; load.transfers.pop_back())
                    release(load, load.transfers.back());
                return false;
            }
        return true;
    }

    bool take(Load& load, const Transfer& transfer)
    {
        if (!has_ports(transfer, load.sent[transfer.source] + 1, load.received[transfer.destination] + 1))
            return false;
        auto path = free_path(load.is_taken, transfer.source, transfer.destination);
        if (!path)
            return false;
        for (const ChannelId channel : *path)
            load.is_taken[channel] = true;
        ++load.sent[transfer.source];
        ++load.received[transfer.destination];
        load.transfers.push_back(transfer);
        load.transfers.back().path = std::move(*path);
        return true;
    }

    static void release(Load& load, const Transfer& transfer)
    {
        for (const ChannelId channel : *transfer.path)
            load.is_taken[channel] = false;
        --load.sent[transfer.source];
        --load.received[transfer.destination];
    }

    /// A shortest path over free channels, if switching and slack allow it.
    std::optional<Path> free_path(const std::vector<bool>& is_taken, ProcessorId source,
                                  ProcessorId destination)
    {
        const Topology& topology = problem_.topology;
        const RouterId from = topology.processor(source).injection;
        const RouterId to = topology.processor(destination).ejection;
        std::ranges::fill(before_, no_channel);
        std::vector<RouterId> reached{from};
        for (std::size_t i = 0; i < reached.size() && before_[to] == no_channel && from != to; ++i)
            for (const ChannelId channel : topology.channels_from(reached[i])) {
                const RouterId next = topology.channel(channel).target;
                if (is_taken[channel] || next == from || before_[next] != no_channel)
                    continue;
                before_[next] = channel;
                reached.push_back(next);
            }
        if (from != to && before_[to] == no_channel)
            return std::nullopt;
        Path path;
        for (RouterId at = to; at != from; at = topology.channel(path.back()).source)
            path.push_back(before_[at]);
        std::ranges::reverse(path);
        if (!rules_.allows_hops(source, destination, path.size()))
            return std::nullopt;
        return path;
    }

    const Problem& problem_;
    TransferRules rules_;
    std::vector<ChannelId> before_; ///< by router: the channel over which it was reached
};

Transfer transfer_of(MessageId message, ProcessorId source, ProcessorId destination, Operation operation)
{
    return {message, source, destination, std::nullopt, operation};
}

/// The rounds of an all-reduce: each pair in a bundle.
std::vector<std::vector<Bundle>> all_reduce_rounds(ProcessorId processors, MessageId messages)
{
    const ProcessorId core = std::bit_floor(processors);
    std::vector<std::vector<Bundle>> rounds;
    const auto begin_round = [&]() -> std::vector<Bundle>& { return rounds.emplace_back(); };
    const auto add = [&](std::vector<Bundle>& round, ProcessorId source, ProcessorId destination,
                         Operation operation) {
        for (MessageId message = 0; message < messages; ++message)
            round.push_back({{transfer_of(message, source, destination, operation)}});
    };
    if (core < processors) {
        auto& round = begin_round();
        for (ProcessorId beyond = core; beyond < processors; ++beyond)
            add(round, beyond, beyond - core, Operation::add);
    }
    for (ProcessorId bit = 1; bit < core; bit *= 2) {
        auto& round = begin_round();
        for (ProcessorId low = 0; low < core; ++low)
            if ((low & bit) == 0)
                for (MessageId message = 0; message < messages; ++message)
                    round.push_back({{transfer_of(message, low, low | bit, Operation::add),
                                      transfer_of(message, low | bit, low, Operation::add)}});
    }
    if (core < processors) {
        auto& round = begin_round();
        for (ProcessorId beyond = core; beyond < processors; ++beyond)
            add(round, beyond - core, beyond, Operation::copy);
    }
    return rounds;
}

/// The rounds of a scan in the order of its group: each transfer in a bundle, those of the last senders
/// first.
std::vector<std::vector<Bundle>> scan_rounds(const std::vector<ProcessorId>& group, MessageId messages)
{
    const auto processors = static_cast<ProcessorId>(group.size());
    std::vector<std::vector<Bundle>> rounds;
    for (ProcessorId distance = 1; distance < processors; distance *= 2) {
        auto& round = rounds.emplace_back();
        for (ProcessorId source = processors - distance; source-- > 0;)
            for (MessageId message = 0; message < messages; ++message) {
                Bundle bundle{
                    {transfer_of(message, group[source], group[source + distance], Operation::add)}};
                if (source + distance < processors - distance) // it sends as well
                    bundle.not_before = round.size() - std::size_t{distance} * messages;
                round.push_back(std::move(bundle));
            }
    }
    return rounds;
}

} // namespace

std::optional<Schedule> doubling(const Problem& problem)
{
    const Collective& collective = problem.collective;
    const bool is_scan = collective.kind == CollectiveKind::scan;
    if (!is_scan && collective.kind != CollectiveKind::allreduce)
        return std::nullopt;
    std::vector<ProcessorId> group(collective.processors);
    if (is_scan)
        for (const Demand& demand : collective.demands.of(0))
            group.at(demand.contributors.size() - 1) = demand.receiver;
    const auto messages = static_cast<MessageId>(collective.chunks.size());
    Schedule schedule = empty_schedule(problem, "doubling");
    RoundSteps steps(problem);
    for (const auto& round :
         is_scan ? scan_rounds(group, messages) : all_reduce_rounds(collective.processors, messages)) {
        auto placed = steps.place(round);
        if (!placed)
            return std::nullopt;
        std::ranges::move(*placed, std::back_inserter(schedule.steps));
    }
    return schedule;
}

} // namespace nocturne
