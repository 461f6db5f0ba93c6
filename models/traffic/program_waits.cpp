#include "models/traffic/program_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace nocturne {

namespace {

using Operation = RankPrograms::Operation;
using RankOperationKind = RankPrograms::Kind;

/// The messages of a key, from where a run is.
struct Queue {
    std::uint64_t sent = 0;
    std::vector<std::uint32_t> receives = {}; ///< that have begun, in their order
    std::size_t taken = 0;                    ///< by the first ones of them; the others wait
};

/// What all runs have in common.
struct Waits {
    Waits(const RankPrograms& programs, BeginOrder& order, const MessagesByKey& messages)
        : operations(programs.operations), after(operations.size()), after_start(operations.size()),
          queue_of(operations.size()), later(operations.size())
    {
        for (std::uint32_t id = 0; id < operations.size(); ++id) {
            for (const std::uint32_t before : operations[id].after)
                after[before].push_back(id);
            for (const std::uint32_t before : operations[id].after_start)
                after_start[before].push_back(id);
        }
        std::uint64_t budget = most_steps;
        for (const auto& [key, of_key] : messages) {
            const auto& [sends, receives, has_ordered_sends, has_ordered_receives] = of_key;
            for (const auto* const ends : {&sends, &receives})
                for (const std::uint32_t id : *ends)
                    queue_of[id] = static_cast<std::uint32_t>(sends_of.size());
            for (std::uint32_t i = 0; i < receives.size(); ++i)
                later[receives[i]] = has_ordered_receives
                                         ? static_cast<std::uint32_t>(receives.size() - 1 - i)
                                         : order.count_later(receives[i], receives, budget);
            sends_of.push_back(&sends);
            receives_of.push_back(receives.size());
        }
    }

    static constexpr std::uint64_t most_steps = 50'000'000;

    const std::vector<Operation>& operations;
    std::vector<std::vector<std::uint32_t>> after, after_start; ///< by operation: those that are after it
    std::vector<std::uint32_t> queue_of;                        ///< by send or receive
    std::vector<std::uint32_t> later; ///< by receive: those of its key that begin after it in every order
    std::vector<const std::vector<std::uint32_t>*> sends_of; ///< by queue
    std::vector<std::uint64_t> receives_of;
};

/// How far the programs are. Only the order in which receives of a key begin decides what comes of it: all
/// that changes no such order is done at once.
class ProgramRun {
public:
    explicit ProgramRun(const Waits& waits)
        : waits_(&waits), missing_(waits.operations.size()), has_begun_(missing_.size()),
          is_over_(missing_.size()), queues_(waits.sends_of.size())
    {
        for (std::size_t i = 0; i < queues_.size(); ++i) {
            const std::uint64_t sends = waits.sends_of[i]->size(), receives = waits.receives_of[i];
            queues_[i].sent = receives > sends ? receives - sends : 0; // as if those that lack were there
        }
        for (std::uint32_t id = 0; id < missing_.size(); ++id) {
            const Operation& operation = waits.operations[id];
            missing_[id] = static_cast<std::uint32_t>(operation.after.size() + operation.after_start.size());
            if (missing_[id] == 0)
                ready_.push_back(id);
        }
    }

    /// Until nothing is left but to choose one of choices(), if there are any.
    void go_on()
    {
        for (bool goes_on = true; goes_on;) {
            begin_ready();
            std::vector<std::uint32_t> open;
            open.swap(choices_);
            for (const std::uint32_t id : open)
                take(id);
            goes_on = choices_.size() < open.size();
        }
    }

    /// Receives that could begin; another one of the key could, too, or could before it does.
    const std::vector<std::uint32_t>& choices() const { return choices_; }
    void choose(std::uint32_t receive)
    {
        std::erase(choices_, receive);
        chosen_.push_back(receive);
        post(receive);
    }
    const std::vector<std::uint32_t>& chosen() const { return chosen_; }

    bool is_over(std::uint32_t id) const { return is_over_[id]; }
    bool is_complete() const { return std::ranges::find(is_over_, false) == is_over_.end(); }

    /// What decides how it goes on.
    std::pair<std::vector<bool>, std::vector<std::uint32_t>> state() const
    {
        std::vector<std::uint32_t> pending;
        for (const Queue& queue : queues_)
            pending.insert(pending.end(), queue.receives.begin() + static_cast<std::ptrdiff_t>(queue.taken),
                           queue.receives.end());
        return {has_begun_, std::move(pending)};
    }

    /// What an operation waits for that never is over, where nothing goes on.
    std::uint32_t awaited(std::uint32_t id) const
    {
        const Operation& operation = waits_->operations[id];
        const auto first = [](const std::vector<std::uint32_t>& of, const std::vector<bool>& is_done) {
            return std::ranges::find_if(of, [&](std::uint32_t before) { return !is_done[before]; });
        };
        if (has_begun_[id])
            return *first(*waits_->sends_of[waits_->queue_of[id]], has_begun_);
        const auto before = first(operation.after, is_over_);
        return before != operation.after.end() ? *before : *first(operation.after_start, has_begun_);
    }

private:
    void begin_ready()
    {
        while (!ready_.empty()) {
            const std::uint32_t id = ready_.back();
            ready_.pop_back();
            if (waits_->operations[id].kind == RankOperationKind::receive)
                take(id);
            else
                begin(id);
        }
    }

    void begin(std::uint32_t id)
    {
        has_begun_[id] = true;
        release(waits_->after_start[id]);
        end(id);
        if (waits_->operations[id].kind == RankOperationKind::send) {
            ++queues_[waits_->queue_of[id]].sent;
            match(queues_[waits_->queue_of[id]]);
        }
    }

