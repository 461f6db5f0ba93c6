// Faults are located by nothing but probes: here the answers come from a list of what has failed, without a
// simulation.
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/recovery/fault_locator.hpp"
#include "sim/recovery/minimal_fault_set.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace nocturne::fault_location_test {

namespace {

bool has(const std::vector<std::uint32_t>& list, std::uint32_t one)
{
    return std::find(list.begin(), list.end(), one) != list.end();
}

/// Does a message meet what has failed?
bool is_lost(const Topology& topology, const Faults& faults, ProcessorId source, const Path& path)
{
    return has(faults.routers, topology.processor(source).injection) ||
           std::any_of(path.begin(), path.end(), [&](ChannelId id) {
               return has(faults.channels, id) || has(faults.routers, topology.channel(id).source) ||
                      has(faults.routers, topology.channel(id).target);
           });
}

struct Located {
    FaultLocation location;
    std::size_t probes = 0;
};

Located locate(const Topology& topology, const Faults& faults, const std::vector<ChannelId>& suspects)
{
    FaultLocator locator(topology, suspects, {});
    Located located;
    for (std::vector<Probe> probes = locator.next_probes(); !probes.empty(); probes = locator.next_probes()) {
        for (const Probe& probe : probes)
            locator.note(probe, !is_lost(topology, faults, probe.source, probe.path));
        located.probes += probes.size();
        REQUIRE(located.probes < 100 * topology.channel_count());
    }
    located.location = locator.location();
    return located;
}

/// What messages that everybody sends to everybody make suspects.
std::vector<ChannelId> suspects_of(const Topology& topology, const Routing& routing, const Faults& faults)
{
    std::vector<LostPath> lost;
    for (ProcessorId source = 0; source < topology.processor_count(); ++source)
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination) {
            Path path;
            for (const Hop& hop : routing.route(source, destination))
                path.push_back(hop.channel);
            if (source != destination && is_lost(topology, faults, source, path))
                lost.push_back({source, std::move(path)});
        }
    return suspected_channels(topology, lost, {});
}

/// In words, each part with its alternatives.
std::set<std::set<std::string>> words(const std::vector<Faults>& parts)
{
    std::set<std::set<std::string>> result;
    for (const Faults& part : parts) {
        std::set<std::string> alternatives;
        for (const ChannelId id : part.channels)
            alternatives.insert("channel " + std::to_string(id));
        for (const RouterId id : part.routers)
            alternatives.insert("router " + std::to_string(id));
        result.insert(alternatives);
    }
    return result;
}

/// Each failed thing as a part of its own.
std::vector<Faults> single_parts(const Faults& faults)
{
    std::vector<Faults> parts;
    for (const ChannelId id : faults.channels)
        parts.push_back({{id}, {}});
    for (const RouterId id : faults.routers)
        parts.push_back({{}, {id}});
    return parts;
}

/// Every channel, every link and every router.
std::vector<Faults> single_faults(const Topology& topology)
{
    std::vector<Faults> all;
    for (ChannelId id = 0; id < topology.channel_count(); ++id)
        all.push_back({{id}, {}});
    for (ChannelId id = 0; id < topology.channel_count(); ++id)
        for (const ChannelId back : topology.channels_from(topology.channel(id).target))
            if (back > id && topology.channel(back).target == topology.channel(id).source)
                all.push_back({{id, back}, {}});
    for (RouterId id = 0; id < topology.router_count(); ++id)
        all.push_back({{}, {id}});
    return all;
}

Faults united(const Faults& a, const Faults& b)
{
    Faults both = a;
    both.channels.insert(both.channels.end(), b.channels.begin(), b.channels.end());
    both.routers.insert(both.routers.end(), b.routers.begin(), b.routers.end());
    return both;
}

} // namespace

TEST_CASE("probes locate every single fault, on direct and on indirect networks", "[recovery][location]")
{
    const std::string network = GENERATE("mesh:3x3", "torus:4x4", "hypercube:3", "kautz:3,2", "octagon:8",
                                         "benes:2,3", "clos:3,3,4", "fattree:8", "omega:8", "butterfly:8");
    const Topology topology = make_topology(network);
    const Routing routing = make_routing(topology, "auto");
    for (const Faults& faults : single_faults(topology)) {
        const std::vector<ChannelId> suspects = suspects_of(topology, routing, faults);
        if (suspects.empty())
            continue; // no message meets it: nobody notices
        const Located located = locate(topology, faults, suspects);
        CAPTURE(network, words(single_parts(faults)), located.probes);
        CHECK(words(located.location.parts) == words(single_parts(faults)));
        CHECK(located.probes <= 2 * topology.channel_count());
    }
}

TEST_CASE("the first probe over a channel meets it once and leads from a processor to a processor",
          "[recovery][location]")
{
    const std::string network = GENERATE("mesh:3x3", "torus:4x4", "kautz:3,2", "btree:8", "omega:8");
    const Topology topology = make_topology(network);
    for (ChannelId suspect = 0; suspect < topology.channel_count(); ++suspect) {
        const std::vector<Probe> probes = FaultLocator(topology, {suspect}, {}).next_probes();
        REQUIRE(probes.size() == 1);
        CHECK(connects(topology, probes[0].source, probes[0].destination, probes[0].path));
        CHECK(std::count(probes[0].path.begin(), probes[0].path.end(), suspect) == 1);
    }
}

