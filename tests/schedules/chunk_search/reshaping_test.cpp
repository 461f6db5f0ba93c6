#include "schedules/chunk_search/reshaping.hpp"
#include "schedules/chunk_search/timed_search.hpp"
#include "schedules/schedule/chunk_time.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/chunk_search/link_networks.hpp"

namespace nocturne::reshaping_test {

using test::first_violation;

TEST_CASE("what is found without barriers is valid with them, and in more parts", "[chunk_search][reshaping]")
{
    SplitMix64 random{GENERATE(range(1U, 46U))};
    const LinkNetwork network = test::random_links(
        random, {.most_processors = 6, .most_switches = 2, .most_latency = 8, .most_more = 8});
    const CollectiveShape shape{.processors = network.processor_count(), .parts = 1 + random.below(3)};
    const AlphaBeta cost{.bytes_per_weight = 1.0 + random.below(20), .start_cycles = 0.25 * random.below(9)};
    for (const CollectiveKind kind : test::chunk_kinds) {
        const std::uint32_t root = random.below(shape.processors);
        const auto found = search_by_time(network, test::of_kind(kind, shape, root),
                                          {.cost = cost, .seed = random(), .runs = 2});
        CAPTURE(to_string(kind), network.processor_count());
        REQUIRE(found);
        const Schedule few_steps = in_steps(found->schedule, network, StepPacking::fewest_steps);
        const Schedule few_rounds = in_steps(found->schedule, network, StepPacking::fewest_rounds);
        CHECK(first_violation(few_steps, network) == "");
        CHECK(first_violation(few_rounds, network) == "");
        CHECK(count_steps(few_steps) <= count_steps(few_rounds));

        const std::uint32_t factor = 1 + random.below(4);
        CollectiveShape finer = shape;
        finer.parts *= factor;
        const Schedule cut = in_more_parts(found->schedule, factor);
        CHECK(cut.collective == test::of_kind(kind, finer, root));
        CHECK(first_violation(cut, network) == "");
        AlphaBeta of_pieces = cost;
        of_pieces.bytes_per_weight /= factor;
        // Behind switches transfers share wide links, and pieces may come to them in another order.
        if (network.node_count() == network.processor_count())
            CHECK(time_of(cut, network, of_pieces) <= found->cycles * (1 + 1e-9));
        const Schedule cut_steps = in_more_parts(few_rounds, factor);
        CHECK(first_violation(cut_steps, network) == "");
        CHECK(count_steps(cut_steps) == count_steps(few_rounds));
        CHECK(count_rounds(cut_steps) == factor * count_rounds(few_rounds));
        CHECK_THROWS_AS(in_more_parts(found->schedule, 0), std::invalid_argument);
    }
}

TEST_CASE("two who exchange in a step need no place for what comes", "[chunk_search][reshaping]")
{
    const LinkNetwork network = test::grid({.sides = {2, 2}, .bytes_per_cycle = {4, 4}});
    const auto found =
        search_by_time(network, allreduce({.processors = 4, .parts = 2}), {.cost = {.start_cycles = 100}});
    REQUIRE(found);
    const Schedule steps = in_steps(found->schedule, network, StepPacking::fewest_steps);
    REQUIRE(count_steps(steps) == 2);
    CHECK(first_violation(steps, network) == "");
    CHECK(count_transfers(steps) == 16);
    for (const ListedTransfer& one : list_transfers(steps)) {
        CHECK(one.transfer.message < 2);
        CHECK(one.transfer.to < 2);
    }
}

TEST_CASE("links have room for their units in a round", "[chunk_search][reshaping]")
{
    // Six chunks over a link of two units: three rounds, in as many steps or in one.
    LinkNetwork network{"wide", 2};
    network.add_link({0, 1, 2, 0});
    network.add_link({1, 0, 1, 0});
    const auto found = search_by_time(network, broadcast({.processors = 2, .parts = 6}, 0), {});
    REQUIRE(found);
    const Schedule few_rounds = in_steps(found->schedule, network, StepPacking::fewest_rounds);
    CHECK(count_steps(few_rounds) == 3);
    CHECK(count_rounds(few_rounds) == 3);
    const Schedule few_steps = in_steps(found->schedule, network, StepPacking::fewest_steps);
    CHECK(count_steps(few_steps) == 1);
    CHECK(count_rounds(few_steps) == 3);
}

} // namespace nocturne::reshaping_test
