// Processors that take messages only when they have room, at both levels.
#include "models/hardware/network.hpp"
#include "models/routing/random.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/topology/make_topology.hpp"
#include "models/worm/worm_network.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <algorithm>

namespace nocturne::worm_gates_test {

namespace {

constexpr ProcessorId last = 4; ///< of a row of five, with the gate

struct Scenario {
    struct Message {
        std::uint32_t flits;
        std::uint64_t at;
    };
    std::vector<Message> messages;       ///< from processor 0 to the last one
    std::vector<std::uint64_t> openings; ///< cycles in which one more may be taken
};

struct Times {
    std::vector<std::uint64_t> sent, arrived; ///< by message; 0: not
};

class GatedReceiver final : public MessageClient {
public:
    GatedReceiver(MessageNetwork& network, const Scenario& scenario)
        : network_(network), scenario_(scenario), times_{std::vector<std::uint64_t>(scenario.messages.size()),
                                                         std::vector<std::uint64_t>(scenario.messages.size())}
    {
        network.attach(*this);
        network.set_gate(last);
        for (std::uint32_t i = 0; i < scenario.messages.size(); ++i)
            network.set_timer(scenario.messages[i].at, i);
        for (const std::uint64_t at : scenario.openings)
            network.set_timer(at, static_cast<std::uint32_t>(scenario.messages.size()));
    }

    const Times& times() const { return times_; }

    void timer(std::uint32_t code) override
    {
        if (code < scenario_.messages.size()) {
            network_.send({0, last, scenario_.messages[code].flits, code}, routing_);
            return;
        }
        ++room_;
        network_.retry_gate(last);
    }
    bool takes(const NetworkMessage&) override
    {
        if (room_ == 0)
            return false;
        --room_;
        return true;
    }
    void message_sent(const NetworkMessage& message) override { times_.sent[message.tag] = network_.now(); }
    void message_arrived(const NetworkMessage& message, ProcessorId at) override
    {
        CHECK(at == last);
        times_.arrived[message.tag] = network_.now();
    }

private:
    MessageNetwork& network_;
    const Scenario& scenario_;
    const Routing routing_ = shortest_path(network_.topology());
    Times times_;
    std::uint32_t room_ = 0;
};

Times times_in(MessageNetwork& network, const Scenario& scenario)
{
    GatedReceiver receiver(network, scenario);
    network.run_to_the_end();
    return receiver.times();
}

Times flit_level(const Topology& topology, const HardwareConfig& config, const Scenario& scenario)
{
    test::Simulation simulation;
    Network network("network", topology, config, one_port);
    return times_in(network, scenario);
}

Times message_level(const Topology& topology, const HardwareConfig& config, const Scenario& scenario)
{
    WormNetwork network(topology, config, one_port, {});
    return times_in(network, scenario);
}

} // namespace

TEST_CASE("a message before a gate leaves the source and arrives to the cycle as at the flit level, and with "
          "several virtual channels within 5 %",
          "[worm][gate]")
{
    const Topology topology = make_topology("mesh:1x5");
    const std::uint32_t flits = GENERATE(1u, 7u, 30u, 200u);
    for (const unsigned vcs : {1u, 2u})
        for (const std::uint64_t opening : {1u, 20u, 26u, 33u, 60u, 250u, 1000u}) {
            HardwareConfig config;
            config.vcs = vcs;
            const Scenario scenario{{{flits, 1}}, {opening}};
            CAPTURE(vcs, flits, opening);
            const Times worm = message_level(topology, config, scenario);
            const Times flit = flit_level(topology, config, scenario);
            const double error = vcs == 1 ? 0 : 0.05;
            CHECK(static_cast<double>(worm.sent[0]) ==
                  Approx(static_cast<double>(flit.sent[0])).epsilon(error));
            CHECK(static_cast<double>(worm.arrived[0]) ==
                  Approx(static_cast<double>(flit.arrived[0])).epsilon(error));
        }
}

TEST_CASE("messages wait behind one that a gate does not take, in their order, and until it opens",
          "[worm][gate]")
{
    const Topology topology = make_topology("mesh:1x5");
    SplitMix64 random(GENERATE(range(1, 21)));
    Scenario scenario;
    for (std::uint64_t i = 0; i < 6; ++i) {
        scenario.messages.push_back({1 + random.below(40), 1 + 30 * i + random.below(30)});
        scenario.openings.push_back(1 + random.below(400));
    }
    std::sort(scenario.openings.begin(), scenario.openings.end());
    const Times flit = flit_level(topology, {}, scenario);
    const Times worm = message_level(topology, {}, scenario);
    CHECK(std::is_sorted(worm.arrived.begin(), worm.arrived.end()));
    for (std::size_t i = 0; i < scenario.messages.size(); ++i) {
        CAPTURE(i, scenario.messages[i].flits);
        CHECK(worm.arrived[i] >= scenario.openings[i]);
        CHECK(worm.arrived[i] == flit.arrived[i]);
        CHECK(worm.sent[i] < worm.arrived[i]);
    }
}

TEST_CASE("what a gate never takes stays in the network, and is no circular wait", "[worm][gate]")
{
    const Topology topology = make_topology("mesh:1x5");
    WormNetwork network(topology, {}, one_port, {});
    const Scenario scenario{{{5, 1}, {5, 1}, {5, 1}}, {100}};
    const Times times = times_in(network, scenario);
    CHECK(times.arrived[0] == 100);
    CHECK(times.arrived[1] == 0);
    CHECK(network.in_flight() == 2);
    CHECK(network.find_waiting_cycle().empty());
}

TEST_CASE("the message level has no faults where it has gates", "[worm][gate]")
{
    const Topology topology = make_topology("mesh:1x5");
    WormNetwork gated(topology, {}, one_port, {});
    gated.set_gate(last);
    CHECK_THROWS_WITH(gated.plan_faults({}, {}), Catch::Contains("take the model flit"));
    WormNetwork faulty(topology, {}, one_port, {});
    faulty.plan_faults({}, {});
    CHECK_THROWS_WITH(faulty.set_gate(last), Catch::Contains("take the model flit"));
}

} // namespace nocturne::worm_gates_test
