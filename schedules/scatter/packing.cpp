#include "schedules/scatter/packing.hpp"

#include "models/routing/random.hpp"
#include "schedules/scatter/occupancy.hpp"
#include "schedules/search/search_meter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <utility>

namespace nocturne::packing {

Packing::Packing(std::vector<std::uint32_t> capacity) : capacity_(std::move(capacity))
{
    if (capacity_.empty() || std::find(capacity_.begin(), capacity_.end(), 0) != capacity_.end())
        throw std::invalid_argument("packing: every resource needs a capacity of 1 or more");
}

Item Packing::add_item()
{
    first_option_.push_back(first_option_.back());
    return static_cast<Item>(item_count() - 1);
}

Option Packing::add_option(std::span<const Resource> resources)
{
    if (item_count() == 0)
        throw std::invalid_argument("packing: an option without an item");
    const auto first = static_cast<std::ptrdiff_t>(resources_.size());
    resources_.insert(resources_.end(), resources.begin(), resources.end());
    std::sort(resources_.begin() + first, resources_.end());
    for (auto own = resources_.begin() + first; own != resources_.end();) {
        const auto end = std::upper_bound(own, resources_.end(), *own);
        if (*own >= resource_count() || end - own > capacity_[*own]) {
            const std::string text =
                *own >= resource_count()
                    ? fmt::format("packing: resource {} does not exist", *own)
                    : fmt::format("packing: an option uses resource {} {} times, its capacity is {}", *own,
                                  end - own, capacity_[*own]);
            resources_.resize(static_cast<std::size_t>(first));
            throw std::invalid_argument(text);
        }
        own = end;
    }
    first_resource_.push_back(static_cast<std::uint32_t>(resources_.size()));
    return first_option_.back()++;
}

namespace {

/// Positions (options x steps) that a look for the cheapest one covers at most. A sample that misses the
/// cheapest costs far more placements than it saves time: half of the positions on an 8x8 torus took a
/// hundred times as many.
constexpr std::uint32_t most_positions = 1 << 17;
/// Moves that follow an ejection.
constexpr unsigned path_moves_per_ejection = 3;
/// Placements between two looks at the clock.
constexpr std::uint64_t clock_interval = 256;

/// The search of pack(): items without a place wait in a pool. One is taken and put where there is room for
/// it, otherwise where the items in its way weigh least: these go to the pool. Its own weight is how often it
/// found no room.
class EjectionPool {
public:
    EjectionPool(const Packing& packing, std::uint32_t steps, const SearchControl& control);
    void place(std::span<const std::optional<Placement>> start);
    PackingResult run();

private:
    bool is_over();
    Item take();
    std::optional<Placement> find_free(Item item);
    Placement find_cheapest(Item item);
    void perturb();
    Option option_after(Item item, Option option) const;
    Option random_option(Item item);
    std::uint32_t random_step(std::uint64_t steps);

