#include "models/hardware/tree_reservations.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace nocturne {

void TreeReservations::add(PacketId packet, Tree tree)
{
    if (unused_.empty()) {
        unused_.push_back(static_cast<std::uint32_t>(trees_.size()));
        trees_.emplace_back();
    }
    numbers_[packet] = unused_.back();
    trees_[unused_.back()] = {std::move(tree), {}, 0, false};
    unused_.pop_back();
}

void TreeReservations::request(PacketId packet, std::function<void(Cycle)> granted)
{
    const std::uint32_t number = numbers_.at(packet);
    Held& held = trees_[number];
    if (const auto kept = kept_.find(held.tree.source); kept != kept_.end()) {
        const std::uint32_t before = kept->second;
        kept_.erase(kept);
        if (trees_[before].tree.channels == held.tree.channels) {
            held.leaves = domain_.now();
            held.takes_all = true;
            unused_.push_back(before);
            granted(held.leaves);
            return;
        }
        give_back(before);
    }
    held.granted = std::move(granted);
    held.takes_all = held.tree.is_kept;
    waiting_.push_back(number);
    serve();
}

/// Those that wait, in their order.
void TreeReservations::serve()
{
    std::unordered_set<std::uint32_t> wanted; // by those before that go on waiting
    std::vector<std::uint32_t> given;
    std::erase_if(waiting_, [&](std::uint32_t number) {
        const std::vector<std::uint32_t>& channels = trees_[number].tree.channels;
        if (std::ranges::all_of(channels, [&](std::uint32_t channel) {
                return free_[channel] >= taken_of(number, channel) && !wanted.contains(channel);
            })) {
            for (const std::uint32_t channel : channels)
                free_[channel] -= taken_of(number, channel);
            given.push_back(number);
            return true;
        }
        wanted.insert(channels.begin(), channels.end());
        return false;
    });
    for (const std::uint32_t number : given) {
        trees_[number].leaves = domain_.now() + 2 * trees_[number].tree.head_cycles; // there and back
        const auto granted = std::exchange(trees_[number].granted, {});
        granted(trees_[number].leaves);
    }
}

void TreeReservations::sent(PacketId packet)
{
    const std::uint32_t number = numbers_.at(packet);
    numbers_.erase(packet);
    const Held& held = trees_[number];
    if (held.tree.is_kept)
        kept_[held.tree.source] = number;
    else
        domain_.schedule(std::max(domain_.now() + 1, held.leaves + held.tree.head_cycles), *this, number);
}

void TreeReservations::on_event(std::uint32_t number, std::uint64_t)
{
    give_back(number);
    serve();
}

void TreeReservations::give_back(std::uint32_t number)
{
    for (const std::uint32_t channel : trees_[number].tree.channels)
        free_[channel] += taken_of(number, channel);
    unused_.push_back(number);
}

} // namespace nocturne
