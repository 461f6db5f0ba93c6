#include "models/routing/random.hpp"
#include "models/routing/vc_classes.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace nocturne::vc_classes_test {

namespace {

double peak(const std::vector<double>& loads, const std::vector<unsigned>& vcs)
{
    double result = 0;
    for (std::size_t i = 0; i < loads.size(); ++i)
        if (loads[i] > 0)
            result = std::max(result, loads[i] / vcs[i]);
    return result;
}

/// The lowest peak of all ways to share out `vcs`, at least one to each class with a load.
double best_peak(const std::vector<double>& loads, unsigned vcs)
{
    std::vector<unsigned> shares(loads.size());
    double best = std::numeric_limits<double>::infinity();
    const std::function<void(std::size_t, unsigned)> try_all = [&](std::size_t from, unsigned left) {
        if (from == loads.size()) {
            if (left == 0)
                best = std::min(best, peak(loads, shares));
            return;
        }
        for (shares[from] = loads[from] > 0 ? 1 : 0; shares[from] <= left; ++shares[from])
            try_all(from + 1, left - shares[from]);
    };
    try_all(0, vcs);
    return best;
}

} // namespace

TEST_CASE("classes that are given virtual channels keep their number beside others", "[routing][vc_classes]")
{
    const auto counts = [](const VcClasses& classes, ChannelId channel, unsigned vcs) {
        std::vector<unsigned> result;
        for (const VcClasses::Range& range : classes.shares(channel, vcs))
            result.push_back(range.count);
        return result;
    };
    using Counts = std::vector<unsigned>;
    const VcClasses datelines(2);
    for (unsigned requests = 2; requests <= 8; ++requests)
        for (unsigned replies = 2; replies <= 8; ++replies) {
            const VcClasses both = datelines.with_vcs(requests).followed_by(datelines.with_vcs(replies));
            const Counts of = counts(both, 0, requests + replies);
            CAPTURE(requests, replies, of);
            CHECK(of[0] + of[1] == requests);
            CHECK(of[2] + of[3] == replies);
            CHECK(std::max(of[0], of[1]) - std::min(of[0], of[1]) <= 1);
        }
    // By channel, in proportion to the loads there.
    const VcClasses loaded(std::vector<std::vector<double>>{{3, 1}, {0, 5}});
    const VcClasses both = loaded.with_vcs(4).followed_by(VcClasses(1).with_vcs(2));
    CHECK(counts(both, 0, 6) == Counts{3, 1, 2});
    CHECK(counts(both, 1, 6) == Counts{0, 4, 2});
}

TEST_CASE("classes share virtual channels so that the busiest one carries as little as can be",
          "[routing][vc_classes]")
{
    SplitMix64 random(7);
    for (int i = 0; i < 300; ++i) {
        std::vector<double> loads(1 + random.below(4));
        for (double& load : loads)
            load = random.below(4) == 0 ? 0 : 1 + random.below(100);
        loads[random.below(static_cast<std::uint32_t>(loads.size()))] = 50;
        const auto vcs = static_cast<unsigned>(loads.size() + random.below(8));
        const std::vector<unsigned> shares = vcs_by_load(loads, vcs);
        REQUIRE(std::accumulate(shares.begin(), shares.end(), 0u) == vcs);
        for (std::size_t vc_class = 0; vc_class < loads.size(); ++vc_class)
            REQUIRE((shares[vc_class] > 0) == (loads[vc_class] > 0));
        REQUIRE(peak(loads, shares) == Approx(best_peak(loads, vcs)));
    }
}

TEST_CASE("ranges of classes follow each other and use every virtual channel", "[routing][vc_classes]")
{
    const VcClasses classes({{9, 1, 0}, {1, 1, 1}, {0, 0, 5}});
    using Ranges = std::vector<VcClasses::Range>;
    CHECK(classes.count() == 3);
    CHECK(classes.shares(0, 4) == Ranges{{0, 3}, {3, 1}, {4, 0}});
    CHECK(classes.shares(1, 4) == Ranges{{0, 1}, {1, 1}, {2, 2}});
    CHECK(classes.shares(2, 4) == Ranges{{0, 0}, {0, 0}, {0, 4}});
    CHECK(VcClasses(3).shares(5, 8) == Ranges{{0, 2}, {2, 3}, {5, 3}});
}

TEST_CASE("classes behind others keep their shares among themselves", "[routing][vc_classes]")
{
    using Ranges = std::vector<VcClasses::Range>;
    const VcClasses skewed({{6, 2}, {0, 8}});
    CHECK(VcClasses(1).followed_by(VcClasses(2)).shares(0, 6) == VcClasses(3).shares(0, 6));
    const VcClasses both = VcClasses(1).followed_by(skewed); // loads 1, 1.5, 0.5 and 1, 0, 2
    CHECK(both.count() == 3);
    CHECK(both.shares(0, 6) == Ranges{{0, 2}, {2, 3}, {5, 1}});
    CHECK(both.shares(1, 6) == Ranges{{0, 2}, {2, 0}, {2, 4}});
    CHECK(skewed.followed_by(0).shares(0, 4) == skewed.shares(0, 4));
}

} // namespace nocturne::vc_classes_test
