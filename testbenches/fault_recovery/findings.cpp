#include "testbenches/fault_recovery/findings.hpp"

#include "testbenches/driver/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace nocturne::fault_recovery {

namespace {

double time_of(const RecoveryResult& result, std::string_view phase)
{
    return std::accumulate(result.phases.begin(), result.phases.end(), 0.0,
                           [&](double sum, const RecoveryPhase& each) {
                               return each.name == phase ? sum + each.end_ns - each.begin_ns : sum;
                           });
}

std::vector<std::string> names_of_lost(const RecoveryResult& result)
{
    std::vector<std::string> names;
    for (const LostTransfer& lost : result.lost)
        names.push_back(fmt::format("{}>{}", lost.source, lost.destination));
    std::sort(names.begin(), names.end());
    return names;
}

/// What is in the first ascending list and not in the second.
std::vector<std::string> without(const std::vector<std::string>& names,
                                 const std::vector<std::string>& others)
{
    std::vector<std::string> rest;
    std::set_difference(names.begin(), names.end(), others.begin(), others.end(), std::back_inserter(rest));
    return rest;
}

} // namespace

Table phase_table(const std::vector<Case>& cases)
{
    const auto result = [](auto member) { return [=](const Case& each) { return each.result.*member; }; };
    const auto size = [](auto member) {
        return [=](const Case& each) { return (each.result.*member).size(); };
    };
    const auto time = [](const char* phase) {
        return [=](const Case& each) { return time_of(each.result, phase); };
    };
    const auto memories = [](const Case& each) { return each.result.memory_ok ? "right" : "WRONG"; };
    return table_of("Faults during a collective, and the way back", cases,
                    {{"network", "", result(&RecoveryResult::topology)},
                     {"collective", "", result(&RecoveryResult::collective)},
                     {"traffic", "", &Case::traffic},
                     {"steps", "", result(&RecoveryResult::steps)},
                     {"fault", "", &Case::kind},
                     {"in step", "", &Case::when},
                     {"place", "", [](const Case& each) { return each.result.faults.front(); }},
                     {"lost", "", size(&RecoveryResult::lost)},
                     {"counted", "", [](const Case& each) { return each.counted.size(); }},
                     {"probes", "", result(&RecoveryResult::probes)},
                     {"located", "", size(&RecoveryResult::located)},
                     {"owed", "", result(&RecoveryResult::owed)},
                     {"dropped", "", result(&RecoveryResult::dropped)},
                     {"repair steps", "", result(&RecoveryResult::repair_steps)},
                     {"replay", "ns", time("replay"), 0},
                     {"detect", "ns", time("detect"), 0},
                     {"locate", "ns", time("locate"), 0},
                     {"program", "ns", time("program"), 0},
                     {"replay owed", "ns", time("replay owed"), 0},
                     {"check", "ns", time("check"), 0},
                     {"all", "ns", result(&RecoveryResult::time_ns), 0},
                     {"memories", "", memories}});
}

Table box_table(const std::vector<Case>& cases)
{
    struct Box {
        const Case& of;
        const RecoveryPhase& phase;
    };
    std::vector<Box> boxes;
    for (const Case& each : cases)
        for (const RecoveryPhase& phase : each.result.phases)
            boxes.push_back({each, phase});
    return table_of("Phases", boxes,
                    {{"network", "", [](const Box& box) { return box.of.result.topology; }},
                     {"case", "",
                      [](const Box& box) {
                          return fmt::format("{} {}, {}, {}", box.of.result.collective, box.of.traffic(),
                                             box.of.kind, box.of.when);
                      }},
                     {"phase", "", [](const Box& box) { return box.phase.name; }},
                     {"begin", "ns", [](const Box& box) { return box.phase.begin_ns; }, 0},
                     {"end", "ns", [](const Box& box) { return box.phase.end_ns; }, 0}});
}

std::vector<std::string> contradictions(const std::vector<Case>& cases)
{
    std::vector<std::string> result;
    for (const Case& each : cases) {
        const auto fail = [&](const std::string& what) {
            result.push_back(fmt::format("{} {} on {}, {} {}: {}", each.result.collective, each.traffic(),
                                         each.result.topology, each.options.faults.front(), each.when, what));
        };
        if (!each.result.memory_ok)
            fail(fmt::format("{} of {} messages are right", each.result.messages_delivered,
                             each.result.messages_owed));
        if (each.result.duplicates != 0)
            fail(fmt::format("{} deliveries came twice", each.result.duplicates));
        const std::vector<std::string> lost = names_of_lost(each.result);
        for (const std::string& name : without(lost, each.counted))
            fail(fmt::format("{} was lost, and is not counted", name));
        if (each.is_count_exact())
            for (const std::string& name : without(each.counted, lost))
                fail(fmt::format("{} is counted, and was not lost", name));
        if (!each.result.lost.empty() && each.result.located.empty() != (each.kind == "intermittent"))
            fail(fmt::format("{} parts were located", each.result.located.size()));
    }
    return result;
}

} // namespace nocturne::fault_recovery
