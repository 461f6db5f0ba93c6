// Judges chunked schedules from any source: engines, files, files of other tools.
#pragma once

#include "schedules/chunks/transfer_weights.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// One rule per kind of defect; chunk_rule_table says what each demands.
enum class ChunkRule {
    wrong_network,
    wrong_collective,
    unknown_node,
    unknown_place,
    unknown_link,
    broken_path,
    crossed_node,
    stored_in_switch,
    wrong_step,
    link_overfull,
    unknown_dependency,
    circular_wait,
    race,
    nothing_there,
    different_chunks,
    added_twice,
    write_conflict,
    missing_contribution,
    extra_contribution,
    undelivered,
};

struct ChunkRuleEntry {
    ChunkRule rule;
    std::string_view name;
    std::string_view demands; ///< what holds in a valid schedule
};

/// In the order of the enumeration.
inline constexpr std::array chunk_rule_table{
    ChunkRuleEntry{ChunkRule::wrong_network, "wrong-network",
                   "the collective has as many processors as the network"},
    ChunkRuleEntry{ChunkRule::wrong_collective, "wrong-collective",
                   "chunks, contributors and demands name processors and chunks that exist, once"},
    ChunkRuleEntry{ChunkRule::unknown_node, "unknown-node", "source and destination of a transfer exist"},
    ChunkRuleEntry{ChunkRule::unknown_place, "unknown-place",
                   "inputs and outputs name processors, chunks and places that exist, each place once"},
    ChunkRuleEntry{ChunkRule::unknown_link, "unknown-link", "every link of a path exists in the network"},
    ChunkRuleEntry{ChunkRule::broken_path, "broken-path",
                   "a path leads from source to destination, each link from where the last one ended, and "
                   "takes none twice"},
    ChunkRuleEntry{ChunkRule::crossed_node, "crossed-node",
                   "between its ends a path crosses switches only: processors store what comes, and pass it "
                   "on with another transfer"},
    ChunkRuleEntry{ChunkRule::stored_in_switch, "stored-in-switch",
                   "chunks end and begin in processors and copying switches; only processors add"},
    ChunkRuleEntry{
        ChunkRule::wrong_step, "wrong-step",
        "steps are in order, every one exists and has at least one round; none under dependencies"},
    ChunkRuleEntry{ChunkRule::link_overfull, "link-overfull",
                   "a link carries at most its units times the rounds of a step"},
    ChunkRuleEntry{ChunkRule::unknown_dependency, "unknown-dependency",
                   "a transfer waits only for others that exist; in steps for none"},
    ChunkRuleEntry{ChunkRule::circular_wait, "circular-wait",
                   "no transfer waits for itself, through dependencies or the order on links"},
    ChunkRuleEntry{ChunkRule::race, "race",
                   "what reads or writes a place is ordered against every other write to it, except that "
                   "additions may come in any order"},
    ChunkRuleEntry{ChunkRule::nothing_there, "nothing-there",
                   "something is in the place that a transfer reads, and in one that it adds to"},
    ChunkRuleEntry{ChunkRule::different_chunks, "different-chunks",
                   "only contributions to the same chunk are added, and a result is of its chunk"},
    ChunkRuleEntry{ChunkRule::added_twice, "added-twice", "no contribution is added to a sum that has it"},
    ChunkRuleEntry{ChunkRule::write_conflict, "write-conflict",
                   "in a step a place is copied to once, or added to, and not both"},
    ChunkRuleEntry{ChunkRule::missing_contribution, "missing-contribution",
                   "a result has every contribution that it is owed"},
    ChunkRuleEntry{ChunkRule::extra_contribution, "extra-contribution",
                   "a result has no contribution that it is not owed"},
    ChunkRuleEntry{ChunkRule::undelivered, "undelivered",
                   "at the end something is in the place of every result"},
};

std::string_view to_string(ChunkRule rule);

/// A rule that was broken, and where. Indices count from 0; `text` is one line for people and counts steps
/// and transfers from 1.
struct ChunkViolation {
    ChunkRule rule;
    std::optional<std::size_t> transfer; ///< number over all steps
    std::optional<LinkId> link = std::nullopt;
    std::optional<NodeId> node = std::nullopt;
    std::optional<ChunkId> chunk = std::nullopt;
    std::optional<std::uint32_t> contributor = std::nullopt; ///< whose contribution is doubled or missing
    std::string text;
};

/// Every violation, each reported once, at its cause, in the order of transfers; empty = the schedule carries
/// out its collective on `network`. What is at a place is a chunk and a set of contributions; sets are
/// followed through copies and additions, two are added only if they are disjoint. After a violation a
/// transfer counts as far as it can, so that one defect is not reported many times.
std::vector<ChunkViolation> validate(const Schedule& schedule, const LinkNetwork& network);

} // namespace nocturne
