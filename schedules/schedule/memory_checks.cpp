#include "schedules/schedule/memory_form.hpp"
#include "schedules/schedule/place_values.hpp"
#include "schedules/schedule/transfer_order.hpp"
#include "schedules/schedule/validator.hpp"

#include <boost/container/small_vector.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace nocturne {

namespace {

/// Follows what the transfers do.
class MemoryJudge final : private MemoryReport {
public:
    MemoryJudge(const Schedule& schedule, const LinkNetwork& network, MemoryForm form)
        : MemoryReport(schedule, network), usable_(std::move(form.usable))
    {
        found_ = std::move(form.violations);
    }

    std::vector<Violation> judge()
    {
        PlaceValues places{schedule_};
        if (in_steps()) {
            judge_capacity();
            run_steps(places);
        } else {
            run_dependencies(places);
        }
        std::stable_sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) {
            return std::pair(a.step.value_or(0), a.transfer.value_or(0)) <
                   std::pair(b.step.value_or(0), b.transfer.value_or(0));
        });
        judge_results(places);
        return std::move(found_);
    }

private:
    void judge_capacity()
    {
        std::vector<std::uint64_t> carried(network_.link_count(), 0);
        std::vector<bool> reported(network_.link_count(), false);
        const std::vector<std::uint32_t> weights = transfer_weights(schedule_);
        for (std::size_t step = 0; step < schedule_.steps.size(); ++step) {
            std::vector<LinkId> touched;
            for (std::uint32_t id = transfers_.first_of(step); id < transfers_.first_of(step + 1); ++id) {
                if (!usable_[id])
                    continue;
                for (const LinkId link : transfers_[id].links()) {
                    const std::uint64_t capacity = network_.units(link) * rounds_of(step);
                    carried[link] += weights[id];
                    touched.push_back(link);
                    if (carried[link] > capacity && !reported[link]) {
                        reported[link] = true;
                        report_transfer(Rule::link_overfull, id,
                                        fmt::format("link {} carries {} in {} round{} and not more",
                                                    describe_link(network_, link), capacity, rounds_of(step),
                                                    rounds_of(step) == 1 ? "" : "s"))
                            .channel = link;
                    }
                }
            }
            for (const LinkId link : touched) {
                carried[link] = 0;
                reported[link] = false;
            }
        }
    }

    /// What a transfer reads; unknown, and reported, if nothing is there.
    PlaceValue read(const PlaceValues& places, std::uint32_t id)
    {
        const Transfer& transfer = transfers_[id];
        if (const PlaceValue* value = places.find(transfer.source, transfer.message))
            return *value;
        report_transfer(Rule::nothing_there, id,
                        fmt::format("{} has nothing in the place of {}", network_.node_name(transfer.source),
                                    describe_place(transfer.message)))
            .processor = transfer.source;
        return {};
    }

    void write(PlaceValues& places, std::uint32_t id, const PlaceValue& came)
    {
        const Transfer& transfer = transfers_[id];
        if (transfer.operation == Operation::copy)
            places.set(transfer.destination, transfer.to, came);
        else
            places.set(transfer.destination, transfer.to,
                       sum_of(places.find(transfer.destination, transfer.to), came, id));
    }

    PlaceValue sum_of(const PlaceValue* there, const PlaceValue& came, std::uint32_t id)
    {
        const Transfer& transfer = transfers_[id];
        if (there == nullptr) {
            report_transfer(Rule::nothing_there, id,
                            fmt::format("{} has nothing to add to in the place of {}",
                                        network_.node_name(transfer.destination),
                                        describe_place(transfer.to)))
                .processor = transfer.destination;
            return came;
        }
        if (!there->is_known() || !came.is_known())
            return {};
        if (there->chunk != came.chunk) {
            report_transfer(Rule::different_chunks, id,
                            fmt::format("chunk {} is added to chunk {}", came.chunk, there->chunk))
                .processor = transfer.destination;
            return {};
        }
        if (const auto twice = first_common(*there->contributions, *came.contributions)) {
            const std::uint32_t contributor = chunks_[came.chunk].contributors[*twice];
            Violation& violation =
                report_transfer(Rule::added_twice, id,
                                fmt::format("the contribution of {} to chunk {} is in the sum at {} already",
                                            network_.node_name(contributor), came.chunk,
                                            network_.node_name(transfer.destination)));
            violation.processor = transfer.destination;
            violation.chunk = came.chunk;
            violation.contributor = contributor;
        }
        return {came.chunk,
                std::make_shared<const ContributionBits>(united(*there->contributions, *came.contributions))};
    }

    void run_steps(PlaceValues& places)
    {
        for (std::size_t step = 0; step < schedule_.steps.size(); ++step) {
            const std::uint32_t begin = transfers_.first_of(step), end = transfers_.first_of(step + 1);
            std::vector<PlaceValue> came(end - begin);
            std::vector<std::uint32_t> writers, locals;
            for (std::uint32_t id = begin; id < end; ++id)
                if (usable_[id] && transfers_[id].is_local()) {
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
        }
    }

    void report_write_conflicts(std::vector<std::uint32_t> writers)
    {
        const auto place = [&](std::uint32_t id) {
            return std::pair<NodeId, PlaceId>{transfers_[id].destination, transfers_[id].to};
        };
        const auto adds = [&](std::uint32_t id) { return transfers_[id].operation == Operation::add; };
        std::stable_sort(writers.begin(), writers.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
        for (std::size_t i = 1; i < writers.size(); ++i)
            if (place(writers[i]) == place(writers[i - 1]) && !(adds(writers[i]) && adds(writers[i - 1])))
                report_transfer(Rule::write_conflict, writers[i],
                                fmt::format("transfer {} of the same step writes there too",
                                            number_in_step(writers[i - 1]) + 1))
                    .processor = transfers_[writers[i]].destination;
    }

    /// The transfers that touched a place last. Those of a kind need no order among each other, but copies
    /// do: then there is one. Each of `now` has followed all of `before`, so that what follows one of `now`
    /// follows these too.
    struct Accesses {
        enum class Kind { read, addition, copy };

        boost::container::small_vector<std::uint32_t, 1> before = {};
        boost::container::small_vector<std::uint32_t, 1> now = {};
        Kind kind = Kind::read;  ///< of `now`
        bool last_races = false; ///< the last of `now` does not follow all of `before`
    };

    void run_dependencies(PlaceValues& places)
    {
        const std::vector<std::uint32_t> order = order_of_transfers(schedule_, network_);
        if (order.size() < transfers_.size()) {
            std::vector<bool> ordered(transfers_.size(), false);
            for (const std::uint32_t id : order)
                ordered[id] = true;
            const auto first = static_cast<std::uint32_t>(std::find(ordered.begin(), ordered.end(), false) -
                                                          ordered.begin());
            report_transfer(Rule::circular_wait, first,
                            fmt::format("it waits for itself, or for a transfer that does; {} transfers wait "
                                        "for ever",
                                        transfers_.size() - order.size()));
        }
        EndsBeforeStart ends_before{schedule_, order};
        std::unordered_map<std::uint64_t, Accesses> accesses;
        accesses.reserve(2 * order.size());
        for (const std::uint32_t id : order) {
            if (!usable_[id])
                continue;
            const Transfer& transfer = transfers_[id];
            judge_access(accesses[key(transfer.source, transfer.message)], id, Accesses::Kind::read,
                         ends_before);
            const PlaceValue came = read(places, id);
            judge_access(accesses[key(transfer.destination, transfer.to)], id,
                         transfer.operation == Operation::add ? Accesses::Kind::addition
                                                              : Accesses::Kind::copy,
                         ends_before);
            write(places, id, came);
        }
    }

    static std::uint64_t key(NodeId node, PlaceId place) { return std::uint64_t{node} << 32 | place; }

    void judge_access(Accesses& place, std::uint32_t id, Accesses::Kind kind, EndsBeforeStart& ends_before)
    {
        if (kind != place.kind || kind == Accesses::Kind::copy) {
            std::swap(place.before, place.now);
            place.now.clear();
            place.kind = kind;
        }
        const auto races = [&](std::uint32_t other) { return other != id && !ends_before(other, id); };
        if (place.now.empty() || place.last_races || !waits_alike(place.now.back(), id)) {
            const auto other = std::find_if(place.before.begin(), place.before.end(), races);
            place.last_races = other != place.before.end();
            if (place.last_races && kind == Accesses::Kind::read)
                report_race(id, *other, "reads what that one writes", transfers_[id].source);
            else if (place.last_races)
                report_race(id, *other, "writes what that one reads or writes", transfers_[id].destination);
        }
        place.now.push_back(id);
    }

    /// Is `b` behind all that `a` is behind? Hundreds that wait for the same need one search only.
    bool waits_alike(std::uint32_t a, std::uint32_t b) const
    {
        const Transfer& one = transfers_[a];
        const auto before = schedule_.after.of(a), others = schedule_.after.of(b);
        return !(one.is_local() && one.keeps_place()) &&
               std::equal(before.begin(), before.end(), others.begin(), others.end());
    }

    void report_race(std::uint32_t id, std::uint32_t other, const std::string& what, NodeId node)
    {
        report_transfer(
            Rule::race, id,
            fmt::format("it {}, transfer {}, and does not wait for it", what, number_in_step(other) + 1))
            .processor = node;
    }

    void judge_results(const PlaceValues& places)
    {
        std::unordered_map<std::uint64_t, PlaceId> place_of;
        for (const Placement& output : schedule_.outputs)
            place_of[key(output.processor, output.chunk)] = output.place;
        for (const Demand& demand : schedule_.collective.demands) {
            const auto elsewhere = place_of.find(key(demand.receiver, demand.chunk));
            judge_result(demand, places.find(demand.receiver,
                                             elsewhere == place_of.end() ? demand.chunk : elsewhere->second));
        }
    }

    void judge_result(const Demand& demand, const PlaceValue* value)
    {
        const auto report_result = [&](Rule rule, const std::string& text) -> Violation& {
            Violation& violation = report(rule, fmt::format("chunk {} at {}: {}", demand.chunk,
                                                            network_.node_name(demand.receiver), text));
            violation.processor = demand.receiver;
            violation.chunk = demand.chunk;
            return violation;
        };
        if (value == nullptr) {
            report_result(Rule::undelivered, "it never arrives");
            return;
        }
        if (!value->is_known())
            return;
        if (value->chunk != demand.chunk) {
            report_result(Rule::different_chunks, fmt::format("chunk {} is in its place", value->chunk));
            return;
        }
        const Chunk& chunk = chunks_[demand.chunk];
        const ContributionBits owed = bits_of(chunk, demand.contributors);
        const auto report_contribution = [&](Rule rule, std::size_t index, std::string_view text) {
            report_result(rule, fmt::format("the contribution of {} {}",
                                            network_.node_name(chunk.contributors[index]), text))
                .contributor = chunk.contributors[index];
        };
        if (const auto missing = first_beyond(owed, *value->contributions))
            report_contribution(Rule::missing_contribution, *missing, "is missing");
        if (const auto extra = first_beyond(*value->contributions, owed))
            report_contribution(Rule::extra_contribution, *extra, "is not owed");
    }

    std::vector<bool> usable_; ///< transfers that can be followed
};

} // namespace

std::vector<Violation> validate(const Schedule& schedule, const LinkNetwork& network)
{
    MemoryForm form = judge_form(schedule, network);
    if (!form.can_run)
        return std::move(form.violations);
    return MemoryJudge{schedule, network, std::move(form)}.judge();
}

} // namespace nocturne
