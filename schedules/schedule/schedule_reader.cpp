#include "models/topology/make_topology.hpp"
#include "models/topology/plain_numbers.hpp"
#include "models/topology/topology_reference.hpp"
#include "schedules/schedule/checked_json.hpp"
#include "schedules/schedule/message_names.hpp"
#include "schedules/schedule/schedule_head.hpp"
#include "schedules/schedule/schedule_json.hpp"
#include "schedules/schedule/steps_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

using Json = nlohmann::json;
using Pointer = Json::json_pointer;

/// Turns a document that satisfies the schema into a schedule.
class Reader {
public:
    Reader(const Topology& topology, std::string_view origin) : topology_(topology), origin_(origin) {}

    /// Has a plain number in a text been an index? Then all that follow are.
    bool has_index() const { return numbers_.has_index(); }

    /// Everything but the steps.
    Schedule head(const Json& json);
    std::vector<Step> steps(const Json& json, const Collective& collective);

private:
    Collective collective(const Json& json, unsigned version, const Pointer& at);
    PortModel ports(const Json& json, const Pointer& at) const;
    Transfer transfer(const Json& json, const Collective& collective, const MessageNames& names,
                      const Pointer& at);
    MessageId message(const Json& json, const Collective& collective, const MessageNames& names,
                      const Pointer& at);
    Path path(const Json& json, ProcessorId source, const Pointer& at);
    Path channels(const Json& json, const Pointer& at) const;
    ProcessorId processor(const Json& json, const Pointer& at);
    std::vector<ProcessorId> processors(const Json& json, const Pointer& at);
    RouterId router(const Json& json, const Pointer& at);

    /// The index in `json` if it is a number below `limit`.
    static std::optional<std::uint32_t> index(const Json& json, std::size_t limit);

    [[noreturn]] void fail(const Pointer& at, std::string_view reason) const
    {
        throw std::runtime_error(fmt::format("{}: {}: {}", origin_, at.to_string(), reason));
    }

    /// Of a text, which `find` looks up.
    template <class Find>
    auto named(const Json& json, const Pointer& at, Find find)
    {
        try {
            return (numbers_.*find)(json.get_ref<const std::string&>());
        } catch (const std::invalid_argument& error) {
            fail(at, error.what());
        }
    }

    const Topology& topology_;
    std::string_view origin_;
    PlainNumbers numbers_{topology_, "vertices"};
};

