#include "models/fabric/link_calendar.hpp"
#include "models/network/zero_load.hpp"
#include "models/routing/random.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace nocturne::link_calendar_test {

namespace {

/// An initiator at each of the processors but the last, where the target is.
FabricPlan plan_of(const Topology& topology, const FabricConfig& config)
{
    FabricPorts ports;
    const auto last = static_cast<ProcessorId>(topology.processor_count() - 1);
    for (ProcessorId id = 0; id < last; ++id)
        ports.initiators.push_back({fmt::format("i{}", id), id});
    ports.targets.push_back({"t", last});
    return plan_fabric(topology, ports, config);
}

FabricConfig shortest_paths()
{
    FabricConfig config;
    config.routing = "shortest";
    return config;
}

} // namespace

TEST_CASE("a message that is alone takes the cycles of the zero-load formula", "[fabric][calendar]")
{
    Topology topology = make_topology("mesh:2x3");
    if (GENERATE(false, true)) { // a narrow link beside the others
        const Channel channel = topology.channel(0);
        topology.add_channel({channel.source, 5, 1, 1});
    }
    const FabricConfig config = shortest_paths();
    const FabricPlan plan = plan_of(topology, config);
    LinkCalendar calendar(plan, config.hardware);
    std::uint64_t cycle = 0;
    const std::uint64_t ahead = GENERATE(0u, 700u, 100000u); // of simulated time: bits for more cycles
    for (FlowId flow = 0; flow < plan.requests.size(); ++flow)
        for (const Leg leg : {Leg::request, Leg::response})
            for (const std::uint32_t flits : {1u, 2u, 17u, 1000u, 5000u}) {
                cycle += 10'000;
                calendar.advance(cycle);
                CHECK(calendar.reserve(leg, flow, flits, cycle + ahead) ==
                      zero_load_cycles(plan.network, config.hardware, plan.route(leg, flow), flits));
            }
}

