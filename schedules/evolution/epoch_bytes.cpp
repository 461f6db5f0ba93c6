#include "schedules/evolution/epoch_bytes.hpp"

#include "schedules/schedule/bytes.hpp"
#include "schedules/schedule/schedule_bytes.hpp"

namespace nocturne {
namespace {

auto fields_of(auto& report)
{
    return std::tie(report.generations, report.emigrant, report.emigrant_conflicts, report.best);
}

} // namespace

std::vector<std::uint8_t> report_to_bytes(const EpochReport& report)
{
    std::vector<std::uint8_t> bytes;
    append_fields(bytes, fields_of(report));
    append_list(bytes, report.schedule ? to_bytes(*report.schedule) : std::vector<std::uint8_t>());
    return bytes;
}

EpochReport report_from_bytes(std::span<const std::uint8_t> bytes)
{
    EpochReport report;
    extract_fields(bytes, fields_of(report));
    if (const auto schedule = extract_list<std::uint8_t>(bytes); !schedule.empty())
        report.schedule = steps_from_bytes(schedule);
    require_end(bytes);
    return report;
}

} // namespace nocturne
