// Networks made of networks: against the same ones built by hand, and whatever is wrong with their files.
#include "models/topology/files.hpp"
#include "models/topology/topology_files.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/check_invariants.hpp"
#include "tests/models/topology/composed.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <filesystem>

namespace nocturne::composition_test {

using Catch::Contains;

namespace {

using test::composed;

std::string composition(const std::string& parts, const std::string& joints)
{
    return test::composition_of(fmt::format(R"("parts": [{}], "joints": [{}])", parts, joints));
}

/// Between routers of different parts, by name.
std::vector<std::string> joints_of(const Topology& whole)
{
    std::vector<std::string> joints;
    const auto part = [](const std::string& name) { return name.substr(0, name.find('/')); };
    for (const Channel& channel : whole.channels()) {
        const std::string &from = whole.router_name(channel.source), &to = whole.router_name(channel.target);
        if (part(from) != part(to))
            joints.push_back(from + ">" + to);
    }
    return joints;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("parts are there with their names, channels and processors, one behind the other",
          "[topology][composition]")
{
    const Topology mesh = make_topology("mesh:2x3"), star = make_topology("star:2");
    const Topology whole = composed(composition(R"({"name": "chip", "count": 2, "network": "mesh:2x3"},
                                                 {"name": "hub", "network": "star:2", "processors": false})",
                                                R"({"from": "chip/12", "to": ["hub/0", "hub/1"],
                                                    "latency_cycles": 5, "width_bytes": 2, "length": 1.5})"));
    test::check_invariants(whole);
    REQUIRE(whole.router_count() == 2 * mesh.router_count() + star.router_count());
    CHECK(whole.processor_count() == 2 * mesh.processor_count());
    CHECK(whole.router_name(7) == "chip1/01");
    CHECK(whole.processor(7) == Processor{7, 7, "chip1/01"});
    CHECK(whole.router_name(12) == "hub/0");
    CHECK(whole.find_router("hub/hub") == 14u);
    for (ChannelId id = 0; id < mesh.channel_count(); ++id) {
        Channel channel = mesh.channel(id);
        CHECK(whole.channel(id) == channel);
        channel.source += 6;
        channel.target += 6;
        CHECK(whole.channel(static_cast<ChannelId>(mesh.channel_count()) + id) == channel);
    }
    const auto last = static_cast<ChannelId>(whole.channel_count());
    CHECK(whole.channel(last - 4) == Channel{5, 12, 5, 2, 1.5});
    CHECK(whole.channel(last - 3) == Channel{12, 5, 5, 2, 1.5});
    CHECK(whole.channel(last - 2) == Channel{11, 13, 5, 2, 1.5});
    CHECK(whole.channel_count() == 2 * mesh.channel_count() + star.channel_count() + 4);
    CHECK_FALSE(whole.grid());
    CHECK(whole.default_ports() == all_port);
}

TEST_CASE("patterns of joints", "[topology][composition]")
{
    const std::string parts =
        R"({"name": "a", "count": 3, "network": "mesh:2x2"}, {"name": "b", "network": "ring:3"})";
    const auto [joint, expected] = GENERATE(table<std::string, Names>(
        {{R"({"from": "a0/[right]", "to": "a1/[left]"})",
          {"a0/01>a1/00", "a1/00>a0/01", "a0/11>a1/10", "a1/10>a0/11"}},
         {R"({"from": "a0/[top]", "to": "a1/[bottom]", "one_way": true})", {"a0/00>a1/10", "a0/01>a1/11"}},
         {R"({"from": "a/00", "to": "b/*", "one_way": true})", {"a0/00>b/0", "a1/00>b/1", "a2/00>b/2"}},
         {R"({"from": "a0/00", "to": "b/*", "pattern": "all-to-all", "one_way": true})",
          {"a0/00>b/0", "a0/00>b/1", "a0/00>b/2"}},
         {R"({"from": "a/11", "to": "a/00", "pattern": "ring", "one_way": true})",
          {"a0/11>a1/00", "a1/11>a2/00", "a2/11>a0/00"}},
         {R"({"from": "a/11", "to": "a/00", "pattern": "chain", "one_way": true})",
          {"a0/11>a1/00", "a1/11>a2/00"}},
         {R"({"pairs": [["a2/#3", "b/2"]], "count": 2, "one_way": true})", {"a2/11>b/2", "a2/11>b/2"}}}));
    INFO(joint);
    CHECK(joints_of(composed(composition(parts, joint))) == expected);
}

TEST_CASE("two meshes side by side are one mesh", "[topology][composition]")
{
    const Topology whole = composed(composition(R"({"name": "half", "count": 2, "network": "mesh:4x3"})",
                                                R"({"from": "half0/[right]", "to": "half1/[left]"})"));
    const Topology mesh = make_topology("mesh:4x6");
    std::vector<std::pair<std::string, std::string>> got, wanted;
    const auto place = [&](const std::string& name) { // half1/12 is row 1, column 2 + 3
        return fmt::format("{}{}", name[6], name[7] - '0' + (name[4] == '1' ? 3 : 0));
    };
    for (const Channel& channel : whole.channels())
        got.emplace_back(place(whole.router_name(channel.source)), place(whole.router_name(channel.target)));
    for (const Channel& channel : mesh.channels())
        wanted.emplace_back(mesh.router_name(channel.source), mesh.router_name(channel.target));
    std::ranges::sort(got);
    std::ranges::sort(wanted);
    CHECK(got == wanted);
}

TEST_CASE("a composition has files of other formats and compositions as parts, beside it",
          "[topology][composition]")
{
    const test::TemporaryFolder folder;
    const std::filesystem::path inside = folder / "inside";
    std::filesystem::create_directory(inside);
    write_file_atomically(inside / "pair.anynet", "router 0 node 0 router 1\nrouter 1 node 1 router 0\n");
    write_file_atomically(inside / "two.json",
                          composition(R"({"name": "p", "count": 2, "network": "pair.anynet"})",
                                      R"({"from": "p/1", "to": "p/0", "pattern": "ring"})"));
    write_file_atomically(folder / "four.json",
                          composition(R"({"name": "t", "count": 2, "network": "inside/two.json"})",
                                      R"({"from": "t0/p0/0", "to": "t1/p1/1"})"));
    const Topology whole = load_topology(folder / "four.json");
    CHECK(whole.router_count() == 8);
    CHECK(whole.find_router("t1/p1/1") == 7u);
    CHECK(whole.processor(3).name == "t0/p1/1");
    CHECK(topology_from(folder / "four.json") == whole);
    CHECK(topology_from_json(to_json(whole), "again") == whole);
    // What is wrong in a file inside names that file.
    write_file_atomically(inside / "pair.anynet", "router 0 node\n");
    CHECK_THROWS_WITH(load_topology(folder / "four.json"), Contains("pair.anynet"));
    write_file_atomically(inside / "two.json", composition(R"({"name": "p", "network": "two.json"})", ""));
    CHECK_THROWS_WITH(load_topology(folder / "four.json"),
                      Contains("two.json") && Contains("more than 16 deep"));
}

} // namespace nocturne::composition_test
