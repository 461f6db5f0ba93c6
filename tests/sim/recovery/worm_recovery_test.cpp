// A recovery at the message level is the same as at the flit level.
#include "models/routing/random.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "sim/recovery/recovery.hpp"
#include "sim/report/recovery_results.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/models/hardware/random_hardware.hpp"
#include "tests/sim/in_workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace nocturne::worm_recovery_test {

namespace {

std::uint64_t seed_of(const std::string& text)
{
    return std::accumulate(text.begin(), text.end(), std::uint64_t{0}, [](std::uint64_t seed, char letter) {
        return 31 * seed + static_cast<unsigned char>(letter);
    });
}

using Recover = std::function<RecoveryResult(const RecoveryOptions&)>;

RecoveryOptions at_message_level(RecoveryOptions options)
{
    options.simulation.model = NetworkModel::worm;
    return options;
}

/// The flit level in processes of their own. What the models need not agree on is set equal: their names and
/// the wall-clock time.
std::vector<RecoveryResult> flit_level(const std::vector<RecoveryOptions>& cases, const Recover& recover_one)
{
    std::vector<RecoveryResult> results = test::in_workers(cases, recover_one);
    for (RecoveryResult& result : results) {
        CHECK(result.model == "flit");
        result.search_seconds = 0;
    }
    return results;
}

RecoveryResult message_level(const RecoveryOptions& options, const Recover& recover_one)
{
    RecoveryResult result = recover_one(at_message_level(options));
    CHECK(result.model == "worm");
    result.model = "flit";
    result.search_seconds = 0;
    return result;
}

/// `link:`, `channel:` or `node:`.
std::string random_fault(const Topology& topology, SplitMix64& random)
{
    const Channel& channel =
        topology.channel(random.below(static_cast<std::uint32_t>(topology.channel_count())));
    const std::string from = topology.router_name(channel.source);
    const std::string to = topology.router_name(channel.target);
    const bool has_way_back =
        std::any_of(topology.channels().begin(), topology.channels().end(), [&](const Channel& other) {
            return other.source == channel.target && other.target == channel.source;
        });
    switch (random.below(3)) {
    case 0:
        return fmt::format("node:{}", from);
    case 1:
        return fmt::format("{}:{}-{}", has_way_back ? "link" : "channel", from, to);
    default:
        return fmt::format("channel:{}-{}", from, to);
    }
}

/// Before `end_ns`; for good, or for a while.
RecoveryOptions random_case(const Topology& topology, double end_ns, SplitMix64& random)
{
    RecoveryOptions options;
    options.simulation.ports = topology.default_ports();
    options.simulation.message_bytes = std::uint64_t{1} << (2 + random.below(8));
    options.faults = {random_fault(topology, random)};
    options.fault_ns = random.below(static_cast<std::uint32_t>(end_ns));
    if (random.below(3) == 0)
        options.until_ns = options.fault_ns + 1 + random.below(500);
    options.host_word_ns = 1 + random.below(15);
    return options;
}

/// Those that recover() takes: the fault does not cut the network in two.
bool is_possible(const Topology& topology, const RecoveryOptions& options)
{
    try {
        require_connected(with_faults(topology, options.faults));
        return true;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

} // namespace

TEST_CASE(
    "a schedule recovers at the message level as at the flit level: to the cycle and the flit, whatever "
    "fails when",
    "[recovery][worm]")
{
    const std::string spec =
        GENERATE("mesh:2x3", "mesh:3x3", "torus:3x3", "kautz:2,2", "octagon:8", "ring:6", "hypercube:3");
    const bool is_broadcast = GENERATE(false, true);
    if (!test::is_tried(seed_of(spec) + (is_broadcast ? 1 : 0), 2))
        return; // the other of the two is tried
    SplitMix64 random(seed_of(spec) + (is_broadcast ? 1 : 0));
    const Topology topology = make_topology(spec);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    const Problem problem =
        make_problem(topology, is_broadcast ? allgather({processors}) : alltoall({processors}));
    const Schedule schedule = find_schedule(problem).schedule.value();
    std::vector<RecoveryOptions> cases;
    while (cases.size() < 12) {
        RecoveryOptions options = random_case(topology, 10'000, random);
        options.simulation.hardware = random.below(2) == 0 ? HardwareConfig{} : test::random_config(random);
        options.fault_ns = random.below(static_cast<std::uint32_t>(
            100 + middle_of_step_ns(schedule, schedule.steps.size() - 1, topology,
                                    options.simulation.hardware, options.simulation.message_bytes)));
        options.until_ns = options.until_ns > 0 ? options.fault_ns + 1 + random.below(500) : 0;
        if (is_possible(topology, options))
            cases.push_back(options);
    }
    const Recover recover_one = [&](const RecoveryOptions& options) {
        return recover(schedule, topology, options);
    };
    const std::vector<RecoveryResult> expected = flit_level(cases, recover_one);
    std::size_t with_losses = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        CAPTURE(spec, is_broadcast, cases[i].faults, cases[i].fault_ns, cases[i].until_ns,
                cases[i].simulation.message_bytes, cases[i].simulation.hardware.vcs);
        const RecoveryResult result = message_level(cases[i], recover_one);
        CHECK(nlohmann::json(result).dump(1) == nlohmann::json(expected[i]).dump(1));
        CHECK(result.memory_ok);
        with_losses += result.lost.empty() ? 0 : 1;
    }
    CHECK(with_losses > 1);
}

TEST_CASE("one processor's messages without a schedule recover at the message level as at the flit level",
          "[recovery][worm]")
{
    const std::string spec = GENERATE("mesh:3x3", "torus:3x3", "kautz:2,2", "fattree:8");
    SplitMix64 random(seed_of(spec));
    const Topology topology = make_topology(spec);
    const Collective collective = scatter({static_cast<std::uint32_t>(topology.processor_count())}, 0);
    const Recover recover_one = [&](const RecoveryOptions& options) {
        return recover_unscheduled(topology, collective, "auto", {SendOrder::shifted}, options);
    };
    std::vector<RecoveryOptions> cases;
    while (cases.size() < 12) {
        RecoveryOptions options = random_case(topology, 12'000, random);
        options.simulation.ports = one_port; // from several, messages would meet
        if (is_possible(topology, options))
            cases.push_back(options);
    }
    const std::vector<RecoveryResult> expected = flit_level(cases, recover_one);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        CAPTURE(spec, cases[i].faults, cases[i].fault_ns, cases[i].until_ns);
        CHECK(nlohmann::json(message_level(cases[i], recover_one)).dump(1) ==
              nlohmann::json(expected[i]).dump(1));
    }
}

TEST_CASE("where messages meet, both models locate the same parts and end with the same messages in the "
          "memories",
          "[recovery][worm]")
{
    const std::string spec = GENERATE("mesh:3x3", "torus:3x3", "kautz:2,2", "octagon:8");
    SplitMix64 random(seed_of(spec));
    const Topology topology = make_topology(spec);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    const Collective collective = alltoall({processors});
    const Recover recover_one = [&](const RecoveryOptions& options) {
        return recover_unscheduled(topology, collective, "auto", {SendOrder::shifted}, options);
    };
    std::vector<RecoveryOptions> cases;
    while (cases.size() < 12) {
        RecoveryOptions options = random_case(topology, 8'000, random);
        options.simulation.message_bytes = 256 << random.below(3);
        if (is_possible(topology, options))
            cases.push_back(options);
    }
    const std::vector<RecoveryResult> expected = flit_level(cases, recover_one);
    std::size_t both_lose = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        CAPTURE(spec, cases[i].faults, cases[i].fault_ns, cases[i].until_ns);
        const RecoveryResult result = message_level(cases[i], recover_one);
        CHECK(result.memory_ok);
        CHECK(result.duplicates == 0);
        CHECK(result.messages_owed + result.dropped == processors * (processors - 1));
        CHECK((result.outcome == "nothing lost") == result.lost.empty());
        if (result.lost.empty() || expected[i].lost.empty())
            continue;
        ++both_lose;
        CHECK(result.outcome == expected[i].outcome);
        CHECK(result.located == expected[i].located);
        CHECK(result.lost_processors == expected[i].lost_processors);
    }
    CHECK(both_lose > 2);
}

} // namespace nocturne::worm_recovery_test
