#include "sim/traffic/trace_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace nocturne {

std::string TraceTimeline::name_of(const NetworkMessage& message) const
{
    const auto name = [&](ProcessorId id) { return network_.topology().processor(id).name; };
    return fmt::format("{}: {}>{}", message.tag, name(message.source), name(message.destination));
}

TimelineSpan TraceTimeline::span(const char* group, std::string lane, std::string name, std::uint64_t begin,
                                 std::uint64_t end) const
{
    return {group, std::move(lane), std::move(name), static_cast<double>(begin) * cycle_ns_,
            static_cast<double>(end) * cycle_ns_};
}

void TraceTimeline::message_delivered(const NetworkMessage& message, ProcessorId)
{
    messages_.push_back(span("messages", "P" + network_.topology().processor(message.source).name,
                             name_of(message), message.created, network_.now()));
}

void TraceTimeline::channel_held(const NetworkMessage& message, const ChannelHold& hold, std::uint8_t)
{
    links_.push_back({hold.link, span("links", network_.plan().link_name(hold.link), name_of(message),
                                      hold.begin, hold.end)});
}

void TraceTimeline::computed(const RankPrograms::Operation& operation, std::uint64_t begin, std::uint64_t end)
{
    computations_.push_back(span("ranks", fmt::format("rank {} cpu {}", operation.rank, operation.cpu),
                                 fmt::format("line {}", operation.line), begin, end));
}

std::vector<TimelineSpan> TraceTimeline::spans() const
{
    std::vector<TimelineSpan> all = computations_;
    all.insert(all.end(), messages_.begin(), messages_.end());
    std::vector<const Held*> order;
    for (const Held& held : links_)
        order.push_back(&held);
    std::ranges::stable_sort(order, {}, [](const Held* held) { return held->link; });
    for (const Held* const held : order)
        all.push_back(held->span);
    return all;
}

} // namespace nocturne
