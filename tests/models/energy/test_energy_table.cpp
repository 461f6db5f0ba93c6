#include "models/energy/energy_table.hpp"
#include "tests/catch.hpp"

#include <nlohmann/json.hpp>

namespace nocturne::energy_table_test {

namespace {

nlohmann::json good_document()
{
    return {
        {"format", "nocturne-energy"},
        {"version", 1},
        {"name", "a router"},
        {"source", "a test"},
        {"flits",
         nlohmann::json::array(
             {{{"flit_bytes", 4}, {"buffer_write_pj", 1.0}, {"buffer_read_pj", 0.5}, {"crossbar_pj", 0.25}},
              {{"flit_bytes", 8},
               {"buffer_write_pj", 2.0},
               {"buffer_read_pj", 0.75},
               {"crossbar_pj", 0.25}}})},
        {"arbitration_pj", 0.125},
        {"clock_pj", 2.5},
        {"leakage_mw", 3},
        {"link_pj_per_byte_mm", 0.5}};
}

std::string refusal(const nlohmann::json& document)
{
    try {
        parse_energy_table(document.dump(), "e.json");
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "accepted";
}

} // namespace

TEST_CASE("a table of energies is read as it is written", "[energy]")
{
    const EnergyTable table = parse_energy_table(good_document().dump(), "e.json");
    CHECK(table.name == "a router");
    CHECK(table.source == "a test");
    CHECK(table.flits == std::vector<FlitEnergy>{{4, 1, 0.5, 0.25}, {8, 2, 0.75, 0.25}});
    CHECK(table.arbitration_pj == 0.125);
    CHECK(table.clock_pj == 2.5);
    CHECK(table.leakage_mw == 3);
    CHECK(table.link_pj_per_byte_mm == 0.5);
    CHECK(table.link_mm == 1);
}

TEST_CASE("energies of other widths lie on the line through the nearest two", "[energy]")
{
    EnergyTable table = parse_energy_table(good_document().dump(), "e.json");
    CHECK(table.at(4) == table.flits[0]);
    CHECK(table.at(8) == table.flits[1]);
    CHECK(table.at(6) == FlitEnergy{6, 1.5, 0.625, 0.25});
    CHECK(table.at(16) == FlitEnergy{16, 4, 1.25, 0.25});
    CHECK(table.at(2) == FlitEnergy{2, 0.5, 0.375, 0.25});
    table.flits.push_back({16, 10, 1, 1});
    CHECK(table.at(12) == FlitEnergy{12, 6, 0.875, 0.625});
    CHECK(table.at(6) == FlitEnergy{6, 1.5, 0.625, 0.25});
    table.flits = {{4, 1, 0.5, 0.25}};
    CHECK(table.at(4) == table.flits[0]);
    CHECK(table.at(8) == FlitEnergy{8, 2, 1, 0.5});
    table.flits = {{4, 1, 1, 1}, {5, 9, 9, 9}}; // a line that falls below 0
    CHECK(table.at(1) == FlitEnergy{1, 0, 0, 0});
}

TEST_CASE("what is no table of energies is refused with its place", "[energy]")
{
    nlohmann::json document = good_document();
    CHECK(refusal(document) == "accepted");
    document["format"] = "nocturne-topology";
    CHECK(refusal(document) == "e.json: /format: expected 'nocturne-energy'");
    document = good_document();
    document["version"] = 2;
    CHECK(refusal(document) == "e.json: /version: expected version 1");
    document = good_document();
    document["flits"] = nlohmann::json::array();
    CHECK(refusal(document) == "e.json: /flits: expected one width or more");
    document = good_document();
    document["flits"][1]["flit_bytes"] = 4;
    CHECK(refusal(document) == "e.json: /flits/1/flit_bytes: widths ascend");
    document = good_document();
    document["flits"][0]["buffer_read_pj"] = -1;
    CHECK(refusal(document) == "e.json: /flits/0/buffer_read_pj: expected a number that is 0 or more");
    document = good_document();
    document["leakage"] = 1;
    CHECK(refusal(document) ==
          "e.json: /: unknown member 'leakage': did you mean 'leakage_mw'? Known are format, version, name, "
          "source, flits, arbitration_pj, clock_pj, leakage_mw, link_pj_per_byte_mm, link_mm");
    const nlohmann::json complete = good_document();
    for (const auto& [name, value] : complete.items()) {
        document = good_document();
        document.erase(name);
        CHECK(refusal(document) == "e.json: /: member '" + name + "' is missing");
    }
    CHECK_THROWS_WITH(parse_energy_table("{", "e.json"), Catch::StartsWith("e.json: parse error"));
}

} // namespace nocturne::energy_table_test
