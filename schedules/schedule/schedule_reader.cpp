#include "models/topology/make_topology.hpp"
#include "models/topology/topology_reference.hpp"
#include "schedules/schedule/checked_json.hpp"
#include "schedules/schedule/schedule_head.hpp"
#include "schedules/schedule/schedule_json.hpp"
#include "schedules/schedule/steps_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {
namespace {

using Json = nlohmann::json;
using Pointer = Json::json_pointer;

/// Turns a document that satisfies the schema into a schedule.
class Reader {
public:
    Reader(const Topology& topology, std::string_view origin) : topology_(topology), origin_(origin) {}

    /// Everything but the steps.
    Schedule head(const Json& json) const;
    std::vector<Step> steps(const Json& json, const Collective& collective) const;

private:
    Collective collective(const Json& json, const Pointer& at) const;
    PortModel ports(const Json& json, const Pointer& at) const;
    Transfer transfer(const Json& json, const Collective& collective, const Pointer& at) const;
    MessageId message(const Json& json, const Collective& collective, const Pointer& at) const;
    Path path(const Json& json, ProcessorId source, const Pointer& at) const;
    Path channels(const Json& json, const Pointer& at) const;
    ProcessorId processor(const Json& json, const Pointer& at) const;
    std::vector<ProcessorId> processors(const Json& json, const Pointer& at) const;
    RouterId router(const Json& json, const Pointer& at) const;

    /// The index in `json` if it is a number below `limit`.
    static std::optional<std::uint32_t> index(const Json& json, std::size_t limit);

    [[noreturn]] void fail(const Pointer& at, std::string_view reason) const
    {
        throw std::runtime_error(fmt::format("{}: {}: {}", origin_, at.to_string(), reason));
    }

    const Topology& topology_;
    std::string_view origin_;
};

Schedule Reader::head(const Json& json) const
{
    const Pointer root;
    const Json& topology = json["topology"];
    Schedule result;
    result.name = json.value("name", "");
    result.source = json.value("source", "");
    const bool specified =
        topology.is_string() && names_topology_kind(topology.get_ref<const std::string&>());
    result.topology = specified ? topology.get<std::string>() : topology_.name();
    result.collective = collective(json["collective"], root / "collective");
    result.ports = ports(json["ports"], root / "ports");
    result.switching = parse_switching(json.value("switching", "wormhole"));
    if (json.contains("slack")) {
        if (result.switching == Switching::store_and_forward)
            fail(root / "slack",
                 "a slack is for wormhole switching: under store-and-forward a path is one hop");
        result.slack = json["slack"].get<unsigned>();
    }
    return result;
}

std::vector<Step> Reader::steps(const Json& json, const Collective& collective) const
{
    std::vector<Step> result;
    for (std::size_t step = 0; step < json.size(); ++step) {
        const Json& transfers = json[step];
        const Pointer at = Pointer() / "steps" / step;
        Step& here = result.emplace_back();
        for (std::size_t i = 0; i < transfers.size(); ++i)
            here.push_back(transfer(transfers[i], collective, at / i));
    }
    return result;
}

Collective Reader::collective(const Json& json, const Pointer& at) const
{
    const auto count = topology_.processor_count();
    if (json.contains("processors") && json["processors"] != count)
        fail(at / "processors",
             fmt::format("{}, but {} has {}", json["processors"].dump(), topology_.name(), count));
    try {
        const CollectiveKind kind = parse_collective_kind(json["kind"].get<std::string>());
        const char* const source = is_gather(kind) ? "root" : "source";
        if (const char* const other = is_gather(kind) ? "source" : "root"; json.contains(other))
            fail(at / other, fmt::format("{} has no such member", to_string(kind)));
        Participants participants;
        if (json.contains(source))
            participants.source = processor(json[source], at / source);
        const auto list = [&](const char* name) {
            return json.contains(name) ? processors(json[name], at / name) : std::vector<ProcessorId>{};
        };
        participants.senders = list("senders");
        participants.receivers = list("receivers");
        participants.image = list("image");
        return make_collective(kind, static_cast<std::uint32_t>(count), participants);
    } catch (const std::invalid_argument& error) {
        fail(at, error.what());
    }
}

PortModel Reader::ports(const Json& json, const Pointer& at) const
{
    try {
        return parse_port_model(json.is_string() ? json.get<std::string>() : json.dump());
    } catch (const std::invalid_argument& error) {
        fail(at, error.what());
    }
}

Transfer Reader::transfer(const Json& json, const Collective& collective, const Pointer& at) const
{
    Transfer result{};
    result.source = processor(json["from"], at / "from");
    result.destination = processor(json["to"], at / "to");
    if (json.contains("message")) {
        result.message = message(json["message"], collective, at / "message");
    } else {
        result.message = find_message(collective, result.source, result.destination)
                             .value_or(no_message); // the validator says so
    }
    if (json.contains("path") && json.contains("channels"))
        fail(at, "either 'path' or 'channels', not both");
    if (json.contains("path"))
        result.path = path(json["path"], result.source, at / "path");
    if (json.contains("channels"))
        result.path = channels(json["channels"], at / "channels");
    return result;
}

MessageId Reader::message(const Json& json, const Collective& collective, const Pointer& at) const
{
    const ProcessorId origin = processor(json["origin"], at / "origin");
    const bool broadcast = is_broadcast(collective.kind);
    if (json.contains("to") == broadcast)
        fail(at, fmt::format("a message of {} has {}", to_string(collective.kind),
                             broadcast ? "an origin only" : "an origin and a receiver, 'to'"));
    const ProcessorId receiver = broadcast ? origin : processor(json["to"], at / "to");
    return find_message(collective, origin, receiver).value_or(no_message); // the validator says so
}

Path Reader::path(const Json& json, ProcessorId source, const Pointer& at) const
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

Path Reader::channels(const Json& json, const Pointer& at) const
{
    Path path;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const auto channel = index(json[i], std::size_t{1} << 32); // whether it exists is for the validator
        if (!channel)
            fail(at / i, fmt::format("{} is too large for a channel", json[i].dump()));
        path.push_back(*channel);
    }
    return path;
}

