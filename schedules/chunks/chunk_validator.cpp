#include "schedules/chunks/chunk_validator.hpp"

#include "schedules/chunks/place_values.hpp"
#include "schedules/chunks/transfer_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace nocturne {

std::string_view to_string(ChunkRule rule)
{
    return chunk_rule_table[static_cast<std::size_t>(rule)].name;
}

namespace {

class ChunkJudge {
public:
    ChunkJudge(const ChunkedSchedule& schedule, const LinkNetwork& network)
        : schedule_(schedule), network_(network), chunks_(schedule.collective.chunks),
          usable_(schedule.transfers.size(), true)
    {
    }

    std::vector<ChunkViolation> judge()
    {
        if (!judge_collective() || !judge_placements())
            return std::move(found_);
        for (std::uint32_t id = 0; id < usable_.size(); ++id)
            judge_transfer(id);
        PlaceValues places{schedule_};
        if (in_steps()) {
            judge_capacity();
            run_steps(places);
        } else {
            run_dependencies(places);
        }
        std::stable_sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) {
            return a.transfer.value_or(0) < b.transfer.value_or(0);
        });
        judge_results(places);
        return std::move(found_);
    }

private:
    bool in_steps() const { return schedule_.synchronization == ChunkSynchronization::steps; }
    bool holds(NodeId node) const { return network_.kind(node) != NodeKind::plain_switch; }

    /// "step 2, transfer 5 (0>4, chunk 7)"
    std::string describe(std::uint32_t id) const
    {
        const ChunkTransfer& transfer = schedule_.transfers[id];
        const auto name = [&](NodeId node) {
            return node < network_.node_count() ? network_.node_name(node) : fmt::format("#{}", node);
        };
        const std::string where = in_steps() ? fmt::format("step {}, ", transfer.step + 1) : "";
        return fmt::format("{}transfer {} ({}>{}, {})", where, id + 1, name(transfer.source),
                           name(transfer.destination), describe_place(transfer.from));
    }

    std::string describe_place(PlaceId place) const
    {
        return place < chunks_.size() ? fmt::format("chunk {}", place)
                                      : fmt::format("scratch {}", place - chunks_.size());
    }

    ChunkViolation& report(ChunkRule rule, std::string text)
    {
        found_.push_back({rule, std::nullopt, {}, {}, {}, {}, std::move(text)});
        return found_.back();
    }

    ChunkViolation& report_transfer(ChunkRule rule, std::uint32_t id, const std::string& text)
    {
        ChunkViolation& violation = report(rule, fmt::format("{}: {}", describe(id), text));
        violation.transfer = id;
        return violation;
    }

    bool judge_collective()
    {
        const ChunkedCollective& collective = schedule_.collective;
        if (collective.processors != network_.processor_count()) {
            report(ChunkRule::wrong_network,
                   fmt::format("the collective is for {} processors, {} has {}", collective.processors,
                               network_.name(), network_.processor_count()));
            return false;
        }
        const auto is_set = [&](const std::vector<std::uint32_t>& processors) {
            return !processors.empty() && processors.back() < collective.processors &&
                   std::adjacent_find(processors.begin(), processors.end(), std::greater_equal<>{}) ==
                       processors.end();
        };
        for (ChunkId chunk = 0; chunk < chunks_.size(); ++chunk)
            if (chunks_[chunk].weight == 0 || !is_set(chunks_[chunk].contributors)) {
                report(ChunkRule::wrong_collective,
                       fmt::format("chunk {} has no size, or contributors that do not exist, in order and "
                                   "once",
                                   chunk))
                    .chunk = chunk;
                return false;
            }
        std::set<std::pair<ChunkId, std::uint32_t>> owed;
        for (std::size_t index = 0; index < collective.demands.size(); ++index) {
            const ChunkDemand& demand = collective.demands[index];
            const bool exists = demand.chunk < chunks_.size() && demand.receiver < collective.processors &&
                                is_set(demand.contributors);
            const auto contributes = [&] {
                const auto& all = chunks_[demand.chunk].contributors;
                return std::includes(all.begin(), all.end(), demand.contributors.begin(),
                                     demand.contributors.end());
            };
            if (!exists || !contributes() || !owed.emplace(demand.chunk, demand.receiver).second) {
                report(ChunkRule::wrong_collective,
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
        for (const ChunkPlacement& input : schedule_.inputs) {
            const bool contributes =
                input.chunk < chunks_.size() &&
                std::binary_search(chunks_[input.chunk].contributors.begin(),
                                   chunks_[input.chunk].contributors.end(), input.processor);
            if (!contributes || !taken.emplace(input.processor, input.place).second ||
                !placed.emplace(input.processor, input.chunk).second)
                report(
                    ChunkRule::unknown_place,
                    fmt::format("the input of chunk {} at processor {} is none of its contributions, or is "
                                "where another is",
                                input.chunk, input.processor));
        }
        taken.clear();
        placed.clear();
        for (const ChunkPlacement& output : schedule_.outputs)
            if (output.chunk >= chunks_.size() || output.processor >= network_.processor_count() ||
                !taken.emplace(output.processor, output.place).second ||
                !placed.emplace(output.processor, output.chunk).second)
                report(ChunkRule::unknown_place,
                       fmt::format("the output of chunk {} at processor {} does not exist, or is where "
                                   "another is",
                                   output.chunk, output.processor));
        return found_.size() == before;
    }

    void judge_transfer(std::uint32_t id)
    {
        const ChunkTransfer& transfer = schedule_.transfers[id];
        const std::size_t before = found_.size();
        if (transfer.source >= network_.node_count() || transfer.destination >= network_.node_count()) {
            report_transfer(ChunkRule::unknown_node, id, "a node of it does not exist");
        } else {
            judge_path(id);
            for (const NodeId node : {transfer.source, transfer.destination})
                if (!holds(node))
                    report_transfer(ChunkRule::stored_in_switch, id,
                                    fmt::format("{} holds nothing", network_.node_name(node)))
                        .node = node;
            if (transfer.operation == ChunkOperation::add &&
                network_.kind(transfer.destination) == NodeKind::copying_switch)
                report_transfer(ChunkRule::stored_in_switch, id,
                                fmt::format("{} does not add", network_.node_name(transfer.destination)))
                    .node = transfer.destination;
        }
        judge_time(id);
        usable_[id] = found_.size() == before;
    }

    void judge_path(std::uint32_t id)
    {
        const ChunkTransfer& transfer = schedule_.transfers[id];
        NodeId at = transfer.source;
        for (const LinkId link : transfer.path) {
            if (link >= network_.link_count()) {
                report_transfer(ChunkRule::unknown_link, id, fmt::format("link {} does not exist", link))
                    .link = link;
                return;
            }
            if (network_.link(link).source != at) {
                report_transfer(ChunkRule::broken_path, id,
                                fmt::format("link {} does not begin at {}", describe_link(network_, link),
                                            network_.node_name(at)))
                    .link = link;
                return;
            }
            at = network_.link(link).target;
        }
        std::vector<LinkId> sorted = transfer.path;
        std::sort(sorted.begin(), sorted.end());
        if (at != transfer.destination)
            report_transfer(ChunkRule::broken_path, id,
                            fmt::format("the path ends at {}", network_.node_name(at)));
        else if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
            report_transfer(ChunkRule::broken_path, id, "the path takes a link twice");
        else if (transfer.path.empty() && transfer.source != transfer.destination)
            report_transfer(ChunkRule::broken_path, id, "it has no path");
    }

    void judge_time(std::uint32_t id)
    {
        const ChunkTransfer& transfer = schedule_.transfers[id];
        for (const std::uint32_t before : transfer.after)
            if (in_steps() || before >= schedule_.transfers.size())
                report_transfer(ChunkRule::unknown_dependency, id,
                                in_steps() ? "it waits for a transfer, in a schedule in steps"
                                           : fmt::format("it waits for transfer {}, which does not exist",
                                                         std::uint64_t{before} + 1));
        if (!in_steps()) {
            if (transfer.step != 0 || (id == 0 && !schedule_.rounds.empty()))
                report_transfer(ChunkRule::wrong_step, id, "it has a step, in a schedule without");
            return;
        }
        if (transfer.step >= schedule_.rounds.size() || schedule_.rounds[transfer.step] == 0)
            report_transfer(ChunkRule::wrong_step, id, "its step does not exist, or has no rounds");
        else if (id > 0 && transfer.step < schedule_.transfers[id - 1].step)
            report_transfer(ChunkRule::wrong_step, id, "it is listed after transfers of later steps");
    }

    void judge_capacity()
    {
        std::vector<std::uint64_t> carried(network_.link_count(), 0);
        std::vector<bool> reported(network_.link_count(), false);
        std::vector<LinkId> touched;
        std::uint32_t step = 0;
        const std::vector<std::uint32_t> weights = transfer_weights(schedule_);
        for (std::uint32_t id = 0; id < schedule_.transfers.size(); ++id) {
            if (!usable_[id])
                continue;
            const ChunkTransfer& transfer = schedule_.transfers[id];
            if (transfer.step != step) {
                for (const LinkId link : touched) {
                    carried[link] = 0;
                    reported[link] = false;
                }
                touched.clear();
                step = transfer.step;
            }
            for (const LinkId link : transfer.path) {
                const std::uint64_t capacity = network_.units(link) * schedule_.rounds[step];
                carried[link] += weights[id];
                touched.push_back(link);
                if (carried[link] > capacity && !reported[link]) {
                    reported[link] = true;
                    report_transfer(ChunkRule::link_overfull, id,
                                    fmt::format("link {} carries {} in {} round{} and not more",
                                                describe_link(network_, link), capacity,
                                                schedule_.rounds[step],
                                                schedule_.rounds[step] == 1 ? "" : "s"))
                        .link = link;
                }
            }
        }
    }

    /// What a transfer reads; unknown, and reported, if nothing is there.
    PlaceValue read(const PlaceValues& places, std::uint32_t id)
    {
        const ChunkTransfer& transfer = schedule_.transfers[id];
        if (const PlaceValue* value = places.find(transfer.source, transfer.from))
            return *value;
        report_transfer(ChunkRule::nothing_there, id,
                        fmt::format("{} has nothing in the place of {}", network_.node_name(transfer.source),
                                    describe_place(transfer.from)))
            .node = transfer.source;
        return {};
    }

    void write(PlaceValues& places, std::uint32_t id, const PlaceValue& came)
    {
        const ChunkTransfer& transfer = schedule_.transfers[id];
        if (transfer.operation == ChunkOperation::copy)
            places.set(transfer.destination, transfer.to, came);
        else
            places.set(transfer.destination, transfer.to,
                       sum_of(places.find(transfer.destination, transfer.to), came, id));
    }

    PlaceValue sum_of(const PlaceValue* there, const PlaceValue& came, std::uint32_t id)
    {
        const ChunkTransfer& transfer = schedule_.transfers[id];
        if (there == nullptr) {
            report_transfer(ChunkRule::nothing_there, id,
                            fmt::format("{} has nothing to add to in the place of {}",
                                        network_.node_name(transfer.destination),
                                        describe_place(transfer.to)))
                .node = transfer.destination;
            return came;
        }
        if (!there->is_known() || !came.is_known())
            return {};
        if (there->chunk != came.chunk) {
            report_transfer(ChunkRule::different_chunks, id,
                            fmt::format("chunk {} is added to chunk {}", came.chunk, there->chunk))
                .node = transfer.destination;
            return {};
        }
        if (const auto twice = first_common(*there->contributions, *came.contributions)) {
            const std::uint32_t contributor = chunks_[came.chunk].contributors[*twice];
            ChunkViolation& violation =
                report_transfer(ChunkRule::added_twice, id,
                                fmt::format("the contribution of {} to chunk {} is in the sum at {} already",
                                            network_.node_name(contributor), came.chunk,
                                            network_.node_name(transfer.destination)));
            violation.node = transfer.destination;
            violation.chunk = came.chunk;
            violation.contributor = contributor;
        }
        return {came.chunk,
                std::make_shared<const ContributionBits>(united(*there->contributions, *came.contributions))};
    }

    void run_steps(PlaceValues& places)
    {
        const auto& transfers = schedule_.transfers;
        for (std::uint32_t begin = 0; begin < transfers.size();) {
            std::uint32_t end = begin;
            while (end < transfers.size() && transfers[end].step == transfers[begin].step)
                ++end;
            std::vector<PlaceValue> came(end - begin);
            std::vector<std::uint32_t> writers, locals;
            for (std::uint32_t id = begin; id < end; ++id)
                if (usable_[id] && transfers[id].path.empty()) {
                    locals.push_back(id);
                } else if (usable_[id]) {
                    came[id - begin] = read(places, id);
                    writers.push_back(id);
                }
            report_write_conflicts(writers);
            for (const std::uint32_t id : writers)
                write(places, id, came[id - begin]);
            for (const std::uint32_t id : locals)
                write(places, id, read(places, id));
            begin = end;
        }
    }

    void report_write_conflicts(std::vector<std::uint32_t> writers)
    {
        const auto place = [&](std::uint32_t id) {
            return std::tuple{schedule_.transfers[id].destination, schedule_.transfers[id].to};
        };
        const auto adds = [&](std::uint32_t id) {
            return schedule_.transfers[id].operation == ChunkOperation::add;
        };
        std::stable_sort(writers.begin(), writers.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
        for (std::size_t i = 1; i < writers.size(); ++i)
            if (place(writers[i]) == place(writers[i - 1]) && !(adds(writers[i]) && adds(writers[i - 1])))
                report_transfer(
                    ChunkRule::write_conflict, writers[i],
                    fmt::format("transfer {} of the same step writes there too", writers[i - 1] + 1))
                    .node = schedule_.transfers[writers[i]].destination;
    }

    /// The last to copy to a place, who has added since, and who has read since.
    struct Accesses {
        std::vector<std::uint32_t> writes; ///< the last copy, and additions since the reads before them
        std::vector<std::uint32_t> reads;
        bool begins_with_copy = false;
    };

    void run_dependencies(PlaceValues& places)
    {
        const std::vector<std::uint32_t> order = order_of_transfers(schedule_, network_);
        if (order.size() < schedule_.transfers.size()) {
            std::vector<bool> ordered(schedule_.transfers.size(), false);
            for (const std::uint32_t id : order)
                ordered[id] = true;
            const auto first = static_cast<std::uint32_t>(std::find(ordered.begin(), ordered.end(), false) -
                                                          ordered.begin());
            report_transfer(ChunkRule::circular_wait, first,
                            fmt::format("it waits for itself, or for a transfer that does; {} transfers wait "
                                        "for ever",
                                        schedule_.transfers.size() - order.size()));
        }
        EndsBeforeStart ends_before{schedule_, order};
        std::unordered_map<std::uint64_t, Accesses> accesses;
        for (const std::uint32_t id : order) {
            if (!usable_[id])
                continue;
            const ChunkTransfer& transfer = schedule_.transfers[id];
            judge_read(accesses[key(transfer.source, transfer.from)], id, ends_before);
            const PlaceValue came = read(places, id);
            judge_write(accesses[key(transfer.destination, transfer.to)], id, ends_before);
            write(places, id, came);
        }
    }

    static std::uint64_t key(NodeId node, PlaceId place) { return std::uint64_t{node} << 32 | place; }

    void judge_read(Accesses& place, std::uint32_t id, EndsBeforeStart& ends_before)
    {
        for (const std::uint32_t writer : place.writes)
            if (!ends_before(writer, id)) {
                report_race(id, writer, "reads what that one writes", schedule_.transfers[id].source);
                break;
            }
        place.reads.push_back(id);
    }

    void judge_write(Accesses& place, std::uint32_t id, EndsBeforeStart& ends_before)
    {
        const ChunkTransfer& transfer = schedule_.transfers[id];
        const bool adds = transfer.operation == ChunkOperation::add;
        for (const std::uint32_t reader : place.reads)
            if (reader != id && !ends_before(reader, id)) {
                report_race(id, reader, "writes what that one reads", transfer.destination);
                break;
            }
        for (std::size_t i = 0; i < place.writes.size(); ++i) {
            const std::uint32_t writer = place.writes[i];
            const bool both_add = adds && !(i == 0 && place.begins_with_copy);
            if (!both_add && !ends_before(writer, id) && !share_last_link(writer, id)) {
                report_race(id, writer, "writes where that one does", transfer.destination);
                break;
            }
        }
        // An access that follows this one follows, with it, all that this one had to follow.
        if (!adds) {
            place.writes.assign(1, id);
            place.begins_with_copy = true;
        } else {
            place.writes.push_back(id);
        }
        place.reads.clear();
    }

    /// One after the other on the same last link: the second arrives later.
    bool share_last_link(std::uint32_t first, std::uint32_t second) const
    {
        const auto& a = schedule_.transfers[first].path;
        const auto& b = schedule_.transfers[second].path;
        return !a.empty() && !b.empty() && a.back() == b.back();
    }

    void report_race(std::uint32_t id, std::uint32_t other, const std::string& what, NodeId node)
    {
        report_transfer(ChunkRule::race, id,
                        fmt::format("it {}, transfer {}, and does not wait for it", what, other + 1))
            .node = node;
    }

    void judge_results(const PlaceValues& places)
    {
        std::unordered_map<std::uint64_t, PlaceId> place_of;
        for (const ChunkPlacement& output : schedule_.outputs)
            place_of[key(output.processor, output.chunk)] = output.place;
        for (const ChunkDemand& demand : schedule_.collective.demands) {
            const auto elsewhere = place_of.find(key(demand.receiver, demand.chunk));
            judge_result(demand, places.find(demand.receiver,
                                             elsewhere == place_of.end() ? demand.chunk : elsewhere->second));
        }
    }

    void judge_result(const ChunkDemand& demand, const PlaceValue* value)
    {
        const auto report_result = [&](ChunkRule rule, const std::string& text) -> ChunkViolation& {
            ChunkViolation& violation = report(rule, fmt::format("chunk {} at {}: {}", demand.chunk,
                                                                 network_.node_name(demand.receiver), text));
            violation.node = demand.receiver;
            violation.chunk = demand.chunk;
            return violation;
        };
        if (value == nullptr) {
            report_result(ChunkRule::undelivered, "it never arrives");
            return;
        }
        if (!value->is_known())
            return;
        if (value->chunk != demand.chunk) {
            report_result(ChunkRule::different_chunks, fmt::format("chunk {} is in its place", value->chunk));
            return;
        }
        const Chunk& chunk = chunks_[demand.chunk];
        const ContributionBits owed = bits_of(chunk, demand.contributors);
        const auto report_contribution = [&](ChunkRule rule, std::size_t index, std::string_view text) {
            report_result(rule, fmt::format("the contribution of {} {}",
                                            network_.node_name(chunk.contributors[index]), text))
                .contributor = chunk.contributors[index];
        };
        if (const auto missing = first_beyond(owed, *value->contributions))
            report_contribution(ChunkRule::missing_contribution, *missing, "is missing");
        if (const auto extra = first_beyond(*value->contributions, owed))
            report_contribution(ChunkRule::extra_contribution, *extra, "is not owed");
    }

    const ChunkedSchedule& schedule_;
    const LinkNetwork& network_;
    const std::vector<Chunk>& chunks_;
    std::vector<bool> usable_; ///< transfers that can be followed
    std::vector<ChunkViolation> found_;
};

} // namespace

std::vector<ChunkViolation> validate(const ChunkedSchedule& schedule, const LinkNetwork& network)
{
    return ChunkJudge{schedule, network}.judge();
}

} // namespace nocturne
