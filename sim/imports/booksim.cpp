#include "models/text/neighbour_words.hpp"
#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/json_format.hpp"
#include "sim/imports/simulators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace nocturne {

namespace {

constexpr std::string_view booksim_tool = "BookSim2";

struct RoutingWord {
    std::string_view topology;
    std::string_view there;
    std::string_view here; ///< with one more option behind a space
    std::string_view remark = {};
};

constexpr std::string_view by_destination = "packets to one node keep to one virtual channel there";
constexpr std::string_view without_express =
    "the express channels round the edge of a cmesh do not exist here";

constexpr std::array routings{
    RoutingWord{"mesh", "dor", "dor"},
    RoutingWord{"mesh", "dim_order", "dor"},
    RoutingWord{"mesh", "dim_order_ni", "dor", by_destination},
    RoutingWord{"mesh", "dim_order_pni", "dor", by_destination},
    RoutingWord{"mesh", "xy_yx", "o1turn"},
    RoutingWord{"mesh", "romm", "romm"},
    RoutingWord{"mesh", "romm_ni", "romm", by_destination},
    RoutingWord{"mesh", "min_adapt", "adaptive"},
    RoutingWord{"mesh", "valiant", "valiant:dor"},
    RoutingWord{"torus", "dim_order", "dor_random+crossing"},
    RoutingWord{"torus", "dim_order_bal", "dor_random+balanced"},
    RoutingWord{"torus", "dim_order_ni", "dor_random+crossing", by_destination},
    RoutingWord{"torus", "min_adapt", "adaptive"},
    RoutingWord{"torus", "valiant", "valiant"},
    RoutingWord{"torus", "valiant_ni", "valiant", by_destination},
    RoutingWord{"cmesh", "dor_no_express", "dor"},
    RoutingWord{"cmesh", "xy_yx_no_express", "o1turn"},
    RoutingWord{"cmesh", "dor", "dor", without_express},
    RoutingWord{"cmesh", "xy_yx", "o1turn", without_express},
    RoutingWord{"fly", "dest_tag", "tag"},
    RoutingWord{"fattree", "nca", "nca"},
    RoutingWord{"fattree", "anca", "adaptive --selection=credits"},
    RoutingWord{"qtree", "nca", "nca"},
    RoutingWord{"flatfly", "ran_min", "dor"},
    RoutingWord{"flatfly", "xyyx", "o1turn"},
    RoutingWord{"flatfly", "valiant", "valiant:dor",
                "a detour ends there where it comes by the destination: shorter paths"},
    RoutingWord{"flatfly", "ugal", "ugal:2:dor"},
    RoutingWord{
        "dragonflynew", "min", "lgl",
        "a packet leaves its last router by the virtual channel of its phase only there: it saturates "
        "earlier"},
    RoutingWord{"dragonflynew", "ugal", "ugal:30:lgl",
                "queues are weighed 1 to 2 there whatever the hops, and the detour is by a random router"},
    RoutingWord{"anynet", "min", "shortest", "paths of least latency there, without the routers' cycles"},
};

ForeignValues assignments_of(std::string_view text, const std::string& origin)
{
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.substr(i).starts_with("//"))
            i = std::min(text.find('\n', i), text.size() - 1);
        plain += text[i];
    }
    constexpr const char* blanks = " \t\r\n";
    const auto trimmed = [&](std::string_view word) {
        word.remove_prefix(std::min(word.find_first_not_of(blanks), word.size()));
        return word.substr(0, word.find_last_not_of(blanks) + 1);
    };
    ForeignValues values;
    std::string_view rest = plain;
    while (!trimmed(rest).empty()) {
        const std::size_t begin = rest.find_first_not_of(blanks);
        const auto line =
            1 +
            std::count(plain.begin(), plain.end() - static_cast<std::ptrdiff_t>(rest.size() - begin), '\n');
        const std::size_t end = rest.find(';'), equals = rest.find('=');
        const std::string_view name = trimmed(rest.substr(0, std::min(equals, rest.size())));
        if (end == rest.npos || equals > end || name.empty() ||
            trimmed(rest.substr(equals + 1, end - equals - 1)).empty())
            throw std::runtime_error(fmt::format("{}: line {}: expected key = value;", origin, line));
        values.emplace_back(name, trimmed(rest.substr(equals + 1, end - equals - 1)));
        rest.remove_prefix(end + 1);
    }
    return values;
}

