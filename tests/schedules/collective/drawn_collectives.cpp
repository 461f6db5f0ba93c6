#include "tests/schedules/collective/drawn_collectives.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace nocturne::test {

namespace {

using Processors = std::vector<std::uint32_t>;

std::uint32_t below(SplitMix64& random, std::size_t end)
{
    return random.below(static_cast<std::uint32_t>(end));
}

/// So many or more of them, in any order.
Processors some_of(SplitMix64& random, std::uint32_t processors, std::size_t least)
{
    Processors all(processors);
    std::iota(all.begin(), all.end(), 0U);
    for (std::size_t i = all.size(); i > 1; --i)
        std::swap(all[i - 1], all[below(random, i)]);
    all.resize(least + below(random, all.size() - least + 1));
    return all;
}

Processors members_of(const AskedCollective& asked)
{
    Processors all(asked.processors);
    std::iota(all.begin(), all.end(), 0U);
    return asked.given.group.empty() ? all : asked.given.group;
}

bool takes_weights(CollectiveKind kind)
{
    return kind == CollectiveKind::allgather || kind == CollectiveKind::reduce_scatter ||
           kind == CollectiveKind::alltoall;
}

bool adds_up(CollectiveKind kind)
{
    return kind == CollectiveKind::reduce || kind == CollectiveKind::reduce_scatter ||
           kind == CollectiveKind::allreduce || kind == CollectiveKind::scan;
}

/// What is owed of a block, by receiver.
using Owed = std::map<std::uint32_t, std::set<std::uint32_t>>;

class Blocks {
public:
    Blocks(std::uint32_t processors, std::uint32_t parts)
        : collective_{.kind = CollectiveKind::custom, .processors = processors, .parts = parts}
    {
    }

    void add(std::set<std::uint32_t> contributors, const Owed& owed, std::uint32_t weight = 1)
    {
        for (std::uint32_t part = 0; weight > 0 && part < collective_.parts; ++part) {
            const auto chunk = static_cast<ChunkId>(collective_.chunks.size());
            collective_.chunks.push_back({weight, Processors(contributors.begin(), contributors.end())});
            for (const auto& [receiver, sum] : owed)
                collective_.demands.push_back({chunk, receiver, Processors(sum.begin(), sum.end())});
        }
    }

    Collective take() && { return std::move(collective_); }

private:
    Collective collective_;
};

} // namespace

AskedCollective draw_collective(SplitMix64& random, std::uint32_t processors, const CollectiveForm& form)
{
    using enum CollectiveKind;
    const auto kind = static_cast<CollectiveKind>(random.below(static_cast<std::uint32_t>(custom)));
    AskedCollective asked{kind, processors, {}};
    Participants& given = asked.given;
    given.parts = 1 + random.below(form.most_parts);
    switch (kind) {
    case multicast:
        given.source = random.below(processors);
        given.receivers = some_of(random, processors, 1);
        if (given.receivers == Processors{*given.source})
            given.receivers = {(*given.source + 1) % processors};
        return asked;
    case many_to_many_broadcast:
    case many_to_many_scatter:
        given.senders = some_of(random, processors, 2);
        given.receivers = some_of(random, processors, 1);
        return asked;
    case permutation:
        given.image = some_of(random, processors, processors);
        if (std::ranges::is_sorted(given.image))
            std::swap(given.image.front(), given.image.back());
        return asked;
    default:
        break;
    }
    if (random.below(4) > 0)
        given.group = some_of(random, processors, adds_up(kind) && !form.sums_of_some ? processors : 2);
    const Processors members = members_of(asked);
    if (has_root(kind))
        given.source = members[below(random, members.size())];
    if (form.is_weighted && takes_weights(kind) && random.below(2) == 0) {
        given.weights.resize(kind == alltoall ? members.size() * members.size() : members.size());
        for (std::uint32_t& weight : given.weights)
            weight = random.below(5);
        given.weights[1] = 3; // something is sent
    }
    return asked;
}

