#include "schedules/schedule/schedule_json.hpp"

#include "models/text/json_text.hpp"
#include "models/topology/topology_reference.hpp"
#include "schedules/schedule/message_names.hpp"
#include "schedules/schedule/schedule_head.hpp"
#include "schedules/schedule/translations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace nocturne {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view format_name = "nocturne-schedule";
constexpr std::string_view bound_format_name = "nocturne-bound";

/// Sums, groups and parts are what programs that know version 1 only do not read.
int version_for(const Schedule& schedule)
{
    if (is_between_memories(schedule))
        return 3;
    const Collective& collective = schedule.collective;
    const auto participants = participants_of(collective);
    const bool is_plain = !reduces(collective) && !adds(schedule) && collective.parts == 1 && participants &&
                          participants->group.empty();
    return is_plain ? 1 : 2;
}

OrderedJson names_of(const Topology& topology, const std::vector<ProcessorId>& processors)
{
    OrderedJson names = OrderedJson::array();
    for (const ProcessorId id : processors)
        names.push_back(topology.processor(id).name);
    return names;
}

/// Of a collective that no kind says.
void add_chunks(OrderedJson& json, const Collective& collective)
{
    using Numbers = std::vector<std::uint32_t>;
    OrderedJson chunks = OrderedJson::array();
    for (const Chunk& chunk : collective.chunks) {
        chunks.push_back({{"weight", chunk.weight}, {"contributors", Numbers(chunk.contributors)}});
        if (chunk.release_cycles > 0)
            chunks.back()["release_cycles"] = chunk.release_cycles;
    }
    OrderedJson demands = OrderedJson::array();
    for (const Demand& demand : collective.demands) {
        OrderedJson owed{{"chunk", demand.chunk}, {"receiver", demand.receiver}};
        if (demand.chunk >= collective.chunks.size() ||
            demand.contributors != collective.chunks[demand.chunk].contributors)
            owed["contributors"] = Numbers(demand.contributors);
        demands.push_back(std::move(owed));
    }
    json["chunks"] = std::move(chunks);
    json["demands"] = std::move(demands);
}

OrderedJson collective_to_json(const Collective& collective, const Topology& topology, int version)
{
    if (collective.processors != topology.processor_count())
        throw std::invalid_argument(
            fmt::format("a collective on {} processors cannot be written for {}, which has {}",
                        collective.processors, topology.name(), topology.processor_count()));
    const bool has_library_name = version == 3 || reduces(collective);
    OrderedJson json{{"kind", has_library_name ? to_string(collective.kind) : paper_name(collective.kind)},
                     {"processors", collective.processors}};
    const auto participants = participants_of(collective);
    if (version < 3 && (!participants || !participants->weights.empty()))
        throw std::invalid_argument(
            fmt::format("a collective that is not what {} says cannot be written", json_text(json["kind"])));
    if (!participants) {
        json["kind"] = to_string(CollectiveKind::custom);
        json["parts"] = collective.parts;
        add_chunks(json, collective);
        return json;
    }
    if (participants->source)
        json[is_to_one(collective.kind) ? "root" : "source"] = topology.processor(*participants->source).name;
    if (!participants->senders.empty())
        json["senders"] = names_of(topology, participants->senders);
    if (!participants->receivers.empty())
        json["receivers"] = names_of(topology, participants->receivers);
    if (!participants->image.empty())
        json["image"] = names_of(topology, participants->image);
    if (!participants->group.empty())
        json["group"] = names_of(topology, participants->group);
    if (!participants->weights.empty())
        json["weights"] = participants->weights;
    if (collective.parts > 1)
        json["parts"] = collective.parts;
    return json;
}

OrderedJson to_json(const std::vector<ChunkPlacement>& placements)
{
    OrderedJson json = OrderedJson::array();
    for (const ChunkPlacement& placement : placements)
        json.push_back(
            {{"processor", placement.processor}, {"chunk", placement.chunk}, {"place", placement.place}});
    return json;
}

/// Transfers from memory to memory: nodes, places and links are numbers.
class MemoryTransferText {
public:
    MemoryTransferText(const Schedule& schedule, const LinkNetwork& network)
        : schedule_(schedule), network_(network)
    {
    }