std::optional<std::uint32_t> Reader::index(const Json& json, std::size_t limit)
{
    if (!json.is_number_unsigned() || json.get<std::uint64_t>() >= limit)
        return std::nullopt;
    return json.get<std::uint32_t>();
}

ProcessorId Reader::processor(const Json& json, const Pointer& at) const
{
    const auto found = json.is_string() ? topology_.find_processor(json.get<std::string>())
                                        : index(json, topology_.processor_count());
    if (!found)
        fail(at, fmt::format("{} has no processor {}", topology_.name(), json.dump()));
    return *found;
}

std::vector<ProcessorId> Reader::processors(const Json& json, const Pointer& at) const
{
    std::vector<ProcessorId> result;
    for (std::size_t i = 0; i < json.size(); ++i)
        result.push_back(processor(json[i], at / i));
    return result;
}

RouterId Reader::router(const Json& json, const Pointer& at) const
{
    const auto found = json.is_string() ? topology_.find_router(json.get<std::string>())
                                        : index(json, topology_.router_count());
    if (!found)
        fail(at, fmt::format("{} has no router {}", topology_.name(), json.dump()));
    return *found;
}

/// What a schedule claims of itself, in the order of the file.
nlohmann::ordered_json claims_in(std::string_view text)
{
    const auto json = nlohmann::ordered_json::parse(text.begin(), text.end());
    auto claims = nlohmann::ordered_json::object();
    for (const char* const name : {"lower_bound", "made_by"})
        if (json.contains(name))
            claims[name] = json[name];
    return claims;
}

/// The quick way for a text whose steps are plain. Nothing for any other, whatever it is or lacks.
template <class ReadHead, class ReadSteps>
auto read_plainly(std::string_view text, ReadHead read_head, ReadSteps read_steps)
    -> std::optional<decltype(read_head(text))>
try {
    const std::optional<SplitText> split = split_steps(text);
    if (!split)
        return std::nullopt;
    auto result = read_head(split->head);
    if (!read_steps(split->steps, result))
        return std::nullopt;
    return result;
} catch (const std::runtime_error&) {
    return std::nullopt; // the place of the error is another in the whole text
}

} // namespace

Schedule parse_schedule(std::string_view text, const Topology& topology, std::string_view origin)
{
    const Reader reader(topology, origin);
    const auto read_head = [&](std::string_view head) {
        return reader.head(read_checked_json(head, schedule_schema(), origin));
    };
    const auto read_steps = [&](std::string_view plain, Schedule& schedule) {
        auto steps = parse_plain_steps(plain, topology, schedule.collective);
        if (steps)
            schedule.steps = std::move(*steps);
        return steps.has_value();
    };
    if (auto schedule = read_plainly(text, read_head, read_steps))
        return std::move(*schedule);
    const Json json = read_checked_json(text, schedule_schema(), origin);
    Schedule schedule = reader.head(json);
    schedule.steps = reader.steps(json["steps"], schedule.collective);
    return schedule;
}

LoadedSchedule load_head(std::string_view text, const std::filesystem::path& path, std::string_view origin)
{
    const Json json = read_checked_json(text, schedule_schema(), origin);
    Topology topology = referenced_topology(json["topology"], path);
    Schedule schedule = Reader(topology, origin).head(json);
    return {std::move(schedule), std::move(topology), claims_in(text)};
}

LoadedSchedule parse_schedule_file(std::string_view text, const std::filesystem::path& path)
{
    const std::string origin = path.string();
    const auto read_head = [&](std::string_view head) { return load_head(head, path, origin); };
    const auto read_steps = [&](std::string_view plain, LoadedSchedule& loaded) {
        auto steps = parse_plain_steps(plain, loaded.topology, loaded.schedule.collective);
        if (steps)
            loaded.schedule.steps = std::move(*steps);
        return steps.has_value();
    };
    if (auto loaded = read_plainly(text, read_head, read_steps))
        return std::move(*loaded);
    const Json json = read_checked_json(text, schedule_schema(), origin);
    Topology topology = referenced_topology(json["topology"], path);
    const Reader reader(topology, origin);
    Schedule schedule = reader.head(json);
    schedule.steps = reader.steps(json["steps"], schedule.collective);
    return {std::move(schedule), std::move(topology), claims_in(text)};
}

} // namespace nocturne
