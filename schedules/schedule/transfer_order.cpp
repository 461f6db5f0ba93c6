#include "schedules/schedule/transfer_order.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace nocturne {

namespace {

/// Which transfers come after which.
class OrderGraph {
public:
    explicit OrderGraph(const Schedule& schedule) : waits_(count_transfers(schedule), 0)
    {
        for (std::uint32_t id = 0; id < waits_.size(); ++id)
            for (const std::uint32_t before : schedule.after.of(id))
                if (before < waits_.size())
                    add(before, id);
    }

    void add(std::uint32_t before, std::uint32_t id)
    {
        pairs_.emplace_back(before, id);
        ++waits_[id];
    }

    std::vector<std::uint32_t> order() &&
    {
        std::vector<std::uint32_t> order;
        const Followers followers(waits_.size(), pairs_);
        order.reserve(waits_.size());
        for (std::uint32_t id = 0; id < waits_.size(); ++id)
            if (waits_[id] == 0)
                order.push_back(id);
        for (std::size_t next = 0; next < order.size(); ++next)
            for (const std::uint32_t follower : followers.of(order[next]))
                if (--waits_[follower] == 0)
                    order.push_back(follower);
        return order;
    }

private:
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_; ///< before and after
    std::vector<std::uint32_t> waits_;                           ///< for how many, by transfer
};

/// Their own order, if all that comes before others is listed before them, as searches list it.
std::optional<std::vector<std::uint32_t>> listed_order(const Schedule& schedule)
{
    std::vector<std::uint32_t> order(count_transfers(schedule));
    std::iota(order.begin(), order.end(), 0U);
    const bool is_listed = std::ranges::all_of(order, [&](std::uint32_t id) {
        return std::ranges::all_of(schedule.after.of(id), [&](std::uint32_t before) { return before < id; });
    });
    return is_listed ? std::optional(std::move(order)) : std::nullopt;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> named_pairs(const Schedule& schedule)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    const std::size_t count = count_transfers(schedule);
    for (std::uint32_t id = 0; id < count; ++id)
        for (const std::uint32_t before : schedule.after.of(id))
            if (before < count)
                pairs.emplace_back(before, id);
    return pairs;
}

} // namespace

Followers::Followers(std::size_t transfers,
                     std::span<const std::pair<std::uint32_t, std::uint32_t>> before_and_after)
    : begin_(transfers + 1, 0), all_(before_and_after.size())
{
    for (const auto& [before, id] : before_and_after)
        ++begin_[before + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::size_t> end(begin_.begin(), begin_.end() - 1);
    for (const auto& [before, id] : before_and_after)
        all_[end[before]++] = id;
}

Followers::Followers(const Schedule& schedule) : Followers(count_transfers(schedule), named_pairs(schedule))
{
}

std::vector<std::uint32_t> order_of_transfers(const Schedule& schedule)
{
    auto listed = listed_order(schedule);
    return listed ? std::move(*listed) : OrderGraph{schedule}.order();
}

std::vector<std::uint32_t> order_of_transfers(const Schedule& schedule, const LinkNetwork& network)
{
    if (auto listed = listed_order(schedule)) // and so is what comes before on a link
        return std::move(*listed);
    OrderGraph graph{schedule};
    const TransferList transfers(schedule);
    std::vector<std::uint32_t> last_on(network.link_count(), ~0u);
    for (std::uint32_t id = 0; id < transfers.size(); ++id)
        for (const LinkId link : transfers[id].links()) {
            if (link >= last_on.size() || last_on[link] == id)
                continue;
            if (last_on[link] != ~0u)
                graph.add(last_on[link], id);
            last_on[link] = id;
        }
    return std::move(graph).order();
}

EndsBeforeStart::EndsBeforeStart(const Schedule& schedule, const std::vector<std::uint32_t>& order)
    : schedule_(schedule), followers_(schedule), position_(count_transfers(schedule), ~0u)
{
    for (std::uint32_t place = 0; place < order.size(); ++place)
        position_[order[place]] = place;
    back_.seen.assign(position_.size(), 0);
    on_.seen.assign(position_.size(), 0);
}

bool EndsBeforeStart::operator()(std::uint32_t earlier, std::uint32_t later)
{
    const auto named = schedule_.after.of(later);
    if (std::find(named.begin(), named.end(), earlier) != named.end())
        return true;
    ++query_;
    back_.open.assign(1, later);
    on_.open.assign(1, earlier);
    back_.seen[later] = query_;
    on_.seen[earlier] = query_;
    // A step from either end in turn: a sum has a thousand transfers before it, each of them one after it.
    const auto step = [&](Search& search, const Search& other, std::span<const std::uint32_t> next) {
        for (const std::uint32_t id : next) {
            if (id >= position_.size() || search.seen[id] == query_)
                continue;
            if (other.seen[id] == query_)
                return true;
            if (position_[id] < position_[earlier] || position_[id] > position_[later])
                continue;
            search.seen[id] = query_;
            search.open.push_back(id);
        }
        return false;
    };
    const auto take = [](Search& search) {
        const std::uint32_t id = search.open.back();
        search.open.pop_back();
        return id;
    };
    while (!back_.open.empty() && !on_.open.empty())
        if (step(back_, on_, schedule_.after.of(take(back_))) || step(on_, back_, followers_.of(take(on_))))
            return true;
    return false;
}

} // namespace nocturne
