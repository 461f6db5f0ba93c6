#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/models/fabric/random_platform.hpp"
#include "tests/models/hardware/simulation.hpp"

namespace nocturne::fabric_random_test {

using test::RandomPlatform;
using test::RandomPlatformConfig;
using test::TargetPhases;

namespace {

constexpr std::uint64_t transactions = 6250; // of each initiator

void run_and_check(const RandomPlatformConfig& config)
{
    const test::Simulation simulation;
    RandomPlatform platform(config);
    test::run_to_end();
    for (const std::string& error : platform.errors())
        UNSCOPED_INFO(error);
    REQUIRE(platform.errors().empty());
    std::uint64_t requests = 0;
    for (const auto& target : platform.targets())
        requests += target->requests();
    std::uint64_t completed = 0;
    for (const auto& initiator : platform.initiators())
        completed += initiator->completed();
    CHECK(completed == config.initiators * config.initiator.transactions);
    CHECK(requests + platform.fabric().address_errors() == completed);
    CHECK(platform.left_over() == 0);
}

} // namespace

// 100,000 transactions of each kind over the timings and networks together.

TEST_CASE("b_transport: nothing is lost, doubled, reordered or leaked", "[fabric][random]")
{
    RandomPlatformConfig config;
    config.fabric.timing =
        GENERATE(FabricTiming::fixed, FabricTiming::lt, FabricTiming::at, FabricTiming::flit);
    config.topology = GENERATE("mesh:3x3", "ring:5");
    config.seed = GENERATE(1u, 2u);
    CAPTURE(to_string(config.fabric.timing), config.topology, config.seed);
    config.initiator.is_blocking = true;
    config.initiator.transactions = transactions / 4;
    run_and_check(config);
}

TEST_CASE("nb_transport: nothing is lost, doubled, reordered or leaked, whatever the phases",
          "[fabric][random]")
{
    RandomPlatformConfig config;
    config.fabric.timing =
        GENERATE(FabricTiming::fixed, FabricTiming::lt, FabricTiming::at, FabricTiming::flit);
    config.target.phases =
        GENERATE(TargetPhases::one, TargetPhases::two, TargetPhases::four, TargetPhases::any);
    config.seed = static_cast<std::uint64_t>(config.target.phases) + 1;
    config.fabric.completes_responses_early = GENERATE(false, true);
    CAPTURE(to_string(config.fabric.timing), config.seed, config.fabric.completes_responses_early);
    config.initiator.transactions = test::tries(transactions / 2, 3);
    config.initiator.most_outstanding = 6;
    config.fabric.requests_in_flight = 3; // END_REQ has to wait
    config.fabric.target_queue_packets = 2;
    run_and_check(config);
}

} // namespace nocturne::fabric_random_test
