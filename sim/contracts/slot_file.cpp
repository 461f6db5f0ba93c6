#include "sim/contracts/slot_file.hpp"

#include "models/text/json_text.hpp"
#include "models/topology/json_place.hpp"
#include "models/topology/plain_numbers.hpp"
#include "models/topology/topology_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace nocturne {

namespace {

constexpr std::string_view slots_format = "nocturne-slots";

std::optional<ChannelId> first_channel(const Topology& topology, RouterId from, RouterId to)
{
    for (const ChannelId channel : topology.channels_from(from))
        if (topology.channel(channel).target == to)
            return channel;
    return std::nullopt;
}

/// Can the path be told by its routers?
bool is_told_by_routers(const Topology& topology, const Path& path)
{
    return std::ranges::all_of(path, [&](ChannelId channel) {
        return first_channel(topology, topology.channel(channel).source, topology.channel(channel).target) ==
               channel;
    });
}

std::uint32_t number_up_to(const JsonPlace& place, std::uint32_t least, std::uint32_t most)
{
    const unsigned number = place.number(least);
    if (number > most)
        place.fail(fmt::format("expected a whole number from {} to {}", least, most));
    return number;
}

/// Is the table for this network?
void require_topology(const JsonPlace& root, const Topology& topology, std::string_view origin)
{
    const JsonPlace place = root["topology"];
    const Topology made_for =
        referenced_topology(place.value().is_object() ? place.value() : nlohmann::json(place.text()), origin);
    if (const auto objection = objection_to_network("table", made_for, topology))
        place.fail(*objection);
}

std::uint64_t cycles_of(const JsonPlace& place)
{
    constexpr std::uint64_t most_cycles = 1'000'000'000'000'000;
    const std::uint64_t cycles = place.word();
    if (cycles == 0 || cycles > most_cycles)
        place.fail(fmt::format("expected cycles, from 1 to {}", most_cycles));
    return cycles;
}

Path path_of(const Topology& topology, PlainNumbers& routers, const JsonPlace& flow)
{
    Path path;
    if (flow.has("channels")) {
        if (flow.has("path"))
            flow.fail("give either 'path' or 'channels'");
        for (const JsonPlace& each : flow["channels"].elements()) {
            path.push_back(each.number(0));
            if (path.back() >= topology.channel_count())
                each.fail(fmt::format("{} has {} channels", topology.name(), topology.channel_count()));
        }
        return path;
    }
    std::optional<RouterId> at;
    for (const JsonPlace& each : flow["path"].elements()) {
        const RouterId router = each.here([&] { return routers.router_in(each.value()); });
        if (at) {
            const auto channel = first_channel(topology, *at, router);
            if (!channel)
                each.fail(fmt::format("no channel {}->{}", topology.router_name(*at),
                                      topology.router_name(router)));
            path.push_back(channel.value_or(0));
        }
        at = router;
    }
    return path;
}

} // namespace

std::string to_json(const Topology& topology, const SlotFile& file, const nlohmann::ordered_json& made_by)
{
    nlohmann::ordered_json flows = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < file.flows.size(); ++i) {
        const GuaranteedFlow& flow = file.flows[i];
        const FlowSlots& slots = file.table.flows[i];
        nlohmann::ordered_json each{{"source", topology.processor(flow.source).name},
                                    {"destination", topology.processor(flow.destination).name},
                                    {"message_flits", flow.message_flits},
                                    {"message_cycles", flow.message_cycles},
                                    {"burst_messages", flow.burst_messages}};
        if (flow.latency_cycles)
            each["latency_cycles"] = *flow.latency_cycles;
        if (is_told_by_routers(topology, slots.path))
            for (const RouterId router : routers_of(topology, flow.source, slots.path))
                each["path"].push_back(topology.router_name(router));
        else
            each["channels"] = slots.path;
        each["starts"] = slots.starts;
        flows.push_back(std::move(each));
    }
    nlohmann::ordered_json document{{"format", slots_format},
                                    {"version", 1},
                                    {"topology", topology_reference(file.topology, topology)},
                                    {"slots", file.table.slots},
                                    {"slot_flits", file.slot_flits},
                                    {"slot_cycles", file.slot_cycles}};
    if (!made_by.is_null())
        document["made_by"] = made_by;
    document["flows"] = std::move(flows);
    return json_text(document, 2) + "\n";
}

SlotFile slots_from_json(const Topology& topology, std::string_view text, std::string_view origin)
{
    const nlohmann::json document = parse_json(text, origin);
    const JsonPlace root(document, origin);
    root.check_members(
        {"format", "version", "topology", "slots", "slot_flits", "slot_cycles", "flows", "made_by"});
    if (root["format"].text() != slots_format || root["version"].number(0) != 1)
        root.fail(fmt::format("expected the format {}, version 1", slots_format));
    require_topology(root, topology, origin);
    SlotFile file{topology.name(), number_up_to(root["slot_flits"], 1, most_slot_flits),
                  number_up_to(root["slot_cycles"], 1, 1U << 16)};
    file.table.slots = number_up_to(root["slots"], 1, most_slots);
    PlainNumbers processors(topology, "processors");
    PlainNumbers routers(topology, "routers");
    for (const JsonPlace& each : root["flows"].elements()) {
        each.check_members({"source", "destination", "message_flits", "message_cycles", "burst_messages",
                            "latency_cycles", "path", "channels", "starts"});
        const auto processor = [&](const char* name) {
            return each[name].here([&] { return processors.processor_in(each[name].value()); });
        };
        GuaranteedFlow flow{processor("source"), processor("destination"),
                            number_up_to(each["message_flits"], 1, most_message_flits),
                            cycles_of(each["message_cycles"])};
        if (each.has("burst_messages"))
            flow.burst_messages = number_up_to(each["burst_messages"], 1, most_burst_messages);
        if (each.has("latency_cycles"))
            flow.latency_cycles = cycles_of(each["latency_cycles"]);
        FlowSlots slots{path_of(topology, routers, each), {}};
        for (const JsonPlace& start : each["starts"].elements())
            slots.starts.push_back(start.number(0));
        file.flows.push_back(flow);
        file.table.flows.push_back(std::move(slots));
    }
    if (file.flows.empty())
        root["flows"].fail("no flow");
    return file;
}

} // namespace nocturne
