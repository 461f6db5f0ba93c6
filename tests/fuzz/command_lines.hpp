// Command lines, files and words that the fuzzer begins with.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>

namespace nocturne::test {

/// A trace of netrace 1.0: a header of 72 bytes, and three packets, the second and the third of which wait
/// for the first.
inline std::string netrace_file()
{
    std::string text;
    const auto put = [&text](std::uint64_t number, unsigned bytes) {
        for (unsigned i = 0; i < bytes; ++i)
            text += static_cast<char>(number >> 8 * i & 0xff);
    };
    put(0x484A5455, 4);
    put(0x3f800000, 4); // 1.0
    text += "blackscholes";
    text.resize(38);
    put(4, 1); // nodes
    put(0, 1);
    put(0, 8); // and the cycles
    put(3, 8); // packets
    put(5, 4); // bytes of notes
    put(1, 4); // regions
    text.resize(72);
    text += "notes";
    text.resize(text.size() + 24);
    const auto packet = [&](std::uint64_t cycle, unsigned id, unsigned type, unsigned source,
                            unsigned destination, std::initializer_list<unsigned> followers) {
        put(cycle, 8);
        put(id, 4);
        put(0x1000, 4);
        put(type, 1);
        put(source, 1);
        put(destination, 1);
        put(0, 1);
        put(followers.size(), 1);
        for (const unsigned follower : followers)
            put(follower, 4);
    };
    packet(2, 7, 1, 0, 3, {8, 9});
    packet(12, 8, 2, 3, 0, {});
    packet(15, 9, 5, 3, 1, {});
    return text;
}

/// Files that people write; the others are written by the command.
inline const std::map<std::string, std::string> written_by_people{
    {"net.anynet", "router 0 node 0 router 1 15\nrouter 1 node 1 router 2\nrouter 2 node 2 router 0\n"},
    {"net.yml", "name: n\nrouting: {route_algo: XY}\nendpoints: [{name: e, array: [2, 2]}]\n"
                "routers: [{name: r, array: [2, 2]}]\nconnections:\n"
                "  - {src: e, dst: r, src_range: [[0, 1], [0, 1]], dst_range: [[0, 1], [0, 1]]}\n"},
    {"planes.json",
     R"({"format": "nocturne-composition", "version": 1, "name": "c", "parts": [
 {"name": "a", "network": "oneway_torus:2x3"},
 {"name": "b", "network": "oneway_torus:2x3", "reversed": true}],
 "planes": {"tiles": "t", "interfaces": "shared", "latency_cycles": 2},
 "with": ["router t_in/*: buffers=4"]})"},
    {"trace.csv",
     "cycle,source,destination,bytes,after\n0,00,01,64,\n5,01,10,128,0\n# done\n7,10,00,4,0 1\n"},
    {"parts_of_own.json",
     R"({"format": "nocturne-topology", "version": 1, "name": "x", "default_ports": "1",
 "routers": [{"name": "a", "pipeline": "2,1,1,1", "vcs": 2}, {"name": "b", "clock": "2/3", "buffers": 4}],
 "processors": [{"name": "a", "injection": 0, "ejection": 0}, {"name": "b", "injection": 1, "ejection": 1}],
 "channels": [{"source": 0, "target": 1, "vcs": 3}, {"source": 1, "target": 0, "buffers": 2, "width": 1}]})"},
    {"permutation.txt", "1 2 3 0\n"},
    {"places.txt", "# a line\n0 0 0\n1 1 0\n2 2.5 -1\n"},
    {"matrix.txt", "0 1 2 3\n1 0 1 1\n0 0 0 5\n2 2 0.5 0\n"},
    {"sweep.ini",
     "command = bound\n[options]\ncollective = AAB\n[sweep]\ntopology = ring:3 star:3\nports = 1 all\n"},
    {"sweep.json",
     R"({"command": "bound", "options": {"topology": "ring:4", "collective": "AAB", "exhaust": false},
 "sweep": [{"fault": [null, ["link:0-1", "link:0-1"]], "ports": ["all"]}, {"slack": 1}], "columns": ["*"]})"},
    {"parts.json",
     R"({"1-Epoch_Duration": 1, "8-Chunk paths": {
 "Demand at 1 for chunk 1 from 0 met by epoch 1": [[[0, "0->1 with volume 0.5 in epoch 0"]],
                                                   [[0, "0->1 with volume 0.5 in epoch 1"]]],
 "Demand at 0 for chunk 0 from 1 met by epoch 0": [[[0, "1->0 with volume 1.0 in epoch 0"]]]}})"},
    {"flows.json",
     R"({"1-Epoch_Duration": 1, "6-Demand_Met": {"GPU 0": {"GPU 1": {"Chunk 0": 0}},
 "GPU 1": {"GPU 0": {"Chunk 0": 0}}},
 "7-Flows": ["Chunk 0 from 0 traveled over 0->1 in epoch 0",
             "Chunk 0 from 1 traveled over 1->0 in epoch 0"]})"},
    {"trees.xml",
     R"(<Algo nchunkspernode="1"><tree root="0" index="0" nchunks="1" height="1">
<send src="0" dst="1" path="0,1"/></tree>
<tree root="1" index="0" nchunks="1" height="1"><send src="1" dst="0" path="1,0"/></tree></Algo>)"},
    {"flows.csv", "source,destination,mbytes_per_s,message_bytes,latency_ns,burst_messages\n"
                  "00,11,100,64,,2\n01,10,50,16,900,\n"},
    {"trace.netrace", netrace_file()},
    {"ranks.goal",
     "num_ranks 2 // two\nrank 0 {\nl1: calc 100 cpu 1\nl2: send 8b to 1 tag 3\nl2 requires l1\n}\n"
     "rank 1 {\nl1: recv 8b from 0 tag 3 cpu 0 nic 0\nl2: calc 7\nl2 irequires l1\n}\n"},
    {"workload.json",
     R"({"golden_result": {}, "phases": [{"transfers": [
 {"packet_size": 64, "num_packets": 2, "src_x": 0, "src_y": 0, "dst_x": 1, "dst_y": 1,
  "injection_rate": 28.1, "phase_cycle_offset": 3, "noc_type": "NOC_0"},
 {"packet_size": 32, "num_packets": 1, "src_x": 1, "src_y": 0, "mcast_start_x": 0, "mcast_start_y": 0,
  "mcast_end_x": 1, "mcast_end_y": 1, "injection_rate": 28.1, "phase_cycle_offset": 0,
  "noc_type": "NOC_1"}]}]})"},
    {"options.ini", "bytes = 64\nseed = 3\nt0-ns = 10\n"},
    {"unrouted.json",
     R"({"format": "nocturne-schedule", "version": 1, "topology": "ring:4",
 "collective": {"kind": "OAB", "source": "0"}, "ports": "1",
 "steps": [[{"from": "0", "to": "1"}],
           [{"from": "0", "to": "2"}, {"from": "1", "to": "3", "message": {"origin": "0"}}]]})"},
};

