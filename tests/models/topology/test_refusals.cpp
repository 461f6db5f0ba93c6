// What is no network, in any of its forms, is refused in one line with the place: the rows of refusals.txt.
#include "models/topology/anynet_format.hpp"
#include "models/topology/dot_format.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/floogen_format.hpp"
#include "models/topology/graphml_format.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/part_rows.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/composed.hpp"
#include "tests/rows.hpp"

#include <fmt/format.h>

namespace nocturne::topology_refusals_test {

using namespace nocturne::test;

namespace {

/// PARTS ;; JOINTS ;; MORE, or the text of the whole file.
void read_whole(const std::string& text)
{
    auto pieces = pieces_of(text);
    if (pieces.size() == 1)
        composed(text, "whole.json");
    pieces.resize(3);
    composed(
        composition_of(fmt::format(R"("parts": [{}], "joints": [{}]{})", pieces[0], pieces[1], pieces[2])),
        "whole.json");
}

/// PARTS ;; PLANES
void read_chip(const std::string& text)
{
    const auto pieces = pieces_of(text);
    composed(composition_of(fmt::format(R"("parts": [{}], "planes": {{{}}})", pieces.at(0), pieces.at(1))));
}

/// WHAT ;; OTHER: the file of a mesh with one for the other.
void read_mesh(const std::string& text)
{
    const auto pieces = pieces_of(text);
    std::string file = to_json(make_topology("mesh:2x2"));
    topology_from_json(file.replace(file.find(pieces.at(0)), pieces[0].size(), pieces.at(1)), "mesh.json");
}

/// The members of a router.
void read_router(const std::string& text)
{
    topology_from_json(fmt::format(R"({{"format": "nocturne-topology", "version": 1, "name": "x",
        "default_ports": "all", "routers": [{{"name": "a", {}}}], "processors": [], "channels": []}})",
                                   text),
                       "router.json");
}

void read_rows(const std::string& text)
{
    with_parts(make_topology("mesh:3x3"), pieces_of(text));
}

void connect_without(const std::string& text)
{
    const auto pieces = pieces_of(text);
    require_connected(with_faults(make_topology(pieces.at(0)), std::span(pieces).subspan(1)));
}

} // namespace

TEST_CASE("what is no network is refused in one line with the place", "[topology]")
{
    check_refusals("models/topology/refusals.txt",
                   {{"x.dot", [](const std::string& text) { topology_from_dot(text, "x.dot"); }},
                    {"x.graphml", [](const std::string& text) { topology_from_graphml(text, "x.graphml"); }},
                    {"x.anynet", [](const std::string& text) { topology_from_anynet(text, "x.anynet"); }},
                    {"n.yml", [](const std::string& text) { topology_from_floogen(text, "n.yml"); }},
                    {"specification", [](const std::string& text) { make_topology(text); }},
                    {"row of mesh:3x3", read_rows},
                    {"faults", connect_without},
                    {"whole.json", read_whole},
                    {"chip.json", read_chip},
                    {"mesh.json", read_mesh},
                    {"router.json", read_router}});
}

} // namespace nocturne::topology_refusals_test
