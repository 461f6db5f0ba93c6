#include "schedules/schedule/schedule_json.hpp"

#include "models/topology/files.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/topology_files.hpp"
#include "schedules/schedule/checked_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view format_name = "nocturne-schedule";
constexpr int format_version = 1;

/// The routers that `path` visits, if they say which channels it takes.
std::optional<std::vector<RouterId>> unambiguous_routers(const Topology& topology, const Transfer& transfer)
{
    if (!connects(topology, transfer.source, transfer.destination, *transfer.path))
        return std::nullopt;
    const auto is_only_one = [&](ChannelId id) {
        const auto channels = topology.channels_from(topology.channel(id).source);
        return std::count_if(channels.begin(), channels.end(), [&](ChannelId other) {
                   return topology.channel(other).target == topology.channel(id).target;
               }) == 1;
    };
    if (!std::all_of(transfer.path->begin(), transfer.path->end(), is_only_one))
        return std::nullopt;
    return routers_of(topology, transfer.source, *transfer.path);
}

OrderedJson names_of(const Topology& topology, const std::vector<ProcessorId>& processors)
{
    OrderedJson names = OrderedJson::array();
    for (const ProcessorId id : processors)
        names.push_back(topology.processor(id).name);
    return names;
}

OrderedJson collective_to_json(const Collective& collective, const Topology& topology)
{
    if (collective.processors != topology.processor_count())
        throw std::invalid_argument(
            fmt::format("a collective on {} processors cannot be written for {}, which has {}",
                        collective.processors, topology.name(), topology.processor_count()));
    OrderedJson json{{"kind", to_string(collective.kind)}, {"processors", collective.processors}};
    const Participants participants = participants_of(collective);
    if (participants.source)
        json[is_gather(collective.kind) ? "root" : "source"] = topology.processor(*participants.source).name;
    if (!participants.senders.empty())
        json["senders"] = names_of(topology, participants.senders);
    if (!participants.receivers.empty())
        json["receivers"] = names_of(topology, participants.receivers);
    if (!participants.image.empty())
        json["image"] = names_of(topology, participants.image);
    return json;
}

OrderedJson transfer_to_json(const Transfer& transfer, const Collective& collective, const Topology& topology)
{
    for (const ProcessorId id : {transfer.source, transfer.destination})
        if (id >= topology.processor_count())
            throw std::invalid_argument(fmt::format("{}: processor {} does not exist", topology.name(), id));
    if (transfer.message >= collective.messages.size())
        throw std::invalid_argument(
            fmt::format("message {} of {} does not exist", transfer.message, collective.messages.size()));
    const auto name = [&](ProcessorId id) { return topology.processor(id).name; };
    OrderedJson json{{"from", name(transfer.source)}, {"to", name(transfer.destination)}};
    if (find_message(collective, transfer.source, transfer.destination) != transfer.message) {
        const Message& message = collective.messages[transfer.message];
        json["message"]["origin"] = name(message.origin);
        if (!is_broadcast(collective.kind))
            json["message"]["to"] = name(message.receivers.front());
    }
    if (!transfer.path)
        return json;
    if (const auto routers = unambiguous_routers(topology, transfer)) {
        for (const RouterId router : *routers)
            json["path"].push_back(topology.router_name(router));
    } else {
        json["channels"] = *transfer.path;
    }
    return json;
}

/// What a file says of its topology: the specification if that makes this very topology, otherwise all of it.
OrderedJson topology_to_json(const std::string& specification, const Topology& topology)
{
    const std::string whole = to_json(topology);
    try {
        if (to_json(make_topology(specification)) == whole)
            return specification;
    } catch (const std::invalid_argument&) {
        // no specification
    }
    return OrderedJson::parse(whole);
}

/// Everything but the steps.
OrderedJson head_to_json(const Schedule& schedule, const Topology& topology)
{
    OrderedJson json{{"format", format_name}, {"version", format_version}};
    if (!schedule.name.empty())
        json["name"] = schedule.name;
    if (!schedule.source.empty())
        json["source"] = schedule.source;
    json["topology"] = topology_to_json(schedule.topology, topology);
    json["collective"] = collective_to_json(schedule.collective, topology);
    json["ports"] = to_string(schedule.ports);
    json["switching"] = to_string(schedule.switching);
    if (schedule.slack)
        json["slack"] = *schedule.slack;
    return json;
}

} // namespace

nlohmann::ordered_json to_json(const Schedule& schedule, const Topology& topology)
{
    OrderedJson json = head_to_json(schedule, topology);
    json["steps"] = OrderedJson::array();
    for (const Step& step : schedule.steps) {
        OrderedJson transfers = OrderedJson::array();
        for (const Transfer& transfer : step)
            transfers.push_back(transfer_to_json(transfer, schedule.collective, topology));
        json["steps"].push_back(std::move(transfers));
    }
    return json;
}

std::string to_json_text(const Schedule& schedule, const Topology& topology, const OrderedJson& claims)
{
    std::string text = "{\n";
    OrderedJson head = head_to_json(schedule, topology);
    head.update(claims);
    for (const auto& [name, value] : head.items())
        text += fmt::format("  {}: {},\n", OrderedJson(name).dump(), value.dump());
    text += "  \"steps\": [";
    for (std::size_t step = 0; step < schedule.steps.size(); ++step) {
        text += step == 0 ? "\n    [" : ",\n    [";
        for (std::size_t i = 0; i < schedule.steps[step].size(); ++i)
            text +=
                fmt::format("{}\n      {}", i == 0 ? "" : ",",
                            transfer_to_json(schedule.steps[step][i], schedule.collective, topology).dump());
        text += "\n    ]";
    }
    return text + "\n  ]\n}\n";
}

void save_schedule(const std::filesystem::path& path, const Schedule& schedule, const Topology& topology)
{
    write_file_atomically(path, to_json_text(schedule, topology));
}

} // namespace nocturne
