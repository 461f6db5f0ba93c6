#include "schedules/certificate/crossings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <span>
#include <stdexcept>

namespace nocturne {
namespace {

/// Sums as vectors over the field of two elements.
class LinearSpan {
public:
    explicit LinearSpan(std::size_t elements) : words_((elements + bits - 1) / bits) {}

    void clear() { by_highest_.clear(); }
    std::uint32_t rank() const { return static_cast<std::uint32_t>(by_highest_.size()); }

    template <class Filter>
    void add(const std::vector<std::uint32_t>& elements, const Filter& is_counted)
    {
        Vector vector(words_, 0);
        for (const std::uint32_t element : elements)
            if (is_counted(element))
                vector[element / bits] ^= std::uint64_t{1} << element % bits;
        for (std::size_t word = words_; word-- > 0;)
            while (vector[word] != 0) {
                const std::size_t highest = word * bits + std::bit_width(vector[word]);
                const auto [known, is_new] = by_highest_.try_emplace(highest, vector);
                if (is_new)
                    return;
                for (std::size_t i = 0; i <= word; ++i)
                    vector[i] ^= known->second[i];
            }
    }

private:
    static constexpr std::size_t bits = 64;
    using Vector = std::vector<std::uint64_t>;

    std::size_t words_;
    std::map<std::size_t, Vector> by_highest_;
};

using List = std::vector<std::uint32_t>;

class Crossings {
public:
    Crossings(std::uint32_t processors, const std::vector<bool>& is_inside)
        : is_inside_(is_inside), span_(processors)
    {
    }

    /// Of one chunk, by what is owed of it.
    std::uint32_t count(std::span<const Demand> demands)
    {
        if (!is_as_before(demands)) {
            find_lists(demands);
            count_ = lists_.size() > 1 ? rank() : static_cast<std::uint32_t>(lists_.size());
        }
        before_ = demands;
        return count_;
    }

private:
    /// Parts of a block share their lists.
    bool is_as_before(std::span<const Demand> demands) const
    {
        return std::ranges::equal(demands, before_, [](const Demand& a, const Demand& b) {
            return a.receiver == b.receiver && &list_of(a) == &list_of(b);
        });
    }

    static const List& list_of(const Demand& demand) { return demand.contributors; }

    /// Those that are owed outside, and have something of inside.
    void find_lists(std::span<const Demand> demands)
    {
        lists_.clear();
        for (const Demand& demand : demands) {
            if (is_inside_[demand.receiver])
                continue;
            const List& list = list_of(demand);
            if (&list != last_) {
                last_ = &list;
                begins_inside_ =
                    std::ranges::any_of(list, [&](std::uint32_t node) { return is_inside_[node]; });
            }
            if (begins_inside_ && (lists_.empty() || lists_.back() != &list))
                lists_.push_back(&list);
        }
    }

    std::uint32_t rank()
    {
        span_.clear();
        for (const List* const list : lists_)
            span_.add(*list, [&](std::uint32_t node) { return is_inside_[node]; });
        return span_.rank();
    }

    const std::vector<bool>& is_inside_;
    LinearSpan span_;
    std::span<const Demand> before_;
    std::uint32_t count_ = 0;
    const List* last_ = nullptr; ///< the list that was looked at last: demands mostly share theirs
    bool begins_inside_ = false;
    std::vector<const List*> lists_;
};

} // namespace

std::vector<bool> inside_of(const NodeCut& cut, const LinkNetwork& network)
{
    std::vector<bool> inside(network.node_count(), false);
    for (const NodeId node : cut.nodes) {
        if (node >= network.node_count())
            throw std::invalid_argument(fmt::format("node {} of the cut does not exist", node));
        inside[node] = true;
    }
    return inside;
}

std::vector<std::uint32_t> least_crossings(const Collective& collective, const std::vector<bool>& is_inside)
{
    std::vector<std::uint32_t> counts(collective.chunks.size(), 0);
    Crossings crossings(collective.processors, is_inside);
    const std::span<const Demand> demands(collective.demands.begin(), collective.demands.end());
    for (std::size_t first = 0, last = 0; first < demands.size(); first = last) {
        const ChunkId chunk = demands[first].chunk;
        while (last < demands.size() && demands[last].chunk == chunk)
            ++last;
        counts[chunk] = crossings.count(demands.subspan(first, last - first));
    }
    return counts;
}

} // namespace nocturne
