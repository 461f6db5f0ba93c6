#include "schedules/reschedule/repair.hpp"

#include "models/routing/distances.hpp"
#include "models/routing/random.hpp"
#include "schedules/constructions/empty_schedule.hpp"
#include "schedules/reschedule/residual_paths.hpp"
#include "schedules/search/search_meter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

using ItemId = std::uint32_t;
using Cost = ResidualPaths::Cost;

constexpr ItemId no_item = ~0U;
constexpr std::uint32_t any_hops = ~0U;
constexpr Cost any_cost = ~0U / 4;

struct Place {
    std::uint32_t step;
    ProcessorId source;
    Path path;

    friend bool operator==(const Place&, const Place&) = default;
};

/// A message that comes to a processor, because it is owed or because it is passed on there.
struct Item {
    MessageId message;
    ProcessorId destination;
    bool is_owed = false;
    Cost weight = 1; ///< grows each time that it finds no free place
    std::optional<Place> before = std::nullopt;
    std::optional<Place> now = std::nullopt;
};

/// Where an item can go, and what has to go for it.
struct Option {
    Cost cost = any_cost;
    std::uint32_t hops = any_hops;
    Place place = {};

    bool exists() const { return cost < any_cost; }
};

/// The steps of `start` that a schedule of `steps` steps keeps, ascending: those with the most transfers.
std::vector<std::size_t> kept_steps(const Schedule& start, unsigned steps)
{
    std::vector<std::size_t> order(start.steps.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return start.steps[a].size() > start.steps[b].size();
    });
    order.resize(std::min<std::size_t>(order.size(), steps));
    std::sort(order.begin(), order.end());
    return order;
}

class Repair {
public:
    Repair(const Problem& problem, unsigned steps, const SearchControl& control)
        : problem_(problem), topology_(problem.topology), steps_(steps), meter_(control, "repair", steps),
          random_(control.seed), paths_(topology_), channels_(topology_.channel_count()),
          processors_(topology_.processor_count()), owner_(steps_ * channels_, no_item),
          price_(steps_ * channels_), sends_(steps_ * processors_), receives_(steps_ * processors_),
          held_from_(processors_)
    {
        for (ProcessorId id = 0; id < processors_; ++id) {
            send_limit_.push_back(send_ports(topology_, id, problem.ports));
            receive_limit_.push_back(receive_ports(topology_, id, problem.ports));
        }
        if (problem.slack)
            for (ProcessorId id = 0; id < processors_; ++id)
                distances_.push_back(distances_to(topology_, topology_.processor(id).ejection));
        const std::vector<std::size_t> kept = kept_steps(*control.start, steps);
        make_items(*control.start);
        place_items(*control.start, kept);
    }

    SearchResult run()
    {
        const bool is_whole = fill_in() && push_in();
        if (!is_whole)
            return {Outcome::gave_up, std::nullopt, meter_.tried(), pool_.size()};
        drop_idle_relays();
        go_back();
        return {Outcome::found, schedule(), meter_.tried(), 0};
    }

private:
    // Items.

    void make_items(const Schedule& start)
    {
        const auto& messages = problem_.collective.messages;
        std::vector<std::vector<std::pair<ProcessorId, bool>>> destinations(messages.size());
        for (MessageId m = 0; m < messages.size(); ++m)
            for (const ProcessorId receiver : messages[m].receivers)
                destinations[m].emplace_back(receiver, true);
        for (const Step& step : start.steps)
            for (const Transfer& transfer : step)
                for (const ProcessorId id : {transfer.source, transfer.destination})
                    if (id != messages[transfer.message].origin)
                        destinations[transfer.message].emplace_back(id, false);
        for (MessageId m = 0; m < messages.size(); ++m) {
            first_item_.push_back(static_cast<ItemId>(items_.size()));
            // Owed before not owed, which goes as a duplicate.
            std::sort(destinations[m].begin(), destinations[m].end(), [](const auto& a, const auto& b) {
                return a.first != b.first ? a.first < b.first : a.second > b.second;
            });
            for (const auto& [destination, is_owed] : destinations[m])
                if (items_.size() == first_item_.back() || items_.back().destination != destination)
                    items_.push_back({m, destination, is_owed});
        }
        first_item_.push_back(static_cast<ItemId>(items_.size()));
    }

