#include "schedules/chunks/chunked_schedule_json.hpp"

#include "models/topology/json_place.hpp"
#include "models/topology/topology_reference.hpp"
#include "schedules/chunks/collective_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace nocturne {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view chunked_format_name = "nocturne-chunks";
constexpr unsigned chunked_format_version = 1;

/// The only link from one node to another.
std::optional<LinkId> only_link(const LinkNetwork& network, NodeId source, NodeId destination)
{
    std::optional<LinkId> found;
    if (source >= network.node_count())
        return found;
    for (const LinkId link : network.links_from(source))
        if (network.link(link).target == destination) {
            if (found)
                return std::nullopt;
            found = link;
        }
    return found;
}

void append(std::string& text, const Transfer& transfer, const LinkNetwork& network)
{
    auto out = std::back_inserter(text);
    fmt::format_to(out, "{{\"from\": {}, \"to\": {}", transfer.source, transfer.destination);
    if (transfer.keeps_place())
        fmt::format_to(out, ", \"chunk\": {}", transfer.message);
    else
        fmt::format_to(out, ", \"read\": {}, \"write\": {}", transfer.message, PlaceId{transfer.to});
    const auto link = only_link(network, transfer.source, transfer.destination);
    const auto path = transfer.links();
    const bool is_plain =
        link ? path.size() == 1 && path.front() == *link : path.empty() && transfer.is_local();
    if (!is_plain)
        fmt::format_to(out, ", \"links\": [{}]", fmt::join(path, ", "));
    if (transfer.operation == Operation::add)
        text += ", \"add\": true";
}

OrderedJson to_json(const std::vector<Placement>& placements)
{
    OrderedJson json = OrderedJson::array();
    for (const Placement& placement : placements)
        json.push_back(
            {{"processor", placement.processor}, {"chunk", placement.chunk}, {"place", placement.place}});
    return json;
}

std::vector<Placement> read_placements(const JsonPlace& root, const std::string& name)
{
    std::vector<Placement> placements;
    if (!root.has(name))
        return placements;
    for (const JsonPlace& place : root[name].elements()) {
        place.check_members({"processor", "chunk", "place"});
        placements.push_back(
            {place["processor"].number(0), place["chunk"].number(0), place["place"].number(0)});
    }
    return placements;
}

std::vector<std::uint32_t> read_numbers(const JsonPlace& place)
{
    std::vector<std::uint32_t> numbers;
    for (const JsonPlace& element : place.elements())
        numbers.push_back(element.number(0));
    return numbers;
}

PlaceId read_place(const JsonPlace& place)
{
    const PlaceId id = place.number(0);
    if (id >= place_limit)
        place.fail(fmt::format("places are less than {}", place_limit));
    return id;
}

ListedTransfer read_transfer(const JsonPlace& place, const LinkNetwork& network)
{
    place.check_members({"from", "to", "chunk", "read", "write", "links", "add", "step", "after"});
    if (place.has("chunk") == (place.has("read") || place.has("write")))
        place.fail("expected 'chunk', or else 'read' and 'write'");
    ListedTransfer listed{Transfer{{read_place(place[place.has("chunk") ? "chunk" : "read"]),
                                    read_place(place[place.has("chunk") ? "chunk" : "write"])},
                                   place["from"].number(0),
                                   place["to"].number(0),
                                   Path{}}};
    Transfer& transfer = listed.transfer;
    if (place.has("links"))
        transfer.path = read_numbers(place["links"]);
    else if (!transfer.is_local()) {
        const auto link = only_link(network, transfer.source, transfer.destination);
        if (!link)
            place.fail(fmt::format("from {} to {} there is not one link alone: 'links' says which",
                                   transfer.source, transfer.destination));
        transfer.path = {*link};
    }
    if (place.has("add") && place["add"].truth())
        transfer.operation = Operation::add;
    if (place.has("step"))
        listed.step = place["step"].number(0);
    if (place.has("after"))
        listed.after = read_numbers(place["after"]);
    return listed;
}