/// `{1,{2,3}}`: 1 and {2,3}; `4`: 4.
std::vector<std::string> items_of(std::string_view text)
{
    if (text.size() < 2 || text.front() != '{' || text.back() != '}')
        return {std::string(text)};
    std::vector<std::string> items(1);
    unsigned depth = 0;
    for (const char c : text.substr(1, text.size() - 2)) {
        depth += c == '{' ? 1u : 0u;
        if (c == ',' && depth == 0) {
            items.emplace_back();
            continue;
        }
        depth -= c == '}' && depth > 0 ? 1u : 0u;
        items.back() += c;
    }
    return items;
}

/// `on_off({0.1,0.2})`: 0.1 and 0.2; `hotspot(3)`: 3; `uniform`: none.
std::vector<std::string> parameters_of(std::string_view text)
{
    const std::size_t begin = text.find('('), end = text.rfind(')');
    if (begin == text.npos || begin + 1 >= std::min(end, text.size()))
        return {};
    return items_of(text.substr(begin + 1, std::min(end, text.size()) - begin - 1));
}

double number_in(const CommandDraft& draft, std::string_view key, std::string_view text)
{
    const auto number = number_of<double>(text);
    if (!number || !(*number >= 0 && *number < 1e9))
        draft.fail(fmt::format("{} = {}: a number from 0 on is wanted", key, shortened(text)));
    return *number;
}

/// Of the first class: numbers of the key.
std::vector<double> numbers_of(const CommandDraft& draft, std::string_view key)
{
    std::vector<double> numbers;
    for (const std::string& item : items_of(items_of(draft.text(key)).front()))
        numbers.push_back(number_in(draft, key, item));
    return numbers;
}

void add_routing(CommandDraft& draft)
{
    const std::string &topology = draft.text("topology"), &there = draft.text("routing_function");
    const auto found = std::ranges::find_if(
        routings, [&](const RoutingWord& word) { return word.topology == topology && word.there == there; });
    if (found == routings.end()) {
        draft.add("--routing", "auto", {});
        draft.leave("routing_function", there == "none" ? "BookSim2 wants one; here it is --routing auto"
                                                        : "there is no such routing here: --routing auto");
        return;
    }
    const std::size_t space = found->here.find(' ');
    draft.add("--routing", std::string(found->here.substr(0, space)), {"routing_function"}, found->remark);
    if (space != found->here.npos)
        draft.add_word(std::string(found->here.substr(space + 1)));
}

void add_stages(CommandDraft& draft)
{
    const std::uint64_t route = draft.count("routing_delay", 0, 100),
                        vcs = draft.count("vc_alloc_delay", 1, 100),
                        sw = draft.count("sw_alloc_delay", 1, 100),
                        crossbar =
                            draft.count("st_prepare_delay", 0, 50) + draft.count("st_final_delay", 0, 50);
    const std::string stages = fmt::format("{},{},{},{}", route, vcs, sw, crossbar);
    std::string value = stages;
    if (draft.count("speculative") == 0)
        draft.ignore("spec_sw_allocator", "only with speculative = 1");
    else if (stages == "1,1,1,1" || stages == "0,1,1,1") {
        value = stages == "1,1,1,1" ? "speculative" : "lookahead_speculative";
        if (draft.text("spec_sw_allocator") == "islip")
            draft.carry({"spec_sw_allocator"}, value);
        else
            draft.leave("spec_sw_allocator", "speculative requests go through one islip here");
    } else {
        draft.leave("speculative", "here only with stages of one cycle");
        draft.ignore("spec_sw_allocator", "only with speculative, which is not carried");
    }
    draft.add("--router-stages", value,
              {"routing_delay", "vc_alloc_delay", "sw_alloc_delay", "st_prepare_delay", "st_final_delay"},
              draft.text("st_final_delay") == "1" ? "" : "longer crossbars are pipelines here");
    if (value != stages || draft.text("speculative") == "0")
        draft.carry({"speculative"}, "--router-stages " + value);
    if (draft.text("topology") == "fly")
        draft.add("--crossbar-stages", value, {});
}

/// An allocator or arbiter: the word of the table, the same word, or what the option has unless said.
void add_named(CommandDraft& draft, const char* option, const char* key,
               std::span<const std::string_view> names)
{
    std::string_view here = draft.text(key);
    for (const NeighbourWord& row : neighbour_words())
        if (row.tool == booksim_tool && row.word == here)
            here = row.here;
    if (std::ranges::find(names, here) == names.end())
        draft.leave(key, fmt::format("there is none here: {} {}", option, names.front()));
    else
        draft.add(option, std::string(here), {key},
                  here == draft.text(key) ? "" : "latency near saturation is higher here");
}