TEST_CASE("who comes second to a link waits for the flits of the first, to the cycle", "[fabric][calendar]")
{
    const FabricConfig config;
    const Topology topology = make_topology("mesh:1x3"); // requests of both meet on the last channel
    const FabricPlan plan = plan_of(topology, config);
    LinkCalendar calendar(plan, config.hardware);
    const auto zero_load = [&](FlowId flow, std::uint32_t flits) {
        return zero_load_cycles(plan.network, config.hardware, plan.requests[flow], flits);
    };
    const std::uint64_t one_hop = zero_load(0, 1) - zero_load(1, 1);
    const std::uint32_t flits = GENERATE(1u, 5u, 18u, 300u);
    CHECK(calendar.reserve(Leg::request, 0, flits, 0) == zero_load(0, flits));
    SECTION("in the same cycle")
    {
        CHECK(calendar.reserve(Leg::request, 1, 7, one_hop) == zero_load(1, 7) + flits);
    }
    SECTION("in its last cycle")
    {
        CHECK(calendar.reserve(Leg::request, 1, 7, one_hop + flits - 1) == zero_load(1, 7) + 1);
    }
    SECTION("behind it")
    {
        CHECK(calendar.reserve(Leg::request, 1, 7, one_hop + flits) == zero_load(1, 7));
    }
    SECTION("before it, although it is asked for later")
    {
        CHECK(calendar.reserve(Leg::request, 1, 5, one_hop - 5) == zero_load(1, 5));
        // One flit too many would have the other one wait for a cycle, which the next like it is charged.
        LinkCalendar other(plan, config.hardware);
        other.reserve(Leg::request, 0, 6, 0);
        CHECK(other.reserve(Leg::request, 1, 6, one_hop - 5) == zero_load(1, 6));
        other.advance(1000);
        CHECK(other.reserve(Leg::request, 1, 6, 1000) == zero_load(1, 6));
        other.advance(2000);
        CHECK(other.reserve(Leg::request, 0, 6, 2000) == zero_load(0, 6) + 1);
        other.advance(3000);
        CHECK(other.reserve(Leg::request, 0, 6, 3000) == zero_load(0, 6));
    }
    SECTION("the other leg uses other channels, and what has passed is forgotten")
    {
        CHECK(calendar.reserve(Leg::response, 1, 7, one_hop) ==
              zero_load_cycles(plan.network, config.hardware, plan.responses[1], 7));
        calendar.advance(100'000);
        CHECK(calendar.reserve(Leg::request, 1, 7, 100'000) == zero_load(1, 7));
    }
}

TEST_CASE("flits of messages in different virtual channels take turns", "[fabric][calendar]")
{
    FabricConfig config;
    config.hardware.vcs = GENERATE(2u, 4u); // of two classes
    const FabricPlan plan = plan_of(make_topology("mesh:1x3"), config);
    LinkCalendar calendar(plan, config.hardware);
    const auto zero_load = [&](FlowId flow, std::uint32_t flits) {
        return zero_load_cycles(plan.network, config.hardware, plan.requests[flow], flits);
    };
    const std::uint64_t one_hop = zero_load(0, 1) - zero_load(1, 1);
    constexpr std::uint32_t large = 64;
    constexpr std::uint32_t small = 4;
    constexpr std::uint32_t sent = 10; // of the large one, when the small one comes to the channel of both
    const bool takes_turns = config.hardware.vcs > 2;
    CHECK(calendar.reserve(Leg::request, 0, large, 0) == zero_load(0, large));
    CHECK(calendar.reserve(Leg::request, 1, small, one_hop + sent) ==
          zero_load(1, small) + (takes_turns ? small : large - sent));
    // What the large one has lost, and was not told, the next one pays that is as large.
    const auto later = [&](std::uint32_t flits, std::uint64_t cycle) {
        calendar.advance(cycle);
        return calendar.reserve(Leg::request, 0, flits, cycle) - zero_load(0, flits);
    };
    CHECK(later(small, 1000) == 0);
    CHECK(later(large, 2000) == (takes_turns ? small : 0));
    CHECK(later(large, 3000) == 0);
}

TEST_CASE("the mean wait is that of a queue, whatever the order in which messages of two sizes are asked for",
          "[fabric][calendar]")
{
    // Direct links from each initiator to the target, whose ejection link is all that they share: a queue of
    // random arrivals, first come, first served, in which both sizes wait as long: rate * mean square of the
    // services / (2 (1 - load)) (Pollaczek and Khinchine).
    const FabricConfig config = shortest_paths();
    const Topology topology = make_topology("complete:25");
    const FabricPlan plan = plan_of(topology, config);
    const double load = GENERATE(0.3, 0.5, 0.7);
    using Sizes = std::array<std::uint32_t, 2>;
    struct Case {
        Sizes flits;
        Sizes early;            ///< cycles before they enter
        std::uint32_t disorder; ///< more of these, at random, at most
    };
    const Case of =
        GENERATE(Case{{10, 10}, {0, 0}, 1}, Case{{10, 10}, {0, 0}, 40}, Case{{10, 10}, {0, 0}, 400},
                 Case{{2, 66}, {0, 0}, 1}, Case{{2, 66}, {60, 0}, 1});
    CAPTURE(load, of.flits[0], of.early[0], of.disorder);
    const double rate = load / ((of.flits[0] + of.flits[1]) / 2.0); // of both together
    LinkCalendar calendar(plan, config.hardware);
    SplitMix64 random(1);
    struct Message {
        std::uint64_t asked;
        std::uint64_t enters;
        unsigned kind;
    };
    std::vector<Message> messages;
    double cycle = 1000;
    for (unsigned i = 0; i < 40'000; ++i) {
        cycle -= std::log(1 - random.uniform()) / rate;
        const auto enters = static_cast<std::uint64_t>(cycle);
        const unsigned kind = random.below(2);
        messages.push_back({enters - of.early[kind] - random.below(of.disorder), enters, kind});
    }
    std::ranges::stable_sort(messages, {}, &Message::asked);
    std::array<double, 2> waits{}, counts{};
    for (const auto& [asked, enters, kind] : messages) {
        const FlowId flow = random.below(24);
        calendar.advance(asked);
        waits[kind] += static_cast<double>(
            calendar.reserve(Leg::request, flow, of.flits[kind], enters) -
            zero_load_cycles(plan.network, config.hardware, plan.requests[flow], of.flits[kind]));
        ++counts[kind];
    }
    const double squares = (of.flits[0] * of.flits[0] + of.flits[1] * of.flits[1]) / 2.0;
    for (const unsigned kind : {0u, 1u})
        CHECK(waits[kind] / counts[kind] == Approx(rate * squares / (2 * (1 - load))).epsilon(0.15));
}

TEST_CASE("no link moves more than a flit in a cycle, however far initiators run ahead", "[fabric][calendar]")
{
    // Initiators that ask again as soon as they are answered, a quantum each in turn.
    const FabricConfig config;
    const Topology topology = make_topology("mesh:3x3");
    const FabricPlan plan = plan_of(topology, config);
    const auto initiators = static_cast<std::uint32_t>(plan.initiators);
    const unsigned outstanding = GENERATE(1u, 4u, 100u); // threads of each
    const std::uint32_t flits = GENERATE(2u, 18u, 70u);
    const std::uint64_t quantum = GENERATE(1u, 300u, 3000u, 20000u);
    CAPTURE(outstanding, flits, quantum);
    LinkCalendar calendar(plan, config.hardware);
    std::vector<std::uint64_t> times(initiators * outstanding, 0); // by thread
    std::uint64_t moved = 0;
    constexpr std::uint64_t end = 100'000;
    for (std::uint64_t now = 0; now < end; now += quantum) {
        calendar.advance(now);
        for (std::size_t thread = 0; thread < times.size(); ++thread)
            while (times[thread] < std::min(now + quantum, end)) {
                times[thread] += calendar.reserve(Leg::request, static_cast<FlowId>(thread % initiators),
                                                  flits, times[thread]);
                moved += times[thread] <= end ? flits : 0; // all through the target's ejection link
            }
    }
    CHECK(moved <= end + end / 100);
    CHECK(moved >= std::min<std::uint64_t>(end / 2, times.size() * flits * end / 400)); // and it is used
}

} // namespace nocturne::link_calendar_test
