#include "schedules/schedule/memory_form.hpp"

#include "schedules/schedule/contribution_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

namespace nocturne {

std::string MemoryReport::describe(std::uint32_t id) const
{
    const Transfer& transfer = transfers_[id];
    const auto name = [&](NodeId node) {
        return node < network_.node_count() ? network_.node_name(node) : fmt::format("#{}", node);
    };
    const std::string where = in_steps() ? fmt::format("step {}, ", transfers_.step_of(id) + 1) : "";
    return fmt::format("{}transfer {} ({}>{}, {})", where, number_in_step(id) + 1, name(transfer.source),
                       name(transfer.destination), describe_place(schedule_.collective, transfer.message));
}

Violation& MemoryReport::report(Rule rule, std::string text)
{
    found_.push_back({rule, {}, {}, {}, {}, std::move(text)});
    return found_.back();
}

Violation& MemoryReport::report_transfer(Rule rule, std::uint32_t id, const std::string& text)
{
    Violation& violation = report(rule, fmt::format("{}: {}", describe(id), text));
    violation.transfer = number_in_step(id);
    if (in_steps())
        violation.step = transfers_.step_of(id);
    return violation;
}

namespace {

class FormJudge final : private MemoryReport {
public:
    using MemoryReport::MemoryReport;

    MemoryForm judge()
    {
        std::vector<bool> usable;
        const bool can_run = judge_collective() && judge_placements();
        judge_rounds();
        for (std::uint32_t id = 0; can_run && id < transfers_.size(); ++id)
            usable.push_back(judge_transfer(id));
        return {std::move(found_), std::move(usable), can_run};
    }

private:
    bool holds(NodeId node) const { return network_.kind(node) != NodeKind::plain_switch; }

    bool judge_collective()
    {
        const Collective& collective = schedule_.collective;
        if (collective.processors != network_.processor_count()) {
            report(Rule::wrong_topology,
                   fmt::format("the collective is for {} processors, {} has {}", collective.processors,
                               network_.name(), network_.processor_count()));
            return false;
        }
        const auto is_set = [&](const std::vector<std::uint32_t>& processors) {
            return !processors.empty() && processors.back() < collective.processors &&
                   std::ranges::adjacent_find(processors, std::greater_equal<>{}) == processors.end();
        };
        for (ChunkId chunk = 0; chunk < chunks_.size(); ++chunk)
            if (chunks_[chunk].weight == 0 || !is_set(chunks_[chunk].contributors)) {
                report(Rule::wrong_collective,
                       fmt::format("chunk {} has no size, or contributors that do not exist, in order and "
                                   "once",
                                   chunk))
                    .chunk = chunk;
                return false;
            }
        std::unordered_set<std::uint64_t> owed;
        using List = const std::vector<std::uint32_t>*;
        std::pair<List, List>
            known; // those of the chunk and of the demand before, which share them with most
        for (std::size_t index = 0; index < collective.demands.size(); ++index) {
            const Demand& demand = collective.demands[index];
            const bool exists = demand.chunk < chunks_.size() && demand.receiver < collective.processors;
            const auto contributes = [&] {
                const std::vector<std::uint32_t>& all = chunks_[demand.chunk].contributors;
                const std::vector<std::uint32_t>& some = demand.contributors;
                if (std::pair<List, List>(&all, &some) == known)
                    return true;
                known = {&all, &some};
                return is_set(some) && std::includes(all.begin(), all.end(), some.begin(), some.end());
            };
            if (!exists || !contributes() || !owed.insert(place_key(demand.receiver, demand.chunk)).second) {
                report(Rule::wrong_collective,
                       fmt::format("demand {} names a chunk, receiver or contributor that does not exist, or "
                                   "one that another demand names",
                                   index + 1));
                return false;
            }
        }
        return true;
    }

    bool judge_placements()
    {
        const std::size_t before = found_.size();
        std::set<std::pair<std::uint32_t, PlaceId>> taken;
        std::set<std::pair<std::uint32_t, ChunkId>> placed;
        const auto contributes = [&](std::uint32_t processor, ChunkId chunk) {
            return chunk < chunks_.size() &&
                   std::ranges::binary_search(chunks_[chunk].contributors, processor);
        };
        for (const ChunkPlacement& input : schedule_.inputs)
            if (!placed.emplace(input.processor, input.chunk).second)
                report(Rule::unknown_place,
                       fmt::format("the input of chunk {} at processor {} has two places", input.chunk,
                                   input.processor));
        for (const ChunkPlacement& input : schedule_.inputs)
            if (!contributes(input.processor, input.chunk) ||
                !taken.emplace(input.processor, input.place).second ||
                (contributes(input.processor, input.place) &&
                 !placed.contains({input.processor, input.place})))
                report(
                    Rule::unknown_place,
                    fmt::format("the input of chunk {} at processor {} is none of its contributions, or is "
                                "where another is",
                                input.chunk, input.processor));
        taken.clear();
        placed.clear();
        for (const ChunkPlacement& output : schedule_.outputs)
            if (output.chunk >= chunks_.size() || output.processor >= network_.processor_count() ||
                !taken.emplace(output.processor, output.place).second ||
                !placed.emplace(output.processor, output.chunk).second)
                report(Rule::unknown_place,
                       fmt::format("the output of chunk {} at processor {} does not exist, or is where "
                                   "another is",
                                   output.chunk, output.processor));
        return found_.size() == before;
    }

