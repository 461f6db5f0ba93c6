#include "models/topology/make_topology.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "schedules/concurrent/concurrent.hpp"
#include "schedules/schedule/chunk_time.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/chunk_search/link_networks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace nocturne::concurrent_test {

namespace {

// More than a search takes that is to come near its bound, with sanitizers and beside others too: the clock
// decides nothing.
const PortfolioOptions options{.budget = std::chrono::duration<double>(240), .workers = 1};

ConcurrentProblem problem_on(const LinkNetwork& network)
{
    return {.network = network, .collectives = {}};
}

/// All lines along a dimension of a cube of this side.
std::vector<std::vector<std::uint32_t>> lines(std::uint32_t side, std::uint32_t stride)
{
    std::vector<std::vector<std::uint32_t>> groups;
    for (std::uint32_t first = 0; first < side * side * side; ++first) {
        if (first / stride % side != 0)
            continue;
        groups.emplace_back();
        for (std::uint32_t k = 0; k < side; ++k)
            groups.back().push_back(first + k * stride);
    }
    return groups;
}

/// Valid, and with proven bounds that it does not beat.
void require_sound(const ConcurrentProblem& problem, const ConcurrentResult& found)
{
    REQUIRE(found.schedule);
    CHECK(test::first_violation(*found.schedule, problem.network) == "");
    CHECK(found.cycles == Approx(time_of(*found.schedule, problem.network, found.cost)));
    CHECK(refutations(found.bounds, problem.network, found.schedule->collective).empty());
    REQUIRE(found.bounds.cycles);
    CHECK(found.bounds.cycles->cycles <= found.cycles * (1 + 1e-9));
    double last = 0;
    for (std::size_t i = 0; i < found.shares.size(); ++i) {
        const ConcurrentShare& share = found.shares[i];
        const auto start = static_cast<double>(problem.collectives[i].start_cycles);
        CHECK(start + share.bound_alone <= share.end_cycles * (1 + 1e-9));
        CHECK(start + share.bound_alone <= found.bounds.cycles->cycles * (1 + 1e-9));
        last = std::max(last, share.end_cycles);
    }
    CHECK(last == Approx(found.cycles));
}

/// Draws some collectives in groups, of which some wait for others.
ConcurrentProblem draw(SplitMix64& random)
{
    ConcurrentProblem problem = problem_on(
        random.below(2) == 0
            ? test::random_boxes(random)
            : test::random_links(
                  random,
                  {.least_processors = 4, .most_processors = 7, .most_switches = 2, .most_latency = 5}));
    problem.start_cycles = random.below(3);
    problem.latency_holds_link = random.below(3) == 0;
    const std::uint32_t processors = problem.network.processor_count();
    const std::size_t count = 1 + random.below(3);
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<std::uint32_t> order(processors);
        std::iota(order.begin(), order.end(), 0U);
        for (std::uint32_t k = processors; k > 1; --k)
            std::swap(order[k - 1], order[random.below(k)]);
        const std::uint32_t members = 2 + random.below(processors - 1);
        ConcurrentCollective one{
            fmt::format("c{}", i),
            test::chunk_kinds[random.below(static_cast<std::uint32_t>(test::chunk_kinds.size()))],
            {},
            std::uint64_t{1} << random.below(12)};
        for (std::uint32_t first = 0; first + members <= processors; first += members)
            one.groups.emplace_back(order.begin() + first, order.begin() + first + members);
        one.start_cycles = random.below(2) * random.below(3000);
        if (i > 0 && random.below(2) == 0)
            one.after.push_back(random.below(static_cast<std::uint32_t>(i)));
        problem.collectives.push_back(std::move(one));
    }
    return problem;
}

} // namespace

TEST_CASE("three all-reduces along the dimensions of a torus do not meet", "[concurrent]")
{
    ConcurrentProblem problem = problem_on(link_network_of(make_topology("torus:4x4x4")));
    for (const std::uint32_t stride : {1U, 4U, 16U})
        problem.collectives.push_back({fmt::format("{} apart", stride), CollectiveKind::allreduce,
                                       lines(4, stride), std::uint64_t{1} << 20U});
    const ConcurrentResult found = find_concurrent_schedule(problem, options);
    require_sound(problem, found);
    CHECK(found.cycles <= 1.02 * found.bounds.cycles->cycles);
    for (const ConcurrentShare& share : found.shares) {
        CHECK(share.is_within_groups);
        CHECK(share.end_cycles == Approx(share.cycles_alone));
    }
}

TEST_CASE("collectives that share links take no less than their sum", "[concurrent]")
{
    ConcurrentProblem problem = problem_on(link_network_of(make_topology("dgx_h100")));
    const std::vector<std::vector<std::uint32_t>> all{{0, 1, 2, 3, 4, 5, 6, 7}};
    problem.collectives = {{"one", CollectiveKind::allgather, all, 1 << 20},
                           {"two", CollectiveKind::alltoall, all, 7 << 20}};
    const ConcurrentResult found = find_concurrent_schedule(problem, options);
    require_sound(problem, found);
    // 7 MiB come into each processor for either, over eighteen links of 4 bytes a cycle.
    CHECK(found.bounds.cycles->cycles > 2.0 * (7 << 20) / 72);
    CHECK(found.cycles <= 1.05 * found.bounds.cycles->cycles);
}

