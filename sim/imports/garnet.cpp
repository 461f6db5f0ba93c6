#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"
#include "sim/imports/simulators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace nocturne {

namespace {

constexpr std::string_view of_gem5_memory = "about processors and memories, not the network";
constexpr std::string_view of_run = "when gem5 ends, apart from --sim-cycles";

/// Names and defaults. A switch has `false`.
constexpr ForeignKey garnet_table[]{
    // garnet_synth_traffic.py
    {"--synthetic", "uniform_random"},
    {"--injectionrate", "0.1"},
    {"--precision", "3", "*", "digits of the rate"},
    {"--sim-cycles", "1000"},
    {"--num-packets-max", "-1", "-1", "sources do not stop here"},
    {"--single-sender-id", "-1"},
    {"--single-dest-id", "-1"},
    {"--inj-vnet", "-1"},
    // Network.py
    {"--topology", "Crossbar"},
    {"--mesh-rows", "0"},
    {"--network", "simple"},
    {"--router-latency", "1"},
    {"--link-latency", "1"},
    {"--link-width-bits", "128"},
    {"--vcs-per-vnet", "4"},
    {"--routing-algorithm", "0"},
    {"--network-fault-model", "false", "false", "parts that fail are named here: --fault"},
    {"--garnet-deadlock-threshold", "50000", "*", "a circular wait is found as such here, and named"},
    {"--simple-physical-channels", "false", "*", "only with --network=simple"},
    {"--lookup-csv", "routing.csv", "*", "only with a custom routing"},
    // Ruby.py
    {"--ruby-clock", "2GHz"},
    {"--access-backing-store", "false", "*", of_gem5_memory},
    {"--ports", "4", "*", of_gem5_memory},
    {"--numa-high-bit", "0", "*", of_gem5_memory},
    {"--interleaving-bits", "0", "*", of_gem5_memory},
    {"--xor-low-bit", "20", "*", of_gem5_memory},
    {"--recycle-latency", "10", "*", of_gem5_memory},
    {"--random_seed", "1234", "*", "other random numbers than there"},
    // Options.py, without an instruction set
    {"--num-cpus", "1"},
    {"--num-dirs", "1"},
    {"--sys-clock", "1GHz"},
    {"--sys-voltage", "1.0V", "*", of_gem5_memory},
    {"--rand-seed", "", "*", "other random numbers than there"},
    {"--mem-type", "DDR3_1600_8x8", "*", of_gem5_memory},
    {"--mem-channels", "1", "*", of_gem5_memory},
    {"--mem-ranks", "", "*", of_gem5_memory},
    {"--mem-size", "512MB", "*", of_gem5_memory},
    {"--mem-channels-intlv", "0", "*", of_gem5_memory},
    {"--enable-dram-powerdown", "false", "*", of_gem5_memory},
    {"--memchecker", "false", "*", of_gem5_memory},
    {"--external-memory-system", "", "*", of_gem5_memory},
    {"--tlm-memory", "", "*", of_gem5_memory},
    {"--caches", "false", "*", of_gem5_memory},
    {"--l2cache", "false", "*", of_gem5_memory},
    {"--num-l2caches", "1", "*", of_gem5_memory},
    {"--num-l3caches", "1", "*", of_gem5_memory},
    {"--l1d_size", "64kB", "*", of_gem5_memory},
    {"--l1i_size", "32kB", "*", of_gem5_memory},
    {"--l2_size", "2MB", "*", of_gem5_memory},
    {"--l3_size", "16MB", "*", of_gem5_memory},
    {"--l1d_assoc", "2", "*", of_gem5_memory},
    {"--l1i_assoc", "2", "*", of_gem5_memory},
    {"--l2_assoc", "8", "*", of_gem5_memory},
    {"--l3_assoc", "16", "*", of_gem5_memory},
    {"--cacheline_size", "64", "*", of_gem5_memory},
    {"--ruby", "false", "*", of_gem5_memory},
    {"--abs-max-tick", "", "*", of_run},
    {"--rel-max-tick", "", "*", of_run},
    {"--maxtime", "", "*", of_run},
    {"--param", "", "", "parameters of objects inside gem5 are not known here"},
};

constexpr std::array short_names{std::pair{"-i", "--injectionrate"}, std::pair{"-n", "--num-cpus"},
                                 std::pair{"-m", "--abs-max-tick"}, std::pair{"-P", "--param"}};

/// As a shell parts them, but for variables and the like.
std::vector<std::string> words_of(std::string_view text)
{
    std::vector<std::string> words;
    bool is_inside = false;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool is_blank = std::isspace(static_cast<unsigned char>(c)) != 0;
        if (c == '\\' && quote == 0 && i + 1 < text.size() && (text[i + 1] == '\n' || text[i + 1] == '\r'))
            continue;
        if (quote == 0 && is_blank) {
            is_inside = false;
            continue;
        }
        if (!is_inside)
            words.emplace_back();
        is_inside = true;
        if (quote != 0 ? c == quote : c == '"' || c == '\'')
            quote = quote == 0 ? c : '\0';
        else
            words.back() += c;
    }
    return words;
}

