#include "schedules/design/hop_levels.hpp"

#include <numeric>
#include <type_traits>

namespace nocturne::design {

namespace {

std::size_t rounded_words(std::uint32_t columns)
{
    std::size_t words = 1;
    while (words < 8 && 64 * words < columns)
        words *= 2;
    return words < 8 ? words : (columns + 511) / 512 * 8;
}

/// As many levels as are worth keeping: an exchange changes a level k near 4 nodes and their images, for
/// nodes up to k - 1 hops from them.
unsigned levels_to_keep(const Request& request, std::size_t words, HopStrategy strategy)
{
    if (strategy == HopStrategy::all_levels || (strategy == HopStrategy::fastest && words == 1))
        return 0;
    constexpr unsigned most = 12;
    std::uint64_t degrees = 0;
    for (NodeId node = 0; node < request.nodes; ++node)
        degrees += request.degree(node);
    const double growth = static_cast<double>(degrees) / request.nodes - 1;
    double touched = 4.0 * request.symmetry;
    double at_border = touched * (growth + 1);
    unsigned levels = 0;
    for (; levels < most && touched <= 0.3 * request.nodes; ++levels) {
        touched += at_border;
        at_border *= growth;
    }
    return levels;
}

} // namespace

HopLevels::HopLevels(const Request& request, HopStrategy strategy)
    : nodes_(request.nodes), turns_(request.symmetry)
{
    for (NodeId node = 0; node < nodes_; ++node) {
        pairs_ += request.processors_at(node);
        if (node < nodes_ / turns_)
            columns_ += request.processors_at(node);
        if (!request.processors.empty())
            weights_.push_back(request.processors_at(node));
    }
    pairs_ *= columns_;
    words_ = rounded_words(columns_);
    kept_ = levels_to_keep(request, words_, strategy);
    measure_ = for_words();
    work_.clear(2 * nodes_ * words_);
    stamp_.assign(nodes_, 0);
    set_level_0(request);
}

/// The other levels become those of a network without links.
void HopLevels::set_level_0(const Request& request)
{
    const std::size_t levels = std::size_t{kept_} + 1;
    rows_.clear(levels * 2 * nodes_ * words_);
    counts_.assign(levels * 2 * nodes_, 0);
    active_.resize(levels * nodes_);
    for (std::size_t i = 0; i < active_.size(); ++i)
        active_[i] = static_cast<std::uint32_t>(2 * i);
    Reached at_first;
    std::uint32_t column = 0;
    for (NodeId node = 0; node < nodes_ / turns_; ++node)
        for (unsigned processor = 0; processor < request.processors_at(node); ++processor, ++column) {
            count(at_first, node, 1);
            for (unsigned level = 0; level <= kept_; ++level) {
                const std::size_t slot = active_[place(level, node)];
                rows_.data()[slot * words_ + column / 64] |= Word{1} << column % 64;
                ++counts_[slot];
            }
        }
    reached_.assign(levels, at_first);
    candidate_reached_ = reached_;
    changed_.assign(levels, {});
}

HopTotals HopLevels::totals(const Progress& progress, const Reached& reached, bool is_stalled) const
{
    const auto missing = static_cast<std::uint64_t>(pairs_ - reached.processors);
    if (!is_stalled)
        return {.sum = progress.sum * turns_, .maximum = progress.level - 1, .apart = 0};
    return {.sum = (progress.sum + missing * (nodes_ - progress.level)) * turns_,
            .maximum = nodes_,
            .apart = missing * turns_};
}

/// `from(node)` is the row of a node at the level before.
template <std::size_t block, typename RowIndex, typename Degree>
HopLevels::Reached HopLevels::next_level(const NodeId* sources, const RowIndex& from, Word* to,
                                         Degree degree) const
{
    const std::size_t words = block < 8 ? block : words_;
    const auto renew = [&](NodeId node, auto& counts) __attribute__((always_inline)) {
        const NodeId* const row = sources + std::size_t{node} * degree;
        const auto row_of = [&](unsigned i) __attribute__((always_inline)) { return from(row[i]); };
        unite_rows<block>(to + node * words, from(node), row_of, degree, words, counts);
    };
    Reached reached;
    if (weights_.empty()) { // then the bits are added up word by word, and the words only at the end
        typename WordBlock<block>::Type counts{};
        for (NodeId node = 0; node < nodes_; ++node)
            renew(node, counts);
        reached.nodes = sum_of<block>(counts);
        reached.processors = reached.nodes;
        return reached;
    }
    for (NodeId node = 0; node < nodes_; ++node) {
        typename WordBlock<block>::Type counts{};
        renew(node, counts);
        count(reached, node, sum_of<block>(counts));
    }
    return reached;
}

/// With the degrees that are usual as constants: half as long for rows of one word.
template <std::size_t block, typename RowIndex>
HopLevels::Reached HopLevels::next_level(const HalfEdges& network, const RowIndex& from, Word* to) const
{
    const NodeId* const sources = network.sources().data();
    if constexpr (block <= 4)
        switch (network.stride()) {
        case 3:
            return next_level<block>(sources, from, to, std::integral_constant<unsigned, 3>());
        case 4:
            return next_level<block>(sources, from, to, std::integral_constant<unsigned, 4>());
        case 5:
            return next_level<block>(sources, from, to, std::integral_constant<unsigned, 5>());
        case 6:
            return next_level<block>(sources, from, to, std::integral_constant<unsigned, 6>());
        case 8:
            return next_level<block>(sources, from, to, std::integral_constant<unsigned, 8>());
        default:
            break;
        }
    return next_level<block>(sources, from, to, network.stride());
}

/// Nodes whose rows at this level may differ from those of the network.
void HopLevels::find_frontier(const HalfEdges& network, unsigned level)
{
    frontier_.clear();
    if (is_starting_) {
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
    for (const NodeId node : changed_[level - 1]) {
        add(node);
        for (const NodeId target : network.targets().subspan(std::size_t{node} * degree, degree))
            add(target);
    }
}

template <std::size_t block>
void HopLevels::renew_row(const HalfEdges& network, unsigned level, NodeId node, Reached& reached)
{
    const std::size_t words = block < 8 ? block : words_;
    Word* const rows = rows_.data();
    const std::uint32_t* const before = &active_[place(level - 1, 0)];
    std::uint32_t& slot = active_[place(level, node)];
    const std::uint32_t renewed = slot ^ 1;
    const unsigned degree = network.stride();
    const NodeId* const sources = network.sources().data() + std::size_t{node} * degree;
    const auto row_of = [&](unsigned i)
                            __attribute__((always_inline)) { return rows + before[sources[i]] * words; };
    typename WordBlock<block>::Type counts{};
    unite_rows<block>(rows + renewed * words, rows + before[node] * words, row_of, degree, words, counts);
    counts_[renewed] = static_cast<std::uint32_t>(sum_of<block>(counts));
    if (counts_[renewed] == counts_[slot] &&
        std::memcmp(rows + renewed * words, rows + slot * words, words * sizeof(Word)) == 0)
        return;
    count(reached, node, std::int64_t{counts_[renewed]} - counts_[slot]);
    slot = renewed;
    changed_[level].push_back(node);
}

template <std::size_t block>
std::optional<HopTotals> HopLevels::measure_here(const HalfEdges& network, const HopLimit& limit)
{
    for (unsigned level = 1; level <= kept_; ++level) {
        find_frontier(network, level);
        changed_[level].clear();
        candidate_reached_[level] = reached_[level];
        for (const NodeId node : frontier_)
            renew_row<block>(network, level, node, candidate_reached_[level]);
    }
    const std::size_t words = block < 8 ? block : words_;
    const Word* const rows = rows_.data();
    const std::uint32_t* const last_kept = &active_[place(kept_, 0)];
    Word* const work[2] = {work_.data(), work_.data() + nodes_ * words};
    Reached reached = reached_.front();
    Progress progress;
    progress.add(pairs_ - reached.processors);
    for (unsigned level = 1; reached.processors != pairs_; ++level) {
        if (is_above(progress, limit))
            return std::nullopt;
        Reached next;
        if (level <= kept_) {
            next = candidate_reached_[level];
        } else if (level == kept_ + 1) {
            const auto from = [&](NodeId node)
                                  __attribute__((always_inline)) { return rows + last_kept[node] * words; };
            next = next_level<block>(network, from, work[level % 2]);
        } else {
            const Word* const before = work[(level + 1) % 2];
            const auto from = [&](NodeId node)
                                  __attribute__((always_inline)) { return before + node * words; };
            next = next_level<block>(network, from, work[level % 2]);
        }
        if (next.nodes == reached.nodes)
            return totals(progress, reached, true);
        reached = next;
        progress.add(pairs_ - reached.processors);
    }
    return totals(progress, reached, false);
}

HopTotals HopLevels::start(const HalfEdges& network)
{
    is_starting_ = true;
    const HopTotals totals = *measure(network, HopLimit{});
    is_starting_ = false;
    keep();
    return totals;
}

void HopLevels::keep()
{
    reached_.swap(candidate_reached_);
    candidate_reached_.front() = reached_.front();
    for (std::vector<NodeId>& nodes : changed_)
        nodes.clear();
}

void HopLevels::drop()
{
    for (unsigned level = 1; level <= kept_; ++level) {
        for (const NodeId node : changed_[level])
            active_[place(level, node)] ^= 1;
        changed_[level].clear();
    }
}

template <std::size_t block>
HopLevels::Measure HopLevels::for_this_processor()
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
        return &HopLevels::measure_avx512<block>;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi2"))
        return &HopLevels::measure_avx2<block>;
#endif
    return &HopLevels::measure_plain<block>;
}

HopLevels::Measure HopLevels::for_words() const
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

} // namespace nocturne::design
