#include "schedules/schedule/contribution_checks.hpp"
#include "schedules/schedule/memory_form.hpp"
#include "schedules/schedule/transfer_order.hpp"
#include "schedules/schedule/validator.hpp"

#include <boost/container/small_vector.hpp>
#include <boost/pending/disjoint_sets.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

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
        if (in_steps()) {
            contributions_.begin();
            judge_capacity();
            run_steps();
            judge_results(all_chunks());
        } else {
            run_dependencies();
        }
        std::ranges::stable_sort(found_, {}, [](const Violation& violation) {
            return std::pair(violation.step.value_or(0), violation.transfer.value_or(0));
        });
        for (std::vector<Violation>* const results : {&owed_, &kept_}) {
            std::ranges::stable_sort(*results, {}, &Violation::chunk);
            std::ranges::move(*results, std::back_inserter(found_));
        }
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
        const Apart apart = chunks_apart(order);
        for (std::size_t set = 0; set < apart.sets; ++set) {
            contributions_.begin(apart.chunks.of(set));
            run(apart.transfers.of(set), ends_before);
            judge_results(apart.chunks.of(set));
        }
    }

    /// In this order, of places that no other transfer uses.
    void run(std::span<const std::uint32_t> transfers, EndsBeforeStart& ends_before)
    {
        std::unordered_map<std::uint64_t, Accesses> accesses;
        accesses.reserve(2 * transfers.size());
        for (const std::uint32_t id : transfers) {
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

    /// Lists side by side.
    struct Lists {
        std::vector<std::size_t> ends;
        std::vector<std::uint32_t> all;

        std::span<const std::uint32_t> of(std::size_t list) const
        {
            const std::size_t begin = list == 0 ? 0 : ends[list - 1];
            return std::span(all).subspan(begin, ends[list] - begin);
        }
    };

    /// `items` by `list_of(item)`, which keep their order.
    template <class ListOf>
    static Lists sorted_by(const ListOf& list_of, std::span<const std::uint32_t> items, std::size_t lists)
    {
        Lists result{std::vector<std::size_t>(lists, 0), std::vector<std::uint32_t>(items.size())};
        for (const std::uint32_t item : items)
            ++result.ends[list_of(item)];
        std::partial_sum(result.ends.begin(), result.ends.end(), result.ends.begin());
        for (auto item = items.rbegin(); item != items.rend(); ++item)
            result.all[--result.ends[list_of(*item)]] = *item;
        // Each end has become its list's begin.
        result.ends.push_back(items.size());
        result.ends.erase(result.ends.begin());
        return result;
    }

    /// Sets of chunks, and the transfers that use their places and no others, in the order that they are in.
    struct Apart {
        std::size_t sets;
        Lists chunks;
        Lists transfers;
    };

    std::vector<ChunkId> all_chunks() const
    {
        std::vector<ChunkId> chunks(chunks_.size());
        std::iota(chunks.begin(), chunks.end(), ChunkId{0});
        return chunks;
    }

    /// As few chunks at a time as places allow: what is at the places of a million takes gigabytes.
    Apart chunks_apart(const std::vector<std::uint32_t>& order) const
    {
        std::vector<std::uint32_t> usable;
        std::ranges::copy_if(order, std::back_inserter(usable),
                             [&](std::uint32_t id) { return usable_[id]; });
        std::size_t places = chunks_.size();
        for (const std::uint32_t id : usable)
            places = std::max<std::size_t>({places, transfers_[id].message + 1ULL, transfers_[id].to + 1ULL});
        const std::size_t most_places = 2 * (chunks_.size() + usable.size());
        if (!schedule_.inputs.empty() || !schedule_.outputs.empty() || places > most_places)
            return {1, {{chunks_.size()}, all_chunks()}, {{usable.size()}, usable}};
        std::vector<std::uint32_t> rank(places, 0), parent(places);
        std::iota(parent.begin(), parent.end(), 0U);
        boost::disjoint_sets sets(rank.data(), parent.data());
        for (const std::uint32_t id : usable)
            sets.union_set(std::uint32_t{transfers_[id].message}, std::uint32_t{transfers_[id].to});
        constexpr std::uint32_t none = ~0U;
        std::vector<std::uint32_t> number(places, none), set_of(places);
        std::uint32_t count = 0;
        for (std::uint32_t place = 0; place < places; ++place) {
            std::uint32_t& set = number[sets.find_set(place)];
            if (set == none)
                set = count++;
            set_of[place] = set;
        }
        return {count, sorted_by([&](ChunkId chunk) { return set_of[chunk]; }, all_chunks(), count),
                sorted_by([&](std::uint32_t id) { return set_of[transfers_[id].message]; }, usable, count)};
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

    /// Is `b` behind all that `a` is behind? Hundreds that wait for the same, or for each other, need one
    /// search only.
    bool waits_alike(std::uint32_t a, std::uint32_t b) const
    {
        const Transfer& one = transfers_[a];
        const auto before = schedule_.after.of(a), others = schedule_.after.of(b);
        if (std::ranges::find(others, a) != others.end())
            return true;
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

    /// Of what has just been followed.
    void judge_results(std::span<const ChunkId> chunks)
    {
        const auto before = static_cast<std::ptrdiff_t>(found_.size());
        const auto move_to = [&](std::vector<Violation>& results) {
            std::move(found_.begin() + before, found_.end(), std::back_inserter(results));
            found_.erase(found_.begin() + before, found_.end());
        };
        for (const ChunkId chunk : chunks)
            for (const Demand& demand : schedule_.collective.demands.of(chunk))
                contributions_.judge_result(demand,
                                            placed(output_of_, demand.receiver, chunk).value_or(chunk));
        move_to(owed_);
        if (keeps_own(schedule_.collective.kind))
            for (const ChunkId chunk : chunks)
                judge_kept(chunk);
        move_to(kept_);
    }

    /// What an origin has from the beginning is a part of its result: where that is, or else where it was.
    void judge_kept(ChunkId chunk)
    {
        const ProcessorList& origin = chunks_[chunk].contributors;
        if (origin.size() > 1 || std::ranges::any_of(schedule_.collective.demands.of(chunk), is_own))
            return;
        const auto output = placed(output_of_, origin.front(), chunk),
                   input = placed(input_of_, origin.front(), chunk);
        contributions_.judge_result({chunk, origin.front(), origin},
                                    output ? *output : input.value_or(chunk));
    }

    using PlaceOf = std::unordered_map<std::uint64_t, PlaceId>; ///< by processor and chunk

    static PlaceOf places_of(const std::vector<ChunkPlacement>& placements)
    {
        PlaceOf places;
        for (const ChunkPlacement& placement : placements)
            places[place_key(placement.processor, placement.chunk)] = placement.place;
        return places;
    }

    static std::optional<PlaceId> placed(const PlaceOf& places, ProcessorId processor, ChunkId chunk)
    {
        const auto found = places.find(place_key(processor, chunk));
        return found == places.end() ? std::nullopt : std::optional(found->second);
    }

    std::vector<bool> usable_; ///< transfers that can be followed
    PlaceOf input_of_ = places_of(schedule_.inputs);
    PlaceOf output_of_ = places_of(schedule_.outputs);
    std::vector<Violation> owed_; ///< of results: what is owed, and what an origin has
    std::vector<Violation> kept_;
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
