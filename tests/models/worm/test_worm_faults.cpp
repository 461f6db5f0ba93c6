// Faults at the message level: what they take is what they take at the flit level.
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/random_hardware.hpp"
#include "tests/models/topology/all_networks.hpp"
#include "tests/models/worm/both_levels.hpp"
#include "tests/models/worm/worm_messenger.hpp"

#include <algorithm>

namespace nocturne::worm_faults_test {

namespace {

using test::Fate;
using test::Setting;
using Sent = test::SentMessage;

/// Mostly a channel of the route, otherwise a router of it.
Faults fault_on(const Topology& topology, const Sent& sent, SplitMix64& random)
{
    Faults faults;
    const auto hops = static_cast<std::uint32_t>(sent.route.size());
    const std::uint32_t place = random.below(hops + 1);
    if (place < hops && random.below(3) != 0)
        faults.channels.push_back(sent.route[place].channel);
    else
        faults.routers.push_back(place < hops ? topology.channel(sent.route[place].channel).source
                                              : topology.processor(sent.message.destination).ejection);
    return faults;
}

/// One message after the other, far enough apart that the credits are back, and a fault on the way of each;
/// the last one may be for good.
Setting lonely_setting(const std::string& spec, SplitMix64& random, bool is_full_rate)
{
    Setting setting{make_topology(spec), {}, PortModel{random.below(3)}, 1, {}, {}};
    if (is_full_rate) {
        setting.config.buffer_flits = 0;
    } else {
        setting.topology = test::with_random_channels(setting.topology, random);
        setting.config = test::random_config(random);
        setting.config.buffer_flits = random.below(3) == 0 ? 0 : 1 + random.below(12);
    }
    setting.sent = test::lonely_messages(setting.topology, random);
    for (const Sent& sent : setting.sent) {
        const auto hops = static_cast<std::uint32_t>(sent.route.size());
        const std::uint64_t from = sent.message.at + random.below(20 + sent.message.flits + 4 * hops);
        const bool is_for_good = &sent == &setting.sent.back() && random.below(2) == 0;
        setting.faults.push_back({fault_on(setting.topology, sent, random),
                                  {from, is_for_good ? DownTime::for_good : from + 1 + random.below(60)}});
    }
    return setting;
}

bool has(const std::vector<std::uint32_t>& list, std::uint32_t one)
{
    return std::find(list.begin(), list.end(), one) != list.end();
}

bool crosses(const Topology& topology, const Sent& sent, const Faults& parts)
{
    return has(parts.routers, topology.processor(sent.message.source).injection) ||
           std::any_of(sent.route.begin(), sent.route.end(), [&](const Hop& hop) {
               return has(parts.channels, hop.channel) ||
                      has(parts.routers, topology.channel(hop.channel).target);
           });
}

/// Many messages that meet, faults among them, and what all processors send one another long after that.
Setting crowded_setting(SplitMix64& random)
{
    const std::vector<std::string> specs{"mesh:3x3",  "torus:3x3", "ring:6", "kautz:2,2", "octagon:8",
                                         "fattree:8", "omega:8",   "star:5", "mesh:4x4",  "complete:5"};
    Setting setting{test::with_random_channels(make_topology(specs[random.below(10)]), random),
                    test::random_config(random),
                    PortModel{random.below(3)},
                    1,
                    {},
                    {}};
    const Routing routing = make_routing(setting.topology, "shortest+layers");
    setting.vc_classes = routing.vc_classes;
    setting.config.vcs = routing.vc_classes * (1 + random.below(2));
    setting.config.buffer_flits = random.below(3) == 0 ? 1 + random.below(4) : 0;
    const auto add = [&](const test::Message& message) {
        setting.sent.push_back({message, routing.route(message.source, message.destination)});
    };
    for (const test::Message& message : test::random_messages(setting.topology, {120, 50, 400}, random))
        add(message);
    for (unsigned fault = 1 + random.below(4); fault > 0; --fault) {
        const std::uint64_t from = random.below(600);
        const bool is_for_good = random.below(3) == 0;
        const Sent& near = setting.sent[random.below(120)];
        setting.faults.push_back({fault_on(setting.topology, near, random),
                                  {from, is_for_good ? DownTime::for_good : from + 1 + random.below(60)}});
    }
    std::ranges::stable_sort(setting.sent, {}, [](const Sent& each) { return each.message.at; });
    for (ProcessorId source = 0; source < setting.topology.processor_count(); ++source)
        for (ProcessorId destination = 0; destination < setting.topology.processor_count(); ++destination)
            add({source, destination, 20, 200'000});
    return setting;
}

} // namespace

TEST_CASE("of messages that meet no other a fault takes the same ones and as many flits as at the flit "
          "level, on any network, and the others arrive to the cycle",
          "[worm][fault]")
{
    SplitMix64 random(1);
    std::size_t lost = 0;
    std::size_t cut = 0;
    for (const std::string& spec : test::small_networks())
        for (int i = 0; i < 6; ++i) {
            const bool is_full_rate = i % 2 == 0;
            const Setting setting = lonely_setting(spec, random, is_full_rate);
            CAPTURE(spec, i, setting.config.buffer_flits, setting.config.vcs, setting.config.link_cycles);
            const Fate flit = test::at_flit_level(setting);
            const Fate worm = test::at_message_level(setting);
            Setting without_faults = setting;
            without_faults.faults.clear();
            const Fate whole = test::at_message_level(without_faults);
            CHECK(worm.arrivals == flit.arrivals);
            CHECK(worm.flits_lost == flit.flits_lost);
            std::uint64_t flits = 0;
            for (std::size_t each = 0; each < setting.sent.size(); ++each) {
                const bool is_lost = flit.arrivals[each] == 0;
                lost += is_lost ? 1 : 0;
                flits += is_lost ? setting.sent[each].message.flits : 0;
                if (!is_lost || is_full_rate) {
                    CHECK(worm.sent[each] == flit.sent[each]);
                    continue;
                }
                // A link that swallows what comes returns credits sooner than the one behind it had: from the
                // cut on the source is faster than without the fault, at the most a flit a cycle.
                for (const std::uint64_t sent : {worm.sent[each], flit.sent[each]}) {
                    CHECK(sent <= whole.sent[each]);
                    CHECK(sent >= setting.sent[each].message.at + setting.config.interface_cycles +
                                      setting.sent[each].message.flits - 1);
                }
            }
            cut += flit.flits_lost < flits ? 1 : 0;
        }
    CHECK(lost > 100);
    CHECK(cut > 30);
}

TEST_CASE("messages that meet are lost or arrive, whatever fails, and later ones suffer from what is still "
          "down only",
          "[worm][fault]")
{
    std::size_t lost = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SplitMix64 random(seed);
        const Setting setting = crowded_setting(random);
        CAPTURE(seed, setting.topology.name(), setting.config.vcs, setting.config.buffer_flits);
        const Fate fate = test::at_message_level(setting);
        Faults all;
        Faults dead;
        for (const auto& [faults, down] : setting.faults)
            for (Faults* const parts : {&all, &dead}) {
                if (parts == &dead && down.until != DownTime::for_good)
                    continue;
                parts->channels.insert(parts->channels.end(), faults.channels.begin(), faults.channels.end());
                parts->routers.insert(parts->routers.end(), faults.routers.begin(), faults.routers.end());
            }
        std::uint64_t lost_before = 0;
        std::uint64_t lost_later = 0;
        for (std::size_t each = 0; each < setting.sent.size(); ++each) {
            const Sent& sent = setting.sent[each];
            const bool is_lost = fate.arrivals[each] == 0;
            if (each >= 120)
                CHECK(is_lost == crosses(setting.topology, sent, dead));
            else if (is_lost)
                CHECK(crosses(setting.topology, sent, all));
            if (is_lost)
                (each >= 120 ? lost_later : lost_before) += sent.message.flits;
            lost += is_lost ? 1 : 0;
        }
        CHECK(fate.flits_lost >= lost_later);
        CHECK(fate.flits_lost <= lost_later + lost_before);
    }
    CHECK(lost > 1000);
}

TEST_CASE("faults of parts that do not exist, or that end before they begin, are refused", "[worm][fault]")
{
    const Topology topology = make_topology("mesh:2x2");
    test::WormMessenger messenger(topology, {}, one_port);
    WormNetwork& network = messenger.network();
    CHECK_THROWS_WITH(network.plan_faults({{8}, {}}, {}), "mesh:2x2: channel 8 does not exist");
    CHECK_THROWS_WITH(network.plan_faults({{0}, {4}}, {}), "mesh:2x2: router 4 does not exist");
    CHECK_THROWS_WITH(network.plan_faults({{0}, {}}, {5, 5}), "mesh:2x2: a fault from cycle 5 to cycle 5");
}

} // namespace nocturne::worm_faults_test
