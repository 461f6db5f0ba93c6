#include "models/topology/yaml_place.hpp"
#include "sim/imports/simulators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace nocturne {

namespace {

constexpr std::string_view of_noxim_output = "about output";
constexpr std::string_view of_energy = "about energy; here --energy FILE is a table of energies";
constexpr std::string_view wireless = "there are no wireless hubs here";

/// Names and defaults: ConfigurationManager.cpp. Most have none: Noxim ends where one is left out.
constexpr ForeignKey noxim_table[]{
    {"verbose_mode", "", "*", of_noxim_output},
    {"trace_mode", "", "*", of_noxim_output},
    {"trace_filename", "", "*", of_noxim_output},
    {"topology", "MESH"},
    {"mesh_dim_x", ""},
    {"mesh_dim_y", ""},
    {"n_delta_tiles", ""},
    {"r2r_link_length", "", "*", of_energy},
    {"r2h_link_length", "", "*", of_energy},
    {"buffer_depth", ""},
    {"flit_size", ""},
    {"min_packet_size", ""},
    {"max_packet_size", ""},
    {"routing_algorithm", ""},
    {"routing_table_filename", ""},
    {"selection_strategy", ""},
    {"packet_injection_rate", ""},
    {"probability_of_retransmission", ""},
    {"traffic_distribution", ""},
    {"traffic_table_filename", ""},
    {"traffic_hardcoded_filename", ""},
    {"clock_period_ps", ""},
    {"simulation_time", ""},
    {"n_virtual_channels", ""},
    {"reset_time", "", "*", "there is no reset here: cycles count from its end"},
    {"stats_warm_up_time", ""},
    {"detailed", "", "*", of_noxim_output},
    {"dyad_threshold", ""},
    {"max_volume_to_be_drained", "", "0|", "the window is as long as said here"},
    {"show_buffer_stats", "", "*", of_noxim_output},
    {"use_winoc", "", "false|no|off|", wireless},
    {"winoc_dst_hops", "0", "0", wireless},
    {"use_wirxsleep", "", "false|no|off|", wireless},
    {"Hubs", "", "*", "only with use_winoc: true"},
    {"RadioChannels", "", "*", "only with use_winoc: true"},
};

struct Word {
    std::string_view there;
    std::string_view here;
    std::string_view remark = {};
};

constexpr std::array noxim_routings{
    Word{"XY", "xy"},
    Word{"WEST_FIRST", "west_first"},
    Word{"NORTH_LAST", "north_last"},
    Word{"NEGATIVE_FIRST", "negative_first", "negative is west and north here"},
    Word{"ODD_EVEN", "odd_even"},
    Word{"DYAD", "odd_even"},
    Word{"DELTA", "tag"}};
constexpr std::array selections{Word{"RANDOM", "random"}, Word{"BUFFER_LEVEL", "credits"},
                                Word{"NOP", "neighbours"}};
constexpr std::array patterns{
    Word{"TRAFFIC_RANDOM", "uniform",
         "a node never sends to itself there; here one packet in N does, of N nodes"},
    Word{"TRAFFIC_TRANSPOSE2", "transpose"}, Word{"TRAFFIC_BIT_REVERSAL", "reversal"},
    Word{"TRAFFIC_SHUFFLE", "shuffle"}, Word{"TRAFFIC_BUTTERFLY", "butterfly"}};

template <std::size_t size>
const Word* find(const std::array<Word, size>& words, std::string_view there)
{
    const auto found = std::ranges::find(words, there, &Word::there);
    return found == words.end() ? nullptr : &*found;
}

bool is_yes(const std::string& text)
{
    return text == "true" || text == "yes" || text == "on";
}

void add_noxim_network(CommandDraft& draft)
{
    constexpr std::uint64_t most = 4096;
    const std::string& kind = draft.text("topology");
    if (kind == "MESH") {
        const std::string spec =
            fmt::format("mesh:{}x{}", draft.count("mesh_dim_y", 2, most), draft.count("mesh_dim_x", 2, most));
        draft.add_word(spec);
        draft.carry({"topology", "mesh_dim_x", "mesh_dim_y"}, spec);
        draft.ignore("n_delta_tiles", "only with other topologies");
        return;
    }
    if (kind != "OMEGA" && kind != "BUTTERFLY")
        draft.fail(fmt::format("Nocturne has no network like Noxim's topology '{}'", kind));
    const std::string spec =
        fmt::format("{}:{}", kind == "OMEGA" ? "omega" : "butterfly", draft.count("n_delta_tiles", 2, most));
    draft.add_word(spec);
    draft.carry({"topology", "n_delta_tiles"}, spec);
    draft.ignore("mesh_dim_x", "only with topology: MESH");
    draft.ignore("mesh_dim_y", "only with topology: MESH");
}

void add_noxim_routing(CommandDraft& draft)
{
    const std::string& there = draft.text("routing_algorithm");
    const Word* const word = find(noxim_routings, there);
    const bool has_table = there == "TABLE_BASED";
    if (has_table)
        draft.add("--routing", "file:" + draft.text("routing_table_filename"),
                  {"routing_algorithm", "routing_table_filename"});
    else if (word != nullptr)
        draft.add("--routing", std::string(word->here), {"routing_algorithm"}, word->remark);
    else {
        draft.add("--routing", "auto", {});
        draft.leave("routing_algorithm", "there is no such routing here: --routing auto");
    }
    if (!has_table)
        draft.ignore("routing_table_filename", "only with routing_algorithm: TABLE_BASED");
    const Word* const selection = find(selections, draft.text("selection_strategy"));
    if (there == "DYAD") {
        draft.add("--selection", "dyad", {});
        draft.leave("dyad_threshold",
                    "here the rule of --selection dyad decides whether a router is congested");
        draft.ignore("selection_strategy", "DYAD has a selection of its own");
        return;
    }
    draft.ignore("dyad_threshold", "only with routing_algorithm: DYAD");
    if (there == "XY" || there == "DELTA" || word == nullptr)
        draft.ignore("selection_strategy", "only with routings that leave a choice");
    else if (selection != nullptr)
        draft.add("--selection", std::string(selection->here), {"selection_strategy"});
    else
        draft.leave("selection_strategy", "there is no such selection here");
}

/// Flits of a packet in the mean.
double add_noxim_packets(CommandDraft& draft)
{
    constexpr std::uint64_t most_sizes = 256;
    const auto least = draft.count("min_packet_size", 1, 10000),
               most = draft.count("max_packet_size", least, 10000);
    std::string value = fmt::format("{}", least);
    if (most - least >= most_sizes)
        draft.fail(fmt::format("packets of {} to {} flits: more than {} sizes", least, most, most_sizes));
    if (most > least) {
        value += ":1";
        for (auto flits = least + 1; flits <= most; ++flits)
            value += fmt::format(",{}:1", flits);
    }
    draft.add("--packet-flits", value, {"min_packet_size", "max_packet_size"});
    return static_cast<double>(least + most) / 2;
}

void add_noxim_load(CommandDraft& draft, double flits)
{
    const double pir = draft.number("packet_injection_rate"),
                 por = draft.number("probability_of_retransmission");
    if (!(pir >= 0 && pir <= 1 && por >= 0 && por <= 1))
        draft.fail("packet_injection_rate and probability_of_retransmission are from 0 to 1");
    // A node that has sent in the cycle before sends with the second probability.
    const double packets = pir + 1 > por ? pir / (1 + pir - por) : 0;
    draft.add(
        "--load", fmt::format("{:.6g}", packets * flits),
        {"packet_injection_rate", "probability_of_retransmission"},
        fmt::format("packets per node and cycle there, of {:.6g} flits on average{}", flits,
                    pir == por ? "" : "; the mean of both probabilities, without the bursts that they make"));
}

void add_noxim_traffic(CommandDraft& draft)
{
    const std::string& there = draft.text("traffic_distribution");
    const bool has_table = there == "TRAFFIC_TABLE_BASED";
    const Word* const word = find(patterns, there);
    if (has_table) {
        draft.add("--pattern", "noxim:" + draft.text("traffic_table_filename"),
                  {"traffic_distribution", "traffic_table_filename"});
        add_noxim_packets(draft);
        draft.add("--load", "rates", {});
        draft.ignore("packet_injection_rate", "the table has its own");
        draft.ignore("probability_of_retransmission", "the table has its own");
    } else {
        if (word == nullptr)
            draft.refuse_pattern("traffic_distribution: " + there, "traffic_distribution: TRAFFIC_RANDOM");
        draft.add("--pattern", std::string(word->here), {"traffic_distribution"}, word->remark);
        add_noxim_load(draft, add_noxim_packets(draft));
        draft.ignore("traffic_table_filename", "only with traffic_distribution: TRAFFIC_TABLE_BASED");
    }
    draft.ignore("traffic_hardcoded_filename", "only with traffic_distribution: TRAFFIC_HARDCODED");
}

} // namespace

