#include "schedules/design/cooling_bytes.hpp"

#include "schedules/schedule/bytes.hpp"

namespace nocturne::design {

std::vector<std::uint8_t> task_to_bytes(const CoolingTask& task)
{
    std::vector<std::uint8_t> bytes;
    append_value(bytes, task.symmetry);
    append_value(bytes, task.maximum_latency);
    append_value(bytes, task.cooling.seed);
    append_value(bytes, task.cooling.time);
    append_value(bytes, task.cooling.temperatures);
    append_list(bytes, task.cooling.start);
    append_value(bytes, task.cooling.enough);
    return bytes;
}

CoolingTask task_from_bytes(std::span<const std::uint8_t> bytes)
{
    CoolingTask task;
    task.symmetry = extract_value<unsigned>(bytes);
    task.maximum_latency = extract_value<double>(bytes);
    task.cooling.seed = extract_value<std::uint64_t>(bytes);
    task.cooling.time = extract_value<CoolingTime>(bytes);
    task.cooling.temperatures = extract_value<TemperatureRange>(bytes);
    task.cooling.start = extract_list<LinkEnds>(bytes);
    task.cooling.enough = extract_value<double>(bytes);
    require_end(bytes);
    return task;
}

std::vector<std::uint8_t> result_to_bytes(const CoolingResult& result)
{
    std::vector<std::uint8_t> bytes;
    append_list(bytes, result.links);
    append_value(bytes, result.cost);
    append_value(bytes, result.temperature);
    append_value(bytes, result.exchanges);
    return bytes;
}

CoolingResult result_from_bytes(std::span<const std::uint8_t> bytes)
{
    CoolingResult result;
    result.links = extract_list<LinkEnds>(bytes);
    result.cost = extract_value<double>(bytes);
    result.temperature = extract_value<double>(bytes);
    result.exchanges = extract_value<std::uint64_t>(bytes);
    require_end(bytes);
    return result;
}

} // namespace nocturne::design
