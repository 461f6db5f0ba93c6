#include "models/traffic/netrace.hpp"

#include "models/topology/input_log.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

namespace nocturne {

namespace {

constexpr std::uint32_t netrace_magic = 0x484A5455;
constexpr std::size_t header_bytes = 72;
constexpr std::size_t packet_bytes = 21;
constexpr std::size_t region_bytes = 24;
constexpr std::uint32_t most_notes = 8192; ///< longer ones are not in the file, by the reference reader
constexpr std::uint32_t most_regions = 100;

/// By type of the packet, bytes; 0: there is no such type. Of the reference reader: 8 without data, 72 with a
/// line of a cache.
constexpr std::array<std::uint8_t, 31> type_bytes{0,  8, 72, 72, 72, 8, 72, 0, 0, 0, 0, 0, 0, 8, 8, 8,
                                                  72, 0, 0,  0,  0,  0, 0,  0, 0, 8, 0, 8, 8, 8, 72};

/// Little-endian.
template <class Number>
Number number_at(std::span<const char> bytes, std::size_t at)
{
    Number number = 0;
    for (std::size_t i = 0; i < sizeof(Number); ++i)
        number |=
            static_cast<Number>(static_cast<Number>(static_cast<unsigned char>(bytes[at + i])) << 8 * i);
    return number;
}

class NetraceReader final : public TraceReader {
public:
    NetraceReader(const Topology& topology, const std::string& path, std::unique_ptr<ByteSource> bytes)
        : processors_(topology.processor_count()), path_(path), bytes_(std::move(bytes))
    {
        const std::span<const char> head = take(header_bytes, "the header");
        if (const auto version = std::bit_cast<float>(number_at<std::uint32_t>(head, 4)); version != 1.0f)
            throw std::runtime_error(fmt::format("{}: netrace version {}; 1.0 is read", path, version));
        const unsigned nodes = number_at<std::uint8_t>(head, 38);
        packets_ = number_at<std::uint64_t>(head, 48);
        const auto notes = number_at<std::uint32_t>(head, 56), regions = number_at<std::uint32_t>(head, 60);
        if (nodes > processors_)
            throw std::runtime_error(fmt::format("{}: {} nodes for the {} processors of {}", path, nodes,
                                                 processors_, topology.name()));
        if (regions > most_regions)
            throw std::runtime_error(
                fmt::format("{}: {} regions; at most {} are read", path, regions, most_regions));
        if (notes < most_notes)
            take(notes, "the notes");
        take(std::size_t{regions} * region_bytes, "the regions");
        InputLog::remark(
            fmt::format("{}: addresses, kinds of nodes and regions of netrace are not used", path));
    }

    bool next(TraceMessage& message) override
    {
        if (bytes_->peek(1).empty()) {
            if (count_ < packets_)
                throw std::runtime_error(
                    fmt::format("{}: ends after {} of {} packets", path_, count_, packets_));
            return false;
        }
        if (count_ == most_trace_messages)
            fail(fmt::format("more than {} packets", most_trace_messages));
        const std::span<const char> packet = take(packet_bytes, "a packet");
        const auto cycle = number_at<std::uint64_t>(packet, 0);
        const auto id = number_at<std::uint32_t>(packet, 8);
        const unsigned type = number_at<std::uint8_t>(packet, 16),
                       source = number_at<std::uint8_t>(packet, 17),
                       destination = number_at<std::uint8_t>(packet, 18);
        const std::size_t followers = number_at<std::uint8_t>(packet, 20);
        if (type >= type_bytes.size() || type_bytes[type] == 0)
            fail(fmt::format("type {} has no size", type));
        if (source >= processors_ || destination >= processors_)
            fail(fmt::format("from node {} to node {}, there are {}", source, destination, processors_));
        message = {cycle, source, destination, type_bytes[type], {}, 0};
        if (const auto waits = waits_.find(id); waits != waits_.end()) {
            message.after = std::move(waits->second);
            message.cycle = 0;
            message.earliest = cycle;
            waits_.erase(waits);
        }
        const std::span<const char> list = take(4 * followers, "a packet");
        for (std::size_t i = 0; i < followers; ++i) {
            const auto follower = number_at<std::uint32_t>(list, 4 * i);
            if (follower == id)
                fail("depends on itself");
            waits_[follower].push_back(count_);
        }
        ++count_;
        return true;
    }

private:
    [[noreturn]] void fail(const std::string& what) const
    {
        throw std::runtime_error(fmt::format("{}: packet {}: {}", path_, count_, what));
    }

    std::span<const char> take(std::size_t count, const char* what)
    {
        const std::span<const char> bytes = bytes_->peek(count);
        if (bytes.size() < count)
            throw std::runtime_error(
                fmt::format("{}: ends in the middle of {}, after {} packets", path_, what, count_));
        bytes_->skip(count);
        return bytes;
    }

    const std::size_t processors_;
    const std::string path_;
    const std::unique_ptr<ByteSource> bytes_;
    std::uint64_t packets_ = 0; ///< by the header
    std::uint32_t count_ = 0;   ///< packets so far
    /// By identifier of a packet that is still to come: numbers of those that it waits for.
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> waits_;
};

} // namespace

bool is_netrace(ByteSource& bytes)
{
    const std::span<const char> first = bytes.peek(4);
    return first.size() == 4 && number_at<std::uint32_t>(first, 0) == netrace_magic;
}

std::unique_ptr<TraceReader> open_netrace(const Topology& topology, const std::string& path,
                                          std::unique_ptr<ByteSource> bytes)
{
    return std::make_unique<NetraceReader>(topology, path, std::move(bytes));
}

} // namespace nocturne
