#include "schedules/reschedule/residual_paths.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {

ResidualPaths::ResidualPaths(const Topology& topology) : topology_(topology), best_(topology.router_count())
{
}

void ResidualPaths::add_layer()
{
    ++layers_;
    if (labels_.size() < std::size_t{layers_} * topology_.router_count())
        labels_.resize(std::size_t{layers_} * topology_.router_count());
}

const ResidualPaths::Label* ResidualPaths::label(std::uint32_t hops, RouterId router) const
{
    const Label& found = labels_[std::size_t{hops} * topology_.router_count() + router];
    return found.search == search_ ? &found : nullptr;
}

void ResidualPaths::search(RouterId destination, std::span<const Cost> prices, Cost most_cost,
                           std::uint32_t most_hops)
{
    ++search_;
    layers_ = 0;
    add_layer();
    labels_[destination] = best_[destination] = {search_, 0, no_channel};
    open_.assign(1, destination);
    for (std::uint32_t hops = 1; hops <= most_hops && !open_.empty(); ++hops) {
        add_layer();
        next_open_.clear();
        Label* const layer = &labels_[std::size_t{hops} * topology_.router_count()];
        for (const RouterId at : open_)
            for (const ChannelId channel : topology_.channels_to(at)) {
                const Cost cost = label(hops - 1, at)->cost + prices[channel];
                const RouterId from = topology_.channel(channel).source;
                if (cost > most_cost || (best_[from].search == search_ && best_[from].cost <= cost))
                    continue;
                if (layer[from].search != search_)
                    next_open_.push_back(from);
                layer[from] = best_[from] = {search_, cost, channel};
            }
        std::swap(open_, next_open_);
    }
}

std::optional<ResidualPaths::Found> ResidualPaths::find(RouterId source, std::uint32_t most_hops) const
{
    // Later layers have cheaper paths only.
    for (std::uint32_t hops = std::min(most_hops, layers_ - 1) + 1; hops-- > 0;)
        if (const Label* const found = label(hops, source))
            return Found{found->cost, hops};
    return std::nullopt;
}

Path ResidualPaths::path(RouterId source, std::uint32_t hops) const
{
    Path path;
    for (; hops > 0; --hops) {
        path.push_back(label(hops, source)->first);
        source = topology_.channel(path.back()).target;
    }
    return path;
}

} // namespace nocturne
