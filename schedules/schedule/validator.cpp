#include "schedules/schedule/validator.hpp"

#include "schedules/problem/transfer_rules.hpp"
#include "schedules/schedule/scratch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace nocturne {

namespace {

/// Counts one more at `index`, from 0.
unsigned increment(Scratch<unsigned>& counts, std::size_t index)
{
    const unsigned* const count = counts.find(index);
    counts.set(index, count ? *count + 1 : 1);
    return *counts.find(index);
}

struct Place {
    std::size_t step;
    std::size_t transfer;
};

/// One judgement: what every check reads, and the violations that it adds.
class Validation {
public:
    Validation(const Schedule& schedule, const Topology& topology)
        : schedule_(schedule), topology_(topology), rules_(topology, schedule.switching, schedule.slack)
    {
    }

    std::vector<Violation> run() &&;

private:
    bool fits_topology();
    bool is_meaningful(Place place);
    void check_step(std::size_t step);
    void check_path(Place place);
    bool has_known_channels(Place place, const Path& path);
    void check_length(Place place, const Path& path);
    void check_relay(Place place);
    void check_repetition(Place place, const Path& path);
    void check_conflicts(Place place, const Path& path);
    void check_ports(Place place);
    void check_possession();
    void check_message(MessageId id, const std::vector<Place>& places,
                       std::pair<std::size_t, std::size_t> range);

    const Transfer& at(Place place) const { return schedule_.steps[place.step][place.transfer]; }
    const std::string& name(ProcessorId id) const { return topology_.processor(id).name; }
    /// "0" for a message of a broadcast, "0>4" for one of a scatter.
    std::string message_name(MessageId id) const;
    void report(Rule rule, Place place, std::string_view what,
                std::optional<ChannelId> channel = std::nullopt,
                std::optional<ProcessorId> processor = std::nullopt);

