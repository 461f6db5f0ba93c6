#include "models/endpoints/delivery_check.hpp"
#include "models/endpoints/traffic_sources.hpp"
#include "models/hardware/network.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "models/worm/worm_network.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace nocturne::traffic_sources_test {

namespace {

struct SourceRun {
    std::uint64_t created = 0;
    std::uint64_t created_flits = 0;
    std::uint64_t latency_cycles = 0;
    std::uint64_t flit_hops = 0;
    std::uint64_t rejections = 0;
    std::vector<ProcessorId> destinations; ///< of the packets of processor 0
    std::string error;                     ///< of the deliveries

    bool operator==(const SourceRun&) const = default;
};

class Recorder final : public MessageObserver {
public:
    Recorder(const MessageNetwork& network, SourceRun& run) : network_(network), run_(run), check_(true) {}
    void message_created(const NetworkMessage& message) override
    {
        check_.message_created(message);
        ++run_.created;
        run_.created_flits += message.flits;
        if (message.source == 0)
            run_.destinations.push_back(message.destination);
    }
    void message_delivered(const NetworkMessage& message, ProcessorId at) override
    {
        check_.message_delivered(message, at);
        run_.latency_cycles += network_.now() - message.created;
    }
    std::string error() const { return check_.final_error(); }

private:
    const MessageNetwork& network_;
    SourceRun& run_;
    DeliveryCheck check_;
};

/// For so many cycles, and then until the network is empty.
SourceRun run_sources_on(MessageNetwork& network, const Routing& routing, const Traffic& traffic,
                         std::uint64_t cycles)
{
    SourceRun run;
    Recorder recorder(network, run);
    TrafficSources sources(network, routing, traffic, recorder);
    network.run_to(cycles);
    sources.stop();
    run.rejections = sources.rejections();
    network.drain();
    CHECK(network.in_flight() == 0);
    run.flit_hops = network.flit_hops();
    run.error = recorder.error();
    return run;
}

/// Sources on a mesh of 16, at the level that the test case is at.
SourceRun run_sources(const Traffic& traffic, bool of_flits, std::uint64_t cycles = 20000)
{
    test::Simulation simulation;
    const Topology topology = make_topology("mesh:4x4");
    const Routing routing = make_routing(topology, "dor");
    if (of_flits) {
        Network network("network", topology, HardwareConfig{}, one_port);
        return run_sources_on(network, routing, traffic, cycles);
    }
    WormNetwork network(topology, HardwareConfig{}, one_port, 1);
    return run_sources_on(network, routing, traffic, cycles);
}

Traffic uniform_traffic(double load, std::uint32_t flits)
{
    return {TrafficPattern::uniform(16), load, MessageSizes(std::vector<MessageSizes::Size>{{flits}}),
            BernoulliArrivals{}, 1};
}

} // namespace

TEST_CASE("traffic sources offer the load that they are told, and all of it arrives", "[endpoints][traffic]")
{
    const bool of_flits = GENERATE(true, false);
    const double load = GENERATE(0.0, 0.01, 0.1, 0.3);
    const std::uint32_t flits = GENERATE(1u, 8u);
    const SourceRun run = run_sources(uniform_traffic(load, flits), of_flits);
    CHECK(run.error.empty());
    CHECK(run.rejections == 0);
    // Sixteen binomial sources: five standard deviations.
    const double expected = 16 * 20000 * load / flits;
    CHECK(static_cast<double>(run.created) == Approx(expected).margin(5 * std::sqrt(expected)));
    // Between two uniform places of 4: 1.25 hops a dimension.
    if (load > 0)
        CHECK(static_cast<double>(run.flit_hops) / static_cast<double>(run.created_flits) ==
              Approx(3.5).epsilon(0.05));
}

