#include "models/text/neighbour_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace nocturne {

namespace {

constexpr std::string_view booksim = "BookSim2";
constexpr std::string_view noxim = "Noxim";
constexpr std::string_view garnet = "Garnet";
constexpr std::string_view msccl = "msccl-tools";
constexpr std::string_view tacos = "TACOS";

constexpr std::string_view of_packets =
    "packets per node and cycle there, flits here: 20-flit packets at 0.005 are --load 0.1";
constexpr std::string_view in_flits =
    "in flits per processor and cycle: 20-flit packets at 0.005 a cycle are --load 0.1";
constexpr std::string_view after_warm_up = "cycles there and here, but here after those of --warm-up";
constexpr std::string_view of_gigabytes = "bytes a cycle: 450 GB/s are `--link-bytes 450 --cycle-ns 1`";
constexpr std::string_view in_topology = "part of the specification: `mesh:8x8`";

constexpr std::array neighbour_table{
    NeighbourWord{"", "--rate", "--load", in_flits},
    NeighbourWord{"", "--rates", "--load", in_flits},
    NeighbourWord{"", "--injection-rates", "--load", in_flits},
    NeighbourWord{"", "--t0-ns", "--start-cycles", "start-up of a transfer in cycles of --cycle-ns"},
    NeighbourWord{"", "--start-cycles", "--t0-ns", "start-up of a message in nanoseconds"},
    NeighbourWord{"", "--start-ns", "--start-cycles", "start-up of a transfer in cycles of --cycle-ns"},
    NeighbourWord{"", "--cycles", "--window", after_warm_up},
    NeighbourWord{"", "--simulation-cycles", "--window", after_warm_up},
    NeighbourWord{"", "--duration", "--window", after_warm_up},
    NeighbourWord{"", "--plot", "--svg", ""},
    NeighbourWord{"", "--draw", "--svg", ""},
    NeighbourWord{"", "--picture", "--svg", ""},
    NeighbourWord{"", "--figure", "--svg", ""},
    NeighbourWord{"", "--plot", "--output", "a picture if its name ends in .svg, .png or .pdf"},
    NeighbourWord{"", "--svg", "--output", "a picture if its name ends in .svg, .png or .pdf"},
    NeighbourWord{"", "--algorithm", "--engine", ""},
    NeighbourWord{"", "--algo", "--engine", ""},
    NeighbourWord{"", "--solver", "--engine", ""},
    NeighbourWord{"", "--algorithm", "--routing", ""},
    NeighbourWord{"", "--route", "--routing", ""},
    NeighbourWord{"", "--verilog", "--rtl", "a folder"},
    NeighbourWord{"", "--systemverilog", "--rtl", "a folder"},
    NeighbourWord{"", "--format", "--msccl-xml",
                  "or --msccl-json, --mscclpp-json, --goal, --chakra, with a file"},
    NeighbourWord{"", "--xml", "--msccl-xml", "with a file"},
    NeighbourWord{"", "--nccl", "--msccl-xml", "with a file, which MSCCL's NCCL runs"},
    NeighbourWord{"", "--msccl", "--msccl-xml", "with a file"},
    NeighbourWord{"", "--link-bandwidth", "--link-bytes", of_gigabytes},
    NeighbourWord{"", "--link-bw", "--link-bytes", of_gigabytes},
    NeighbourWord{"", "--bw", "--link-bytes", of_gigabytes},
    NeighbourWord{"", "--size", "--bytes", ""},
    NeighbourWord{"", "--message-size", "--bytes", ""},
    NeighbourWord{"", "--msg-size", "--bytes", ""},
    NeighbourWord{"", "--data-size", "--bytes", ""},
    NeighbourWord{"", "--operation", "--collective", ""},
    NeighbourWord{"", "--op", "--collective", ""},
    NeighbourWord{"", "--network", "--topology", ""},
    NeighbourWord{"", "--net", "--topology", ""},
    NeighbourWord{"", "--topo", "--topology", ""},
    NeighbourWord{"", "--out", "--output", ""},
    NeighbourWord{"", "--save", "--output", ""},
    NeighbourWord{"", "--threads", "--workers", ""},
    NeighbourWord{"", "--jobs", "--workers", ""},
    NeighbourWord{"", "--timeout", "--budget", "seconds"},
    NeighbourWord{"", "--time", "--budget", "seconds"},
    NeighbourWord{"", "--failed-link", "--fault", "`link:A-B`"},
    NeighbourWord{"", "--virtual-channels", "--vcs", ""},
    NeighbourWord{"", "--buffer-size", "--buffer-flits", ""},
    NeighbourWord{"", "--buffer-depth", "--buffer-flits", ""},
    NeighbourWord{"", "--flit-size", "--flit-bytes", ""},
    NeighbourWord{"", "--message-length", "--packet-flits", ""},
    NeighbourWord{"", "--packet-length", "--packet-flits", ""},
    NeighbourWord{booksim, "k", "--topology", in_topology},
    NeighbourWord{booksim, "n", "--topology", in_topology},
    NeighbourWord{booksim, "network_file", "--topology", "a file in the `anynet` format is taken as it is"},
    NeighbourWord{booksim, "fly", "butterfly", "2x2 switches only"},
    NeighbourWord{booksim, "cmesh", "", "the same word: `k=4, n=2, c=4` is `cmesh:4x4x4`"},
    NeighbourWord{booksim, "flatfly", "", "the same word: `k=4, n=2, c=4` is `flatfly:4,3`"},
    NeighbourWord{booksim, "routing_function", "--routing", ""},
    NeighbourWord{booksim, "dim_order", "dor", "on a torus `dor_random+crossing`"},
    NeighbourWord{booksim, "dor_mesh", "dor", ""},
    NeighbourWord{booksim, "dim_order_torus", "dor_random+crossing", ""},
    NeighbourWord{booksim, "dim_order_bal", "dor_random+balanced", ""},
    NeighbourWord{booksim, "dim_order_bal_torus", "dor_random+balanced", ""},
    NeighbourWord{booksim, "min_adapt", "adaptive", ""},
    NeighbourWord{booksim, "anca", "adaptive", "in fat trees; `--selection credits`"},
    NeighbourWord{booksim, "dest_tag", "tag", ""},
    NeighbourWord{booksim, "xy_yx", "o1turn", ""},
    NeighbourWord{booksim, "num_vcs", "--vcs", "of each link, as there"},
    NeighbourWord{booksim, "vc_buf_size", "--buffer-flits", ""},
    NeighbourWord{booksim, "routing_delay", "--router-stages", "the first of four figures"},
    NeighbourWord{booksim, "vc_alloc_delay", "--router-stages", "the second of four figures"},
    NeighbourWord{booksim, "sw_alloc_delay", "--router-stages", "the third of four figures"},
    NeighbourWord{booksim, "st_final_delay", "--router-stages", "the fourth of four figures"},
    NeighbourWord{booksim, "speculative", "--router-stages", "`speculative`"},
    NeighbourWord{booksim, "credit_delay", "--credit-cycles", ""},
    NeighbourWord{booksim, "sw_allocator", "--switch-allocator", ""},
    NeighbourWord{booksim, "separable_input_first", "input_first", ""},
    NeighbourWord{booksim, "separable_output_first", "output_first", ""},
    NeighbourWord{booksim, "alloc_iters", "--switch-iterations", "of the switch allocator"},
    NeighbourWord{booksim, "sw_alloc_iters", "--switch-iterations", ""},
    NeighbourWord{booksim, "sw_alloc_arb_type", "--arbiter", "one for both allocators"},
    NeighbourWord{booksim, "vc_alloc_arb_type", "--arbiter", "one for both allocators"},
    NeighbourWord{booksim, "priority", "--arbiter", "`age` or `priority`"},
    NeighbourWord{booksim, "traffic", "--pattern", ""},
    NeighbourWord{booksim, "bitcomp", "complement", ""},
    NeighbourWord{booksim, "bitrev", "reversal", ""},
    NeighbourWord{booksim, "randperm", "random", ""},
    NeighbourWord{booksim, "bad_dragon", "adversarial", "`adversarial:1`"},
    NeighbourWord{booksim, "dragonflynew", "dragonfly", "`k=2` is `dragonfly:2,4,2`"},
    NeighbourWord{booksim, "min_dragonflynew", "lgl", ""},
    NeighbourWord{booksim, "ugal_dragonflynew", "ugal", "`ugal:30:lgl`, a threshold of 30"},
    NeighbourWord{booksim, "ugal_flatfly", "ugal", "`ugal:2:dor`, a threshold of 2"},
    NeighbourWord{booksim, "hotspot_nodes", "--pattern", "`hotspot:P+P,SHARE`"},
    NeighbourWord{booksim, "hotspot_rates", "--pattern", "`hotspot:P+P,SHARE`; all hot spots are as hot"},
    NeighbourWord{
        booksim, "injection_rate", "--load",
        "packets per node and cycle there unless `injection_rate_uses_flits = 1`, flits here: 20-flit "
        "packets at 0.005 are --load 0.1"},
    NeighbourWord{booksim, "const_flits_per_packet", "--packet-flits", ""},
    NeighbourWord{booksim, "packet_size", "--packet-flits", ""},
    NeighbourWord{booksim, "injection_process", "--arrivals", ""},
    NeighbourWord{booksim, "on_off", "bursty", "`bursty:BURST_CYCLES,PEAK`"},
    NeighbourWord{booksim, "max_outstanding_requests", "--closed-loop", ""},
    NeighbourWord{booksim, "read_reply_size", "--reply-flits", ""},
    NeighbourWord{booksim, "sim_type", "--saturation", "of `throughput`"},
    NeighbourWord{booksim, "warmup_periods", "--warm-up",
                  "periods of sample_period cycles there, cycles here"},
    NeighbourWord{booksim, "sample_period", "--window", "cycles of all samples together"},
    NeighbourWord{booksim, "max_samples", "--batches", "parts of the window"},
    NeighbourWord{booksim, "latency_thres", "", "backlogs and link loads decide about saturation"},
    NeighbourWord{booksim, "sim_power", "--energy", "a table of energies in JSON"},

    NeighbourWord{noxim, "-dimx", "--topology", "part of the specification: `mesh:ROWSxCOLUMNS`"},
    NeighbourWord{noxim, "-dimy", "--topology", "part of the specification: `mesh:ROWSxCOLUMNS`"},
    NeighbourWord{noxim, "BASELINE", "", "`omega` and `butterfly` are there"},
    NeighbourWord{noxim, "-buffer", "--buffer-flits", ""},
    NeighbourWord{noxim, "-vc", "--vcs", ""},
    NeighbourWord{noxim, "-size", "--packet-flits", "`2:0.5,16:0.5` are sizes with weights"},
    NeighbourWord{noxim, "-flit", "--flit-bytes", "bits there, bytes here"},
    NeighbourWord{noxim, "-pir", "--load", of_packets},
    NeighbourWord{noxim, "poisson", "bernoulli", ""},
    NeighbourWord{noxim, "burst", "bursty", ""},
    NeighbourWord{noxim, "-traffic", "--pattern",
                  "`random` there is `uniform` here; `random` here is a permutation"},
    NeighbourWord{noxim, "transpose2", "transpose", ""},
    NeighbourWord{noxim, "transpose1", "permutation", "`permutation:FILE`: a transpose of the complement"},
    NeighbourWord{noxim, "bitreversal", "reversal", ""},
    NeighbourWord{noxim, "table", "matrix", "`matrix:FILE`"},
    NeighbourWord{noxim, "-hs", "--pattern", "`hotspot:P,SHARE`"},
    NeighbourWord{noxim, "WEST_FIRST", "west_first", ""},
    NeighbourWord{noxim, "NORTH_LAST", "north_last", ""},
    NeighbourWord{noxim, "NEGATIVE_FIRST", "negative_first",
                  "negative is west and north here, and both paths are open wherever the model allows them"},
    NeighbourWord{noxim, "ODD_EVEN", "odd_even", ""},
    NeighbourWord{noxim, "DYAD", "odd_even", "with `--selection dyad`"},
    NeighbourWord{noxim, "TABLE_BASED", "", "`--routing file:FILE`, with Noxim's own table"},
    NeighbourWord{noxim, "-sel", "--selection",
                  "RANDOM is `random`, BUFFER_LEVEL `credits`, NOP `neighbours`"},
    NeighbourWord{noxim, "-warmup", "--warm-up", "cycles there and here"},
    NeighbourWord{noxim, "-sim", "--window", after_warm_up},
    NeighbourWord{noxim, "-power", "--energy", "a table of energies in JSON"},

    NeighbourWord{garnet, "--mesh-rows", "--topology", "part of the specification: `mesh:ROWSxCOLUMNS`"},
    NeighbourWord{garnet, "--num-cpus", "--topology", in_topology},
    NeighbourWord{garnet, "Mesh_XY", "mesh", "with `--routing xy`"},
    NeighbourWord{garnet, "Pt2Pt", "complete", ""},
    NeighbourWord{garnet, "--vcs-per-vnet", "--vcs",
                  "`--message-classes 2` gives replies channels of their own"},
    NeighbourWord{garnet, "--link-width-bits", "--flit-bytes", "bits there, bytes here"},
    NeighbourWord{garnet, "--link-latency", "--link-cycles", ""},
    NeighbourWord{garnet, "--router-latency", "--router-stages", "the sum of the four stages"},
    NeighbourWord{garnet, "--routing-algorithm", "--routing", "1 there is `xy` here"},
    NeighbourWord{garnet, "--synthetic", "--pattern", ""},
    NeighbourWord{garnet, "uniform_random", "uniform", ""},
    NeighbourWord{garnet, "bit_complement", "complement", ""},
    NeighbourWord{garnet, "bit_reverse", "reversal", ""},
    NeighbourWord{garnet, "bit_rotation", "rotation", ""},
    NeighbourWord{garnet, "--injectionrate", "--load", of_packets},
    NeighbourWord{garnet, "--sim-cycles", "--window", after_warm_up},
    NeighbourWord{garnet, "--garnet-deadlock-threshold", "", "a circular wait is detected and printed"},

    NeighbourWord{msccl, "solve", "schedule", "`solve instance` and `solve least-steps`"},
    NeighbourWord{msccl, "pareto-optimal", "front", ""},
    NeighbourWord{msccl, "ncclize", "export", "`--msccl-xml`"},
    NeighbourWord{msccl, "--nodes", "--topology", "part of the specification: `ring:8`"},
    NeighbourWord{msccl, "--topology-file", "--topology", "JSON, DOT or GraphML"},
    NeighbourWord{msccl, "--root", "--source", "of a reduction or gather, too"},
    NeighbourWord{msccl, "FullyConnected", "complete", ""},
    NeighbourWord{msccl, "HubAndSpoke", "star", ""},
    NeighbourWord{msccl, "Line", "mesh", "`mesh:N`"},
    NeighbourWord{msccl, "--rounds", "--objective", "`steps` and `bandwidth` find the fewest"},
    NeighbourWord{msccl, "--initial-steps", "--steps", "the search begins at the lower bound by itself"},
    NeighbourWord{msccl, "--max-chunks", "--most-chunks", ""},
    NeighbourWord{msccl, "--directory", "--output", ""},

    NeighbourWord{tacos, "synthesize", "schedule", "`--objective time`"},
    NeighbourWord{tacos, "npusCount", "--topology", "part of the specification: `ring:8`"},
    NeighbourWord{tacos, "Mesh2D", "mesh", ""},
    NeighbourWord{tacos, "Torus2D", "torus", ""},
    NeighbourWord{tacos, "Torus3D", "torus", ""},
    NeighbourWord{tacos, "bandwidth", "--link-bytes", "GB/s of 2^30 bytes there, bytes a cycle here"},
    NeighbourWord{tacos, "latency", "--start-cycles",
                  "ns there, cycles here; the latency of links beside it"},
    NeighbourWord{tacos, "chunkSize", "--bytes",
                  "of a chunk there, of the largest vector of a processor here"},
    NeighbourWord{tacos, "initChunksPerNpu", "--chunks", ""},
};

/// Small letters, hyphens for underscores, none at the beginning.
std::string plain_word(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of('-'), text.size()));
    std::string word;
    for (const char c : text)
        word += c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return word;
}

} // namespace

std::span<const NeighbourWord> neighbour_words()
{
    return neighbour_table;
}

const NeighbourWord* find_neighbour_word(std::string_view text, std::span<const std::string> known)
{
    const std::string word = plain_word(text);
    const auto found = std::ranges::find_if(neighbour_table, [&](const NeighbourWord& row) {
        return !row.here.empty() && plain_word(row.word) == word &&
               std::ranges::any_of(known, [&](const std::string& name) {
                   return name.substr(0, name.find(':')) == row.here.substr(0, row.here.find('+'));
               });
    });
    return found == neighbour_table.end() ? nullptr : &*found;
}

} // namespace nocturne
