#include "schedules/scatter/path_packing.hpp"

#include "models/routing/random.hpp"
#include "schedules/scatter/holder_table.hpp"
#include "schedules/scatter/step_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

namespace nocturne {
namespace {

/// Steps that are priced before a message makes others go.
constexpr unsigned most_looks = 64;
/// What a failure adds to the weight of a message.
constexpr float weight_of_failure = 0.5F;
/// Tries for each message without fewer messages left, before a step is not dissolved after all; before a
/// smaller number of them is tried.
constexpr double patience = 3;
constexpr double patience_for_many = 1;
/// Single steps that were tried in vain, one after the other, before patience doubles; doublings before the
/// search gives up.
constexpr unsigned most_failures = 8;
constexpr unsigned most_doublings = 12;
/// As many, before messages are taken in any order.
constexpr unsigned failures_of_heaviest = 2;
/// Messages that move after an ejection.
constexpr unsigned moves_per_ejection = 3;
constexpr std::uint64_t clock_interval = 1024;

class PathPacker {
public:
    PathPacker(const PathResources& resources, const PathTable& paths, const SearchControl& control)
        : resources_(resources), paths_(paths), control_(control), table_(resources.capacity, 1),
          random_(control.seed), places_(paths.message_count(), PathPlacement{no_step, 0})
    {
        weigh();
    }

    PathPackingResult run(std::uint32_t least, std::span<const std::optional<PathPlacement>> start);

private:
    /// What the message holds on the path; until the next call.
    std::span<const ResourceId> held_on(MessageId id, std::uint32_t path);
    void weigh();
    void wait(MessageId id);
    bool place_all(std::uint32_t least, std::span<const std::optional<PathPlacement>> start);
    void begin_with(std::span<const std::optional<PathPlacement>> start);
    void reduce(std::uint32_t least);
    bool place_waiting(double tries_for_message);
    bool is_over() const;
    void keep();
    void restore(std::uint32_t steps);
    void dissolve(std::uint32_t count);
    std::vector<std::uint32_t> lightest_steps(std::uint32_t count) const;
    bool put_into_first_fit(MessageId id);
    void put_and_eject(MessageId id);
    void perturb();
    void count_blocked(MessageId id);
    void price(MessageId id, PathPlacement place);
    void find_lightest(MessageId id);
    void put(MessageId id, PathPlacement place);
    void remove(MessageId id);

    const PathResources& resources_;
    const PathTable& paths_;
    const SearchControl& control_;
    HolderTable table_;
    SplitMix64 random_;
    PathPackingResult best_;
    bool takes_any_ = false;            // of the messages that wait, not the heaviest
    std::vector<PathPlacement> places_; // by message
    std::vector<float> weight_;         // by message: what its path takes of the scarce, for the order
    std::vector<float> price_;          // by message: of making it go
    std::priority_queue<std::tuple<float, std::uint32_t, MessageId>> waiting_;

