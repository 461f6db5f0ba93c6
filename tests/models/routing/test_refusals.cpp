// What is no routing, or no route in any of its files, is refused in one line with the place: the rows of
// refusals.txt.
#include "models/routing/make_routing.hpp"
#include "models/routing/noxim_table.hpp"
#include "models/routing/routings.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/routing/route_texts.hpp"
#include "tests/rows.hpp"
#include "tests/temporary_folder.hpp"

#include <stdexcept>

namespace nocturne::routing_refusals_test {

namespace {

/// Reads the text as a file of that name; what is refused has the name alone.
void read_file(const std::string& network, const std::string& name, const std::string& text)
{
    const test::TemporaryFolder folder;
    try {
        const Topology topology = make_topology(network);
        read_routes(topology, folder.file(name, text));
    } catch (const std::runtime_error& error) {
        std::string line = error.what();
        for (std::size_t at = 0; (at = line.find(folder / "")) != line.npos;)
            line.erase(at, (folder / "").size());
        throw std::runtime_error(line);
    }
}

void read_clockwise(const std::string& text)
{
    const auto pieces = test::pieces_of(text);
    std::string lines = test::clockwise_routes();
    const std::size_t at = lines.find(pieces.at(0) + '\n');
    REQUIRE(at != lines.npos);
    read_file("ring:4", "bad.csv", lines.replace(at, pieces[0].size(), pieces.at(1)));
}

void read_hops(const std::string& text)
{
    std::string lines = "router,destination,next\n" + text;
    for (int destination = 1; destination < 4; ++destination)
        for (int router = 0; router < 4; ++router)
            if (router != destination)
                lines += std::to_string(router) + ',' + std::to_string(destination) + ',' +
                         std::to_string((router + 1) % 4) + '\n';
    read_file("ring:4", "hops.csv", lines);
}

void make_by_name(const std::string& text)
{
    const auto pieces = test::pieces_of(text);
    make_routing(make_topology(pieces.at(0)), pieces.at(1));
}

void read_table(const std::string& text)
{
    const Topology line = make_topology("mesh:3");
    read_noxim_table(line, "table.txt", test::noxim_table_of_a_line + text, 1);
}

} // namespace

TEST_CASE("what is no route is refused in one line with the place", "[routing]")
{
    test::check_refusals(
        "models/routing/refusals.txt",
        {{"routing", make_by_name},
         {"bad.csv", read_clockwise},
         {"empty.csv", [](const std::string& text) { read_file("ring:4", "empty.csv", text); }},
         {"hops.csv", read_hops},
         {"bad.json", [](const std::string& text) { read_file("complete:2", "bad.json", text); }},
         {"table.txt", read_table}});
}

} // namespace nocturne::routing_refusals_test
