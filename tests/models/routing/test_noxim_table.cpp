#include "models/routing/adaptive.hpp"
#include "models/routing/deadlock.hpp"
#include "models/routing/make_routing.hpp"
#include "models/routing/noxim_table.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/routing/route_texts.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

namespace nocturne::noxim_table_test {

namespace {

/// The table that says what an adaptive routing allows.
std::string table_of(const AdaptiveRouting& routing)
{
    const Topology& topology = routing.topology();
    std::string text = "% Node  In  Dest  Outs\n";
    for (RouterId destination = 0; destination < topology.router_count(); ++destination)
        routing.visit_allowed(destination, [&](RouterId at, unsigned arrival, const auto& allowed) {
            std::string out;
            for (const ChannelId id : allowed)
                out += fmt::format("{}->{}, ", at, topology.channel(id).target);
            if (at == destination)
                out = fmt::format("{}->{},", at, at);
            if (arrival == 0)
                text += fmt::format(" {} {}->{} {} {}\n", at, at, at, destination, out);
            for (const ChannelId id : topology.channels_to(at))
                if (routing.arrival_by(id) == arrival)
                    text += fmt::format(" {} {}->{} {} {}\n", at, topology.channel(id).source, at,
                                        destination, out);
        });
    return text;
}

Routing read(const Topology& topology, const std::string& text)
{
    return read_noxim_table(topology, "table.txt", text, 1);
}

} // namespace

TEST_CASE("a table of Noxim's that says what a turn model allows is that turn model", "[routing][noxim]")
{
    const test::TemporaryFolder folder;
    for (const char* name : {"west_first", "odd_even", "negative_first"}) {
        const Topology mesh = make_topology("mesh:3x4");
        const Routing model = make_routing(mesh, name);
        const std::string text = table_of(*model.adaptive());
        REQUIRE(is_noxim_table(text));
        const Routing table = make_routing(mesh, "file:" + folder.file("table.txt", text), 7);
        INFO(name);
        CHECK(table.adaptive()->seed() == 7);
        CHECK_FALSE(table.adaptive()->has_escape());
        const DependencyCheck expected = check_deadlock(mesh, model);
        const DependencyCheck check = check_deadlock(mesh, table);
        CHECK(check.deadlock_free());
        CHECK(check.dependencies.size() == expected.dependencies.size());
        for (RouterId destination = 0; destination < mesh.router_count(); ++destination) {
            std::map<ChannelId, std::set<ChannelId>> after; // by the channel by which messages come
            model.adaptive()->visit_allowed(destination,
                                            [&](RouterId at, unsigned arrival, const auto& allowed) {
                                                for (const ChannelId id : mesh.channels_to(at))
                                                    if (model.adaptive()->arrival_by(id) == arrival)
                                                        after[id] = {allowed.begin(), allowed.end()};
                                            });
            table.adaptive()->visit_allowed(
                destination, [&](RouterId at, unsigned arrival, const auto& allowed) {
                    for (const ChannelId id : mesh.channels_to(at))
                        if (table.adaptive()->arrival_by(id) == arrival)
                            CHECK((after.at(id) == std::set<ChannelId>{allowed.begin(), allowed.end()}));
                });
        }
    }
}

TEST_CASE("the check for deadlock judges a table of Noxim's", "[routing][noxim]")
{
    const Topology mesh = make_topology("mesh:3x3");
    const AdaptiveRouting all_minimal(mesh);
    const Routing table = read(mesh, table_of(all_minimal)); // without its escape channels
    CHECK_FALSE(check_deadlock(mesh, table).deadlock_free());
}

TEST_CASE("what is no table of Noxim's is told from one, and one that lacks entries refused",
          "[routing][noxim]")
{
    const Topology line = make_topology("mesh:3");
    CHECK(check_deadlock(line, read(line, test::noxim_table_of_a_line)).deadlock_free());
    CHECK_FALSE(is_noxim_table("source,destination,path\n0,1,0->1\n"));
    CHECK_FALSE(is_noxim_table("% nothing\n\n"));
    CHECK_THROWS_WITH(
        read(line, "0 0->0 1 0->1,\n"),
        "table.txt: messages to node 0 can come to node 1, where injection has no entry for them");
}

} // namespace nocturne::noxim_table_test
