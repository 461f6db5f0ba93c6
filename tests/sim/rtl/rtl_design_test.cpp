#include "models/topology/files.hpp"
#include "sim/rtl/rtl_design.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <filesystem>

namespace nocturne::rtl_design_test {

using test::TemporaryFolder;

TEST_CASE("a design is written whole, or nothing of it", "[rtl]")
{
    const TemporaryFolder folder;
    RtlDesign design{"top", "bench", {}, {}, {}};
    design.add_source({"top.sv", "module top; endmodule\n"});
    design.add_bench_source({"bench.sv", "module bench; endmodule\n"});
    design.add({"table.hex", "0\n"});

    write_new_folder(folder / "made/", design.files);
    CHECK(folder.names() == std::vector<std::string>{"made"});
    CHECK(read_file(folder / "made/top.sv") == "module top; endmodule\n");
    CHECK(design.design_sources == std::vector<std::string>{"top.sv"});
    CHECK(design.bench_sources == std::vector<std::string>{"bench.sv"});

    design.add({"no/such/folder", ""});
    CHECK_THROWS(write_new_folder(folder / "broken", design.files));
    CHECK_THROWS_WITH(write_new_folder(folder / "no/parent", design.files),
                      Catch::Contains("no/parent: cannot create"));
    CHECK(folder.names() == std::vector<std::string>{"made"});
}

TEST_CASE("a word of an image has its first field in its lowest bits", "[rtl]")
{
    HexWord word;
    CHECK(word.text().empty());
    word.append(5, 3);
    CHECK(word.text() == "5");
    word.append(1, 2);
    CHECK(word.text() == "0d");
    word.append(0x123456789abcdef0, 64);
    CHECK(word.text() == "02468acf13579bde0d");
    word.append(0xff, 3); // what does not fit is cut off
    CHECK(word.text() == "e2468acf13579bde0d");
}

TEST_CASE("a number has as many bits as it takes", "[rtl]")
{
    CHECK(bits_for(0) == 1);
    CHECK(bits_for(1) == 1);
    CHECK(bits_for(2) == 2);
    CHECK(bits_for(7) == 3);
    CHECK(bits_for(8) == 4);
    CHECK(bits_for(~0ull) == 64);
}

TEST_CASE("a Verilog file that is not there is named", "[rtl]")
{
    CHECK_THROWS_WITH(verilog_module("nowhere.sv"), "nowhere.sv: no such Verilog file");
    CHECK(verilog_module("nocturne_delay.sv").content.find("module nocturne_delay") != std::string::npos);
}

} // namespace nocturne::rtl_design_test
