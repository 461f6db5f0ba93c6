// Networks of any hardware, against a model that looks at every part in every cycle.
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/models/hardware/random_hardware.hpp"
#include "tests/models/hardware/reference_network.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace nocturne::reference_network_test {

namespace {

/// Keeps the stay of every flit in a buffer.
class Stays final : public BufferObserver {
public:
    explicit Stays(const LinkPlan& plan)
        : vcs_(plan.vcs()), under_way_(std::size_t{plan.links()} * vcs_), stays_(under_way_.size())
    {
    }

    void flit_comes(std::uint32_t link, unsigned vc, std::uint64_t at) override
    {
        REQUIRE((under_way_[link * vcs_ + vc].empty() || under_way_[link * vcs_ + vc].back() < at));
        under_way_[link * vcs_ + vc].push_back(at);
    }
    void flit_leaves(std::uint32_t link, unsigned vc, std::uint64_t at) override
    {
        std::deque<std::uint64_t>& buffer = under_way_[link * vcs_ + vc];
        REQUIRE_FALSE(buffer.empty());
        REQUIRE(buffer.front() <= at);
        stays_[link * vcs_ + vc].emplace_back(buffer.front(), at);
        buffer.pop_front();
    }

    std::vector<test::ReferenceBuffer> buffers() const
    {
        std::vector<test::ReferenceBuffer> result;
        for (const auto& stays : stays_) {
            test::ReferenceBuffer& buffer = result.emplace_back();
            for (const auto& [came, left] : stays) {
                buffer.sum += left - came + 1;
                const auto together = std::ranges::count_if(
                    stays, [at = left](const auto& stay) { return stay.first <= at && at <= stay.second; });
                buffer.most = std::max(buffer.most, static_cast<std::uint64_t>(together));
            }
        }
        return result;
    }
    bool is_empty() const
    {
        return std::ranges::all_of(under_way_, [](const auto& buffer) { return buffer.empty(); });
    }

private:
    const unsigned vcs_;
    std::vector<std::deque<std::uint64_t>> under_way_;
    std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> stays_;
};

/// Anything that the configuration allows.
Allocation random_allocation(SplitMix64& random, unsigned vcs)
{
    using enum AllocatorKind;
    const AllocatorKind of_switch[] = {islip, islip, input_first, output_first, wavefront};
    const AllocatorKind of_vcs[] = {islip, islip, input_first, output_first, wavefront, rotating};
    Allocation allocation{of_switch[random.below(5)], of_vcs[random.below(6)],
                          static_cast<ArbiterKind>(random.below(4)), 1, 1 + random.below(std::min(vcs, 3u))};
    if (allocation.switch_allocator == islip)
        allocation.iterations = 1 + random.below(3);
    if (allocation.vc_allocator == rotating)
        allocation.arbiter = ArbiterKind::round_robin;
    return allocation;
}

/// Requires that every message arrives in the cycle in which the plain model says, and that buffers, if they
/// are asked for, have the flits that it sees; returns the arrivals.
std::vector<Cycle> require_as_plainest(const Topology& topology, const HardwareConfig& config,
                                       PortModel ports, const Routing& routing,
                                       const std::vector<test::Message>& messages, bool has_one_clock)
{
    CAPTURE(topology.name(), config.vcs, config.buffer_flits, to_string(config.allocation.switch_allocator),
            to_string(config.allocation.vc_allocator), to_string(config.allocation.arbiter),
            config.allocation.iterations, config.allocation.input_speedup);
    test::Simulation simulation;
    const std::size_t most_modules = messages.size() % 2 == 0 ? topology.router_count() : 0;
    Network network("network", topology, config, ports, routing, most_modules);
    CHECK((sc_core::sc_find_object("network.router_0.in_0") != nullptr) == (most_modules > 0));
    Stays stays(network.plan());
    if (has_one_clock)
        network.observe_buffers(stays);
    test::Messenger messenger(network);
    std::vector<test::SentMessage> sent;
    for (const test::Message& message : messages) {
        sent.push_back({message, routing.route(message.source, message.destination)});
        messenger.send(message, sent.back().route);
    }
    test::run_to_end();
    REQUIRE(messenger.arrivals().size() == messages.size());
    REQUIRE(network.credits_under_way() == 0);
    std::vector<Cycle> arrivals;
    for (std::uint32_t id = 0; id < messages.size(); ++id)
        arrivals.push_back(messenger.arrival_of(id).value());
    const test::ReferenceRun expected = test::reference_run(topology, config, ports, routing, sent);
    REQUIRE(arrivals == expected.arrivals);
    CHECK(stays.is_empty());
    if (has_one_clock)
        CHECK(stays.buffers() == expected.buffers);
    return arrivals;
}

/// In the order in which they enter; few cycles are overload, in many hardly anything meets.
std::vector<test::Message> random_traffic(const Topology& topology, SplitMix64& random)
{
    auto messages = test::random_messages(topology, {150, 20, 1 + random.below(1500)}, random);
    for (test::Message& message : messages)
        message.priority = static_cast<std::uint8_t>(random.below(3));
    std::ranges::stable_sort(messages, {}, &test::Message::at);
    return messages;
}

Topology random_topology(SplitMix64& random)
{
    const char* const specs[] = {"mesh:3x3",  "torus:4x3", "ring:6",        "hypercube:3",
                                 "kautz:3,2", "omega:8",   "fat_octagon:8", "star:70"};
    return test::with_random_channels(make_topology(specs[random.below(8)]), random);
}

} // namespace

