#include "schedules/formats/msccl_places.hpp"
#include "schedules/formats/mscclpp_plan.hpp"
#include "schedules/formats/tool_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace nocturne {

namespace {

using Transfers = std::vector<std::uint32_t>;
using ActionKind = PlanAction::Kind;

/// How far a thread block is, and what its threads know of each other.
struct PlanProgress {
    std::size_t step = 0;
    Transfers settled = {};             ///< over for all threads: since they have last waited for each other
    Transfers recent = {};              ///< what each thread has done its part of since then
    Transfers acquired = {};            ///< what some thread has waited for since then
    Transfers posted = {};              ///< over ports, whose source is still read
    std::set<std::uint32_t> begun = {}; ///< GPUs whose kernels have begun, as far as all threads know
    std::set<std::uint32_t> seen = {};  ///< the same, as far as some thread does
};

/// What a signal, or a token of a semaphore, says.
struct PlanMessage {
    Transfers over;
    std::set<std::uint32_t> begun;
};

/// Turns a plan into transfers. Threads of a block go through its operations each on its own, so that only
/// `nop` and barriers order what they do; signals speak for what was over when all had last waited for each
/// other.
class PlanRun {
public:
    PlanRun(const MscclppPlan& plan, const LinkNetwork& network)
        : plan_(plan), network_(network), places_(plan.program, plan.program.is_in_place)
    {
        foreign_.schedule =
            empty_schedule(plan.program.name, network.name(), {}, ScheduleSynchronization::dependencies);
        foreign_.schedule.source = "MSCCL++ JSON";
        foreign_.order_is_open = true;
        places_.set(foreign_.schedule);
        next_place_ = places_.end();
        for (std::uint32_t gpu = 0; gpu < plan.ranks.size(); ++gpu) {
            const PlanRank& rank = plan.ranks[gpu];
            progress_.emplace_back(rank.blocks.size());
            for (PlanProgress& progress : progress_.back())
                progress.begun = progress.seen = {gpu};
            tokens_.emplace_back(rank.semaphores.size());
            for (std::size_t it = 0; it < rank.semaphores.size(); ++it)
                tokens_.back()[it].resize(rank.semaphores[it]);
        }
    }

    ForeignSchedule run()
    {
        for (bool goes_on = true; goes_on;) {
            goes_on = false;
            for (std::uint32_t gpu = 0; gpu < progress_.size(); ++gpu)
                for (std::uint32_t block = 0; block < progress_[gpu].size(); ++block)
                    while (advance(gpu, block))
                        goes_on = true;
        }
        if (!has_stuck())
            judge_end();
        foreign_.chosen_paths = paths_.chosen();
        foreign_.violations.insert(foreign_.violations.end(), plan_.violations.begin(),
                                   plan_.violations.end());
        return std::move(foreign_);
    }

private:
    /// Where a place of a buffer is held.
    struct HeldPlace {
        std::uint32_t gpu;
        PlaceId place;

        friend auto operator<=>(const HeldPlace&, const HeldPlace&) = default;
    };

    static std::string name_of(std::uint32_t gpu, std::uint32_t block, std::size_t step)
    {
        return fmt::format("GPU {}, thread block {}, operation {}", gpu, block, step);
    }

    static void add_new(Transfers& all, const Transfers& more)
    {
        for (const std::uint32_t transfer : more)
            if (std::ranges::find(all, transfer) == all.end())
                all.push_back(transfer);
    }

    /// All threads have waited for each other: what one has done or seen, all may rely on.
    static void settle(PlanProgress& progress)
    {
        if (!progress.recent.empty()) // which waited for all that was settled before
            progress.settled.clear();
        add_new(progress.settled, progress.recent);
        add_new(progress.settled, progress.acquired);
        progress.begun = progress.seen;
        progress.recent.clear();
        progress.acquired.clear();
    }

