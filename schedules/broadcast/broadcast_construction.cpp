#include "schedules/broadcast/broadcast_construction.hpp"

#include "models/routing/distances.hpp"
#include "schedules/problem/transfer_rules.hpp"
#include "schedules/schedule/schedule.hpp"

#include <algorithm>
#include <bit>
#include <queue>

namespace nocturne {
namespace {

/// Relays that may move for one receiver, one after the other.
constexpr unsigned moves_per_broadcast = 60;
/// A processor has too many targets to look at what each of them lacks.
constexpr std::size_t many_targets = 12;
/// What getting stuck adds to the weight of a processor at most.
constexpr std::uint32_t most_weight = 16;

} // namespace

BroadcastConstruction::BroadcastConstruction(const RelayNetwork& network, unsigned steps, SplitMix64 random,
                                             SearchMeter& meter)
    : network_(network), messages_(network.problem().collective.messages()), steps_(steps), random_(random),
      meter_(meter), remaining_(messages_.size() * network.processor_count()),
      weight_(network.processor_count()), wanted_(network.processor_count(), messages_.size()),
      holds_(wanted_), lacking_(messages_.size()), missing_(network.processor_count()),
      urgency_(network.processor_count()), step_(network, messages_.size()), was_used_(network.arc_count()),
      chain_(network.arc_count())
{
    for (const Message& message : messages_)
        has_outsiders_ |= message.receivers.size() + 1 < network.processor_count();
    measure_distances();
}

/// Along shortest paths from the origin, backwards from the farthest processors.
void BroadcastConstruction::measure_distances()
{
    std::vector<std::uint32_t> distance(network_.processor_count());
    std::vector<char> is_receiver(network_.processor_count());
    std::vector<ProcessorId> reached;
    for (MessageId m = 0; m < messages_.size(); ++m) {
        std::fill(is_receiver.begin(), is_receiver.end(), 0);
        for (const ProcessorId receiver : messages_[m].receivers)
            is_receiver[receiver] = 1;
        std::fill(distance.begin(), distance.end(), unreachable);
        distance[messages_[m].origin] = 0;
        reached = {messages_[m].origin};
        for (std::size_t next = 0; next < reached.size(); ++next)
            for (const ProcessorId target : network_.targets(reached[next]))
                if (distance[target] == unreachable) {
                    distance[target] = distance[reached[next]] + 1;
                    reached.push_back(target);
                }
        for (auto p = reached.rbegin(); p != reached.rend(); ++p)
            for (const ProcessorId target : network_.targets(*p)) {
                const std::uint16_t behind = remaining_[at(m, target)];
                if (distance[target] == distance[*p] + 1 && (is_receiver[target] || behind > 0))
                    remaining_[at(m, *p)] =
                        std::max(remaining_[at(m, *p)], static_cast<std::uint16_t>(behind + 1));
            }
    }
}

/// Adds to the receivers those on the cheapest ways to them, where an arc costs 4 and a processor that is no
/// receiver `relay_cost` more.
void BroadcastConstruction::choose_relays(MessageId message, std::uint32_t relay_cost)
{
    struct Visit {
        std::uint32_t cost;
        std::uint32_t tie;
        ProcessorId processor;
        ProcessorId before;
        bool operator<(const Visit& other) const
        {
            return std::pair(cost, tie) > std::pair(other.cost, other.tie); // the cheapest on top
        }
    };
    constexpr ProcessorId nobody = ~0u;
    const ProcessorId origin = messages_[message].origin;
    std::vector<ProcessorId> before(network_.processor_count(), nobody);
    std::priority_queue<Visit> open;
    open.push({0, 0, origin, origin});
    while (!open.empty()) {
        const Visit visit = open.top();
        open.pop();
        if (before[visit.processor] != nobody)
            continue;
        before[visit.processor] = visit.before;
        for (const ProcessorId target : network_.targets(visit.processor)) {
            const std::uint32_t cost = visit.cost + 4 + (wanted_.has(target, message) ? 0 : relay_cost);
            open.push({cost, static_cast<std::uint32_t>(random_()), target, visit.processor});
        }
    }
    for (ProcessorId p : messages_[message].receivers)
        for (; p != origin && before[p] != nobody; p = before[p])
            wanted_.add(p, message);
}

void BroadcastConstruction::begin_with(const std::vector<Step>& start)
{
    for (const Step& step : start) {
        std::vector<Relay>& relays = start_.emplace_back();
        for (const Transfer& transfer : step)
            for (const Arc arc : network_.into(transfer.destination))
                if (network_.arc(arc).source == transfer.source && network_.arc(arc).path == *transfer.path) {
                    relays.push_back({arc, transfer.message});
                    break;
                }
    }
}

void BroadcastConstruction::start()
{
    wanted_.clear();
    holds_.clear();
    plan_.clear();
    std::fill(missing_.begin(), missing_.end(), 0);
    std::fill(was_used_.begin(), was_used_.end(), 0);
    const std::uint32_t relay_cost = 1u << random_.below(5);
    if (policy_ == ArcPolicy::as_before)
        for (const std::vector<Relay>& relays : start_)
            for (const auto& [arc, message] : relays)
                if (network_.arc(arc).destination != messages_[message].origin)
                    wanted_.add(network_.arc(arc).destination, message);
    for (MessageId m = 0; m < messages_.size(); ++m) {
        for (const ProcessorId receiver : messages_[m].receivers)
            wanted_.add(receiver, m);
        if (has_outsiders_ && !forbids_relays(network_.problem().slack, messages_[m]))
            choose_relays(m, relay_cost);
        holds_.add(messages_[m].origin, m);
        lacking_[m] = 0;
        for (ProcessorId p = 0; p < network_.processor_count(); ++p)
            if (lacks(p, m)) {
                ++lacking_[m];
                ++missing_[p];
            }
    }
}

std::uint64_t BroadcastConstruction::missing() const
{
    std::uint64_t result = 0;
    for (const std::uint32_t messages : missing_)
        result += messages;
    return result;
}

bool BroadcastConstruction::attempt(ArcPolicy policy)
{
    policy_ = policy;
    meter_.count(); // an attempt can fail before its first relay
    start();
    while (missing() > 0) {
        if (plan_.size() == steps_ || meter_.is_over() || !plan_step())
            return false;
        finish_step();
    }
    return true;
}

/// The receivers take turns, those first that can miss the fewest receptions. False if one of them has missed
/// too many.
bool BroadcastConstruction::plan_step()
{
    struct Turn {
        Score spare;
        std::uint64_t tie;
        ProcessorId receiver;
    };
    std::vector<Turn> turns;
    for (ProcessorId p = 0; p < network_.processor_count(); ++p) {
        if (missing_[p] == 0)
            continue;
        if (spare(p) < 0) {
            weight_[p] = std::min(weight_[p] + 1, most_weight);
            return false;
        }
        urgency_[p] = 16 / (1 + spare(p)) + weight_[p];
        turns.push_back({8 * spare(p) - weight_[p], random_(), p});
    }
    std::sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) {
        return std::pair(a.spare, a.tie) < std::pair(b.spare, b.tie);
    });
    if (policy_ == ArcPolicy::as_before)
        repeat_step();
    for (const Turn& turn : turns) {
        const unsigned most = std::min(network_.receive_limit(turn.receiver), missing_[turn.receiver]);
        for (auto port = step_.received_by(turn.receiver).size(); port < most && !meter_.is_spent(); ++port)
            if (!serve(turn.receiver))
                break;
    }
    return true;
}

