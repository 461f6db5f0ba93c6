#include "schedules/formats/msccl_places.hpp"
#include "schedules/formats/tool_formats.hpp"
#include "schedules/schedule/start_order.hpp"
#include "schedules/schedule/transfer_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>

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
        : program_(program), network_(network), places_(program, in_place)
    {
        Schedule& schedule = foreign_.schedule;
        schedule = empty_schedule(program.name, network.name(), {}, ScheduleSynchronization::dependencies);
        schedule.source = "MSCCL XML";
        places_.set(schedule);
        next_place_ = places_.end();
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
        judge_end();
        foreign_.order_is_open = !take_turns();
        foreign_.chosen_paths = paths_.chosen();
        return std::move(foreign_);
    }

private:
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
                (step.kind->sends && progress.chunk % program_.chunks_a_send == 0 && is_full(block, gpu)))
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
        const auto ends_send = [&](const SentChunk& chunk) {
            return (chunk.number + 1) % program_.chunks_a_send == 0 || chunk.number + 1 == chunk.step->count;
        };
        return std::ranges::count_if(under_way_[connection_to(block, gpu)], ends_send) >=
               static_cast<std::ptrdiff_t>(program_.sends_ahead);
    }

    /// Executors take several chunks at once if they are small.
    void require_apart(const MscclStep& step, std::uint32_t gpu) const
    {
        if (!step.kind->reads_source || !step.kind->stores)
            return;
        const PlaceId from = places_.of(step.source, gpu), to = places_.of(step.destination, gpu);
        if (from != to && std::max(from, to) - std::min(from, to) < step.count)
            step.place.fail("it overwrites what it reads: source and destination overlap");
    }

    void carry_out(std::uint32_t gpu, const MscclBlock& block, BlockProgress& progress, const MscclStep& step)
    {
        const MscclStepKind& kind = *step.kind;
        const PlaceId from = places_.of(step.source, gpu) + progress.chunk;
        const PlaceId to = places_.of(step.destination, gpu) + progress.chunk;
        const auto local = [&](PlaceId source, PlaceId destination, Operation operation) {
            const std::uint32_t id =
                add({{source, destination}, gpu, gpu, Path{}, operation}, progress.before, step);
            progress.before.assign(1, id);
        };
        if (is_plain_copy(*step.kind)) {
            if (!places_.is_skipped(gpu, from))
                local(from, to, Operation::copy);
            return;
        }
        PlaceId result = next_place_++;
        if (kind.receives) {
            const std::uint32_t came = receive(gpu, block, step, progress.chunk, result);
            progress.before.push_back(came);
        }
        if (kind.reads_source) {
            const PlaceId sum = kind.receives ? next_place_++ : result;
            local(kind.reads_destination ? to : from, sum, Operation::copy);
            if (kind.reads_destination || kind.receives)
                local(kind.reads_destination ? from : result, sum, Operation::add);
            result = sum;
        }
        if (kind.stores)
            local(result, to, Operation::copy);
        if (kind.sends)
            under_way_[connection_to(block, gpu)].push_back(
                {result, progress.before.front(), &step, progress.chunk});
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
            turns_.emplace_back(*step.turn, foreign_.places.size());
        ++received_;
        return add({{sent.place, to}, source, gpu, step.path ? *step.path : paths_.between(source, gpu)},
                   {sent.staged_by}, step);
    }

    std::uint32_t add(Transfer transfer, const std::vector<std::uint32_t>& after, const MscclStep& step)
    {
        foreign_.places.push_back(step.place.line());
        return append_transfer(foreign_.schedule, std::move(transfer), after);
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
            if (foreign_.schedule.steps.front()[id].links().empty())
                order.push_back(id);
        if (order.size() != foreign_.places.size()) // something has no path
            return false;
        Schedule listed = in_order(foreign_.schedule, order);
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

    /// What has not come to its end: the first step that waits for ever, or the first that nobody receives.
    void judge_end()
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
                if (step.waits_for && !is_ever_set(gpu, *step.waits_for)) {
                    refuse(step, fmt::format(
                                     "the step waits for ever: for step {} of thread block {}, which sets no "
                                     "flag, nor does one behind it (hasdep=\"0\")",
                                     step.waits_for->second, step.waits_for->first));
                    return;
                }
                if (stuck != nullptr)
                    continue;
                stuck = &step;
                const MscclBlock& of = program_.gpus[gpu].blocks[block];
                if (step.kind != nullptr && step.kind->sends && is_full(of, gpu))
                    reason = fmt::format("{} sends that GPU {} has not received fill the connection{}",
                                         program_.sends_ahead, of.send,
                                         step.count > program_.chunks_a_send
                                             ? fmt::format("; {} of {} chunks are sent at once if they are "
                                                           "large",
                                                           program_.chunks_a_send, step.count)
                                             : "");
                else
                    reason = "for a dependency, or for a send that does not come";
            }
        if (stuck != nullptr) {
            refuse(*stuck, fmt::format("the step waits for ever: {}", reason));
            return;
        }
        for (const auto& [connection, sent] : under_way_)
            if (!sent.empty()) {
                refuse(*sent.front().step, "the message is sent but never received");
                return;
            }
    }

    void refuse(const MscclStep& step, std::string_view reason)
    {
        foreign_.violations.push_back(
            {.rule = Rule::circular_wait, .text = fmt::format("{}: {}", step.place.line(), reason)});
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
    MscclPlaces places_;
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
    foreign.violations.insert(foreign.violations.end(), program.violations.begin(), program.violations.end());
    if (program.is_in_place && program.is_out_of_place) {
        const ForeignSchedule in_place = ProgramRun(program, network, true).run();
        for (Violation& violation : validate(in_place.schedule, network)) {
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