    const Schedule& schedule_;
    const Topology& topology_;
    TransferRules rules_;
    std::vector<Violation> violations_;
    std::vector<Place> meaningful_; // transfers of known messages between known processors, in order
    Scratch<std::size_t> holder_{topology_.channel_count()};  // transfer of this step that holds a channel
    Scratch<char> on_path_{topology_.channel_count()};        // channels of the path at hand
    Scratch<char> visited_{topology_.router_count()};         // routers of the path at hand
    Scratch<unsigned> sent_{topology_.processor_count()};     // messages that a processor sends in this step
    Scratch<unsigned> received_{topology_.processor_count()}; // messages that it receives in this step
    Scratch<std::size_t> holds_from_{
        topology_.processor_count()}; // first step in which it can send the message at hand
};

std::vector<Violation> Validation::run() &&
{
    if (fits_topology()) {
        for (std::size_t step = 0; step < schedule_.steps.size(); ++step)
            check_step(step);
        check_possession();
    }
    const auto place_of = [](const Violation& violation) {
        constexpr auto at_the_end = std::numeric_limits<std::size_t>::max();
        return std::pair{violation.step.value_or(at_the_end), violation.transfer.value_or(at_the_end)};
    };
    std::stable_sort(violations_.begin(), violations_.end(),
                     [&](const Violation& a, const Violation& b) { return place_of(a) < place_of(b); });
    return std::move(violations_);
}

bool Validation::fits_topology()
{
    const Collective& collective = schedule_.collective;
    const auto processors = topology_.processor_count();
    std::uint64_t needed = collective.processors;
    for (const Message& message : collective.messages) {
        needed = std::max(needed, std::uint64_t{message.origin} + 1);
        for (const ProcessorId receiver : message.receivers)
            needed = std::max(needed, std::uint64_t{receiver} + 1);
    }
    if (needed == processors)
        return true;
    violations_.push_back({Rule::wrong_topology,
                           {},
                           {},
                           {},
                           {},
                           fmt::format("wrong-topology: the collective is on {} processors, {} has {}",
                                       needed, topology_.name(), processors)});
    return false;
}

void Validation::check_step(std::size_t step)
{
    holder_.forget_all();
    sent_.forget_all();
    received_.forget_all();
    for (std::size_t transfer = 0; transfer < schedule_.steps[step].size(); ++transfer) {
        const Place place{step, transfer};
        if (!is_meaningful(place))
            continue;
        meaningful_.push_back(place);
        check_relay(place);
        check_path(place);
        check_ports(place);
    }
}

bool Validation::is_meaningful(Place place)
{
    const Transfer& transfer = at(place);
    bool known = true;
    for (const ProcessorId id : {transfer.source, transfer.destination}) {
        if (id < topology_.processor_count())
            continue;
        report(Rule::unknown_processor, place, fmt::format("there is no processor {}", id), {}, id);
        known = false;
    }
    const bool to_itself = transfer.source == transfer.destination;
    if (transfer.message >= schedule_.collective.messages.size() &&
        !(to_itself && transfer.message == no_message)) { // nobody owes itself a message: that is told below
        report(Rule::unknown_message, place,
               transfer.message == no_message
                   ? std::string("the collective has no such message; say which 'message' is passed on")
                   : fmt::format("message {} of {}", transfer.message, schedule_.collective.messages.size()));
        known = false;
    }
    if (to_itself && transfer.source < topology_.processor_count()) {
        report(Rule::self_transfer, place, fmt::format("{} sends to itself", name(transfer.source)), {},
               transfer.source);
        known = false;
    }
    return known;
}

void Validation::check_path(Place place)
{
    const Transfer& transfer = at(place);
    if (!transfer.path) {
        report(Rule::missing_path, place, "it has no path");
        return;
    }
    const Path& path = *transfer.path;
    if (has_known_channels(place, path) && !connects(topology_, transfer.source, transfer.destination, path))
        report(Rule::broken_path, place, "its path does not lead from source to destination");
    check_length(place, path);
    check_repetition(place, path);
    check_conflicts(place, path);
}

void Validation::check_length(Place place, const Path& path)
{
    const auto& [message, source, destination, _] = at(place);
    if (rules_.allows_hops(source, destination, path.size()))
        return;
    if (schedule_.switching == Switching::store_and_forward)
        report(Rule::not_one_hop, place, fmt::format("its path has {} hops", path.size()));
    else
        report(Rule::too_many_hops, place,
               fmt::format("it takes {} hops, slack {} allows {}", path.size(), *schedule_.slack,
                           rules_.most_hops(source, destination)));
}

void Validation::check_relay(Place place)
{
    const auto& [message, source, destination, path] = at(place);
    if (!rules_.allows_ends(schedule_.collective.messages[message], source, destination))
        report(Rule::forbidden_relay, place,
               fmt::format("it is a relay of message {}, which a slack rules out", message_name(message)));
}

bool Validation::has_known_channels(Place place, const Path& path)
{
    bool known = true;
    for (std::size_t hop = 0; hop < path.size(); ++hop) {
        const ChannelId channel = path[hop];
        if (channel < topology_.channel_count())
            continue;
        report(Rule::unknown_channel, place,
               channel == no_channel
                   ? fmt::format("hop {} of its path is between routers that no channel of {} joins", hop + 1,
                                 topology_.name())
                   : fmt::format("there is no channel {}, {} has {}", channel, topology_.name(),
                                 topology_.channel_count()),
               channel);
        known = false;
    }
    return known;
}

void Validation::check_repetition(Place place, const Path& path)
{
    on_path_.forget_all();
    visited_.forget_all();
    visited_.set(topology_.processor(at(place).source).injection, 1);
    for (const ChannelId channel : path) {
        if (channel >= topology_.channel_count())
            continue;
        const RouterId router = topology_.channel(channel).target;
        if (on_path_.find(channel))
            report(Rule::repeated_channel, place,
                   fmt::format("its path takes {} again", describe_channel(topology_, channel)), channel);
        else if (visited_.find(router))
            report(Rule::repeated_channel, place,
                   fmt::format("{} takes its path back to router {}", describe_channel(topology_, channel),
                               topology_.router_name(router)),
                   channel);
        on_path_.set(channel, 1);
        visited_.set(router, 1);
    }
}

void Validation::check_conflicts(Place place, const Path& path)
{
    for (const ChannelId channel : path) {
        if (channel >= topology_.channel_count())
            continue;
        const std::size_t* const holder = holder_.find(channel);
        if (!holder) {
            holder_.set(channel, place.transfer);
        } else if (*holder != place.transfer) {
            report(
                Rule::channel_conflict, place,
                fmt::format("{} is held by transfer {}", describe_channel(topology_, channel), *holder + 1),
                channel);
        }
    }
}

void Validation::check_ports(Place place)
{
    const auto& [message, source, destination, path] = at(place);
    const unsigned sends = increment(sent_, source);
    if (const unsigned ports = send_ports(topology_, source, schedule_.ports); sends > ports)
        report(Rule::send_ports, place, fmt::format("{} sends message {} of {}", name(source), sends, ports),
               {}, source);
    const unsigned receives = increment(received_, destination);
    if (const unsigned ports = receive_ports(topology_, destination, schedule_.ports); receives > ports)
        report(Rule::receive_ports, place,
               fmt::format("{} receives message {} of {}", name(destination), receives, ports), {},
               destination);
}

/// Who holds what, one message after the other: that takes memory for one message at a time.
void Validation::check_possession()
{
    const std::size_t messages = schedule_.collective.messages.size();
    std::vector<std::size_t> begin(messages + 1); // counting sort, which keeps the order of steps
    for (const Place place : meaningful_)
        ++begin[at(place).message + 1];
    for (std::size_t id = 0; id < messages; ++id)
        begin[id + 1] += begin[id];
    std::vector<Place> by_message(meaningful_.size());
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (const Place place : meaningful_)
        by_message[next[at(place).message]++] = place;
    for (MessageId id = 0; id < messages; ++id)
        check_message(id, by_message, {begin[id], begin[id + 1]});
}

void Validation::check_message(MessageId id, const std::vector<Place>& places,
                               std::pair<std::size_t, std::size_t> range)
{
    const Message& message = schedule_.collective.messages[id];
    holds_from_.forget_all();
    holds_from_.set(message.origin, 0);
    for (std::size_t i = range.first; i < range.second; ++i) {
        const Place place = places[i];
        const auto& [_, source, destination, path] = at(place);
        const std::size_t* const holds_from = holds_from_.find(source);
        if (!holds_from || *holds_from > place.step)
            report(Rule::sender_lacks_message, place,
                   fmt::format("{} does not have message {} yet", name(source), message_name(id)), {},
                   source);
        if (holds_from_.find(destination))
            report(Rule::redundant_delivery, place,
                   fmt::format("{} has message {} already", name(destination), message_name(id)), {},
                   destination);
        else
            holds_from_.set(destination, place.step + 1);
    }
    for (const ProcessorId receiver : message.receivers)
        if (!holds_from_.find(receiver))
            violations_.push_back(
                {Rule::undelivered,
                 {},
                 {},
                 {},
                 receiver,
                 fmt::format("undelivered: {} never receives message {}", name(receiver), message_name(id))});
}

std::string Validation::message_name(MessageId id) const
{
    const Message& message = schedule_.collective.messages[id];
    return is_broadcast(schedule_.collective.kind)
               ? name(message.origin)
               : fmt::format("{}>{}", name(message.origin), name(message.receivers.front()));
}

void Validation::report(Rule rule, Place place, std::string_view what, std::optional<ChannelId> channel,
                        std::optional<ProcessorId> processor)
{
    violations_.push_back(
        {rule, place.step, place.transfer, channel, processor,
         fmt::format("{}: {}: {}", to_string(rule),
                     describe_transfer(schedule_, topology_, place.step, place.transfer), what)});
}

} // namespace

