#include "models/text/json_text.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/schedule/schedule_document.hpp"

#include <algorithm>

namespace nocturne {
namespace {

constexpr const char* bound_format = "nocturne-bound";

} // namespace

/// What one version has and another has not.
void DocumentReader::check_version(const Json& json) const
{
    const Pointer root;
    if (!json.contains("steps") && json["format"] != bound_format)
        fail(root, "'steps' missing");
    if (json.contains("steps") && json["format"] == bound_format)
        fail(root / "steps", "a bound has none");
    const bool is_third = json.value("switching", "") == to_string(Switching::memory_to_memory);
    if (is_third != (version_ == 3))
        fail(root / "version", "version 3, and no other, is from memory to memory");
    if (is_third) {
        refuse(json, root, {"ports", "slack"});
        return;
    }
    if (!json.contains("ports"))
        fail(root, "'ports' missing");
    refuse(json, root,
           {"bytes_per_cycle", "local_latency_cycles", "bytes", "start_cycles", "latency_holds_link",
            "cycle_ns", "synchronization", "rounds", "inputs", "outputs", "lower_bounds", "translations"});
    refuse(json["collective"], root / "collective", {"weights", "chunks", "demands"});
}

void DocumentReader::refuse(const Json& json, const Pointer& at,
                            std::initializer_list<const char*> members) const
{
    for (const char* const name : members)
        if (json.contains(name))
            fail(at / name, fmt::format("version {} has no such member", version_));
}

Schedule DocumentReader::head(const Json& json, std::uint64_t transfers)
{
    const Pointer root;
    version_ = json["version"];
    check_version(json);
    if (json.contains("steps"))
        transfers_ = transfers * (json.contains("translations") ? json["translations"]["members"].size() : 1);
    const Json& topology = json["topology"];
    Schedule result;
    result.name = json.value("name", "");
    result.source = json.value("source", "");
    const bool specified =
        topology.is_string() && names_topology_kind(topology.get_ref<const std::string&>());
    result.topology = specified ? topology.get<std::string>() : topology_.name();
    if (json.contains("bytes_per_cycle"))
        defaults_.bytes_per_cycle = json["bytes_per_cycle"];
    if (json.contains("local_latency_cycles"))
        defaults_.local_latency_cycles = json["local_latency_cycles"];
    result.collective = collective(json["collective"], root / "collective");
    if (version_ == 3) {
        read_promises(json, result);
        return result;
    }
    result.ports = here(root / "ports", [&] {
        const Json& ports = json["ports"];
        return parse_port_model(ports.is_string() ? ports.get<std::string>() : json_text(ports));
    });
    result.switching = parse_switching(json.value("switching", "wormhole"));
    if (json.contains("slack")) {
        if (result.switching == Switching::store_and_forward)
            fail(root / "slack",
                 "a slack is for wormhole switching: under store-and-forward a path is one hop");
        result.slack = json["slack"].get<unsigned>();
    }
    return result;
}

void DocumentReader::read_promises(const Json& json, Schedule& schedule) const
{
    schedule.switching = Switching::memory_to_memory;
    if (json.value("synchronization", "steps") == "dependencies")
        schedule.synchronization = ScheduleSynchronization::dependencies;
    if (json.contains("bytes"))
        schedule.made_for.bytes = json["bytes"].get<std::uint64_t>();
    if (json.contains("start_cycles"))
        schedule.made_for.start_cycles = json["start_cycles"].get<double>();
    schedule.made_for.latency_holds_link = json.value("latency_holds_link", false);
    if (json.contains("cycle_ns"))
        schedule.made_for.cycle_ns = json["cycle_ns"].get<double>();
    if (json.contains("rounds"))
        schedule.rounds = json["rounds"].get<std::vector<std::uint32_t>>();
    schedule.inputs = placements(json, "inputs");
    schedule.outputs = placements(json, "outputs");
    if (json.contains("translations"))
        schedule.translations = grid(json["translations"], Pointer() / "translations");
}

ProcessorGrid DocumentReader::grid(const Json& json, const Pointer& at) const
{
    ProcessorGrid result{json["sizes"].get<std::vector<std::uint32_t>>(),
                         json["members"].get<std::vector<std::uint32_t>>()};
    std::uint64_t seats = 1;
    for (const std::uint32_t size : result.sizes)
        seats = std::min<std::uint64_t>(seats * size, topology_.processor_count() + 1);
    if (seats != result.members.size())
        fail(at / "sizes",
             fmt::format("they are those of another number of members than {}", result.members.size()));
    std::vector<bool> is_member(topology_.processor_count(), false);
    for (std::size_t i = 0; i < result.members.size(); ++i) {
        const std::uint32_t member = result.members[i];
        if (member >= is_member.size() || is_member[member])
            fail(at / "members" / i, fmt::format("{} is no processor, or stands there twice", member));
        is_member[member] = true;
    }
    return result;
}

std::vector<ChunkPlacement> DocumentReader::placements(const Json& json, const char* name) const
{
    std::vector<ChunkPlacement> result;
    if (json.contains(name))
        for (const Json& one : json[name])
            result.push_back({one["processor"], one["chunk"], one["place"]});
    return result;
}

/// A result that is not there yet takes a transfer: what a schedule cannot bring is not spelled out. Small
/// ones are, since the validator says more, and bounds have no schedule.
std::uint64_t DocumentReader::most_results() const
{
    constexpr std::uint64_t small_collective = std::uint64_t{1} << 16U;
    constexpr std::uint64_t largest_bounded = std::uint64_t{1} << 22U;
    return transfers_ && version_ == 3 ? std::max(small_collective, *transfers_) : largest_bounded;
}

Collective DocumentReader::custom_collective(const Json& json, std::uint32_t parts, const Pointer& at)
{
    Collective result{.processors = static_cast<std::uint32_t>(topology_.processor_count()), .parts = parts};
    const Json& chunks = json["chunks"];
    for (std::size_t i = 0; i < chunks.size(); ++i)
        result.chunks.push_back({chunks[i].value("weight", 1U),
                                 processors(chunks[i]["contributors"], at / "chunks" / i / "contributors"),
                                 chunks[i].value("release_cycles", std::uint64_t{0})});
    std::vector<Demand> demands;
    for (std::size_t i = 0; i < json["demands"].size(); ++i) {
        const Json& demand = json["demands"][i];
        const Pointer place = at / "demands" / i;
        const ChunkId chunk = demand["chunk"];
        if (chunk >= result.chunks.size())
            fail(place / "chunk", "no such chunk");
        demands.push_back({chunk, processor(demand["receiver"], place / "receiver"),
                           demand.contains("contributors")
                               ? ProcessorList(processors(demand["contributors"], place / "contributors"))
                               : result.chunks[chunk].contributors});
    }
    result.demands = Demands(std::move(demands));
    return result;
}

Collective DocumentReader::collective(const Json& json, const Pointer& at)
{
    const auto count = topology_.processor_count();
    if (json.contains("processors") && json["processors"] != count)
        fail(at / "processors",
             fmt::format("{}, but {} has {}", json_text(json["processors"]), topology_.name(), count));
    try {
        const CollectiveKind kind = parse_collective_kind(json["kind"].get<std::string>());
        if (version_ == 3 && kind == CollectiveKind::custom) {
            for (const char* const name : {"chunks", "demands"})
                if (!json.contains(name))
                    fail(at, fmt::format("'{}' missing", name));
            return custom_collective(json, json.value("parts", 1U), at);
        }
        const char* const source = is_to_one(kind) ? "root" : "source";
        if (const char* const other = is_to_one(kind) ? "source" : "root"; json.contains(other))
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
        participants.group = list("group");
        participants.parts = json.value("parts", 1U);
        if (json.contains("weights"))
            participants.weights = json["weights"].get<std::vector<std::uint32_t>>();
        const std::uint64_t results = results_of(kind, static_cast<std::uint32_t>(count), participants);
        if (participants.parts > 1 && results > most_results())
            fail(at / "parts",
                 fmt::format("{} parts make more than {} results", participants.parts, most_results()));
        if (version_ == 3 && results > most_results())
            fail(at, fmt::format("{} results are owed, more than the {} that such a file is read for",
                                 results, most_results()));
        Collective made = make_collective(kind, static_cast<std::uint32_t>(count), participants);
        if (version_ == 1 && reduces(made))
            fail(at / "kind",
                 fmt::format("{} adds what comes, which version 1 of the format does not know: a "
                             "reduction that only collects is a gather, AOG",
                             to_string(kind)));
        return made;
    } catch (const std::invalid_argument& error) {
        fail(at, error.what());
    }
}

std::vector<ProcessorId> DocumentReader::processors(const Json& json, const Pointer& at)
{
    std::vector<ProcessorId> result;
    for (std::size_t i = 0; i < json.size(); ++i)
        result.push_back(processor(json[i], at / i));
    return result;
}

} // namespace nocturne
