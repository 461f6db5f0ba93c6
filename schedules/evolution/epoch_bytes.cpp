#include "schedules/evolution/epoch_bytes.hpp"

#include "schedules/schedule/bytes.hpp"
#include "schedules/schedule/schedule_bytes.hpp"

namespace nocturne {

std::vector<std::uint8_t> report_to_bytes(const EpochReport& report)
{
    std::vector<std::uint8_t> bytes;
    append_list(bytes, report.generations);
    append_list(bytes, report.emigrant);
    append_value(bytes, report.emigrant_conflicts);
    append_value(bytes, report.best);
    append_list(bytes, report.schedule ? to_bytes(*report.schedule) : std::vector<std::uint8_t>());
    return bytes;
}

EpochReport report_from_bytes(std::span<const std::uint8_t> bytes)
{
    EpochReport report;
    report.generations = extract_list<Generation>(bytes);
    report.emigrant = extract_list<std::uint8_t>(bytes);
    report.emigrant_conflicts = extract_value<std::uint64_t>(bytes);
    report.best = extract_value<std::uint64_t>(bytes);
    if (const auto schedule = extract_list<std::uint8_t>(bytes); !schedule.empty())
        report.schedule = steps_from_bytes(schedule);
    require_end(bytes);
    return report;
}

} // namespace nocturne