/// What of the step to begin with is possible now.
void BroadcastConstruction::repeat_step()
{
    if (plan_.size() >= start_.size())
        return;
    for (const Relay& relay : start_[plan_.size()]) {
        const RelayArc& arc = network_.arc(relay.arc);
        if (holds_.has(arc.source, relay.message) && lacks(arc.destination, relay.message) &&
            step_.received_by(arc.destination).size() < network_.receive_limit(arc.destination) &&
            step_.obstacles(relay.arc).count == 0) {
            meter_.count();
            step_.add(relay);
        }
    }
}

/// One more message for the receiver, which has a port left. Those that were served stay so.
bool BroadcastConstruction::serve(ProcessorId receiver)
{
    ++this_chain_;
    moves_left_ = moves_per_broadcast;
    return take_free(receiver) || take_from_another(receiver);
}

/// The most wanted message that can come over an arc that nothing is in the way of.
bool BroadcastConstruction::take_free(ProcessorId receiver)
{
    meter_.count();
    std::optional<Relay> best;
    Score best_score = 0;
    std::optional<ProcessorId> sender;
    std::pair<MessageId, Score> message;
    for (const Arc arc : network_.into(receiver)) {
        if (chain_[arc] == this_chain_ || step_.obstacles(arc).count > 0)
            continue;
        if (sender != network_.arc(arc).source) {
            sender = network_.arc(arc).source;
            message = most_wanted(*sender, receiver);
        }
        if (message.first == no_message)
            continue;
        Score here =
            message.second - 3 * static_cast<Score>(network_.arc(arc).path.size()) + random_.below(8);
        if (policy_ == ArcPolicy::same_arcs && was_used_[arc])
            here += 1000;
        if (!best || here > best_score) {
            best = {arc, message.first};
            best_score = here;
        }
    }
    if (best)
        step_.add(*best);
    return best.has_value();
}

