#include "models/traffic/npe_workload.hpp"

#include "models/text/json_text.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/input_log.hpp"
#include "models/traffic/npe_grid.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace nocturne {

namespace {

struct NpeTransfer {
    std::uint64_t cycle;
    std::uint64_t bytes;
    std::uint64_t packets;
    ProcessorId source;
    std::uint64_t network;
    NpeRectangle destinations;
};

class NpeWorkload final : public TraceReader {
public:
    NpeWorkload(const Topology& topology, const std::string& path, const nlohmann::json& document)
        : topology_(topology), path_(path), grid_(topology, path)
    {
        const auto phases = document.find("phases");
        if (phases == document.end() || !phases->is_array())
            throw std::runtime_error(fmt::format("{}: no workload of tt-npe: no array 'phases'", path));
        for (const nlohmann::json& phase : *phases)
            if (const auto transfers = phase.find("transfers");
                transfers != phase.end() && transfers->is_array())
                for (const nlohmann::json& transfer : *transfers)
                    add(transfer);
        InputLog::remark(
            fmt::format("{}: of a workload of tt-npe injection rates{} are not used; all "
                        "phases begin in cycle 0",
                        path, grid_.networks() == 1 ? ", events and which of two networks" : " and events"));
    }

    bool next(TraceMessage& message) override
    {
        if (transfer_ == transfers_.size())
            return false;
        const auto& [cycle, bytes, packets, source, network, to] = transfers_[transfer_];
        std::vector<ProcessorId> destinations;
        for (std::uint64_t y = to.first_y; y <= to.last_y; ++y)
            for (std::uint64_t x = to.first_x; x <= to.last_x; ++x)
                destinations.push_back(grid_.processor_at(network, x, y));
        message = {cycle, source, destinations.front(), bytes};
        message.others.assign(destinations.begin() + 1, destinations.end());
        if (++packet_ == packets) {
            packet_ = 0;
            ++transfer_;
        }
        return true;
    }

private:
    /// Left out it is the first network.
    std::uint64_t network_of(const nlohmann::json& transfer) const
    {
        if (!transfer.contains("noc_type"))
            return 0;
        const nlohmann::json& type = transfer["noc_type"];
        const std::string text = type.is_string() ? type.get<std::string>() : json_text(type);
        const auto network = grid_.network_of(text);
        if (!network)
            throw std::runtime_error(one_line(
                fmt::format("{}: transfer {}: 'noc_type' {}: {} has NOC_0 to NOC_{}", path_,
                            transfers_.size(), shortened(text), topology_.name(), grid_.networks() - 1)));
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
        const NpeRectangle to =
            is_multicast
                ? with_ordered_ends({number(transfer, "mcast_start_x"), number(transfer, "mcast_start_y"),
                                     number(transfer, "mcast_end_x"), number(transfer, "mcast_end_y")})
                : NpeRectangle{number(transfer, "dst_x"), number(transfer, "dst_y"),
                               number(transfer, "dst_x"), number(transfer, "dst_y")};
        if (!grid_.has(x, y) || !grid_.has(to.last_x, to.last_y))
            throw std::runtime_error(
                fmt::format("{}: transfer {}: a place outside the {} rows and {} columns of {}", path_,
                            transfers_.size(), grid_.rows(), grid_.columns(), topology_.name()));
        const std::uint64_t bytes = number(transfer, "packet_size"),
                            packets = number(transfer, "num_packets");
        if (bytes == 0)
            throw std::runtime_error(
                fmt::format("{}: transfer {}: packets of 0 bytes", path_, transfers_.size()));
        const std::uint64_t cycle =
            transfer.contains("phase_cycle_offset") ? number(transfer, "phase_cycle_offset") : 0;
        const std::uint64_t destinations = to.places();
        if (packets > (most_trace_messages - messages_) / destinations)
            throw std::runtime_error(fmt::format("{}: transfer {}: more than {} messages in all", path_,
                                                 transfers_.size(), most_trace_messages));
        messages_ += packets * destinations;
        if (packets == 0)
            return;
        const std::uint64_t network = network_of(transfer);
        transfers_.push_back({cycle, bytes, packets, grid_.processor_at(network, x, y), network, to});
    }

    const Topology& topology_;
    const std::string path_;
    const NpeGrid grid_;
    std::uint64_t messages_ = 0; ///< of all transfers
    std::vector<NpeTransfer> transfers_;
    std::size_t transfer_ = 0; ///< that comes next, with the packet
    std::uint64_t packet_ = 0;
};

} // namespace

bool is_npe_workload(ByteSource& bytes)
{
    return begins_with(bytes, '{');
}

std::unique_ptr<TraceReader> open_npe_workload(const Topology& topology, const std::string& path,
                                               ByteSource& bytes)
{
    return std::make_unique<NpeWorkload>(topology, path, read_npe_json(path, bytes));
}

} // namespace nocturne
