#include "sim/traffic/packet_log.hpp"

#include "models/routing/random.hpp"
#include "models/text/fnv1a.hpp"

#include <fmt/format.h>

#include <iterator>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 16; ///< that are written at a time

constexpr const char* log_header = "class,packet,source,destination,flits,created_cycle,injected_cycle,"
                                   "ejected_cycle,hops,latency_cycles,latency_ns\n";

/// As RFC 4180 says.
std::string csv_quoted(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string result = "\"";
    for (const char c : text)
        result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + '"';
}

std::uint32_t number_in_log(const PacketLog::Class& of, const NetworkMessage& message)
{
    return of.is_numbered_by_tag ? message.tag : message.number;
}

} // namespace

PacketLog::PacketLog(const MessageNetwork& network, PacketLogPlan plan, double cycle_ns,
                     std::vector<std::string> names)
    : network_(network), plan_(std::move(plan)), cycle_ns_(cycle_ns), names_(std::move(names)),
      text_(log_header)
{
    if (plan_.sample == 0)
        throw std::invalid_argument("a packet log with one of 0 packets: 1 or more");
    for (std::string& name : names_)
        name = csv_quoted(name);
}

bool PacketLog::is_sampled(const Class& of, const NetworkMessage& message) const
{
    if (plan_.sample == 1)
        return true;
    const std::uint64_t which = std::uint64_t{message.source} << 32 | number_in_log(of, message);
    return SplitMix64(SplitMix64(which ^ fnv1a(of.name))() ^ plan_.seed)() % plan_.sample == 0;
}

void PacketLog::begin_line(const Class& of, const NetworkMessage& message)
{
    fmt::format_to(std::back_inserter(text_), "{},{},{},{},{},{},{},", of.name, number_in_log(of, message),
                   name_of(message.source), name_of(message.destination), message.flits, message.created,
                   message.injected);
}

void PacketLog::end_line()
{
    text_ += '\n';
    if (text_.size() < piece_bytes)
        return;
    plan_.sink(text_);
    text_.clear();
}

void PacketLog::delivered(const Class& of, const NetworkMessage& message)
{
    if (!is_sampled(of, message))
        return;
    const std::uint64_t now = network_.now(), latency = now - message.created;
    begin_line(of, message);
    fmt::format_to(std::back_inserter(text_), "{},{},{},{}", now, message.hops, latency,
                   static_cast<double>(latency) * cycle_ns_);
    end_line();
}

void PacketLog::lost(const Class& of, const NetworkMessage& message)
{
    if (!is_sampled(of, message))
        return;
    begin_line(of, message);
    text_ += ",,,";
    end_line();
}

void PacketLog::finish()
{
    plan_.sink(text_);
    text_.clear();
}

std::vector<std::string> processor_names(const Topology& topology)
{
    std::vector<std::string> names;
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        names.push_back(topology.processor(id).name);
    return names;
}

} // namespace nocturne
