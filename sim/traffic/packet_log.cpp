#include "sim/traffic/packet_log.hpp"

#include "models/routing/random.hpp"
#include "models/text/csv.hpp"
#include "models/text/fnv1a.hpp"
#include "models/text/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <bit>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 16; ///< that are written at a time
constexpr std::size_t header_unit_bytes = 64;             ///< so that records are aligned in it

constexpr const char* log_header = "class,packet,source,destination,flits,created_cycle,injected_cycle,"
                                   "ejected_cycle,hops,latency_cycles,latency_ns\n";

/// Members of PacketRecord, as NumPy calls them.
constexpr std::array<std::array<const char*, 2>, 9> record_fields{{{"created_cycle", "<u8"},
                                                                   {"injected_cycle", "<u8"},
                                                                   {"ejected_cycle", "<u8"},
                                                                   {"class", "<u4"},
                                                                   {"packet", "<u4"},
                                                                   {"source", "<u4"},
                                                                   {"destination", "<u4"},
                                                                   {"flits", "<u4"},
                                                                   {"hops", "<u4"}}};
static_assert(std::endian::native == std::endian::little);

} // namespace

PacketLogFormat packet_log_format(std::string_view file)
{
    return file.ends_with(".bin") ? PacketLogFormat::binary : PacketLogFormat::csv;
}

PacketLog::PacketLog(const MessageNetwork& network, PacketLogPlan plan, double cycle_ns,
                     std::vector<std::string> names)
    : network_(network), plan_(std::move(plan)), cycle_ns_(cycle_ns), names_(std::move(names))
{
    if (plan_.sample == 0)
        throw std::invalid_argument("a packet log with one of 0 packets: 1 or more");
    for (const std::string& name : names_)
        quoted_names_.push_back(csv_quoted(name));
}

std::uint32_t PacketLog::add(Class of)
{
    quoted_classes_.push_back(csv_quoted(of.name));
    classes_.push_back(std::move(of));
    return static_cast<std::uint32_t>(classes_.size() - 1);
}

std::string PacketLog::header() const
{
    if (plan_.format == PacketLogFormat::csv)
        return log_header;
    std::vector<std::string> classes;
    for (const Class& each : classes_)
        classes.push_back(each.name);
    std::string line = json_text(nlohmann::ordered_json{{"format", "nocturne-packets"},
                                                        {"version", 1},
                                                        {"record_bytes", sizeof(PacketRecord)},
                                                        {"fields", record_fields},
                                                        {"classes", classes},
                                                        {"processors", names_},
                                                        {"cycle_ns", cycle_ns_},
                                                        {"sample", plan_.sample},
                                                        {"seed", plan_.seed}});
    line.resize((line.size() / header_unit_bytes + 1) * header_unit_bytes, ' ');
    line.back() = '\n';
    return line;
}

bool PacketLog::is_sampled(std::uint32_t of_class, std::uint32_t packet, ProcessorId source) const
{
    if (plan_.sample == 1)
        return true;
    const std::uint64_t which = std::uint64_t{source} << 32 | packet;
    return SplitMix64(SplitMix64(which ^ fnv1a(classes_[of_class].name))() ^ plan_.seed)() % plan_.sample ==
           0;
}

void PacketLog::delivered(std::uint32_t of_class, const NetworkMessage& message)
{
    write(of_class, message, network_.now());
}

void PacketLog::lost(std::uint32_t of_class, const NetworkMessage& message)
{
    write(of_class, message, 0);
}

void PacketLog::write(std::uint32_t of_class, const NetworkMessage& message, std::uint64_t ejected)
{
    const std::uint32_t packet = classes_[of_class].is_numbered_by_tag ? message.tag : message.number;
    if (!is_sampled(of_class, packet, message.source))
        return;
    if (!std::exchange(has_begun_, true))
        text_ = header();
    const auto name = [&](ProcessorId id) { return static_cast<std::uint32_t>(id % names_.size()); };
    const PacketRecord record{message.created,
                              message.injected,
                              ejected,
                              of_class,
                              packet,
                              name(message.source),
                              name(message.destination),
                              message.flits,
                              ejected == 0 ? 0 : message.hops};
    if (plan_.format == PacketLogFormat::binary)
        text_.append(reinterpret_cast<const char*>(&record), sizeof record);
    else
        write_line(record);
    if (text_.size() < piece_bytes)
        return;
    plan_.sink(text_);
    text_.clear();
}

void PacketLog::write_line(const PacketRecord& record)
{
    const auto out = std::back_inserter(text_);
    fmt::format_to(out, "{},{},{},{},{},{},{},", quoted_classes_[record.of_class], record.packet,
                   quoted_names_[record.source], quoted_names_[record.destination], record.flits,
                   record.created_cycle, record.injected_cycle);
    if (record.ejected_cycle == 0) {
        text_ += ",,,\n";
        return;
    }
    const std::uint64_t latency = record.ejected_cycle - record.created_cycle;
    fmt::format_to(out, "{},{},{},{}\n", record.ejected_cycle, record.hops, latency,
                   static_cast<double>(latency) * cycle_ns_);
}

void PacketLog::finish()
{
    if (!std::exchange(has_begun_, true))
        text_ = header();
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
