#include "models/traffic/npe_workload.hpp"

#include "models/routing/plane_routing.hpp"
#include "models/text/json_text.hpp"
#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/files.hpp"
#include "models/topology/input_log.hpp"
#include "models/topology/json_place.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace nocturne {

namespace {

/// Rows and columns, both ends included.
struct Rectangle {
    std::uint64_t first_x, first_y, last_x, last_y;
};

struct NpeTransfer {
    std::uint64_t cycle;
    std::uint64_t bytes;
    std::uint64_t packets;
    ProcessorId source;
    ProcessorId plane; ///< processor 0 of the network that it takes
    Rectangle destinations;
};

class NpeWorkload final : public TraceReader {
public:
    NpeWorkload(const Topology& topology, const std::string& path, const nlohmann::json& document)
        : topology_(topology), path_(path)
    {
        check_grid();
        const auto phases = document.find("phases");
        if (phases == document.end() || !phases->is_array())
            throw std::runtime_error(fmt::format("{}: no workload of tt-npe: no array 'phases'", path));
        for (const nlohmann::json& phase : *phases)
            if (const auto transfers = phase.find("transfers");
                transfers != phase.end() && transfers->is_array())
                for (const nlohmann::json& transfer : *transfers)
                    add(transfer);
        InputLog::remark(fmt::format("{}: of a workload of tt-npe injection rates{} are not used; all "
                                     "phases begin in cycle 0{}",
                                     path,
                                     networks_ == 1 ? ", events and which of two networks" : " and events",
                                     has_multicast_ ? "; a multicast is a message to each destination" : ""));
    }

    bool next(TraceMessage& message) override
    {
        if (transfer_ == transfers_.size())
            return false;
        const NpeTransfer& transfer = transfers_[transfer_];
        message = {transfer.cycle, transfer.source, transfer.plane + processor_at(x_, y_), transfer.bytes};
        step();
        return true;
    }

private:
    /// A grid of rows and columns, or planes of that each with interfaces of its own.
    void check_grid()
    {
        const std::optional<Grid>& grid = topology_.grid();
        const std::size_t dimensions = grid ? grid->extent.size() : 0;
        bool fits = dimensions == 2 || (dimensions == 3 && has_planes(topology_));
        if (fits) {
            rows_ = grid->extent[dimensions - 2];
            columns_ = grid->extent[dimensions - 1];
            networks_ = topology_.processor_count() / (rows_ * columns_);
            fits = topology_.processor_count() == networks_ * rows_ * columns_ &&
                   (dimensions == 2 ? networks_ == 1 : networks_ > 1);
        }
        for (ProcessorId id = 0; fits && id < topology_.processor_count(); ++id)
            fits = topology_.processor(id).injection == id;
        if (!fits)
            throw std::runtime_error(fmt::format(
                "{}: a workload of tt-npe has places on a grid of rows and columns with a processor "
                "each, or one in each of several planes; {} is none",
                path_, topology_.name()));
    }

    /// `NOC_1` is the second network, left out the first; of a topology with one network it is not used.
    std::uint64_t network_of(const nlohmann::json& transfer) const
    {
        constexpr std::string_view prefix = "NOC_";
        if (networks_ == 1 || !transfer.contains("noc_type"))
            return 0;
        const nlohmann::json& type = transfer["noc_type"];
        const std::string text = type.is_string() ? type.get<std::string>() : json_text(type);
        const auto network = text.starts_with(prefix)
                                 ? number_of<std::uint64_t>(std::string_view(text).substr(prefix.size()))
                                 : std::nullopt;
        if (!network || *network >= networks_)
            throw std::runtime_error(
                one_line(fmt::format("{}: transfer {}: 'noc_type' {}: {} has NOC_0 to NOC_{}", path_,
                                     transfers_.size(), shortened(text), topology_.name(), networks_ - 1)));
        return *network;
    }

    std::uint64_t number(const nlohmann::json& transfer, const char* key) const
    {
        const auto found = transfer.find(key);
        if (found == transfer.end() || !found->is_number_unsigned())
            throw std::runtime_error(fmt::format("{}: transfer {}: '{}' is no number of 0 or more", path_,
                                                 transfers_.size(), key));
        return found->get<std::uint64_t>();
    }

