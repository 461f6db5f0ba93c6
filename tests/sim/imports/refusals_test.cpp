// What is no file of another tool is refused in one line: the rows of refusals.txt.
#include "sim/imports/machine_text.hpp"
#include "sim/imports/simulators.hpp"
#include "tests/catch.hpp"
#include "tests/sim/imports/machine_texts.hpp"
#include "tests/sim/imports/readers.hpp"

namespace nocturne::import_refusals_test {

using namespace nocturne::test;

namespace {

/// WHAT ;; OTHER in the place of its first, or the text before the last of WHAT alone.
std::string edited(std::string text, const std::string& edit)
{
    const std::vector<std::string> pieces = pieces_of(edit);
    const bool is_cut = pieces.size() == 1;
    const std::size_t at = is_cut ? text.rfind(pieces[0]) : text.find(pieces[0]);
    REQUIRE(at != text.npos);
    return is_cut ? text.substr(0, at) : text.replace(at, pieces[0].size(), pieces[1]);
}

} // namespace

TEST_CASE("what is no file of another tool is refused in one line", "[imports]")
{
    const ForeignText network{"topology: [Ring]\nnpus_count: [4]\nbandwidth: [50]\nlatency: [500]\n",
                              "net.yml"};
    CHECK_NOTHROW(import_astra(network, {}, "net.json"));
    CHECK_NOTHROW(network_of_simai(simai_servers, "servers.txt"));
    CHECK_NOTHROW(box_of_nvidia_smi(smi_mesh, "mesh.txt", "V100"));
    check_refusals(
        "sim/imports/refusals.txt",
        {{"BookSim2", import_booksim_row},
         {"Noxim", import_noxim_row},
         {"Garnet", import_garnet_row},
         {"ASTRA-sim",
          [](const std::string& text) { import_astra(ForeignText{text, "n.yml"}, {}, "net.json"); }},
         {"ASTRA-sim system",
          [&](const std::string& text) {
              import_astra(network, ForeignText{text, "system.json"}, "net.json");
          }},
         {"topo.txt", [](const std::string& text) { network_of_simai(text, "topo.txt"); }},
         {"servers.txt",
          [](const std::string& edit) { network_of_simai(edited(simai_servers, edit), "servers.txt"); }},
         {"smi.txt", [](const std::string& text) { box_of_nvidia_smi(text, "smi.txt", "V100"); }},
         {"mesh.txt",
          [](const std::string& edit) { box_of_nvidia_smi(edited(smi_mesh, edit), "mesh.txt", "V100"); }}});
}

} // namespace nocturne::import_refusals_test