void add_allocation(CommandDraft& draft)
{
    static constexpr std::string_view allocators[]{"islip", "input_first", "output_first", "wavefront"};
    add_named(draft, "--switch-allocator", "sw_allocator", allocators);
    add_named(draft, "--vc-allocator", "vc_allocator", allocators);
    if (draft.text("sw_allocator") == "islip" || draft.count("alloc_iters", 1) == 1)
        draft.add("--switch-iterations", draft.text("alloc_iters"), {"alloc_iters"},
                  draft.text("alloc_iters") == "1" ? ""
                                                   : "of the switch allocator; VC allocation has one here");
    else
        draft.leave("alloc_iters", "islip alone has iterations here");
    const std::string& priority = draft.text("priority");
    if (priority == "age") {
        draft.add("--arbiter", "age", {"priority", "arb_type"});
        return;
    }
    static constexpr std::string_view arbiters[]{"round_robin", "matrix"};
    add_named(draft, "--arbiter", "arb_type", arbiters);
    if (priority == "none")
        draft.ignore("priority", "as here");
    else
        draft.leave("priority", "packets have the priority of their age, or of their class, or none here");
}

void add_pattern(CommandDraft& draft)
{
    const std::string pattern = items_of(draft.text("traffic")).front();
    const std::string name = pattern.substr(0, pattern.find('('));
    std::string_view here = name;
    for (const NeighbourWord& row : neighbour_words())
        if (row.tool == booksim_tool && row.word == name)
            here = row.here == "adversarial" ? "adversarial:1" : row.here;
    if (name == "neighbor")
        here = "neighbour";
    const auto is_known = {"uniform", "transpose", "complement", "reversal",     "shuffle",
                           "tornado", "neighbour", "random",     "adversarial:1"};
    if (name == "hotspot") {
        const std::vector<std::string> parameters = parameters_of(pattern);
        const std::vector<std::string> nodes = items_of(parameters.empty() ? "-1" : parameters.front());
        const std::vector<std::string> rates =
            parameters.size() > 1 ? items_of(parameters[1]) : std::vector<std::string>{"1"};
        if (std::ranges::count(rates, rates.front()) == std::ssize(rates) &&
            std::ranges::none_of(nodes, [](const std::string& node) { return node.starts_with('-'); })) {
            std::string value = "hotspot:";
            for (const std::string& node : nodes)
                value += fmt::format("{}#{}", value.back() == ':' ? "" : "+",
                                     static_cast<std::uint64_t>(number_in(draft, "traffic", node)));
            draft.add("--pattern", value + ",1", {"traffic"}, "all packets go to hot spots");
            return;
        }
    }
    if (std::ranges::find(is_known, here) == is_known.end())
        draft.refuse_pattern("traffic = " + pattern, "traffic=uniform");
    draft.add("--pattern", std::string(here), {"traffic"},
              here == "random" ? "another permutation is drawn here" : "");
}

/// Sizes with weights, and how many flits a packet has in the mean.
double add_packets(CommandDraft& draft)
{
    const std::vector<double> sizes = numbers_of(draft, "packet_size");
    std::vector<double> rates = numbers_of(draft, "packet_size_rate");
    rates.resize(sizes.size(), rates.back());
    std::string value;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        value += sizes.size() == 1 ? fmt::format("{}", sizes[i])
                                   : fmt::format("{}{}:{}", i == 0 ? "" : ",", sizes[i], rates[i]);
    draft.add("--packet-flits", value, {"packet_size"});
    if (sizes.size() == 1)
        draft.ignore("packet_size_rate", "only with several sizes");
    else
        draft.carry({"packet_size_rate"}, "--packet-flits " + value);
    const double sum = std::accumulate(rates.begin(), rates.end(), 0.0);
    return std::inner_product(sizes.begin(), sizes.end(), rates.begin(), 0.0) / (sum > 0 ? sum : 1);
}

