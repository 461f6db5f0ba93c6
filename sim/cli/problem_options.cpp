#include "sim/cli/problem_options.hpp"

#include "models/text/number.hpp"
#include "schedules/collective/kind_names.hpp"
#include "sim/cli/sizes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <string>

namespace nocturne::cli {

bool is_collective(std::string_view word)
{
    try {
        parse_collective_kind(word);
        return true;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

bool is_size(std::string_view word)
{
    return has_unit_of_bytes(word); // of a plain number: which of many counts?
}

OptionTable collective_options()
{
    static const std::string kinds =
        fmt::format("in capitals or in words: {}", fmt::join(collective_kinds_in_words(), "; "));
    return option_table(
        "Collective",
        {{"collective", text_value("KIND").parsed_by(parse_collective_kind), kinds},
         {"source", name_value("V"),
          "root: the processor that sends (broadcast, scatter, multicast) or receives (gather, reduce); "
          "default: the first"},
         {"senders", names_value("LIST"), "sending processors of MNB and MNS: 0,2,4 or 0-7"},
         {"receivers", names_value("LIST"), "receiving processors of MNB, MNS and multicast"},
         {"image", names_value("LIST"), "permutation: the destination of each processor, in order"},
         {"group", names_value("LIST"),
          "members of any other collective, in this order: 0,2,4 or 0-7; default: all processors"},
         {"weights", name_value("LIST"),
          "relative block sizes: one per member (allgather, reduce-scatter) or one per pair, row by row "
          "(alltoall)"}});
}

OptionTable port_options()
{
    return option_table("Ports", {{"ports", text_value("K").parsed_by(parse_port_model),
                                   "port model: messages that a processor sends, and receives, in a step: a "
                                   "number or all; default: the network's"}});
}

OptionTable problem_options()
{
    OptionTable options =
        option_table("Problem", {{"topology", name_value("SPEC"),
                                  "network: a specification (mesh:4x4) or a file; positional argument"}});
    options.add_rows_of(collective_options());
    options.add({{"chunks", count_value("C", {1, 65'536}), "equal chunks per block; default: 1"}});
    options.add_rows_of(port_options());
    options.add({{"slack", count_value("N", slack_range),
                  "paths have at most N hops more than the shortest; default: any path"},
                 {"switching", text_value("HOW", "wormhole").parsed_by(parse_switching),
                  "wormhole or store-and-forward"},
                 {"fault", names_value("F"), "failed part: link:A-B, channel:A-B or node:A; repeatable"}});
    return options;
}

ProblemText collective_text(const OptionValues& given)
{
    if (!given.has("collective"))
        throw std::invalid_argument(
            fmt::format("--collective is missing: {}", fmt::join(collective_kinds_in_words(), "; ")));
    ProblemText text;
    text.collective = given.text("collective");
    text.source = given.text("source");
    text.senders = fmt::format("{}", fmt::join(given.texts("senders"), ","));
    text.receivers = fmt::format("{}", fmt::join(given.texts("receivers"), ","));
    text.image = fmt::format("{}", fmt::join(given.texts("image"), ","));
    text.group = fmt::format("{}", fmt::join(given.texts("group"), ","));
    text.weights = given.text("weights");
    if (given.has("chunks"))
        text.parts = given.small_count("chunks");
    text.ports = given.text("ports");
    return text;
}

Problem problem_of(const OptionValues& given)
{
    ProblemText text = collective_text(given);
    text.topology = given.text("topology");
    text.faults = given.texts("fault");
    if (given.has("slack"))
        text.slack = given.small_count("slack");
    text.switching = given.text("switching");
    return make_problem(text);
}

} // namespace nocturne::cli
