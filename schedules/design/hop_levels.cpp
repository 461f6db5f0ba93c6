#include "schedules/design/hop_levels.hpp"

#include "schedules/design/hop_rows.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace nocturne::design {

class HopLevels::Rows {
public:
    Rows(const Request& request, HopStrategy strategy);

    HopTotals start(const HalfEdges& network);
    std::optional<HopTotals> measure(const HalfEdges& network, const HopLimit& limit)
    {
        return (this->*measure_)(network, limit);
    }
    void keep();
    void drop();

private:
    using Measure = std::optional<HopTotals> (Rows::*)(const HalfEdges&, const HopLimit&);

    /// Pairs within some number of hops: of all nodes with the processors searched from, and of processors.
    struct Reached {
        std::int64_t nodes = 0;
        std::int64_t processors = 0;
    };
    /// The sum of the hops so far, level by level.
    struct Progress {
        std::uint64_t sum = 0;
        std::uint32_t level = 0; ///< levels that are in the sum

        void add(std::int64_t missing)
        {
            sum += static_cast<std::uint64_t>(missing);
            ++level;
        }
    };

    NOCTURNE_INLINE std::int64_t weight(NodeId node) const { return weights_.empty() ? 1 : weights_[node]; }
    NOCTURNE_INLINE void count(Reached& reached, NodeId node, std::int64_t bits) const
    {
        reached.nodes += bits;
        reached.processors += weight(node) * bits;
    }
    NOCTURNE_INLINE bool is_above(const Progress& progress, const HopLimit& limit) const
    {
        return limit.per_hop * static_cast<double>(progress.sum * turns_) +
                   limit.per_level * progress.level >
               limit.most;
    }
    HopTotals totals(const Progress& progress, const Reached& reached, bool is_stalled) const;

    template <std::size_t block>
    NOCTURNE_INLINE std::optional<HopTotals> measure_all(const HalfEdges& network, const HopLimit& limit);
    template <std::size_t block>
    NOCTURNE_INLINE std::optional<HopTotals> measure_changed(const HalfEdges& network, const HopLimit& limit);
    template <std::size_t block>
    NOCTURNE_INLINE bool renew_row(const HalfEdges& network, std::uint32_t level, NodeId node,
                                   Reached& reached);
    template <std::size_t block>
    std::optional<HopTotals> measure_plain(const HalfEdges& network, const HopLimit& limit)
    {
        return keeps_levels_ ? measure_changed<block>(network, limit) : measure_all<block>(network, limit);
    }
#if defined(__x86_64__)
    template <std::size_t block>
    [[gnu::target("avx2,bmi,bmi2,popcnt")]] std::optional<HopTotals> measure_avx2(const HalfEdges& network,
                                                                                  const HopLimit& limit)
    {
        return keeps_levels_ ? measure_changed<block>(network, limit) : measure_all<block>(network, limit);
    }
    template <std::size_t block>
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq,avx2,bmi,bmi2,popcnt")]] //
    std::optional<HopTotals>
    measure_avx512(const HalfEdges& network, const HopLimit& limit)
    {
        return keeps_levels_ ? measure_changed<block>(network, limit) : measure_all<block>(network, limit);
    }
#endif
    template <std::size_t block>
    static Measure for_this_processor();
    Measure for_words() const;

    std::size_t place(std::uint32_t level, NodeId node) const
    {
        return std::size_t{level} * nodes_ + node;
    }
    std::size_t active(std::uint32_t level, NodeId node) const
    {
        const std::size_t at = place(level, node);
        return 2 * at + active_[at];
    }
    bool add_level();
    void set_level_0();
    void find_frontier(const HalfEdges& network, std::uint32_t level);

    const Request* request_;
    NodeId nodes_;
    unsigned turns_;        ///< the symmetry
    std::uint32_t columns_; ///< processors searched from
    std::size_t words_;     ///< in a row
    std::vector<std::uint32_t> weights_; ///< processors of each node; empty if each has one
    std::int64_t pairs_;                 ///< of a processor and one searched from
    std::int64_t all_nodes_;             ///< of a node and one searched from
    Reached at_first_;                   ///< within no hops
    bool keeps_levels_;
    Measure measure_;

