#include "tests/schedules/problem/problem_rows.hpp"

#include "models/topology/faults.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/rows.hpp"

#include <sstream>
#include <stdexcept>
#include <utility>

namespace nocturne::test {

namespace {

std::uint32_t whole_number(const std::string& text)
{
    return static_cast<std::uint32_t>(std::stoul(text));
}

std::vector<std::uint32_t> processors_in(const std::string& text, std::uint32_t count)
{
    std::vector<std::uint32_t> result;
    std::istringstream entries(text);
    for (std::string entry; std::getline(entries, entry, ',');)
        if (entry == "even" || entry == "odd")
            for (std::uint32_t id = entry == "odd" ? 1 : 0; id < count; id += 2)
                result.push_back(id);
        else
            result.push_back(whole_number(entry));
    return result;
}

} // namespace

Problem problem_in_words(const std::string& network, const std::string& words)
{
    std::istringstream in(words);
    std::string kind;
    in >> kind;
    std::vector<std::pair<std::string, std::string>> options;
    std::vector<std::string> faults;
    for (std::string word; in >> word;) {
        const std::size_t sign = word.find('=');
        const std::string value = sign == word.npos ? "" : word.substr(sign + 1);
        if (word.starts_with("fault="))
            faults.push_back(value);
        else
            options.emplace_back(word.substr(0, sign), value);
    }
    Topology topology = with_faults(make_topology(network), faults);
    const auto count = static_cast<std::uint32_t>(topology.processor_count());
    Participants participants;
    std::optional<PortModel> ports;
    std::optional<unsigned> slack;
    Switching switching = Switching::wormhole;
    for (const auto& [name, value] : options)
        if (name == "source")
            participants.source = whole_number(value);
        else if (name == "senders")
            participants.senders = processors_in(value, count);
        else if (name == "receivers")
            participants.receivers = processors_in(value, count);
        else if (name == "image")
            participants.image = processors_in(value, count);
        else if (name == "parts")
            participants.parts = whole_number(value);
        else if (name == "ports")
            ports = value == "all" ? all_port : PortModel{whole_number(value)};
        else if (name == "slack")
            slack = whole_number(value);
        else if (name == "hops")
            switching = Switching::store_and_forward;
        else
            throw std::invalid_argument("unknown option " + name);
    const CollectiveKind of = parse_collective_kind(kind);
    if (has_root(of) && !participants.source)
        participants.source = 0;
    Problem problem = make_problem(std::move(topology), make_collective(of, count, participants));
    problem.ports = ports.value_or(problem.ports);
    problem.slack = slack;
    problem.switching = switching;
    return problem;
}

std::vector<ProblemRow> problem_rows(const std::string& path)
{
    std::vector<ProblemRow> result;
    for (const Row& row : rows_of(path))
        for (const std::string& piece : pieces_of(row.cells.at(1))) {
            const std::size_t space = piece.find(' ');
            const std::string network = piece.substr(0, space);
            result.push_back({row.place + ": " + network, row.group,
                              problem_in_words(network, row.cells.at(0)), piece.substr(space + 1)});
        }
    return result;
}

} // namespace nocturne::test