/// Steps in order, so that transfers are numbered as they are listed.
std::vector<ListedTransfer> read_transfers(const JsonPlace& list, const LinkNetwork& network,
                                           const Schedule& schedule)
{
    std::vector<ListedTransfer> listed;
    for (const JsonPlace& place : list.elements()) {
        listed.push_back(read_transfer(place, network));
        const std::uint32_t step = listed.back().step;
        if (!is_in_steps(schedule) && step != 0)
            place["step"].fail("it has a step, in a schedule without");
        if (is_in_steps(schedule) && step >= schedule.rounds.size())
            place["step"].fail(fmt::format("step {} does not exist: there are rounds of {}",
                                           std::uint64_t{step} + 1, schedule.rounds.size()));
        if (listed.size() > 1 && step < listed[listed.size() - 2].step)
            place["step"].fail("it is listed after transfers of later steps");
        if (is_in_steps(schedule) && !listed.back().after.empty())
            place["after"].fail("it waits for a transfer, in a schedule in steps");
    }
    return listed;
}

ScheduleSynchronization read_synchronization(const JsonPlace& place)
{
    const std::string text = place.text();
    if (text == "steps")
        return ScheduleSynchronization::steps;
    if (text != "dependencies")
        place.fail("expected \"steps\" or \"dependencies\"");
    return ScheduleSynchronization::dependencies;
}

} // namespace

bool is_chunked_schedule(std::string_view text)
{
    // Far enough for a heading, in whatever order its members are.
    return text.substr(0, 4096).find(fmt::format("\"{}\"", chunked_format_name)) != std::string_view::npos;
}