    RowStore rows_; ///< level 0 and two to work in; or by level, node and slot
    // Of changed_rows: a level has two slots for each node. The active one holds what belongs to the network, or
    // to the candidate while one is measured; the other one is free, or holds what belongs to the network.
    std::uint32_t levels_ = 0; ///< kept, besides level 0; at the last one nothing is missing that ever comes
    std::vector<std::uint32_t> counts_;
    std::vector<std::uint8_t> active_;
    std::vector<Reached> reached_;           ///< by level
    std::vector<Reached> candidate_reached_; ///< by level, as far as it was measured
    std::vector<std::vector<NodeId>> changed_; ///< by level: nodes whose slots have been swapped
    std::uint32_t measured_ = 0;               ///< levels whose `changed_` are those of the candidate
    bool is_starting_ = false;                 ///< every node counts as touched
    std::vector<NodeId> frontier_;
    std::vector<std::uint32_t> stamp_; ///< by node: the last frontier that it was in
    std::uint32_t stamps_ = 0;
};

namespace {

constexpr std::uint32_t most_levels_kept = 48;

std::size_t rounded_words(std::uint32_t columns)
{
    std::size_t words = 1;
    while (words < 8 && 64 * words < columns)
        words *= 2;
    return words < 8 ? words : (columns + 511) / 512 * 8;
}

} // namespace

HopLevels::Rows::Rows(const Request& request, HopStrategy strategy)
    : request_(&request), nodes_(request.nodes), turns_(request.symmetry), columns_(0)
{
    const NodeId block = nodes_ / turns_;
    std::int64_t processors = 0;
    for (NodeId node = 0; node < nodes_; ++node) {
        processors += request.processors_at(node);
        if (node < block)
            columns_ += request.processors_at(node);
        if (!request.processors.empty())
            weights_.push_back(request.processors_at(node));
    }
    words_ = rounded_words(columns_);
    pairs_ = processors * columns_;
    all_nodes_ = std::int64_t{nodes_} * columns_;
    keeps_levels_ = strategy == HopStrategy::changed_rows || (strategy == HopStrategy::fastest && words_ > 1);
    measure_ = for_words();
    set_level_0();
    for (NodeId node = 0; node < nodes_; ++node)
        count(at_first_, node, counts_[keeps_levels_ ? 2 * node : node]);
}

void HopLevels::Rows::set_level_0()
{
    const std::size_t slots = keeps_levels_ ? 2 : 1;
    rows_.clear(nodes_ * words_ * (keeps_levels_ ? 2 : 3));
    counts_.assign(slots * nodes_, 0);
    active_.assign(nodes_, 0);
    stamp_.assign(nodes_, 0);
    std::uint32_t column = 0;
    for (NodeId node = 0; node < nodes_ / turns_; ++node)
        for (unsigned processor = 0; processor < request_->processors_at(node); ++processor, ++column) {
            rows_.data()[slots * node * words_ + column / 64] |= Word{1} << column % 64;
            ++counts_[slots * node];
        }
    levels_ = 0;
    measured_ = 0;
    reached_.assign(1, at_first_);
    changed_.resize(1);
}

HopTotals HopLevels::Rows::totals(const Progress& progress, const Reached& reached, bool is_stalled) const
{
    const auto missing = static_cast<std::uint64_t>(pairs_ - reached.processors);
    if (!is_stalled)
        return {.sum = progress.sum * turns_, .maximum = progress.level - 1, .apart = 0};
    return {.sum = (progress.sum + missing * (nodes_ - progress.level)) * turns_,
            .maximum = nodes_,
            .apart = missing * turns_};
}

