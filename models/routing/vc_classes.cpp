#include "models/routing/vc_classes.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace nocturne {

VcClasses VcClasses::of_vcs(std::vector<std::vector<double>> vcs)
{
    VcClasses classes(std::move(vcs));
    classes.are_vcs_ = true;
    return classes;
}

VcClasses VcClasses::followed_by(const VcClasses& upper) const
{
    std::vector<Loads> result(std::max(loads_.size(), upper.loads_.size()));
    for (const VcClasses* const part : {this, &upper}) {
        double sum = 0;
        for (const Loads& loads : part->loads_)
            for (const double load : loads)
                sum += load;
        const double mean = sum / static_cast<double>(part->loads_.size());
        for (ChannelId channel = 0; channel < result.size(); ++channel)
            for (const double load : part->of(channel))
                result[channel].push_back(part->are_vcs_ ? load : load * part->count() / mean);
    }
    return are_vcs_ ? of_vcs(std::move(result)) : VcClasses(std::move(result));
}

VcClasses VcClasses::with_vcs(unsigned vcs) const
{
    std::vector<Loads> result = loads_;
    for (Loads& loads : result) {
        const std::vector<unsigned> shares = vcs_by_load(loads, vcs);
        std::copy(shares.begin(), shares.end(), loads.begin());
    }
    return of_vcs(std::move(result));
}

unsigned VcClasses::used(ChannelId channel) const
{
    const Loads& loads = of(channel);
    return static_cast<unsigned>(std::ranges::count_if(loads, [](double load) { return load > 0; }));
}

std::vector<VcClasses::Range> VcClasses::shares(ChannelId channel, unsigned vcs) const
{
    const Loads& loads = of(channel);
    std::vector<Range> result;
    if (std::adjacent_find(loads.begin(), loads.end(), std::not_equal_to()) == loads.end()) {
        for (unsigned vc_class = 0; vc_class < count(); ++vc_class) {
            const unsigned first = vc_class * vcs / count();
            result.push_back({first, (vc_class + 1) * vcs / count() - first});
        }
        return result;
    }
    unsigned first = 0;
    for (const unsigned share : vcs_by_load(loads, vcs)) {
        result.push_back({first, share});
        first += share;
    }
    return result;
}

std::vector<unsigned> vcs_by_load(std::span<const double> loads, unsigned vcs)
{
    std::vector<unsigned> shares;
    for (const double load : loads) {
        shares.push_back(load > 0 ? 1 : 0);
        vcs -= shares.back();
    }
    const auto heaviest =
        static_cast<std::size_t>(std::max_element(loads.begin(), loads.end()) - loads.begin());
    for (; vcs > 0; --vcs) {
        std::size_t most = heaviest;
        for (std::size_t vc_class = 0; vc_class < loads.size(); ++vc_class)
            if (loads[vc_class] * shares[most] > loads[most] * shares[vc_class])
                most = vc_class;
        ++shares[most];
    }
    return shares;
}

} // namespace nocturne
