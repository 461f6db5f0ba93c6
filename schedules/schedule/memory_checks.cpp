#include "schedules/schedule/contribution_checks.hpp"
#include "schedules/schedule/memory_form.hpp"
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
        : MemoryReport(schedule, network), usable_(std::move(form.usable)),
          contributions_(
              schedule, false, [&network](NodeId node) { return network.node_name(node); },
              [this](const ContributionChecks::Finding& finding) { add(finding); })
    {
        found_ = std::move(form.violations);
    }

    std::vector<Violation> judge()
    {
        contributions_.begin();
        if (in_steps()) {
            judge_capacity();
            run_steps();
        } else {
            run_dependencies();
        }
        std::stable_sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) {
            return std::pair(a.step.value_or(0), a.transfer.value_or(0)) <
                   std::pair(b.step.value_or(0), b.transfer.value_or(0));
        });
        judge_results();
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

    void add(const ContributionChecks::Finding& finding)
    {
        Violation& violation =
            finding.place
                ? report_transfer(finding.rule,
                                  transfers_.number_of(finding.place->step, finding.place->transfer),
                                  finding.text)
                : report(finding.rule, finding.text);
        violation.processor = finding.processor;
        violation.chunk = finding.chunk;
        violation.contributor = finding.contributor;
    }

    void run_steps()
    {
        for (std::size_t step = 0; step < schedule_.steps.size(); ++step) {
            std::vector<Place> usable;
            for (std::size_t i = 0; i < schedule_.steps[step].size(); ++i)
                if (usable_[transfers_.number_of(step, i)])
                    usable.push_back({step, i});
            contributions_.run_step(usable);
        }
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

    void run_dependencies()
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
            judge_access(accesses[place_key(transfer.source, transfer.message)], id, Accesses::Kind::read,
                         ends_before);
            const Place place{transfers_.step_of(id), number_in_step(id)};
            PlaceValue came = contributions_.read(place);
            judge_access(accesses[place_key(transfer.destination, transfer.to)], id,
                         transfer.operation == Operation::add ? Accesses::Kind::addition
                                                              : Accesses::Kind::copy,
                         ends_before);
            contributions_.write(place, std::move(came));
        }
    }

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

    void judge_results()
    {
        std::unordered_map<std::uint64_t, PlaceId> place_of;
        for (const ChunkPlacement& output : schedule_.outputs)
            place_of[place_key(output.processor, output.chunk)] = output.place;
        for (const Demand& demand : schedule_.collective.demands) {
            const auto elsewhere = place_of.find(place_key(demand.receiver, demand.chunk));
            contributions_.judge_result(demand,
                                        elsewhere == place_of.end() ? demand.chunk : elsewhere->second);
        }
        if (keeps_own(schedule_.collective.kind))
            judge_kept(place_of);
    }

    /// What an origin has from the beginning is a part of its result: where that is, or else where it was.
    void judge_kept(const std::unordered_map<std::uint64_t, PlaceId>& output_of)
    {
        std::unordered_map<std::uint64_t, PlaceId> input_of;
        for (const ChunkPlacement& input : schedule_.inputs)
            input_of[place_key(input.processor, input.chunk)] = input.place;
        const auto& chunks = schedule_.collective.chunks;
        for (ChunkId chunk = 0; chunk < chunks.size(); ++chunk) {
            const ProcessorList& origin = chunks[chunk].contributors;
            if (origin.size() > 1 || std::ranges::any_of(schedule_.collective.demands.of(chunk), is_own))
                continue;
            const std::uint64_t own = place_key(origin.front(), chunk);
            PlaceId place = chunk;
            if (const auto output = output_of.find(own); output != output_of.end())
                place = output->second;
            else if (const auto input = input_of.find(own); input != input_of.end())
                place = input->second;
            contributions_.judge_result({chunk, origin.front(), origin}, place);
        }
    }

    std::vector<bool> usable_; ///< transfers that can be followed
    ContributionChecks contributions_;
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
