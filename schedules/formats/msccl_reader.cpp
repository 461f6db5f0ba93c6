#include "schedules/chunks/transfer_order.hpp"
#include "schedules/formats/msccl_program.hpp"
#include "schedules/formats/msccl_xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <tuple>

namespace nocturne {

namespace {

/// How far a thread block is.
struct BlockProgress {
    std::size_t step = 0;
    std::uint32_t chunk = 0;                ///< of the step
    std::vector<std::uint32_t> before = {}; ///< what its next transfer waits for
    /// Numbers of flags that it has set, ascending, and the transfers before them.
    std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> flags = {};
};

/// A chunk that is sent, and not received yet: a place that holds it, and the transfer that has put it there.
struct SentChunk {
    PlaceId place;
    std::uint32_t staged_by;
    const MscclStep* step; ///< that has sent it
    std::uint32_t number;  ///< among the chunks of the step
};

/// Turns a program into transfers, called in place or not. A thread block loads, adds and stores: what it
/// adds to is copied to a place of its own first, so that two at once are seen to overwrite each other.
class ProgramRun {
public:
    ProgramRun(const MscclProgram& program, const LinkNetwork& network, bool in_place)
        : program_(program), network_(network), in_place_(in_place)
    {
        ChunkedSchedule& schedule = foreign_.schedule;
        schedule.name = program.name;
        schedule.source = "MSCCL XML";
        schedule.topology = network.name();
        schedule.synchronization = ChunkSynchronization::dependencies;
        set_collective();
        for (const MscclGpu& gpu : program.gpus)
            next_place_ = std::max(next_place_, place_in('s', 0, 0) + gpu.scratch_chunks);
    }

    ForeignSchedule run()
    {
        for (const MscclGpu& gpu : program_.gpus)
            progress_.emplace_back(gpu.blocks.size());
        for (bool goes_on = true; goes_on;) {
            goes_on = false;
            for (std::uint32_t gpu = 0; gpu < progress_.size(); ++gpu)
                for (std::uint32_t block = 0; block < progress_[gpu].size(); ++block)
                    while (advance(gpu, block))
                        goes_on = true;
        }
        require_end();
        foreign_.order_is_open = !take_turns();
        foreign_.chosen_paths = paths_.chosen();
        return std::move(foreign_);
    }

private:
    // Places.

    std::uint32_t processors() const { return static_cast<std::uint32_t>(program_.gpus.size()); }

    /// Places of buffers follow those of chunks. In place, one of the buffers is a part of the other.
    PlaceId place_in(char buffer, std::uint32_t offset, std::uint32_t gpu) const
    {
        const PlaceId input = first_buffer_, output = input + program_.chunks;
        if (buffer == 's')
            return output + program_.chunks + offset;
        if (in_place_ && program_.kind == ChunkedKind::allgather && buffer == 'i')
            return output + gpu * program_.parts + offset;
        if (in_place_ && program_.kind == ChunkedKind::reduce_scatter && buffer == 'o')
            return input + gpu * program_.parts + offset;
        return (buffer == 'i' || (in_place_ && program_.kind != ChunkedKind::allgather) ? input : output) +
               offset;
    }
    PlaceId place_of(const MscclOperand& operand, std::uint32_t gpu) const
    {
        return place_in(operand.buffer, operand.offset, gpu);
    }

    void set_collective()
    {
        ChunkedCollective& collective = foreign_.schedule.collective;
        const std::uint32_t parts = program_.parts;
        collective = make_chunked_collective(program_.kind, {.processors = processors(), .parts = parts});
        const auto others = static_cast<ChunkId>(collective.chunks.size());
        const bool has_own =
            program_.kind == ChunkedKind::alltoall || program_.kind == ChunkedKind::allgather;
        const ChunkId own = program_.kind == ChunkedKind::alltoall ? processors() * parts : 0;
        first_buffer_ = others + own;
        if (has_own && !own_is_plain())
            add_own_blocks(collective);
        else
            skips_own_ = program_.kind == ChunkedKind::alltoall;
        set_placements();
    }