TEST_CASE("traffic sources send where the pattern says, and as much", "[endpoints][traffic]")
{
    const bool of_flits = GENERATE(true, false);
    Traffic traffic = uniform_traffic(0.1, 4);
    SECTION("a permutation")
    {
        traffic.pattern = make_pattern(make_topology("mesh:4x4"), "complement");
        const SourceRun run = run_sources(traffic, of_flits);
        CHECK(run.error.empty());
        REQUIRE(run.destinations.size() > 100);
        CHECK(std::all_of(run.destinations.begin(), run.destinations.end(),
                          [](ProcessorId id) { return id == 15; }));
    }
    SECTION("a matrix in which one sends everything")
    {
        std::vector<double> weights(256);
        weights[0 * 16 + 3] = 1;
        weights[0 * 16 + 5] = 3;
        traffic.pattern = TrafficPattern::matrix(16, weights);
        traffic.load = 0.05; // 0.8 of one processor
        const SourceRun run = run_sources(traffic, of_flits);
        CHECK(run.error.empty());
        REQUIRE(run.destinations.size() == run.created);
        CHECK(static_cast<double>(run.created_flits) == Approx(0.8 * 20000).epsilon(0.05));
        const auto often = std::count(run.destinations.begin(), run.destinations.end(), ProcessorId{5});
        CHECK(static_cast<double>(often) == Approx(0.75 * static_cast<double>(run.created)).epsilon(0.05));
    }
    SECTION("packets of two sizes")
    {
        traffic.sizes = make_message_sizes("2:0.75,14:0.25");
        const SourceRun run = run_sources(traffic, of_flits);
        CHECK(run.error.empty());
        CHECK(static_cast<double>(run.created_flits) / static_cast<double>(run.created) ==
              Approx(5).epsilon(0.05));
    }
}

TEST_CASE("a source whose queue is full makes no packets", "[endpoints][traffic]")
{
    const bool of_flits = GENERATE(true, false);
    Traffic traffic = uniform_traffic(1, 8);
    traffic.queue_packets = 3;
    const SourceRun run = run_sources(traffic, of_flits);
    CHECK(run.error.empty());
    CHECK(run.rejections > 0);
    CHECK(run.created + run.rejections > 16 * 20000 / 8 * 9 / 10);
}

TEST_CASE("traffic sources draw the same for the same seed only, at both levels", "[endpoints][traffic]")
{
    const bool of_flits = GENERATE(true, false);
    const Traffic traffic = uniform_traffic(0.2, 4);
    Traffic other = traffic;
    other.seed = 2;
    CHECK(run_sources(traffic, of_flits, 2000) == run_sources(traffic, of_flits, 2000));
    CHECK_FALSE(run_sources(traffic, of_flits, 2000) == run_sources(other, of_flits, 2000));
    const SourceRun flits = run_sources(traffic, true), worms = run_sources(traffic, false);
    CHECK(flits.flit_hops == worms.flit_hops);
    CHECK(flits.destinations == worms.destinations);
}

TEST_CASE("a load that a processor cannot inject is refused", "[endpoints][traffic]")
{
    const Topology topology = make_topology("mesh:4x4");
    for (const double load : {-0.1, 1.1, std::nan("")})
        CHECK_THROWS_WITH(check_load(uniform_traffic(load, 8), topology, one_port),
                          Catch::Contains(fmt::format("load {}", load)));
    CHECK_NOTHROW(check_load(uniform_traffic(1, 8), topology, one_port));
    CHECK_NOTHROW(check_load(uniform_traffic(2, 8), topology, all_port)); // corners have two links
    CHECK_THROWS_AS(check_load(uniform_traffic(2.1, 8), topology, all_port), std::invalid_argument);
    Traffic traffic = uniform_traffic(0.1, 8);
    std::vector<double> weights(256);
    weights[7 * 16 + 3] = 1;
    traffic.pattern = TrafficPattern::matrix(16, weights);
    CHECK_THROWS_WITH(check_load(traffic, topology, one_port),
                      Catch::Contains("processor 13")); // row 1, column 3
    traffic = uniform_traffic(0.5, 8);
    traffic.arrivals = BurstyArrivals{100, 0.4};
    CHECK_THROWS_AS(check_load(traffic, topology, one_port), std::invalid_argument);
    traffic = uniform_traffic(0.5, 8);
    traffic.queue_packets = 0;
    CHECK_THROWS_WITH(check_load(traffic, topology, one_port), Catch::Contains("queues of 0"));
}

} // namespace nocturne::traffic_sources_test