TEST_CASE("every message arrives, and every buffer is filled, as the plainest model of the network says",
          "[hardware][router]")
{
    const auto seed = GENERATE(range(0u, test::tries(240, 3)));
    CAPTURE(seed);
    SplitMix64 random(static_cast<std::uint64_t>(seed) + 7000);
    const Topology topology = random_topology(random);
    const Routing routing = make_routing(topology, "shortest+layers");
    HardwareConfig config = test::random_config(random);
    config.vcs = routing.vc_classes * (1 + random.below(3));
    config.buffer_flits = random.below(3) == 0 ? 0 : 1 + random.below(9);
    if (seed % 3 != 0) {
        config.allocation = random_allocation(random, config.vcs);
        for (Pipeline* const stages : {&config.router, &config.crossbar})
            if (stages->switch_allocation == 0)
                stages->speculation = Speculation::before_vc;
    }
    require_as_plainest(topology, config, random.below(2) == 0 ? one_port : all_port, routing,
                        random_traffic(topology, random), true);
}

TEST_CASE("the same holds where routers and links have parts of their own", "[hardware][router][parts]")
{
    const auto seed = GENERATE(range(0, 120));
    CAPTURE(seed);
    SplitMix64 random(static_cast<std::uint64_t>(seed) + 9000);
    const Topology plain = random_topology(random);
    const Routing routing = make_routing(plain, "shortest+layers");
    const unsigned classes = routing.vc_classes;
    const bool has_clocks = seed % 2 == 1;
    const Topology topology = test::with_random_parts(plain, random,
                                                      {.clocks = has_clocks,
                                                       .buffers = true,
                                                       .arbiters = seed % 4 > 1,
                                                       .least_vcs = seed % 8 > 5 ? 0 : classes,
                                                       .most_vcs = 3 * classes,
                                                       .pools = seed % 7 > 2,
                                                       .packets = seed % 3 == 1,
                                                       .rates = seed % 5 > 1});
    HardwareConfig config = test::random_config(random);
    config.cycle_ns = test::whole_cycle_ns;
    config.vcs = classes * (1 + random.below(3));
    config.buffer_flits = random.below(3) == 0 ? 0 : 1 + random.below(9);
    config.synchronizer_cycles = 1 + random.below(3);
    if (seed % 3 != 0)
        config.allocation = random_allocation(random, 1);
    if (seed % 4 > 1 && config.allocation.vc_allocator == AllocatorKind::rotating)
        config.allocation.vc_allocator = AllocatorKind::islip;
    const PortModel ports = seed % 3 == 1 || random.below(2) == 0 ? one_port : all_port;
    require_as_plainest(topology, config, ports, routing, random_traffic(topology, random), !has_clocks);
}

TEST_CASE(
    "the first of several heads to be served is that of the first input, whatever the allocator and the "
    "number of virtual channels",
    "[hardware][router]")
{
    using enum AllocatorKind;
    HardwareConfig config;
    config.vcs = GENERATE(1u, 2u, 4u);
    config.allocation.vc_allocator = GENERATE(islip, input_first, output_first, wavefront, rotating);
    config.allocation.switch_allocator = GENERATE(islip, input_first, output_first, wavefront);
    config.allocation.arbiter = config.allocation.vc_allocator == rotating
                                    ? ArbiterKind::round_robin
                                    : GENERATE(ArbiterKind::round_robin, ArbiterKind::matrix);
    const Topology topology = make_topology("omega:2"); // a switch with two inputs
    const std::vector<Cycle> arrivals = require_as_plainest(
        topology, config, one_port, make_routing(topology, "auto"), {{0, 0, 1, 1}, {1, 0, 1, 1}}, true);
    CHECK(arrivals[0] < arrivals[1]);
}

TEST_CASE("flits in buffers are not counted where parts fail", "[hardware][buffer]")
{
    test::Simulation simulation;
    const Topology mesh = make_topology("mesh:2x2");
    Network network("network", mesh, {}, one_port, make_routing(mesh, "dor"));
    network.plan_faults({.channels = {0}}, {100, 200});
    Stays stays(network.plan());
    CHECK_THROWS_WITH(network.observe_buffers(stays), Catch::Contains("where nothing fails"));
}

} // namespace nocturne::reference_network_test
