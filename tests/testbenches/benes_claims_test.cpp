// What the verdicts of testbenches/benes_design_space are made with.
#include "testbenches/benes_design_space/claims.hpp"

#include <catch2/catch.hpp>

#include <cmath>

namespace nocturne::benes_claims_test {

using namespace nocturne::benes_design_space;
using Catch::Matchers::Contains;

namespace {

BenesPoint point(std::uint32_t q, std::uint32_t digits, std::uint32_t truncated, double mean_delay,
                 double delay_error)
{
    BenesPoint made;
    made.switch_size = q;
    made.digits = digits;
    made.truncated = truncated;
    made.columns = 2 * digits - 1 - truncated;
    made.link_bits = 256 / q;
    made.randomization = "multiple";
    made.permutations = "random";
    made.mean_delay = mean_delay;
    made.delay_error = delay_error;
    return made;
}

MapCell cell(const Choice& best, const Choice& of_claimed_size, const Choice& of_claimed_columns)
{
    return {1024, "random", readings().front().name, 256, best, of_claimed_size, of_claimed_columns};
}

} // namespace

TEST_CASE("a verdict says whether all, some or none hold", "[benes][claims]")
{
    using enum Ruling;
    CHECK(verdict_of(std::vector{holds, holds}) == "confirmed");
    CHECK(verdict_of(std::vector{holds, open}) == "confirmed");
    CHECK(verdict_of(std::vector{holds, fails}) == "confirmed under these conditions");
    CHECK(verdict_of(std::vector{fails, open}) == "refuted");
    CHECK(verdict_of(std::vector{open}) == "open");
}

TEST_CASE("a share holds, fails or is open by its confidence interval", "[benes][claims]")
{
    BenesPoint share;
    share.share_low = 0.995;
    share.share_high = 1;
    CHECK(rule_on_share(share) == Ruling::holds);
    share.share_low = 0.9949;
    CHECK(rule_on_share(share) == Ruling::open);
    share.share_high = 0.995;
    CHECK(rule_on_share(share) == Ruling::open);
    share.share_high = 0.9949;
    CHECK(rule_on_share(share) == Ruling::fails);
}

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

TEST_CASE("the best design is ruled on by intervals, too", "[benes][claims]")
{
    const Choice best{8, 2, {100, 2}};
    const Choice near{4, 1, {103, 2}};
    const Choice far{4, 1, {105, 2}};
    CHECK(rule_on_switch_size(cell(best, best, far)) == Ruling::holds);
    CHECK(rule_on_switch_size(cell(best, near, far)) == Ruling::open);
    CHECK(rule_on_switch_size(cell(best, far, near)) == Ruling::fails);
    CHECK(rule_on_columns(cell(best, far, near)) == Ruling::open);
    CHECK(rule_on_columns(cell(best, best, far)) == Ruling::fails);
    CHECK(rule_on_columns(cell(near, near, near)) == Ruling::holds);
}

TEST_CASE("multiple randomization is held against single", "[benes][claims]")
{
    CHECK(rule_on_randomization(point(2, 4, 0, 5, 0.1), point(2, 4, 0, 4, 0.1)) == Ruling::holds);
    CHECK(rule_on_randomization(point(2, 4, 0, 5, 0.6), point(2, 4, 0, 4, 0.6)) == Ruling::open);
    CHECK(rule_on_randomization(point(2, 4, 0, 4, 0.1), point(2, 4, 0, 5, 0.1)) == Ruling::fails);
    // A design without randomizing columns has no say.
    const ClaimRow row =
        claim_on_randomization("here", std::vector{point(2, 4, 3, 4, 0.1), point(2, 4, 3, 5, 0.1),
                                                   point(2, 4, 0, 6, 0.1), point(2, 4, 0, 4, 0.1)});
    CHECK(row.verdict == "confirmed");
    CHECK_THAT(row.numbers, Contains("holds in 1, open in 0, fails in 0 of 1") && Contains("1.50 times"));
}

TEST_CASE("delays are read as clock cycles in each way", "[benes][claims]")
{
    // 6 columns, links of 64 bits: 4 words.
    const BenesPoint design = point(4, 5, 3, 10, 0.5);
    const std::vector<double> expected{6 + 4, 4, 12 + 4, 6 + 4 + 5, 4 * 1, 4 * 7, 4 * 12};
    REQUIRE(readings().size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CAPTURE(readings()[i].name);
        CHECK(latency(design, readings()[i], 256).clocks == Approx(10 * expected[i]));
        CHECK(latency(design, readings()[i], 256).error == Approx(0.5 * expected[i]));
    }
}

TEST_CASE("the map has the fastest design of each reading and length", "[benes][claims]")
{
    // Links of 128 and 64 bits: q = 2 is good for long messages, q = 4 for short ones.
    BenesPoint slow = point(2, 10, 9, 1, 0.1);
    slow.randomization = "single"; // not in the map
    const std::vector<BenesPoint> points{slow, point(2, 10, 9, 5, 0.1), point(4, 5, 3, 5, 0.1)};
    const std::vector<std::uint64_t> lengths{64, 4096};
    const auto cells = map_of(1024, "random", points, lengths);
    REQUIRE(cells.size() == readings().size() * 2);
    CHECK(cells[0].best.switch_size == 4);
    CHECK(cells[0].best.randomizing_columns == 1);
    CHECK(cells[0].best.latency.clocks == Approx(5 * 7));
    CHECK(cells[1].best.switch_size == 2);
    CHECK(cells[1].best_of_claimed_size->latency.clocks == Approx(5 * (6 + 64)));
    CHECK(cells[1].best_of_claimed_columns->switch_size == 4);
    CHECK_FALSE(map_of(256, "random", points, lengths)[0].best_of_claimed_size);
    CHECK_THROWS_AS(map_of(1024, "random", std::span(&slow, 1), lengths), std::invalid_argument);

    const auto rows = claims_on_designs("1024 processors", cells);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].claim == "4 x 4 switches are best");
    CHECK(rows[0].verdict == "confirmed under these conditions");
    CHECK_THAT(rows[0].numbers, Contains("circuit a message, set-up 1: 64 bits"));
    CHECK(rows[1].claim == "one randomizing column is best");
    CHECK(claims_on_designs("256", map_of(256, "random", points, lengths)).empty());
}

