#include "schedules/reschedule/repair.hpp"

#include "models/routing/distances.hpp"
#include "models/routing/random.hpp"
#include "schedules/reschedule/delivery_places.hpp"
#include "schedules/reschedule/residual_paths.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/search/search_meter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

using Cost = DeliveryPlaces::Cost;

constexpr std::uint32_t any_hops = ~0U;

/// Where a delivery can go, and what pushing out what is there costs.
struct Choice {
    Cost cost = DeliveryPlaces::impossible;
    std::uint32_t hops = any_hops;
    DeliveryPlace place = {};

    bool is_perfect() const { return cost == 0 && hops == 0; }
};

class Repair {
public:
    Repair(const Problem& problem, unsigned steps, const SearchControl& control)
        : problem_(problem), topology_(problem.topology), meter_(control, "repair", steps),
          random_(control.seed), paths_(topology_), places_(problem, steps, *control.start)
    {
        if (problem.slack)
            for (const Processor& processor : topology_.processors())
                distances_.push_back(distances_to(topology_, processor.ejection));
        for (DeliveryId id = 0; id < places_.count(); ++id)
            if (!places_[id].now && places_.is_needed(id))
                pool_.push_back(id);
    }

    SearchResult run()
    {
        const bool is_whole = fill_in() && push_in();
        if (!is_whole)
            return {Outcome::gave_up, std::nullopt, meter_.tried(), pool_.size()};
        drop_idle_relays();
        go_back();
        return {Outcome::found, places_.schedule(), meter_.tried(), 0};
    }

private:
    std::uint32_t most_hops(ProcessorId source, ProcessorId destination) const
    {
        if (problem_.switching == Switching::store_and_forward)
            return 1;
        if (!problem_.slack)
            return any_hops;
        const std::uint64_t hops =
            std::uint64_t{distances_[destination][topology_.processor(source).injection]} + *problem_.slack;
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(hops, any_hops));
    }

    /// The cheapest place of at most `most_cost`, of equally cheap ones that with the fewest hops; nothing if
    /// there is none. Steps are tried from a random one on.
    std::optional<Choice> find_place(DeliveryId id, Cost most_cost)
    {
        const Delivery& delivery = places_[id];
        const std::span<const MessageHolder> holders = places_.holders(delivery.message);
        const bool is_relay = places_.passes_on(delivery);
        const std::uint32_t steps = places_.steps();
        const std::uint32_t offset = random_.below(steps);
        Choice best;
        for (std::uint32_t i = 0; i < steps && !best.is_perfect(); ++i) {
            const std::uint32_t step = i + offset < steps ? i + offset : i + offset - steps;
            const Cost limit = std::min(most_cost, best.cost);
            const Cost fixed = places_.receive_price(step, delivery.destination) +
                               (is_relay ? places_.children_price(delivery, step) : 0);
            if (fixed > limit)
                continue;
            meter_.count();
            if (holders.size() == 1 && is_shut_off(holders.front().processor, delivery.destination,
                                                   places_.channel_prices(step), limit - fixed))
                continue;
            std::uint32_t hops = problem_.switching == Switching::store_and_forward ? 1 : any_hops;
            if (best.cost == 0) // only a shorter path is better
                hops = std::min(hops, best.hops - 1);
            paths_.search(topology_.processor(delivery.destination).ejection, places_.channel_prices(step),
                          limit - fixed, hops);
            for (const MessageHolder& holder : holders)
                if (holder.from <= step && holder.processor != delivery.destination)
                    look_at(holder.processor, delivery.destination, step, fixed, best);
        }
        if (best.cost > most_cost)
            return std::nullopt;
        return best;
    }

    /// Does every channel out of the source, or into the destination, cost more than that by itself? In a
    /// schedule that uses its channels in every step most steps are ruled out by that alone.
    bool is_shut_off(ProcessorId source, ProcessorId destination, std::span<const Cost> prices,
                     Cost most_cost) const
    {
        const RouterId from = topology_.processor(source).injection;
        const RouterId to = topology_.processor(destination).ejection;
        const auto is_shut = [&](std::span<const ChannelId> channels) {
            return std::ranges::none_of(channels, [&](ChannelId id) { return prices[id] <= most_cost; });
        };
        return from != to && (is_shut(topology_.channels_from(from)) || is_shut(topology_.channels_to(to)));
    }

    void look_at(ProcessorId source, ProcessorId destination, std::uint32_t step, Cost fixed, Choice& best)
    {
        const RouterId router = topology_.processor(source).injection;
        const auto found = paths_.find(router, most_hops(source, destination));
        if (!found)
            return;
        const Cost cost = fixed + found->cost + places_.send_price(step, source);
        if (cost < best.cost || (cost == best.cost && found->hops < best.hops))
            best = {cost, found->hops, {step, source, paths_.path(router, found->hops)}};
    }

    /// Everything that fits in without moving anything.
    bool fill_in()
    {
        const std::vector<DeliveryId> waiting = std::exchange(pool_, {});
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            if (meter_.is_over()) {
                pool_.insert(pool_.end(), waiting.begin() + static_cast<std::ptrdiff_t>(i), waiting.end());
                return false;
            }
            if (std::optional<Choice> choice = find_place(waiting[i], 0))
                places_.put(waiting[i], std::move(choice->place));
            else
                pool_.push_back(waiting[i]);
        }
        return true;
    }

    /// The ejection pool.
    bool push_in()
    {
        std::size_t in_vain = 0; // deliveries in a row that cannot be anywhere
        const std::uint64_t tried_before = meter_.tried();
        for (std::uint64_t placed = 0; !pool_.empty(); ++placed) {
            if (meter_.is_over() || in_vain > 2 * pool_.size() + 8 ||
                is_hopeless(meter_.tried() - tried_before, placed))
                return false;
            const std::uint32_t chosen = random_.below(static_cast<std::uint32_t>(pool_.size()));
            const DeliveryId id = std::exchange(pool_[chosen], pool_.back());
            pool_.pop_back();
            if (!places_.is_needed(id))
                continue;
            std::optional<Choice> choice = find_place(id, DeliveryPlaces::impossible - 1);
            if (!choice) {
                pool_.push_back(id);
                ++in_vain;
                continue;
            }
            in_vain = 0;
            if (choice->cost > 0)
                push_out_for(id, choice->place);
            places_.put(id, std::move(choice->place));
            meter_.end_attempt(pool_.size());
        }
        return true;
    }

    /// By the effort that a place has cost so far, what is left is not enough to place half of those that
    /// wait once.
    bool is_hopeless(std::uint64_t tried, std::uint64_t placed) const
    {
        constexpr std::uint64_t sample = 16;
        return placed >= sample && meter_.effort_left() != 0 &&
               tried / placed * pool_.size() > 2 * meter_.effort_left();
    }

    void push_out_for(DeliveryId id, const DeliveryPlace& place)
    {
        places_.bump_weight(id);
        obstacles_.clear();
        places_.add_obstacles(id, place, obstacles_);
        for (const DeliveryId other : obstacles_) {
            places_.take(other);
            pool_.push_back(other);
        }
    }

    void drop_idle_relays()
    {
        for (bool dropped = true; std::exchange(dropped, false);)
            for (DeliveryId id = 0; id < places_.count(); ++id)
                if (places_[id].now && !places_.is_needed(id)) {
                    places_.take(id);
                    dropped = true;
                }
    }

    /// Each move brings one more to where it was, so there is an end.
    void go_back()
    {
        for (bool moved = true; std::exchange(moved, false);)
            for (DeliveryId id = 0; id < places_.count(); ++id) {
                const Delivery& delivery = places_[id];
                if (!delivery.now || !delivery.before || delivery.now == delivery.before ||
                    !may_go_back(delivery))
                    continue;
                DeliveryPlace now = places_.take(id);
                const bool fits = places_.is_free(*delivery.before, delivery.destination);
                places_.put(id, fits ? DeliveryPlace(*delivery.before) : std::move(now));
                moved = moved || fits;
            }
    }

    /// Would the source have the message by then, and the delivery come in time for whom it is passed on to?
    bool may_go_back(const Delivery& delivery) const
    {
        if (places_.children_price(delivery, delivery.before->step) > 0)
            return false;
        if (delivery.before->source == problem_.collective.messages()[delivery.message].origin)
            return true;
        const Delivery& source = places_[places_.find(delivery.message, delivery.before->source)];
        return source.now && source.now->step < delivery.before->step;
    }

    const Problem& problem_;
    const Topology& topology_;
    SearchMeter meter_;
    SplitMix64 random_;
    ResidualPaths paths_;
    DeliveryPlaces places_;
    std::vector<std::vector<std::uint32_t>>
        distances_;                     ///< to a processor from each router; with a slack only
    std::vector<DeliveryId> pool_;      ///< without a place
    std::vector<DeliveryId> obstacles_; ///< scratch of push_out_for()
};