Schedule Reader::head(const Json& json)
{
    const Pointer root;
    const Json& topology = json["topology"];
    Schedule result;
    result.name = json.value("name", "");
    result.source = json.value("source", "");
    const bool specified =
        topology.is_string() && names_topology_kind(topology.get_ref<const std::string&>());
    result.topology = specified ? topology.get<std::string>() : topology_.name();
    result.collective = collective(json["collective"], json["version"], root / "collective");
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

std::vector<Step> Reader::steps(const Json& json, const Collective& collective)
{
    const MessageNames names(collective);
    std::vector<Step> result;
    for (std::size_t step = 0; step < json.size(); ++step) {
        const Json& transfers = json[step];
        const Pointer at = Pointer() / "steps" / step;
        Step& here = result.emplace_back();
        for (std::size_t i = 0; i < transfers.size(); ++i)
            here.push_back(transfer(transfers[i], collective, names, at / i));
    }
    return result;
}

Collective Reader::collective(const Json& json, unsigned version, const Pointer& at)
{
    const auto count = topology_.processor_count();
    if (json.contains("processors") && json["processors"] != count)
        fail(at / "processors",
             fmt::format("{}, but {} has {}", json["processors"].dump(), topology_.name(), count));
    try {
        const CollectiveKind kind = parse_collective_kind(json["kind"].get<std::string>());
        const char* const source = is_to_one(kind) ? "root" : "source";
        if (const char* const other = is_to_one(kind) ? "source" : "root"; json.contains(other))
            fail(at / other, fmt::format("{} has no such member", paper_name(kind)));
        Participants participants;
        if (json.contains(source))
            participants.source = processor(json[source], at / source);
        const auto list = [&](const char* name) {
            return json.contains(name) ? processors(json[name], at / name) : std::vector<ProcessorId>{};
        };
        participants.senders = list("senders");
        participants.receivers = list("receivers");
        participants.image = list("image");
        participants.group = list("group");
        participants.parts = json.value("parts", 1U);
        // A part that is sent takes a line: what no file can bring is not spelled out.
        constexpr std::uint64_t most_cut = std::uint64_t{1} << 22U;
        if (participants.parts > 1 &&
            results_of(kind, static_cast<std::uint32_t>(count), participants) > most_cut)
            fail(at / "parts",
                 fmt::format("{} parts make more than {} results", participants.parts, most_cut));
        Collective made = make_collective(kind, static_cast<std::uint32_t>(count), participants);
        if (version == 1 && reduces(made))
            fail(at / "kind",
                 fmt::format("{} adds what comes, which version 1 of the format does not know: a "
                             "reduction that only collects is a gather, AOG",
                             paper_name(kind)));
        return made;
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

Transfer Reader::transfer(const Json& json, const Collective& collective, const MessageNames& names,
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

MessageId Reader::message(const Json& json, const Collective& collective, const MessageNames& names,
                          const Pointer& at)
{
    if (json.is_object() == names.are_numbers())
        fail(at, fmt::format("a message of {} is named by {}", paper_name(collective.kind),
                             names.are_numbers() ? "its number, from 0" : "its origin"));
    if (json.is_number())
        return json.get<MessageId>();
    const ProcessorId origin = processor(json["origin"], at / "origin");
    const bool broadcast = is_broadcast(collective);
    if (json.contains("to") == broadcast)
        fail(at, fmt::format("a message of {} has {}", paper_name(collective.kind),
                             broadcast ? "an origin only" : "an origin and a receiver, 'to'"));
    const ProcessorId receiver = broadcast ? origin : processor(json["to"], at / "to");
    return find_message(collective, origin, receiver).value_or(no_message); // the validator says so
}

Path Reader::path(const Json& json, ProcessorId source, const Pointer& at)
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

ProcessorId Reader::processor(const Json& json, const Pointer& at)
{
    const auto found = json.is_string() ? named(json, at, &PlainNumbers::find_processor)
                                        : index(json, topology_.processor_count());
    if (!found)
        fail(at, fmt::format("{} has no processor {}", topology_.name(), json.dump()));
    return *found;
}

std::vector<ProcessorId> Reader::processors(const Json& json, const Pointer& at)
{
    std::vector<ProcessorId> result;
    for (std::size_t i = 0; i < json.size(); ++i)
        result.push_back(processor(json[i], at / i));
    return result;
}

RouterId Reader::router(const Json& json, const Pointer& at)
{
    const auto found = json.is_string() ? named(json, at, &PlainNumbers::find_router)
                                        : index(json, topology_.router_count());
    if (!found)
        fail(at, fmt::format("{} has no router {}", topology_.name(), json.dump()));
    return *found;
}

/// The network of a file, built once, however often its text is read.
class ReferencedTopology {
public:
    ReferencedTopology(const std::filesystem::path& path, std::string_view origin)
        : path_(path), origin_(origin)
    {
    }

    /// Of a document that satisfies the schema.
    const Topology& of(const Json& json)
    {
        if (!topology_) {
            require_deliveries(json);
            topology_ = referenced_topology(json["topology"], path_);
        }
        return *topology_;
    }
    /// After that.
    Topology take() { return std::move(*topology_); }

private:
    /// What is owed may be too much for any schedule: that is said before a million routers are built.
    void require_deliveries(const Json& json) const
    {
        const Json& reference = json["topology"];
        if (!reference.is_string() || !names_topology_kind(reference.get_ref<const std::string&>()))
            return;
        std::uint64_t processors = 0;
        try {
            processors = processors_of(reference.get_ref<const std::string&>());
        } catch (const std::invalid_argument&) {
            return; // referenced_topology() says so
        }
        try {
            check_results(parse_collective_kind(json["collective"]["kind"].get<std::string>()), processors);
        } catch (const std::invalid_argument& error) {
            throw std::runtime_error(fmt::format("{}: /collective: {}", origin_, error.what()));
        }
    }

    const std::filesystem::path& path_;
    std::string_view origin_;
    std::optional<Topology> topology_;
};

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

struct ReadSchedule {
    Schedule schedule;
    nlohmann::ordered_json claims;
};

/// Calls `network_of` for the network of a document that satisfies the schema.
class ScheduleText {
public:
    using NetworkOf = std::function<const Topology&(const Json&)>;

    ScheduleText(std::string_view text, std::string_view origin, NetworkOf network_of)
        : text_(text), origin_(origin), network_of_(std::move(network_of))
    {
    }

    ReadSchedule read() const
    {
        if (auto plain = read_plainly())
            return std::move(*plain);
        const Json json = read_checked_json(text_, schedule_schema(), origin_);
        Reader reader(network_of_(json), origin_);
        Schedule schedule = reader.head(json);
        schedule.steps = reader.steps(json["steps"], schedule.collective);
        return {std::move(schedule), claims_in(text_)};
    }

private:
    /// The quick way for a text whose steps are plain. Nothing for any other, whatever it is or lacks.
    std::optional<ReadSchedule> read_plainly() const
    try {
        const std::optional<SplitText> split = split_steps(text_);
        if (!split)
            return std::nullopt;
        const Json json = read_checked_json(split->head, schedule_schema(), origin_);
        const Topology& topology = network_of_(json);
        Reader reader(topology, origin_);
        Schedule schedule = reader.head(json);
        auto steps = parse_plain_steps(split->steps, topology, schedule.collective);
        if (!steps || reader.has_index()) // plain steps have names
            return std::nullopt;
        schedule.steps = std::move(*steps);
        return ReadSchedule{std::move(schedule), claims_in(split->head)};
    } catch (const std::runtime_error&) {
        return std::nullopt; // the place of the error is another in the whole text
    }

    std::string_view text_;
    std::string_view origin_;
    NetworkOf network_of_;
};

} // namespace

Schedule parse_schedule(std::string_view text, const Topology& topology, std::string_view origin)
{
    const auto network_of = [&](const Json&) -> const Topology& { return topology; };
    return ScheduleText(text, origin, network_of).read().schedule;
}

LoadedSchedule load_head(std::string_view text, const std::filesystem::path& path, std::string_view origin)
{
    const Json json = read_checked_json(text, schedule_schema(), origin);
    ReferencedTopology network(path, origin);
    Schedule schedule = Reader(network.of(json), origin).head(json);
    return {std::move(schedule), network.take(), claims_in(text)};
}

LoadedSchedule parse_schedule_file(std::string_view text, const std::filesystem::path& path)
{
    const std::string origin = path.string();
    ReferencedTopology network(path, origin);
    const auto network_of = [&](const Json& json) -> const Topology& { return network.of(json); };
    ReadSchedule read = ScheduleText(text, origin, network_of).read();
    return {std::move(read.schedule), network.take(), std::move(read.claims)};
}

} // namespace nocturne
