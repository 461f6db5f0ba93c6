// A fault in the middle of a replay: everything lost is named, everything owed comes in the end.
#include "models/topology/make_topology.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "sim/recovery/recovery.hpp"
#include "sim/report/recovery_results.hpp"
#include "sim/report/results.hpp"
#include "testbenches/fault_recovery/expected_losses.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"
#include "tests/sim/in_workers.hpp"

#include <algorithm>

namespace nocturne::recovery_test {

namespace {

struct Scenario {
    Topology topology;
    Schedule schedule;
};

Scenario scenario(const std::string& network, const Collective& collective)
{
    const Problem problem = make_problem(make_topology(network), collective);
    return {problem.topology, find_schedule(problem).schedule.value()};
}

std::vector<RecoveryResult> recover_all(const Scenario& each, const std::vector<RecoveryOptions>& cases)
{
    return test::in_workers(cases, [&](const RecoveryOptions& options) {
        return recover(each.schedule, each.topology, options);
    });
}

std::vector<LostTransfer> sorted(std::vector<LostTransfer> lost)
{
    std::sort(lost.begin(), lost.end(), [](const LostTransfer& a, const LostTransfer& b) {
        return std::tie(a.step, a.message, a.destination) < std::tie(b.step, b.message, b.destination);
    });
    return lost;
}

RecoveryOptions fault(const std::string& what, double at_ns, double until_ns = 0)
{
    RecoveryOptions options;
    options.simulation.message_bytes = 256;
    options.faults = {what};
    options.fault_ns = at_ns;
    options.until_ns = until_ns;
    return options;
}

/// Faults at times that sweep a whole schedule, those between steps and in start-ups included.
std::vector<RecoveryOptions> sweep(const Scenario& each, const std::string& what)
{
    const HardwareConfig hardware;
    const double end =
        middle_of_step_ns(each.schedule, each.schedule.steps.size() - 1, each.topology, hardware, 256) + 100;
    std::vector<RecoveryOptions> cases;
    for (double at = 0; at < end; at += 397)
        cases.push_back(fault(what, at));
    return cases;
}

void check_phases(const RecoveryResult& result)
{
    double at = 0;
    for (const RecoveryPhase& phase : result.phases) {
        CHECK(phase.begin_ns == at);
        CHECK(phase.end_ns >= phase.begin_ns);
        at = phase.end_ns;
    }
    CHECK(result.phases.front().name == "replay");
    CHECK(result.phases.back().name == "check");
    CHECK(at == result.time_ns);
}

} // namespace

TEST_CASE("whenever a link fails for good, what is lost is what the model says, and all memories are right",
          "[recovery]")
{
    const bool broadcast = GENERATE(false, true);
    const std::string network = GENERATE("mesh:2x3", "kautz:2,2", "octagon:8");
    const std::string what = network == "mesh:2x3"    ? "link:01-02"
                             : network == "kautz:2,2" ? "channel:01-10"
                                                      : "link:0-4";
    const auto processors = static_cast<std::uint32_t>(make_topology(network).processor_count());
    const Scenario each = scenario(network, broadcast ? allgather({processors}) : alltoall({processors}));
    CAPTURE(network, broadcast);
    const std::vector<RecoveryOptions> cases = sweep(each, what);
    const std::vector<RecoveryResult> results = recover_all(each, cases);
    std::size_t with_losses = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        CAPTURE(cases[i].fault_ns);
        const RecoveryResult& result = results[i];
        CHECK(sorted(result.lost) == sorted(expected_losses(each.schedule, each.topology, cases[i])));
        CHECK(result.memory_ok);
        CHECK(result.messages_owed == processors * (processors - 1));
        CHECK(result.duplicates == 0);
        CHECK(result.dropped == 0);
        CHECK((result.outcome == "located") == !result.lost.empty());
        CHECK(result.located.size() == (result.lost.empty() ? 0 : what.starts_with("link") ? 2 : 1));
        check_phases(result);
        with_losses += result.lost.empty() ? 0 : 1;
    }
    CHECK(with_losses > 3);
}

TEST_CASE("a router that fails takes its processor with it, and nobody else suffers", "[recovery]")
{
    const bool broadcast = GENERATE(false, true);
    const Scenario each = scenario("mesh:3x3", broadcast ? allgather({9}) : alltoall({9}));
    const std::vector<RecoveryOptions> cases = sweep(each, "node:11");
    const std::vector<RecoveryResult> results = recover_all(each, cases);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        CAPTURE(cases[i].fault_ns, broadcast);
        const RecoveryResult& result = results[i];
        CHECK(sorted(result.lost) == sorted(expected_losses(each.schedule, each.topology, cases[i])));
        CHECK(result.memory_ok);
        CHECK(result.messages_owed + result.dropped == 72);
        if (result.lost.empty())
            continue;
        CHECK(result.located == std::vector<std::string>{"router 11"});
        CHECK(result.lost_processors == std::vector<std::string>{"11"});
        CHECK(result.dropped >= 8); // what is owed to it
        CHECK(result.dropped <= 16);
    }
}

