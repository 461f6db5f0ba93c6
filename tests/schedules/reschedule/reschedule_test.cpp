#include "models/topology/faults.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "schedules/reschedule/fault_table.hpp"
#include "schedules/reschedule/reschedule.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/problem_rows.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <fmt/format.h>

#include <random>

namespace nocturne::reschedule_test {

using Catch::Contains;

namespace {

Schedule schedule_for(const Problem& problem)
{
    PortfolioOptions options;
    options.workers = 1;
    // At the bound where that is known to be easy, else close to it.
    if (problem.topology.name().starts_with("random"))
        options.steps = 2 * lower_bound(problem).steps + 4;
    return find_schedule(problem, options).schedule.value();
}

RescheduleOptions quick()
{
    RescheduleOptions options;
    options.workers = 1;
    options.budget = std::chrono::milliseconds(500);
    return options;
}

/// A fault that leaves the network in one piece, or nothing after a few tries.
std::optional<std::vector<std::string>> some_fault(const Topology& topology, std::mt19937_64& random)
{
    for (unsigned tries = 0; tries < 20; ++tries) {
        const Channel& channel =
            topology.channel(static_cast<ChannelId>(random() % topology.channel_count()));
        std::vector<std::string> faults{
            random() % 3 == 0 ? fmt::format("node:{}", topology.router_name(channel.source))
                              : fmt::format("channel:{}-{}", topology.router_name(channel.source),
                                            topology.router_name(channel.target))};
        try {
            require_connected(with_faults(topology, faults));
            return faults;
        } catch (const std::invalid_argument&) {
            // It falls apart.
        }
    }
    return std::nullopt;
}

} // namespace

TEST_CASE("after random faults: valid where the fault has left something, never below the bound, and the "
          "transfers add up",
          "[reschedule]")
{
    std::mt19937_64 random(3);
    unsigned done = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const auto traffic = seed % 2 == 0 ? test::Traffic::scatter : test::Traffic::broadcast;
        const Problem problem = test::random_problem(seed, 6, traffic);
        const auto faults = some_fault(problem.topology, random);
        if (!faults)
            continue;
        INFO(seed << ": " << describe(problem) << " with " << faults->front());
        const Schedule before = schedule_for(problem);
        RescheduleOptions options = quick();
        options.aim = seed % 8 < 2 ? RescheduleAim::fewest_steps : RescheduleAim::fewest_changes;
        std::optional<RescheduleResult> result;
        try {
            result = reschedule(before, problem.topology, *faults, options);
        } catch (const std::invalid_argument& error) {
            CHECK_THAT(error.what(), Contains("failed") || Contains("no way") || Contains("reach") ||
                                         Contains("nothing") || Contains("at least"));
            continue;
        }
        // Detours of several hops, hop by hop, are for the engines, which have no time here.
        if (!result->schedule)
            continue;
        ++done;
        for (const Violation& violation : validate(*result->schedule, result->problem.topology))
            FAIL_CHECK(violation.text);
        CHECK(result->problem.topology == with_faults(problem.topology, *faults));
        CHECK(result->schedule->collective == result->problem.collective);
        CHECK(result->schedule->steps.size() >= lower_bound(result->problem).steps);
        const ScheduleChanges& changes = result->changes;
        CHECK(changes.kept + changes.changed + changes.dropped == count_transfers(before));
        CHECK(changes.kept + changes.changed + changes.added == count_transfers(*result->schedule));
        CHECK(result->steps_before == before.steps.size());
    }
    CHECK(done > 30);
}

