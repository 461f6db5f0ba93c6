#include "models/traffic/trace.hpp"

#include "models/text/number.hpp"
#include "models/topology/files.hpp"
#include "models/topology/plain_numbers.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>

#include <sstream>
#include <stdexcept>
#include <string_view>

namespace nocturne {
namespace {

constexpr std::string_view header = "cycle,source,destination,bytes,after";

std::uint64_t count_in(const std::string& text, std::string_view what)
{
    const auto number = number_of<std::uint64_t>(text);
    if (!number)
        throw std::invalid_argument(fmt::format("{} '{}' is no whole number", what, text));
    return *number;
}

ProcessorId processor_in(const Topology& topology, PlainNumbers& numbers, const std::string& name)
{
    const auto id = numbers.find_processor(name);
    if (!id)
        throw std::invalid_argument(fmt::format("{} has no processor '{}'", topology.name(), name));
    return *id;
}

/// `number` is its place in the trace.
TraceMessage message_of(const Topology& topology, PlainNumbers& numbers, const std::string& line,
                        std::size_t number)
{
    std::vector<std::string> fields;
    boost::split(fields, line, [](char c) { return c == ','; });
    if (fields.size() != 5)
        throw std::invalid_argument(fmt::format("{} fields; expected {}", fields.size(), header));
    TraceMessage message{count_in(fields[0], "cycle"), processor_in(topology, numbers, fields[1]),
                         processor_in(topology, numbers, fields[2]), count_in(fields[3], "size")};
    if (message.bytes == 0)
        throw std::invalid_argument("a message of 0 bytes");
    std::istringstream list(fields[4]);
    for (std::string word; list >> word;) {
        const std::uint64_t before = count_in(word, "message");
        if (before >= number)
            throw std::invalid_argument(
                fmt::format("message {} waits for message {}, which is not before it", number, before));
        message.after.push_back(static_cast<std::uint32_t>(before));
    }
    return message;
}

} // namespace

std::vector<TraceMessage> read_trace(const Topology& topology, const std::string& path)
{
    std::vector<TraceMessage> trace;
    std::istringstream lines(read_file(path));
    std::size_t line_number = 0;
    PlainNumbers numbers(topology, "processors");
    bool has_header = false;
    std::uint64_t now = 0;
    for (std::string line; std::getline(lines, line);) {
        ++line_number;
        boost::trim_right(line);
        if (line.empty() || line.front() == '#')
            continue;
        try {
            if (!has_header) {
                if (line != header)
                    throw std::invalid_argument(fmt::format("expected the header {}", header));
                has_header = true;
                continue;
            }
            TraceMessage message = message_of(topology, numbers, line, trace.size());
            if (message.after.empty()) {
                if (message.cycle < now)
                    throw std::invalid_argument(
                        fmt::format("time runs backwards: cycle {} after cycle {}", message.cycle, now));
                now = message.cycle;
            }
            trace.push_back(std::move(message));
        } catch (const std::invalid_argument& error) {
            throw std::runtime_error(fmt::format("{}:{}: {}", path, line_number, error.what()));
        }
    }
    if (!has_header)
        throw std::runtime_error(fmt::format("{}: expected the header {}", path, header));
    return trace;
}

} // namespace nocturne
