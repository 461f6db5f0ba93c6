#include "schedules/scatter/path_packing.hpp"

#include "models/routing/random.hpp"
#include "schedules/problem/resources.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <queue>
#include <span>
#include <tuple>
#include <utility>

namespace nocturne {
namespace {

constexpr std::uint32_t nowhere = ~0u;
constexpr MessageId nobody = ~0u;

/// Steps that are looked at together, a bit each.
constexpr std::size_t block_words = 2;
using Block = std::uint64_t __attribute__((vector_size(8 * block_words)));

/// Places in the way of a path that are told apart, from 1 on.
constexpr std::size_t most_blocked = 5;
/// Steps that are priced before a message makes others go.
constexpr unsigned most_looks = 64;
/// What a failure adds to the weight of a message.
constexpr float weight_of_failure = 0.5F;
/// Tries for each message without fewer messages left, before the search gives up.
constexpr std::uint64_t patience = 5;
constexpr std::uint64_t clock_interval = 1024;

/// The steps in which resources have no room left, and who holds them.
class HolderTable {
public:
    HolderTable(const Problem& problem, std::uint32_t steps)
        : resources_(problem), steps_(steps), blocks_((steps + 64 * block_words - 1) / (64 * block_words)),
          full_(resources_.count() * blocks_ * block_words, 0)
    {
        std::size_t slots = 0;
        for (ResourceId id = 0; id < resources_.count(); ++id) {
            first_slot_.push_back(slots);
            if (resources_.is_scarce(id))
                slots += std::size_t{resources_.capacity(id)} * steps_;
            // There is no room behind the last step.
            for (std::uint32_t step = steps_; step < blocks_ * block_words * 64; ++step)
                word_of(id, step) |= bit_of(step);
        }
        holders_.assign(slots, nobody);
    }

    const Resources& resources() const { return resources_; }
    std::uint32_t steps() const { return steps_; }
    std::size_t blocks() const { return blocks_; }

    /// The steps of a block that there are: all but in the last one.
    Block inside(std::size_t block) const
    {
        Block words{};
        for (std::size_t word = 0; word < block_words; ++word) {
            const std::size_t first = (block * block_words + word) * 64;
            words[word] = first + 64 <= steps_ ? ~std::uint64_t{0}
                          : first >= steps_    ? 0
                                               : (std::uint64_t{1} << steps_ % 64) - 1;
        }
        return words;
    }
    Block full(ResourceId id, std::size_t block) const
    {
        Block words;
        std::memcpy(&words, &full_[(id * blocks_ + block) * block_words], sizeof words);
        return words;
    }
    std::span<const MessageId> slots(ResourceId id, std::uint32_t step) const
    {
        const std::uint32_t capacity = resources_.capacity(id);
        return std::span(holders_).subspan(first_slot_[id] + std::size_t{step} * capacity, capacity);
    }

    void take(ResourceId id, std::uint32_t step, MessageId message)
    {
        replace(id, step, nobody, message);
        const auto held = slots(id, step);
        if (std::find(held.begin(), held.end(), nobody) == held.end())
            word_of(id, step) |= bit_of(step);
    }
    void release(ResourceId id, std::uint32_t step, MessageId message)
    {
        replace(id, step, message, nobody);
        word_of(id, step) &= ~bit_of(step);
    }

private:
    static std::uint64_t bit_of(std::uint32_t step) { return std::uint64_t{1} << step % 64; }
    std::uint64_t& word_of(ResourceId id, std::uint32_t step)
    {
        return full_[id * blocks_ * block_words + step / 64];
    }
    void replace(ResourceId id, std::uint32_t step, MessageId from, MessageId to)
    {
        const auto first =
            holders_.begin() +
            static_cast<std::ptrdiff_t>(first_slot_[id] + std::size_t{step} * resources_.capacity(id));
        *std::find(first, first + resources_.capacity(id), from) = to;
    }

