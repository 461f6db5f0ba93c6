#include "sim/traffic/packed_flows.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>

namespace nocturne {

namespace {

/// Texts are numbers in a list of names; what is not there is NaN or the largest number.
struct PackedFlow {
    std::uint32_t source;
    std::uint32_t destination;
    std::uint32_t traffic_class;
    std::uint32_t unused = 0; ///< no byte is left to chance
    std::uint64_t packets;
    double accepted_flit_rate;
    double average_hops;
    double average;
    std::uint64_t median;
    std::uint64_t p95;
    std::uint64_t p99;
    std::uint64_t maximum;
};
static_assert(sizeof(PackedFlow) == 80);

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t no_count = std::numeric_limits<std::uint64_t>::max();

std::optional<double> number_of(double packed)
{
    return packed == packed ? std::optional(packed) : std::nullopt;
}

std::optional<std::uint64_t> count_of(std::uint64_t packed)
{
    return packed == no_count ? std::nullopt : std::optional(packed);
}

/// Numbers for texts, and the texts by number.
class Names {
public:
    std::uint32_t number_of(const std::string& name)
    {
        const auto [found, is_new] = numbers_.emplace(name, static_cast<std::uint32_t>(names_.size()));
        if (is_new)
            names_.push_back(name);
        return found->second;
    }
    const std::vector<std::string>& names() const { return names_; }

private:
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<std::string> names_;
};

} // namespace

nlohmann::json pack_flows(const std::vector<FlowLatency>& flows)
{
    Names names;
    std::vector<std::uint8_t> bytes(flows.size() * sizeof(PackedFlow));
    for (std::size_t i = 0; i < flows.size(); ++i) {
        const FlowLatency& flow = flows[i];
        const PackedFlow packed{names.number_of(flow.source),
                                names.number_of(flow.destination),
                                names.number_of(flow.traffic_class),
                                0,
                                flow.packets,
                                flow.accepted_flit_rate,
                                flow.average_hops.value_or(no_value),
                                flow.average_packet_latency_cycles.value_or(no_value),
                                flow.quantiles.median.value_or(no_count),
                                flow.quantiles.p95.value_or(no_count),
                                flow.quantiles.p99.value_or(no_count),
                                flow.quantiles.maximum.value_or(no_count)};
        std::memcpy(bytes.data() + i * sizeof packed, &packed, sizeof packed);
    }
    return {{"names", names.names()},
            {"cycle_ns", flows.empty() ? 1.0 : flows.front().cycle_ns},
            {"flows", nlohmann::json::binary(std::move(bytes))}};
}

std::vector<FlowLatency> unpack_flows(const nlohmann::json& json)
{
    const auto names = json.at("names").get<std::vector<std::string>>();
    const double cycle_ns = json.at("cycle_ns");
    const auto& bytes = json.at("flows").get_binary();
    std::vector<FlowLatency> flows(bytes.size() / sizeof(PackedFlow));
    for (std::size_t i = 0; i < flows.size(); ++i) {
        PackedFlow packed{};
        std::memcpy(&packed, bytes.data() + i * sizeof packed, sizeof packed);
        FlowLatency& flow = flows[i];
        flow.source = names.at(packed.source);
        flow.destination = names.at(packed.destination);
        flow.traffic_class = names.at(packed.traffic_class);
        flow.packets = packed.packets;
        flow.accepted_flit_rate = packed.accepted_flit_rate;
        flow.average_hops = number_of(packed.average_hops);
        flow.average_packet_latency_cycles = number_of(packed.average);
        flow.quantiles.median = count_of(packed.median);
        flow.quantiles.p95 = count_of(packed.p95);
        flow.quantiles.p99 = count_of(packed.p99);
        flow.quantiles.maximum = count_of(packed.maximum);
        flow.cycle_ns = cycle_ns;
    }
    return flows;
}

} // namespace nocturne