/// repair() judged by the validator.
std::optional<Schedule> repaired(const Problem& problem, unsigned steps, std::size_t waiting,
                                 SearchControl control)
{
    // To look at every step for each that waits is the least that a repair takes.
    if (control.effort != 0)
        control.effort = std::max(control.effort, control.effort / 2 + std::uint64_t{waiting} * steps);
    SearchResult result = repair(problem, steps, control);
    if (!result.schedule)
        return std::nullopt;
    if (const auto objection = objection_to(*result.schedule, problem))
        throw std::logic_error(fmt::format("repair of {}: {}", describe(problem), *objection));
    return std::move(result.schedule);
}

} // namespace

std::optional<Schedule> repair_in_fewest_steps(const Problem& problem, unsigned least, unsigned most,
                                               std::size_t waiting, const SearchControl& control)
{
    std::optional<Schedule> best;
    unsigned failed = least - 1;
    for (unsigned stride = 1; !best && failed < most && !control.end.has_come(); stride *= 2) {
        const unsigned steps = std::min(failed + stride, most);
        best = repaired(problem, steps, waiting, control);
        if (!best)
            failed = steps;
    }
    while (best && failed + 1 < best->steps.size() && !control.end.has_come()) {
        const unsigned steps = failed + (static_cast<unsigned>(best->steps.size()) - failed) / 2;
        if (std::optional<Schedule> better = repaired(problem, steps, waiting, control))
            best = std::move(better);
        else
            failed = steps;
    }
    return best;
}

SearchResult repair(const Problem& problem, unsigned steps, const SearchControl& control)
{
    if (steps == 0)
        throw std::invalid_argument("0 steps: a schedule has 1 or more");
    if (control.start == nullptr)
        throw std::invalid_argument("nothing to repair: there is no schedule to start with");
    return Repair(problem, steps, control).run();
}

} // namespace nocturne