    Resources resources_;
    std::uint32_t steps_;
    std::size_t blocks_;
    std::vector<std::uint64_t> full_; // by resource and step, in whole blocks
    std::vector<std::size_t> first_slot_;
    std::vector<MessageId> holders_; // by resource, step and unit of capacity
};

class PathPacker {
public:
    PathPacker(const Problem& problem, const PathTable& paths, std::uint32_t steps,
               const SearchControl& control)
        : messages_(problem.collective.messages), paths_(paths), control_(control), table_(problem, steps),
          random_(control.seed), places_(paths.message_count(), PathPlacement{nowhere, 0})
    {
        weigh();
    }

    PathPackingResult run();

private:
    /// What the message holds on the path; until the next call.
    std::span<const ResourceId> held_on(MessageId id, std::uint32_t path);
    void weigh();
    void wait(MessageId id) { waiting_.emplace(weight_[id], static_cast<std::uint32_t>(random_()), id); }
    bool put_into_first_fit(MessageId id);
    std::uint32_t first_free_step(std::span<const ResourceId> held, std::uint32_t before) const;
    void put_and_eject(MessageId id);
    void count_blocked(MessageId id);
    void count_blocked(std::span<const ResourceId> held, std::size_t path);
    void price(MessageId id, PathPlacement place);
    void find_lightest(MessageId id);
    void put(MessageId id, PathPlacement place);
    void remove(MessageId id);

    const std::vector<Message>& messages_;
    const PathTable& paths_;
    const SearchControl& control_;
    HolderTable table_;
    SplitMix64 random_;
    std::vector<PathPlacement> places_; // by message
    std::vector<float> weight_;         // by message: what its path takes of the scarce, for the order
    std::vector<float> price_;          // by message: of making it go
    std::priority_queue<std::tuple<float, std::uint32_t, MessageId>> waiting_;