std::span<const ForeignKey> noxim_keys()
{
    return noxim_table;
}

ImportedCommand import_noxim(std::string_view text, const std::string& origin)
{
    const YamlPlace root(text, origin);
    ForeignValues values;
    for (const std::string& name : root.names())
        values.emplace_back(name, root.has(name) ? root[name].shown() : "");
    CommandDraft draft("a Noxim configuration", "Noxim", origin, noxim_table, values);
    for (const char* key : {"buffer_depth", "flit_size", "min_packet_size", "max_packet_size",
                            "routing_algorithm", "selection_strategy", "packet_injection_rate",
                            "probability_of_retransmission", "traffic_distribution", "clock_period_ps",
                            "simulation_time", "n_virtual_channels", "stats_warm_up_time"})
        if (draft.text(key).empty())
            draft.fail(fmt::format("{} is missing, and Noxim has no default for it", key));
    draft.add_word("traffic");
    add_noxim_network(draft);
    add_noxim_routing(draft);
    add_noxim_traffic(draft);
    draft.add("--vcs", fmt::format("{}", draft.count("n_virtual_channels", 1, 64)), {"n_virtual_channels"},
              draft.count("n_virtual_channels") == 1 ? "" : "a packet keeps the one that it draws there");
    draft.add("--buffer-flits", fmt::format("{}", draft.count("buffer_depth", 1)), {"buffer_depth"});
    const auto bits = draft.count("flit_size", 1, 1u << 20);
    const auto bytes = (bits + 7) / 8;
    const bool is_even = bytes % 2 == 0;
    draft.add("--flit-bytes", fmt::format("{}", is_even ? bytes : 2 * bytes), {"flit_size"},
              is_even && bits % 8 == 0 ? "bits there, bytes here" : "bits there, bytes here, an even number");
    if (draft.text("topology") == "MESH" || draft.count("n_delta_tiles") > 2)
        draft.add("--part", fmt::format("link *->*: width={}", is_even ? bytes / 2 : bytes), {});
    draft.add("--router-stages", "0,1,0,0", {});
    if (draft.text("topology") != "MESH")
        draft.add("--crossbar-stages", "0,1,0,0", {});
    draft.note(
        "In Noxim a link carries a flit every second cycle, since each flit is acknowledged first: links "
        "have half the width of a flit here. A hop takes two cycles in Noxim and three here. Noxim's "
        "delays are those of head flits, Nocturne's latencies those of whole packets.");
    draft.add("--cycle-ns", fmt::format("{:.6g}", draft.number("clock_period_ps") / 1000),
              {"clock_period_ps"}, "picoseconds there");
    constexpr std::uint64_t most = 1'000'000'000;
    const auto warm = draft.count("stats_warm_up_time", 0, most),
               all = draft.count("simulation_time", 1, most);
    draft.add("--warm-up", fmt::format("{}", warm), {"stats_warm_up_time"});
    draft.add("--window", fmt::format("{}", all > warm ? all - warm : 1), {"simulation_time"},
              "cycles after the warm-up here");
    if (is_yes(draft.text("use_winoc")))
        for (const char* key : {"Hubs", "RadioChannels"})
            draft.leave(key, wireless);
    return draft.finish();
}

} // namespace nocturne