    /// Carries out the next operation; false if it has to wait, or there is none.
    bool advance(std::uint32_t gpu, std::uint32_t block)
    {
        const std::vector<PlanStep>& steps = plan_.ranks[gpu].blocks[block].steps;
        PlanProgress& progress = progress_[gpu][block];
        if (progress.step == steps.size())
            return false;
        const PlanStep& step = steps[progress.step];
        switch (step.action->kind) {
        case ActionKind::none:
            settle(progress);
            break;
        case ActionKind::barrier:
            return pass_barrier(gpu, step);
        case ActionKind::signal:
            for (const std::uint32_t channel : step.ids)
                send_signal(gpu, step, channel, progress, step.is_over_port ? progress.posted : Transfers{});
            break;
        case ActionKind::wait:
            if (!receive(step.ids, progress,
                         [&](std::uint32_t id) -> auto& { return signals_[{gpu, step.is_over_port, id}]; }))
                return false;
            break;
        case ActionKind::flush:
            add_new(progress.recent, std::exchange(progress.posted, {}));
            break;
        case ActionKind::acquire:
            if (!receive(step.ids, progress, [&](std::uint32_t id) -> auto& { return tokens_[gpu][id]; }))
                return false;
            break;
        case ActionKind::release:
            for (const std::uint32_t semaphore : step.ids)
                tokens_[gpu][semaphore].push_back({progress.settled, progress.begun});
            break;
        case ActionKind::put:
        case ActionKind::get:
        case ActionKind::reduce:
            if (!has_packets(step))
                return false;
            at_ = name_of(gpu, block, progress.step);
            if (step.action->kind == ActionKind::reduce)
                reduce(gpu, step, progress);
            else
                move(gpu, step, progress);
            break;
        }
        ++progress.step;
        return true;
    }

    template <class QueueOf>
    static bool receive(const std::vector<std::uint32_t>& ids, PlanProgress& progress,
                        const QueueOf& queue_of)
    {
        for (const std::uint32_t id : ids)
            if (queue_of(id).empty())
                return false;
        for (const std::uint32_t id : ids) {
            add_new(progress.acquired, queue_of(id).front().over);
            progress.seen.insert(queue_of(id).front().begun.begin(), queue_of(id).front().begun.end());
            queue_of(id).pop_front();
        }
        return true;
    }

    void send_signal(std::uint32_t gpu, const PlanStep& step, std::uint32_t channel,
                     const PlanProgress& progress, const Transfers& more)
    {
        const PlanChannel& end = plan_.ranks[gpu].channels[step.is_over_port ? 1 : 0][channel];
        if (!end.at_peer)
            return; // nobody there waits for it
        PlanMessage message{progress.settled, progress.begun};
        add_new(message.over, more);
        signals_[{end.peer, step.is_over_port, *end.at_peer}].push_back(std::move(message));
    }

    /// As soon as all blocks of the barrier are there.
    bool pass_barrier(std::uint32_t gpu, const PlanStep& step)
    {
        std::vector<PlanProgress*> there;
        for (std::uint32_t other = 0; other < progress_[gpu].size(); ++other) {
            const auto& steps = plan_.ranks[gpu].blocks[other].steps;
            PlanProgress& progress = progress_[gpu][other];
            if (progress.step < steps.size() && steps[progress.step].action->kind == ActionKind::barrier &&
                steps[progress.step].barrier == step.barrier)
                there.push_back(&progress);
        }
        if (there.size() < step.blocks)
            return false;
        PlanMessage all;
        for (PlanProgress* const progress : there) {
            settle(*progress);
            add_new(all.over, progress->settled);
            all.begun.insert(progress->begun.begin(), progress->begun.end());
        }
        for (PlanProgress* const progress : there) {
            progress->settled = all.over;
            progress->begun = progress->seen = all.begun;
            ++progress->step;
        }
        return true;
    }

    HeldPlace held(const PlanPlaces& places, std::uint32_t number) const
    {
        return {places.gpu, places_.in(places.buffer, places.first + number, places.gpu)};
    }

