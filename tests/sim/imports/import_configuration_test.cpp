#include "sim/imports/import_configuration.hpp"
#include "tests/catch.hpp"
#include "tests/sim/imports/imported.hpp"

namespace nocturne::import_configuration_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

const ForeignText booksim{"topology = mesh; routing_function = dor;", "a.cfg"};
const ForeignText garnet{"--synthetic=shuffle --topology=Pt2Pt --num-cpus=4 --num-dirs=4", "b.sh"};
const ForeignText network{"topology: [Ring]\nnpus_count: [4]\nbandwidth: [50]\nlatency: [500]\n", "c.yml"};
const ForeignText matrix{"\tGPU0\tGPU1\tCPU Affinity\nGPU0\tX\tNV4\t0-7\nGPU1\tNV4\tX\t0-7\n", "e.txt"};
const ForeignText system{"{\"scheduling-policy\": \"LIFO\"}", "d.json"};

ImportedCommand import(const std::vector<ForeignText>& texts, const std::vector<std::string>& changes = {})
{
    return import_configuration(texts, changes, "net.json");
}

std::string refusal(const std::vector<ForeignText>& texts, const std::vector<std::string>& changes = {})
{
    return refusal_of([&] { import(texts, changes); });
}

} // namespace

TEST_CASE("the reader is chosen by the text", "[imports]")
{
    CHECK(import({booksim}).from == "a BookSim2 configuration");
    CHECK(import({garnet}).from == "a gem5 command line");
    CHECK(import({network}).from == "an ASTRA-sim network");
    CHECK(import({network, system}).from == "an ASTRA-sim network and system");
    CHECK(import({system, network}).arguments == import({network, system}).arguments);
    CHECK(import({booksim}, {"k=4"}).arguments[1] == "mesh:4x4");
    MachineOptions machine;
    machine.gpu = "A100";
    const ImportedCommand pair = import_configuration(std::vector{matrix}, {}, "net.json", machine);
    CHECK(pair.from == "a matrix of nvidia-smi topo");
    CHECK(pair.arguments[1] == "net.json");
}

TEST_CASE("texts that do not go together are refused by name", "[imports]")
{
    CHECK_THAT(refusal({booksim, garnet}), Contains("b.sh: expected one file"));
    CHECK_THAT(refusal({network, system, system}), Contains("d.json: expected one file"));
    CHECK_THAT(refusal({network, booksim}), Contains("expected one network and one system"));
    CHECK_THAT(refusal({system, system}), Contains("expected one network and one system"));
    CHECK_THAT(refusal({system}), Contains("d.json: this is an ASTRA-sim system: give its network, too"));
    CHECK_THAT(refusal({{"load = 0.1\n", "x.ini"}}), Contains("x.ini: this is not a configuration of"));
    CHECK_THAT(refusal({garnet}, {"k=4"}), Contains("'k=4': only a BookSim2 configuration"));
    CHECK_THAT(refusal({network}, {"k=4"}), Contains("'k=4': only a BookSim2 configuration"));
    CHECK_THAT(refusal({matrix}, {"k=4"}), Contains("'k=4': only a BookSim2 configuration"));
    CHECK_THAT(refusal({matrix, matrix}), Contains("e.txt: expected one file"));
    CHECK_THAT(refusal({matrix}), Contains("e.txt: the matrix has no rates: --gpu MODEL"));
    CHECK_THAT(refusal({{"", "x.txt"}}), Contains("x.txt: this is not a configuration of"));
    MachineOptions machine;
    machine.boxes = 2;
    for (const ForeignText& text : {booksim, garnet, network})
        CHECK_THAT(refusal_of([&] { import_configuration(std::vector{text}, {}, "net.json", machine); }),
                   Contains("--boxes: only for topologies of GPU machines, and " + text.origin + " is a"));
}

} // namespace nocturne::import_configuration_test
