// What is told of flits in buffers, against a model that looks at every buffer in every cycle.
#include "models/routing/make_routing.hpp"
#include "models/routing/random.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/random_hardware.hpp"
#include "tests/models/hardware/reference_network.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace nocturne::buffer_observer_test {

namespace {

/// Keeps the stay of every flit.
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

} // namespace

TEST_CASE("buffers have the flits that the plainest model sees in every cycle", "[hardware][buffer]")
{
    const auto seed = GENERATE(range(0, 30));
    CAPTURE(seed);
    SplitMix64 random(static_cast<std::uint64_t>(seed) + 11000);
    const char* const specifications[] = {"mesh:3x3", "torus:4x3", "ring:6", "kautz:3,2", "omega:8"};
    const Topology topology =
        test::with_random_channels(make_topology(specifications[random.below(5)]), random);
    const Routing routing = make_routing(topology, "shortest+layers");
    HardwareConfig config = test::random_config(random);
    config.vcs = routing.vc_classes * (1 + random.below(3));
    config.buffer_flits = random.below(3) == 0 ? 0 : 1 + random.below(9);
    const PortModel ports = random.below(2) == 0 ? one_port : all_port;
    CAPTURE(topology.name(), config.vcs, config.buffer_flits);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    const std::uint32_t cycles = 1 + random.below(1500);
    std::vector<test::SentMessage> messages;
    for (unsigned i = 0; i < 150; ++i) {
        const ProcessorId source = random.below(processors), destination = random.below(processors);
        messages.push_back({{source, destination, 1 + random.below(20), 1 + random.below(cycles)},
                            routing.route(source, destination)});
    }
    std::ranges::stable_sort(messages, {}, [](const auto& each) { return each.message.at; });

    test::Simulation simulation;
    Network network("network", topology, config, ports, routing);
    Stays stays(network.plan());
    network.observe_buffers(stays);
    test::Messenger messenger(network);
    for (const test::SentMessage& message : messages)
        messenger.send(message.message, message.route);
    test::run_to_end();
    REQUIRE(messenger.arrivals().size() == messages.size());
    CHECK(stays.is_empty());
    CHECK(stays.buffers() == test::reference_run(topology, config, ports, routing, messages).buffers);
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

} // namespace nocturne::buffer_observer_test