    std::vector<ResourceId> held_;
    BlockedSteps blocked_;
    std::vector<MessageId> in_the_way_;
    // The cheapest place so far, and the messages that have to go there.
    PathPlacement lightest_{};
    float least_ = 0;
    std::vector<MessageId> leaving_;
};

std::span<const ResourceId> PathPacker::held_on(MessageId id, std::uint32_t path)
{
    held_.clear();
    for (const ChannelId channel : paths_.path(path))
        held_.push_back(resources_.of_channel[channel]);
    for (const ResourceId port : resources_.ports[id])
        if (resources_.capacity[port] > 0)
            held_.push_back(port);
    return held_;
}

void PathPacker::weigh()
{
    // Almost as busy as the busiest counts almost as much, half as busy hardly.
    constexpr double sharpness = 8, least = 0.02;
    std::vector<double> load(resources_.capacity.size(), 0);
    for (MessageId id = 0; id < places_.size(); ++id)
        for (const ResourceId resource : held_on(id, paths_.first_path(id)))
            load[resource] += 1.0 / resources_.capacity[resource];
    const double most = *std::max_element(load.begin(), load.end());
    for (double& each : load)
        each = std::pow(each / most, sharpness) + least;
    for (MessageId id = 0; id < places_.size(); ++id) {
        double sum = 0;
        for (const ResourceId resource : held_on(id, paths_.first_path(id)))
            sum += load[resource];
        weight_.push_back(static_cast<float>(sum));
        price_.push_back(weight_.back() * weight_.back());
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
        table_ = HolderTable(resources_.capacity, steps);
        places_.assign(places_.size(), PathPlacement{no_step, 0});
        waiting_ = {};
        begin_with(start);
        if (place_waiting(patience))
            return true;
    }
    return false;
}

void PathPacker::begin_with(std::span<const std::optional<PathPlacement>> start)
{
    for (MessageId id = 0; id < places_.size(); ++id)
        if (id < start.size() && start[id] && is_free(table_, held_on(id, start[id]->path), start[id]->step))
            put(id, *start[id]);
        else
            wait(id);
}

void PathPacker::reduce(std::uint32_t least)
{
    std::uint32_t most = best_.steps;
    double patience_for_one = patience;
    for (unsigned failures = 0;
         best_.steps > least && failures < most_failures * (most_doublings + 1) && !is_over();) {
        const std::uint32_t count = std::clamp((best_.steps - least) / 4, 1U, std::max(1U, most));
        dissolve(count);
        if (place_waiting(count == 1 ? patience_for_one : patience_for_many)) {
            keep();
            failures -= failures % most_failures; // what took so much patience once takes it again
            continue;
        }
        failures += count == 1 ? 1 : 0;
        if (count == 1 && failures % most_failures == 0)
            patience_for_one *= 2;
        takes_any_ = takes_any_ || failures == failures_of_heaviest;
        most = count / 4;
        places_ = best_.placements;
        restore(best_.steps);
    }
}

bool PathPacker::is_over() const
{
    return (control_.effort != 0 && best_.tried >= control_.effort) || control_.is_over();
}

/// False if time, effort or patience were over first.
bool PathPacker::place_waiting(double tries_for_message)
{
    const auto most_tries =
        static_cast<std::uint64_t>(tries_for_message * static_cast<double>(places_.size())) + 1;
    std::uint64_t improved = best_.tried;
    std::size_t fewest = waiting_.size();
    while (!waiting_.empty()) {
        if (control_.effort != 0 && best_.tried >= control_.effort)
            return false;
        if (best_.tried % clock_interval == 0 && control_.is_over())
            return false;
        if (best_.tried - improved > most_tries)
            return false;
        ++best_.tried;
        const MessageId id = std::get<2>(waiting_.top());
        waiting_.pop();
        if (!put_into_first_fit(id))
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

/// Makes the table what places_ say, messages that are no_step wait.
void PathPacker::restore(std::uint32_t steps)
{
    table_ = HolderTable(resources_.capacity, steps);
    waiting_ = {};
    for (MessageId id = 0; id < places_.size(); ++id)
        if (places_[id].step == no_step)
            wait(id);
        else
            put(id, places_[id]);
}

std::vector<std::uint32_t> PathPacker::lightest_steps(std::uint32_t count) const
{
    std::vector<std::pair<double, std::uint32_t>> order(best_.steps);
    for (std::uint32_t step = 0; step < order.size(); ++step)
        order[step] = {0, step};
    for (MessageId id = 0; id < places_.size(); ++id)
        order[places_[id].step].first += static_cast<double>(price_[id]);
    std::nth_element(order.begin(), order.begin() + count - 1, order.end());
    std::vector<std::uint32_t> steps;
    for (std::uint32_t i = 0; i < count; ++i)
        steps.push_back(order[i].second);
    return steps;
}

/// The lightest steps go, the others close up.
void PathPacker::dissolve(std::uint32_t count)
{
    std::vector<std::uint32_t> now(best_.steps, 0);
    for (const std::uint32_t step : lightest_steps(count))
        now[step] = no_step;
    std::uint32_t left = 0;
    for (std::uint32_t& step : now)
        if (step != no_step)
            step = left++;
    for (PathPlacement& place : places_)
        place.step = now[place.step];
    restore(left);
}

/// The heaviest goes first while that leads on, which it does fast; then any, which leads further.
void PathPacker::wait(MessageId id)
{
    waiting_.emplace(takes_any_ ? 0 : weight_[id], static_cast<std::uint32_t>(random_()), id);
}

bool PathPacker::put_into_first_fit(MessageId id)
{
    PathPlacement best{table_.steps(), 0};
    for (std::uint32_t path = paths_.first_path(id); path != paths_.first_path(id + 1); ++path)
        if (const std::uint32_t step = first_free_step(table_, held_on(id, path), best.step);
            step < best.step)
            best = {step, path};
    if (best.step == table_.steps())
        return false;
    put(id, best);
    return true;
}

void PathPacker::count_blocked(MessageId id)
{
    const std::uint32_t first = paths_.first_path(id), count = paths_.first_path(id + 1) - first;
    blocked_.clear(table_, count);
    for (std::uint32_t path = 0; path < count; ++path)
        blocked_.add(table_, held_on(id, first + path), path);
}

/// Remembers the place if it is the cheapest so far.
void PathPacker::price(MessageId id, PathPlacement place)
{
    in_the_way_.clear();
    float sum = 0;
    for (const ResourceId resource : held_on(id, place.path)) {
        const auto holders = table_.holders(resource, place.step);
        MessageId lightest = holders.front();
        for (const MessageId holder : holders)
            if (lightest != no_message && (holder == no_message || price_[holder] < price_[lightest]))
                lightest = holder;
        if (lightest == no_message ||
            std::find(in_the_way_.begin(), in_the_way_.end(), lightest) != in_the_way_.end())
            continue;
        in_the_way_.push_back(lightest);
        sum += price_[lightest];
        if (sum >= least_)
            return;
    }
    least_ = sum;
    lightest_ = place;
    leaving_.swap(in_the_way_);
}

void PathPacker::find_lightest(MessageId id)
{
    const std::uint32_t first = paths_.first_path(id), count = paths_.first_path(id + 1) - first;
    const std::size_t words = table_.blocks() * block_words;
    const auto stride = static_cast<std::uint32_t>(words * count);
    unsigned looks = 0;
    for (std::size_t places = 0; places < most_blocked && looks < most_looks; ++places) {
        if (blocked_.count[places] == 0)
            continue;
        // From anywhere on, once around.
        std::uint32_t at = random_.below(stride);
        for (std::uint32_t i = 0; i < stride && looks < most_looks; ++i, at = at + 1 == stride ? 0 : at + 1)
            for (std::uint64_t steps = blocked_.steps[places * stride + at]; steps != 0 && looks < most_looks;
                 steps &= steps - 1, ++looks)
                price(id, {static_cast<std::uint32_t>(at % words * 64) +
                               static_cast<std::uint32_t>(std::countr_zero(steps)),
                           first + static_cast<std::uint32_t>(at / words)});
    }
    // Long paths may be blocked in more places everywhere.
    for (; looks < most_looks; ++looks)
        price(id, {random_.below(table_.steps()), first + random_.below(count)});
}

void PathPacker::put_and_eject(MessageId id)
{
    price_[id] += weight_of_failure * weight_[id] * weight_[id];
    count_blocked(id);
    least_ = std::numeric_limits<float>::infinity();
    find_lightest(id);
    for (const MessageId other : leaving_) {
        remove(other);
        wait(other);
    }
    put(id, lightest_);
    if (takes_any_)
        perturb();
}

/// A few messages move to another place that is free.
void PathPacker::perturb()
{
    for (unsigned move = 0; move < moves_per_ejection; ++move) {
        const MessageId id = random_.below(static_cast<std::uint32_t>(places_.size()));
        if (places_[id].step == no_step)
            continue;
        const std::uint32_t first = paths_.first_path(id);
        const std::uint32_t path = first + random_.below(paths_.first_path(id + 1) - first);
        const std::uint32_t step = free_step_from(table_, held_on(id, path),
                                                  random_.below(static_cast<std::uint32_t>(table_.blocks())));
        if (step == no_step)
            continue;
        remove(id);
        put(id, {step, path});
    }
}

void PathPacker::put(MessageId id, PathPlacement place)
{
    for (const ResourceId resource : held_on(id, place.path))
        table_.take(resource, place.step, id);
    places_[id] = place;
}

void PathPacker::remove(MessageId id)
{
    for (const ResourceId resource : held_on(id, places_[id].path))
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
