#include "schedules/formats/mscclpp_plan.hpp"

#include "models/topology/json_place.hpp"
#include "schedules/formats/tool_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace nocturne {
namespace {

constexpr std::size_t most_steps = 64; // MAX_OPERATION, of a thread block

using PlanKind = PlanAction::Kind;

constexpr std::array actions{
    PlanAction{"nop", PlanKind::none},
    PlanAction{"barrier", PlanKind::barrier},
    PlanAction{"signal", PlanKind::signal},
    PlanAction{"rlxsignal", PlanKind::signal},
    PlanAction{"wait", PlanKind::wait},
    PlanAction{"rlxwait", PlanKind::wait},
    PlanAction{"flush", PlanKind::flush},
    PlanAction{"sem_acquire", PlanKind::acquire},
    PlanAction{"sem_release", PlanKind::release},
    PlanAction{"put", PlanKind::put},
    PlanAction{.name = "pws", .kind = PlanKind::put, .signals = true},
    PlanAction{.name = "pwsf", .kind = PlanKind::put, .signals = true},
    PlanAction{"get", PlanKind::get},
    PlanAction{"copy", PlanKind::reduce},
    PlanAction{"re", PlanKind::reduce},
    PlanAction{"res", PlanKind::reduce},
    PlanAction{"rre", PlanKind::reduce},
    PlanAction{"rres", PlanKind::reduce},
    PlanAction{.name = "ppkt", .kind = PlanKind::put, .sends_packets = true},
    PlanAction{.name = "rppkt", .kind = PlanKind::put, .reads_packets = true, .sends_packets = true},
    PlanAction{.name = "upkt", .kind = PlanKind::reduce, .reads_packets = true},
    PlanAction{.name = "cpkt", .kind = PlanKind::reduce, .has_data_result = false},
    PlanAction{.name = "repkt", .kind = PlanKind::reduce, .reads_packets = true},
    PlanAction{.name = "respkt", .kind = PlanKind::reduce, .reads_packets = true, .sends_packets = true},
    PlanAction{.name = "recpkt", .kind = PlanKind::reduce, .reads_packets = true, .keeps_packets = true},
    PlanAction{.name = "recspkt",
               .kind = PlanKind::reduce,
               .reads_packets = true,
               .sends_packets = true,
               .keeps_packets = true},
};

class PlanReader {
public:
    PlanReader(const nlohmann::json& document, std::string_view origin, std::uint32_t processors,
               const std::string& network)
        : root_(document, origin)
    {
        const std::vector<JsonPlace> gpus = root_["gpus"].elements();
        if (gpus.size() != processors)
            root_["gpus"].fail(
                fmt::format("a plan for {} GPUs; {} has {} processors", gpus.size(), network, processors));
        for (std::uint32_t id = 0; id < processors; ++id)
            if (gpus[id]["id"].number(0) != id)
                gpus[id]["id"].fail(fmt::format("expected {}: GPUs stand in order", id));
        find_slices(gpus);
        read_program(gpus);
        for (std::uint32_t id = 0; id < processors; ++id)
            read_channels(gpus[id], plan_.ranks.emplace_back());
        connect();
        for (std::uint32_t id = 0; id < processors; ++id)
            read_blocks(gpus[id], id);
    }

    MscclppPlan plan() { return std::move(plan_); }

private:
    /// Into how many parts chunks are cut so that thread blocks that share one have whole parts.
    void find_slices(const std::vector<JsonPlace>& gpus)
    {
        constexpr std::uint32_t most = 4096;
        for (const JsonPlace& gpu : gpus)
            for (const JsonPlace& block : gpu["threadblocks"].elements())
                for (const JsonPlace& step : all_steps(block))
                    if (step.has("tbg_info")) {
                        const JsonPlace size = step["tbg_info"]["tbg_size"];
                        slices_ = std::lcm(slices_, size.number(1));
                        if (slices_ > most)
                            size.fail("thread blocks share chunks in too many ways");
                    }
    }

    /// Those of a pipeline in its place.
    static std::vector<JsonPlace> all_steps(const JsonPlace& block)
    {
        std::vector<JsonPlace> steps;
        for (const JsonPlace& step : block["ops"].elements())
            if (step["name"].text() == "pipeline")
                for (const JsonPlace& inner : step["ops"].elements())
                    steps.push_back(inner);
            else
                steps.push_back(step);
        return steps;
    }