/// Command lines that write a file each, for the others; it is the word behind -o, --checkpoint or --csv.
inline constexpr std::array writers{
    "topology mesh:1x3 --format json -o net.json",
    "topology ring:3 --format dot -o net.dot",
    "topology mesh:2x2 --format graphml -o net.graphml",
    "schedule ring:4 --collective AAS --budget 5 -o schedule.json",
    "schedule ring:4 --collective AAS --budget 5 -o binary.nsched",
    "schedule mesh:2x2 --collective MNB --senders 00,01 --receivers 10,11 --slack 1 --budget 5 -o sets.json",
    "schedule ring:3 --collective allreduce --objective time --budget 5 -o chunks.json",
    "schedule ring:3 --collective allgather --objective steps --budget 5 -o stepwise.json",
    "bound ring:3 --collective allgather --objective bandwidth --budget 5 -o bounds.json",
    "export chunks.json --msccl-xml program.xml",
    "export stepwise.json --msccl-json algorithm.json",
    "bound mesh:2x3 --collective AAS -o bound.json",
    "bound ring:4 --collective AAB --exhaust --budget 5 -o exhausted.json",
    "schedule ring:5 --collective AAB --budget 1 --checkpoint search.json",
    "evolve ring:4 --collective AAS --steps 2 --budget 1 --evaluations 2000 --checkpoint evolution.json",
    "contract mesh:2x2 --flow source=00,destination=11,mbytes_per_s=100 --slots 4 -o slots.json",
    "traffic mesh:2x2 --load 0.1 --window 200 --warm-up 100 --drain 300 --batches 4 --checkpoint points.json",
};

