#include "models/text/nanoseconds.hpp"
#include "models/text/number.hpp"
#include "models/text/terminal_text.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/files.hpp"
#include "models/topology/size.hpp"
#include "sim/imports/machine_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

/// Reads a text word by word, over the ends of its lines.
class SimaiWords {
public:
    SimaiWords(std::string_view text, const std::string& origin) : rest_(text), origin_(origin) {}

    /// Those of the next line that has some.
    std::vector<std::string_view> line()
    {
        while (words_.empty() && next_line()) {
        }
        return std::exchange(words_, {});
    }

    std::optional<std::string_view> next()
    {
        while (next_ == words_.size())
            if (!next_line())
                return std::nullopt;
        return words_[next_++];
    }

    std::uint64_t number(std::string_view what, std::uint64_t below)
    {
        const auto word = next();
        if (!word)
            fail(fmt::format("the text is cut off: {} is missing", what));
        const auto number = number_of<std::uint64_t>(*word);
        if (!number || *number >= below)
            fail(fmt::format("{} is '{}': expected a whole number from 0 to {}", what, shortened(*word),
                             below - 1));
        return *number;
    }

    [[noreturn]] void fail(const std::string& reason) const
    {
        throw std::runtime_error(one_line(fmt::format("{}: line {}: {}", origin_, line_, reason)));
    }

private:
    bool next_line()
    {
        words_.clear();
        next_ = 0;
        if (rest_.empty())
            return false;
        const std::string_view line = rest_.substr(0, rest_.find('\n'));
        rest_.remove_prefix(std::min(line.size() + 1, rest_.size()));
        words_ = words_of_line(line);
        ++line_;
        return true;
    }

    std::string_view rest_;
    const std::string& origin_;
    std::vector<std::string_view> words_;
    std::size_t next_ = 0, line_ = 0;
};

struct SimaiLink {
    RouterId a, b;
    LinkRate rate;
    double latency_ns;
};

struct SimaiHeader {
    std::uint64_t nodes = 0, server_gpus = 0, nvswitches = 0, switches = 0, links = 0;
    std::string gpu;

    std::uint64_t gpus() const { return nodes - nvswitches - switches; }
};

SimaiHeader read_simai_header(SimaiWords& words)
{
    const std::vector<std::string_view> line = words.line();
    if (line.size() < 6 || line.size() > 7)
        words.fail(
            fmt::format("the first line has {} words: expected the numbers of nodes, GPUs of a server, "
                        "NVSwitches, switches and links, and the type of the GPUs",
                        line.size()));
    std::array<std::uint64_t, 5> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto number = number_of<std::uint64_t>(line[i]);
        if (!number || *number > largest_network.channels)
            words.fail(fmt::format("'{}' is no whole number from 0 to {}", shortened(line[i]),
                                   largest_network.channels));
        numbers[i] = *number;
    }
    SimaiHeader header{.nodes = numbers[0],
                       .server_gpus = numbers[1],
                       .nvswitches = numbers[2],
                       .switches = numbers[3],
                       .links = numbers[4],
                       .gpu = shortened(line[5])};
    if (header.nvswitches + header.switches + 2 > header.nodes)
        words.fail(fmt::format("{} nodes, of which {} are switches: expected two GPUs or more", header.nodes,
                               header.nvswitches + header.switches));
    if (header.server_gpus == 0)
        words.fail("0 GPUs of a server");
    const NetworkSize size{header.gpus(), header.nodes, 2 * header.links};
    if (is_too_large_for_pairs(size))
        words.fail(fmt::format("{} GPUs, {} nodes and {} links: at most {}, {} and {} are read",
                               header.gpus(), header.nodes, header.links, largest_pairwise_network.processors,
                               largest_pairwise_network.routers, largest_pairwise_network.channels / 2));
    return header;
}

