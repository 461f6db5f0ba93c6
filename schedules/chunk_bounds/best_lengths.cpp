#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_bounds/pair_traffic.hpp"
#include "schedules/chunk_flows/link_flow.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <span>

namespace nocturne {
namespace {

constexpr std::array small_scales{1., 2., 3., 4., 5., 6., 8., 10., 12., 20., 24., 60., 120., 840., 1e6};

/// Certificates, of which the best is kept as far as it is proven.
class PairBounds {
public:
    PairBounds(const LinkNetwork& network, const Collective& collective)
        : network_(network), collective_(collective)
    {
    }

    void keep(Certificate certificate)
    {
        auto bound = proven_bound(std::move(certificate), network_, collective_);
        if (bound && (!best_ || best_->rounds < bound->rounds))
            best_ = std::move(bound);
    }

    /// Lengths in whole numbers, the longest at least 1. Optimal ones are fractions with a small denominator
    /// as a rule; the last scale is for those that are not.
    void keep_lengths(const std::vector<double>& lengths, std::span<const double> scales)
    {
        const double longest = *std::max_element(lengths.begin(), lengths.end());
        for (const double scale : scales) {
            std::vector<std::uint64_t> whole;
            for (const double length : lengths)
                whole.push_back(longest > 0 ? static_cast<std::uint64_t>(
                                                  std::llround(std::max(length, 0.0) / longest * scale))
                                            : 0);
            const std::uint64_t divisor =
                std::accumulate(whole.begin(), whole.end(), std::uint64_t{0},
                                [](std::uint64_t a, std::uint64_t b) { return std::gcd(a, b); });
            for (std::uint64_t& length : whole)
                length /= std::max<std::uint64_t>(divisor, 1);
            if (tried_.insert(whole).second)
                keep(LinkLengths{std::move(whole)});
        }
    }

    /// Of a flow; of one that is not the best only as they are.
    void keep_lengths(const LinkFlow& flow)
    {
        const std::vector<double> lengths(flow.lengths.begin(), flow.lengths.end());
        keep_lengths(lengths, flow.is_best() ? std::span(small_scales) : std::span(small_scales).last(1));
    }

    bool is_empty() const { return !best_; }
    std::optional<Bound> take() { return std::move(best_); }

private:
    const LinkNetwork& network_;
    const Collective& collective_;
    std::optional<Bound> best_;
    std::set<std::vector<std::uint64_t>> tried_; ///< lengths: times a factor they prove the same
};

/// The narrowest, and the others up to some number.
std::set<std::uint64_t> widths_of(const LinkNetwork& network)
{
    constexpr std::size_t most = 8;
    std::set<std::uint64_t> widths;
    for (LinkId id = 0; id < network.link_count(); ++id)
        widths.insert(network.units(id));
    while (widths.size() > most)
        widths.erase(std::prev(widths.end(), 2)); // all links always count once
    return widths;
}

} // namespace

LinkLengths lengths_by_width(const LinkNetwork& network, const std::function<bool(LinkId link)>& counts)
{
    std::uint64_t common = 1; // multiple of all units
    for (LinkId id = 0; id < network.link_count() && common <= max_length; ++id)
        if (counts(id))
            common = std::lcm(common, std::min(network.units(id), max_length + 1));
    common = std::min(common, max_length);
    LinkLengths lengths;
    for (LinkId id = 0; id < network.link_count(); ++id)
        lengths.lengths.push_back(counts(id) ? common / network.units(id) : 0);
    return lengths;
}

std::optional<Bound> best_lengths(const LinkNetwork& network, const Collective& collective,
                                  const SearchEnd& end, const LinkFlow* flow)
{
    const std::optional<OwedPairs> owed = owed_pairs(collective);
    if (!owed || owed->demands.empty() || network.link_count() == 0)
        return std::nullopt;
    PairBounds bounds(network, collective);
    for (const std::uint64_t units : widths_of(network))
        bounds.keep(lengths_by_width(network, [&](LinkId id) { return network.units(id) <= units; }));
    if (bounds.is_empty())
        return std::nullopt; // something is infinitely far
    TrafficMatrix traffic(network.processor_count(), std::vector<double>(network.processor_count(), 0));
    for (const PairDemand& demand : owed->demands)
        traffic[demand.source][demand.receiver] = static_cast<double>(demand.weight);
    if (auto cut = best_swept_cut(network, traffic); !cut.empty())
        bounds.keep(NodeCut{std::move(cut)});
    std::optional<LinkFlow> found;
    if (flow == nullptr && !end.has_come()) {
        found = least_congested_flow(network, owed->demands, FlowEffort::least, end);
        flow = found ? &*found : nullptr;
    }
    if (flow != nullptr)
        bounds.keep_lengths(*flow);
    return bounds.take();
}

} // namespace nocturne