inline constexpr std::array readers{
    "topology net.json",
    "topology net.dot --routing updown",
    "topology net.graphml --format json",
    "topology net.anynet --routing shortest+layers",
    "topology net.yml --routing xy",
    "topology planes.json --routing planes:xy+datelines,yx+datelines",
    "topology torus:3x3 --routing auto",
    "topology benes:2,2 --format svg -o drawing.svg",
    "topology --list",
    "topology ring:3 --measure --positions places.txt",
    "topology star:4 --measure --arrangement centerplane --json",
    "bound ring:4 --collective AAB --exhaust --budget 1",
    "bound net.anynet --collective OAB --source 0 --fault channel:0-1",
    "schedule octagon:8 --collective OAS --source 3 --budget 0.3 -o new.json",
    "schedule net.anynet --collective AAB --budget 0.3 --json",
    "schedule ring:5 --collective AAB --budget 0.3 --checkpoint search.json",
    "schedule omega:4 --collective permutation --image 1,2,3,0 --engine local --budget 0.3",
    "schedule kautz:2,2 --collective MNB --senders #0,#1 --receivers #2,#5 --ports all --slack 1 --budget "
    "0.3",
    "reschedule schedule.json --fault link:0-1 --budget 0.3 -o new.json",
    "reschedule --table channel ring:3 --collective OAB --budget 0.3 -o tables",
    "evolve ring:4 --collective AAS --engine umda --steps 2 --evaluations 1000 --budget 0.3 --history h.csv",
    "evolve ring:4 --collective AAS --engine mboa --steps 2 --evaluations 1000 --budget 0.3 -o new.json",
    "evolve mesh:2x2 --collective AAB --engine hgsa --evaluations 1000 --budget 0.3",
    "evolve ring:4 --collective AAS --steps 2 --budget 0.3 --evaluations 2000 --checkpoint evolution.json",
    "validate chunks.json --bytes 1KiB --start-cycles 3 -o new.json",
    "validate stepwise.json --json",
    "validate parts.json --topology mesh:1x2 --latency-holds-link",
    "validate flows.json --topology mesh:1x2 -o new.json",
    "validate trees.xml --topology mesh:1x2",
    "validate program.xml --topology ring:3",
    "validate algorithm.json --topology ring:3",
    "replay chunks.json --bytes 64,256 --element float32",
    "certify chunks.json",
    "certify bounds.json",
    "schedule net.json --collective allreduce --objective bandwidth --budget 0.3 -o new.json",
    "schedule mesh:1x3 --collective alltoall --weights 0,1,2,1,0,1,3,1,0 --objective time --budget 0.3",
    "front ring:3 --collective allgather --budget 0.3 --csv new.csv",
    "export chunks.json --mscclpp-json new.json --goal new.goal --bytes 16",
    "export schedule.json --msccl-xml new.xml --chakra traces",
    "certify schedule.json",
    "certify sets.json",
    "certify bound.json",
    "certify exhausted.json",
    "validate schedule.json",
    "validate unrouted.json --max-slack 1 -o new.json",
    "validate sets.json --topology mesh:2x2",
    "validate binary.nsched -o new.json",
    "validate schedule.json -o new.nsched",
    "certify binary.nsched",
    "replay binary.nsched --bytes 64",
    "replay schedule.json --bytes 64,256 --csv new.csv",
    "replay unrouted.json --mode self-timed --step-times --channel-use --json",
    "replay schedule.json --config options.ini --svg new.svg --hex images --vcd new.vcd",
    "recover schedule.json --fault link:0-1 --at-step 1 --bytes 64",
    "recover --unscheduled ring:4 --collective AAS --fault channel:0-1 --at-ns 100 --until-ns 900 --bytes 32",
    "compare schedule.json --bytes 64:256 -o results",
    "traffic mesh:2x2 --load 0.1,0.3 --window 200 --warm-up 100 --drain 300 --batches 4 --csv new.csv",
    "traffic mesh:2x2 --pattern permutation:permutation.txt --load 0.1 --window 200 --warm-up 50 --drain 300 "
    "--batches 4",
    "traffic mesh:2x2 --pattern matrix:matrix.txt --load 0.1 --window 200 --warm-up 50 --drain 300 --batches "
    "4",
    "traffic mesh:2x2 --pattern hotspot:00+11,0.2 --arrivals bursty:20,0.5 --packet-flits 2:0.7,16:0.3 "
    "--load 0.05 "
    "--window 200 --warm-up 50 --drain 300 --batches 4 --checkpoint points.json",
    "traffic mesh:2x2 --trace trace.csv",
    "topology parts_of_own.json --routing auto",
    "traffic parts_of_own.json --load 0.05 --window 200 --warm-up 50 --drain 300 --batches 4 --cycle-ns 3",
    "traffic mesh:2x2 --trace trace.netrace",
    "traffic mesh:2x2 --trace ranks.goal",
    "traffic mesh:2x2 --trace workload.json --model worm",
    "contract mesh:2x2 --flows flows.csv --csv new.csv",
    "contract mesh:2x2 --table slots.json --check 500 --background 0.2",
    "traffic ring:4 --saturation --tolerance 0.2 --window 200 --warm-up 50 --drain 300 --batches 4",
    "benes 16 --samples 3 --csv new.csv",
    "export schedule.json --bytes 16 --rtl design",
    "export mesh:2x2 --packets 5 --packet-flits 2:0.7,16:0.3 --load 0.1:0.5 --vcs 2 --rtl design",
    "sweep sweep.ini -o new.db --csv new.csv",
    "sweep sweep.json -o new.db --list",
    "benes 16 --samples 2 --permutations worst,transpose --search-evaluations 10 --references "
    "looping,wormhole "
    "--reference-samples 2",
};

