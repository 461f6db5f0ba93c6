#include "sim/contracts/flow_requests.hpp"

#include "models/text/csv.hpp"
#include "models/text/number.hpp"
#include "models/topology/csv_rows.hpp"
#include "models/topology/files.hpp"
#include "models/topology/plain_numbers.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::string_view flow_keys =
    "source,destination,mbytes_per_s,message_bytes,latency_ns,burst_messages";
constexpr double longest_request_ns = 1e12;

double real_above_zero(const std::string& key, const std::string& text)
{
    const auto number = number_of<double>(text);
    if (!number || !(*number > 0) || !std::isfinite(*number))
        throw std::invalid_argument(fmt::format("{} '{}': a number above 0", key, text));
    return *number;
}

std::uint64_t count_up_to(const std::string& key, const std::string& text, std::uint64_t most)
{
    const auto number = number_of<std::uint64_t>(text);
    if (!number || *number == 0 || *number > most)
        throw std::invalid_argument(fmt::format("{} '{}': a whole number from 1 to {}", key, text, most));
    return *number;
}

void set_flow_key(FlowRequest& flow, const std::string& key, const std::string& text)
{
    if (key == "source")
        flow.source = text;
    else if (key == "destination")
        flow.destination = text;
    else if (key == "mbytes_per_s")
        flow.mbytes_per_s = real_above_zero(key, text);
    else if (key == "message_bytes")
        flow.message_bytes = count_up_to(key, text, std::uint64_t{1} << 40);
    else if (key == "latency_ns")
        flow.latency_ns = real_above_zero(key, text);
    else if (key == "burst_messages")
        flow.burst_messages = static_cast<std::uint32_t>(count_up_to(key, text, most_burst_messages));
    else
        throw std::invalid_argument(fmt::format("'{}' is no key of a flow; there are {}", key, flow_keys));
}

void require_flow_keys(const std::set<std::string>& keys)
{
    for (const char* const needed : {"source", "destination", "mbytes_per_s"})
        if (!keys.contains(needed))
            throw std::invalid_argument(fmt::format("a flow needs {}", needed));
}

std::vector<std::string> split(const std::string& text)
{
    std::vector<std::string> parts;
    boost::split(parts, text, [](char c) { return c == ','; });
    for (std::string& part : parts)
        boost::trim(part);
    return parts;
}

/// A value may stand in double quotes, as in CSV.
std::string unquoted(const std::string& text)
{
    const bool is_quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
    return is_quoted ? text.substr(1, text.size() - 2) : text;
}

/// Whole cycles in a time, rounded down.
std::uint64_t cycles_in(double ns, double cycle_ns)
{
    const double cycles = ns / cycle_ns;
    const double nearest = std::round(cycles);
    // 2.1 ns are three cycles of 0.7 ns, whatever doubles make of them.
    return static_cast<std::uint64_t>(std::abs(cycles - nearest) < 1e-9 * nearest ? nearest
                                                                                  : std::floor(cycles));
}

} // namespace

FlowRequest parse_flow(std::string_view text)
{
    FlowRequest flow;
    std::set<std::string> keys;
    std::string key, value;
    const auto set = [&] {
        set_flow_key(flow, key, unquoted(value));
        if (!keys.insert(key).second)
            throw std::invalid_argument(fmt::format("{} twice", key));
    };
    for (const std::string& part : split(std::string(text))) {
        const std::size_t equals = part.find('=');
        if (equals == std::string::npos) { // of a name with a comma: 0,10
            if (key.empty())
                throw std::invalid_argument(fmt::format("'{}': expected NAME=VALUE of {}", part, flow_keys));
            value += ',' + part;
            continue;
        }
        if (!key.empty())
            set();
        key = part.substr(0, equals);
        value = part.substr(equals + 1);
    }
    set();
    require_flow_keys(keys);
    return flow;
}

std::vector<FlowRequest> read_flows(const std::string& path)
{
    std::vector<FlowRequest> flows;
    std::vector<std::string> header;
    read_csv_rows(read_file(path), path, [&](const std::vector<std::string>& fields, std::size_t number) {
        if (header.empty()) {
            const std::set<std::string> keys(fields.begin(), fields.end());
            const std::vector<std::string> known = split(std::string(flow_keys));
            for (const std::string& key : keys)
                if (std::ranges::find(known, key) == known.end())
                    throw std::invalid_argument(fmt::format("expected a header of some of {}", flow_keys));
            if (keys.size() != fields.size())
                throw std::invalid_argument("a column twice");
            require_flow_keys(keys);
            header = fields;
            return;
        }
        if (fields.size() != header.size())
            throw std::invalid_argument(
                fmt::format("{} fields; the header has {}", fields.size(), header.size()));
        FlowRequest flow;
        for (std::size_t i = 0; i < header.size(); ++i)
            if (!fields[i].empty() || header[i] == "source" || header[i] == "destination" ||
                header[i] == "mbytes_per_s")
                set_flow_key(flow, header[i], fields[i]);
        flow.place = fmt::format("{}:{}: ", path, number);
        flows.push_back(std::move(flow));
    });
    if (flows.empty())
        throw std::runtime_error(fmt::format("{}: no flow", path));
    return flows;
}

std::vector<GuaranteedFlow> flows_of(const Topology& topology, const HardwareConfig& hardware,
                                     const std::vector<FlowRequest>& requests)
{
    std::vector<GuaranteedFlow> flows;
    PlainNumbers numbers(topology, "flows");
    for (const FlowRequest& request : requests) {
        const auto fail = [&](const std::string& what) {
            throw std::invalid_argument(one_line(request.place + what));
        };
        const auto processor = [&](const std::string& name) {
            const auto id = numbers.find_processor(name);
            if (!id)
                fail(fmt::format("{} has no processor '{}'", topology.name(), name));
            return id.value_or(0);
        };
        GuaranteedFlow flow;
        flow.source = processor(request.source);
        flow.destination = processor(request.destination);
        const std::uint64_t flits = hardware.flits(request.message_bytes);
        if (flits > most_message_flits)
            fail(fmt::format("messages of {} flits; at most {}", flits, most_message_flits));
        flow.message_flits = static_cast<std::uint32_t>(flits);
        const double interval_ns = static_cast<double>(request.message_bytes) / request.mbytes_per_s * 1000;
        if (!(interval_ns <= longest_request_ns && request.latency_ns.value_or(1) <= longest_request_ns))
            fail(fmt::format("a message each {} ns, or a latency of as much; at most {}", interval_ns,
                             longest_request_ns));
        flow.message_cycles = std::max<std::uint64_t>(1, cycles_in(interval_ns, hardware.cycle_ns));
        flow.burst_messages = request.burst_messages;
        if (request.latency_ns)
            flow.latency_cycles = cycles_in(*request.latency_ns, hardware.cycle_ns);
        flows.push_back(flow);
    }
    return flows;
}

} // namespace nocturne