bool is_switch(std::string_view name)
{
    const auto* const row = std::ranges::find(garnet_table, name, &ForeignKey::name);
    return row != std::end(garnet_table) && row->otherwise == "false";
}

ForeignValues options_of(std::string_view text, const std::string& origin)
{
    std::vector<std::string> words = words_of(text);
    const auto script = std::ranges::find_if(
        words, [](const std::string& word) { return word.find("garnet_synth_traffic") != word.npos; });
    if (script != words.end())
        words.erase(words.begin(), script + 1);
    ForeignValues values;
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string name = words[i].substr(0, words[i].find('='));
        if (!name.starts_with('-'))
            throw std::runtime_error(fmt::format("{}: '{}' is no option", origin, shortened(words[i])));
        const bool has_value = name.size() < words[i].size();
        for (const auto& [short_name, long_name] : short_names)
            if (name == short_name)
                name = long_name;
        if (has_value)
            values.emplace_back(name, words[i].substr(words[i].find('=') + 1));
        else if (is_switch(name))
            values.emplace_back(name, "true");
        else if (i + 1 < words.size() && (!words[i + 1].starts_with('-') || number_of<double>(words[i + 1])))
            values.emplace_back(name, words[++i]);
        else
            values.emplace_back(name, "");
    }
    return values;
}

/// `2GHz` and the like, in GHz.
double gigahertz(const CommandDraft& draft, std::string_view key)
{
    const std::string& text = draft.text(key);
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto number = number_of<double>(std::string_view(text).substr(0, end));
    const std::string_view unit = std::string_view(text).substr(end);
    const double scale = unit == "GHz"   ? 1
                         : unit == "MHz" ? 1e-3
                         : unit == "kHz" ? 1e-6
                         : unit == "Hz"  ? 1e-9
                                         : 0;
    if (!number || !(*number * scale > 0))
        draft.fail(fmt::format("{}={}: a frequency such as 2GHz is wanted", key, shortened(text)));
    return *number * scale;
}

void add_garnet_network(CommandDraft& draft)
{
    constexpr std::uint64_t most = 4096;
    const auto nodes = draft.count("--num-cpus", 1, most);
    const std::string& kind = draft.text("--topology");
    std::string spec;
    if (kind == "Mesh_XY" || kind == "Mesh_westfirst") {
        const auto rows = draft.count("--mesh-rows", 1, most);
        if (nodes % rows != 0)
            draft.fail(fmt::format("--num-cpus={} are no {} rows", nodes, rows));
        spec = fmt::format("mesh:{}x{}", rows, nodes / rows);
        draft.carry({"--mesh-rows"}, spec);
    } else if (kind == "Crossbar" || kind == "CrossbarGarnet" || kind == "Pt2Pt") {
        spec = fmt::format("{}:{}", kind == "Pt2Pt" ? "complete" : "star", nodes);
        draft.ignore("--mesh-rows", "only with meshes");
    } else
        draft.fail(fmt::format("Nocturne has no network like Garnet's topology '{}'", kind));
    draft.add_word(spec);
    draft.carry({"--topology", "--num-cpus"}, spec);
    if (draft.count("--num-dirs", 1, most) == nodes)
        draft.carry({"--num-dirs"}, spec);
    else
        draft.fail(
            fmt::format("--num-dirs={}: packets go to so many of the {} nodes there, and to all of them "
                        "here: import with --num-dirs={}, and in the command replace the pattern by "
                        "hotspot:P+P,1",
                        draft.text("--num-dirs"), nodes, nodes));
    if (draft.text("--network").starts_with("garnet"))
        draft.carry({"--network"}, "--model flit");
    else
        draft.leave("--network",
                    "the simple network has no flits and no virtual channels: what runs here is as Garnet");
    const auto routing = draft.count("--routing-algorithm");
    if (!spec.starts_with("mesh"))
        draft.ignore("--routing-algorithm", "each pair has one shortest path");
    else if (routing > 1)
        draft.leave("--routing-algorithm",
                    "the custom routing is C++ code in gem5; --routing auto replaces it");
    else
        draft.add("--routing", kind == "Mesh_XY" || routing == 1 ? "xy" : "west_first",
                  {"--routing-algorithm"}, routing == 0 ? "as the weights of the links say there" : "");
}

void require_all_senders(CommandDraft& draft)
{
    const std::string& sender = draft.text("--single-sender-id");
    if (sender != "-1")
        draft.fail(fmt::format("--single-sender-id={}: import without it, and in the command use "
                               "--class NAME,senders={},... instead of --pattern and --load",
                               shortened(sender), shortened(sender)));
    draft.ignore("--single-sender-id", "as here");
}

