#include "models/topology/make_topology.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "schedules/chunk_flows/flow_schedule.hpp"
#include "schedules/conversion/conversion.hpp"
#include "schedules/portfolio/best_schedule.hpp"
#include "schedules/portfolio/construct.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/chunk_search/link_networks.hpp"
#include "tests/schedules/portfolio/chunk_problems.hpp"

namespace nocturne::chunk_portfolio_test {

using test::chunk_problem, test::patient;

TEST_CASE("objectives are reached on a ring whose best schedules everybody knows", "[chunks][portfolio]")
{
    const LinkNetwork network = link_network_of(make_topology("ring:5"));
    const auto steps =
        find_schedule(chunk_problem(CollectiveKind::allgather, network, ChunkObjective::steps), patient);
    REQUIRE(steps.schedule);
    CHECK(count_steps(*steps.schedule) == 2);
    CHECK(count_rounds(*steps.schedule) == 2);
    CHECK(steps.is_optimal);
    // Four vectors come in over two links: two rounds a chunk.
    const auto bandwidth =
        find_schedule(chunk_problem(CollectiveKind::allgather, network, ChunkObjective::bandwidth), patient);
    REQUIRE(bandwidth.schedule);
    CHECK(count_rounds(*bandwidth.schedule) == 2 * bandwidth.schedule->collective.parts);
    CHECK(bandwidth.is_optimal);
}

TEST_CASE("the bytes are those of the largest vector that a processor contributes", "[chunks][portfolio]")
{
    CHECK(largest_contribution(allgather({.processors = 5, .parts = 3})) == 3);
    CHECK(largest_contribution(reduce_scatter({.processors = 5, .parts = 3})) == 15);
    CHECK(largest_contribution(alltoall({.processors = 5, .parts = 3})) == 12);
    CHECK(largest_contribution(allreduce({.processors = 5, .parts = 3})) == 3);
    const LinkNetwork network = link_network_of(make_topology("complete:4"));
    ChunkProblem problem = chunk_problem(CollectiveKind::allgather, network, ChunkObjective::time);
    problem.parts = 2;
    problem.bytes = 800;
    const PortfolioResult found = find_schedule(problem, patient);
    REQUIRE(found.schedule);
    CHECK(found.cost.bytes_per_weight == Approx(400));
    // Both chunks of each neighbour over its own link of 4 bytes a cycle, and a cycle of latency.
    CHECK(found.cycles == Approx(201));
    CHECK(found.is_optimal);
    problem.bytes = 0;
    CHECK_THROWS_AS(find_schedule(problem, patient), std::invalid_argument);
}

TEST_CASE("an all-to-all by time goes over the best flow", "[chunks][portfolio]")
{
    const LinkNetwork network = link_network_of(make_topology("mesh:4x4"));
    ChunkProblem problem = chunk_problem(CollectiveKind::alltoall, network, ChunkObjective::time);
    problem.parts = 4;
    problem.bytes = 15 * 64000;
    const PortfolioResult found = find_schedule(problem, patient);
    REQUIRE(found.schedule);
    CHECK(found.engine == "flow");
    // 64 blocks of 64000 bytes cross the middle over 4 links of 4 bytes a cycle.
    REQUIRE(found.bounds.cycles);
    CHECK(found.bounds.cycles->cycles == Approx(256000).epsilon(1e-5));
    CHECK(found.cycles < 1.01 * 256000);
}

namespace {

double rounds_a_chunk(const PortfolioResult& finding)
{
    return static_cast<double>(count_rounds(*finding.schedule)) / finding.schedule->collective.parts;
}

/// A ring, or a line with links of unequal width and latency.
LinkNetwork small_network(unsigned which)
{
    if (which == 0)
        return link_network_of(make_topology("ring:4"));
    LinkNetwork line{"line", 3};
    line.add_links(0, 1, 2, 5);
    line.add_links(1, 2, 1, 1);
    return line;
}

} // namespace

TEST_CASE("boxes that people have are at their bounds, with few chunks", "[chunks][portfolio]")
{
    // All four collectives on each are rows of testbenches/collectives_of_today.
    const auto [box, kind] =
        GENERATE(table<std::string, CollectiveKind>({{"dgx1", CollectiveKind::allreduce},
                                                     {"dgx2", CollectiveKind::alltoall},
                                                     {"dgx_a100", CollectiveKind::reduce_scatter},
                                                     {"dgx_h100", CollectiveKind::allreduce}}));
    const LinkNetwork network = link_network_of(make_topology(box));
    ChunkProblem problem = chunk_problem(kind, network, ChunkObjective::time);
    problem.bytes = 64 << 20;
    const PortfolioResult found = find_schedule(problem, patient);
    CAPTURE(box, to_string(kind), found.gap.value_or(-1), found.parts_tried);
    REQUIRE(found.schedule);
    CHECK(found.gap.value() < 2e-3);
    // As many as a link's share of a chunk needs, not thousands that hide the latencies.
    CHECK(found.schedule->collective.parts <= 144);
    CHECK(validate(*found.schedule, network).empty());
}

TEST_CASE("no objective does better than another at its own", "[chunks][portfolio]")
{
    const LinkNetwork network = small_network(GENERATE(0U, 1U));
    const std::optional<std::uint32_t> parts =
        GENERATE(std::optional<std::uint32_t>{}, std::optional{1U}, std::optional{2U}, std::optional{3U});
    for (const CollectiveKind kind : test::chunk_kinds) {
        std::vector<PortfolioResult> found;
        for (const auto objective : {ChunkObjective::steps, ChunkObjective::bandwidth}) {
            ChunkProblem problem = chunk_problem(kind, network, objective);
            problem.parts = parts;
            found.push_back(find_schedule(problem, patient));
        }
        CAPTURE(network.name(), to_string(kind), parts.value_or(0));
        const PortfolioResult &steps = found[0], &bandwidth = found[1];
        CHECK(count_steps(*steps.schedule) <= count_steps(*bandwidth.schedule));
        CHECK(rounds_a_chunk(bandwidth) <= rounds_a_chunk(steps));
        if (rounds_a_chunk(bandwidth) == rounds_a_chunk(steps))
            CHECK(count_steps(*steps.schedule) == count_steps(*bandwidth.schedule));
    }
}

TEST_CASE("more chunks are never worse than a number that divides theirs", "[chunks][portfolio]")
{
    const LinkNetwork network = small_network(GENERATE(0U, 1U));
    const ChunkObjective objective =
        GENERATE(ChunkObjective::steps, ChunkObjective::bandwidth, ChunkObjective::time);
    const CollectiveKind kind = GENERATE(CollectiveKind::allgather, CollectiveKind::allreduce,
                                         CollectiveKind::alltoall, CollectiveKind::scan);
    std::vector<PortfolioResult> found;
    for (const std::uint32_t parts : {1U, 3U, 6U}) {
        ChunkProblem problem = chunk_problem(kind, network, objective);
        problem.parts = parts;
        problem.bytes = 600;
        found.push_back(find_schedule(problem, patient));
        CHECK(found.back().schedule->collective.parts == parts);
    }
    CAPTURE(network.name(), to_string(kind), to_string(objective));
    for (std::size_t i = 1; i < found.size(); ++i) {
        if (objective == ChunkObjective::time)
            CHECK(found[i].cycles <= found[i - 1].cycles * (1 + 1e-9));
        else
            CHECK(rounds_a_chunk(found[i]) <= rounds_a_chunk(found[i - 1]));
        if (objective == ChunkObjective::steps)
            CHECK(count_steps(*found[i].schedule) <= count_steps(*found[i - 1].schedule));
    }
}

TEST_CASE("the number of chunks that is chosen is nearly the best one", "[chunks][portfolio]")
{
    struct Row {
        std::string network;
        CollectiveKind kind;
        double bytes;
        double start_cycles;
    };
    // Links are held for the start-up, so that more chunks are not always better.
    const Row row = GENERATE(Row{"mesh:2x3", CollectiveKind::broadcast, 16384, 40},
                             Row{"ring:4", CollectiveKind::allreduce, 16384, 40},
                             Row{"ring:4", CollectiveKind::allgather, 4096, 100},
                             Row{"star:4", CollectiveKind::broadcast, 4096, 50});
    const LinkNetwork network = link_network_of(make_topology(row.network));
    ChunkProblem problem = chunk_problem(row.kind, network, ChunkObjective::time);
    problem.bytes = row.bytes;
    problem.start_cycles = row.start_cycles;
    problem.latency_holds_link = true;
    const PortfolioResult chosen = find_schedule(problem, patient);
    CAPTURE(row.network, to_string(row.kind), chosen.schedule->collective.parts, chosen.cycles);
    CHECK(chosen.end != EndReason::out_of_budget);
    REQUIRE(chosen.gap);
    REQUIRE(chosen.bounds.cycles);
    CHECK(chosen.bounds.cycles->holds_for_any_parts);
    CHECK(*chosen.gap == Approx(chosen.cycles / chosen.bounds.cycles->cycles - 1).margin(1e-9));
    for (std::uint32_t parts = 1; parts <= 64; parts *= 2) {
        problem.parts = parts;
        const PortfolioResult given = find_schedule(problem, patient);
        CAPTURE(parts, given.cycles);
        CHECK(chosen.cycles <= 1.03 * given.cycles);
        CHECK(chosen.bounds.cycles->cycles <= given.cycles * (1 + 1e-9));
    }
}

TEST_CASE("a schedule at its bound has no gap, whatever its time was rounded to", "[chunks][portfolio]")
{
    const LinkNetwork network = link_network_of(make_topology("ring:4"));
    ChunkProblem problem = chunk_problem(CollectiveKind::allgather, network, ChunkObjective::time);
    problem.bytes = 100'000;
    const PortfolioResult found = find_schedule(problem, patient);
    CHECK(found.is_optimal);
    CHECK(found.gap == 0.0);
}

TEST_CASE("several processes find what one finds", "[chunks][portfolio]")
{
    const LinkNetwork network = link_network_of(make_topology("mesh:2x3"));
    const auto kind = GENERATE(CollectiveKind::allgather, CollectiveKind::allreduce);
    const auto objective = GENERATE(ChunkObjective::steps, ChunkObjective::bandwidth, ChunkObjective::time);
    ChunkProblem problem = chunk_problem(kind, network, objective);
    problem.parts = 2;
    problem.bytes = 4096;
    problem.start_cycles = 50;
    PortfolioOptions options{.budget = std::chrono::seconds(1000), .workers = 1};
    const PortfolioResult one = find_schedule(problem, options);
    options.budget = std::chrono::seconds(500); // says nothing
    options.workers = 3;
    options.least_to_hand_over = {};
    const PortfolioResult three = find_schedule(problem, options);
    CAPTURE(to_string(kind), to_string(objective));
    CHECK(one.schedule == three.schedule);
    CHECK(one.engine == three.engine);
    CHECK(one.is_optimal == three.is_optimal);
    CHECK(one.bounds == three.bounds);
}

TEST_CASE("whenever a search is stopped it ends there, and later it is never worse", "[chunks][portfolio]")
{
    // The clock of the test: how many searches of engines have begun.
    const auto [kind, spec] = GENERATE(table<CollectiveKind, std::string>(
        {{CollectiveKind::broadcast, "mesh:2x3"}, // an all-reduce of six takes seconds at its end
         {CollectiveKind::alltoall, "mesh:2x3"},
         {CollectiveKind::allreduce, "mesh:1x4"},
         {CollectiveKind::scan, "mesh:2x3"}}));
    const LinkNetwork network = link_network_of(make_topology(spec));
    CAPTURE(to_string(kind));
    constexpr unsigned most_calls = 28, most_after = 16;
    double least = HUGE_VAL;
    bool is_over = false;
    for (unsigned stop_at = 1; stop_at <= most_calls && !is_over; stop_at += 3) {
        std::atomic<bool> stop = false;
        unsigned calls = 0;
        ChunkProblem problem = chunk_problem(kind, network, ChunkObjective::time);
        PortfolioOptions options{.budget = std::chrono::seconds(1000), .workers = 1, .stop = &stop};
        options.on_progress = [&](const SearchProgress&) { stop = ++calls >= stop_at; };
        const PortfolioResult found = find_schedule(problem, options);
        CAPTURE(stop_at, calls);
        REQUIRE(found.schedule);
        is_over = !stop;
        CHECK(calls <= stop_at + most_after);
        CHECK(validate(*found.schedule, network).empty());
        CHECK(refutations(found.bounds, network, found.schedule->collective).empty());
        CHECK((is_over || found.end == EndReason::interrupted || found.end == EndReason::at_bound));
        CHECK(found.cycles <= least * (1 + 1e-9));
        least = found.cycles;
    }
}

TEST_CASE("what comes too late to be judged is not taken, unless there is nothing", "[chunks][portfolio]")
{
    const LinkNetwork network = link_network_of(make_topology("ring:6"));
    ChunkProblem problem = chunk_problem(CollectiveKind::broadcast, network, ChunkObjective::time);
    const auto in_parts = [&](std::uint32_t parts) {
        ChunkProblem of_so_many = problem;
        of_so_many.parts = parts;
        return *find_schedule(of_so_many, patient).schedule;
    };
    const Schedule slow = in_parts(1), fast = in_parts(8);
    using std::chrono::hours;
    for (const auto late : {hours(1), hours(-1)}) {
        SearchEnd end{.deadline = SearchEnd::Clock::now() - late};
        BestSchedule best(problem, "auto", end);
        CHECK(best.offer(slow, "slow"));
        CHECK(best.offer(fast, "fast") == (late < hours(0)));
        CHECK_FALSE(best.offer(slow, "slow"));
        best.judge();
        CHECK(best.engine() == (late < hours(0) ? "fast" : "slow"));
        CHECK(best.cycles() == Approx(best.value()));
    }
}

TEST_CASE("a small problem has a schedule in however short a time", "[chunks][portfolio]")
{
    const LinkNetwork network = link_network_of(make_topology("mesh:2x3"));
    for (const CollectiveKind kind : test::chunk_kinds)
        for (const auto objective :
             {ChunkObjective::steps, ChunkObjective::bandwidth, ChunkObjective::time}) {
            ChunkProblem problem = chunk_problem(kind, network, objective);
            CAPTURE(to_string(kind), to_string(objective));
            PortfolioResult found;
            CHECK_NOTHROW(found = find_schedule(
                              problem, {.budget = std::chrono::duration<double>(1e-9), .workers = 1}));
            REQUIRE(found.schedule);
            CHECK(found.end != EndReason::settled);
        }
}

TEST_CASE("a search that is settled within its budget has found what it finds without one",
          "[chunks][portfolio]")
{
    const LinkNetwork network = link_network_of(make_topology("mesh:2x3"));
    for (const auto objective : {ChunkObjective::bandwidth, ChunkObjective::time}) {
        ChunkProblem problem = chunk_problem(CollectiveKind::allreduce, network, objective);
        problem.parts = 6;
        const PortfolioResult all = find_schedule(problem, {.budget = std::chrono::hours(1), .workers = 1});
        CAPTURE(to_string(objective));
        REQUIRE(all.end != EndReason::out_of_budget);
        for (double seconds = 1e-3; seconds < 3; seconds *= 1.6) {
            const PortfolioResult some =
                find_schedule(problem, {.budget = std::chrono::duration<double>(seconds), .workers = 1});
            CAPTURE(seconds);
            if (some.end == EndReason::out_of_budget)
                continue;
            CHECK(some.cycles == all.cycles);
            break;
        }
    }
}

TEST_CASE("what constructions for whole messages know is there for chunks", "[chunks][portfolio]")
{
    const Topology torus = make_topology("torus:4x4");
    const LinkNetwork network = link_network_of(torus);
    for (const CollectiveKind kind : {CollectiveKind::alltoall, CollectiveKind::allgather}) {
        const Collective one = make_collective(kind, {.processors = 16});
        const auto steps = constructed_steps(torus, one);
        REQUIRE(steps);
        const Schedule schedule = chunks_of_steps(*steps, network);
        CHECK(schedule.collective == one);
        CHECK(validate(schedule, network).empty());
    }
    const CollectiveShape group{.processors = 16, .group = {0, 5, 6}};
    CHECK_FALSE(constructed_steps(torus, alltoall(group)));
    CHECK_FALSE(constructed_steps(torus, allreduce({.processors = 16})));
}

TEST_CASE("chunks take the paths of whole messages in hardly more time", "[chunks][portfolio]")
{
    // Each step takes a block's time on a link: relayed in the order of the steps it would be twice that.
    const Topology topology = make_topology(GENERATE("torus:8x8", "torus:4x4x4", "mesh:6x6"));
    const LinkNetwork network = link_network_of(topology);
    const Collective one = alltoall({.processors = network.processor_count()});
    const auto steps = constructed_steps(topology, one);
    REQUIRE(steps);
    constexpr double block_cycles = 4096;
    const AlphaBeta cost{.bytes_per_weight = block_cycles * 4};
    const OwedPairs owed = owed_pairs(one).value();
    const LinkFlow flow = flow_of_steps(*steps, network, owed);
    CHECK(flow.rounds <= static_cast<double>(steps->steps.size()));
    const auto found = schedule_over(flow, owed, network, one, {.cost = cost, .runs = 1});
    REQUIRE(found);
    CAPTURE(topology.name(), steps->steps.size(), found->cycles / block_cycles);
    CHECK(validate(found->schedule, network).empty());
    CHECK(found->cycles <= 1.2 * static_cast<double>(steps->steps.size()) * block_cycles);
}

} // namespace nocturne::chunk_portfolio_test