    std::span<Item> items_of(MessageId message)
    {
        return std::span(items_).subspan(first_item_[message],
                                         first_item_[message + 1] - first_item_[message]);
    }

    ItemId item_at(MessageId message, ProcessorId destination)
    {
        const auto items = items_of(message);
        const auto found =
            std::lower_bound(items.begin(), items.end(), destination,
                             [](const Item& item, ProcessorId id) { return item.destination < id; });
        return first_item_[message] + static_cast<ItemId>(found - items.begin());
    }

    bool passes_on(const Item& item)
    {
        return std::ranges::any_of(items_of(item.message), [&](const Item& other) {
            return other.now && other.now->source == item.destination;
        });
    }

    void place_items(const Schedule& start, const std::vector<std::size_t>& kept)
    {
        for (std::uint32_t step = 0; step < kept.size(); ++step)
            for (const Transfer& transfer : start.steps[kept[step]]) {
                const ItemId id = item_at(transfer.message, transfer.destination);
                items_[id].before = Place{step, transfer.source, *transfer.path};
                // All-port processors have fewer ports where a channel has failed.
                if (!items_[id].now && is_free(*items_[id].before, transfer.destination))
                    put(id, *items_[id].before);
            }
        for (ItemId id = 0; id < items_.size(); ++id)
            if (!items_[id].now && is_needed(id))
                pool_.push_back(id);
    }

    bool is_needed(ItemId id) { return items_[id].is_owed || passes_on(items_[id]); }

    // Places.

    bool is_free(const Place& place, ProcessorId destination) const
    {
        return sends_[place.step * processors_ + place.source].size() < send_limit_[place.source] &&
               receives_[place.step * processors_ + destination].size() < receive_limit_[destination] &&
               std::ranges::all_of(place.path, [&](ChannelId channel) {
                   return owner_[place.step * channels_ + channel] == no_item;
               });
    }

    Cost price(const Item& item) const { return item.weight + (item.now == item.before ? 1 : 0); }

    void put(ItemId id, Place place)
    {
        Item& item = items_[id];
        item.now = std::move(place);
        const Place& at = *item.now;
        for (const ChannelId channel : at.path) {
            owner_[at.step * channels_ + channel] = id;
            price_[at.step * channels_ + channel] = price(item);
        }
        sends_[at.step * processors_ + at.source].push_back(id);
        receives_[at.step * processors_ + item.destination].push_back(id);
    }

    Place take(ItemId id)
    {
        Item& item = items_[id];
        Place at = std::move(*item.now);
        item.now.reset();
        for (const ChannelId channel : at.path) {
            owner_[at.step * channels_ + channel] = no_item;
            price_[at.step * channels_ + channel] = 0;
        }
        std::erase(sends_[at.step * processors_ + at.source], id);
        std::erase(receives_[at.step * processors_ + item.destination], id);
        return at;
    }

    void push_out(ItemId id)
    {
        take(id);
        pool_.push_back(id);
    }

    ItemId cheapest(const std::vector<ItemId>& ids) const
    {
        return *std::ranges::min_element(
            ids, [&](ItemId a, ItemId b) { return price(items_[a]) < price(items_[b]); });
    }

    /// What one more message at a port costs.
    Cost port_price(const std::vector<ItemId>& ids, unsigned limit) const
    {
        if (ids.size() < limit)
            return 0;
        return ids.empty() ? any_cost : price(items_[cheapest(ids)]); // a limit of 0: no way
    }

    // Search for a place.

    struct Holder {
        ProcessorId processor;
        std::uint32_t from; ///< first step in which it can send
    };