TEST_CASE("where a router fails and nothing is owed to anybody else there is nothing to repair", "[recovery]")
{
    const Scenario each = scenario("ring:6", alltoall({6}));
    const double last =
        middle_of_step_ns(each.schedule, each.schedule.steps.size() - 1, each.topology, {}, 256);
    const RecoveryResult result = recover_all(each, {fault("node:0", last)}).front();
    CHECK(result.located == std::vector<std::string>{"router 0"});
    CHECK(result.owed == 0);
    CHECK(result.repair_steps == 0);
    CHECK(result.dropped + result.messages_owed == 30);
    CHECK(result.dropped >= 5); // what is owed to it
    CHECK(result.memory_ok);
}

TEST_CASE("after an intermittent fault all probes pass, and what is owed comes over the old network",
          "[recovery]")
{
    const Scenario each = scenario("torus:3x3", alltoall({9}));
    const double length = GENERATE(4.0, 60.0, 400.0);
    std::vector<RecoveryOptions> cases;
    for (std::size_t step = 0; step < each.schedule.steps.size(); ++step) {
        const double middle = middle_of_step_ns(each.schedule, step, each.topology, {}, 256);
        for (const double at : {middle - 600, middle - 30, middle, middle + 30})
            cases.push_back(fault("link:00-01", at, at + length));
    }
    const std::vector<RecoveryResult> results = recover_all(each, cases);
    std::size_t with_losses = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        CAPTURE(cases[i].fault_ns, length);
        const RecoveryResult& result = results[i];
        CHECK(sorted(result.lost) == sorted(expected_losses(each.schedule, each.topology, cases[i])));
        CHECK(result.memory_ok);
        CHECK(result.outcome == (result.lost.empty() ? "nothing lost" : "intermittent"));
        CHECK(result.located.empty());
        CHECK((result.probes > 0) == !result.lost.empty());
        with_losses += result.lost.empty() ? 0 : 1;
    }
    CHECK(with_losses > 0);
}

TEST_CASE("the host's computing time counts, if it is given", "[recovery]")
{
    const Scenario each = scenario("mesh:2x3", alltoall({6}));
    RecoveryOptions options = fault("link:01-02", 1050);
    RecoveryOptions slow = options;
    slow.host_compute_ns = 5000;
    const std::vector<RecoveryResult> results = recover_all(each, {options, slow});
    CHECK(results[1].time_ns - results[0].time_ns == Approx(5000));
}

TEST_CASE("what cannot be recovered from, or is no fault, is refused in one line", "[recovery]")
{
    const Scenario each = scenario("mesh:2x2", alltoall({4}));
    const auto refuse = [&](const RecoveryOptions& options, const std::string& part) {
        CHECK_THROWS_WITH(recover(each.schedule, each.topology, options), Catch::Contains(part));
    };
    refuse(fault("link:00-11", 10), "link 00-11 does not exist");
    refuse(fault("link:00-01", -1), "fault at -1 ns");
    refuse(fault("link:00-01", 100, 50), "it ends before it begins");
    RecoveryOptions apart = fault("link:00-01", 10);
    apart.faults.emplace_back("link:00-10");
    refuse(apart, "the network falls apart");
    RecoveryOptions none = apart;
    none.faults.clear();
    refuse(none, "no fault is given");
    Schedule invalid = each.schedule;
    invalid.steps.pop_back();
    CHECK_THROWS_WITH(recover(invalid, each.topology, fault("link:00-01", 10)), Catch::Contains("not valid"));
    CHECK_THROWS_AS(middle_of_step_ns(each.schedule, each.schedule.steps.size(), each.topology, {}, 64),
                    std::invalid_argument);
    invalid.steps.front().front().path.reset();
    CHECK_THROWS_WITH(middle_of_step_ns(invalid, 0, each.topology, {}, 64), Catch::Contains("has no path"));
}

namespace {

/// AAS in the order 1, 2, …, its ports and routing as usual for the network.
struct Unscheduled {
    Topology topology;
    Collective collective;
    UnscheduledTraffic traffic = {SendOrder::shifted};
};

Unscheduled unscheduled_scatter(const std::string& network)
{
    const Topology topology = make_topology(network);
    return {topology, alltoall({static_cast<std::uint32_t>(topology.processor_count())})};
}

RecoveryOptions with_ports(RecoveryOptions options, const Topology& topology)
{
    options.simulation.ports = topology.default_ports();
    return options;
}

RecoveryResult recover_one(const Unscheduled& each, const RecoveryOptions& options)
{
    return test::in_worker([&] {
        return recover_unscheduled(each.topology, each.collective, "auto", each.traffic,
                                   with_ports(options, each.topology));
    });
}

RunResult without_fault(const Unscheduled& each, const RecoveryOptions& options)
{
    return test::in_worker([&] {
        return run_without_fault(each.topology, each.collective, "auto", each.traffic,
                                 with_ports(options, each.topology));
    });
}

std::vector<std::string> names(const std::vector<LostTransfer>& lost)
{
    std::vector<std::string> result;
    for (const LostTransfer& each : lost)
        result.push_back(each.source + ">" + each.destination);
    std::sort(result.begin(), result.end());
    return result;
}

} // namespace