TEST_CASE("both machine sizes must agree with the paper in one case", "[benes][claims]")
{
    const Choice four{4, 1, {100, 1}};
    const Choice eight{8, 1, {100, 1}};
    const Choice other{2, 0, {200, 1}};
    const auto at = [](std::uint32_t processors, std::uint64_t bits, const Choice& best,
                       const Choice& claimed) {
        return MapCell{processors, "random", readings()[1].name, bits, best, claimed, claimed};
    };
    const std::vector<MapCell> cells{at(1024, 64, four, four),   at(1024, 128, four, four),
                                     at(1024, 256, four, other), at(4096, 64, eight, eight),
                                     at(4096, 128, four, other), at(4096, 256, eight, eight)};
    const auto row = claim_on_all_sizes("random", cells);
    REQUIRE(row);
    CHECK(row->where == "1024 and 4096 processors, random");
    CHECK(row->verdict == "confirmed under these conditions");
    CHECK_THAT(row->numbers,
               Contains("holds in 1, open in 0, fails in 2 of 3") && Contains("set-up 0: 64 bits"));
    CHECK_FALSE(claim_on_all_sizes("random", std::span(cells).first(3)));
    CHECK_FALSE(claim_on_all_sizes("worst", cells));
}

TEST_CASE("the claim on the share lists switch sizes", "[benes][claims]")
{
    std::vector<BenesPoint> clos;
    for (const std::uint32_t q : {2U, 3U, 4U, 5U}) {
        BenesPoint each = point(q, 2, 0, 3, 0.1);
        each.randomization = "single";
        each.share_within_limit = q == 3 ? 0.9 : 1;
        each.share_low = q == 3 ? 0.8 : 0.999;
        each.share_high = q == 3 ? 0.95 : 1;
        each.messages_within_limit = 0.99;
        clos.push_back(each);
    }
    const auto rows = claims_on_share(clos, 6);
    CHECK(rows[0].verdict == "confirmed under these conditions");
    CHECK_THAT(rows[0].numbers,
               Contains("holds for q = 2, 4-5; open for none; fails for 3; least share 0.9"));
    CHECK(clos_table(clos, 6).rows.size() == 4);
}

} // namespace nocturne::benes_claims_test