TEST_CASE("one lost message is enough to locate what it met", "[recovery][location]")
{
    const std::string network = GENERATE("mesh:3x3", "kautz:2,2", "benes:2,3", "clos:2,3,2", "fattree:8");
    const Topology topology = make_topology(network);
    const Routing routing = make_routing(topology, "auto");
    const auto processors = static_cast<ProcessorId>(topology.processor_count());
    for (const Faults& faults : single_faults(topology)) {
        for (ProcessorId source = 0; source < processors; ++source) {
            const ProcessorId destination = (source * 3 + 5) % processors;
            Path path;
            for (const Hop& hop : routing.route(source, destination))
                path.push_back(hop.channel);
            if (path.empty() || !is_lost(topology, faults, source, path))
                continue;
            const Located located =
                locate(topology, faults, suspected_channels(topology, {{source, path}}, {}));
            CAPTURE(network, words(single_parts(faults)), source, destination);
            // Of a link only one direction may have been met; the other one is found all the same.
            CHECK(words(located.location.parts) == words(single_parts(faults)));
        }
    }
}

TEST_CASE("two faults at once are located as two", "[recovery][location]")
{
    const std::string network = GENERATE("torus:4x4", "benes:2,3", "fattree:8");
    const Topology topology = make_topology(network);
    const Routing routing = make_routing(topology, "auto");
    for (ChannelId first = 0; first < topology.channel_count(); first += 3)
        for (ChannelId second = first + 1; second < topology.channel_count(); second += 5) {
            const Faults faults = united({{first}, {}}, {{second}, {}});
            const Located located = locate(topology, faults, suspects_of(topology, routing, faults));
            const RouterId source = topology.channel(first).source;
            const bool is_whole_switch = topology.channel(second).source == source &&
                                         topology.channels_from(source).size() == 2 &&
                                         topology.processors_ejected_by(source).empty();
            CAPTURE(network, first, second);
            // With both outputs of a switch nothing comes through it any more: that is a failed switch, and
            // one part.
            CHECK(words(located.location.parts) ==
                  words(is_whole_switch ? single_parts({{}, {source}}) : single_parts(faults)));
        }
}

TEST_CASE("what no probe can tell apart is said to be so, and avoided together", "[recovery][location]")
{
    // a -> m -> b is the only way over m, and m has no processor; a and b are joined directly as well.
    Topology topology("bypass");
    const RouterId a = topology.add_router("a"), m = topology.add_router("m"), b = topology.add_router("b");
    topology.add_processor(a);
    topology.add_processor(b);
    const ChannelId up = topology.add_channel(a, m), down = topology.add_channel(m, b);
    topology.add_link(a, b);
    const Faults faults = GENERATE_COPY(Faults{{up}, {}}, Faults{{down}, {}}, Faults{{}, {m}});
    const Located located = locate(topology, faults, {up, down});
    CHECK(words(located.location.parts) ==
          std::set<std::set<std::string>>{{"channel " + std::to_string(up), "channel " + std::to_string(down),
                                           "router " + std::to_string(m)}});
    CHECK(located.location.failed().channels == std::vector<ChannelId>{up, down});
    CHECK(located.location.failed().routers == std::vector<RouterId>{m});
}

TEST_CASE("a fault that is over when probes are sent leaves no location", "[recovery][location]")
{
    const Topology topology = make_topology("benes:2,3");
    std::vector<ChannelId> all(topology.channel_count());
    std::iota(all.begin(), all.end(), ChannelId{0});
    const Located located = locate(topology, {}, all);
    CHECK(located.location.parts.empty());
    CHECK(located.probes <= topology.channel_count());

    // It ends between two probes: the first one is lost, those behind it arrive.
    FaultLocator locator(topology, all, {});
    bool is_first = true;
    for (std::vector<Probe> probes = locator.next_probes(); !probes.empty(); probes = locator.next_probes())
        for (const Probe& probe : probes)
            locator.note(probe, !std::exchange(is_first, false));
    CHECK(locator.location().parts.empty());
}

TEST_CASE("a message that took no channel makes the channels of its router suspects", "[recovery][location]")
{
    const Topology topology = make_topology("fat_octagon:8");
    const std::vector<ChannelId> suspects = suspected_channels(topology, {{0, {}}}, {});
    CHECK(suspects.size() == topology.channels_from(0).size() + topology.channels_to(0).size());
    const Faults faults{{}, {topology.processor(0).injection}};
    CHECK(words(locate(topology, faults, suspects).location.parts) == words(single_parts(faults)));
}

TEST_CASE("a group of losses that is hard to explain leaves time for the others", "[recovery][location]")
{
    // Two probes for each row and column: all rows, or all columns, explain them. Too many for the search.
    constexpr ChannelId size = 18;
    std::vector<std::vector<ChannelId>> lost;
    for (ChannelId row = 0; row < size; ++row)
        for (ChannelId column = 0; column < size; ++column)
            lost.push_back({row, size + column});
    // Explained by the first two; the third one explains more than either, but then both are needed too.
    const ChannelId a = 2 * size, b = a + 1, most = a + 2;
    for (const std::vector<ChannelId>& probe :
         std::vector<std::vector<ChannelId>>{{a}, {a, most}, {a, most}, {b, most}, {b, most}, {b}})
        lost.push_back(probe);
    const std::vector<Faults> parts = smallest_faults(Topology("of no routers"), lost, {});
    const auto is_part = [&](ChannelId id) {
        return std::any_of(parts.begin(), parts.end(),
                           [&](const Faults& part) { return part.channels == std::vector<ChannelId>{id}; });
    };
    CHECK(parts.size() == size + 2);
    CHECK(is_part(a));
    CHECK(is_part(b));
    CHECK(!is_part(most));
}

} // namespace nocturne::fault_location_test