TEST_CASE("without a schedule what is lost is what a run without the fault says, and each message comes "
          "once and whole",
          "[recovery]")
{
    const auto [network, what] = GENERATE(table<std::string, std::string>(
        {{"mesh:3x3", "link:01-11"}, {"torus:3x3", "node:11"}, {"kautz:2,2", "channel:01-10"}}));
    const Unscheduled each = unscheduled_scatter(network);
    const auto processors = each.collective.processors;
    const RunResult whole = without_fault(each, fault(what, 0));
    REQUIRE(whole.memory_ok);
    std::size_t with_losses = 0;
    for (double at = 900; at < whole.time_ns + 200; at += 179) {
        CAPTURE(network, what, at);
        const RecoveryOptions options = fault(what, at);
        const RecoveryResult result = recover_one(each, options);
        CHECK(names(result.lost) == expected_losses(whole, each.topology, options));
        CHECK(result.memory_ok);
        CHECK(result.duplicates == 0);
        CHECK(result.messages_owed + result.dropped == processors * (processors - 1));
        CHECK((result.outcome == "located") == !result.lost.empty());
        CHECK(result.repair_routing.empty() == result.lost.empty());
        if (what.starts_with("node") && !result.lost.empty())
            CHECK(result.located == std::vector<std::string>{"router 11"});
        check_phases(result);
        with_losses += result.lost.empty() ? 0 : 1;
    }
    CHECK(with_losses > 1);
}

TEST_CASE("without a schedule an intermittent fault costs nothing that does not hold its channel",
          "[recovery]")
{
    const Unscheduled each = unscheduled_scatter("mesh:3x3");
    const RunResult whole = without_fault(each, fault("link:01-11", 0, 100));
    std::size_t with_losses = 0;
    for (double at = 900; at < whole.time_ns; at += 250) {
        CAPTURE(at);
        const RecoveryOptions options = fault("link:01-11", at, at + 100);
        const RecoveryResult result = recover_one(each, options);
        const std::vector<std::string> lost = names(result.lost);
        const std::vector<std::string> holders = expected_losses(whole, each.topology, options);
        CHECK(std::includes(holders.begin(), holders.end(), lost.begin(), lost.end()));
        CHECK(result.memory_ok);
        CHECK(result.duplicates == 0);
        CHECK(result.located.empty());
        with_losses += result.lost.empty() ? 0 : 1;
    }
    CHECK(with_losses > 1);
}

TEST_CASE("a binomial tree goes on around the fault, whoever waits for what was lost", "[recovery]")
{
    const Topology topology = make_topology("mesh:3x3");
    const Unscheduled each{topology, allgather({9}), {SendOrder::binomial}};
    const std::string what = GENERATE("link:01-11", "node:11");
    for (double at = 900; at < 5000; at += 450) {
        const RecoveryResult result = recover_one(each, fault(what, at));
        CAPTURE(what, at);
        CHECK(result.memory_ok);
        CHECK(result.duplicates == 0);
        CHECK(result.owed >= (what.starts_with("node") ? 0 : result.lost.size()));
        CHECK(result.messages_owed + result.dropped == 72);
    }
}

TEST_CASE("a message that holds a channel to the very cycle of the fault is lost, one cycle later it is not",
          "[recovery]")
{
    const Topology topology = make_topology("mesh:2x2");
    RunResult run;
    run.occupancy = {{"00->01", "00>01", 0, 1000, 1100, test::channel_between(topology, 0, 1)},
                     {"01->00", "01>00", 0, 1000, 1200, test::channel_between(topology, 1, 0)}};
    const auto expected = [&](const char* what, double at, double until = 0) {
        return expected_losses(run, topology, fault(what, at, until));
    };
    CHECK(expected("link:00-01", 1098) == std::vector<std::string>{"00>01", "01>00"});
    CHECK(expected("link:00-01", 1100) == std::vector<std::string>{"01>00"});
    CHECK(expected("channel:00-01", 1098) == std::vector<std::string>{"00>01"});
    CHECK(expected("channel:00-01", 1100).empty());
    CHECK(expected("channel:00-01", 900, 1000).empty());
    CHECK(expected("channel:00-01", 900, 1002) == std::vector<std::string>{"00>01"});
    CHECK(expected("node:01", 1100) == std::vector<std::string>{"01>00"});
    CHECK(expected("node:11", 0).empty());
}

TEST_CASE("parallel channels are told apart when losses are counted", "[recovery]")
{
    const Topology topology = test::direct_network("parallel", 2, {{0, 1}, {0, 1, 9}, {1, 0}});
    RunResult run;
    run.occupancy = {{"0->1", "short", 0, 900, 1000, 0}, {"0->1", "long", 0, 900, 1000, 1}};
    RecoveryOptions options = fault("node:0", 1004);
    CHECK(expected_losses(run, topology, options) == std::vector<std::string>{"long"});
    options = fault("channel:0-1", 1004);
    CHECK(expected_losses(run, topology, options) == std::vector<std::string>{"long"});
}

} // namespace nocturne::recovery_test
