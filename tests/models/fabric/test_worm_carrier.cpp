// The carrier of `at`, which sleeps until something can arrive, beside the network that it drives.
#include "models/fabric/worm_carrier.hpp"
#include "models/routing/random.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <map>
#include <vector>

namespace nocturne::worm_carrier_test {

namespace {

struct Planned {
    std::uint64_t cycle;
    CarriedMessage message;
};

/// By leg and transfer, the cycle of the arrival.
using Arrivals = std::map<std::pair<Leg, std::uint32_t>, std::uint64_t>;

/// Ascending in cycle, both legs, of 1 to 20 flits.
std::vector<Planned> random_messages(const FabricPlan& plan, std::uint64_t seed)
{
    SplitMix64 random(seed);
    std::vector<Planned> planned;
    std::uint64_t cycle = 0;
    const std::uint32_t gap = 1 + random.below(30);
    for (std::uint32_t id = 0; id < 300; ++id) {
        cycle += random.below(gap);
        planned.push_back({cycle,
                           {random.below(2) == 0 ? Leg::request : Leg::response,
                            random.below(plan.initiators * plan.targets), 1 + random.below(20), id}});
    }
    return planned;
}

/// What a bare network says, to which everything comes in its cycle.
class Bare final : public MessageClient {
public:
    Bare(const FabricPlan& plan, const HardwareConfig& hardware)
        : plan_(plan), network_(plan.network, hardware, one_port, plan.vc_classes)
    {
        network_.attach(*this);
    }

    Arrivals run(const std::vector<Planned>& planned)
    {
        planned_ = planned;
        for (std::uint32_t i = 0; i < planned.size(); ++i) {
            network_.run_to(planned[i].cycle);
            network_.set_timer(planned[i].cycle, i);
        }
        network_.drain();
        return arrivals_;
    }

private:
    void message_arrived(const NetworkMessage& message, ProcessorId) override
    {
        arrivals_[{static_cast<Leg>(message.tag & 1), transfer_of(message)}] = network_.now();
    }
    void timer(std::uint32_t code) override
    {
        const CarriedMessage& message = planned_[code].message;
        network_.send(sending_of(plan_, message), plan_.route(message.leg, message.flow));
    }

    const FabricPlan& plan_;
    WormNetwork network_;
    std::vector<Planned> planned_;
    Arrivals arrivals_;
};

class Sink final : public ArrivalSink {
public:
    explicit Sink(double cycle_ns) : cycle_(cycle_ns, sc_core::SC_NS) {}

    Arrivals arrivals;

private:
    bool takes_request(std::uint32_t) override { return true; }
    void message_arrived(Leg leg, std::uint32_t id) override
    {
        arrivals[{leg, id}] = sc_core::sc_time_stamp().value() / cycle_.value();
    }

    sc_core::sc_time cycle_;
};

SC_MODULE(Sender)
{
    SC_HAS_PROCESS(Sender);
    Sender(const sc_core::sc_module_name& name, WormCarrier& carrier, const std::vector<Planned>& planned,
           double cycle_ns)
        : sc_module(name), carrier_(carrier), planned_(planned), cycle_(cycle_ns, sc_core::SC_NS)
    {
        SC_THREAD(run);
    }

private:
    void run()
    {
        std::uint64_t now = 0;
        for (const Planned& one : planned_) {
            if (one.cycle > now)
                wait(static_cast<double>(one.cycle - now) * cycle_);
            now = one.cycle;
            carrier_.send(one.message);
        }
    }

    WormCarrier & carrier_;
    const std::vector<Planned>& planned_;
    sc_core::sc_time cycle_;
};

} // namespace

TEST_CASE("what a fabric carries as worms arrives when the network says, however long its process sleeps",
          "[fabric][worm]")
{
    const std::uint64_t seed = GENERATE(range(1, 13));
    CAPTURE(seed);
    FabricConfig config;
    config.timing = FabricTiming::at;
    config.hardware.vcs = seed % 2 == 0 ? 2 : 4;
    config.hardware.cycle_ns = 2;
    const FabricPorts ports{{{"cpu0", 0}, {"cpu1", 1}, {"cpu2", 7}}, {{"ram0", 4}, {"ram1", 8}}};
    const FabricPlan plan = plan_fabric(make_topology("mesh:3x3"), ports, config);
    const std::vector<Planned> planned = random_messages(plan, seed);
    const test::Simulation simulation;
    Sink sink(config.hardware.cycle_ns);
    WormCarrier carrier("carrier", plan, config, sink);
    Sender sender("sender", carrier, planned, config.hardware.cycle_ns);
    test::run_to_end();
    CHECK(sink.arrivals.size() == planned.size());
    CHECK(sink.arrivals == Bare(plan, config.hardware).run(planned));
}

} // namespace nocturne::worm_carrier_test
