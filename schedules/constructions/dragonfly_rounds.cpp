#include "schedules/constructions/constructions.hpp"
#include "schedules/constructions/edge_colouring.hpp"
#include "schedules/constructions/hadamard.hpp"
#include "schedules/constructions/network_shape.hpp"
#include "schedules/schedule/validator.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

/// Routers and processors are numbered within their group.
class Dragonfly {
public:
    /// Nothing if the network is none.
    static std::optional<Dragonfly> recognise(const Topology& topology);

    unsigned h() const { return h_; }
    unsigned routers() const { return 2 * h_; } ///< of a group
    unsigned groups() const { return routers() * h_ + 1; }

    ProcessorId processor(unsigned group, unsigned number) const
    {
        return processors_[group * routers() * h_ + number];
    }
    /// The router of group `at` that has the channel to, or from, group `other`.
    unsigned router_to(unsigned at, unsigned other) const { return to_[at * groups() + other]; }
    unsigned router_from(unsigned at, unsigned other) const { return from_[at * groups() + other]; }
    ChannelId between_groups(unsigned from, unsigned to) const { return global_[from * groups() + to]; }

    /// Goes to another router of the group, or stays.
    void append(Path& path, unsigned group, unsigned from, unsigned to) const
    {
        if (from != to)
            path.push_back(local_[(group * routers() + from) * routers() + to]);
    }

private:
    explicit Dragonfly(unsigned h)
        : h_(h), to_(groups() * groups()), from_(to_.size()), global_(to_.size(), no_channel)
    {
    }
    bool find_channels(const Topology& topology);

    unsigned h_;
    std::vector<ProcessorId> processors_; ///< [group * processors of a group + number]
    std::vector<unsigned> to_, from_;     ///< [group * groups + other]
    std::vector<ChannelId> global_;       ///< [from * groups + to]
    std::vector<ChannelId> local_;        ///< [(group * routers + from) * routers + to]
};

std::optional<Dragonfly> Dragonfly::recognise(const Topology& topology)
{
    const std::size_t h = topology.processors_injecting_into(0).size();
    if (h == 0 || topology.router_count() != 2 * h * (2 * h * h + 1))
        return std::nullopt;
    Dragonfly network(static_cast<unsigned>(h));
    for (RouterId r = 0; r < topology.router_count(); ++r) {
        const auto injecting = topology.processors_injecting_into(r);
        const auto ejected = topology.processors_ejected_by(r);
        if (injecting.size() != h ||
            !std::equal(injecting.begin(), injecting.end(), ejected.begin(), ejected.end()))
            return std::nullopt;
        network.processors_.insert(network.processors_.end(), injecting.begin(), injecting.end());
    }
    return network.find_channels(topology) ? std::optional(std::move(network)) : std::nullopt;
}

bool Dragonfly::find_channels(const Topology& topology)
{
    const unsigned size = routers();
    for (RouterId r = 0; r < topology.router_count(); ++r)
        for (unsigned other = 0; other < size; ++other) {
            const auto channel = find_channel(topology, r, r / size * size + other);
            if (!channel && r % size != other)
                return false;
            local_.push_back(channel.value_or(no_channel));
        }
    // How many groups each router sends to, and receives from.
    std::vector<unsigned> sent(topology.router_count(), 0), received(topology.router_count(), 0);
    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        const RouterId source = topology.channel(id).source, target = topology.channel(id).target;
        const unsigned from = source / size, to = target / size;
        ChannelId& known = global_[from * groups() + to];
        if (from == to || known != no_channel)
            continue;
        known = id;
        to_[from * groups() + to] = source % size;
        from_[to * groups() + from] = target % size;
        ++sent[source];
        ++received[target];
    }
    const auto h_each = [&](unsigned count) { return count == h_; };
    return std::ranges::all_of(sent, h_each) && std::ranges::all_of(received, h_each);
}

/// A message of a step that leaves a group for another one, or arrives from there.
struct Exchange {
    std::uint32_t step;
    unsigned other;        ///< group
    std::uint32_t router;  ///< where the global channel is
    std::uint32_t partner; ///< what each of the processors is shared out to equally
};