    /// Who has the message and since when, the origin first. Processors whose own delivery hangs in the air hold nothing, nor do
    /// those that they pass it on to: otherwise a delivery could end up as its own source.
    void find_holders(MessageId message)
    {
        holders_.assign(1, {problem_.collective.messages[message].origin, 0});
        if (problem_.slack && problem_.collective.messages[message].receivers.size() == 1)
            return; // goes straight
        by_step_.clear();
        for (ItemId id = first_item_[message]; id < first_item_[message + 1]; ++id) {
            held_from_[items_[id].destination] = any_hops;
            if (items_[id].now)
                by_step_.push_back(id);
        }
        held_from_[holders_.front().processor] = 0;
        std::ranges::sort(by_step_, [&](ItemId a, ItemId b) {
            return std::pair(items_[a].now->step, a) < std::pair(items_[b].now->step, b);
        });
        for (const ItemId id : by_step_) {
            const Item& item = items_[id];
            if (held_from_[item.now->source] <= item.now->step)
                holders_.push_back({item.destination, held_from_[item.destination] = item.now->step + 1});
        }
    }

    std::uint32_t most_hops(ProcessorId source, ProcessorId destination) const
    {
        if (problem_.switching == Switching::store_and_forward)
            return 1;
        if (!problem_.slack)
            return any_hops;
        return distances_[destination][topology_.processor(source).injection] + *problem_.slack;
    }

    /// What goes if the item comes in `step`: whoever passed it on by then.
    Cost children_price(const Item& item, std::uint32_t step)
    {
        Cost sum = 0;
        for (const Item& other : items_of(item.message))
            if (other.now && other.now->source == item.destination && other.now->step <= step)
                sum += price(other);
        return sum;
    }

    /// The cheapest place of at most `most_cost`, of equally cheap ones the one with the fewest hops. Steps are tried from a
    /// random one on.
    Option find_place(ItemId id, Cost most_cost)
    {
        const Item& item = items_[id];
        find_holders(item.message);
        const bool is_relay = passes_on(item);
        Option best;
        best.cost = most_cost + 1;
        const std::uint32_t offset = random_.below(steps_);
        for (std::uint32_t i = 0; i < steps_ && !(best.cost == 0 && best.hops == 0); ++i) {
            const std::uint32_t step = i + offset < steps_ ? i + offset : i + offset - steps_;
            const Cost fixed = port_price(receives_[step * processors_ + item.destination],
                                          receive_limit_[item.destination]) +
                               (is_relay ? children_price(item, step) : 0);
            if (fixed > best.cost)
                continue;
            meter_.count();
            std::uint32_t hops = problem_.switching == Switching::store_and_forward ? 1 : any_hops;
            if (best.cost == 0) // only a shorter path is better
                hops = std::min(hops, best.hops - 1);
            paths_.search(topology_.processor(item.destination).ejection,
                          std::span(price_).subspan(step * channels_, channels_), best.cost - fixed, hops);
            look_at_holders(item, step, fixed, best);
        }
        if (best.cost > most_cost)
            best.cost = any_cost;
        return best;
    }

    void look_at_holders(const Item& item, std::uint32_t step, Cost fixed, Option& best)
    {
        for (const Holder& holder : holders_) {
            if (holder.from > step || holder.processor == item.destination)
                continue;
            const RouterId router = topology_.processor(holder.processor).injection;
            const auto found = paths_.find(router, most_hops(holder.processor, item.destination));
            if (!found)
                continue;
            const Cost cost =
                fixed + found->cost +
                port_price(sends_[step * processors_ + holder.processor], send_limit_[holder.processor]);
            if (cost < best.cost || (cost == best.cost && found->hops < best.hops))
                best = {cost, found->hops, {step, holder.processor, paths_.path(router, found->hops)}};
        }
    }

    // The two phases.

    /// Everything that fits in without moving anything.
    bool fill_in()
    {
        std::vector<ItemId> waiting = std::exchange(pool_, {});
        for (const ItemId id : waiting) {
            if (meter_.is_over())
                return false;
            if (Option option = find_place(id, 0); option.exists())
                put(id, std::move(option.place));
            else
                pool_.push_back(id);
        }
        return true;
    }

    /// The ejection pool.
    bool push_in()
    {
        std::size_t in_vain = 0; // items in a row that cannot be anywhere
        while (!pool_.empty()) {
            if (meter_.is_over() || in_vain > 2 * pool_.size() + 8)
                return false;
            const std::uint32_t chosen = random_.below(static_cast<std::uint32_t>(pool_.size()));
            const ItemId id = std::exchange(pool_[chosen], pool_.back());
            pool_.pop_back();
            if (!is_needed(id))
                continue;
            Option option = find_place(id, any_cost / 2);
            if (!option.exists()) {
                pool_.push_back(id);
                ++in_vain;
                continue;
            }
            in_vain = 0;
            if (option.cost > 0) {
                ++items_[id].weight;
                make_room(id, option.place);
            }
            put(id, std::move(option.place));
            meter_.end_attempt(pool_.size());
        }
        return true;
    }

