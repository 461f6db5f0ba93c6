#include "models/topology/json_place.hpp"
#include "schedules/formats/tool_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace nocturne {

namespace {

using Ranks = std::set<std::uint32_t>;

constexpr unsigned most_ranks = 4096;
constexpr std::uint64_t most_chunks = std::uint64_t{1} << 22U;

Ranks read_ranks(const JsonPlace& place, std::uint32_t ranks)
{
    Ranks read;
    for (const JsonPlace& element : place.elements()) {
        const unsigned rank = element.number(0);
        if (rank >= ranks)
            element.fail(fmt::format("there are {} ranks", ranks));
        read.insert(rank);
    }
    return read;
}

void require_type(const JsonPlace& place, const char* type)
{
    if (place["msccl_type"].text() != type)
        place["msccl_type"].fail(fmt::format("expected \"{}\"", type));
}

/// A matrix [to][from] of units.
LinkNetwork read_links(const JsonPlace& topology)
{
    require_type(topology, "topology");
    const std::vector<JsonPlace> rows = topology["links"].elements();
    if (rows.empty() || rows.size() > most_ranks)
        topology["links"].fail(fmt::format("expected 1 to {} rows", most_ranks));
    const auto ranks = static_cast<std::uint32_t>(rows.size());
    LinkNetwork network(topology["name"].text(), ranks);
    for (std::uint32_t to = 0; to < ranks; ++to) {
        const std::vector<JsonPlace> row = rows[to].elements();
        if (row.size() != ranks)
            rows[to].fail(fmt::format("expected {} numbers", ranks));
        for (std::uint32_t from = 0; from < ranks; ++from)
            if (const unsigned units = row[from].number(0); units > 0 && from != to)
                network.add_link({from, to, units, 0});
    }
    return network;
}

/// Links that share a limit.
struct JointLimit {
    Ranks sources;
    Ranks destinations;
    std::uint64_t units;
    std::string name;
};

std::vector<JointLimit> read_limits(const JsonPlace& topology, std::uint32_t ranks)
{
    std::vector<JointLimit> limits;
    for (const JsonPlace& place : topology["switches"].elements()) {
        const std::vector<JsonPlace> parts = place.elements();
        if (parts.size() != 4)
            place.fail("expected sources, destinations, units and a name");
        limits.push_back(
            {read_ranks(parts[0], ranks), read_ranks(parts[1], ranks), parts[2].number(1), parts[3].text()});
    }
    return limits;
}

class MscclJsonReader {
public:
    MscclJsonReader(const nlohmann::json& document, const JsonPlace& root, const LinkNetwork& network)
        : document_(document), root_(root), network_(network), paths_(network)
    {
    }

    ForeignSchedule read()
    {
        Schedule& schedule = foreign_.schedule;
        schedule = empty_schedule(root_["name"].text(), network_.name(), {}, ScheduleSynchronization::steps);
        schedule.source = "msccl-tools";
        schedule.collective.parts = root_["instance"]["chunks"].number(1);
        read_collective(root_["collective"]);
        const std::vector<JointLimit> limits = read_limits(root_["topology"], network_.processor_count());
        std::uint32_t step = 0;
        for (const JsonPlace& place : root_["steps"].elements()) {
            read_step(place, step, limits);
            ++step;
        }
        foreign_.chosen_paths = paths_.chosen();
        return std::move(foreign_);
    }

private:
    void read_collective(const JsonPlace& place)
    {
        require_type(place, "collective");
        Collective& collective = foreign_.schedule.collective;
        collective.processors = network_.processor_count();
        if (place["nodes"].number(1) != collective.processors)
            place["nodes"].fail(fmt::format("{} has {} processors", network_.name(), collective.processors));
        std::map<std::uint64_t, std::map<std::uint32_t, Ranks>>
            chunks; // by address, contributor: who ends with it
        const std::vector<JsonPlace> listed = place["chunks"].elements();
        const std::uint64_t cuts = cuts_of(listed);
        if (cuts * listed.size() > most_chunks)
            root_["instance"]["chunks"].fail(
                fmt::format("{} chunks cut into {} are more than {}", listed.size(), cuts, most_chunks));
        for (const JsonPlace& chunk : listed) {
            require_type(chunk, "chunk");
            const Ranks pre = read_ranks(chunk["pre"], collective.processors);
            if (pre.size() != 1)
                chunk["pre"].fail("expected one rank that begins with the chunk");
            const Ranks post = read_ranks(chunk["post"], collective.processors);
            for (std::uint64_t part = 0; part < cuts; ++part)
                if (!chunks[chunk["addr"].word() * cuts + part].emplace(*pre.begin(), post).second)
                    chunk.fail("a rank begins with two chunks at one address");
        }
        for (const auto& [address, contributions] : chunks) {
            const auto id = static_cast<ChunkId>(collective.chunks.size());
            chunk_at_[address] = id;
            std::vector<std::uint32_t> contributors_of_chunk;
            std::map<std::uint32_t, std::vector<std::uint32_t>> owed; // by receiver
            for (const auto& [contributor, receivers] : contributions) {
                contributors_of_chunk.push_back(contributor);
                held_[{contributor, id}].insert(contributor);
                for (const std::uint32_t receiver : receivers)
                    owed[receiver].push_back(contributor);
            }
            collective.chunks.push_back({1, std::move(contributors_of_chunk)});
            for (const auto& [receiver, contributors] : owed)
                if (contributions.size() > 1 || contributors != std::vector{receiver}) // else it is there
                    collective.demands.push_back({id, receiver, contributors});
        }
        next_scratch_ = static_cast<PlaceId>(collective.chunks.size());
    }

