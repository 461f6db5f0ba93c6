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
    if (!empty() && demand.chunk < lists_->demands.back().chunk)
        throw std::invalid_argument(fmt::format("a demand for chunk {} after one for chunk {}", demand.chunk,
                                                lists_->demands.back().chunk));
    if (demand.chunk >= max_demands)
        throw std::invalid_argument(
            fmt::format("a demand for chunk {}: there are at most {}", demand.chunk, max_demands));
    if (lists_.use_count() > 1)
        lists_ = std::make_shared<Lists>(*lists_);
    auto& [demands, first, receivers] = *lists_;
    while (first.size() <= demand.chunk)
        first.push_back(static_cast<std::uint32_t>(receivers.size()));
    receivers.push_back(demand.receiver);
    demands.push_back(std::move(demand));
}

} // namespace nocturne