    /// The next of the schedule.
    void append(std::string& text, const Transfer& transfer)
    {
        auto out = std::back_inserter(text);
        fmt::format_to(out, "{{\"from\":{},\"to\":{},\"message\":{}", transfer.source, transfer.destination,
                       transfer.message);
        if (!transfer.keeps_place())
            fmt::format_to(out, ",\"write\":{}", PlaceId{transfer.to});
        if (transfer.operation == Operation::add)
            text += ",\"add\":true";
        const auto path = transfer.links();
        const auto link = only_link(network_, transfer.source, transfer.destination);
        if (link ? path.size() != 1 || path.front() != *link : !path.empty() || !transfer.is_local())
            fmt::format_to(out, ",\"channels\":[{}]", fmt::join(path, ","));
        if (const auto after = schedule_.after.of(count_++); !after.empty())
            fmt::format_to(out, ",\"after\":[{}]", fmt::join(after, ","));
        text += '}';
    }

private:
    const Schedule& schedule_;
    const LinkNetwork& network_;
    std::size_t count_ = 0;
};

/// Transfers as text, on one network: names are quoted once, not in each transfer.
class TransferText {
public:
    TransferText(const Topology& topology, const Collective& collective)
        : topology_(topology), collective_(collective), names_(collective),
          is_only_one_(topology.channel_count())
    {
        for (const Processor& processor : topology.processors())
            processors_.push_back(quoted(processor.name));
        std::vector<unsigned> between(topology.router_count());
        for (RouterId id = 0; id < topology.router_count(); ++id) {
            routers_.push_back(quoted(topology.router_name(id)));
            for (const ChannelId channel : topology.channels_from(id))
                ++between[topology.channel(channel).target];
            for (const ChannelId channel : topology.channels_from(id))
                is_only_one_[channel] = between[topology.channel(channel).target] == 1;
            for (const ChannelId channel : topology.channels_from(id))
                between[topology.channel(channel).target] = 0;
        }
    }

    void append(std::string& text, const Transfer& transfer) const
    {
        text += "{\"from\":" + processors_[transfer.source] + ",\"to\":" + processors_[transfer.destination];
        if (names_.implied(transfer.source, transfer.destination) != transfer.message)
            append_message(text, transfer.message);
        if (transfer.operation == Operation::add)
            text += ",\"add\":true";
        if (transfer.path && names_channels(transfer))
            append_routers(text, transfer);
        else if (transfer.path)
            fmt::format_to(std::back_inserter(text), ",\"channels\":[{}]", fmt::join(*transfer.path, ","));
        text += '}';
    }

private:
    static std::string quoted(const std::string& name) { return json_text(OrderedJson(name)); }

    /// Do the routers that the path visits say which channels it takes?
    bool names_channels(const Transfer& transfer) const
    {
        return connects(topology_, transfer.source, transfer.destination, *transfer.path) &&
               std::all_of(transfer.path->begin(), transfer.path->end(),
                           [&](ChannelId id) { return is_only_one_[id]; });
    }

    void append_message(std::string& text, MessageId id) const
    {
        if (names_.are_numbers()) {
            fmt::format_to(std::back_inserter(text), ",\"message\":{}", id);
            return;
        }
        const Message& message = collective_.messages()[id];
        text += ",\"message\":{\"origin\":" + processors_[message.origin];
        if (!is_broadcast(collective_))
            text += ",\"to\":" + processors_[message.receivers.front()];
        text += '}';
    }

    void append_routers(std::string& text, const Transfer& transfer) const
    {
        text += ",\"path\":[" + routers_[topology_.processor(transfer.source).injection];
        for (const ChannelId id : *transfer.path)
            (text += ',') += routers_[topology_.channel(id).target];
        text += ']';
    }

    const Topology& topology_;
    const Collective& collective_;
    const MessageNames names_;
    std::vector<std::string> processors_, routers_;
    std::vector<bool> is_only_one_; ///< by channel: no other one leads to the same router
};

} // namespace

void require_names(const Schedule& schedule, const Topology& topology)
{
    for (const Step& step : schedule.steps)
        for (const Transfer& transfer : step) {
            for (const ProcessorId id : {transfer.source, transfer.destination})
                if (id >= topology.processor_count())
                    throw std::invalid_argument(
                        fmt::format("{}: processor {} does not exist", topology.name(), id));
            if (transfer.message >= schedule.collective.messages().size())
                throw std::invalid_argument(fmt::format("message {} of {} does not exist", transfer.message,
                                                        schedule.collective.messages().size()));
        }
}

