// Small files that ask for much: each reader says so in a line, before it spells anything out.
#include "models/topology/dot_format.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/chunks/chunked_schedule_json.hpp"
#include "schedules/formats/forestcoll_xml.hpp"
#include "schedules/formats/msccl_json.hpp"
#include "schedules/formats/msccl_xml.hpp"
#include "schedules/formats/teccl_json.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <functional>
#include <stdexcept>

namespace nocturne::expansion_test {

namespace {

struct Expansion {
    std::string name;
    std::function<void(const std::string&)> read;
    std::string text;
};

std::string chunks(std::string_view collective, std::string_view topology = "complete:2")
{
    return fmt::format(R"({{"format":"nocturne-chunks","version":1,"topology":"{}","collective":{},)"
                       R"("synchronization":"steps","rounds":[1],"transfers":[]}})",
                       topology, collective);
}

std::string algorithm(std::string_view chunks)
{
    return fmt::format(
        R"({{"msccl_type":"algorithm","name":"x","instance":{{"chunks":{},"pipeline":null}},"steps":[],)"
        R"("input_map":{{}},"output_map":{{}},)"
        R"("collective":{{"msccl_type":"collective","name":"x","nodes":2,"chunks":[)"
        R"({{"msccl_type":"chunk","pre":[0],"post":[0,1],"addr":0}}]}},)"
        R"("topology":{{"msccl_type":"topology","name":"x","switches":[],"links":[[0,1],[1,0]]}}}})",
        chunks);
}

std::vector<Expansion> expansions()
{
    const LinkNetwork pair = link_network_of(make_topology("complete:2"));
    const auto chunk_file = [](const std::string& text) { parse_chunk_file(text, "x"); };
    const auto msccl = [pair](const std::string& text) { read_msccl_xml(text, "x", pair); };
    const auto forest = [pair](const std::string& text) { read_forestcoll_xml(text, "x", pair); };
    const auto generator = [](const std::string& text) { make_topology(text); };
    const std::string algo =
        R"(<algo name="x" proto="Simple" nchannels="1" nchunksperloop="16000000" ngpus="2" )"
        R"(inplace="1" coll="{}"/>)";
    const std::string trees =
        R"(<Algo nchunkspernode="{0}"><tree root="0" index="0" nchunks="{0}">)"
        R"(<send src="0" dst="1" path="0,1"/></tree>)"
        R"(<tree root="1" index="0" nchunks="{0}"><send src="1" dst="0" path="1,0"/></tree></Algo>)";
    std::vector<Expansion> all{
        {"chunks", chunk_file, chunks(R"({"kind":"allreduce","parts":16777216})")},
        {"chunks", chunk_file, chunks(R"({"kind":"allreduce","parts":16777216})", "torus:32x32")},
        {"chunks", chunk_file, chunks(R"({"kind":"reduce-scatter","parts":65536})", "torus:16x16")},
        {"chunks", chunk_file, chunks(R"({"kind":"scan","parts":100000})", "torus:16x16")},
        {"chunks", chunk_file, chunks(R"({"kind":"alltoall","parts":4294967295})", "torus:32x32")},
        {"chunks", chunk_file, chunks(R"({"kind":"allgather","parts":4000000,"weights":[9,9]})")},
        {"bounds of chunks", chunk_file,
         R"({"format":"nocturne-chunks","version":1,"topology":"complete:2","collective":)"
         R"({"kind":"broadcast","root":0,"parts":16777216},"lower_bounds":{}})"},
        {"ForestColl", forest, fmt::format(fmt::runtime(trees), 16000000)},
        {"msccl-tools", [](const std::string& text) { read_msccl_json(text, "x", std::nullopt); },
         algorithm("4294967295")},
        {"TE-CCL", [pair](const std::string& text) { read_teccl_json(text, "x", pair); },
         R"({"1-Epoch_Duration":1,"7-Flows":[],"6-Demand_Met":)"
         R"({"Demand at GPU 0":{"GPU 1":{"Chunk 4294967294":""}}}})"},
        {"DOT", [](const std::string& text) { topology_from_dot(text, "x"); },
         "graph { a [processors=2000000000]; a -- b; }"},
    };
    for (const char* coll : {"allreduce", "allgather", "reducescatter", "alltoall"})
        all.push_back({"MSCCL XML", msccl, fmt::format(fmt::runtime(algo), coll)});
    for (const char* spec :
         {"mesh:100000x100000", "complete:100000", "hypercube:40", "ring:4000000000", "kautz:30,30",
          "debruijn:30,30", "clos:10000,10000,10000", "omega:1073741824", "octagon:4000000000"})
        all.push_back({"generators", generator, spec});
    return all;
}

} // namespace

TEST_CASE("a small file that asks for much is refused in a line", "[formats][files]")
{
    for (const Expansion& expansion : expansions()) {
        INFO(expansion.name << ": " << expansion.text);
        try {
            expansion.read(expansion.text);
            FAIL_CHECK("it was taken");
        } catch (const std::exception& error) {
            CHECK(std::string(error.what()).find('\n') == std::string::npos);
            CHECK(std::string(error.what()).size() > 10);
        }
    }
}

TEST_CASE("what a schedule has transfers for is read, however much it is", "[formats][files]")
{
    // A broadcast down a chain, of more chunks than are read without.
    const std::uint32_t parts = 70000;
    std::string text = R"({"format":"nocturne-chunks","version":1,"topology":"complete:2","collective":)" +
                       fmt::format(R"({{"kind":"broadcast","root":0,"parts":{}}},)", parts) +
                       R"("synchronization":"dependencies","transfers":[)";
    for (std::uint32_t part = 0; part < parts; ++part)
        text += fmt::format(R"({}{{"from":0,"to":1,"chunk":{}}})", part == 0 ? "" : ",", part);
    CHECK(parse_chunked_schedule(text + "]}", "x").schedule.collective.demands.size() == parts);
}

} // namespace nocturne::expansion_test
