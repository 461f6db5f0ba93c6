// Judges schedules from any source: files, engines, runs. Knows nothing of how they are made.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// One rule per kind of defect; rule_table says what each demands.
enum class Rule {
    wrong_topology,
    wrong_problem,
    wrong_collective,
    unknown_node,
    unknown_message,
    unknown_place,
    self_transfer,
    missing_path,
    unknown_channel,
    broken_path,
    repeated_channel,
    crossed_node,
    stored_in_switch,
    failed_part,
    not_one_hop,
    too_many_hops,
    forbidden_relay,
    wrong_step,
    channel_conflict,
    link_overfull,
    send_ports,
    receive_ports,
    unknown_dependency,
    unmatched_message,
    circular_wait,
    executor_limit,
    race,
    sender_lacks_message,
    redundant_delivery,
    write_conflict,
    nothing_there,
    different_chunks,
    added_twice,
    missing_contribution,
    extra_contribution,
    undelivered,
};

struct RuleEntry {
    Rule rule;
    std::string_view name;    ///< `channel-conflict`
    std::string_view demands; ///< what holds in a valid schedule
};

/// In the order of the enumeration. What is said of a message, of ports and of paths that cross processors is
/// for messages, what is said of places, rounds and dependencies for transfers from memory to memory.
inline constexpr std::array rule_table{
    RuleEntry{Rule::wrong_topology, "wrong-topology",
              "the collective has as many processors as the topology, and names only those"},
    RuleEntry{Rule::wrong_problem, "wrong-problem",
              "collective, ports, switching and slack are those of the problem"},
    RuleEntry{Rule::wrong_collective, "wrong-collective",
              "chunks, contributors and demands name processors and chunks that exist, once"},
    RuleEntry{Rule::unknown_node, "unknown-node", "source and destination of a transfer exist"},
    RuleEntry{Rule::unknown_message, "unknown-message",
              "the message of a transfer is one of the collective's"},
    RuleEntry{Rule::unknown_place, "unknown-place",
              "inputs and outputs name processors, chunks and places that exist, each place once"},
    RuleEntry{Rule::self_transfer, "self-transfer", "no processor sends to itself"},
    RuleEntry{Rule::missing_path, "missing-path", "every transfer has a path"},
    RuleEntry{Rule::unknown_channel, "unknown-channel", "every channel of a path exists in the topology"},
    RuleEntry{Rule::broken_path, "broken-path",
              "a path leads from source to destination, each channel from where the last one ended"},
    RuleEntry{Rule::repeated_channel, "repeated-channel", "a path visits no channel and no router twice"},
    RuleEntry{Rule::crossed_node, "crossed-node",
              "from memory to memory a path crosses switches only: processors store what comes, and pass it "
              "on with another transfer"},
    RuleEntry{Rule::stored_in_switch, "stored-in-switch",
              "transfers end and begin in processors and copying switches; only processors add"},
    RuleEntry{Rule::failed_part, "failed-part",
              "source, destination and path of a transfer are there when something has failed"},
    RuleEntry{Rule::not_one_hop, "not-one-hop",
              "a transfer is at most one hop under store-and-forward switching"},
    RuleEntry{Rule::too_many_hops, "too-many-hops",
              "a path has at most as many hops beyond a minimal one as the slack allows"},
    RuleEntry{Rule::forbidden_relay, "forbidden-relay",
              "under a slack, a message that has one receiver goes straight from its origin to it"},
    RuleEntry{Rule::wrong_step, "wrong-step",
              "each step has rounds, and at least one; under dependencies there are neither"},
    RuleEntry{Rule::channel_conflict, "channel-conflict",
              "no two transfers of messages in a step share a channel"},
    RuleEntry{Rule::link_overfull, "link-overfull",
              "a link carries at most its units times the rounds of a step"},
    RuleEntry{Rule::send_ports, "send-ports", "no processor sends more messages in a step than its ports"},
    RuleEntry{Rule::receive_ports, "receive-ports",
              "no processor receives more messages in a step than its ports"},
    RuleEntry{Rule::unknown_dependency, "unknown-dependency",
              "a transfer waits only for others that exist; in steps for none"},
    RuleEntry{Rule::unmatched_message, "unmatched-message",
              "in programs of ranks every send has its receive and every receive its send: ranks, tag, size, "
              "and an order that does not depend on the network"},
    RuleEntry{Rule::circular_wait, "circular-wait",
              "no transfer waits for itself, through dependencies or the order on links"},
    RuleEntry{Rule::executor_limit, "executor-limit",
              "what executes a program takes it: so many steps, and no more"},
    RuleEntry{Rule::race, "race",
              "what reads or writes a place is ordered against every other write to it, except that "
              "additions may come in any order"},
    RuleEntry{Rule::sender_lacks_message, "sender-lacks-message",
              "a sender contributes to the message or received it in an earlier step"},
    RuleEntry{Rule::redundant_delivery, "redundant-delivery",
              "no processor receives a message that it has, or a part of the sum that it has"},
    RuleEntry{Rule::write_conflict, "write-conflict",
              "in a step a place is copied to once, or added to, and not both"},
    RuleEntry{Rule::nothing_there, "nothing-there",
              "something is in a place that is added to, or, from memory to memory, read"},
    RuleEntry{Rule::different_chunks, "different-chunks",
              "only contributions to the same chunk are added, and a result is of its chunk"},
    RuleEntry{Rule::added_twice, "added-twice", "no contribution is added to a sum that has it"},
    RuleEntry{Rule::missing_contribution, "missing-contribution",
              "a sum has every contribution that its receiver is owed"},
    RuleEntry{Rule::extra_contribution, "extra-contribution",
              "a sum has no contribution that its receiver is not owed"},
    RuleEntry{Rule::undelivered, "undelivered", "at the end every receiver has what the collective owes it"},
};