namespace {

/// What schedules from memory to memory say of themselves.
void add_promises(OrderedJson& json, const Schedule& schedule)
{
    const MadeFor& made_for = schedule.made_for;
    if (made_for.bytes)
        json["bytes"] = *made_for.bytes;
    if (made_for.start_cycles)
        json["start_cycles"] = *made_for.start_cycles;
    if (made_for.latency_holds_link)
        json["latency_holds_link"] = true;
    if (made_for.cycle_ns)
        json["cycle_ns"] = *made_for.cycle_ns;
    json["synchronization"] = is_in_steps(schedule) ? "steps" : "dependencies";
    if (!schedule.rounds.empty())
        json["rounds"] = schedule.rounds;
    if (!schedule.inputs.empty())
        json["inputs"] = to_json(schedule.inputs);
    if (!schedule.outputs.empty())
        json["outputs"] = to_json(schedule.outputs);
}

/// Beyond it only the first member's transfers are written, if all others are their images.
constexpr std::size_t most_written = std::size_t{1} << 21;

} // namespace

OrderedJson head_to_json(const Schedule& schedule, const Topology& topology, const OrderedJson& claims,
                         const LinkDefaults& defaults)
{
    const int version = version_for(schedule);
    OrderedJson json{{"format", format_name}, {"version", version}};
    if (version == 3)
        json["switching"] = to_string(schedule.switching);
    if (!schedule.name.empty())
        json["name"] = schedule.name;
    if (!schedule.source.empty())
        json["source"] = schedule.source;
    json["topology"] = topology_reference(schedule.topology, topology);
    if (defaults.bytes_per_cycle != LinkDefaults{}.bytes_per_cycle)
        json["bytes_per_cycle"] = defaults.bytes_per_cycle;
    if (defaults.local_latency_cycles != LinkDefaults{}.local_latency_cycles)
        json["local_latency_cycles"] = defaults.local_latency_cycles;
    json["collective"] = collective_to_json(schedule.collective, topology, version);
    if (version == 3) {
        add_promises(json, schedule);
        json.update(claims);
        return json;
    }
    json["ports"] = to_string(schedule.ports);
    json["switching"] = to_string(schedule.switching);
    if (schedule.slack)
        json["slack"] = *schedule.slack;
    json.update(claims);
    return json;
}

OrderedJson to_json(const Schedule& schedule, const Topology& topology)
{
    return ordered_json_from_text(to_json_text(schedule, topology));
}

std::string to_json_text(const Schedule& schedule, const Topology& topology, const OrderedJson& claims,
                         const LinkDefaults& defaults)
{
    std::string text;
    write_json_text(schedule, topology, claims, defaults, [&](std::string_view piece) { text += piece; });
    return text;
}

namespace {

/// `append` writes a transfer to the end of a text.
template <class Append>
void write_steps(const Schedule& schedule, const OrderedJson& head, const ByteSink& sink, Append append)
{
    constexpr std::size_t piece = std::size_t{1} << 18;
    std::string text = "{\n";
    for (const auto& [name, value] : head.items())
        text += fmt::format("  {}: {},\n", json_text(OrderedJson(name)), json_text(value));
    text += "  \"steps\": [";
    for (std::size_t step = 0; step < schedule.steps.size(); ++step) {
        text += step == 0 ? "\n    [" : ",\n    [";
        for (std::size_t i = 0; i < schedule.steps[step].size(); ++i) {
            text += i == 0 ? "\n      " : ",\n      ";
            append(text, schedule.steps[step][i]);
            if (text.size() >= piece) {
                sink(text);
                text.clear();
            }
        }
        text += "\n    ]";
    }
    text += "\n  ]\n}\n";
    sink(text);
}

} // namespace

void write_json_text(const Schedule& schedule, const Topology& topology, const OrderedJson& claims,
                     const LinkDefaults& defaults, const ByteSink& sink)
{
    OrderedJson head = head_to_json(schedule, topology, claims, defaults);
    if (is_between_memories(schedule)) {
        const LinkNetwork network = link_network_of(topology, defaults);
        const auto first =
            count_transfers(schedule) > most_written ? first_of_translated(schedule, network) : std::nullopt;
        if (first)
            head["translations"] = {{"sizes", schedule.translations->sizes},
                                    {"members", schedule.translations->members}};
        const Schedule& written = first ? *first : schedule;
        MemoryTransferText transfers(written, network);
        write_steps(written, head, sink,
                    [&](std::string& text, const Transfer& transfer) { transfers.append(text, transfer); });
        return;
    }
    require_names(schedule, topology);
    const TransferText transfers(topology, schedule.collective);
    write_steps(schedule, head, sink,
                [&](std::string& text, const Transfer& transfer) { transfers.append(text, transfer); });
}

std::string bound_text(const Schedule& schedule, const Topology& topology, const OrderedJson& claims,
                       const LinkDefaults& defaults)
{
    OrderedJson json = head_to_json(schedule, topology, claims, defaults);
    json["format"] = bound_format_name;
    json.erase("source"); // no engine has made anything
    json.erase("synchronization");
    return json_text(json, 2) + "\n";
}

} // namespace nocturne