void add_arrivals(CommandDraft& draft, double packets, double flits)
{
    const std::string process = items_of(draft.text("injection_process")).front();
    const std::string name = process.substr(0, process.find('('));
    if (name != "on_off") {
        if (name == "bernoulli")
            draft.add("--arrivals", "bernoulli", {"injection_process"});
        else
            draft.leave("injection_process", "BookSim2 has bernoulli and on_off");
        for (const char* key : {"burst_alpha", "burst_beta", "burst_r1"})
            draft.ignore(key, "only with injection_process = on_off");
        return;
    }
    std::array<double, 3> burst{draft.number("burst_alpha"), draft.number("burst_beta"),
                                draft.number("burst_r1")};
    const std::vector<std::string> given = parameters_of(process);
    for (std::size_t i = 0; i < std::min(given.size(), burst.size()); ++i)
        if (const auto number = number_of<double>(given[i]))
            burst[i] = *number;
    const auto [alpha, beta, r1] = burst;
    // Any two of the three tell the third: r1 is the rate while a source is on.
    const double on = r1 >= 0 ? r1 : alpha > 0 ? packets * (alpha + beta) / alpha : 0;
    const double off = beta >= 0 ? beta : packets > 0 ? alpha * (on - packets) / packets : 0;
    if (!(on > 0 && off > 0 && off <= 1))
        draft.fail("injection_process on_off: no two of burst_alpha, burst_beta and burst_r1 say a process");
    draft.add("--arrivals", fmt::format("bursty:{:.6g},{:.6g}", 1 / off, on * flits),
              {"injection_process", "burst_alpha", "burst_beta", "burst_r1"},
              "mean cycles of a burst, and flits per cycle in it");
}

void add_traffic(CommandDraft& draft)
{
    add_pattern(draft);
    const double flits = add_packets(draft);
    const double rate = numbers_of(draft, "injection_rate").front();
    const bool is_in_flits = draft.count("injection_rate_uses_flits") != 0;
    const double load = is_in_flits ? rate : rate * flits;
    draft.add("--load", fmt::format("{:.6g}", load), {"injection_rate", "injection_rate_uses_flits"},
              is_in_flits ? "flits per node and cycle, there and here"
                          : fmt::format("packets per node and cycle there, of {:.6g} flit{}", flits,
                                        flits == 1 ? "" : "s"));
    if (load > 1)
        draft.note(
            fmt::format("A load of {:.6g} flits per node and cycle is more than a node's link takes, and "
                        "refused here: --load 1 saturates as well.",
                        load));
    add_arrivals(draft, flits > 0 ? load / flits : 0, flits);
}

void add_measurement(CommandDraft& draft)
{
    constexpr std::uint64_t most = 1'000'000'000;
    const std::uint64_t period = draft.count("sample_period", 1, most),
                        warm = draft.count("warmup_periods", 0, most),
                        samples = draft.count("max_samples", 1, most);
    draft.add("--warm-up", fmt::format("{}", period * warm), {"warmup_periods"},
              "times sample_period, in cycles");
    draft.add("--window", fmt::format("{}", period * (samples > warm ? samples - warm : 1)),
              {"sample_period", "max_samples"},
              "all samples after the warm-up; BookSim2 ends when three agree within stopping_thres");
    const std::string& type = draft.text("sim_type");
    if (type == "latency" || type == "throughput")
        draft.carry({"sim_type"}, "traffic", type == "latency" ? "" : "accepted load is in every result");
    else
        draft.leave("sim_type", "batches are not run by traffic: a trace (--trace) is");
    if (const auto seed = number_of<std::uint64_t>(draft.text("seed")))
        draft.add("--seed", fmt::format("{}", *seed), {"seed"}, "other random numbers than there");
    else
        draft.leave("seed", "numbers only here: --seed 1");
}

} // namespace

ImportedCommand import_booksim(std::string_view text, std::span<const std::string> changes,
                               const std::string& origin, const std::string& network_file)
{
    ForeignValues values = assignments_of(text, origin);
    for (const std::string& change : changes)
        for (const auto& assignment : assignments_of(change + ';', "'" + change + "'"))
            values.push_back(assignment);
    CommandDraft draft("a BookSim2 configuration", booksim_tool, origin, booksim_keys(), values);
    draft.add_word("traffic");
    const BooksimNetwork network = booksim_network(draft);
    draft.add_word(network.topology ? network_file : network.specification);
    if (network.topology)
        draft.set_network(to_json(*network.topology));
    for (const std::string& part : network.parts)
        draft.add("--part", part, {});
    add_routing(draft);
    add_traffic(draft);
    add_stages(draft);
    add_allocation(draft);
    add_measurement(draft);
    if (draft.text("use_read_write") != "0")
        for (const ForeignKey& row : booksim_keys())
            if (row.remark == only_with_requests)
                draft.leave(row.name, "only with use_read_write, which is not carried");
    return draft.finish();
}

} // namespace nocturne