    /// What a GPU has for itself has to be in its output too. Nothing needs to be said of it where nothing
    /// is done to it but to copy it there once.
    bool own_is_plain() const
    {
        const bool is_alltoall = program_.kind == ChunkedKind::alltoall;
        for (std::uint32_t gpu = 0; gpu < processors(); ++gpu) {
            const PlaceId input = place_in('i', is_alltoall ? gpu * program_.parts : 0, gpu);
            const PlaceId output = place_in('o', gpu * program_.parts, gpu);
            struct Uses {
                std::uint32_t stores_to_input = 0, stores_to_output = 0, copies = 0, reads = 0;
            };
            std::vector<Uses> uses(program_.parts);
            const auto count = [&](PlaceId first, PlaceId place, std::uint32_t Uses::*what) {
                if (place >= first && place < first + program_.parts)
                    ++(uses[place - first].*what);
            };
            for (const MscclBlock& block : program_.gpus[gpu].blocks)
                for (const MscclStep& step : block.steps)
                    for (std::uint32_t c = 0; step.kind != nullptr && c < step.count; ++c) {
                        const PlaceId from = place_of(step.source, gpu) + c;
                        const PlaceId to = place_of(step.destination, gpu) + c;
                        if (step.kind->reads_source) {
                            count(input, from, &Uses::reads);
                            if (output != input)
                                count(output, from, &Uses::reads);
                        }
                        if (step.kind->stores) {
                            count(input, to, &Uses::stores_to_input);
                            count(output, to, &Uses::stores_to_output);
                        }
                        if (is_plain_copy(step) && from - input == to - output)
                            count(input, from, &Uses::copies);
                    }
            const std::uint32_t once = input == output ? 0 : 1;
            for (const Uses& use : uses)
                if (use.copies != once || use.stores_to_output != once || use.stores_to_input != 0 ||
                    (is_alltoall && use.reads != once))
                    return false;
        }
        return true;
    }

    static bool is_plain_copy(const MscclStep& step)
    {
        return step.kind->reads_source && step.kind->stores && !step.kind->receives &&
               !step.kind->reads_destination;
    }

    void add_own_blocks(ChunkedCollective& collective) const
    {
        for (std::uint32_t gpu = 0; gpu < processors(); ++gpu)
            for (std::uint32_t part = 0; part < program_.parts; ++part) {
                ChunkId chunk = gpu * program_.parts + part;
                if (program_.kind == ChunkedKind::alltoall) {
                    chunk = static_cast<ChunkId>(collective.chunks.size());
                    collective.chunks.push_back({1, {gpu}});
                }
                collective.demands.push_back({chunk, gpu, {gpu}});
            }
        std::ranges::stable_sort(collective.demands, {}, [](const ChunkDemand& demand) {
            return std::pair(demand.chunk, demand.receiver);
        });
    }

    /// A chunk's place in its sender's input, and in its receiver's output.
    std::pair<std::uint32_t, std::uint32_t> offsets_of(ChunkId chunk) const
    {
        const std::uint32_t parts = program_.parts, n = processors();
        const std::uint32_t block = chunk / parts, part = chunk % parts;
        switch (program_.kind) {
        case ChunkedKind::allreduce:
            return {chunk, chunk};
        case ChunkedKind::allgather:
            return {part, chunk};
        case ChunkedKind::reduce_scatter:
            return {chunk, part};
        default:
            break;
        }
        if (block >= n * (n - 1)) { // its own
            const std::uint32_t own = chunk - n * (n - 1) * parts;
            return {own, own};
        }
        const std::uint32_t from = block / (n - 1), rest = block % (n - 1);
        return {(rest < from ? rest : rest + 1) * parts + part, from * parts + part};
    }

    void set_placements()
    {
        ChunkedSchedule& schedule = foreign_.schedule;
        for (ChunkId chunk = 0; chunk < schedule.collective.chunks.size(); ++chunk)
            for (const std::uint32_t processor : schedule.collective.chunks[chunk].contributors)
                schedule.inputs.push_back(
                    {processor, chunk, place_in('i', offsets_of(chunk).first, processor)});
        for (const ChunkDemand& demand : schedule.collective.demands)
            schedule.outputs.push_back({demand.receiver, demand.chunk,
                                        place_in('o', offsets_of(demand.chunk).second, demand.receiver)});
    }

    // Steps.

    /// Carries out the next chunk, or ends a step that has none left; false if it has to wait, or has ended.
    bool advance(std::uint32_t gpu, std::uint32_t block_id)
    {
        const MscclBlock& block = program_.gpus[gpu].blocks[block_id];
        BlockProgress& progress = progress_[gpu][block_id];
        if (progress.step == block.steps.size())
            return false;
        const MscclStep& step = block.steps[progress.step];
        if (progress.chunk == 0 && !wait(gpu, progress, step))
            return false;
        if (step.kind != nullptr && progress.chunk < step.count) {
            if ((step.kind->receives && under_way_[connection_from(block, gpu)].empty()) ||
                (step.kind->sends && is_full(block, gpu)))
                return false;
            if (progress.chunk == 0)
                require_apart(step, gpu);
            carry_out(gpu, block, progress, step);
            ++progress.chunk;
            return true;
        }
        if (step.kind != nullptr && step.sets_flag)
            progress.flags.emplace_back(step.number, progress.before);
        progress.chunk = 0;
        ++progress.step;
        return true;
    }

