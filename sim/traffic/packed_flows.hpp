// Results with many flows on their way from a worker process: bytes instead of objects.
#pragma once

#include "sim/report/traffic_results.hpp"

#include <nlohmann/json.hpp>

#include <utility>
#include <vector>

namespace nocturne {

/// 80 bytes a flow, where JSON takes thousands.
nlohmann::json pack_flows(const std::vector<FlowLatency>& flows);
/// The inverse.
std::vector<FlowLatency> unpack_flows(const nlohmann::json& json);

/// A result that has `flows`, with these packed; for from_worker() only.
template <class Result>
nlohmann::json for_parent(Result result)
{
    const std::vector<FlowLatency> flows = std::exchange(result.flows, {});
    nlohmann::json json(result);
    if (!flows.empty())
        json["packed_flows"] = pack_flows(flows);
    return json;
}

template <class Result>
Result from_worker(const nlohmann::json& json)
{
    auto result = json.get<Result>();
    if (const auto flows = json.find("packed_flows"); flows != json.end())
        result.flows = unpack_flows(*flows);
    return result;
}

} // namespace nocturne
