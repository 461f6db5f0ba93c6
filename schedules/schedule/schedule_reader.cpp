#include "models/text/json_text.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/topology_reference.hpp"
#include "schedules/schedule/checked_json.hpp"
#include "schedules/schedule/schedule_document.hpp"
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
using OrderedJson = nlohmann::ordered_json;

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

/// What a schedule claims of itself.
template <class AnyJson>
OrderedJson claims_of(const AnyJson& json)
{
    auto claims = OrderedJson::object();
    for (const char* const name : {"lower_bound", "lower_bounds", "made_by"})
        if (json.contains(name))
            claims[name] = json[name];
    return claims;
}

/// The same in the order of the file.
OrderedJson claims_in(std::string_view text)
{
    return claims_of(ordered_json_from_text(text));
}

struct ReadSchedule {
    Schedule schedule;
    OrderedJson claims;
    LinkDefaults defaults = {};
    bool is_bound = false;
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
        DocumentReader reader(network_of_(json), origin_);
        const bool is_bound = !json.contains("steps");
        std::uint64_t transfers = 0;
        if (!is_bound)
            for (const Json& step : json["steps"])
                transfers += step.size();
        Schedule schedule = reader.head(json, transfers);
        if (!is_bound)
            reader.read_steps(json["steps"], schedule);
        auto claims = is_between_memories(schedule) ? claims_of(json) : claims_in(text_);
        return {std::move(schedule), std::move(claims), reader.defaults(), is_bound};
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
        DocumentReader reader(topology, origin_);
        Schedule schedule =
            reader.head(json, static_cast<std::uint64_t>(std::ranges::count(split->steps, '{')));
        const bool is_of_messages = !is_between_memories(schedule);
        const std::optional<LinkNetwork> network =
            is_of_messages ? std::nullopt : std::optional(link_network_of(topology, reader.defaults()));
        if (!read_plain_steps(split->steps, topology, network ? &*network : nullptr, schedule) ||
            (is_of_messages && reader.has_index())) // plain steps have names
            return std::nullopt;
        reader.complete(schedule);
        return ReadSchedule{std::move(schedule), claims_in(split->head), reader.defaults()};
    } catch (const std::runtime_error&) {
        return std::nullopt; // the place of the error is another in the whole text
    }

    std::string_view text_;
    std::string_view origin_;
    NetworkOf network_of_;
};

void rename(OrderedJson& json, const char* from, const char* to)
{
    if (!json.is_object() || !json.contains(from))
        return;
    json[to] = std::move(json[from]);
    json.erase(from);
}

/// A root of what does not come to one is a source.
void renew_collective(OrderedJson& collective)
{
    if (!collective.is_object() || !collective.contains("kind") || !collective["kind"].is_string())
        return;
    try {
        if (!is_to_one(parse_collective_kind(collective["kind"].get<std::string>())))
            rename(collective, "root", "source");
    } catch (const std::invalid_argument&) {
        return; // the reader says so
    }
}

/// Puts transfers into their steps.
class Renewal {
public:
    Renewal(OrderedJson& document, std::string_view origin) : document_(document), origin_(origin) {}

    OrderedJson steps()
    {
        const bool in_steps = document_.value("synchronization", OrderedJson()) != "dependencies";
        const bool has_rounds = document_.contains("rounds") && document_["rounds"].is_array();
        OrderedJson steps(in_steps && has_rounds ? document_["rounds"].size() : 1, OrderedJson::array());
        OrderedJson& transfers = document_["transfers"];
        for (std::size_t id = 0; id < transfers.size(); ++id) {
            const std::size_t step = step_of(transfers[id], id);
            if (step >= steps.size())
                fail(id, in_steps ? fmt::format("step {} does not exist", step + 1)
                                  : "it has a step, in a schedule without");
            rename(transfers[id], "chunk", "message");
            rename(transfers[id], "read", "message");
            rename(transfers[id], "links", "channels");
            steps[step].push_back(std::move(transfers[id]));
        }
        return steps;
    }

private:
    std::size_t step_of(OrderedJson& transfer, std::size_t id) const
    {
        if (!transfer.is_object() ||
            transfer.contains("chunk") == (transfer.contains("read") || transfer.contains("write")))
            fail(id, "expected 'chunk', or else 'read' and 'write'");
        if (!transfer.contains("step"))
            return 0;
        if (!transfer["step"].is_number_unsigned())
            fail(id, "expected a step");
        const auto step = transfer["step"].get<std::size_t>();
        transfer.erase("step");
        return step;
    }

    [[noreturn]] void fail(std::size_t id, std::string_view reason) const
    {
        throw std::runtime_error(fmt::format("{}: /transfers/{}: {}", origin_, id, reason));
    }

    OrderedJson& document_;
    std::string_view origin_;
};

/// The text of a file of the format "nocturne-chunks", which schedules of chunks had before they were
/// schedules like others, in version 3 of the format of schedules (schedule_json.hpp); nothing for any other.
/// In it "transfers" lists all of them; each has its "step", places are "chunk", or else "read" and "write",
/// and paths are "links". Throws std::runtime_error, one line that begins with `origin`, for what has no
/// place there; the rest is for the reader of schedules.
std::optional<std::string> renewed_chunk_file(std::string_view text, std::string_view origin)
{
    // Far enough for a heading, in whatever order its members are.
    if (text.substr(0, 4096).find("\"nocturne-chunks\"") == std::string_view::npos)
        return std::nullopt;
    OrderedJson document = ordered_json_or_discarded(text);
    if (!document.is_object() || !document.contains("format") || document["format"] != "nocturne-chunks")
        return std::nullopt;
    if (document.value("version", OrderedJson()) != 1)
        throw std::runtime_error(fmt::format("{}: /version: files of chunks have version 1", origin));
    const bool is_bound = !document.contains("transfers") && document.contains("lower_bounds");
    document["format"] = is_bound ? "nocturne-bound" : "nocturne-schedule";
    document["version"] = 3;
    document["switching"] = "memory-to-memory";
    if (document.contains("collective"))
        renew_collective(document["collective"]);
    if (!is_bound) {
        if (!document.contains("transfers") || !document["transfers"].is_array())
            throw std::runtime_error(fmt::format("{}: /transfers: expected a list of transfers", origin));
        document["steps"] = Renewal(document, origin).steps();
        document.erase("transfers");
    }
    return json_text(document);
}

} // namespace

Schedule parse_schedule(std::string_view text, const Topology& topology, std::string_view origin)
{
    const auto network_of = [&](const Json&) -> const Topology& { return topology; };
    return ScheduleText(text, origin, network_of).read().schedule; // of the topology's default links
}

LoadedSchedule load_head(std::string_view text, const std::filesystem::path& path, std::string_view origin)
{
    const Json json = read_checked_json(text, schedule_schema(), origin);
    ReferencedTopology network(path, origin);
    Schedule schedule = DocumentReader(network.of(json), origin).head(json, 0);
    return {std::move(schedule), network.take(), claims_in(text)};
}

LoadedSchedule parse_schedule_file(std::string_view text, const std::filesystem::path& path)
{
    const std::string origin = path.string();
    ReferencedTopology network(path, origin);
    const auto network_of = [&](const Json& json) -> const Topology& { return network.of(json); };
    const std::optional<std::string> renewed = renewed_chunk_file(text, origin);
    ReadSchedule read = ScheduleText(renewed ? *renewed : text, origin, network_of).read();
    return {std::move(read.schedule), network.take(), std::move(read.claims), read.defaults, read.is_bound};
}

} // namespace nocturne
