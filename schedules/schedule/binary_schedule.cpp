#include "schedules/schedule/binary_schedule.hpp"

#include "models/routing/turns.hpp"
#include "models/text/json_text.hpp"
#include "schedules/schedule/message_names.hpp"
#include "schedules/schedule/schedule_head.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <zlib.h>

namespace nocturne {
namespace {

constexpr std::string_view binary_magic{"\x89NSCHED\n", 8};
constexpr std::uint64_t binary_version = 1;
constexpr std::uint64_t binary_version_with_sums = 2;
constexpr std::size_t piece_bytes = std::size_t{1} << 16;
constexpr std::uint64_t form_named = 1;
constexpr std::uint64_t form_has_path = 2;

/// The form of a transfer with so many hops, or the other way round.
struct HopForm {
    std::uint64_t version;

    std::uint64_t hop() const { return version == binary_version ? 4 : 8; }
    bool adds(std::uint64_t form) const { return version != binary_version && (form & 4) != 0; }
    std::uint64_t of(Operation operation) const { return operation == Operation::add ? 4 : 0; }
};

std::uint32_t checksum_of(std::uint32_t before, std::string_view bytes)
{
    return static_cast<std::uint32_t>(
        crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

class BinaryWriter {
public:
    explicit BinaryWriter(const ByteSink& sink) : sink_(sink) { piece_.reserve(2 * piece_bytes); }

    void bytes(std::string_view bytes)
    {
        piece_ += bytes;
        if (piece_.size() >= piece_bytes)
            flush();
    }

    void number(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7)
            piece_ += static_cast<char>(0x80 | (value & 0x7f));
        piece_ += static_cast<char>(value);
        if (piece_.size() >= piece_bytes)
            flush();
    }

    void end()
    {
        flush();
        std::string sum;
        for (unsigned shift = 0; shift < 32; shift += 8)
            sum += static_cast<char>(checksum_ >> shift & 0xff);
        sink_(sum);
    }

private:
    void flush()
    {
        checksum_ = checksum_of(checksum_, piece_);
        sink_(piece_);
        piece_.clear();
    }

    const ByteSink& sink_;
    std::string piece_;
    std::uint32_t checksum_ = 0;
};

void write_hops(BinaryWriter& writer, const Topology& topology, const std::vector<std::uint32_t>& positions,
                const Transfer& transfer)
{
    RouterId at = topology.processor(transfer.source).injection;
    for (const ChannelId channel : *transfer.path) {
        const bool exists = channel < topology.channel_count();
        if (exists && topology.channel(channel).source == at) {
            writer.number(std::uint64_t{1} + positions[channel]);
        } else {
            writer.number(0);
            writer.number(channel);
        }
        if (exists)
            at = topology.channel(channel).target;
    }
}

class BinaryReader {
public:
    BinaryReader(const ByteSource& source, const std::filesystem::path& path)
        : source_(source), path_(path), piece_(piece_bytes)
    {
    }

    LoadedSchedule read()
    {
        read_magic();
        LoadedSchedule loaded = read_head();
        const MessageNames names(loaded.schedule.collective);
        const std::uint64_t steps = number();
        for (std::uint64_t step = 0; step < steps; ++step) {
            const std::uint64_t transfers = number();
            Step& here = loaded.schedule.steps.emplace_back();
            // Not more than can follow in this piece: a damaged number must not ask for all memory.
            here.reserve(std::min<std::uint64_t>(transfers, piece_bytes / 3));
            for (std::uint64_t i = 0; i < transfers; ++i)
                here.push_back(read_transfer(loaded, names));
        }
        read_checksum();
        return loaded;
    }

private:
    [[noreturn]] void fail(std::string_view reason) const
    {
        throw std::runtime_error(fmt::format("{}: byte {}: {}", path_.string(), taken_ + next_, reason));
    }

    void read_magic()
    {
        for (const char expected : binary_magic)
            if (byte_if_any() != static_cast<unsigned char>(expected))
                throw std::runtime_error(
                    fmt::format("{}: this is no binary schedule: it does not begin as one", path_.string()));
        form_.version = number();
        if (form_.version != binary_version && form_.version != binary_version_with_sums)
            fail(fmt::format("layout {}: this program reads layouts {} and {}", form_.version, binary_version,
                             binary_version_with_sums));
    }

    LoadedSchedule read_head()
    {
        const std::uint64_t size = number();
        if (size > largest_file_bytes)
            fail(fmt::format("a head of {} bytes is too large", size));
        std::string head;
        for (std::uint64_t i = 0; i < size; ++i)
            head += static_cast<char>(byte());
        if (!head.ends_with('}'))
            fail("the head is no JSON object");
        head.back() = ',';
        return load_head(head + "\"steps\":[]}", path_, fmt::format("{}: head", path_.string()));
    }

    Transfer read_transfer(const LoadedSchedule& loaded, const MessageNames& names)
    {
        const Topology& topology = loaded.topology;
        const Collective& collective = loaded.schedule.collective;
        const ProcessorId source = index("processor", topology.processor_count());
        const ProcessorId destination = index("processor", topology.processor_count());
        const std::uint64_t form = number();
        Transfer transfer{no_message, source, destination, std::nullopt};
        const auto implied = names.implied(source, destination);
        if ((form & form_named) != 0)
            transfer.set_message(index("message", collective.chunks.size()));
        else if (implied)
            transfer.set_message(*implied);
        if (transfer.message == no_message || ((form & form_named) != 0 && implied == transfer.message))
            fail("a message is named where it is implied, or the other way round");
        if (form_.adds(form))
            transfer.operation = Operation::add;
        if ((form & form_has_path) != 0)
            transfer.path = read_path(topology, source, form / form_.hop());
        else if (form >= form_.hop())
            fail("hops without a path");
        return transfer;
    }

    Path read_path(const Topology& topology, ProcessorId source, std::uint64_t hops)
    {
        Path path;
        path.reserve(std::min<std::uint64_t>(hops, piece_bytes));
        RouterId at = topology.processor(source).injection;
        for (std::uint64_t hop = 0; hop < hops; ++hop) {
            const auto outputs = topology.channels_from(at);
            const std::uint64_t output = number();
            if (output > outputs.size())
                fail(fmt::format("router {} has {} channels out of it", topology.router_name(at),
                                 outputs.size()));
            path.push_back(output > 0 ? outputs[output - 1] : index("channel", std::uint64_t{1} << 32));
            const bool exists = path.back() < topology.channel_count();
            if (output == 0 && exists && topology.channel(path.back()).source == at)
                fail("a channel out of the router where the path stands is named by its index");
            if (exists)
                at = topology.channel(path.back()).target;
        }
        return path;
    }

    void read_checksum()
    {
        update_checksum();
        const std::uint32_t expected = checksum_;
        std::uint32_t found = 0;
        for (unsigned shift = 0; shift < 32; shift += 8)
            found |= std::uint32_t{byte()} << shift;
        if (found != expected)
            throw std::runtime_error(fmt::format(
                "{}: the file is damaged: its checksum is not that of its bytes", path_.string()));
        if (byte_if_any())
            fail("data after the end of the file");
    }

    /// A number below `limit`.
    std::uint32_t index(std::string_view what, std::uint64_t limit)
    {
        const std::uint64_t value = number();
        if (value >= limit)
            fail(fmt::format("{} {} does not exist: there are {}", what, value, limit));
        return static_cast<std::uint32_t>(value);
    }

    std::uint64_t number()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const unsigned char group = byte();
            const std::uint64_t bits = group & 0x7fu;
            if (bits << shift >> shift != bits || (group == 0 && shift > 0))
                break; // too large, or a byte too many
            value |= bits << shift;
            if ((group & 0x80) == 0)
                return value;
        }
        fail("this is no number");
    }