    /// For its flag: one of that number, or of any later step.
    bool wait(std::uint32_t gpu, BlockProgress& progress, const MscclStep& step)
    {
        if (!step.waits_for)
            return true;
        const auto& flags = progress_[gpu][step.waits_for->first].flags;
        const auto set = std::ranges::find_if(
            flags, [&](const auto& flag) { return flag.first >= step.waits_for->second; });
        if (set == flags.end())
            return false;
        for (const std::uint32_t transfer : set->second)
            if (std::ranges::find(progress.before, transfer) == progress.before.end())
                progress.before.push_back(transfer);
        return true;
    }

    using Connection = std::array<std::uint32_t, 3>; ///< source, destination, channel

    static Connection connection_from(const MscclBlock& block, std::uint32_t gpu)
    {
        return {static_cast<std::uint32_t>(block.receive), gpu, block.channel};
    }
    static Connection connection_to(const MscclBlock& block, std::uint32_t gpu)
    {
        return {gpu, static_cast<std::uint32_t>(block.send), block.channel};
    }

    bool is_full(const MscclBlock& block, std::uint32_t gpu)
    {
        return under_way_[connection_to(block, gpu)].size() >= program_.chunks_ahead;
    }

    /// Executors take several chunks at once if they are small.
    void require_apart(const MscclStep& step, std::uint32_t gpu) const
    {
        if (!step.kind->reads_source || !step.kind->stores)
            return;
        const PlaceId from = place_of(step.source, gpu), to = place_of(step.destination, gpu);
        if (from != to && std::max(from, to) - std::min(from, to) < step.count)
            step.place.fail("it overwrites what it reads: source and destination overlap");
    }

    void carry_out(std::uint32_t gpu, const MscclBlock& block, BlockProgress& progress, const MscclStep& step)
    {
        const MscclStepKind& kind = *step.kind;
        const PlaceId from = place_of(step.source, gpu) + progress.chunk;
        const PlaceId to = place_of(step.destination, gpu) + progress.chunk;
        const auto local = [&](PlaceId source, PlaceId destination, ChunkOperation operation) {
            const std::uint32_t id = add({.source = gpu,
                                          .destination = gpu,
                                          .from = source,
                                          .to = destination,
                                          .operation = operation,
                                          .after = std::move(progress.before)},
                                         step);
            progress.before.assign(1, id);
        };
        if (is_plain_copy(step)) {
            if (!skips_own_ || !is_own_block(gpu, from))
                local(from, to, ChunkOperation::copy);
            return;
        }
        PlaceId result = next_place_++;
        if (kind.receives) {
            const std::uint32_t came = receive(gpu, block, step, progress.chunk, result);
            progress.before.push_back(came);
        }
        if (kind.reads_source) {
            const PlaceId sum = kind.receives ? next_place_++ : result;
            local(kind.reads_destination ? to : from, sum, ChunkOperation::copy);
            if (kind.reads_destination || kind.receives)
                local(kind.reads_destination ? from : result, sum, ChunkOperation::add);
            result = sum;
        }
        if (kind.stores)
            local(result, to, ChunkOperation::copy);
        if (kind.sends)
            under_way_[connection_to(block, gpu)].push_back(
                {result, progress.before.front(), &step, progress.chunk});
    }

    bool is_own_block(std::uint32_t gpu, PlaceId place) const
    {
        const PlaceId own = place_in('i', gpu * program_.parts, gpu);
        return place >= own && place < own + program_.parts;
    }

    /// Over the wire to a place of its own, however far the receiver is.
    std::uint32_t receive(std::uint32_t gpu, const MscclBlock& block, const MscclStep& step,
                          std::uint32_t number, PlaceId to)
    {
        auto& queue = under_way_[connection_from(block, gpu)];
        const SentChunk sent = queue.front();
        queue.pop_front();
        if (sent.number != number || sent.step->count != step.count)
            step.place.fail(fmt::format("it receives {} chunks at once of what is sent {} at once in {}",
                                        step.count, sent.step->count, sent.step->place.line()));
        const auto source = static_cast<NodeId>(block.receive);
        if (step.turn)
            turns_.emplace_back(*step.turn, foreign_.schedule.transfers.size());
        ++received_;
        return add({.source = source,
                    .destination = gpu,
                    .from = sent.place,
                    .to = to,
                    .path = step.path ? *step.path : paths_.between(source, gpu),
                    .after = {sent.staged_by}},
                   step);
    }

    std::uint32_t add(ChunkTransfer transfer, const MscclStep& step)
    {
        foreign_.schedule.transfers.push_back(std::move(transfer));
        foreign_.places.push_back(step.place.line());
        return static_cast<std::uint32_t>(foreign_.schedule.transfers.size() - 1);
    }

    // The end.

