#include "schedules/chunks/transfer_order.hpp"

#include <algorithm>

namespace nocturne {

std::vector<std::uint32_t> order_of_transfers(const ChunkedSchedule& schedule, const LinkNetwork& network)
{
    const std::size_t count = schedule.transfers.size();
    std::vector<std::vector<std::uint32_t>> followers(count);
    std::vector<std::uint32_t> waits(count, 0);
    std::vector<std::uint32_t> last_on(network.link_count(), ~0u);
    for (std::uint32_t id = 0; id < count; ++id) {
        for (const std::uint32_t before : schedule.transfers[id].after)
            if (before < count) {
                followers[before].push_back(id);
                ++waits[id];
            }
        for (const LinkId link : schedule.transfers[id].path) {
            if (link >= last_on.size() || last_on[link] == id)
                continue;
            if (last_on[link] != ~0u) {
                followers[last_on[link]].push_back(id);
                ++waits[id];
            }
            last_on[link] = id;
        }
    }
    std::vector<std::uint32_t> order;
    order.reserve(count);
    for (std::uint32_t id = 0; id < count; ++id)
        if (waits[id] == 0)
            order.push_back(id);
    for (std::size_t next = 0; next < order.size(); ++next)
        for (const std::uint32_t follower : followers[order[next]])
            if (--waits[follower] == 0)
                order.push_back(follower);
    return order;
}

EndsBeforeStart::EndsBeforeStart(const ChunkedSchedule& schedule, const std::vector<std::uint32_t>& order)
    : schedule_(schedule), position_(schedule.transfers.size(), ~0u), seen_(schedule.transfers.size(), 0)
{
    for (std::uint32_t place = 0; place < order.size(); ++place)
        position_[order[place]] = place;
}

bool EndsBeforeStart::operator()(std::uint32_t earlier, std::uint32_t later)
{
    const auto& named = schedule_.transfers[later].after;
    if (std::find(named.begin(), named.end(), earlier) != named.end())
        return true;
    ++query_;
    open_.assign(1, later);
    while (!open_.empty()) {
        const std::uint32_t id = open_.back();
        open_.pop_back();
        for (const std::uint32_t before : schedule_.transfers[id].after) {
            if (before == earlier)
                return true;
            if (before >= seen_.size() || seen_[before] == query_ || position_[before] < position_[earlier])
                continue;
            seen_[before] = query_;
            open_.push_back(before);
        }
    }
    return false;
}

} // namespace nocturne