TEST_CASE("what waits begins at a member when the others have ended there", "[concurrent]")
{
    ConcurrentProblem problem = problem_on(link_network_of(make_topology("ring:6")));
    const std::vector<std::vector<std::uint32_t>> all{{0, 1, 2, 3, 4, 5}};
    problem.collectives = {{"first", CollectiveKind::allgather, all, 4096},
                           {"second", CollectiveKind::allreduce, all, 4096, {0}}};
    const ConcurrentResult found = find_concurrent_schedule(problem, options);
    require_sound(problem, found);
    const Schedule& schedule = *found.schedule;
    const std::vector<double> ends = end_times(schedule, problem.network, found.cost);
    const std::vector<std::uint32_t> weights = transfer_weights(schedule);
    const ChunkId second = 6 * found.shares[0].parts; // the first chunk of it
    const TransferList transfers(schedule);
    std::vector<double> ended(6, 0), begun(6, 1e300);
    for (std::uint32_t id = 0; id < transfers.size(); ++id) {
        const Transfer& transfer = transfers[id];
        const double duration = transfer_time(transfer, weights[id], problem.network, found.cost).duration;
        if (transfer.to < second)
            ended[transfer.destination] = std::max(ended[transfer.destination], ends[id]);
        else if (!transfer.is_local())
            begun[transfer.source] = std::min(begun[transfer.source], ends[id] - duration);
    }
    for (std::uint32_t member = 0; member < 6; ++member)
        CHECK(begun[member] >= ended[member] * (1 - 1e-9));
}

TEST_CASE("what starts later begins later, and the bound knows", "[concurrent]")
{
    ConcurrentProblem problem = problem_on(link_network_of(make_topology("ring:6")));
    const std::vector<std::vector<std::uint32_t>> all{{0, 1, 2, 3, 4, 5}};
    problem.collectives = {{"first", CollectiveKind::allgather, all, 4096},
                           {"second", CollectiveKind::allreduce, all, 4096, {}, 20000}};
    const ConcurrentResult found = find_concurrent_schedule(problem, options);
    require_sound(problem, found);
    const Schedule& schedule = *found.schedule;
    const std::vector<double> ends = end_times(schedule, problem.network, found.cost);
    const std::vector<std::uint32_t> weights = transfer_weights(schedule);
    const ChunkId second = 6 * found.shares[0].parts; // the first chunk of it
    const TransferList transfers(schedule);
    double begun = 1e300;
    for (std::uint32_t id = 0; id < transfers.size(); ++id)
        if (transfers[id].to >= second)
            begun = std::min(
                begun,
                ends[id] - transfer_time(transfers[id], weights[id], problem.network, found.cost).duration);
    CHECK(begun == Approx(20000));
    CHECK(found.shares[0].end_cycles < 20000); // it does not wait
    CHECK(found.bounds.cycles->released_from == 20000);
    CHECK(found.bounds.cycles->cycles == Approx(20000 + found.shares[1].bound_alone));
    CHECK(found.cycles <= 1.02 * found.bounds.cycles->cycles);
}

TEST_CASE("groups take relays where they are not connected, and leave busy links to each other",
          "[concurrent]")
{
    ConcurrentProblem problem = problem_on(link_network_of(make_topology("torus:4x4x4")));
    std::vector<std::vector<std::uint32_t>> blocks(8), across(8); // 2x2x2 each
    for (std::uint32_t z = 0; z < 4; ++z)
        for (std::uint32_t y = 0; y < 4; ++y)
            for (std::uint32_t x = 0; x < 4; ++x) {
                blocks[x / 2 + 2 * (y / 2) + 4 * (z / 2)].push_back(x + 4 * y + 16 * z);
                across[x % 2 + 2 * (y % 2) + 4 * (z % 2)].push_back(x + 4 * y + 16 * z);
            }
    problem.collectives = {{"tensor", CollectiveKind::allreduce, blocks, 1 << 22},
                           {"data", CollectiveKind::allreduce, across, 1 << 20},
                           {"expert", CollectiveKind::alltoall, lines(4, 16), 1 << 20}};
    const ConcurrentResult found = find_concurrent_schedule(problem, options);
    require_sound(problem, found);
    CHECK(found.shares[0].is_within_groups);
    CHECK_FALSE(found.shares[1].is_within_groups);
    // If tensor used all of its links alike, those along z, which all three use, would be busy for a seventh
    // longer.
    CHECK(found.cycles <= 1.1 * found.bounds.cycles->cycles);
}

TEST_CASE("any collectives at once are carried out, and not faster than their bounds", "[concurrent]")
{
    const unsigned seed = GENERATE(range(1U, 4U));
    SplitMix64 random(seed);
    const ConcurrentProblem problem = draw(random);
    PortfolioOptions quick = options;
    quick.budget = std::chrono::duration<double>(4);
    quick.seed = seed;
    require_sound(problem, find_concurrent_schedule(problem, quick));
}

TEST_CASE("groups that cannot be are refused", "[concurrent]")
{
    ConcurrentProblem problem = problem_on(link_network_of(make_topology("ring:6")));
    CHECK_THROWS_WITH(find_concurrent_schedule(problem), "no collective");
    const auto [one, error] = GENERATE(table<ConcurrentCollective, std::string>(
        {{{"a", CollectiveKind::permutation, {{0, 1}}, 1},
          "collective 'a': permutation is not one of a group"},
         {{"a", CollectiveKind::allreduce, {}, 1}, "collective 'a': no groups"},
         {{"a", CollectiveKind::allreduce, {{0, 1}}, 0}, "collective 'a': 0 bytes"},
         {{"a", CollectiveKind::allreduce, {{0, 1}, {2, 3, 4}}, 1},
          "collective 'a': groups of different sizes"},
         {{"a", CollectiveKind::allreduce, {{0, 1}, {1, 2}}, 1},
          "collective 'a': processor 1 is in two groups, or twice in one"},
         {{"a", CollectiveKind::allreduce, {{0, 1}}, 1, {0}},
          "collective 'a': it waits for one that is not listed before it"}}));
    problem.collectives = {one};
    CHECK_THROWS_WITH(find_concurrent_schedule(problem), error);
}

} // namespace nocturne::concurrent_test