/// The places of values equal to 0, 1, and so on.
std::vector<std::vector<std::size_t>> places_of(std::span<const std::uint32_t> values, std::size_t count)
{
    std::vector<std::vector<std::size_t>> places(count);
    for (std::size_t i = 0; i < values.size(); ++i)
        places[values[i]].push_back(i);
    return places;
}

/// A colour below h for each of the exchanges at `places`, which are h for each step and a multiple of h for
/// each partner: a step has no two equal ones, a partner equally many of each.
std::vector<std::uint32_t> share_out(std::span<const Exchange> exchanges, std::span<const std::size_t> places,
                                     unsigned h)
{
    std::uint32_t partners = 0;
    for (const std::size_t place : places)
        partners = std::max(partners, exchanges[place].partner + 1);
    // A partner gets a new vertex when the one before has h edges.
    std::vector<std::uint32_t> met(partners, 0), vertex(partners, 0);
    std::uint32_t vertices = 0;
    std::vector<BipartiteEdge> edges;
    for (const std::size_t place : places) {
        const std::uint32_t partner = exchanges[place].partner;
        if (met[partner]++ % h == 0)
            vertex[partner] = vertices++;
        edges.push_back({exchanges[place].step, vertex[partner]});
    }
    return colour_edges(edges);
}

/// The processor of the group for each exchange, at a router of the other's parity plus `parity`.
std::vector<std::uint32_t> choose_processors(const Dragonfly& network, std::span<const Exchange> exchanges,
                                             unsigned parity)
{
    const unsigned h = network.h();
    std::vector<std::uint32_t> chosen;
    for (const Exchange& exchange : exchanges)
        chosen.push_back(exchange.router);
    const auto by_global = places_of(chosen, network.routers());
    for (unsigned router = 0; router < network.routers(); ++router) {
        const auto colours = share_out(exchanges, by_global[router], h);
        for (std::size_t i = 0; i < colours.size(); ++i)
            chosen[by_global[router][i]] = 2 * colours[i] + (router + parity) % 2;
    }
    const auto by_router = places_of(chosen, network.routers());
    for (unsigned router = 0; router < network.routers(); ++router) {
        const auto colours = share_out(exchanges, by_router[router], h);
        for (std::size_t i = 0; i < colours.size(); ++i)
            chosen[by_router[router][i]] = router * h + colours[i];
    }
    return chosen;
}

/// By step and group: its bit.
using GroupBits = std::vector<std::vector<bool>>;

/// Of any two groups each pair of bits is there in h^4 steps. Nothing if no matrix for it is found.
std::optional<GroupBits> balanced_bits(const Dragonfly& network)
{
    const unsigned steps = 4 * network.h() * network.h() * network.h() * network.h();
    for (unsigned order = 4; order <= steps; order += 4) {
        if (order <= network.groups() || steps % order != 0)
            continue;
        const auto matrix = hadamard_matrix(order);
        if (!matrix)
            continue;
        GroupBits bits;
        for (unsigned step = 0; step < steps; ++step) {
            const std::vector<bool>& row = (*matrix)[step % order];
            bits.emplace_back(row.begin() + 1, row.begin() + 1 + network.groups());
        }
        return bits;
    }
    return std::nullopt;
}

/// A processor by step, group and other group.
class ProcessorTable {
public:
    ProcessorTable(std::size_t steps, std::size_t groups) : groups_(groups), table_(steps * groups * groups)
    {
    }

    std::uint32_t& at(std::size_t step, unsigned group, unsigned other)
    {
        return table_[(step * groups_ + group) * groups_ + other];
    }

private:
    std::size_t groups_;
    std::vector<std::uint32_t> table_;
};

/// Fills the table for all groups. `parity` is 0 for messages that leave and 1 for those that arrive;
/// `exchange_of` says what a group has to do with another one in a step.
template <typename ExchangeOf>
ProcessorTable fill_table(const Dragonfly& network, const GroupBits& bits, unsigned parity,
                          const ExchangeOf& exchange_of)
{
    ProcessorTable result(bits.size(), network.groups());
    for (unsigned group = 0; group < network.groups(); ++group)
        for (const bool bit : {false, true}) {
            std::vector<Exchange> exchanges;
            for (std::uint32_t step = 0; step < bits.size(); ++step)
                for (unsigned other = 0; other < network.groups(); ++other)
                    if (other != group && bits[step][group] == bit)
                        exchanges.push_back(exchange_of(step, group, other));
            const auto chosen = choose_processors(network, exchanges, parity + (bit ? 1 : 0));
            for (std::size_t i = 0; i < exchanges.size(); ++i)
                result.at(exchanges[i].step, group, exchanges[i].other) = chosen[i];
        }
    return result;
}

