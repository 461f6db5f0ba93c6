#include "sim/cli/problem_options.hpp"

#include "schedules/collective/kind_names.hpp"
#include "sim/cli/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

namespace nocturne::cli {

namespace po = boost::program_options;

namespace {

using Texts = std::vector<std::string>;

std::string text_of(const po::variables_map& map, const char* option)
{
    return map.count(option) != 0 ? map[option].as<std::string>() : std::string();
}

Texts texts_of(const po::variables_map& map, const char* option)
{
    return map.count(option) != 0 ? map[option].as<Texts>() : Texts{};
}

} // namespace

po::options_description collective_options()
{
    po::options_description options("Collective");
    const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
    const auto texts = [](const char* name) { return po::value<Texts>()->composing()->value_name(name); };
    static const std::string kinds =
        fmt::format("in capitals or in words: {}", fmt::join(collective_kinds_in_words(), "; "));
    options.add_options()("collective", text("KIND"), kinds.c_str())(
        "source", text("V"),
        "the processor that sends (OAB, OAS, multicast) or receives (AOG, AOR); left out: the first")(
        "senders", texts("LIST"), "of MNB and MNS: processors, as 0,2,4 or 0-7")("receivers", texts("LIST"),
                                                                                 "of MNB, MNS and multicast")(
        "image", texts("LIST"), "of a permutation: where each processor sends to")(
        "ports", text("K"),
        "messages that a processor sends, and receives, in a step: a number or all; left out: as usual for "
        "the network");
    return options;
}

po::options_description problem_options()
{
    po::options_description options("Problem");
    const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
    options.add_options()("topology", text("SPEC"),
                          "the network: a specification (mesh:4x4) or a file; the argument without a name");
    const po::options_description collective = collective_options();
    for (const auto& option : collective.options())
        options.add(option);
    options.add_options()("slack", po::value<Count>()->value_name("N"),
                          "paths are at most N hops longer than the shortest; left out: any path")(
        "switching", text("HOW")->default_value("wormhole"),
        "wormhole or store-and-forward")("fault", po::value<Texts>()->composing()->value_name("F"),
                                         "what has failed: link:A-B, channel:A-B or node:A; again for more");
    return options;
}

ProblemText collective_text(const po::variables_map& map)
{
    if (map.count("collective") == 0)
        throw std::invalid_argument(
            fmt::format("--collective is missing: {}", fmt::join(collective_kinds_in_words(), "; ")));
    ProblemText text;
    text.collective = text_of(map, "collective");
    text.source = text_of(map, "source");
    text.senders = fmt::format("{}", fmt::join(texts_of(map, "senders"), ","));
    text.receivers = fmt::format("{}", fmt::join(texts_of(map, "receivers"), ","));
    text.image = fmt::format("{}", fmt::join(texts_of(map, "image"), ","));
    text.ports = text_of(map, "ports");
    return text;
}

Problem problem_of(const po::variables_map& map)
{
    ProblemText text = collective_text(map);
    text.topology = text_of(map, "topology");
    text.faults = texts_of(map, "fault");
    if (map.count("slack") != 0)
        text.slack = static_cast<unsigned>(count_in_range(map, "slack", 0, 64));
    text.switching = text_of(map, "switching");
    return make_problem(text);
}

} // namespace nocturne::cli
