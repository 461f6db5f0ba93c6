#include "models/text/json_text.hpp"
#include "schedules/schedule/schedule_document.hpp"
#include "schedules/schedule/translations.hpp"

namespace nocturne {

void DocumentReader::read_steps(const Json& json, Schedule& schedule)
{
    if (version_ == 3) {
        read_memory_steps(json, schedule);
        return;
    }
    const MessageNames names(schedule.collective);
    for (std::size_t step = 0; step < json.size(); ++step) {
        const Json& transfers = json[step];
        const Pointer at = Pointer() / "steps" / step;
        Step& here = schedule.steps.emplace_back();
        for (std::size_t i = 0; i < transfers.size(); ++i) {
            const Pointer place = at / i;
            refuse(transfers[i], place, {"write", "after"});
            here.push_back(transfer(transfers[i], schedule.collective, names, place));
        }
    }
}

void DocumentReader::read_memory_steps(const Json& json, Schedule& schedule)
{
    const LinkNetwork network = link_network_of(topology_, defaults_);
    const bool in_steps = is_in_steps(schedule);
    schedule.steps.resize(json.size());
    for (std::size_t step = 0; step < json.size(); ++step)
        for (std::size_t i = 0; i < json[step].size(); ++i) {
            const Json& one = json[step][i];
            const Pointer at = Pointer() / "steps" / step / i;
            schedule.steps[step].push_back(memory_transfer(one, network, at));
            if (in_steps)
                refuse(one, at, {"after"});
            else
                schedule.after.push_back(one.contains("after")
                                             ? one["after"].get<std::vector<std::uint32_t>>()
                                             : std::vector<std::uint32_t>{});
        }
    complete(schedule);
}

void DocumentReader::complete(Schedule& schedule) const
{
    if (!is_between_memories(schedule))
        return;
    if (!is_in_steps(schedule) && schedule.steps.size() > 1)
        fail(Pointer() / "steps" / 1, "under dependencies there is one list of transfers, and no steps");
    if (!is_in_steps(schedule))
        schedule.steps.resize(1);
    else if (schedule.rounds.empty())
        schedule.rounds.assign(schedule.steps.size(), 1);
    if (schedule.translations)
        add_images(schedule);
}

/// A file of millions of transfers lists those of one member's chunks.
void DocumentReader::add_images(Schedule& schedule) const
{
    const Pointer at = Pointer() / "translations";
    if (is_in_steps(schedule))
        fail(at, "schedules in steps have none");
    const auto images = TransferImages::find(link_network_of(topology_, defaults_), schedule.collective,
                                             *schedule.translations);
    if (!images)
        fail(at, "the network or the collective does not look the same from every member");
    here(Pointer() / "steps" / 0, [&] { schedule = translated(schedule, *images); });
}

/// Whether nodes, places and links exist is for the validator.
Transfer DocumentReader::memory_transfer(const Json& json, const LinkNetwork& network, const Pointer& at)
{
    refuse(json, at, {"path"});
    if (!json.contains("message") || !json["message"].is_number())
        fail(at / "message", "expected the number of the place that is read");
    const PlaceId read = json["message"];
    const PlaceId write = json.value("write", read);
    if (write >= place_limit)
        fail(at / "message", fmt::format("places are less than {}", place_limit));
    Transfer result{{read, write},
                    node(json["from"], at / "from"),
                    node(json["to"], at / "to"),
                    Path{},
                    json.value("add", false) ? Operation::add : Operation::copy};
    if (json.contains("channels")) {
        result.path = channels(json["channels"], at / "channels");
    } else if (!result.is_local()) {
        const auto link = only_link(network, result.source, result.destination);
        if (!link)
            fail(at, fmt::format("from {} to {} there is not one link alone: 'channels' says which",
                                 result.source, result.destination));
        result.path = {*link};
    }
    return result;
}

NodeId DocumentReader::node(const Json& json, const Pointer& at)
{
    const auto number = index_in(json, std::uint64_t{1} << 32U);
    return number ? *number : processor(json, at);
}

Transfer DocumentReader::transfer(const Json& json, const Collective& collective, const MessageNames& names,
                                  const Pointer& at)
{
    Transfer result{};
    result.source = processor(json["from"], at / "from");
    result.destination = processor(json["to"], at / "to");
    if (json.contains("message")) {
        result.set_message(message(json["message"], collective, names, at / "message"));
    } else {
        result.set_message(
            names.implied(result.source, result.destination).value_or(no_message)); // the validator says so
    }
    if (json.value("add", false))
        result.operation = Operation::add;
    if (json.contains("path") && json.contains("channels"))
        fail(at, "either 'path' or 'channels', not both");
    if (json.contains("path"))
        result.path = path(json["path"], result.source, at / "path");
    if (json.contains("channels"))
        result.path = channels(json["channels"], at / "channels");
    return result;
}

MessageId DocumentReader::message(const Json& json, const Collective& collective, const MessageNames& names,
                                  const Pointer& at)
{
    if (json.is_object() == names.are_numbers())
        fail(at, fmt::format("a message of {} is named by {}", to_string(collective.kind),
                             names.are_numbers() ? "its number, from 0" : "its origin"));
    if (json.is_number())
        return json.get<MessageId>();
    const ProcessorId origin = processor(json["origin"], at / "origin");
    const bool broadcast = is_broadcast(collective);
    if (json.contains("to") == broadcast)
        fail(at, fmt::format("a message of {} has {}", to_string(collective.kind),
                             broadcast ? "an origin only" : "an origin and a receiver, 'to'"));
    const ProcessorId receiver = broadcast ? origin : processor(json["to"], at / "to");
    return find_message(collective, origin, receiver).value_or(no_message); // the validator says so
}

Path DocumentReader::path(const Json& json, ProcessorId source, const Pointer& at)
{
    Path path;
    RouterId from = router(json[0], at / 0);
    if (json.size() == 1 && from != topology_.processor(source).injection)
        fail(at, fmt::format("{} is not the router of {}", topology_.router_name(from),
                             topology_.processor(source).name));
    for (std::size_t i = 1; i < json.size(); ++i) {
        const RouterId to = router(json[i], at / i);
        std::vector<ChannelId> between;
        for (const ChannelId channel : topology_.channels_from(from))
            if (topology_.channel(channel).target == to)
                between.push_back(channel);
        if (between.size() > 1)
            fail(at / i, fmt::format("{} channels lead from {} to {}; list 'channels' instead",
                                     between.size(), topology_.router_name(from), topology_.router_name(to)));
        path.push_back(between.empty() ? no_channel : between.front()); // the validator says so
        from = to;
    }
    return path;
}

Path DocumentReader::channels(const Json& json, const Pointer& at) const
{
    Path path;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const auto channel =
            index_in(json[i], std::uint64_t{1} << 32); // whether it exists is for the validator
        if (!channel)
            fail(at / i, fmt::format("{} is too large for a channel", json_text(json[i])));
        path.push_back(*channel);
    }
    return path;
}

} // namespace nocturne
