// Changes to schedules by the numbers of their transfers.
#pragma once

#include "schedules/schedule/schedule.hpp"

#include <utility>

namespace nocturne::test {

/// The list of the transfers is what `edit` makes of it.
template <class Edit>
void edit_transfers(Schedule& schedule, Edit edit)
{
    std::vector<ListedTransfer> listed = list_transfers(schedule);
    edit(listed);
    set_transfers(schedule, std::move(listed));
}

/// At the end of the list.
inline void add_transfer(Schedule& schedule, const ListedTransfer& one)
{
    edit_transfers(schedule, [&](auto& listed) { listed.push_back(one); });
}

inline Transfer& transfer_at(Schedule& schedule, std::size_t id)
{
    std::size_t step = 0;
    for (; id >= schedule.steps[step].size(); ++step)
        id -= schedule.steps[step].size();
    return schedule.steps[step][id];
}

inline void set_after(Schedule& schedule, std::size_t id, const std::vector<std::uint32_t>& after)
{
    edit_transfers(schedule, [&](auto& listed) { listed[id].after = after; });
}

} // namespace nocturne::test
