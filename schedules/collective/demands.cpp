#include "schedules/collective/demands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

Demands::Demands(std::vector<Demand> demands)
{
    std::ranges::stable_sort(demands, {}, &Demand::chunk);
    for (Demand& demand : demands)
        push_back(std::move(demand));
}

void Demands::push_back(Demand demand)
{
    if (!demands_.empty() && demand.chunk < demands_.back().chunk)
        throw std::invalid_argument(
            fmt::format("a demand for chunk {} after one for chunk {}", demand.chunk, demands_.back().chunk));
    if (demand.chunk >= max_demands)
        throw std::invalid_argument(
            fmt::format("a demand for chunk {}: there are at most {}", demand.chunk, max_demands));
    while (first_.size() <= demand.chunk)
        first_.push_back(static_cast<std::uint32_t>(receivers_.size()));
    receivers_.push_back(demand.receiver);
    demands_.push_back(std::move(demand));
}

} // namespace nocturne
