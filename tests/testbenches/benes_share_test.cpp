// The bound of testbenches/benes_design_space on the share of quick permutations.
#include "sim/benes/benes.hpp"
#include "testbenches/benes_design_space/share.hpp"
#include "tests/catch.hpp"

#include <cmath>

namespace nocturne::benes_share_test {

using namespace nocturne::benes_design_space;

TEST_CASE("the bound on the share is the probability that no output is drawn too often", "[benes][claims]")
{
    // Two switches with two messages each, both at the same output with probability 1/2.
    CHECK(most_share_within(2, 1) == Approx(0.25));
    CHECK(most_share_within(2, 2) == Approx(1));
    CHECK(most_share_within(3, 1) == Approx(std::pow(6.0 / 27, 3)));
    CHECK(most_share_within(3, 2) == Approx(std::pow(24.0 / 27, 3)));
    // 4^4 draws: 24 without a repetition, 4 + 4*4*3 with three or more of one.
    CHECK(most_share_within(4, 2) == Approx(std::pow((256.0 - 52) / 256, 4)));
    CHECK(most_share_within(64, 64) == Approx(1));
}

TEST_CASE("no simulation exceeds the bound on the share", "[benes][claims]")
{
    BenesOptions options{.randomizations = {Randomization::single}, .permutations = {"random", "worst"}};
    options.search_evaluations = 5;
    options.samples = 200;
    options.delay_limit = 2;
    for (const BenesPoint& each :
         evaluate_benes(std::vector<BenesDesign>{{4, 2, 0, 1}, {6, 2, 0, 1}}, options))
        CHECK(each.share_low <= most_share_within(each.switch_size, 2));
}

} // namespace nocturne::benes_share_test