/// The names of all nodes, GPUs first in the network: the second member is where a node is there.
std::pair<Topology, std::vector<RouterId>> read_simai_nodes(SimaiWords& words, const SimaiHeader& header)
{
    std::vector<std::string> names(header.nodes);
    for (std::uint64_t i = 0; i < header.nvswitches + header.switches; ++i) {
        const std::uint64_t node = words.number("the number of a switch", header.nodes);
        if (!names[node].empty())
            words.fail(fmt::format("switch {} is named twice", node));
        names[node] = i < header.nvswitches ? fmt::format("nvswitch{}", i)
                                            : fmt::format("switch{}", i - header.nvswitches);
    }
    const std::uint64_t gpus = header.gpus(), servers = (gpus + header.server_gpus - 1) / header.server_gpus;
    Topology topology(servers == 1 ? fmt::format("{} GPUs", gpus)
                                   : fmt::format("{} boxes of {} GPUs", servers, header.server_gpus));
    std::vector<RouterId> places(header.nodes);
    std::uint64_t gpu = 0;
    for (std::uint64_t node = 0; node < header.nodes; ++node)
        if (names[node].empty()) {
            places[node] = topology.add_router(
                servers == 1 ? fmt::format("gpu{}", gpu)
                             : fmt::format("b{}g{}", gpu / header.server_gpus, gpu % header.server_gpus));
            topology.add_processor(places[node]);
            ++gpu;
        }
    for (std::uint64_t node = 0; node < header.nodes; ++node)
        if (!names[node].empty())
            places[node] = topology.add_router(names[node]);
    return {std::move(topology), std::move(places)};
}

SimaiLink read_simai_link(SimaiWords& words, const std::vector<RouterId>& places, bool& has_errors)
{
    const auto word = [&](std::string_view what) {
        const auto next = words.next();
        if (!next)
            words.fail(fmt::format("the text is cut off: the {} of a link is missing", what));
        return *next;
    };
    const std::uint64_t a = words.number("an end of a link", places.size()),
                        b = words.number("an end of a link", places.size());
    if (a == b)
        words.fail(fmt::format("a link from node {} to itself", a));
    const std::string_view rate_text = word("rate");
    const auto rate = parse_link_rate(rate_text);
    if (!rate)
        words.fail(fmt::format("rate '{}': expected one such as 400Gbps", shortened(rate_text)));
    const std::string_view latency_text = word("latency");
    const auto latency = nanoseconds_of(latency_text);
    if (!latency)
        words.fail(
            fmt::format("latency '{}': expected one such as 0.0005ms, at most 1 s", shortened(latency_text)));
    const std::string_view error_text = word("share of errors");
    const auto errors = number_of<double>(error_text);
    if (!errors || !(*errors >= 0 && *errors <= 1))
        words.fail(fmt::format("share of errors '{}': expected 0 to 1", shortened(error_text)));
    has_errors = has_errors || *errors > 0;
    return {places[a], places[b], *rate, *latency};
}

} // namespace

MachineNetwork network_of_simai(std::string_view text, const std::string& origin)
{
    SimaiWords words(text, origin);
    const SimaiHeader header = read_simai_header(words);
    auto [topology, places] = read_simai_nodes(words, header);
    std::vector<SimaiLink> links;
    std::vector<LinkRate> rates;
    bool has_errors = false;
    for (std::uint64_t i = 0; i < header.links; ++i) {
        links.push_back(read_simai_link(words, places, has_errors));
        rates.push_back(links.back().rate);
    }
    if (words.next())
        words.fail(fmt::format("more than the {} links of the first line", header.links));
    MachineNetwork network{.topology = std::move(topology), .clock = clock_for(rates), .notes = {}};
    double error_ns = 0;
    for (const SimaiLink& link : links) {
        const double cycles = std::max(1.0, std::round(link.latency_ns / network.clock.cycle_ns));
        error_ns = std::max(error_ns, std::abs(cycles * network.clock.cycle_ns - link.latency_ns));
        for (const auto& [from, to] : {std::pair(link.a, link.b), std::pair(link.b, link.a)})
            network.topology.add_channel({.source = from,
                                          .target = to,
                                          .latency_cycles = static_cast<unsigned>(cycles),
                                          .width_bytes = network.clock.width_of(link.rate)});
    }
    network.notes.push_back(
        fmt::format("{} GPUs ({}) and {} switches; GPUs are processors, in the order of the "
                    "text.",
                    header.gpus(), header.gpu, header.nvswitches + header.switches));
    if (network.clock.error > 0)
        network.notes.push_back(fmt::format("Rates are rounded to whole bytes per cycle, by up to {:.2g} %.",
                                            100 * network.clock.error));
    if (error_ns > 1e-6)
        network.notes.push_back(
            fmt::format("Latencies are rounded to whole cycles, by up to {:.3g} ns.", error_ns));
    if (has_errors)
        network.notes.push_back("Shares of errors are left out: links lose nothing here.");
    return network;
}

} // namespace nocturne