TEST_CASE("blocks that are cut, groups and sums are re-scheduled as what they are", "[reschedule]")
{
    const Topology topology = make_topology("mesh:2x2");
    const CollectiveShape cut{.processors = 4, .parts = 2};
    const CollectiveShape group{.processors = 4, .parts = 2, .group = {0, 2, 3}};
    const std::vector<Collective> collectives{
        allgather(cut),      alltoall(cut),
        broadcast(cut, 0),   scatter(cut, 0),
        gather(cut, 0),      allreduce(cut),
        scan(cut),           reduce(cut, 0),
        reduce_scatter(cut), multicast(cut, 0, {2, 3}),
        allgather(group),    many_to_many_broadcast(cut, {0, 2}, {1, 2, 3})};
    const RescheduleOptions options = quick();
    for (const Collective& collective : collectives) {
        const Problem problem = make_problem(topology, collective);
        const Schedule before = schedule_for(problem);
        for (const char* const fault : {"link:00-01", "channel:11-01", "node:11"}) {
            INFO(describe(problem) << ", " << collective.parts << " parts, " << fault);
            const RescheduleResult result =
                reschedule(before, topology, std::vector<std::string>{fault}, options);
            CHECK(result.problem.collective.parts == collective.parts);
            CHECK(result.problem.collective.kind == collective.kind);
            REQUIRE(result.schedule);
            CHECK(validate(*result.schedule, result.problem).empty());
            CHECK(refute(result.problem, result.bound) == std::nullopt);
            CHECK(result.schedule->steps.size() >= result.bound.steps);
            const ScheduleChanges& changes = result.changes;
            CHECK(changes.kept + changes.changed + changes.dropped == count_transfers(before));
            CHECK(changes.kept + changes.changed + changes.added == count_transfers(*result.schedule));
            if (result.engine == "none")
                CHECK(changes.kept == count_transfers(before));
        }
    }
}

TEST_CASE("a fault that no transfer meets changes nothing", "[reschedule]")
{
    // OAS from a corner of a mesh along minimal paths: no message goes towards the corner.
    Problem problem = make_problem(make_topology("mesh:3x3"), scatter({9}, 0));
    problem.slack = 0;
    const Schedule before = schedule_for(problem);
    RescheduleOptions options = quick();
    options.aim = GENERATE(RescheduleAim::fewest_steps, RescheduleAim::fewest_changes);
    const RescheduleResult result =
        reschedule(before, problem.topology, std::vector<std::string>{"channel:11-01"}, options);
    CHECK(result.met == 0);
    CHECK(result.engine == "none");
    REQUIRE(result.schedule);
    CHECK(result.changes == ScheduleChanges{count_transfers(before), 0, 0, 0});
    CHECK(result.schedule->steps.size() == before.steps.size());
}

TEST_CASE("the single faults of the papers' networks are re-scheduled at the bound", "[reschedule]")
{
    const auto& [network, words, fault, expected] =
        GENERATE(table<std::string, std::string, std::string, std::size_t>({
            {"kautz:3,2", "alltoall", "channel:01-10", 8},  // printed: 9
            {"kautz:3,2", "allgather", "channel:01-10", 6}, // as printed
            {"mesh:4x4", "allgather", "link:00-01", 15},    // as printed
            {"mesh:4x4", "alltoall", "link:01-02", 22},     // as printed
            {"mesh:4x4", "alltoall", "node:01", 19},        // printed: 22
        }));
    CAPTURE(network, words, fault);
    const Problem problem = test::problem_in_words(network, words);
    const RescheduleResult result =
        reschedule(schedule_for(problem), problem.topology, std::vector<std::string>{fault}, quick());
    REQUIRE(result.schedule);
    CHECK(result.schedule->steps.size() == expected);
    CHECK(result.is_optimal());
    CHECK(result.changes.kept > count_transfers(*result.schedule) / 2);
}

TEST_CASE("with the fewest changes no fewer transfers are kept than with the fewest steps", "[reschedule]")
{
    const Problem problem = make_problem(make_topology("mesh:3x3"), alltoall({9}));
    const Schedule before = schedule_for(problem);
    const std::vector<std::string> fault{GENERATE(as<std::string>{}, "link:00-01", "link:11-12", "node:22")};
    RescheduleOptions options = quick();
    const RescheduleResult steps = reschedule(before, problem.topology, fault, options);
    options.aim = RescheduleAim::fewest_changes;
    const RescheduleResult changes = reschedule(before, problem.topology, fault, options);
    CHECK(changes.changes.kept >= steps.changes.kept);
    CHECK(changes.schedule->steps.size() >= steps.schedule->steps.size());
}