Collective spelled_out(const AskedCollective& asked)
{
    using enum CollectiveKind;
    const CollectiveKind kind = asked.kind;
    const std::uint32_t processors = asked.processors;
    const Participants& given = asked.given;
    const Processors ranks = members_of(asked);
    const std::set<std::uint32_t> all(ranks.begin(), ranks.end());
    const std::set<std::uint32_t> receivers(given.receivers.begin(), given.receivers.end());
    const std::set<std::uint32_t> senders(given.senders.begin(), given.senders.end());
    const std::uint32_t root = given.source.value_or(0);
    const auto weight = [&](std::size_t i) { return given.weights.empty() ? 1 : given.weights[i]; };
    const auto to = [](const std::set<std::uint32_t>& each, const std::set<std::uint32_t>& sum) {
        Owed owed;
        for (const std::uint32_t receiver : each)
            owed[receiver] = sum;
        return owed;
    };
    const auto without = [](std::set<std::uint32_t> set, std::uint32_t one) {
        set.erase(one);
        return set;
    };
    Blocks blocks(processors, given.parts);
    switch (kind) {
    case broadcast:
        blocks.add({root}, to(all, {root}));
        break;
    case reduce:
        blocks.add(all, {{root, all}});
        break;
    case allreduce:
        blocks.add(all, to(all, all));
        break;
    case scan: {
        Owed owed;
        std::set<std::uint32_t> sum;
        for (const std::uint32_t member : ranks) {
            sum.insert(member);
            owed[member] = sum;
        }
        blocks.add(all, owed);
        break;
    }
    case multicast:
        blocks.add({root}, to(without(receivers, root), {root}));
        break;
    case many_to_many_broadcast:
        for (const std::uint32_t sender : senders)
            if (const auto others = without(receivers, sender); !others.empty())
                blocks.add({sender}, to(others, {sender}));
        break;
    case many_to_many_scatter:
        for (const std::uint32_t sender : senders)
            for (const std::uint32_t receiver : without(receivers, sender))
                blocks.add({sender}, {{receiver, {sender}}});
        break;
    case permutation:
        for (std::uint32_t sender = 0; sender < processors; ++sender)
            if (given.image[sender] != sender)
                blocks.add({sender}, {{given.image[sender], {sender}}});
        break;
    default:
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            const std::uint32_t one = ranks[i];
            if (kind == allgather)
                blocks.add({one}, to(all, {one}), weight(i));
            else if (kind == reduce_scatter)
                blocks.add(all, {{one, all}}, weight(i));
            else if (kind == scatter && one != root)
                blocks.add({root}, {{one, {root}}});
            else if (kind == gather && one != root)
                blocks.add({one}, {{root, {one}}});
            for (std::size_t j = 0; kind == alltoall && j < ranks.size(); ++j)
                if (j != i)
                    blocks.add({one}, {{ranks[j], {one}}}, weight(i * ranks.size() + j));
        }
    }
    return std::move(blocks).take();
}

AskedCollective in_another_order(const AskedCollective& asked, SplitMix64& random)
{
    const Processors ranks = members_of(asked);
    AskedCollective other = asked;
    if (!asked.given.senders.empty() || !asked.given.receivers.empty() || !asked.given.image.empty() ||
        asked.kind == CollectiveKind::scan)
        return other;
    Processors order(ranks.size()); // old ranks
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[below(random, i)]);
    other.given.group.clear();
    other.given.weights.clear();
    for (const std::uint32_t rank : order)
        other.given.group.push_back(ranks[rank]);
    const std::vector<std::uint32_t>& weights = asked.given.weights;
    if (weights.size() == ranks.size())
        for (const std::uint32_t rank : order)
            other.given.weights.push_back(weights[rank]);
    else if (!weights.empty())
        for (const std::uint32_t from : order)
            for (const std::uint32_t to : order)
                other.given.weights.push_back(weights[from * ranks.size() + to]);
    return other;
}

std::vector<Demand> listed_demands(const Collective& owed)
{
    std::vector<Demand> listed(owed.demands.begin(), owed.demands.end());
    std::erase_if(listed, [&](const Demand& demand) {
        return is_own(demand) && owed.chunks[demand.chunk].contributors.size() == 1;
    });
    return listed;
}

} // namespace nocturne::test
