#include "models/topology/make_topology.hpp"
#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_search/exact_steps.hpp"
#include "schedules/chunk_search/timed_search.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/schedules/chunk_search/link_networks.hpp"

#include <set>

namespace nocturne::chunk_bounds_found_test {
namespace {

/// Up to eight chunks: copies for one or two receivers, some released late, or sums of some for one.
Collective random_custom(SplitMix64& random, std::uint32_t processors)
{
    Collective collective{CollectiveKind::custom, processors, 1, {}, {}};
    const bool adds = random.below(3) == 0, waits = !adds && random.below(2) == 0;
    const auto chunks = static_cast<ChunkId>(1 + random.below(8));
    for (ChunkId id = 0; id < chunks; ++id) {
        std::vector<std::uint32_t> contributors;
        for (std::uint32_t one = 0; adds && one < processors; ++one)
            if (random.below(2) == 0)
                contributors.push_back(one);
        if (contributors.empty())
            contributors.push_back(static_cast<std::uint32_t>(random.below(processors)));
        Chunk chunk{static_cast<std::uint32_t>(1 + random.below(3)), contributors};
        if (waits)
            chunk.release_cycles = random.below(60);
        collective.chunks.push_back(std::move(chunk));
        const auto first = static_cast<std::uint32_t>(random.below(processors));
        const auto last = adds ? first : static_cast<std::uint32_t>(first + random.below(processors - first));
        for (const std::uint32_t receiver : std::set{first, last})
            collective.demands.push_back({id, receiver, contributors});
    }
    return collective;
}

} // namespace

TEST_CASE("no schedule is faster than what is claimed, whatever the links", "[chunks][bounds]")
{
    const unsigned seed = GENERATE(range(1U, 61U));
    SplitMix64 random{seed};
    const LinkNetwork network =
        seed > 40 ? test::random_boxes(random)
                  : test::random_links(random, {.most_switches = 2, .copies = true, .most_latency = 8});
    const CollectiveShape shape{.processors = network.processor_count(), .parts = 1 + random.below(3)};
    const AlphaBeta cost{.bytes_per_weight = 1.0 + random.below(20),
                         .start_cycles = 0.25 * random.below(9),
                         .latency_holds_link = random.below(2) == 0};
    for (const CollectiveKind kind :
         {CollectiveKind::allgather, CollectiveKind::reduce_scatter, CollectiveKind::broadcast,
          CollectiveKind::scatter, CollectiveKind::alltoall, CollectiveKind::allreduce,
          CollectiveKind::scan}) {
        const Collective collective = test::of_kind(kind, shape, 1);
        const Bounds bounds = best_chunk_bounds(network, collective, cost);
        REQUIRE(bounds.cycles);
        REQUIRE(bounds.steps);
        CHECK(refutations(bounds, network, collective).empty());
        const auto found = search_by_time(network, collective, {.cost = cost, .runs = 3});
        REQUIRE(found);
        INFO(to_string(kind));
        CHECK(bounds.cycles->cycles <= found->cycles * (1 + 1e-12));
        // Sums are searched for backwards, where no switch stores anything.
        if (!reduces(collective))
            CHECK(bounds.cycles->cycles > 0.9 * found->bound);

        // However finely blocks are cut: whatever number of parts a schedule is made for.
        const Bounds any = best_chunk_bounds(network, collective, cost, BoundScope::any_parts);
        REQUIRE(any.cycles);
        CHECK(any.cycles->cycles <= bounds.cycles->cycles * (1 + 1e-9));
        for (const std::uint32_t factor : {1U, 3U, 16U}) {
            const Collective finer =
                test::of_kind(kind, {.processors = shape.processors, .parts = shape.parts * factor}, 1);
            AlphaBeta cost_of_finer = cost;
            cost_of_finer.bytes_per_weight /= factor;
            const Bounds adapted = bounds_for_parts(any, network, finer, cost_of_finer.bytes_per_weight);
            CHECK(refutations(adapted, network, finer).empty());
            const auto in_more_parts = search_by_time(network, finer, {.cost = cost_of_finer, .runs = 1});
            REQUIRE(in_more_parts);
            CHECK(any.cycles->cycles <= in_more_parts->cycles * (1 + 1e-9));
        }
    }
}

TEST_CASE("no schedule of what is owed at random is faster than what is claimed", "[chunks][bounds]")
{
    const unsigned all = test::tries(2'400, 20);
    unsigned judged = 0;
    for (unsigned seed = 1; seed <= all; ++seed) {
        SplitMix64 random{seed};
        const LinkNetwork network =
            seed % 2 == 0
                ? test::random_boxes(random)
                : test::random_links(random, {.most_switches = 2, .copies = true, .most_latency = 30});
        const Collective collective = random_custom(random, network.processor_count());
        const AlphaBeta cost{.bytes_per_weight = 1.0 + random.below(20),
                             .start_cycles = 0.25 * random.below(90),
                             .latency_holds_link = random.below(2) == 0};
        const auto found = search_by_time(network, collective, {.cost = cost, .runs = 4});
        if (!found || found->schedule.steps.front().empty())
            continue;
        CAPTURE(seed);
        CHECK(test::first_violation(found->schedule, network) == "");
        for (const BoundScope scope : {BoundScope::own_parts, BoundScope::any_parts}) {
            const Bounds bounds = best_chunk_bounds(network, collective, cost, scope);
            CHECK(refutations(bounds, network, collective).empty());
            if (bounds.cycles)
                CHECK(bounds.cycles->cycles <= found->cycles * (1 + 1e-9));
            judged += bounds.cycles ? 1 : 0;
        }
    }
    CHECK(judged > all); // both, of more than half
}

TEST_CASE("an all-reduce comes into every box as often as into a processor", "[chunks][bounds]")
{
    constexpr std::uint32_t each = 8, count = 8;
    const LinkNetwork rails = test::rails(count, each);
    const Collective collective = allreduce({.processors = each * count});
    const auto bound = best_rounds_bound(rails, collective);
    REQUIRE(bound);
    // Links of 50 are one unit: eight of them lead into each box.
    CHECK(bound->rounds == make_ratio(2 * (count - 1), count * each));
    CHECK_FALSE(refute(*bound, rails, collective));
    const auto& boxes = std::get<Receptions>(bound->certificate).boxes;
    CHECK(boxes.size() == 8);
}

TEST_CASE("an all-reduce over rails takes two ways, or as many sums as there are boxes", "[chunks][bounds]")
{
    // Each box is owed what 31 others contribute: over the rails, which are 3000 cycles long, once for each,
    // or once after these have met.
    const LinkNetwork network = test::rails(32, 8);
    const Collective collective = allreduce({.processors = network.processor_count()});
    const Bounds bounds =
        best_chunk_bounds(network, collective, AlphaBeta{.bytes_per_weight = 65536}, BoundScope::any_parts);
    REQUIRE(bounds.cycles);
    CHECK(bounds.cycles->cycles == Approx(65536.0 / 400 + (30 * 6000 + 3000) / 31.0));
}

TEST_CASE("what the search refutes is claimed with its proof, backwards too", "[chunks][bounds]")
{
    const LinkNetwork network = link_network_of(make_topology("ring:5"));
    const CollectiveShape shape{.processors = 5, .parts = 1};
    for (const Collective& collective : {allgather(shape), reduce_scatter(shape)}) {
        // In two steps of a round each a ring of 5 is just done, and not in less.
        ExactAnswer answer = decide_steps(network, collective, {.shape = {2, 2}, .proof = Proof::drat});
        CHECK(answer.verdict == Verdict::satisfiable);
        answer = decide_steps(network, collective, {.shape = {1, 3}, .proof = Proof::drat});
        REQUIRE(answer.verdict == Verdict::unsatisfiable);
        Bound bound{.steps = 1,
                    .certificate = InfeasibilityProof{answer.proof},
                    .measure = Measure::rounds_in_steps,
                    .rounds = {4}};
        CHECK_FALSE(refute(bound, network, collective));
        bound.steps = 2;
        bound.rounds = {3};
        CHECK(refute(bound, network, collective));
    }
    LinkNetwork dgx{"two of three", 3}; // unequal links: the proof is more than propagation
    dgx.add_links(0, 1, 2, 0);
    dgx.add_links(1, 2, 1, 0);
    dgx.add_links(0, 2, 1, 0);
    const Collective gather = allgather({.processors = 3, .parts = 4});
    const Bounds bounds = best_chunk_bounds(dgx, gather, std::nullopt);
    CHECK_FALSE(bounds.cycles);
    REQUIRE(bounds.rounds);
    CHECK(bounds.rounds->rounds == Ratio{4, 1}); // 8 chunks enter 2 over two units
}

TEST_CASE("nothing is claimed of what cannot be reached, or is not owed", "[chunks][bounds]")
{
    LinkNetwork one_way{"one way", 2};
    one_way.add_link({0, 1, 1, 0});
    CHECK(best_chunk_bounds(one_way, allgather({.processors = 2}), AlphaBeta{}).empty());
    CHECK_FALSE(best_chunk_bounds(one_way, scan({.processors = 2}), AlphaBeta{}).empty());
    CHECK(best_chunk_bounds(one_way, Collective{.processors = 2}, AlphaBeta{}).empty());
}

} // namespace nocturne::chunk_bounds_found_test