    unsigned char byte()
    {
        const auto next = byte_if_any();
        if (!next)
            fail("the file ends too early");
        return *next;
    }

    /// Nothing at the end of the file.
    std::optional<unsigned char> byte_if_any()
    {
        if (next_ == filled_) {
            update_checksum();
            taken_ += filled_;
            filled_ = source_(piece_);
            next_ = summed_ = 0;
            if (filled_ == 0)
                return std::nullopt;
        }
        return static_cast<unsigned char>(piece_[next_++]);
    }

    /// Of the bytes that were read.
    void update_checksum()
    {
        checksum_ = checksum_of(checksum_, {piece_.data() + summed_, next_ - summed_});
        summed_ = next_;
    }

    const ByteSource& source_;
    const std::filesystem::path& path_;
    HopForm form_{binary_version};
    std::vector<char> piece_;
    std::size_t filled_ = 0;
    std::size_t next_ = 0;
    std::size_t summed_ = 0;
    std::uint64_t taken_ = 0; ///< bytes before this piece
    std::uint32_t checksum_ = 0;
};

} // namespace

void write_binary_schedule(const Schedule& schedule, const Topology& topology,
                           const nlohmann::ordered_json& claims, const ByteSink& sink)
{
    require_names(schedule, topology);
    const std::vector<std::uint32_t> positions = output_positions(topology);
    BinaryWriter writer(sink);
    const std::string head = json_text(head_to_json(schedule, topology, claims, {}));
    writer.bytes(binary_magic);
    const MessageNames names(schedule.collective);
    const HopForm form{adds(schedule) ? binary_version_with_sums : binary_version};
    writer.number(form.version);
    writer.number(head.size());
    writer.bytes(head);
    writer.number(schedule.steps.size());
    for (const Step& step : schedule.steps) {
        writer.number(step.size());
        for (const Transfer& transfer : step) {
            const bool is_named = names.implied(transfer.source, transfer.destination) != transfer.message;
            writer.number(transfer.source);
            writer.number(transfer.destination);
            writer.number((transfer.path ? form.hop() * transfer.path->size() + form_has_path : 0) +
                          form.of(transfer.operation) + (is_named ? form_named : 0));
            if (is_named)
                writer.number(transfer.message);
            if (transfer.path)
                write_hops(writer, topology, positions, transfer);
        }
    }
    writer.end();
}

LoadedSchedule read_binary_schedule(const ByteSource& source, const std::filesystem::path& path)
{
    return BinaryReader(source, path).read();
}

} // namespace nocturne