void send(const Problem& problem, Step& step, ProcessorId from, ProcessorId to, Path path)
{
    path.shrink_to_fit();
    step.push_back({*find_message(problem.collective, from, to), from, to, std::move(path)});
}

void add_global_steps(const Problem& problem, const Dragonfly& network, const GroupBits& bits,
                      std::vector<Step>& steps)
{
    const unsigned h = network.h(), groups = network.groups(), size = network.routers() * h;
    ProcessorTable from =
        fill_table(network, bits, 0, [&](std::uint32_t step, unsigned group, unsigned other) -> Exchange {
            return {step, other, network.router_to(group, other), 2 * other + (bits[step][other] ? 1 : 0)};
        });
    ProcessorTable to =
        fill_table(network, bits, 1, [&](std::uint32_t step, unsigned group, unsigned other) -> Exchange {
            return {step, other, network.router_from(group, other),
                    size * other + from.at(step, other, group)};
        });
    for (std::size_t i = 0; i < bits.size(); ++i) {
        Step& step = steps.emplace_back();
        for (unsigned source = 0; source < groups; ++source)
            for (unsigned target = 0; target < groups; ++target) {
                if (source == target)
                    continue;
                const std::uint32_t sender = from.at(i, source, target), receiver = to.at(i, target, source);
                Path path;
                network.append(path, source, sender / h, network.router_to(source, target));
                path.push_back(network.between_groups(source, target));
                network.append(path, target, network.router_from(target, source), receiver / h);
                send(problem, step, network.processor(source, sender), network.processor(target, receiver),
                     std::move(path));
            }
    }
}

/// Adds what processor `i` of a router sends to processor `j` of the router `d` further on, in every group.
void send_within_groups(const Problem& problem, const Dragonfly& network, Step& step, unsigned i, unsigned j,
                        unsigned d)
{
    const unsigned h = network.h();
    for (unsigned group = 0; group < network.groups(); ++group)
        for (unsigned router = 0; router < network.routers(); ++router) {
            const unsigned other = (router + d) % network.routers();
            Path path;
            network.append(path, group, router, other);
            send(problem, step, network.processor(group, router * h + i),
                 network.processor(group, other * h + j), std::move(path));
        }
}

void add_local_steps(const Problem& problem, const Dragonfly& network, std::vector<Step>& steps)
{
    const unsigned h = network.h();
    for (unsigned m = 0; m < h; ++m)
        for (unsigned n = 0; n < h; ++n)
            for (const unsigned first : {1U, h + 1}) {
                if ((m + n) % h == 0)
                    continue;
                Step& step = steps.emplace_back();
                for (unsigned k = 0; k < h; ++k)
                    send_within_groups(problem, network, step, (k + h - m) % h, (k + n) % h, first + k);
            }
    for (unsigned t = 0; t + 1 < 2 * h; ++t) {
        Step& step = steps.emplace_back();
        for (unsigned i = 0; i < h; ++i)
            send_within_groups(problem, network, step, i, i, 1 + (i + t) % (2 * h - 1));
    }
}

} // namespace

std::optional<Schedule> dragonfly_rounds(const Problem& problem)
{
    if (!is_among_all(problem.collective, CollectiveKind::alltoall) || common_ports(problem) < 1)
        return std::nullopt;
    const auto network = Dragonfly::recognise(problem.topology);
    if (!network)
        return std::nullopt;
    const auto bits = balanced_bits(*network);
    if (!bits)
        return std::nullopt;
    Schedule schedule = empty_schedule(problem, "construct, dragonfly rounds");
    add_global_steps(problem, *network, *bits, schedule.steps);
    add_local_steps(problem, *network, schedule.steps);
    if (!keeps_transfer_rules(problem, schedule))
        return std::nullopt;
    return schedule;
}

} // namespace nocturne
