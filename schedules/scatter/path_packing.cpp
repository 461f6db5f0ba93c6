#include "schedules/scatter/path_packing.hpp"

#include "models/routing/random.hpp"
#include "models/topology/indices_by.hpp"
#include "schedules/scatter/holder_table.hpp"
#include "schedules/scatter/path_prices.hpp"
#include "schedules/scatter/step_search.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {
namespace {

/// Places (paths x steps) that are priced before a message makes others go, and paths that share them. A
/// sample that misses the cheapest place costs far more placements than it saves time.
constexpr std::size_t most_places = 1 << 14;
constexpr std::uint32_t most_priced_paths = 8;
/// The price of the heaviest message to begin with. It becomes half as large with each failure in addition;
/// where one becomes too large, what failures have added is halved for all.
constexpr unsigned first_price = 1000;
constexpr unsigned too_large = 60'000;
/// Tries for each message without fewer messages left, before some steps are not dissolved after all; before
/// the search ends because a single one is not.
constexpr double patience_for_many = 1;
constexpr double patience = 500;
/// Messages that are to move after an ejection, and what part of all is asked: those that hold least. On a
/// random 4-regular network of 128 processors 81 % of those over one hop have another free place, 12 % over
/// two, 0.5 % over three, next to none of the others.
constexpr unsigned moves_per_ejection = 16;
constexpr std::size_t part_that_moves = 8;
constexpr std::uint64_t clock_interval = 1024;

class PathPacker {
public:
    PathPacker(const PathResources& resources, const PathTable& paths, const SearchControl& control)
        : resources_(resources), mapped_(held_paths(resources, paths)), held_(mapped_ ? *mapped_ : paths),
          control_(control), random_(control.seed), places_(paths.message_count(), PathPlacement{no_step, 0}),
          first_price_(first_prices(resources.capacity, held_, first_price)), added_(places_.size(), 0),
          price_(first_price_.begin(), first_price_.end()), table_(resources.capacity, 1, price_)
    {
        choose_light();
    }

    PathPackingResult run(std::uint32_t least, std::span<const std::optional<PathPlacement>> start);

private:
    using Price = HolderTable::Price;

    std::uint32_t path_count(MessageId id) const { return held_.first_path(id + 1) - held_.first_path(id); }
    void choose_light();
    bool place_all(std::uint32_t least, std::span<const std::optional<PathPlacement>> start);
    void begin_with(std::span<const std::optional<PathPlacement>> start);
    void put_into_first_fit();
    void reduce(std::uint32_t least);
    bool place_waiting(double tries_for_message);
    bool is_over() const;
    void keep();
    void clear(std::uint32_t steps);
    void restore(std::uint32_t steps);
    void dissolve(std::uint32_t count);
    MessageId take_waiting();
    bool put_where_free(MessageId id);
    void put_and_eject(MessageId id);
    PathPlacement find_cheapest(MessageId id);
    void raise_price(MessageId id);
    void perturb();
    void put(MessageId id, PathPlacement place);
    void remove(MessageId id);