    /// Lists the transfers as links have carried them, if the file says so of all of them and none then waits
    /// for itself.
    bool take_turns()
    {
        if (turns_.empty() || turns_.size() < received_)
            return false;
        std::ranges::sort(turns_);
        std::vector<std::uint32_t> order;
        for (const auto& [turn, transfer] : turns_)
            order.push_back(transfer);
        for (std::uint32_t id = 0; id < foreign_.places.size(); ++id)
            if (foreign_.schedule.transfers[id].path.empty())
                order.push_back(id);
        if (order.size() != foreign_.places.size()) // something has no path
            return false;
        ChunkedSchedule listed = in_order(foreign_.schedule, order);
        const std::vector<std::uint32_t> executed = order_of_transfers(listed, network_);
        if (executed.size() < order.size())
            return false;
        foreign_.schedule = in_order(listed, executed);
        std::vector<std::string> places;
        for (const std::uint32_t id : executed)
            places.push_back(std::move(foreign_.places[order[id]]));
        foreign_.places = std::move(places);
        return true;
    }

    void require_end()
    {
        const MscclStep* stuck = nullptr;
        std::string reason;
        for (std::uint32_t gpu = 0; gpu < progress_.size(); ++gpu)
            for (std::uint32_t block = 0; block < progress_[gpu].size(); ++block) {
                const auto& steps = program_.gpus[gpu].blocks[block].steps;
                const std::size_t at = progress_[gpu][block].step;
                if (at == steps.size() || all_nops(steps, at))
                    continue;
                const MscclStep& step = steps[at];
                if (step.waits_for && !is_ever_set(gpu, *step.waits_for))
                    step.place.fail(
                        fmt::format("the step waits for ever: for step {} of thread block {}, which "
                                    "sets no flag, nor does one behind it (hasdep=\"0\")",
                                    step.waits_for->second, step.waits_for->first));
                if (stuck != nullptr)
                    continue;
                stuck = &step;
                const MscclBlock& of = program_.gpus[gpu].blocks[block];
                if (step.kind != nullptr && step.kind->sends && is_full(of, gpu))
                    reason = fmt::format("{} chunks that GPU {} has not received fill the connection",
                                         program_.chunks_ahead, of.send);
                else
                    reason = "for a dependency, or for a send that does not come";
            }
        if (stuck != nullptr)
            stuck->place.fail(fmt::format("the step waits for ever: {}", reason));
        for (const auto& [connection, sent] : under_way_)
            if (!sent.empty())
                sent.front().step->place.fail("nobody receives what is sent");
    }

    /// Executors leave the waits of nops behind the last step out.
    static bool all_nops(const std::vector<MscclStep>& steps, std::size_t from)
    {
        return std::all_of(steps.begin() + static_cast<std::ptrdiff_t>(from), steps.end(),
                           [](const MscclStep& step) { return step.kind == nullptr; });
    }

    bool is_ever_set(std::uint32_t gpu, std::pair<std::uint32_t, std::uint32_t> flag) const
    {
        return std::ranges::any_of(program_.gpus[gpu].blocks[flag.first].steps, [&](const MscclStep& step) {
            return step.kind != nullptr && step.sets_flag && step.number >= flag.second;
        });
    }

    const MscclProgram& program_;
    const LinkNetwork& network_;
    bool in_place_;
    bool skips_own_ = false;                           ///< own blocks are no chunks
    PlaceId first_buffer_ = 0;                         ///< behind the places of chunks
    PlaceId next_place_ = 0;                           ///< of no buffer
    std::vector<std::vector<BlockProgress>> progress_; ///< by GPU
    std::map<Connection, std::deque<SentChunk>> under_way_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> turns_; ///< of transfers that say it, and which
    std::size_t received_ = 0;
    ProcessorPaths paths_{network_};
    ForeignSchedule foreign_;
};

} // namespace

bool is_msccl_xml(std::string_view text)
{
    return is_xml_of(text, "algo");
}

ForeignSchedule read_msccl_xml(std::string_view text, std::string_view origin, const LinkNetwork& network)
{
    const XmlFile file(text, origin);
    const MscclProgram program =
        read_msccl_program(file.root("algo"), network.processor_count(), network.name());
    ForeignSchedule foreign = ProgramRun(program, network, !program.is_out_of_place).run();
    foreign.violations = program.violations;
    if (program.is_in_place && program.is_out_of_place) {
        const ForeignSchedule in_place = ProgramRun(program, network, true).run();
        for (ChunkViolation& violation : validate(in_place.schedule, network)) {
            const std::string place =
                violation.transfer ? fmt::format("{}, ", in_place.places[*violation.transfer]) : "";
            foreign.violations.push_back({.rule = violation.rule,
                                          .transfer = std::nullopt,
                                          .text = fmt::format("{}in place: {}", place, violation.text)});
        }
    }
    return foreign;
}

} // namespace nocturne