    void add(const nlohmann::json& transfer)
    {
        const std::uint64_t x = number(transfer, "src_x"), y = number(transfer, "src_y");
        const bool is_multicast = !transfer.contains("dst_x") && !transfer.contains("dst_y");
        has_multicast_ = has_multicast_ || is_multicast;
        Rectangle to{};
        if (is_multicast)
            to = {number(transfer, "mcast_start_x"), number(transfer, "mcast_start_y"),
                  number(transfer, "mcast_end_x"), number(transfer, "mcast_end_y")};
        else
            to = {number(transfer, "dst_x"), number(transfer, "dst_y"), number(transfer, "dst_x"),
                  number(transfer, "dst_y")};
        // The second network counts the corners from the other end.
        if (to.first_x > to.last_x)
            std::swap(to.first_x, to.last_x);
        if (to.first_y > to.last_y)
            std::swap(to.first_y, to.last_y);
        if (x >= columns_ || y >= rows_ || to.last_x >= columns_ || to.last_y >= rows_)
            throw std::runtime_error(
                fmt::format("{}: transfer {}: a place outside the {} rows and {} columns "
                            "of {}",
                            path_, transfers_.size(), rows_, columns_, topology_.name()));
        const std::uint64_t bytes = number(transfer, "packet_size"),
                            packets = number(transfer, "num_packets");
        if (bytes == 0)
            throw std::runtime_error(
                fmt::format("{}: transfer {}: packets of 0 bytes", path_, transfers_.size()));
        const std::uint64_t cycle =
            transfer.contains("phase_cycle_offset") ? number(transfer, "phase_cycle_offset") : 0;
        const std::uint64_t destinations = (to.last_x - to.first_x + 1) * (to.last_y - to.first_y + 1);
        if (packets > (most_trace_messages - messages_) / destinations)
            throw std::runtime_error(fmt::format("{}: transfer {}: more than {} messages in all", path_,
                                                 transfers_.size(), most_trace_messages));
        messages_ += packets * destinations;
        if (packets == 0)
            return;
        const auto plane = static_cast<ProcessorId>(network_of(transfer) * rows_ * columns_);
        transfers_.push_back({cycle, bytes, packets, plane + processor_at(x, y), plane, to});
        if (transfers_.size() == 1) {
            x_ = to.first_x;
            y_ = to.first_y;
        }
    }

    ProcessorId processor_at(std::uint64_t x, std::uint64_t y) const
    {
        return static_cast<ProcessorId>(y * columns_ + x);
    }

    /// To the next destination, packet or transfer.
    void step()
    {
        const Rectangle& to = transfers_[transfer_].destinations;
        if (x_++ < to.last_x)
            return;
        x_ = to.first_x;
        if (y_++ < to.last_y)
            return;
        y_ = to.first_y;
        if (++packet_ < transfers_[transfer_].packets)
            return;
        packet_ = 0;
        if (++transfer_ < transfers_.size()) {
            x_ = transfers_[transfer_].destinations.first_x;
            y_ = transfers_[transfer_].destinations.first_y;
        }
    }

    const Topology& topology_;
    const std::string path_;
    std::uint64_t rows_ = 0;
    std::uint64_t columns_ = 0;
    std::uint64_t networks_ = 1;
    bool has_multicast_ = false;
    std::uint64_t messages_ = 0; ///< of all transfers
    std::vector<NpeTransfer> transfers_;
    std::size_t transfer_ = 0; ///< that comes next, with the packet and the destination
    std::uint64_t packet_ = 0;
    std::uint64_t x_ = 0;
    std::uint64_t y_ = 0;
};

} // namespace

bool is_npe_workload(ByteSource& bytes)
{
    for (const char c : bytes.peek(64))
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
            return c == '{';
    return false;
}

std::unique_ptr<TraceReader> open_npe_workload(const Topology& topology, const std::string& path,
                                               ByteSource& bytes)
{
    std::string text;
    for (;;) {
        const std::span<const char> piece = bytes.peek(std::size_t{1} << 16);
        if (piece.empty())
            break;
        text.append(piece.data(), piece.size());
        bytes.skip(piece.size());
        if (text.size() > largest_file_bytes)
            throw std::runtime_error(fmt::format("{}: more than {} bytes of JSON", path, largest_file_bytes));
    }
    return std::make_unique<NpeWorkload>(topology, path, parse_json(text, path));
}

} // namespace nocturne
