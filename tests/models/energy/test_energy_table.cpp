#include "models/energy/energy_table.hpp"
#include "tests/catch.hpp"
#include "tests/rows.hpp"

namespace nocturne::energy_table_test {

namespace {

const std::string good_document =
    R"({"format": "nocturne-energy", "version": 1, "name": "a router", "source": "a test",
 "flits": [{"flit_bytes": 4, "buffer_write_pj": 1.0, "buffer_read_pj": 0.5, "crossbar_pj": 0.25},
           {"flit_bytes": 8, "buffer_write_pj": 2.0, "buffer_read_pj": 0.75, "crossbar_pj": 0.25}],
 "arbitration_pj": 0.125, "clock_pj": 2.5, "leakage_mw": 3, "link_pj_per_byte_mm": 0.5})";

/// WHAT ;; OTHER: the good file with one for the other, or the text itself.
void read(const std::string& text)
{
    const auto pieces = test::pieces_of(text);
    std::string file = good_document;
    if (pieces.size() == 1)
        file = text;
    else
        file.replace(file.find(pieces[0]), pieces[0].size(), pieces[1]);
    parse_energy_table(file, "e.json");
}

} // namespace

TEST_CASE("a table of energies is read as it is written", "[energy]")
{
    const EnergyTable table = parse_energy_table(good_document, "e.json");
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
    EnergyTable table = parse_energy_table(good_document, "e.json");
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
    test::check_refusals("models/energy/refusals.txt", {{"e.json", read}});
}

} // namespace nocturne::energy_table_test