namespace {

OrderedJson head_of(const std::string& name, const std::string& source, const OrderedJson& topology,
                    const LinkDefaults& defaults, const Collective& collective)
{
    OrderedJson head{{"format", chunked_format_name},
                     {"version", chunked_format_version},
                     {"name", name},
                     {"source", source},
                     {"topology", topology}};
    if (defaults.bytes_per_cycle != LinkDefaults{}.bytes_per_cycle)
        head["bytes_per_cycle"] = defaults.bytes_per_cycle;
    if (defaults.local_latency_cycles != LinkDefaults{}.local_latency_cycles)
        head["local_latency_cycles"] = defaults.local_latency_cycles;
    head["collective"] = nocturne::to_json(collective);
    return head;
}

std::string text_of(const OrderedJson& json)
{
    return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

} // namespace

std::string chunk_json_text(const Schedule& schedule, const Topology& topology,
                            const LinkDefaults& defaults, const OrderedJson& bounds)
{
    const LinkNetwork network = link_network_of(topology, defaults);
    OrderedJson head =
        head_of(schedule.name, schedule.source, topology_reference(schedule.topology, topology), defaults,
                schedule.collective);
    const bool in_steps = is_in_steps(schedule);
    if (schedule.bytes)
        head["bytes"] = *schedule.bytes;
    head["synchronization"] = in_steps ? "steps" : "dependencies";
    if (in_steps || !schedule.rounds.empty())
        head["rounds"] = in_steps && schedule.rounds.empty()
                             ? std::vector<std::uint32_t>(schedule.steps.size(), 1)
                             : schedule.rounds;
    if (!schedule.inputs.empty())
        head["inputs"] = to_json(schedule.inputs);
    if (!schedule.outputs.empty())
        head["outputs"] = to_json(schedule.outputs);
    if (!bounds.is_null())
        head["lower_bounds"] = bounds;
    std::string text = text_of(head);
    text.pop_back(); // the brace
    text += ",\n\"transfers\": [";
    std::size_t id = 0;
    for (std::size_t step = 0; step < schedule.steps.size(); ++step)
        for (const Transfer& transfer : schedule.steps[step]) {
            text += id == 0 ? "\n" : ",\n";
            append(text, transfer, network);
            if (in_steps)
                text += fmt::format(", \"step\": {}", step);
            if (const auto after = schedule.after.of(id++); !after.empty())
                text += fmt::format(", \"after\": [{}]", fmt::join(after, ", "));
            text += '}';
        }
    return text + "\n]}\n";
}

std::string bounds_text(const Collective& collective, const Topology& topology, const LinkDefaults& defaults,
                        const OrderedJson& bounds)
{
    OrderedJson head = head_of("", "", topology_reference(topology.name(), topology), defaults, collective);
    head["lower_bounds"] = bounds;
    return text_of(head) + "\n";
}

namespace {

// A result that is not there yet takes a transfer: what a schedule cannot bring is not spelled out. Small
// ones are, since the validator says more, and bounds have no schedule.
constexpr std::uint64_t small_collective = std::uint64_t{1} << 16U;
constexpr std::uint64_t largest_bounded = std::uint64_t{1} << 22U;

} // namespace

ChunkFile parse_chunk_file(std::string_view text, const std::filesystem::path& path)
{
    const std::string origin = path.string();
    const nlohmann::json document = parse_json(text, origin);
    const JsonPlace root(document, origin);
    if (root["format"].text() != chunked_format_name)
        root["format"].fail(
            fmt::format("it is \"{}\", \"{}\" is wanted", root["format"].text(), chunked_format_name));
    if (root["version"].number(0) != chunked_format_version)
        root["version"].fail(fmt::format("this program reads version {}", chunked_format_version));
    root.check_members({"format", "version", "name", "source", "topology", "bytes_per_cycle",
                        "local_latency_cycles", "collective", "bytes", "synchronization", "rounds", "inputs",
                        "outputs", "lower_bounds", "transfers"});
    const bool has_schedule = root.has("transfers") || !root.has("lower_bounds");
    const nlohmann::json& reference = document["topology"];
    if (!reference.is_object() && !reference.is_string())
        root["topology"].fail("expected a specification, a file or a topology");
    Topology topology = referenced_topology(reference, path);
    LinkDefaults defaults;
    if (root.has("bytes_per_cycle"))
        defaults.bytes_per_cycle = root["bytes_per_cycle"].number(1);
    if (root.has("local_latency_cycles"))
        defaults.local_latency_cycles = root["local_latency_cycles"].number(0);
    LinkNetwork network = link_network_of(topology, defaults);

    Schedule schedule;
    schedule.name = root.has("name") ? root["name"].text() : "";
    schedule.source = root.has("source") ? root["source"].text() : "";
    schedule.topology = reference.is_string() && topology_reference(reference, topology).is_string()
                            ? reference.get<std::string>()
                            : topology.name();
    const std::uint64_t transfers = root.has("transfers") ? document["transfers"].size() : 0;
    schedule.collective =
        read_collective_in_chunks(root["collective"], network.processor_count(),
                                  std::max(has_schedule ? small_collective : largest_bounded, transfers));
    if (root.has("bytes"))
        schedule.bytes = root["bytes"].number(1);
    if (has_schedule)
        schedule.synchronization = read_synchronization(root["synchronization"]);
    if (root.has("rounds"))
        schedule.rounds = read_numbers(root["rounds"]);
    schedule.inputs = read_placements(root, "inputs");
    schedule.outputs = read_placements(root, "outputs");
    if (has_schedule)
        set_transfers(schedule, read_transfers(root["transfers"], network, schedule));
    return {{std::move(schedule), std::move(topology), defaults, std::move(network)},
            has_schedule,
            root.has("lower_bounds") ? document["lower_bounds"] : nlohmann::json()};
}

LoadedChunkedSchedule parse_chunked_schedule(std::string_view text, const std::filesystem::path& path)
{
    ChunkFile file = parse_chunk_file(text, path);
    if (!file.has_schedule)
        throw std::runtime_error(fmt::format("{}: it has bounds, and no schedule", path.string()));
    return std::move(file.loaded);
}

LoadedChunkedSchedule load_chunked_schedule(const std::filesystem::path& path)
{
    return parse_chunked_schedule(read_file(path), path);
}

void save_chunked_schedule(const std::filesystem::path& path, const Schedule& schedule,
                           const Topology& topology, const LinkDefaults& defaults, const OrderedJson& bounds)
{
    write_file_atomically(path, chunk_json_text(schedule, topology, defaults, bounds));
}

} // namespace nocturne
