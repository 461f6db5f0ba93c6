// Small files that ask for much: each reader says so in a line, before it spells anything out.
#include "models/energy/energy_table.hpp"
#include "models/fabric/address_map_json.hpp"
#include "models/topology/dot_format.hpp"
#include "models/topology/make_topology.hpp"
#include "models/traffic/pattern.hpp"
#include "models/traffic/trace.hpp"
#include "schedules/formats/tool_formats.hpp"
#include "schedules/schedule/binary_schedule.hpp"
#include "schedules/schedule/schedule_json.hpp"
#include "sim/sweep/sweep_plan.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <sys/resource.h>

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

std::string schedule(std::string_view kind, std::string_view topology = "torus:1000x1000")
{
    return fmt::format(R"({{"format":"nocturne-schedule","version":1,"topology":"{}","collective":)"
                       R"({{"kind":"{}"}},"ports":1,"steps":[]}})",
                       topology, kind);
}

/// The same in the binary layout, as far as its head.
std::string binary_schedule(std::string_view kind)
{
    std::string head = schedule(kind);
    head.erase(head.rfind(",\"steps\""));
    head += '}';
    std::string bytes("\x89NSCHED\n\x01", 9);
    for (std::size_t size = head.size(); size > 0; size >>= 7U)
        bytes += static_cast<char>((size & 0x7fU) | (size > 0x7f ? 0x80U : 0U));
    return bytes + head;
}

void read_binary(const std::string& text)
{
    std::size_t taken = 0;
    read_binary_schedule(
        [&](std::span<char> piece) {
            const std::size_t count = text.copy(piece.data(), piece.size(), taken);
            taken += count;
            return count;
        },
        "x.nsched");
}

/// Calls `read` with the name of a file that has the text.
template <class Read>
auto from_file(Read read)
{
    return [read](const std::string& text) {
        const test::TemporaryFolder folder;
        read(folder.file("x", text));
    };
}

std::vector<Expansion> of_whole_messages_and_runs()
{
    const auto schedule_file = [](const std::string& text) { parse_schedule_file(text, "x.json"); };
    const auto sweep = [](const std::string& text) {
        parse_sweep_plan(text, text.starts_with('{') ? "x.json" : "x.ini");
    };
    const auto energy = [](const std::string& text) { parse_energy_table(text, "x"); };
    const auto address_map = [](const std::string& text) { parse_address_map(text, "x"); };
    const Topology mesh = make_topology("mesh:64x64");
    const auto pattern = [mesh](std::string_view kind) {
        return from_file(
            [=](const std::string& file) { make_pattern(mesh, fmt::format("{}:{}", kind, file), 1); });
    };
    return {
        {"schedule", schedule_file, schedule("AAS")},
        {"schedule", schedule_file, schedule("AAB")},
        {"schedule", schedule_file, schedule("AAS", "complete:4294967295")},
        {"schedule", schedule_file, schedule("permutation", "omega:2147483648")},
        {"binary schedule", read_binary, binary_schedule("AAS")},
        {"binary schedule", read_binary, binary_schedule("AAB")},
        {"sweep", sweep, "command = traffic\n[sweep]\ntopology = mesh:{1:1000000}x{1:1000000}\n"},
        {"sweep", sweep, "command = traffic\n[sweep]\nseed = {1:1000000000000}\n"},
        {"sweep", sweep, "command = traffic\n[sweep]\nload = {0:1:0.000000000001}\n"},
        {"sweep", sweep,
         R"({"command":"traffic","sweep":[{"topology":["mesh:{1:99999}x{1:99999}x{1:99999}"]}]})"},
        {"energy", energy,
         R"({"format":"nocturne-energy","version":1,"name":"x","source":"x","flits":[{"flit_bytes":1e300,)"
         R"("buffer_write_pj":1,"buffer_read_pj":1,"crossbar_pj":1}],"arbitration_pj":1,"clock_pj":1,)"
         R"("leakage_mw":1,"link_pj_per_byte_mm":1})"},
        {"address map", address_map, R"({"ranges":[{"target":"x","first":2,"bytes":18446744073709551615}]})"},
        {"traffic matrix", pattern("matrix"), "1e300 1\n"},
        {"multicast groups", pattern("multicast"), "source,destinations\n0,4294967295\n"},
        {"permutation", pattern("permutation"), "4294967295\n"},
        {"trace", from_file([mesh](const std::string& file) { read_trace(mesh, file); }),
         "cycle,source,destination,bytes,after\n18446744073709551616,0,1,1,\n"},
    };
}

/// Of this process so far, bytes.
std::uint64_t peak_memory()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::vector<Expansion> expansions()
{
    const LinkNetwork pair = link_network_of(make_topology("complete:2"));
    const auto chunk_file = [](const std::string& text) { parse_schedule_file(text, "x"); };
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
    std::ranges::move(of_whole_messages_and_runs(), std::back_inserter(all));
    return all;
}

} // namespace

TEST_CASE("a small file that asks for much is refused in a line", "[expansion][files]")
{
    for (const Expansion& expansion : expansions()) {
        INFO(expansion.name << ": " << expansion.text);
        const std::uint64_t before = peak_memory();
        try {
            expansion.read(expansion.text);
            FAIL_CHECK("it was taken");
        } catch (const std::exception& error) {
            CHECK(std::string(error.what()).find('\n') == std::string::npos);
            CHECK(std::string(error.what()).size() > 10);
        }
        CHECK(peak_memory() - before < std::uint64_t{100} << 20U);
    }
}

TEST_CASE("what a schedule has transfers for is read, however much it is", "[expansion][files]")
{
    // A broadcast down a chain, of more chunks than are read without.
    const std::uint32_t parts = 70000;
    std::string text = R"({"format":"nocturne-chunks","version":1,"topology":"complete:2","collective":)" +
                       fmt::format(R"({{"kind":"broadcast","root":0,"parts":{}}},)", parts) +
                       R"("synchronization":"dependencies","transfers":[)";
    for (std::uint32_t part = 0; part < parts; ++part)
        text += fmt::format(R"({}{{"from":0,"to":1,"chunk":{}}})", part == 0 ? "" : ",", part);
    CHECK(parse_schedule_file(text + "]}", "x").schedule.collective.demands.size() == parts);
}

} // namespace nocturne::expansion_test