    void judge_rounds()
    {
        const std::size_t steps = schedule_.steps.size(), rounds = schedule_.rounds.size();
        if (!in_steps() && (rounds > 0 || steps > 1))
            report(Rule::wrong_step, "it has rounds, or several lists of transfers, without steps");
        else if (in_steps() && rounds > steps)
            report(Rule::wrong_step, fmt::format("it has rounds of {} steps, and {} steps", rounds, steps));
        for (std::size_t step = 0; in_steps() && step < std::min(rounds, steps); ++step)
            if (schedule_.rounds[step] == 0)
                report(Rule::wrong_step, fmt::format("step {} has no rounds", step + 1));
    }

    bool judge_transfer(std::uint32_t id)
    {
        const Transfer& transfer = transfers_[id];
        const std::size_t before = found_.size();
        if (transfer.source >= network_.node_count() || transfer.destination >= network_.node_count()) {
            report_transfer(Rule::unknown_node, id, "a node of it does not exist");
        } else {
            judge_path(id);
            for (const NodeId node : {transfer.source, transfer.destination})
                if (!holds(node))
                    report_transfer(Rule::stored_in_switch, id,
                                    fmt::format("{} holds nothing", network_.node_name(node)))
                        .processor = node;
            if (transfer.operation == Operation::add &&
                network_.kind(transfer.destination) == NodeKind::copying_switch)
                report_transfer(Rule::stored_in_switch, id,
                                fmt::format("{} does not add", network_.node_name(transfer.destination)))
                    .processor = transfer.destination;
        }
        judge_time(id);
        return found_.size() == before && (!in_steps() || rounds_of(transfers_.step_of(id)) > 0);
    }

    void judge_path(std::uint32_t id)
    {
        const Transfer& transfer = transfers_[id];
        NodeId at = transfer.source;
        const std::span<const LinkId> path = transfer.links();
        for (const LinkId& link : path) {
            if (link >= network_.link_count()) {
                report_transfer(Rule::unknown_channel, id, fmt::format("link {} does not exist", link))
                    .channel = link;
                return;
            }
            if (network_.link(link).source != at) {
                report_transfer(Rule::broken_path, id,
                                fmt::format("link {} does not begin at {}", describe_link(network_, link),
                                            network_.node_name(at)))
                    .channel = link;
                return;
            }
            at = network_.link(link).target;
            if (&link != &path.back() && network_.kind(at) == NodeKind::processor) {
                report_transfer(
                    Rule::crossed_node, id,
                    fmt::format("the path crosses {}, which stores what comes", network_.node_name(at)))
                    .processor = at;
                return;
            }
        }
        std::vector<LinkId> sorted(path.begin(), path.end());
        std::ranges::sort(sorted);
        if (path.empty() && !transfer.is_local())
            report_transfer(Rule::broken_path, id, "it has no path");
        else if (!path.empty() && transfer.is_local())
            report_transfer(Rule::broken_path, id, "the path leads back to where it begins");
        else if (at != transfer.destination)
            report_transfer(Rule::broken_path, id,
                            fmt::format("the path ends at {}", network_.node_name(at)));
        else if (std::ranges::adjacent_find(sorted) != sorted.end())
            report_transfer(Rule::repeated_channel, id, "the path takes a link twice");
    }

    void judge_time(std::uint32_t id)
    {
        for (const std::uint32_t before : schedule_.after.of(id))
            if (in_steps() || before >= transfers_.size())
                report_transfer(Rule::unknown_dependency, id,
                                in_steps() ? "it waits for a transfer, in a schedule in steps"
                                           : fmt::format("it waits for transfer {}, which does not exist",
                                                         std::uint64_t{before} + 1));
        if (in_steps() && !schedule_.rounds.empty() && transfers_.step_of(id) >= schedule_.rounds.size())
            report_transfer(Rule::wrong_step, id, "its step does not exist");
    }
};

} // namespace

MemoryForm judge_form(const Schedule& schedule, const LinkNetwork& network)
{
    return FormJudge{schedule, network}.judge();
}

} // namespace nocturne