template <std::size_t block>
std::optional<HopTotals> HopLevels::Rows::measure_all(const HalfEdges& network, const HopLimit& limit)
{
    const std::size_t words = block < 8 ? block : words_;
    const unsigned degree = network.stride();
    const NodeId* const sources = network.sources().data();
    const Word* from = rows_.data();
    Word* to = rows_.data() + nodes_ * words;
    Word* other = to + nodes_ * words;
    Reached reached = at_first_;
    Progress progress;
    progress.add(pairs_ - reached.processors);
    while (reached.processors != pairs_) {
        if (is_above(progress, limit))
            return std::nullopt;
        Reached next;
        for (NodeId node = 0; node < nodes_; ++node) {
            const NodeId* const row = sources + std::size_t{node} * degree;
            const auto row_of = [&](unsigned i) __attribute__((always_inline)) { return from + row[i] * words; };
            count(next, node,
                  unite_rows<block>(to + node * words, from + node * words, row_of, degree, words));
        }
        if (next.nodes == reached.nodes)
            return totals(progress, reached, true);
        reached = next;
        progress.add(pairs_ - reached.processors);
        from = to;
        std::swap(to, other);
    }
    return totals(progress, reached, false);
}

/// Nodes whose rows at this level may differ from those of the network.
void HopLevels::Rows::find_frontier(const HalfEdges& network, std::uint32_t level)
{
    const std::vector<NodeId>& changed = changed_[level - 1];
    frontier_.clear();
    if (is_starting_ || changed.size() > nodes_ / 2) {
        frontier_.resize(nodes_);
        std::iota(frontier_.begin(), frontier_.end(), 0);
        return;
    }
    ++stamps_;
    const auto add = [&](NodeId node) {
        if (stamp_[node] != stamps_) {
            stamp_[node] = stamps_;
            frontier_.push_back(node);
        }
    };
    for (const NodeId node : network.touched())
        add(node);
    const unsigned degree = network.stride();
    for (const NodeId node : changed) {
        add(node);
        for (const NodeId target : network.targets().subspan(std::size_t{node} * degree, degree))
            add(target);
    }
}

template <std::size_t block>
bool HopLevels::Rows::renew_row(const HalfEdges& network, std::uint32_t level, NodeId node, Reached& reached)
{
    const std::size_t words = block < 8 ? block : words_;
    Word* const rows = rows_.data();
    const std::size_t old = active(level, node);
    const std::size_t renewed = old ^ 1;
    const std::size_t before = active(level - 1, node);
    if (counts_[before] == columns_) { // as full as it gets
        if (counts_[old] == columns_)
            return false;
        std::copy_n(rows + before * words, words, rows + renewed * words);
        counts_[renewed] = columns_;
    } else {
        const unsigned degree = network.stride();
        const NodeId* const sources = network.sources().data() + std::size_t{node} * degree;
        const auto row_of = [&](unsigned i) __attribute__((always_inline)) {
            return rows + active(level - 1, sources[i]) * words;
        };
        counts_[renewed] =
            unite_rows<block>(rows + renewed * words, rows + before * words, row_of, degree, words);
        if (counts_[renewed] == counts_[old] &&
            std::memcmp(rows + renewed * words, rows + old * words, words * sizeof(Word)) == 0)
            return false;
    }
    active_[place(level, node)] ^= 1;
    changed_[level].push_back(node);
    count(reached, node, std::int64_t{counts_[renewed]} - counts_[old]);
    return true;
}


/// A copy of the last level as it is without the candidate. Returns false if there are too many.
bool HopLevels::Rows::add_level()
{
    if (levels_ == most_levels_kept)
        return false;
    const std::size_t slots = 2 * std::size_t{nodes_};
    rows_.resize((levels_ + 2) * slots * words_);
    std::copy_n(rows_.data() + levels_ * slots * words_, slots * words_,
                rows_.data() + (levels_ + 1) * slots * words_);
    counts_.resize((levels_ + 2) * slots);
    std::copy_n(counts_.begin() + static_cast<std::ptrdiff_t>(levels_ * slots), slots,
                counts_.begin() + static_cast<std::ptrdiff_t>((levels_ + 1) * slots));
    active_.resize(place(levels_ + 2, 0));
    std::copy_n(active_.begin() + static_cast<std::ptrdiff_t>(place(levels_, 0)), nodes_,
                active_.begin() + static_cast<std::ptrdiff_t>(place(levels_ + 1, 0)));
    for (const NodeId node : changed_[levels_])
        active_[place(levels_ + 1, node)] ^= 1;
    reached_.push_back(Reached(reached_.back()));
    changed_.emplace_back();
    ++levels_;
    return true;
}