    void read_program(const std::vector<JsonPlace>& gpus)
    {
        MscclProgram& program = plan_.program;
        program.name = root_["name"].text();
        const JsonPlace collective = root_["collective"];
        const std::map<std::string, CollectiveKind> kinds{{"allreduce", CollectiveKind::allreduce},
                                                          {"allgather", CollectiveKind::allgather},
                                                          {"reducescatter", CollectiveKind::reduce_scatter},
                                                          {"reduce_scatter", CollectiveKind::reduce_scatter},
                                                          {"alltoall", CollectiveKind::alltoall}};
        const auto kind = kinds.find(collective.text());
        if (kind == kinds.end())
            collective.fail(fmt::format("unknown collective '{}': there are allreduce, allgather, "
                                        "reducescatter and alltoall",
                                        collective.text()));
        program.kind = kind->second;
        program.is_in_place = root_["inplace"].truth();
        program.is_out_of_place = !program.is_in_place;
        const auto n = static_cast<std::uint32_t>(gpus.size());
        const bool gathers = program.kind == CollectiveKind::allgather;
        const bool is_whole = program.kind == CollectiveKind::allreduce;
        const std::uint32_t whole = gpus.front()[gathers ? "output_chunks" : "input_chunks"].number(1);
        if (!is_whole && whole % n != 0)
            gpus.front()[gathers ? "output_chunks" : "input_chunks"].fail(
                fmt::format("expected a multiple of {}, a block for each GPU", n));
        program.chunks = whole * slices_;
        program.parts = is_whole ? program.chunks : program.chunks / n;
        for (const JsonPlace& gpu : gpus) {
            for (const char* const buffer : {"input_chunks", "output_chunks"}) {
                const bool is_part = !is_whole && program.kind != CollectiveKind::alltoall &&
                                     gathers == (std::string_view(buffer) == "input_chunks");
                const std::uint32_t expected = is_part ? whole / n : whole;
                if (gpu[buffer].number(1) != expected)
                    gpu[buffer].fail(fmt::format("expected {}", expected));
            }
            program.gpus.push_back({gpu["scratch_chunks"].number(0) * slices_, {}});
        }
    }

    static std::size_t type_of(const JsonPlace& place)
    {
        const std::string type = place.text();
        if (type == "switch")
            place.fail("switches that multicast and add are not read");
        if (type != "memory" && type != "port")
            place.fail("expected memory or port");
        return type == "port" ? 1 : 0;
    }

    void read_channels(const JsonPlace& gpu, PlanRank& rank) const
    {
        for (const JsonPlace& channels : gpu["channels"].elements()) {
            const std::size_t type = type_of(channels["channel_type"]);
            for (const JsonPlace& peer : channels["connected_to"].elements())
                rank.channels[type].push_back({rank_in(peer), std::nullopt});
        }
        if (gpu.has("semaphores"))
            for (const JsonPlace& semaphore : gpu["semaphores"].elements())
                rank.semaphores.push_back(semaphore["init_value"].number(0));
    }

    std::uint32_t rank_in(const JsonPlace& place) const
    {
        const std::uint32_t rank = place.number(0);
        if (rank >= plan_.program.gpus.size())
            place.fail(fmt::format("GPU {} does not exist", rank));
        return rank;
    }

    /// The first channel of a GPU to another and the first of that one to it are one connection, and so on.
    void connect()
    {
        for (std::size_t type = 0; type < 2; ++type) {
            std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> ends;
            for (std::uint32_t id = 0; id < plan_.ranks.size(); ++id)
                for (std::uint32_t c = 0; c < plan_.ranks[id].channels[type].size(); ++c)
                    ends[{id, plan_.ranks[id].channels[type][c].peer}].push_back(c);
            for (const auto& [key, here] : ends) {
                const auto there = ends.find({key.second, key.first});
                for (std::size_t k = 0; k < here.size(); ++k)
                    if (there != ends.end() && k < there->second.size())
                        plan_.ranks[key.first].channels[type][here[k]].at_peer = there->second[k];
            }
        }
    }

    /// What the numbers in the steps of a thread block stand for.
    struct BlockNames {
        std::array<std::vector<std::uint32_t>, 2> channels;
        std::array<std::vector<std::pair<std::uint32_t, char>>, 2> remote; ///< GPU and buffer
    };

    void read_blocks(const JsonPlace& gpu, std::uint32_t id)
    {
        std::vector<std::pair<std::uint32_t, char>> remote;
        for (const JsonPlace& buffer : gpu["remote_buffers"].elements())
            remote.emplace_back(rank_in(buffer["rank"]), buffer_in(buffer["type"]));
        for (const JsonPlace& block : gpu["threadblocks"].elements()) {
            BlockNames names;
            for (const JsonPlace& channels : block["channels"].elements()) {
                const std::size_t type = type_of(channels["channel_type"]);
                for (const JsonPlace& channel : channels["channel_ids"].elements())
                    names.channels[type].push_back(
                        below(plan_.ranks[id].channels[type].size(), channel, "channel"));
            }
            if (block.has("remote_buffer_refs"))
                for (const JsonPlace& buffers : block["remote_buffer_refs"].elements())
                    for (const JsonPlace& buffer : buffers["remote_buffer_ids"].elements())
                        names.remote[type_of(buffers["access_channel_type"])].push_back(
                            remote[below(remote.size(), buffer, "remote buffer")]);
            PlanThreadBlock& read = plan_.ranks[id].blocks.emplace_back();
            for (const JsonPlace& step : all_steps(block))
                read.steps.push_back(read_step(step, id, names));
            if (read.steps.size() > most_steps)
                plan_.violations.push_back(
                    {.rule = Rule::executor_limit,
                     .text =
                         fmt::format("GPU {}, thread block {}: {} operations; the executor has room for {}",
                                     id, plan_.ranks[id].blocks.size() - 1, read.steps.size(), most_steps)});
        }
    }

