#include "schedules/schedule/rule_checks.hpp"

#include <fmt/format.h>

namespace nocturne {
namespace {

/// Counts one more at `index`, from 0.
unsigned increment(Scratch<unsigned>& counts, std::size_t index)
{
    const unsigned* const count = counts.find(index);
    counts.set(index, count ? *count + 1 : 1);
    return *counts.find(index);
}

} // namespace

void RuleChecks::check_step(std::size_t step, std::vector<Place>& meaningful)
{
    holder_.forget_all();
    sent_.forget_all();
    received_.forget_all();
    for (std::size_t transfer = 0; transfer < schedule_.steps[step].size(); ++transfer) {
        const Place place{step, transfer};
        if (!is_meaningful(place))
            continue;
        meaningful.push_back(place);
        check_relay(place);
        check_path(place);
        check_ports(place);
    }
}

bool RuleChecks::is_meaningful(Place place)
{
    const Transfer& transfer = at(place);
    bool known = true;
    for (const ProcessorId id : {transfer.source, transfer.destination}) {
        if (id < topology_.processor_count())
            continue;
        report(Rule::unknown_node, place, fmt::format("there is no processor {}", id), {}, id);
        known = false;
    }
    const bool to_itself = transfer.source == transfer.destination;
    if (transfer.message >= schedule_.collective.messages().size() &&
        !(to_itself && transfer.message == no_message)) { // nobody owes itself a message: that is told below
        report(
            Rule::unknown_message, place,
            transfer.message == no_message
                ? std::string("the collective has no such message; say which 'message' is passed on")
                : fmt::format("message {} of {}", transfer.message, schedule_.collective.messages().size()));
        known = false;
    }
    if (!transfer.keeps_place()) {
        report(Rule::unknown_place, place, "it writes another place than the message's");
        known = false;
    }
    if (to_itself && transfer.source < topology_.processor_count()) {
        report(Rule::self_transfer, place, fmt::format("{} sends to itself", name(transfer.source)), {},
               transfer.source);
        known = false;
    }
    return known;
}

void RuleChecks::check_path(Place place)
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

void RuleChecks::check_length(Place place, const Path& path)
{
    const auto& [message, source, destination, written, operation, _] = at(place);
    if (rules_.allows_hops(source, destination, path.size()))
        return;
    if (schedule_.switching == Switching::store_and_forward)
        report(Rule::not_one_hop, place, fmt::format("its path has {} hops", path.size()));
    else
        report(Rule::too_many_hops, place,
               fmt::format("it takes {} hops, slack {} allows {}", path.size(), *schedule_.slack,
                           rules_.most_hops(source, destination)));
}

void RuleChecks::check_relay(Place place)
{
    const auto& [message, source, destination, written, operation, path] = at(place);
    if (!is_sum(message) &&
        !rules_.allows_ends(schedule_.collective.messages()[message], source, destination))
        report(Rule::forbidden_relay, place,
               fmt::format("it is a relay of message {}, which a slack rules out", message_name(message)));
}

bool RuleChecks::has_known_channels(Place place, const Path& path)
{
    bool known = true;
    for (std::size_t hop = 0; hop < path.size(); ++hop) {
        const ChannelId channel = path[hop];
        if (channel < topology_.channel_count())
            continue;
        report(Rule::unknown_channel, place,
               channel == no_channel
                   ? fmt::format("hop {} of its path joins two routers between which {} has no channel",
                                 hop + 1, topology_.name())
                   : fmt::format("there is no channel {}, {} has {}", channel, topology_.name(),
                                 topology_.channel_count()),
               channel);
        known = false;
    }
    return known;
}

void RuleChecks::check_repetition(Place place, const Path& path)
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

void RuleChecks::check_conflicts(Place place, const Path& path)
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

void RuleChecks::check_ports(Place place)
{
    const auto& [message, source, destination, written, operation, path] = at(place);
    const unsigned sends = increment(sent_, source);
    if (const unsigned ports = send_ports(topology_, source, schedule_.ports); sends > ports)
        report(Rule::send_ports, place,
               fmt::format("{} sends {} messages, and its ports allow {}", name(source), sends, ports), {},
               source);
    const unsigned receives = increment(received_, destination);
    if (const unsigned ports = receive_ports(topology_, destination, schedule_.ports); receives > ports)
        report(Rule::receive_ports, place,
               fmt::format("{} receives {} messages, and its ports allow {}", name(destination), receives,
                           ports),
               {}, destination);
}

void RuleChecks::check_message(MessageId id, std::span<const Place> places)
{
    const auto adds = [&](Place place) { return at(place).operation == Operation::add; };
    if (is_sum(id) || std::any_of(places.begin(), places.end(), adds)) {
        check_sum(id, places);
        return;
    }
    const Message& message = schedule_.collective.messages()[id];
    holds_from_.forget_all();
    holds_from_.set(message.origin, 0);
    for (const Place place : places) {
        const auto& [_, source, destination, written, operation, path] = at(place);
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
            report_undelivered(receiver,
                               fmt::format("{} never receives message {}", name(receiver), message_name(id)));
}

void RuleChecks::check_sum(MessageId id, std::span<const Place> places)
{
    contributions_.begin(std::span(&id, 1));
    for (std::size_t first = 0, end = 0; first < places.size(); first = end) {
        while (end < places.size() && places[end].step == places[first].step)
            ++end;
        contributions_.run_step(places.subspan(first, end - first));
    }
    for (const Demand& demand : schedule_.collective.demands.of(id))
        contributions_.judge_result(demand, id);
}

void RuleChecks::add(const ContributionChecks::Finding& finding)
{
    const auto& [rule, place, processor, text, chunk, contributor] = finding;
    if (place)
        report(rule, *place, text, {}, processor);
    else if (rule == Rule::undelivered)
        report_undelivered(processor, text);
    else
        violations_.push_back({rule, {}, {}, {}, processor, fmt::format("{}: {}", to_string(rule), text)});
}

void RuleChecks::report_undelivered(ProcessorId receiver, std::string text)
{
    if (++undelivered_ <= most_undelivered_listed)
        violations_.push_back(
            {Rule::undelivered, {}, {}, {}, receiver, fmt::format("undelivered: {}", text)});
}

std::string RuleChecks::message_name(MessageId id) const
{
    const Collective& collective = schedule_.collective;
    if (is_sum(id) || collective.parts > 1)
        return fmt::format("{}", id);
    const Message& message = collective.messages()[id];
    return is_broadcast(collective)
               ? name(message.origin)
               : fmt::format("{}>{}", name(message.origin), name(message.receivers.front()));
}

void RuleChecks::report(Rule rule, Place place, std::string_view what, std::optional<ChannelId> channel,
                        std::optional<ProcessorId> processor)
{
    violations_.push_back(
        {rule, place.step, place.transfer, channel, processor,
         fmt::format("{}: {}: {}", to_string(rule),
                     describe_transfer(schedule_, topology_, place.step, place.transfer), what)});
}

} // namespace nocturne