template <std::size_t block>
std::optional<HopTotals> HopLevels::Rows::measure_changed(const HalfEdges& network, const HopLimit& limit)
{
    Reached reached = at_first_;
    Progress progress;
    progress.add(pairs_ - reached.processors);
    std::optional<HopTotals> result;
    bool is_stalled = false;
    measured_ = 0;
    candidate_reached_.assign(1, at_first_);
    for (std::uint32_t level = 1;; ++level) {
        if (!result && reached.processors == pairs_)
            result = totals(progress, reached, false);
        if (!result && is_above(progress, limit))
            return std::nullopt;
        if (reached.nodes == all_nodes_ && reached_[level - 1].nodes == all_nodes_)
            return result; // all further levels are full, as they were
        if (level > levels_ && is_stalled)
            return result;
        if (level > levels_ && !add_level()) {
            drop();
            keeps_levels_ = false;
            set_level_0();
            return measure_all<block>(network, limit);
        }
        find_frontier(network, level);
        changed_[level].clear();
        Reached next = reached_[level];
        for (const NodeId node : frontier_)
            renew_row<block>(network, level, node, next);
        measured_ = level;
        candidate_reached_.push_back(next);
        is_stalled = next.nodes == reached.nodes;
        if (!result && is_stalled)
            result = totals(progress, reached, true);
        else if (!result)
            progress.add(pairs_ - next.processors);
        reached = next;
    }
}

HopTotals HopLevels::Rows::start(const HalfEdges& network)
{
    if (keeps_levels_)
        set_level_0(); // that of a network without links, whose further levels are the same
    is_starting_ = true;
    const HopTotals totals = *measure(network, HopLimit{});
    is_starting_ = false;
    keep();
    return totals;
}

void HopLevels::Rows::keep()
{
    if (keeps_levels_)
        std::copy(candidate_reached_.begin(), candidate_reached_.end(), reached_.begin());
    measured_ = 0;
}

void HopLevels::Rows::drop()
{
    for (std::uint32_t level = 1; level <= measured_; ++level)
        for (const NodeId node : changed_[level])
            active_[place(level, node)] ^= 1;
    measured_ = 0;
}

template <std::size_t block>
HopLevels::Rows::Measure HopLevels::Rows::for_this_processor()
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
        return &Rows::measure_avx512<block>;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi2"))
        return &Rows::measure_avx2<block>;
#endif
    return &Rows::measure_plain<block>;
}

HopLevels::Rows::Measure HopLevels::Rows::for_words() const
{
    switch (words_) {
    case 1:
        return for_this_processor<1>();
    case 2:
        return for_this_processor<2>();
    case 4:
        return for_this_processor<4>();
    default:
        return for_this_processor<8>();
    }
}

HopLevels::HopLevels(const Request& request, HopStrategy strategy)
    : rows_(std::make_unique<Rows>(request, strategy))
{
}

HopLevels::HopLevels(HopLevels&&) noexcept = default;
HopLevels::~HopLevels() = default;

HopTotals HopLevels::start(const HalfEdges& network)
{
    return rows_->start(network);
}

std::optional<HopTotals> HopLevels::measure(const HalfEdges& network, const HopLimit& limit)
{
    return rows_->measure(network, limit);
}

void HopLevels::keep()
{
    rows_->keep();
}

void HopLevels::drop()
{
    rows_->drop();
}

} // namespace nocturne::design
