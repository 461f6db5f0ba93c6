// Judges programs of ranks by what they wait for, and not by what their messages contain.
#pragma once

#include "models/traffic/rank_programs.hpp"

#include <map>
#include <tuple>

namespace nocturne {

/// Those that a receive can take: from, to, tag.
using MessageKey = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;
struct KeyedMessages {
    std::vector<std::uint32_t> sends, receives; ///< operations, in a BeginOrder
    bool has_ordered_sends = true;
    bool has_ordered_receives = true; ///< each precedes the next one
};
using MessagesByKey = std::map<MessageKey, KeyedMessages>;

/// Which operations of a rank begin before others, whatever the network does.
class BeginOrder {
public:
    /// It must outlive this.
    explicit BeginOrder(const RankPrograms& programs);

    /// Does `later` begin after `earlier` in every run, by dependencies within the rank?
    bool precedes(std::uint32_t earlier, std::uint32_t later);
    /// How many of `others` the operation precedes. Steps of the search count against `budget`; without one
    /// that is left it is 0.
    std::uint32_t count_later(std::uint32_t operation, const std::vector<std::uint32_t>& others,
                              std::uint64_t& budget);

    MessagesByKey messages();

private:
    template <class Visit>
    void visit_later(std::uint32_t from, Visit visit);

    const RankPrograms& programs_;
    std::vector<std::vector<std::uint32_t>> followers_;
    std::vector<std::uint32_t> position_; ///< a topological order
    std::vector<std::uint32_t> seen_;     ///< the number of the visit that came last
    std::uint32_t visit_ = 0;
};

/// As many receives as sends for all ranks and tags, of the same sizes. Messages take their order from their
/// ranks: where sizes differ, it must be said there.
void judge_messages(const RankPrograms& programs, const MessagesByKey& messages,
                    std::vector<ProgramDefect>& defects);

/// Is there an order in which operations begin, so that some never end? Receives and sends without a partner
/// are passed over. A send ends by itself, and a receive takes the first message of its key that no receive
/// that began before takes. Only where receives of a key have no order, orders are tried; whether some order
/// never ends is NP-hard, and too many of them are a defect of the order (mismatched_message).
void judge_waits(const RankPrograms& programs, BeginOrder& order, const MessagesByKey& messages,
                 std::vector<ProgramDefect>& defects);

struct ProgramVerdict {
    std::vector<ProgramDefect> defects; ///< empty: no rule is broken
    std::uint64_t messages = 0;         ///< sends
    std::uint64_t unordered = 0;        ///< sends of which it is open which receive takes which
};

/// Without a network its processors are not compared with the ranks.
ProgramVerdict judge_programs(const RankPrograms& programs, const Topology* topology);

} // namespace nocturne