    void make_room(ItemId id, const Place& place)
    {
        const Item item = items_[id];
        for (const ChannelId channel : place.path)
            if (const ItemId owner = owner_[place.step * channels_ + channel]; owner != no_item)
                push_out(owner);
        const auto& sends = sends_[place.step * processors_ + place.source];
        while (sends.size() >= send_limit_[place.source])
            push_out(cheapest(sends));
        const auto& receives = receives_[place.step * processors_ + item.destination];
        while (receives.size() >= receive_limit_[item.destination])
            push_out(cheapest(receives));
        for (ItemId other = first_item_[item.message]; other < first_item_[item.message + 1]; ++other)
            if (const auto& now = items_[other].now;
                now && now->source == item.destination && now->step <= place.step)
                push_out(other);
    }

    // Afterwards.

    void drop_idle_relays()
    {
        for (bool dropped = true; std::exchange(dropped, false);)
            for (ItemId id = 0; id < items_.size(); ++id)
                if (items_[id].now && !is_needed(id)) {
                    take(id);
                    dropped = true;
                }
    }

    void go_back()
    {
        for (bool moved = true; std::exchange(moved, false);)
            for (ItemId id = 0; id < items_.size(); ++id) {
                Item& item = items_[id];
                if (!item.now || !item.before || item.now == item.before || !may_go_back(item))
                    continue;
                Place now = take(id);
                const bool fits = is_free(*item.before, item.destination);
                put(id, fits ? *item.before : std::move(now));
                moved = moved || fits;
            }
    }

    /// Would the source have the message by then, and the item come in time for whom it is passed on to?
    bool may_go_back(const Item& item)
    {
        if (children_price(item, item.before->step) > 0)
            return false;
        if (item.before->source == problem_.collective.messages[item.message].origin)
            return true;
        const Item& source = items_[item_at(item.message, item.before->source)];
        return source.now && source.now->step < item.before->step;
    }

    Schedule schedule() const
    {
        Schedule schedule = empty_schedule(problem_, "repair");
        schedule.steps.resize(steps_);
        for (const Item& item : items_)
            if (item.now)
                schedule.steps[item.now->step].push_back(
                    {item.message, item.now->source, item.destination, item.now->path});
        std::erase_if(schedule.steps, [](const Step& step) { return step.empty(); });
        return schedule;
    }

    const Problem& problem_;
    const Topology& topology_;
    std::uint32_t steps_;
    SearchMeter meter_;
    SplitMix64 random_;
    ResidualPaths paths_;
    std::size_t channels_;
    std::size_t processors_;
    std::vector<unsigned> send_limit_;    ///< by processor
    std::vector<unsigned> receive_limit_; ///< by processor
    std::vector<std::vector<std::uint32_t>>
        distances_; ///< to a processor from each router; with a slack only

    std::vector<Item> items_;        ///< by message, then destination
    std::vector<ItemId> first_item_; ///< by message, and one more
    std::vector<ItemId> pool_;       ///< without a place

    std::vector<ItemId> owner_;                 ///< by step and channel
    std::vector<Cost> price_;                   ///< likewise: of the owner
    std::vector<std::vector<ItemId>> sends_;    ///< by step and processor
    std::vector<std::vector<ItemId>> receives_; ///< likewise

    std::vector<Holder> holders_;          ///< of the message in hand
    std::vector<ItemId> by_step_;          ///< scratch of find_holders()
    std::vector<std::uint32_t> held_from_; ///< likewise, by processor
};

} // namespace

SearchResult repair(const Problem& problem, unsigned steps, const SearchControl& control)
{
    if (steps == 0)
        throw std::invalid_argument("0 steps: a schedule has 1 or more");
    if (control.start == nullptr)
        throw std::invalid_argument("nothing to repair: there is no schedule to start with");
    return Repair(problem, steps, control).run();
}

} // namespace nocturne
