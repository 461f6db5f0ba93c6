#include "schedules/flows/evened_load.hpp"

#include <algorithm>
#include <cmath>

namespace nocturne {

EvenedLoad::EvenedLoad(const WalkGraph& graph, std::size_t groups)
    : graph_(&graph), shares_(groups, std::vector<double>(graph.resource_count(), 0)),
      congestion_(graph.resource_count(), 0), change_(graph.resource_count(), 0)
{
}

double EvenedLoad::most() const
{
    return *std::max_element(congestion_.begin(), congestion_.end());
}

void EvenedLoad::set(std::size_t group, std::span<const Load> loads)
{
    for (const Load& load : loads) {
        shares_[group][load.resource] = load.messages;
        congestion_[load.resource] += load.messages / capacity(load.resource);
    }
}

/// Of the potential, by the part of the change that is made.
double EvenedLoad::slope(double part, double level, double sharpness) const
{
    double sum = 0;
    for (ResourceId resource = 0; resource < change_.size(); ++resource)
        if (change_[resource] != 0 && graph_->is_scarce(resource))
            sum += change_[resource] *
                   std::exp(sharpness * ((congestion_[resource] + part * change_[resource]) / level - 1));
    return sum;
}

void EvenedLoad::move(std::size_t group, std::span<const Load> loads, double sharpness)
{
    constexpr unsigned halvings = 8;
    std::vector<double>& share = shares_[group];
    for (ResourceId resource = 0; resource < change_.size(); ++resource)
        change_[resource] = -share[resource] / capacity(resource);
    for (const Load& load : loads)
        change_[load.resource] += load.messages / capacity(load.resource);
    const double level = most();
    double low = 0;
    double high = 1;
    for (unsigned i = 0; i < halvings; ++i) {
        const double part = (low + high) / 2;
        (slope(part, level, sharpness) > 0 ? high : low) = part;
    }
    for (ResourceId resource = 0; resource < change_.size(); ++resource) {
        congestion_[resource] += low * change_[resource];
        share[resource] += low * change_[resource] * capacity(resource);
    }
}

std::vector<double> EvenedLoad::prices(double sharpness) const
{
    const double level = most();
    std::vector<double> prices(congestion_.size(), 0);
    for (ResourceId resource = 0; resource < prices.size(); ++resource)
        if (graph_->is_scarce(resource))
            prices[resource] = std::exp(sharpness * (congestion_[resource] / level - 1)) / capacity(resource);
    return prices;
}

} // namespace nocturne