    /// Have all packets come that it reads?
    bool has_packets(const PlanStep& step) const
    {
        if (!step.action->reads_packets)
            return true;
        for (std::size_t it = first_packet(step); it < step.sources.size(); ++it)
            for (std::uint32_t c = 0; c < step.sources[it].count; ++c)
                if (!packets_.contains(held(step.sources[it], c)))
                    return false;
        return true;
    }

    /// The only source is one of packets; of several the first is data.
    static std::size_t first_packet(const PlanStep& step)
    {
        return step.sources.size() > 1 && step.action->kind == ActionKind::reduce ? 1 : 0;
    }

    void move(std::uint32_t gpu, const PlanStep& step, PlanProgress& progress)
    {
        for (std::size_t it = 0; it < step.destinations.size(); ++it) {
            Transfers sent;
            const PlanPlaces& source = step.sources[step.action->reads_packets ? 0 : it];
            for (std::uint32_t c = 0; c < source.count; ++c) {
                const HeldPlace from = held(source, c), to = held(step.destinations[it], c);
                Transfers after = progress.settled;
                if (step.action->reads_packets)
                    add_new(after, {packets_.at(from)});
                const std::uint32_t id = carry(gpu, from, to, Operation::copy, after, step, progress);
                if (step.action->sends_packets)
                    packets_[to] = id;
                sent.push_back(id);
            }
            if (step.action->signals)
                send_signal(gpu, step, step.ids[it], progress, sent);
            add_new(step.is_over_port && step.action->name != "pwsf" ? progress.posted : progress.recent,
                    sent);
        }
    }

    /// Loads, adds and stores: what it adds is in a place of its own meanwhile.
    void reduce(std::uint32_t gpu, const PlanStep& step, PlanProgress& progress)
    {
        for (std::uint32_t c = 0; c < step.sources.front().count; ++c) {
            const HeldPlace sum{gpu, next_place_++};
            Transfers before;
            for (std::size_t it = 0; it < step.sources.size(); ++it) {
                const HeldPlace from = held(step.sources[it], c);
                Transfers after = before.empty() ? progress.settled : before;
                if (it > 0)
                    add_new(after, progress.settled);
                if (step.action->reads_packets && it >= first_packet(step))
                    add_new(after, {packets_.at(from)});
                before.assign(1, carry(gpu, from, sum, it == 0 ? Operation::copy : Operation::add, after,
                                       step, progress));
            }
            for (std::size_t it = 0; it < step.destinations.size(); ++it) {
                const HeldPlace to = held(step.destinations[it], c);
                const std::uint32_t id = carry(gpu, sum, to, Operation::copy, before, step, progress);
                progress.recent.push_back(id);
                const bool is_packet = to.gpu != gpu ? step.action->sends_packets
                                       : it == 0     ? !step.action->has_data_result
                                                     : step.action->keeps_packets && it == 1;
                if (is_packet)
                    packets_[to] = id;
            }
        }
    }

    std::uint32_t carry(std::uint32_t gpu, HeldPlace from, HeldPlace to, Operation operation,
                        const Transfers& after, const PlanStep& step, const PlanProgress& progress)
    {
        foreign_.places.push_back(at_);
        Path path;
        if (from.gpu != to.gpu)
            path = paths_.between(from.gpu, to.gpu);
        const std::uint32_t id = append_transfer(
            foreign_.schedule, {{from.place, to.place}, from.gpu, to.gpu, std::move(path), operation}, after);
        if (const std::uint32_t other = from.gpu == gpu ? to.gpu : from.gpu;
            other != gpu && !step.action->sends_packets) {
            reaches_.emplace_back(other, id);
            if (!progress.begun.contains(other))
                refuse(Rule::race, fmt::format("{}: it reaches into the memory of GPU {}, whose kernel need "
                                               "not have begun: nothing was waited for that says so",
                                               at_, other));
        }
        return id;
    }

