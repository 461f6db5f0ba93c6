// Schedules of chunks, as engines make them and changed, judged by carrying them out.
#include "schedules/certificate/check_bound.hpp"
#include "schedules/chunk_search/front.hpp"
#include "schedules/chunk_search/timed_search.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/asked_number.hpp"
#include "tests/schedules/schedule/plain_executor.hpp"
#include "tests/schedules/schedule/random_chunks.hpp"

namespace nocturne::plain_execution_test {

namespace {

bool has_steps(const Schedule& schedule)
{
    return schedule.synchronization == ScheduleSynchronization::steps;
}

struct Case {
    LinkNetwork network;
    Schedule schedule;
};

/// Valid: without barriers, or put in steps, or of the fewest steps.
std::optional<Case> valid_case(SplitMix64& random)
{
    const Topology topology = test::random_chunk_network(random, true);
    Case it{link_network_of(topology), {}};
    const std::uint32_t processors = it.network.processor_count();
    const SplitMix64 drawn(random());
    const Collective whole = test::random_chunk_collective(drawn, processors, 1);
    const auto form = random.below(5);
    if (form == 0) {
        const auto front = find_front(
            it.network, whole,
            {.most_parts = 1, .extra_rounds = 4, .extra_steps = 1, .tree_parts = 2, .conflicts_each = 300});
        if (front.empty())
            return std::nullopt;
        it.schedule = front.back().schedule;
    } else {
        const auto found = search_by_time(it.network, in_parts(whole, 1 + random.below(2)),
                                          {.cost = {.bytes_per_weight = 64}, .seed = random(), .runs = 1});
        if (!found)
            return std::nullopt;
        it.schedule = form < 3 ? found->schedule : test::put_in_steps(found->schedule, it.network);
    }
    if (random.below(2) == 0)
        it.schedule = test::with_places_renamed(it.schedule, random);
    return it;
}

std::string rules_of(const std::vector<Violation>& violations)
{
    std::string text;
    for (const Violation& violation : violations)
        text += std::string(to_string(violation.rule)) + ": " + violation.text + '\n';
    return text;
}

/// What follows from validity: every execution carries the weights, and no list takes another time.
void check_meaning(const Case& it, SplitMix64& random)
{
    CHECK(transfer_weights(it.schedule) == test::execute(it.schedule, it.network, random).weights);
    const AlphaBeta cost{.bytes_per_weight = 96, .start_cycles = 3};
    const double cycles = time_of(it.schedule, it.network, cost);
    const Schedule renamed = test::with_places_renamed(it.schedule, random);
    CHECK(rules_of(validate(renamed, it.network)) == "");
    CHECK(time_of(renamed, it.network, cost) == cycles);
    if (has_steps(it.schedule))
        return;
    const Schedule other = test::listed_otherwise(it.schedule, random);
    CHECK(rules_of(validate(other, it.network)) == "");
    CHECK(time_of(other, it.network, cost) == cycles);
}

} // namespace

TEST_CASE("what engines find is valid in every execution, and no bound is above it",
          "[chunks][plain_execution]")
{
    const std::uint64_t first = test::asked_number("NOCTURNE_CHUNK_FIRST", 0);
    for (std::uint64_t seed = first; seed < first + test::asked_number("NOCTURNE_CHUNK_PROBLEMS", 10);
         ++seed) {
        SplitMix64 random(seed);
        const Topology topology = test::random_chunk_network(random, true);
        Case it{link_network_of(topology), {}};
        const SplitMix64 drawn(random());
        ChunkProblem problem{.network = it.network,
                             .collective =
                                 test::random_chunk_collective(drawn, it.network.processor_count(), 1)};
        if (problem.collective.demands.empty())
            continue;
        if (random.below(2) == 0)
            problem.parts = 1 + random.below(3);
        problem.objective = static_cast<ChunkObjective>(random.below(3));
        problem.bytes = 64U << random.below(8);
        problem.start_cycles = 5 * random.below(2);
        problem.latency_holds_link = random.below(4) == 0;
        INFO("seed " << seed << ", " << to_string(problem.objective) << ", "
                     << to_string(problem.collective.kind) << " for " << it.network.processor_count());
        PortfolioResult found = find_schedule(
            problem, {.budget = std::chrono::duration<double>(0.03), .seed = seed, .workers = 1});
        REQUIRE(found.schedule);
        it.schedule = std::move(*found.schedule);
        CHECK(rules_of(validate(it.schedule, it.network)) == "");
        CHECK(test::failure_of(it.schedule, it.network, random) == "");
        CHECK(found.cycles == Approx(time_of(it.schedule, it.network, found.cost)));
        check_meaning(it, random);
        CHECK(refutations(found.bounds, it.network, it.schedule.collective).empty());
        if (has_steps(it.schedule) && found.bounds.steps)
            CHECK(found.bounds.steps->steps <= count_steps(it.schedule));
        if (has_steps(it.schedule) && found.bounds.rounds)
            CHECK(found.bounds.rounds->rounds.numerator <=
                  count_rounds(it.schedule) * found.bounds.rounds->rounds.denominator);
        if (found.bounds.cycles)
            CHECK(found.bounds.cycles->cycles <= found.cycles * (1 + 1e-9));
    }
}

TEST_CASE("a changed schedule is valid if and only if every execution gives what is owed",
          "[chunks][plain_execution]")
{
    std::size_t valid = 0, invalid = 0;
    const std::uint64_t first = test::asked_number("NOCTURNE_CHUNK_FIRST", 0);
    for (std::uint64_t seed = first; seed < first + test::asked_number("NOCTURNE_CHUNK_MUTATIONS", 400);
         ++seed) {
        INFO("seed " << seed);
        SplitMix64 random(seed);
        std::optional<Case> it = valid_case(random);
        if (!it)
            continue;
        if (seed % 20 == 0) {
            CHECK(rules_of(validate(it->schedule, it->network)) == "");
            CHECK(test::failure_of(it->schedule, it->network, random) == "");
        }
        for (auto changes = 1 + random.below(3); changes > 0; --changes)
            test::mutate(it->schedule, it->network, random);
        const auto violations = validate(it->schedule, it->network);
        const std::string failure = test::failure_of(it->schedule, it->network, random);
        INFO("violations: " << rules_of(violations) << "failure: " << failure);
        CHECK(violations.empty() == failure.empty());
        if (violations.empty() && failure.empty())
            check_meaning(*it, random);
        ++(failure.empty() ? valid : invalid);
    }
    INFO(valid << " of the changed schedules are valid, " << invalid << " are not");
    CHECK(valid > 0);
    CHECK(invalid > valid);
}

} // namespace nocturne::plain_execution_test