    const PathResources& resources_;
    std::optional<PathTable> mapped_;
    const PathTable& held_; // what messages hold on their paths
    const SearchControl& control_;
    SplitMix64 random_;
    PathPackingResult best_;
    std::vector<PathPlacement> places_;      // by message
    std::vector<std::uint32_t> first_price_; // by message: by what its path takes of the scarce
    std::vector<std::uint32_t> added_;       // by message: by its failures
    std::vector<Price> price_;               // by message: of making it go
    HolderTable table_;
    std::vector<MessageId> waiting_;
    std::vector<MessageId> light_; // in random order
    PathTable held_by_light_;      // in that order too: it is read from one end to the other
    std::uint32_t next_light_ = 0;
    std::vector<Price> costs_; // by step
};

void PathPacker::choose_light()
{
    const auto held_by = [&](MessageId id) { return held_.path(held_.first_path(id)).size(); };
    light_ = indices_by<MessageId>(places_.size(), held_by);
    light_.resize((light_.size() + part_that_moves - 1) / part_that_moves);
    for (auto left = static_cast<std::uint32_t>(light_.size()); left > 1; --left)
        std::swap(light_[left - 1], light_[random_.below(left)]);
    for (const MessageId id : light_) {
        for (std::uint32_t path = held_.first_path(id); path != held_.first_path(id + 1); ++path)
            held_by_light_.add_path(held_.path(path));
        held_by_light_.end_message();
    }
}

PathPackingResult PathPacker::run(std::uint32_t least, std::span<const std::optional<PathPlacement>> start)
{
    best_ = {.placements = {}, .steps = 0, .tried = 0, .unplaced = places_.size()};
    if (place_all(least, start)) {
        keep();
        reduce(least);
    }
    return std::move(best_);
}

/// False if there was no time.
bool PathPacker::place_all(std::uint32_t least, std::span<const std::optional<PathPlacement>> start)
{
    std::uint32_t steps = least;
    for (const auto& place : start)
        steps = place ? std::max(steps, place->step + 1) : steps;
    while (!is_over()) {
        steps += steps / 2 + 8;
        clear(steps);
        begin_with(start);
        put_into_first_fit();
        if (place_waiting(patience_for_many))
            return true;
    }
    return false;
}

void PathPacker::begin_with(std::span<const std::optional<PathPlacement>> start)
{
    for (MessageId id = 0; id < places_.size(); ++id)
        if (id < start.size() && start[id] && is_free(table_, held_.path(start[id]->path), start[id]->step))
            put(id, *start[id]);
        else
            waiting_.push_back(id);
}

/// The heaviest first, equal ones in random order.
void PathPacker::put_into_first_fit()
{
    std::vector<std::pair<std::uint64_t, MessageId>> order;
    for (const MessageId id : std::exchange(waiting_, {}))
        order.emplace_back((std::uint64_t{HolderTable::most_price} - price_[id]) << 32 | random_() >> 32, id);
    std::sort(order.begin(), order.end());
    bool is_late = false;
    for (const auto& [_, id] : order) {
        is_late = is_late || (++best_.tried % clock_interval == 0 && control_.end.has_come());
        PathPlacement first{no_step, 0};
        for (auto path = held_.first_path(id); path != held_.first_path(id + 1) && !is_late; ++path)
            if (const std::uint32_t step = free_step_from(table_, held_.path(path), 0); step < first.step)
                first = {step, path};
        if (first.step == no_step)
            waiting_.push_back(id);
        else
            put(id, first);
    }
    if (best_.placements.empty())
        best_.unplaced = waiting_.size();
}

void PathPacker::reduce(std::uint32_t least)
{
    std::uint32_t most = best_.steps;
    while (best_.steps > least && !is_over()) {
        const std::uint32_t count = std::clamp((best_.steps - least) / 4, 1U, std::max(1U, most));
        dissolve(count);
        if (place_waiting(count == 1 ? patience : patience_for_many)) {
            keep();
            continue;
        }
        if (count == 1)
            return;
        most = count / 4;
        places_ = best_.placements;
        restore(best_.steps);
    }
}

bool PathPacker::is_over() const
{
    return (control_.effort != 0 && best_.tried >= control_.effort) || control_.end.has_come();
}

/// False if time, effort or patience were over first.
bool PathPacker::place_waiting(double tries_for_message)
{
    const auto most_tries =
        static_cast<std::uint64_t>(tries_for_message * static_cast<double>(places_.size())) + 1;
    std::uint64_t improved = best_.tried;
    std::size_t fewest = waiting_.size();
    while (!waiting_.empty()) {
        if (best_.tried - improved > most_tries || (control_.effort != 0 && best_.tried >= control_.effort))
            return false;
        if (best_.tried % clock_interval == 0 && control_.end.has_come())
            return false;
        ++best_.tried;
        const MessageId id = take_waiting();
        if (!put_where_free(id))
            put_and_eject(id);
        if (waiting_.size() < fewest) {
            fewest = waiting_.size();
            improved = best_.tried;
            if (best_.placements.empty())
                best_.unplaced = fewest;
        }
    }
    return true;
}

/// All have a place: remembers it, without the empty steps at the end.
void PathPacker::keep()
{
    best_.placements = places_;
    best_.unplaced = 0;
    best_.steps = 0;
    for (const PathPlacement place : places_)
        best_.steps = std::max(best_.steps, place.step + 1);
}

void PathPacker::clear(std::uint32_t steps)
{
    table_ = HolderTable(resources_.capacity, steps, price_);
    places_.assign(places_.size(), PathPlacement{no_step, 0});
    waiting_.clear();
}

/// Makes the table what places_ say, messages that are no_step wait.
void PathPacker::restore(std::uint32_t steps)
{
    const std::vector<PathPlacement> places = places_;
    clear(steps);
    for (MessageId id = 0; id < places.size(); ++id)
        if (places[id].step == no_step)
            waiting_.push_back(id);
        else
            put(id, places[id]);
}

/// The lightest steps go, the others close up.
void PathPacker::dissolve(std::uint32_t count)
{
    std::vector<std::uint64_t> weight(best_.steps, 0);
    for (MessageId id = 0; id < places_.size(); ++id)
        weight[places_[id].step] += price_[id];
    const auto order = indices_by(best_.steps, [&](std::uint32_t step) { return weight[step]; });
    std::vector<std::uint32_t> now(best_.steps, 0);
    for (std::uint32_t i = 0; i < count; ++i)
        now[order[i]] = no_step;
    std::uint32_t left = 0;
    for (std::uint32_t& step : now)
        if (step != no_step)
            step = left++;
    for (PathPlacement& place : places_)
        place.step = now[place.step];
    restore(left);
}

/// Any: that beats first in, last in, heaviest and lightest by far.
MessageId PathPacker::take_waiting()
{
    std::swap(waiting_[random_.below(static_cast<std::uint32_t>(waiting_.size()))], waiting_.back());
    const MessageId id = waiting_.back();
    waiting_.pop_back();
    return id;
}

bool PathPacker::put_where_free(MessageId id)
{
    const std::uint32_t first = held_.first_path(id), count = path_count(id), turn = random_.below(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t path = first + (i + turn < count ? i + turn : i + turn - count);
        const std::uint32_t step = free_step_from(table_, held_.path(path), random_.below(table_.steps()));
        if (step == no_step)
            continue;
        put(id, {step, path});
        return true;
    }
    return false;
}

/// Any of the cheapest places among those that are looked at: all, or some steps on some paths.
PathPlacement PathPacker::find_cheapest(MessageId id)
{
    const std::uint32_t first = held_.first_path(id), count = path_count(id), turn = random_.below(count);
    const std::uint32_t paths = std::min(count, most_priced_paths);
    const std::size_t row = (table_.steps() + lane_count - 1) / lane_count;
    const std::size_t lanes = std::min(row, most_places / lane_count / paths);
    const std::size_t begin = lane_count * random_.below(static_cast<std::uint32_t>(row - lanes + 1));
    costs_.resize(lanes * lane_count);
    Price least = HolderTable::most_price;
    // Where all cost as much as can be.
    PathPlacement cheapest{random_.below(table_.steps()), first + turn};
    std::uint32_t equal = 0;
    for (std::uint32_t i = 0; i < paths; ++i) {
        const std::uint32_t path = first + (i + turn < count ? i + turn : i + turn - count);
        const Price cost = price_steps(table_, held_.path(path), begin, costs_);
        if (cost > least || cost == HolderTable::most_price)
            continue;
        equal = cost < least ? 0 : equal;
        least = cost;
        for_each_equal(costs_, least, [&](std::size_t step) {
            if (random_.below(++equal) == 0)
                cheapest = {static_cast<std::uint32_t>(begin + step), path};
        });
    }
    return cheapest;
}

void PathPacker::put_and_eject(MessageId id)
{
    raise_price(id);
    const PathPlacement place = find_cheapest(id);
    for (const ResourceId resource : held_.path(place.path))
        if (const MessageId other = table_.cheapest_holder(resource, place.step); other != no_message) {
            remove(other);
            waiting_.push_back(other);
        }
    put(id, place);
    perturb();
}

void PathPacker::raise_price(MessageId id)
{
    added_[id] += (first_price_[id] + 1) / 2;
    if (first_price_[id] + added_[id] > too_large) {
        for (MessageId each = 0; each < places_.size(); ++each) {
            added_[each] /= 2;
            price_[each] = static_cast<Price>(first_price_[each] + added_[each]);
        }
        table_.price_again();
    }
    price_[id] = static_cast<Price>(first_price_[id] + added_[id]);
}

/// A few light messages move to another place that is free.
void PathPacker::perturb()
{
    for (unsigned move = 0; move < moves_per_ejection; ++move) {
        next_light_ = next_light_ + 1 >= light_.size() ? 0 : next_light_ + 1;
        const std::uint32_t first = held_by_light_.first_path(next_light_);
        const std::uint32_t turn = random_.below(held_by_light_.first_path(next_light_ + 1) - first);
        const std::uint32_t step =
            free_step_from(table_, held_by_light_.path(first + turn), random_.below(table_.steps()));
        const MessageId id = light_[next_light_];
        if (step == no_step || places_[id].step == no_step)
            continue;
        remove(id);
        put(id, {step, held_.first_path(id) + turn});
    }
}

void PathPacker::put(MessageId id, PathPlacement place)
{
    for (const ResourceId resource : held_.path(place.path))
        table_.take(resource, place.step, id);
    places_[id] = place;
}

void PathPacker::remove(MessageId id)
{
    for (const ResourceId resource : held_.path(places_[id].path))
        table_.release(resource, places_[id].step, id);
    places_[id].step = no_step;
}

} // namespace

PathPackingResult pack_paths(const PathResources& resources, const PathTable& paths, std::uint32_t least,
                             const SearchControl& control,
                             std::span<const std::optional<PathPlacement>> start)
{
    return PathPacker(resources, paths, control).run(least, start);
}

} // namespace nocturne