/// An augmenting path: takes an arc, or a message, from one other relay, whose receiver finds something else,
/// perhaps in the same way.
bool BroadcastConstruction::take_from_another(ProcessorId receiver)
{
    const std::vector<Arc>& arcs = network_.into(receiver);
    const auto first = random_.below(static_cast<std::uint32_t>(arcs.size()));
    for (std::size_t i = 0; i < arcs.size() && moves_left_ > 0; ++i) {
        const Arc arc = arcs[(first + i) % arcs.size()];
        if (chain_[arc] == this_chain_)
            continue;
        const auto exchange = displacement(arc);
        if (!exchange)
            continue;
        --moves_left_;
        chain_[arc] = this_chain_;
        const Relay displaced = step_.relay(exchange->second);
        const ProcessorId loser = network_.arc(displaced.arc).destination;
        step_.remove(exchange->second);
        const BroadcastStep::Slot taken = step_.add(exchange->first);
        if (take_free(loser) || take_from_another(loser))
            return true;
        step_.remove(taken);
        step_.add(displaced);
    }
    return false;
}

/// What the receiver of an arc could take over it if just one relay went: a message, and that relay.
std::optional<std::pair<Relay, BroadcastStep::Slot>> BroadcastConstruction::displacement(Arc arc)
{
    const auto [source, receiver, path] = network_.arc(arc);
    const BroadcastStep::Obstacles obstacles = step_.obstacles(arc);
    if (obstacles.count == 1 && network_.arc(step_.relay(obstacles.first).arc).destination != receiver)
        if (const MessageId message = most_wanted(source, receiver).first; message != no_message)
            return std::pair(Relay{arc, message}, obstacles.first);
    const std::span<const BroadcastStep::Slot> received = step_.received_by(receiver);
    if (obstacles.count > 0 || received.empty())
        return std::nullopt;
    // All that could come over the arc comes from elsewhere: from there something else may come.
    const BroadcastStep::Slot other = received[random_.below(static_cast<std::uint32_t>(received.size()))];
    const MessageId message = step_.relay(other).message;
    if (!holds_.has(source, message))
        return std::nullopt;
    return std::pair(Relay{arc, message}, other);
}

/// Of the messages that the sender holds and the receiver lacks; no_message if there is none.
auto BroadcastConstruction::most_wanted(ProcessorId sender, ProcessorId receiver)
    -> std::pair<MessageId, Score>
{
    std::pair<MessageId, Score> best{no_message, 0};
    for (std::size_t i = 0; i < holds_.word_count(); ++i) {
        std::uint64_t word = holds_.word(sender, i) & wanted_.word(receiver, i) & ~holds_.word(receiver, i) &
                             ~step_.incoming().word(receiver, i);
        for (; word != 0; word &= word - 1) {
            const auto message = static_cast<MessageId>(64 * i + std::countr_zero(word));
            if (const Score here = score(receiver, message); best.first == no_message || here > best.second)
                best = {message, here};
        }
    }
    return best;
}

/// How much it helps that the receiver gets the message now: rare messages first, those that processors next
/// to it need and, before all, those that could come too late to the farthest receiver.
BroadcastConstruction::Score BroadcastConstruction::score(ProcessorId receiver, MessageId message)
{
    Score next_to_it = 0;
    if (network_.targets(receiver).size() < many_targets)
        for (const ProcessorId target : network_.targets(receiver))
            if (lacks(target, message))
                next_to_it += urgency_[target];
    const Score steps_left =
        Score{steps_} - static_cast<Score>(plan_.size()) - 1 - remaining_[at(message, receiver)];
    const Score hurry = std::max<Score>(0, 2 - steps_left);
    return 4 * Score{lacking_[message]} + 2 * next_to_it + 200 * hurry + random_.below(16);
}

void BroadcastConstruction::finish_step()
{
    plan_.push_back(step_.relays());
    step_.clear();
    std::fill(was_used_.begin(), was_used_.end(), 0);
    for (const auto& [arc, message] : plan_.back()) {
        const ProcessorId receiver = network_.arc(arc).destination;
        holds_.add(receiver, message);
        --lacking_[message];
        --missing_[receiver];
        was_used_[arc] = 1;
    }
}

/// Without the deliveries that are neither owed nor relayed.
Schedule BroadcastConstruction::schedule() const
{
    ChunkSets needed(network_.processor_count(), messages_.size());
    for (MessageId m = 0; m < messages_.size(); ++m)
        for (const ProcessorId receiver : messages_[m].receivers)
            needed.add(receiver, m);
    Schedule result = empty_schedule(network_.problem(), "local");
    for (auto relays = plan_.rbegin(); relays != plan_.rend(); ++relays) {
        Step step;
        for (const auto& [id, message] : *relays) {
            const RelayArc& arc = network_.arc(id);
            if (!needed.has(arc.destination, message))
                continue;
            needed.add(arc.source, message);
            step.push_back({message, arc.source, arc.destination, arc.path});
        }
        if (!step.empty())
            result.steps.push_back(std::move(step));
    }
    std::reverse(result.steps.begin(), result.steps.end());
    return result;
}

} // namespace nocturne
