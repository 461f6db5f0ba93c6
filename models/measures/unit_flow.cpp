#include "models/measures/unit_flow.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace nocturne::measures {

namespace {

constexpr std::uint32_t no_level = ~0u;

} // namespace

UnitFlow::UnitFlow(std::uint32_t vertices, std::span<const Arc> edges,
                   std::span<const std::uint32_t> capacities)
    : begin_(std::size_t{vertices} + 1), row_(2 * edges.size()), level_(vertices), next_(vertices)
{
    if (capacities.size() != edges.size())
        throw std::invalid_argument("unit flow: one capacity for each edge");
    for (std::size_t i = 0; i < edges.size(); ++i) {
        target_.push_back(edges[i].target);
        target_.push_back(edges[i].source);
        capacity_.push_back(capacities[i]);
        capacity_.push_back(0);
        ++begin_[edges[i].source + 1];
        ++begin_[edges[i].target + 1];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::uint32_t> place = begin_;
    for (std::uint32_t half = 0; half < target_.size(); ++half)
        row_[place[target_[half ^ 1u]]++] = half;
}

bool UnitFlow::find_levels(std::uint32_t source, std::uint32_t sink)
{
    std::ranges::fill(level_, no_level);
    level_[source] = 0;
    queue_.assign(1, source);
    for (std::size_t head = 0; head < queue_.size(); ++head) {
        const std::uint32_t at = queue_[head];
        for (std::uint32_t i = begin_[at]; i < begin_[at + 1]; ++i) {
            const std::uint32_t next = target_[row_[i]];
            if (residual_[row_[i]] == 0 || level_[next] != no_level)
                continue;
            level_[next] = level_[at] + 1;
            if (next == sink)
                return true;
            queue_.push_back(next);
        }
    }
    return false;
}

bool UnitFlow::augment(std::uint32_t source, std::uint32_t sink)
{
    path_.clear();
    std::uint32_t at = source;
    while (at != sink) {
        const std::uint32_t end = begin_[at + 1];
        std::uint32_t& i = next_[at];
        while (i < end && (residual_[row_[i]] == 0 || level_[target_[row_[i]]] != level_[at] + 1))
            ++i;
        if (i < end) {
            path_.push_back(row_[i]);
            at = target_[row_[i]];
        } else if (path_.empty()) {
            return false;
        } else { // a dead end: its predecessor tries the next edge
            at = target_[path_.back() ^ 1u];
            path_.pop_back();
            ++next_[at];
        }
    }
    for (const std::uint32_t half : path_) {
        --residual_[half];
        ++residual_[half ^ 1u];
    }
    return true;
}

std::uint32_t UnitFlow::run(std::uint32_t source, std::uint32_t sink, std::uint32_t limit)
{
    residual_ = capacity_;
    std::uint32_t flow = 0;
    while (flow < limit && find_levels(source, sink)) {
        std::copy(begin_.begin(), begin_.end() - 1, next_.begin());
        while (flow < limit && augment(source, sink))
            ++flow;
    }
    return flow;
}

} // namespace nocturne::measures