/// `0.2`: an option of a class, or of all traffic.
std::string pattern_of(CommandDraft& draft)
{
    struct Word {
        std::string_view there, here, remark;
    };
    static constexpr std::array words{Word{"uniform_random", "uniform", ""},
                                      Word{"bit_complement", "complement", ""},
                                      Word{"bit_reverse", "reversal", ""},
                                      Word{"shuffle", "shuffle", ""},
                                      Word{"transpose", "transpose", ""},
                                      Word{"bit_rotation", "rotation", ""},
                                      Word{"tornado", "", " (along x alone, unlike here)"},
                                      Word{"neighbor", "", " (along x alone, unlike here)"}};
    const std::string& there = draft.text("--synthetic");
    const auto* const word = std::ranges::find(words, there, &Word::there);
    if (word == words.end())
        draft.fail(fmt::format("--synthetic={}: Garnet has no such pattern", shortened(there)));
    if (draft.text("--single-dest-id") != "-1") {
        const std::string here = fmt::format("hotspot:#{},1", draft.count("--single-dest-id"));
        draft.carry({"--single-dest-id"}, "--pattern " + here);
        draft.ignore("--synthetic", "only with --single-dest-id=-1");
        return here;
    }
    draft.ignore("--single-dest-id", "as here");
    if (word->here.empty())
        draft.refuse_pattern(fmt::format("--synthetic={}{}", there, word->remark),
                             "--synthetic=uniform_random");
    draft.carry({"--synthetic"}, fmt::format("--pattern {}", word->here));
    return std::string(word->here);
}

void add_garnet_traffic(CommandDraft& draft)
{
    constexpr std::uint64_t control_bits = 64, data_bits = 576; // of a message, and with a block of 64 bytes
    const auto width = draft.count("--link-width-bits", 8, 1u << 16);
    const auto flits = [&](std::uint64_t bits) { return (bits + width - 1) / width; };
    const auto vcs = draft.count("--vcs-per-vnet", 1, 64);
    require_all_senders(draft);
    const std::string pattern = pattern_of(draft);
    // A source tosses its coin in each cycle of the system's clock, the network runs by Ruby's.
    const double rate =
        draft.number("--injectionrate") * gigahertz(draft, "--sys-clock") / gigahertz(draft, "--ruby-clock");
    std::string remark =
        "packets per node and cycle of --sys-clock there, flits per cycle of --ruby-clock here";
    const std::string& net = draft.text("--inj-vnet");
    const bool is_mixed = net.starts_with('-');
    if (!is_mixed && draft.count("--inj-vnet", 0, 2) < 2) {
        draft.add("--pattern", pattern, {});
        draft.add("--packet-flits", fmt::format("{}", flits(control_bits)), {"--inj-vnet"});
        draft.add("--load", fmt::format("{:.6g}", rate * static_cast<double>(flits(control_bits))),
                  {"--injectionrate"}, remark);
    } else if (!is_mixed) {
        draft.add("--pattern", pattern, {});
        draft.add("--packet-flits", fmt::format("{}", flits(data_bits)), {"--inj-vnet"});
        draft.add("--load", fmt::format("{:.6g}", rate * static_cast<double>(flits(data_bits))),
                  {"--injectionrate"}, remark);
    } else {
        for (const auto& [name, bits] : {std::pair("vnet0", control_bits), std::pair("vnet1", control_bits),
                                         std::pair("vnet2", data_bits)})
            draft.add("--class",
                      fmt::format("{},load={:.6g},pattern={},packet-flits={},vcs={}", name,
                                  rate / 3 * static_cast<double>(flits(bits)), pattern, flits(bits), vcs),
                      {});
        draft.carry({"--inj-vnet", "--vcs-per-vnet", "--injectionrate"}, "--class vnet0, vnet1, vnet2",
                    remark + "; a third of them on each virtual network");
    }
    draft.carry({"--sys-clock"}, "--load", "");
    if (!is_mixed)
        draft.add("--vcs", fmt::format("{}", vcs), {"--vcs-per-vnet"},
                  "of the one virtual network that has packets");
    draft.add("--buffer-flits", "4", {});
    if (is_mixed || net != "2")
        draft.note("Buffers of control packets have one flit there, those of data packets four; here all "
                   "have four.");
}

} // namespace

std::span<const ForeignKey> garnet_options()
{
    return garnet_table;
}

ImportedCommand import_garnet(std::string_view text, const std::string& origin)
{
    CommandDraft draft("a gem5 command line", "Garnet", origin, garnet_table, options_of(text, origin));
    draft.add_word("traffic");
    add_garnet_network(draft);
    add_garnet_traffic(draft);
    draft.add("--router-stages", fmt::format("0,1,0,{}", draft.count("--router-latency", 1, 100) - 1),
              {"--router-latency"});
    draft.add("--link-cycles", fmt::format("{}", draft.count("--link-latency", 1, 1000)), {"--link-latency"});
    draft.add("--flit-bytes", fmt::format("{}", (draft.count("--link-width-bits", 8) + 7) / 8),
              {"--link-width-bits"});
    draft.add("--cycle-ns", fmt::format("{:.6g}", 1 / gigahertz(draft, "--ruby-clock")), {"--ruby-clock"});
    draft.add("--warm-up", "0", {});
    draft.add("--window", fmt::format("{}", draft.count("--sim-cycles", 1, 1'000'000'000)), {"--sim-cycles"},
              "Garnet measures from the empty network on; in scripts that count ticks of 1 ps, 1000 of them "
              "are a cycle");
    return draft.finish();
}

} // namespace nocturne
