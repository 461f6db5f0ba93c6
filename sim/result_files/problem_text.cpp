#include "sim/result_files/problem_text.hpp"

#include "models/text/number.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/plain_numbers.hpp"
#include "models/topology/topology_files.hpp"
#include "schedules/collective/kind_names.hpp"

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

std::vector<std::string> words_of(const std::string& list)
{
    std::vector<std::string> words;
    if (!list.empty())
        boost::split(words, list, [](char c) { return c == ','; });
    return words;
}

ProcessorId processor_of(const Topology& topology, PlainNumbers& numbers, std::string_view role,
                         std::string_view text)
{
    const auto found = numbers.find_processor(text);
    if (!found)
        throw std::invalid_argument(
            fmt::format("{} '{}': {} has no such processor", role, text, topology.name()));
    return *found;
}

void add_processors(const Topology& topology, PlainNumbers& numbers, std::string_view role,
                    const std::string& word, std::vector<std::uint32_t>& processors)
{
    const std::size_t dash = word.find('-');
    if (dash == std::string::npos || topology.find_processor(word)) {
        processors.push_back(processor_of(topology, numbers, role, word));
        return;
    }
    const std::string from = word.substr(0, dash);
    std::string to = word.substr(dash + 1);
    if (from.starts_with('#') && !to.starts_with('#')) // `#0-7` are indices as `#0-#7`
        to.insert(0, 1, '#');
    const ProcessorId first = processor_of(topology, numbers, role, from);
    const ProcessorId last = processor_of(topology, numbers, role, to);
    if (last < first)
        throw std::invalid_argument(fmt::format("{} '{}': the range is empty", role, word));
    for (ProcessorId id = first; id <= last; ++id)
        processors.push_back(id);
}

} // namespace

std::vector<std::uint32_t> processors_of(const Topology& topology, std::string_view role,
                                         const std::string& list)
{
    std::vector<std::uint32_t> processors;
    PlainNumbers numbers(topology, fmt::format("{} '{}'", role, list));
    for (const std::string& word : words_of(list))
        add_processors(topology, numbers, role, word, processors);
    return processors;
}

namespace {

std::vector<std::uint32_t> weights_of(const std::string& list)
{
    std::vector<std::uint32_t> weights;
    for (const std::string& word : words_of(list)) {
        const auto weight = number_of<std::uint32_t>(word);
        if (!weight)
            throw std::invalid_argument(
                fmt::format("weights: '{}' is no whole number of 32 bits from 0", word));
        weights.push_back(*weight);
    }
    return weights;
}

} // namespace

Participants participants_of(const ProblemText& text, CollectiveKind kind, const Topology& topology)
{
    Participants participants;
    participants.senders = processors_of(topology, "sender", text.senders);
    participants.receivers = processors_of(topology, "receiver", text.receivers);
    participants.image = processors_of(topology, "image", text.image);
    participants.group = processors_of(topology, "group", text.group);
    participants.weights = weights_of(text.weights);
    participants.parts = text.parts;
    if (!text.source.empty()) {
        PlainNumbers numbers(topology, "source");
        participants.source = processor_of(topology, numbers, "source", text.source);
    } else if (has_root(kind)) {
        participants.source = participants.group.empty() ? 0 : participants.group.front();
    }
    return participants;
}

Problem make_problem(const ProblemText& text)
{
    Topology topology = with_faults(topology_from(text.topology), text.faults);
    const CollectiveKind kind = parse_collective_kind(text.collective);
    Collective collective = make_collective(kind, static_cast<std::uint32_t>(topology.processor_count()),
                                            participants_of(text, kind, topology));
    const PortModel ports = text.ports.empty() ? topology.default_ports() : parse_port_model(text.ports);
    Problem problem{std::move(topology), std::move(collective), ports,
                    text.switching.empty() ? Switching::wormhole : parse_switching(text.switching),
                    text.slack};
    check(problem);
    return problem;
}

} // namespace nocturne