    std::vector<ResourceId> held_;
    std::vector<std::uint64_t> blocked_; // by number of places, path and word: the steps
    std::array<std::uint64_t, most_blocked> count_{};
    std::vector<MessageId> in_the_way_;
    // The cheapest place so far, and who has to go there.
    PathPlacement lightest_{};
    float least_ = 0;
    std::vector<MessageId> leaving_;
};

std::span<const ResourceId> PathPacker::held_on(MessageId id, std::uint32_t path)
{
    const auto channels = paths_.path(path);
    held_.assign(channels.begin(), channels.end());
    const Resources& resources = table_.resources();
    for (const ResourceId port :
         {resources.send_port(messages_[id].origin), resources.receive_port(messages_[id].receivers.front())})
        if (resources.is_scarce(port))
            held_.push_back(port);
    return held_;
}

void PathPacker::weigh()
{
    // Almost as busy as the busiest counts almost as much, half as busy hardly.
    constexpr double sharpness = 8, least = 0.02;
    std::vector<double> load(table_.resources().count(), 0);
    for (MessageId id = 0; id < messages_.size(); ++id)
        for (const ResourceId resource : held_on(id, paths_.first_path(id)))
            load[resource] += 1.0 / table_.resources().capacity(resource);
    const double most = *std::max_element(load.begin(), load.end());
    for (double& each : load)
        each = std::pow(each / most, sharpness) + least;
    for (MessageId id = 0; id < messages_.size(); ++id) {
        double sum = 0;
        for (const ResourceId resource : held_on(id, paths_.first_path(id)))
            sum += load[resource];
        weight_.push_back(static_cast<float>(sum));
        price_.push_back(weight_.back() * weight_.back());
        wait(id);
    }
}

PathPackingResult PathPacker::run()
{
    PathPackingResult result{.placements = {}, .tried = 0, .unplaced = messages_.size()};
    std::uint64_t improved = 0;
    while (!waiting_.empty()) {
        if (control_.effort != 0 && result.tried >= control_.effort)
            return result;
        if (result.tried % clock_interval == 0 && control_.is_over())
            return result;
        if (result.tried - improved > patience * messages_.size())
            return result;
        ++result.tried;
        const MessageId id = std::get<2>(waiting_.top());
        waiting_.pop();
        if (!put_into_first_fit(id))
            put_and_eject(id);
        if (waiting_.size() < result.unplaced) {
            result.unplaced = waiting_.size();
            improved = result.tried;
        }
    }
    result.placements = std::move(places_);
    return result;
}

std::uint32_t PathPacker::first_free_step(std::span<const ResourceId> held, std::uint32_t before) const
{
    for (std::size_t block = 0; block * block_words * 64 < before; ++block) {
        Block full{};
        for (const ResourceId resource : held)
            full |= table_.full(resource, block);
        for (std::size_t word = 0; word < block_words; ++word)
            if (full[word] != ~std::uint64_t{0})
                return static_cast<std::uint32_t>((block * block_words + word) * 64) +
                       static_cast<std::uint32_t>(std::countr_one(full[word]));
    }
    return nowhere;
}

bool PathPacker::put_into_first_fit(MessageId id)
{
    PathPlacement best{table_.steps(), 0};
    for (std::uint32_t path = paths_.first_path(id); path != paths_.first_path(id + 1); ++path)
        if (const std::uint32_t step = first_free_step(held_on(id, path), best.step); step < best.step)
            best = {step, path};
    if (best.step == table_.steps())
        return false;
    put(id, best);
    return true;
}

void PathPacker::count_blocked(std::span<const ResourceId> held, std::size_t path)
{
    const std::size_t words = table_.blocks() * block_words;
    const std::size_t stride = blocked_.size() / most_blocked;
    for (std::size_t block = 0; block < table_.blocks(); ++block) {
        // Blocked in at most 0, 1, 2, ... places.
        std::array<Block, most_blocked + 1> at_most;
        at_most.fill(~Block{});
        for (const ResourceId resource : held) {
            const Block full = table_.full(resource, block);
            for (std::size_t places = most_blocked; places > 0; --places)
                at_most[places] = (at_most[places] & ~full) | at_most[places - 1];
            at_most[0] &= ~full;
        }
        const Block inside = table_.inside(block);
        for (std::size_t places = 1; places <= most_blocked; ++places) {
            const Block exactly = at_most[places] & ~at_most[places - 1] & inside;
            std::memcpy(&blocked_[(places - 1) * stride + path * words + block * block_words], &exactly,
                        sizeof exactly);
            for (std::size_t word = 0; word < block_words; ++word)
                count_[places - 1] += static_cast<unsigned>(std::popcount(exactly[word]));
        }
    }
}

void PathPacker::count_blocked(MessageId id)
{
    const std::uint32_t first = paths_.first_path(id), count = paths_.first_path(id + 1) - first;
    blocked_.resize(most_blocked * count * table_.blocks() * block_words);
    count_ = {};
    for (std::uint32_t path = 0; path < count; ++path)
        count_blocked(held_on(id, first + path), path);
}

/// Remembers the place if it is the cheapest so far.
void PathPacker::price(MessageId id, PathPlacement place)
{
    in_the_way_.clear();
    float sum = 0;
    for (const ResourceId resource : held_on(id, place.path)) {
        const auto holders = table_.slots(resource, place.step);
        MessageId lightest = holders.front();
        for (const MessageId holder : holders)
            if (lightest != nobody && (holder == nobody || price_[holder] < price_[lightest]))
                lightest = holder;
        if (lightest == nobody ||
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
        if (count_[places] == 0)
            continue;
        // From anywhere on, once around.
        std::uint32_t at = random_.below(stride);
        for (std::uint32_t i = 0; i < stride && looks < most_looks; ++i, at = at + 1 == stride ? 0 : at + 1)
            for (std::uint64_t steps = blocked_[places * stride + at]; steps != 0 && looks < most_looks;
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
    places_[id].step = nowhere;
}

} // namespace

PathPackingResult pack_paths(const Problem& problem, const PathTable& paths, std::uint32_t steps,
                             const SearchControl& control)
{
    return PathPacker(problem, paths, steps, control).run();
}

} // namespace nocturne