    /// A receive could begin. It does if it is the next one of its key in any case, or if there is a message
    /// for it whichever of the others begin before it: then to begin leaves the fewest messages for those.
    void take(std::uint32_t id)
    {
        const Queue& queue = queues_[waits_->queue_of[id]];
        const std::uint64_t not_later = waits_->receives_of[waits_->queue_of[id]] - waits_->later[id];
        const bool is_next = queue.receives.size() + 1 == not_later;
        const bool is_served = queue.sent >= not_later;
        if (is_next || is_served)
            post(id);
        else
            choices_.push_back(id);
    }

    void post(std::uint32_t id)
    {
        Queue& queue = queues_[waits_->queue_of[id]];
        has_begun_[id] = true;
        queue.receives.push_back(id);
        release(waits_->after_start[id]);
        match(queue);
    }

    void match(Queue& queue)
    {
        while (queue.taken < queue.sent && queue.taken < queue.receives.size())
            end(queue.receives[queue.taken++]);
    }

    void end(std::uint32_t id)
    {
        is_over_[id] = true;
        release(waits_->after[id]);
    }

    void release(const std::vector<std::uint32_t>& followers)
    {
        for (const std::uint32_t follower : followers)
            if (--missing_[follower] == 0)
                ready_.push_back(follower);
    }

    const Waits* waits_;
    std::vector<std::uint32_t> missing_; ///< by operation: how many it waits for
    std::vector<bool> has_begun_, is_over_;
    std::vector<Queue> queues_;
    std::vector<std::uint32_t> ready_, choices_, chosen_;
};

class WaitJudge {
public:
    WaitJudge(const RankPrograms& programs, std::vector<ProgramDefect>& defects)
        : programs_(programs), operations_(programs.operations), defects_(defects)
    {
    }

    /// The run has come to an end without all operations.
    void report_cycles(const ProgramRun& run)
    {
        std::vector<std::uint32_t> walk_of(operations_.size()); // the number of the walk that came by
        std::uint32_t walk = 0;
        for (std::uint32_t start = 0; start < operations_.size(); ++start) {
            ++walk;
            std::uint32_t at = start;
            for (; !run.is_over(at) && walk_of[at] == 0; at = run.awaited(at))
                walk_of[at] = walk;
            if (!run.is_over(at) && walk_of[at] == walk)
                report_cycle(run, at);
        }
    }

    void report_open(const ProgramRun& run)
    {
        const std::uint32_t id = run.choices().front();
        const Operation& receive = operations_[id];
        defects_.push_back(
            {ProgramRule::mismatched_message, receive.rank, receive.line,
             fmt::format(
                 "rank {} receives the messages with tag {} from rank {} in no order, and whether every "
                 "operation ends may depend on it: not decided, there are too many orders",
                 receive.rank, receive.tag, receive.peer)});
    }

private:
    static constexpr std::size_t most_named = 16;

    std::string in_words(std::uint32_t id) const
    {
        const Operation& operation = operations_[id];
        const std::string where =
            fmt::format("rank {} {} {}", operation.rank, line_word(programs_), operation.line);
        switch (operation.kind) {
        case RankOperationKind::send:
            return fmt::format("{} (send to {}, tag {})", where, operation.peer, operation.tag);
        case RankOperationKind::receive:
            return fmt::format("{} (receive from {}, tag {})", where, operation.peer, operation.tag);
        case RankOperationKind::compute:
            break;
        }
        return where + " (computation)";
    }

    void report_cycle(const ProgramRun& run, std::uint32_t first)
    {
        std::string text;
        for (std::size_t i = 0; i < run.chosen().size() && i < most_named; ++i)
            text += (i == 0 ? "if the order is " : ", ") + in_words(run.chosen()[i]);
        if (!text.empty())
            text += run.chosen().size() > most_named ? ", ...: " : ": ";
        text += in_words(first);
        std::size_t length = 1;
        for (std::uint32_t at = run.awaited(first); at != first; at = run.awaited(at), ++length)
            if (length < most_named)
                text += fmt::format("{}waits for {}", length == 1 ? " " : ", which ", in_words(at));
        if (length > most_named)
            text += fmt::format(", and so on over {} more", length - most_named);
        text += length == 1 ? " waits for itself" : ", which waits for the first";
        defects_.push_back(
            {ProgramRule::circular_wait, operations_[first].rank, operations_[first].line, std::move(text)});
    }

    const RankPrograms& programs_;
    const std::vector<Operation>& operations_;
    std::vector<ProgramDefect>& defects_;
};

} // namespace

void judge_waits(const RankPrograms& programs, BeginOrder& order, const MessagesByKey& messages,
                 std::vector<ProgramDefect>& defects)
{
    const Waits waits(programs, order, messages);
    std::uint64_t budget = Waits::most_steps;
    std::vector<ProgramRun> runs{ProgramRun(waits)};
    std::set<decltype(runs.front().state())> seen;
    while (!runs.empty()) {
        ProgramRun run = std::move(runs.back());
        runs.pop_back();
        run.go_on();
        if (run.choices().empty() && !run.is_complete())
            return WaitJudge(programs, defects).report_cycles(run);
        for (const std::uint32_t receive : run.choices()) {
            if (budget < programs.operations.size())
                return WaitJudge(programs, defects).report_open(run);
            budget -= programs.operations.size();
            ProgramRun next = run;
            next.choose(receive);
            if (seen.insert(next.state()).second)
                runs.push_back(std::move(next));
        }
    }
}

} // namespace nocturne
