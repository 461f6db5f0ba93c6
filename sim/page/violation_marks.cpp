#include "sim/page/violation_marks.hpp"

#include "sim/page/network_json.hpp"

#include <algorithm>

namespace nocturne {

namespace {

/// More are not told apart on a picture.
constexpr std::size_t most_marks = 8;

const Transfer* transfer_of(const Violation& violation, const Schedule& schedule)
{
    if (!violation.transfer)
        return nullptr;
    const std::size_t step = violation.step.value_or(0);
    return step < schedule.steps.size() && *violation.transfer < schedule.steps[step].size()
               ? &schedule.steps[step][*violation.transfer]
               : nullptr;
}

} // namespace

nlohmann::ordered_json violation_marks(std::span<const Violation> violations, const Schedule& schedule,
                                       const Topology& topology, std::span<const std::uint32_t> nodes)
{
    nlohmann::ordered_json marks = nlohmann::ordered_json::array();
    for (const Violation& violation : violations.first(std::min(violations.size(), most_marks))) {
        nlohmann::ordered_json links = nlohmann::ordered_json::array(), ends = links;
        const auto add_link = [&](std::size_t link) {
            if (link < topology.channel_count())
                links.push_back(link);
        };
        const auto add_node = [&](std::size_t node) {
            if (node < nodes.size())
                ends.push_back(nodes[node]);
        };
        const Transfer* const transfer = transfer_of(violation, schedule);
        if (violation.channel)
            add_link(*violation.channel);
        else if (transfer != nullptr)
            for (const auto link : transfer->links())
                add_link(link);
        if (violation.processor)
            add_node(*violation.processor);
        else if (transfer != nullptr && links.empty())
            for (const auto node : {transfer->source, transfer->destination})
                add_node(node);
        marks.push_back({{"text", violation.text}, {"nodes", ends}, {"links", links}});
    }
    return marks;
}

nlohmann::ordered_json violation_marks(std::span<const Violation> violations, const Schedule& schedule,
                                       const Topology& topology)
{
    std::vector<std::uint32_t> nodes;
    for (ProcessorId processor = 0; processor < topology.processor_count(); ++processor)
        nodes.push_back(page_node(topology, processor));
    return violation_marks(violations, schedule, topology, nodes);
}

} // namespace nocturne
