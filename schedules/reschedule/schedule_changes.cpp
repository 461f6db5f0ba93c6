#include "schedules/reschedule/schedule_changes.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace nocturne {
namespace {

std::uint64_t key(MessageId message, ProcessorId destination)
{
    return std::uint64_t{message} << 32 | destination;
}

struct Place {
    std::size_t step;
    const Transfer* transfer;
};

using Deliveries = std::unordered_map<std::uint64_t, Place>;

Deliveries deliveries_of(const Schedule& schedule)
{
    Deliveries deliveries;
    for (std::size_t i = 0; i < schedule.steps.size(); ++i)
        for (const Transfer& transfer : schedule.steps[i])
            deliveries.emplace(key(transfer.message, transfer.destination), Place{i, &transfer});
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
    const std::size_t columns = after.steps.size();
    std::vector<std::uint32_t> same(before.schedule.steps.size() * columns);
    std::size_t in_both = 0;
    for (std::size_t j = 0; j < columns; ++j)
        for (const Transfer& transfer : after.steps[j]) {
            const auto found = old.find(key(transfer.message, transfer.destination));
            if (found == old.end())
                continue;
            ++in_both;
            if (*found->second.transfer == transfer)
                ++same[found->second.step * columns + j];
        }
    const Deliveries now = deliveries_of(after);
    for (const BrokenDelivery& broken : before.broken)
        in_both += now.count(key(broken.message, broken.destination));

    ScheduleChanges changes;
    changes.kept = columns == 0 ? 0 : best_pairing(same, columns);
    changes.changed = in_both - changes.kept;
    changes.dropped = old.size() + before.broken.size() + before.lost - in_both;
    changes.added = now.size() - in_both;
    return changes;
}

} // namespace nocturne
