#include "sim/report/timeline.hpp"

#include "models/text/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>

namespace nocturne {

namespace {

void check_spans(const std::vector<TimelineSpan>& spans)
{
    for (const TimelineSpan& span : spans)
        if (!std::isfinite(span.begin_ns) || !std::isfinite(span.end_ns) || span.end_ns < span.begin_ns)
            throw std::invalid_argument(
                fmt::format("timeline: {}: from {} to {} ns", span.name, span.begin_ns, span.end_ns));
}

/// Processes and threads of the trace, numbered as they come.
class TimelineLanes {
public:
    struct Place {
        std::size_t group;
        std::size_t thread;
    };

    /// In the first lane of that name that is free again: a viewer nests spans that overlap.
    Place place(const TimelineSpan& span)
    {
        const auto [group, is_new_group] = groups_.try_emplace(span.group, groups_.size() + 1);
        if (is_new_group)
            name("process_name", group->second, 0, span.group);
        std::vector<Lane>& lanes = lanes_[{group->second, span.lane}];
        auto lane =
            std::ranges::find_if(lanes, [&](const Lane& each) { return each.end_ns <= span.begin_ns; });
        if (lane == lanes.end()) {
            lane = lanes.insert(lanes.end(), {++threads_, 0});
            name("thread_name", group->second, threads_,
                 lanes.size() == 1 ? span.lane : fmt::format("{} ({})", span.lane, lanes.size()));
        }
        lane->end_ns = span.end_ns;
        return {group->second, lane->thread};
    }

    /// Their names, as events.
    const std::vector<nlohmann::json>& names() const { return names_; }

private:
    struct Lane {
        std::size_t thread;
        double end_ns;
    };

    void name(const char* what, std::size_t group, std::size_t thread, const std::string& text)
    {
        names_.push_back(
            {{"name", what}, {"ph", "M"}, {"pid", group}, {"tid", thread}, {"args", {{"name", text}}}});
    }

    std::map<std::string, std::size_t> groups_;
    std::map<std::pair<std::size_t, std::string>, std::vector<Lane>> lanes_;
    std::size_t threads_ = 0;
    std::vector<nlohmann::json> names_;
};

std::string as_text(const nlohmann::json& event)
{
    return json_text_replacing(event);
}

/// From the earliest begin to the latest end of what belongs together.
void cover(TimelineSpan& all, const TimelineSpan& part)
{
    if (all.group.empty())
        all = part;
    all.begin_ns = std::min(all.begin_ns, part.begin_ns);
    all.end_ns = std::max(all.end_ns, part.end_ns);
}

} // namespace

std::string timeline_json(const std::vector<TimelineSpan>& spans)
{
    check_spans(spans);
    std::vector<std::size_t> order(spans.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return spans[i].begin_ns; });
    TimelineLanes lanes;
    std::map<std::string, bool> seen;
    for (const TimelineSpan& span : spans) // the order of appearance, not of time
        if (seen.emplace(span.group + '\n' + span.lane, true).second)
            lanes.place({span.group, span.lane, {}, -1, -1});
    std::vector<std::string> events(spans.size());
    for (const std::size_t i : order) {
        const TimelineSpan& span = spans[i];
        const TimelineLanes::Place place = lanes.place(span);
        events[i] = as_text({{"name", span.name},
                             {"ph", "X"},
                             {"ts", span.begin_ns / 1000},
                             {"dur", (span.end_ns - span.begin_ns) / 1000},
                             {"pid", place.group},
                             {"tid", place.thread}});
    }
    std::string text = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [";
    const char* separator = "\n";
    const auto add = [&](const std::string& event) {
        text += separator + event;
        separator = ",\n";
    };
    for (const nlohmann::json& name : lanes.names())
        add(as_text(name));
    for (const std::string& event : events)
        add(event);
    return text + "\n]}\n";
}

std::vector<TimelineSpan> timeline_of(const RunResult& run)
{
    std::map<std::uint32_t, TimelineSpan> steps;
    std::map<std::pair<std::string, std::uint32_t>, TimelineSpan> messages;
    std::vector<TimelineSpan> links;
    for (const ChannelOccupancy& held : run.occupancy) {
        const std::string step = fmt::format("step {}", held.step);
        const std::string name = fmt::format("{} in {}", held.message, step);
        const std::string source = "P" + held.message.substr(0, held.message.find('>'));
        cover(steps[held.step], {"steps", "schedule", step, held.begin_ns, held.end_ns});
        cover(messages[{held.message, held.step}], {"messages", source, name, held.begin_ns, held.end_ns});
        links.push_back({"links", held.channel, name, held.begin_ns, held.end_ns});
    }
    std::vector<std::uint32_t> order(links.size()); // links in the order of their numbers
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return run.occupancy[i].link; });
    std::vector<TimelineSpan> spans;
    for (auto& [step, span] : steps)
        spans.push_back(std::move(span));
    for (auto& [message, span] : messages)
        spans.push_back(std::move(span));
    for (const std::uint32_t i : order)
        spans.push_back(std::move(links[i]));
    return spans;
}

std::vector<TimelineSpan> timeline_of(const RecoveryResult& result)
{
    std::vector<TimelineSpan> spans;
    for (const RecoveryPhase& phase : result.phases)
        spans.push_back({"recovery", "phases", phase.name, phase.begin_ns, phase.end_ns});
    const double end_ns = result.until_ns.value_or(std::max(result.time_ns, result.fault_ns));
    for (const std::string& fault : result.faults)
        spans.push_back({"faults", fault, fault, result.fault_ns, end_ns});
    return spans;
}

} // namespace nocturne