    static std::uint32_t below(std::size_t count, const JsonPlace& place, const char* what)
    {
        const std::uint32_t number = place.number(0);
        if (number >= count)
            place.fail(fmt::format("{} {} does not exist: there are {}", what, number, count));
        return number;
    }

    static char buffer_in(const JsonPlace& place)
    {
        const std::string text = place.text();
        if (text != "i" && text != "o" && text != "s")
            place.fail("expected i, o or s");
        return text.front();
    }

    PlanStep read_step(const JsonPlace& place, std::uint32_t id, const BlockNames& names) const
    {
        const std::string name = place["name"].text();
        const auto* const action = std::ranges::find(actions, name, &PlanAction::name);
        if (action == actions.end())
            place["name"].fail(name == "glres" || name == "gstore"
                                   ? "switches that multicast and add are not read"
                                   : fmt::format("unknown operation '{}'", name));
        PlanStep step{action};
        const std::size_t type = place.has("channel_type") && place["channel_type"].text() != "none"
                                     ? type_of(place["channel_type"])
                                     : 0;
        step.is_over_port = type == 1;
        if (place.has("channel_ids"))
            for (const JsonPlace& channel : place["channel_ids"].elements())
                step.ids.push_back(
                    names.channels[type][below(names.channels[type].size(), channel, "channel")]);
        if (place.has("semaphore_ids"))
            for (const JsonPlace& semaphore : place["semaphore_ids"].elements())
                step.ids.push_back(below(plan_.ranks[id].semaphores.size(), semaphore, "semaphore"));
        if (action->kind == PlanKind::barrier) {
            step.barrier = place["barrier_id"].number(0);
            step.blocks = place["num_threadblocks"].number(1);
        }
        for (const char* const side : {"src_buff", "dst_buff"})
            if (place.has(side))
                for (const JsonPlace& operand : place[side].elements())
                    (side[0] == 's' ? step.sources : step.destinations)
                        .push_back(places_of(place, operand, id, names.remote[type]));
        check(place, step);
        return step;
    }

    PlanPlaces places_of(const JsonPlace& step, const JsonPlace& operand, std::uint32_t id,
                         const std::vector<std::pair<std::uint32_t, char>>& remote) const
    {
        PlanPlaces places{id, 's', operand["index"].number(0) * slices_, operand["size"].number(1) * slices_};
        if (operand.has("buffer_id"))
            std::tie(places.gpu, places.buffer) =
                remote[below(remote.size(), operand["buffer_id"], "remote buffer")];
        else
            places.buffer = buffer_in(operand["type"]);
        const MscclProgram& program = plan_.program;
        const bool is_short = (places.buffer == 'i' && program.kind == CollectiveKind::allgather) ||
                              (places.buffer == 'o' && program.kind == CollectiveKind::reduce_scatter);
        const std::uint32_t size = places.buffer == 's' ? program.gpus[places.gpu].scratch_chunks
                                   : is_short           ? program.parts
                                                        : program.chunks;
        if (places.first + std::uint64_t{places.count} > size)
            operand["index"].fail(fmt::format("chunk {} is not in buffer {} of GPU {}, which has {}",
                                              (places.first + places.count) / slices_ - 1, places.buffer,
                                              places.gpu, size / slices_));
        if (step.has("tbg_info")) {
            const JsonPlace share = step["tbg_info"];
            const std::uint32_t of = share["tbg_size"].number(1);
            const std::uint32_t number = below(of, share["tb_id"], "thread block of the group");
            places.count /= of;
            places.first += number * places.count;
        }
        return places;
    }

    static void check(const JsonPlace& place, const PlanStep& step)
    {
        const bool moves = step.action->kind == PlanKind::put || step.action->kind == PlanKind::get ||
                           step.action->kind == PlanKind::reduce;
        if (!moves)
            return;
        if (step.sources.empty() || step.destinations.empty())
            place.fail("it moves nothing: src_buff and dst_buff");
        if (step.action->kind != PlanKind::reduce && !step.action->reads_packets &&
            step.sources.size() != step.destinations.size())
            place.fail("as many places are read as are written");
        for (const PlanPlaces& one : step.sources)
            if (one.count != step.sources.front().count)
                place.fail("its places are of different sizes");
        for (const PlanPlaces& one : step.destinations)
            if (one.count != step.sources.front().count)
                place.fail("its places are of different sizes");
        if (step.action->signals && step.ids.size() < step.destinations.size())
            place.fail("a signal for each of its places: channel_ids");
    }

    JsonPlace root_;
    MscclppPlan plan_;
    std::uint32_t slices_ = 1;
};

} // namespace

bool is_mscclpp_json(std::string_view head)
{
    return head.find("\"protocol\"") != std::string_view::npos &&
           head.find("\"inplace\"") != std::string_view::npos;
}

MscclppPlan read_mscclpp_plan(std::string_view text, std::string_view origin, std::uint32_t processors,
                              const std::string& network)
{
    const nlohmann::json document = parse_json(text, origin);
    return PlanReader(document, origin, processors, network).plan();
}

} // namespace nocturne