    void refuse(Rule rule, std::string text)
    {
        foreign_.violations.push_back({.rule = rule, .text = std::move(text)});
    }

    /// The first block that waits for ever, if there is one.
    bool has_stuck()
    {
        for (std::uint32_t gpu = 0; gpu < progress_.size(); ++gpu)
            for (std::uint32_t block = 0; block < progress_[gpu].size(); ++block) {
                const auto& steps = plan_.ranks[gpu].blocks[block].steps;
                const std::size_t at = progress_[gpu][block].step;
                if (at == steps.size())
                    continue;
                refuse(Rule::circular_wait,
                       fmt::format("{}: {} waits for ever", name_of(gpu, block, at), steps[at].action->name));
                return true;
            }
        return false;
    }

    /// Signals that nobody waits for would be taken for those of the next call; so would tokens. A kernel
    /// that ends lets go of its memory.
    void judge_end()
    {
        for (const auto& [end, queue] : signals_)
            if (!queue.empty())
                refuse(Rule::executor_limit,
                       fmt::format("GPU {}, channel {}: {} that nobody waits for", std::get<0>(end),
                                   std::get<2>(end), queue.size() == 1 ? "a signal" : "signals"));
        for (std::uint32_t gpu = 0; gpu < tokens_.size(); ++gpu)
            for (std::size_t it = 0; it < tokens_[gpu].size(); ++it)
                if (tokens_[gpu][it].size() != plan_.ranks[gpu].semaphores[it])
                    refuse(Rule::executor_limit,
                           fmt::format("GPU {}, semaphore {}: not as it was at the beginning", gpu, it));
        for (std::uint32_t gpu = 0; gpu < progress_.size(); ++gpu) {
            const std::vector<bool> over = over_at_end(gpu);
            for (const auto& [other, transfer] : reaches_)
                if (other == gpu && !over[transfer]) {
                    refuse(Rule::race, fmt::format("{}: it reaches into the memory of GPU {}, whose kernel "
                                                   "may have ended: it does not wait for this",
                                                   foreign_.places[transfer], gpu));
                    return;
                }
        }
    }

    /// By transfer: is it over when the kernel of the GPU ends?
    std::vector<bool> over_at_end(std::uint32_t gpu) const
    {
        std::vector<bool> over(foreign_.places.size(), false);
        Transfers open;
        for (const PlanProgress& progress : progress_[gpu])
            for (const Transfers* const list : {&progress.settled, &progress.recent, &progress.acquired})
                open.insert(open.end(), list->begin(), list->end());
        while (!open.empty()) {
            const std::uint32_t transfer = open.back();
            open.pop_back();
            if (over[transfer])
                continue;
            over[transfer] = true;
            const auto before = foreign_.schedule.after.of(transfer);
            open.insert(open.end(), before.begin(), before.end());
        }
        return over;
    }

    using SignalEnd = std::tuple<std::uint32_t, bool, std::uint32_t>; ///< GPU, over a port, channel

    const MscclppPlan& plan_;
    const LinkNetwork& network_;
    MscclPlaces places_;
    PlaceId next_place_ = 0;                          ///< of no buffer
    std::vector<std::vector<PlanProgress>> progress_; ///< by GPU
    std::map<SignalEnd, std::deque<PlanMessage>> signals_;
    std::vector<std::vector<std::deque<PlanMessage>>> tokens_;     ///< by GPU and semaphore
    std::map<HeldPlace, std::uint32_t> packets_;                   ///< the transfer that has brought one
    std::vector<std::pair<std::uint32_t, std::uint32_t>> reaches_; ///< into a GPU's memory: transfers
    std::string at_;                                               ///< where the operation is
    ProcessorPaths paths_{network_};
    ForeignSchedule foreign_;
};

} // namespace

ForeignSchedule read_mscclpp_json(std::string_view text, std::string_view origin, const LinkNetwork& network)
{
    return PlanRun(read_mscclpp_plan(text, origin, network.processor_count(), network.name()), network).run();
}

} // namespace nocturne