    const Packing& packing_;
    SearchMeter meter_;
    Occupancy occupancy_;
    SplitMix64 random_;
    std::vector<Item> pool_; ///< the last is taken first
    bool has_ejected_ = false;
    std::uint64_t least_unplaced_ = 0;
};

std::size_t fewest_resources(const Packing& packing, Item item)
{
    std::size_t fewest = packing.resources(packing.first_option(item)).size();
    for (Option option = packing.first_option(item); option != packing.first_option(item + 1); ++option)
        fewest = std::min(fewest, packing.resources(option).size());
    return fewest;
}

EjectionPool::EjectionPool(const Packing& packing, std::uint32_t steps, const SearchControl& control)
    : packing_(packing), meter_(control, "packing", steps), occupancy_(packing, steps), random_(control.seed)
{
    least_unplaced_ = packing.item_count();
    // Items that need most are placed first, equal ones in random order.
    std::vector<std::pair<std::size_t, std::uint64_t>> order(packing.item_count());
    for (Item item = 0; item < packing.item_count(); ++item)
        order[item] = {fewest_resources(packing, item), random_()};
    for (Item item = 0; item < packing.item_count(); ++item)
        pool_.push_back(item);
    std::sort(pool_.begin(), pool_.end(), [&](Item a, Item b) { return order[a] < order[b]; });
}

void EjectionPool::place(std::span<const std::optional<Placement>> start)
{
    for (Item item = 0; item < start.size(); ++item)
        if (start[item] && start[item]->step < occupancy_.steps()) {
            const auto [step, option] = *start[item];
            if ((occupancy_.free_steps(option, step / 64) >> step % 64 & 1) != 0)
                occupancy_.put(item, {step, option});
        }
    std::erase_if(pool_, [&](Item item) { return occupancy_.is_placed(item); });
    least_unplaced_ = pool_.size();
}

bool EjectionPool::is_over()
{
    if (meter_.is_spent())
        return true;
    if (meter_.tried() % clock_interval != 0)
        return false;
    meter_.end_attempt(least_unplaced_);
    return meter_.control().end.has_come();
}

PackingResult EjectionPool::run()
{
    while (!pool_.empty() && !is_over()) {
        const Item item = take();
        meter_.count();
        if (const auto free = find_free(item)) {
            occupancy_.put(item, *free);
        } else {
            occupancy_.bump_weight(item);
            const Placement place = find_cheapest(item);
            occupancy_.clear(place, pool_);
            occupancy_.put(item, place);
            has_ejected_ = true;
            perturb();
        }
        least_unplaced_ = std::min<std::uint64_t>(least_unplaced_, pool_.size());
    }
    PackingResult result{.placements = {}, .tried = meter_.tried(), .unplaced = least_unplaced_};
    if (pool_.empty())
        for (Item item = 0; item < packing_.item_count(); ++item)
            result.placements.push_back(occupancy_.place(item));
    return result;
}

/// In order at first; from the first ejection on any, which beats first in, last in, heaviest and lightest by
/// far.
Item EjectionPool::take()
{
    if (has_ejected_)
        std::swap(pool_[random_.below(static_cast<std::uint32_t>(pool_.size()))], pool_.back());
    const Item item = pool_.back();
    pool_.pop_back();
    return item;
}

Option EjectionPool::random_option(Item item)
{
    const Option first = packing_.first_option(item);
    return first + random_.below(packing_.first_option(item + 1) - first);
}

Option EjectionPool::option_after(Item item, Option option) const
{
    return option + 1 == packing_.first_option(item + 1) ? packing_.first_option(item) : option + 1;
}

/// One of some steps, given as bits.
std::uint32_t EjectionPool::random_step(std::uint64_t steps)
{
    for (auto skip = random_.below(static_cast<std::uint32_t>(std::popcount(steps))); skip > 0; --skip)
        steps &= steps - 1;
    return static_cast<std::uint32_t>(std::countr_zero(steps));
}

std::optional<Placement> EjectionPool::find_free(Item item)
{
    const std::uint32_t blocks = occupancy_.block_count();
    const Option first = random_option(item);
    const std::uint32_t first_block = blocks == 1 ? 0 : random_.below(blocks);
    Option option = first;
    do {
        for (std::uint32_t i = 0; i < blocks; ++i) {
            const std::uint32_t block = first_block + i < blocks ? first_block + i : first_block + i - blocks;
            if (const std::uint64_t free = occupancy_.free_steps(option, block))
                return Placement{64 * block + random_step(free), option};
        }
        option = option_after(item, option);
    } while (option != first);
    return std::nullopt;
}

/// Among equally cheap places a random one.
Placement EjectionPool::find_cheapest(Item item)
{
    const std::uint32_t blocks = occupancy_.block_count();
    const std::uint32_t options = packing_.first_option(item + 1) - packing_.first_option(item);
    const std::uint32_t block_size = std::min<std::uint32_t>(64, occupancy_.steps());
    const bool all = std::uint64_t{options} * blocks * block_size <= most_positions;
    const std::uint32_t looks = all ? options * blocks : most_positions / block_size;
    Placement cheapest{};
    Occupancy::Weight least = std::numeric_limits<Occupancy::Weight>::max();
    std::uint32_t equal = 0;
    for (std::uint32_t look = 0; look < looks; ++look) {
        const Option option = all ? packing_.first_option(item) + look / blocks : random_option(item);
        const std::uint32_t block = all ? look % blocks : random_.below(blocks);
        const auto prices = occupancy_.prices(option, block);
        for (std::uint32_t i = 0; i < prices.size(); ++i) {
            if (prices[i] > least)
                continue;
            equal = prices[i] == least ? equal + 1 : 1;
            least = prices[i];
            if (random_.below(equal) == 0)
                cheapest = {64 * block + i, option};
        }
    }
    return cheapest;
}

/// A few items move to another place without conflict.
void EjectionPool::perturb()
{
    for (unsigned move = 0; move < path_moves_per_ejection; ++move) {
        const Item item = random_.below(static_cast<std::uint32_t>(packing_.item_count()));
        if (!occupancy_.is_placed(item))
            continue;
        const Option option = random_option(item);
        const std::uint32_t block = random_.below(occupancy_.block_count());
        if (const std::uint64_t free = occupancy_.free_steps(option, block)) {
            occupancy_.remove(item);
            occupancy_.put(item, {64 * block + random_step(free), option});
        }
    }
}

/// Can no search succeed, because the items need more of one resource, or of all, than there is?
bool is_hopeless(const Packing& packing, std::uint32_t steps)
{
    std::vector<std::uint64_t> needed(packing.resource_count());
    std::vector<std::uint32_t> least(packing.resource_count());
    std::vector<std::uint32_t> uses(packing.resource_count());
    std::uint64_t needed_in_all = 0;
    for (Item item = 0; item < packing.item_count(); ++item) {
        const Option first = packing.first_option(item);
        const Option end = packing.first_option(item + 1);
        if (first == end)
            return true;
        needed_in_all += fewest_resources(packing, item);
        // Only what its first option uses can be certain.
        for (const Resource resource : packing.resources(first))
            ++least[resource];
        for (Option option = first + 1; option != end; ++option) {
            for (const Resource resource : packing.resources(option))
                ++uses[resource];
            for (const Resource resource : packing.resources(first))
                least[resource] = std::min(least[resource], uses[resource]);
            for (const Resource resource : packing.resources(option))
                uses[resource] = 0;
        }
        for (const Resource resource : packing.resources(first))
            needed[resource] += std::exchange(least[resource], 0);
    }
    std::uint64_t available_in_all = 0;
    for (Resource resource = 0; resource < packing.resource_count(); ++resource) {
        const std::uint64_t available = std::uint64_t{packing.capacity(resource)} * steps;
        available_in_all += available;
        if (needed[resource] > available)
            return true;
    }
    return needed_in_all > available_in_all;
}

} // namespace

PackingResult pack(const Packing& packing, std::uint32_t steps, const SearchControl& control,
                   std::span<const std::optional<Placement>> start)
{
    if (steps == 0 || is_hopeless(packing, steps))
        return {.placements = {}, .tried = 0, .unplaced = packing.item_count()};
    EjectionPool pool(packing, steps, control);
    pool.place(start);
    return pool.run();
}

} // namespace nocturne::packing
