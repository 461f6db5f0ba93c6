#include "models/traffic/program_checks.hpp"

#include <algorithm>

namespace nocturne {

BeginOrder::BeginOrder(const RankPrograms& programs)
    : programs_(programs), followers_(programs.operations.size()), position_(followers_.size()),
      seen_(followers_.size())
{
    std::vector<std::uint32_t> waits(followers_.size()), order;
    for (std::uint32_t id = 0; id < followers_.size(); ++id) {
        const RankPrograms::Operation& operation = programs.operations[id];
        for (const auto* const before : {&operation.after, &operation.after_start})
            for (const std::uint32_t earlier : *before) {
                followers_[earlier].push_back(id);
                ++waits[id];
            }
        if (waits[id] == 0)
            order.push_back(id);
    }
    for (std::size_t at = 0; at < order.size(); ++at)
        for (const std::uint32_t later : followers_[order[at]])
            if (--waits[later] == 0)
                order.push_back(later);
    // Those in or behind a cycle of dependencies never begin: any position does.
    for (std::uint32_t id = 0; id < waits.size(); ++id)
        if (waits[id] != 0)
            order.push_back(id);
    for (std::uint32_t at = 0; at < order.size(); ++at)
        position_[order[at]] = at;
}

/// Calls `visit` for each operation that comes after `from`; where it returns false, the search does not go
/// on from there.
template <class Visit>
void BeginOrder::visit_later(std::uint32_t from, Visit visit)
{
    ++visit_;
    std::vector<std::uint32_t> open{from};
    while (!open.empty()) {
        const std::uint32_t id = open.back();
        open.pop_back();
        for (const std::uint32_t later : followers_[id])
            if (seen_[later] != visit_) {
                seen_[later] = visit_;
                if (visit(later))
                    open.push_back(later);
            }
    }
}

bool BeginOrder::precedes(std::uint32_t earlier, std::uint32_t later)
{
    bool is_found = false;
    visit_later(earlier, [&](std::uint32_t id) {
        is_found = is_found || id == later;
        return !is_found && position_[id] < position_[later];
    });
    return is_found;
}

std::uint32_t BeginOrder::count_later(std::uint32_t operation, const std::vector<std::uint32_t>& others,
                                      std::uint64_t& budget)
{
    visit_later(operation, [&](std::uint32_t /*id*/) {
        budget -= budget > 0 ? 1 : 0;
        return budget > 0;
    });
    if (budget == 0)
        return 0;
    return static_cast<std::uint32_t>(
        std::ranges::count_if(others, [&](std::uint32_t other) { return seen_[other] == visit_; }));
}

MessagesByKey BeginOrder::messages()
{
    MessagesByKey messages;
    for (std::uint32_t id = 0; id < followers_.size(); ++id) {
        const RankPrograms::Operation& operation = programs_.operations[id];
        if (operation.kind == RankPrograms::Kind::send)
            messages[{operation.rank, operation.peer, operation.tag}].sends.push_back(id);
        else if (operation.kind == RankPrograms::Kind::receive)
            messages[{operation.peer, operation.rank, operation.tag}].receives.push_back(id);
    }
    const auto is_ordered = [&](std::vector<std::uint32_t>& operations) {
        std::ranges::sort(operations, {}, [&](std::uint32_t id) { return position_[id]; });
        return std::ranges::adjacent_find(operations, [&](std::uint32_t earlier, std::uint32_t later) {
                   return !precedes(earlier, later);
               }) == operations.end();
    };
    for (auto& [key, of_key] : messages) {
        of_key.has_ordered_sends = is_ordered(of_key.sends);
        of_key.has_ordered_receives = is_ordered(of_key.receives);
    }
    return messages;
}

} // namespace nocturne