/// `channel-conflict` and so on.
std::string_view to_string(Rule rule);

/// A rule that was broken, and where. Indices count from 0; `text` is one line for people and counts from 1.
struct Violation {
    Rule rule;
    std::optional<std::size_t> step = {}; ///< none of the whole schedule, of results, and under dependencies
    std::optional<std::size_t> transfer = {}; ///< index in the step, or under dependencies in the list
    std::optional<ChannelId> channel = {};    ///< or link
    std::optional<ProcessorId> processor =
        {}; ///< or node: who sends or receives too much, lacks or is owed something
    std::string text = {};
    std::uint64_t count = 1; ///< violations that this stands for: more than one only in the last, undelivered
    std::optional<ChunkId> chunk = {};           ///< from memory to memory, of what is wrong with a chunk
    std::optional<ProcessorId> contributor = {}; ///< whose contribution is doubled, missing or too much
};

/// How many violations they stand for.
std::uint64_t count_violations(std::span<const Violation> violations);

/// Deliveries that are owed and missing are listed one by one up to so many.
inline constexpr std::size_t most_undelivered_listed = 1000;

/// Every violation of a schedule, in order of step and transfer. From memory to memory it is judged on
/// link_network_of(topology), see below, and else by the rules of messages, those of the whole schedule first
/// (wrong-topology) or last (undelivered; of more than most_undelivered_listed the rest is one violation with
/// their count, since a collective of some words owes millions). Empty = the schedule is valid: it carries
/// out its collective on `topology` under its port model, switching and slack.
///
/// - Under wormhole switching a transfer holds every channel of its path for the whole step. Injection and
/// ejection are
///   accounted for by the port model.
/// - The transfers of a step carry what was there when it began. What a processor receives in it, and what
/// it adds to what it
///   has of the message, it can send on from the next one. Any processor may relay any
/// message, also one
///   that is not owed it, as long as it has it when the step begins.
/// - Each defect is reported once, at its cause. The second transfer on a channel is in conflict, not the
/// first; each
///   transfer beyond the ports is too much; a transfer whose path is broken or whose sender lacks the message
///   still counts as a delivery, and one with a channel that does not exist is not called broken as well. A
///   transfer that is unknown-processor, unknown-message or self-transfer is judged no further, a schedule
///   for another topology not at all.
///
/// Takes time and memory linear in processors, channels, hops, transfers and deliveries owed; under a slack
/// also a search over the network for each router from which paths of several hops begin. Steps, then
/// messages, are shared out among `threads` (0 = one for each core, fewer for small schedules), which have
/// ended when it returns and never change what it returns.
std::vector<Violation> validate(const Schedule& schedule, const Topology& topology, unsigned threads = 0);

/// The same for one from memory to memory: every violation, each reported once, at its cause, in the order of
/// transfers. What is at a place is a chunk and a set of contributions; sets are followed through copies and
/// additions, two are added only if they are disjoint. After a violation a transfer counts as far as it can,
/// so that one defect is not reported many times. A schedule of messages is judged in the same way, if its
/// paths are those of links.
std::vector<Violation> validate(const Schedule& schedule, const LinkNetwork& network);

/// The same for a schedule of `problem`: what engines return, and what is claimed of a bound. A schedule that
/// is for another collective, or says other ports, another switching or slack of itself, is a wrong-problem
/// and judged no further.
std::vector<Violation> validate(const Schedule& schedule, const Problem& problem);

/// What is wrong with a schedule, in one line: the first violation, and how many more there are. Nothing if
/// it is valid.
std::optional<std::string> objection_to(const Schedule& schedule, const Problem& problem);

/// Is every transfer of the schedule one that the problem's slack and switching allow by itself (see
/// TransferRules)? The paths must be there.
bool keeps_transfer_rules(const Problem& problem, const Schedule& schedule);

} // namespace nocturne