TEST_CASE("what cannot be re-scheduled is refused in one line", "[reschedule][bad input]")
{
    const Problem problem = make_problem(make_topology("ring:5"), broadcast({5}, 2));
    const Schedule before = schedule_for(problem);
    const auto with = [&](std::vector<std::string> faults) {
        return reschedule(before, problem.topology, faults, quick());
    };
    CHECK_THROWS_WITH(with({}), Contains("no fault"));
    CHECK_THROWS_WITH(with({"link:0-2"}), Contains("0-2 does not exist"));
    CHECK_THROWS_WITH(with({"link:0-1", "link:2-3"}), Contains("processor 0 cannot be reached from 2"));
    CHECK_THROWS_WITH(with({"node:2"}), Contains("its source 2 has failed"));
    const Problem sum = make_problem(make_topology("ring:5"), allreduce({5}));
    Schedule adding = before;
    adding.collective = sum.collective;
    RescheduleOptions keep = quick();
    keep.aim = RescheduleAim::fewest_changes;
    CHECK_THROWS_WITH(reschedule(adding, sum.topology, std::vector<std::string>{"link:0-1"}, keep),
                      Contains("a schedule that adds is not repaired with the fewest changes"));
    Schedule invalid = before;
    invalid.steps.pop_back();
    CHECK_THROWS_WITH(reschedule(invalid, problem.topology, std::vector<std::string>{"link:0-1"}, quick()),
                      Contains("not valid on ring:5"));
}

TEST_CASE("a fault table has every fault once, and its summary counts them", "[reschedule][fault table]")
{
    const Topology mesh = make_topology("mesh:2x3");
    const std::vector<Problem> problems{make_problem(mesh, allgather({6})),
                                        make_problem(mesh, scatter({6}, 0))};
    const auto [kind, faults] = GENERATE(table<FaultKind, std::size_t>(
        {{FaultKind::link, 7}, {FaultKind::channel, 14}, {FaultKind::node, 6}, {FaultKind::link_pairs, 21}}));
    FaultTableOptions options;
    options.reschedule = quick();
    options.workers = 1;
    const FaultTable one = fault_table(problems, kind, options);
    options.workers = 3;
    const FaultTable three = kind == FaultKind::link ? fault_table(problems, kind, options) : one;
    REQUIRE(one.rows.size() == faults);
    for (std::size_t row = 0; row < faults; ++row) {
        INFO(one.rows[row].faults.front());
        CHECK(one.rows[row].faults == three.rows[row].faults);
        REQUIRE(one.rows[row].cells.size() == three.rows[row].cells.size());
        CHECK(one.rows[row].cells.size() == (one.rows[row].disconnection.empty() ? 2 : 0));
        for (std::size_t i = 0; i < one.rows[row].cells.size(); ++i) {
            const FaultCell& cell = one.rows[row].cells[i];
            CHECK(cell.steps == three.rows[row].cells[i].steps);
            CHECK(cell.changes == three.rows[row].cells[i].changes);
            CHECK(cell.steps.has_value() == cell.refusal.empty());
            if (cell.steps)
                CHECK(*cell.steps >= cell.lower_bound);
        }
    }
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const FaultSummary summary = summarize(one, i);
        CHECK(summary.scheduled + summary.refused + summary.disconnected + summary.unsolved == faults);
        CHECK(summary.refused == (kind == FaultKind::node && i == 1 ? 1 : 0)); // the source of OAS
        CHECK(summary.mean <= static_cast<double>(summary.worst));
        std::size_t counted = 0;
        for (const auto& [steps, cells] : summary.cells_by_steps)
            counted += cells;
        CHECK(counted == summary.scheduled);
    }
}

TEST_CASE("kinds of faults, and networks that have none", "[reschedule][fault table]")
{
    for (const FaultKind kind : {FaultKind::link, FaultKind::channel, FaultKind::node, FaultKind::link_pairs})
        CHECK(parse_fault_kind(to_string(kind)) == kind);
    CHECK_THROWS_WITH(parse_fault_kind("cable"), Contains("cable") && Contains("link-pairs"));
    const Topology omega = make_topology("omega:8");
    CHECK_THROWS_WITH(all_faults(omega, FaultKind::link), Contains("omega:8") && Contains("link"));
    CHECK(all_faults(omega, FaultKind::node).size() == omega.router_count());
    CHECK(all_faults(make_topology("kautz:3,2"), FaultKind::channel).size() == 36);
    CHECK(all_faults(make_topology("mesh:4x4"), FaultKind::link_pairs).size() == 276);
}

} // namespace nocturne::reschedule_test
