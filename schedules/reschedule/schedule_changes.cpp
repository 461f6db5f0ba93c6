#include "schedules/reschedule/schedule_changes.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace nocturne {
namespace {

struct Place {
    std::size_t step;
    const Transfer* transfer;
};

/// In order; of a message that is not added a processor has one.
using Deliveries = std::unordered_map<std::uint64_t, std::vector<Place>>;

Deliveries deliveries_of(const Schedule& schedule)
{
    Deliveries deliveries;
    for (std::size_t i = 0; i < schedule.steps.size(); ++i)
        for (const Transfer& transfer : schedule.steps[i])
            deliveries[place_key(transfer.destination, transfer.message)].push_back({i, &transfer});
    return deliveries;
}

/// The most transfers that an order-preserving pairing of steps leaves unchanged (as for a longest common
/// subsequence); same[i * columns + j] are those that step i before and step j after have in common.
std::size_t best_pairing(const std::vector<std::uint32_t>& same, std::size_t columns)
{
    std::vector<std::size_t> best(columns + 1);
    for (std::size_t first = 0; first < same.size(); first += columns) {
        std::size_t diagonal = 0; // best of the row before, one column to the left
        for (std::size_t j = 0; j < columns; ++j) {
            const std::size_t above = best[j + 1];
            best[j + 1] = std::max({above, best[j], diagonal + same[first + j]});
            diagonal = above;
        }
    }
    return best.back();
}

} // namespace

ScheduleChanges compare_schedules(const TranslatedSchedule& before, const Schedule& after)
{
    const Deliveries old = deliveries_of(before.schedule);
    Deliveries now = deliveries_of(after);
    const std::size_t columns = after.steps.size();
    std::vector<std::uint32_t> same(before.schedule.steps.size() * columns);
    std::size_t in_both = 0;
    for (auto& [which, places] : now) {
        const auto found = old.find(which);
        if (found == old.end())
            continue;
        for (const Place& place : places)
            for (const Place& other : found->second)
                if (*other.transfer == *place.transfer)
                    ++same[other.step * columns + place.step];
        const std::size_t common = std::min(places.size(), found->second.size());
        in_both += common;
        places.resize(places.size() - common); // those that no delivery before stands for
    }
    for (const BrokenDelivery& broken : before.broken)
        if (const auto found = now.find(place_key(broken.destination, broken.message));
            found != now.end() && !found->second.empty()) {
            ++in_both;
            found->second.pop_back();
        }

    ScheduleChanges changes;
    changes.kept = columns == 0 ? 0 : best_pairing(same, columns);
    changes.changed = in_both - changes.kept;
    changes.dropped = count_transfers(before.schedule) + before.broken.size() + before.lost - in_both;
    changes.added = count_transfers(after) - in_both;
    return changes;
}

} // namespace nocturne