/// Networks that are quick whatever is done with them, and some that cannot be.
inline constexpr std::array networks{
    "ring:4",     "mesh:2x2",      "octagon:8",       "omega:4",      "benes:2,2",
    "fattree:4",  "kautz:2,2",     "torus:3x3",       "hypercube:2",  "btree:4",
    "clos:1,2,2", "net.json",      "net.dot",         "net.graphml",  "net.anynet",
    "net.yml",    "planes.json",   "mesh:0x4",        "mesh:",        "mesh",
    ":",          "mesh:2x2x",     "ring:4294967296", "missing.json", "mesh:99999x99999",
    "ring:-1",    "schedule.json", "benes:3",         "clos:1,2",     "#"};

inline constexpr std::array files{"missing.json",    ".",
                                  "/dev/null",       "/dev/full",
                                  "new.json",        "new.svg",
                                  "no/folder/x.csv", "net.json",
                                  "schedule.json",   "binary.nsched",
                                  "new.nsched",      "bound.json",
                                  "chunks.json",     "algorithm.json",
                                  "program.xml",     "parts.json",
                                  "options.ini",     "trace.csv",
                                  "trace.netrace",   "ranks.goal",
                                  "workload.json",   "flows.csv",
                                  "slots.json",      "search.json",
                                  "evolution.json",  "points.json",
                                  "exhausted.json",  "",
                                  "new.xyz",         "\xff\xfe"};

inline constexpr std::array words{"allreduce",
                                  "reduce-scatter",
                                  "allgather",
                                  "time",
                                  "bandwidth",
                                  "steps",
                                  "float32",
                                  "AAB",
                                  "AAS",
                                  "OAB",
                                  "OAS",
                                  "AOG",
                                  "AOR",
                                  "MNB",
                                  "MNS",
                                  "multicast",
                                  "permutation",
                                  "auto",
                                  "all",
                                  "exact",
                                  "local",
                                  "construct",
                                  "flow",
                                  "symmetry",
                                  "umda",
                                  "mboa",
                                  "hgsa",
                                  "dor",
                                  "tag",
                                  "updown",
                                  "valiant",
                                  "adaptive",
                                  "odd_even",
                                  "negative_first",
                                  "o1turn",
                                  "planes:xy,yx",
                                  "romm",
                                  "neighbours",
                                  "dyad",
                                  "shortest+layers",
                                  "dor+datelines",
                                  "wormhole",
                                  "store-and-forward",
                                  "uniform",
                                  "random",
                                  "tornado",
                                  "transpose",
                                  "complement",
                                  "link:0-1",
                                  "channel:0-1",
                                  "node:0",
                                  "router:1",
                                  "0-3",
                                  "0,1,2",
                                  "1,1",
                                  "#0,#1",
                                  "0",
                                  "nonsense",
                                  "barrier",
                                  "self-timed",
                                  "json",
                                  "svg",
                                  "bernoulli",
                                  "periodic",
                                  "bursty:10,0.5",
                                  "bursty:0,0",
                                  "hotspot:0,2",
                                  "in-order",
                                  "link",
                                  "node",
                                  "1,1,1,1",
                                  "0,0,0,0",
                                  "1,1,1",
                                  "single",
                                  "multiple",
                                  "message",
                                  "packet",
                                  ",",
                                  ":",
                                  "\xc3\x28"};

} // namespace nocturne::test