std::string_view to_string(Rule rule)
{
    return rule_table[static_cast<std::size_t>(rule)].name;
}

std::vector<Violation> validate(const Schedule& schedule, const Topology& topology)
{
    return Validation(schedule, topology).run();
}

std::vector<Violation> validate(const Schedule& schedule, const Problem& problem)
{
    const auto wrong = [&](std::string_view what) {
        return std::vector<Violation>{{Rule::wrong_problem,
                                       {},
                                       {},
                                       {},
                                       {},
                                       fmt::format("wrong-problem: {} of {}", what, describe(problem))}};
    };
    if (schedule.collective != problem.collective)
        return wrong("the collective is not that");
    if (schedule.ports != problem.ports)
        return wrong("the ports are not those");
    if (schedule.switching != problem.switching)
        return wrong("the switching is not that");
    if (schedule.slack != problem.slack)
        return wrong("the slack is not that");
    return validate(schedule, problem.topology);
}

std::optional<std::string> objection_to(const Schedule& schedule, const Problem& problem)
{
    const std::vector<Violation> violations = validate(schedule, problem);
    if (violations.empty())
        return std::nullopt;
    const std::size_t more = violations.size() - 1;
    return violations.front().text + (more == 0 ? "" : fmt::format(" (and {} more)", more));
}

bool keeps_transfer_rules(const Problem& problem, const Schedule& schedule)
{
    TransferRules rules(problem);
    const auto keeps = [&](const Transfer& transfer) {
        const auto& [message, source, destination, path] = transfer;
        return rules.allows_ends(problem.collective.messages[message], source, destination) &&
               rules.allows_hops(source, destination, path->size());
    };
    return std::all_of(schedule.steps.begin(), schedule.steps.end(),
                       [&](const Step& step) { return std::all_of(step.begin(), step.end(), keeps); });
}

} // namespace nocturne