    /// Files have the collective uncut, with part i of address a at a C + i; older ones of ours had it cut,
    /// and other addresses do not occur.
    std::uint64_t cuts_of(const std::vector<JsonPlace>& chunks) const
    {
        const std::uint64_t parts = foreign_.schedule.collective.parts;
        std::set<std::uint64_t> addresses;
        for (const JsonPlace& chunk : chunks)
            addresses.insert(chunk["addr"].word());
        bool has_maps = false;
        for (const char* name : {"input_map", "output_map"}) {
            if (!document_.contains(name))
                continue;
            const JsonPlace map = root_[name];
            if (!document_[name].is_object())
                map.fail("expected an object with the addresses of each rank");
            for (const auto& rank : document_[name].items())
                for (const JsonPlace& address : map[rank.key()].elements()) {
                    has_maps = true;
                    if (!addresses.contains(address.word()))
                        return parts;
                }
        }
        return has_maps ? 1 : parts;
    }

    struct Send {
        ChunkId chunk;
        std::uint32_t source, destination;
        std::string place;
    };

    Send read_send(const JsonPlace& place, std::uint32_t step, std::size_t index) const
    {
        const std::vector<JsonPlace> parts = place.elements();
        if (parts.size() != 3)
            place.fail("expected address, source and destination");
        const auto chunk = chunk_at_.find(parts[0].word());
        if (chunk == chunk_at_.end())
            parts[0].fail("no chunk has this address");
        Send send{chunk->second, parts[1].number(0), parts[2].number(0),
                  fmt::format("step {}, send {}", step + 1, index + 1)};
        if (std::max(send.source, send.destination) >= network_.processor_count())
            place.fail(fmt::format("there are {} ranks", network_.processor_count()));
        if (send.source == send.destination)
            place.fail("a rank sends to itself");
        return send;
    }

    void read_step(const JsonPlace& place, std::uint32_t step, const std::vector<JointLimit>& limits)
    {
        require_type(place, "step");
        Schedule& schedule = foreign_.schedule;
        schedule.rounds.push_back(place["rounds"].number(1));
        const auto before = held_; // what is sent was there when the step began
        std::vector<std::uint64_t> carried(limits.size(), 0);
        Step transfers, sums;
        std::vector<std::string> places_of_sums;
        std::map<std::pair<std::uint32_t, ChunkId>, Operation> written; // first in this step
        std::size_t index = 0;
        for (const JsonPlace& one : place["sends"].elements()) {
            const Send send = read_send(one, step, index++);
            for (std::size_t i = 0; i < limits.size(); ++i)
                carried[i] += limits[i].sources.contains(send.source) &&
                              limits[i].destinations.contains(send.destination);
            const auto coming = before.find({send.source, send.chunk});
            Ranks& here = held_[{send.destination, send.chunk}];
            const Ranks what = coming == before.end() ? Ranks{} : coming->second;
            const bool replaces = std::includes(what.begin(), what.end(), here.begin(), here.end());
            const Operation operation = replaces ? Operation::copy : Operation::add;
            const auto [first, is_first] =
                written.emplace(std::pair(send.destination, send.chunk), operation);
            const bool all_add = first->second == Operation::add && operation == Operation::add;
            Transfer transfer{send.chunk, send.source, send.destination,
                              paths_.between(send.source, send.destination), operation};
            if (!is_first && !all_add) { // after what else came there in this step
                transfer.to = next_scratch_++ % place_limit;
                transfer.operation = Operation::copy;
                sums.push_back(
                    {{transfer.to, send.chunk}, send.destination, send.destination, Path{}, operation});
                places_of_sums.push_back(send.place);
            }
            here.insert(what.begin(), what.end());
            transfers.push_back(std::move(transfer));
            foreign_.places.push_back(send.place);
        }
        transfers.insert(transfers.end(), sums.begin(), sums.end());
        schedule.steps.push_back(std::move(transfers));
        foreign_.places.insert(foreign_.places.end(), places_of_sums.begin(), places_of_sums.end());
        for (std::size_t i = 0; i < limits.size(); ++i)
            if (carried[i] > limits[i].units * schedule.rounds.back())
                foreign_.violations.push_back(
                    {.rule = Rule::link_overfull,
                     .transfer = std::nullopt,
                     .text = fmt::format("step {}: {} chunks in {} rounds over {}, which carries {} a round",
                                         step + 1, carried[i], schedule.rounds.back(), limits[i].name,
                                         limits[i].units)});
    }

    const nlohmann::json& document_;
    const JsonPlace& root_;
    const LinkNetwork& network_;
    ProcessorPaths paths_;
    std::map<std::uint64_t, ChunkId> chunk_at_;               ///< by address
    std::map<std::pair<std::uint32_t, ChunkId>, Ranks> held_; ///< contributions, by rank
    PlaceId next_scratch_ = 0;
    ForeignSchedule foreign_;
};

} // namespace

bool is_msccl_json(std::string_view text)
{
    return text.substr(0, 4096).find("\"msccl_type\"") != std::string_view::npos;
}

ReadSchedule read_msccl_json(std::string_view text, std::string_view origin,
                             const std::optional<LinkNetwork>& network)
{
    const nlohmann::json document = parse_json(text, origin);
    const JsonPlace root(document, origin);
    require_type(root, "algorithm");
    const nlohmann::json::json_pointer pipeline("/instance/pipeline");
    if (document.contains(pipeline) && !document[pipeline].is_null())
        root["instance"]["pipeline"].fail("pipelined algorithms are not read");
    LinkNetwork judged = network ? *network : read_links(root["topology"]);
    ForeignSchedule foreign = MscclJsonReader(document, root, judged).read();
    return {std::move(foreign), std::move(judged)};
}

} // namespace nocturne
