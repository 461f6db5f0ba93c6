#include "schedules/evolution/island.hpp"

#include "schedules/evolution/epoch_bytes.hpp"
#include "schedules/evolution/evolution_checkpoint.hpp"
#include "schedules/schedule/empty_schedule.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/search/search_meter.hpp"
#include "schedules/workers/process.hpp"
#include "schedules/workers/team.hpp"
#include "schedules/workers/workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <unistd.h>
#include <utility>

namespace nocturne {
namespace {

using Clock = std::chrono::steady_clock;

/// What the master asks of an island: the first byte of a message.
enum class Request : std::uint8_t {
    advance,          ///< an epoch, with the immigrant that follows
    keep_and_advance, ///< the same, after it has saved itself for `kept`
    kept,             ///< its state before the last epoch
    save,             ///< its state
    load,             ///< the state that follows
};

Bytes message(Request request, std::span<const std::uint8_t> content = {})
{
    Bytes bytes(1 + content.size(), static_cast<std::uint8_t>(request));
    std::copy(content.begin(), content.end(), bytes.begin() + 1);
    return bytes;
}

/// An island as a member of a team. Its answer to an epoch says first whether it got to the end of it.
class IslandMember {
public:
    IslandMember(std::unique_ptr<Island> island, SearchControl control)
        : island_(std::move(island)), control_(std::move(control))
    {
    }

    Bytes answer(std::span<const std::uint8_t> message)
    {
        const auto content = message.subspan(1);
        switch (static_cast<Request>(message.front())) {
        case Request::keep_and_advance:
            kept_ = island_->save();
            [[fallthrough]];
        case Request::advance: {
            const Bytes report = report_to_bytes(island_->advance(content, control_));
            Bytes bytes(1 + report.size(), control_.is_over() ? 0 : 1);
            std::copy(report.begin(), report.end(), bytes.begin() + 1);
            return bytes;
        }
        case Request::kept:
            return kept_;
        case Request::save:
            return island_->save();
        case Request::load:
            island_->load(content);
        }
        return {};
    }

private:
    std::unique_ptr<Island> island_;
    SearchControl control_;
    Bytes kept_;
};

/// One call of evolve_islands().
class Evolution {
public:
    Evolution(const Problem& problem, unsigned steps, const IslandModel& model,
              const EvolutionOptions& options)
        : problem_(problem), steps_(steps), model_(model), options_(options), random_(options.seed),
          seeds_(model.islands), stop_(1)
    {
        for (std::uint64_t& seed : seeds_)
            seed = random_();
        state_ = {.random = random_.state(),
                  .best = std::numeric_limits<std::uint64_t>::max(),
                  .evaluations = std::vector<std::uint64_t>(model.islands),
                  .immigrants = std::vector<SolutionBytes>(model.islands)};
        // Its processes are forks of this one: what they need is there by now.
        team_.emplace(model.islands, options.workers, [this](std::size_t island) { return spawn(island); });
    }

    EvolutionResult run()
    {
        if (has_checkpoint() && std::filesystem::exists(options_.checkpoint))
            resume();
        saved_at_ = Clock::now();
        bool can_go_on = true;
        while (can_go_on && !is_over()) {
            can_go_on = run_epoch();
            constexpr std::chrono::seconds interval{3};
            if (has_checkpoint() && can_go_on && Clock::now() - saved_at_ >= interval)
                save(Request::save, state_);
        }
        if (has_checkpoint() && !can_go_on)
            save(Request::kept, before_);
        else if (has_checkpoint() && is_unsaved_)
            save(Request::save, state_);
        return {schedule_, state_.best, state_.generations, evaluations()};
    }

private:
    bool has_checkpoint() const { return !options_.checkpoint.empty(); }
    EvolutionIdentity identity() const
    {
        return {problem_, model_.engine, model_.parameters, steps_, options_.seed, model_.islands};
    }
    std::uint64_t evaluations() const
    {
        return std::accumulate(state_.evaluations.begin(), state_.evaluations.end(), std::uint64_t{0});
    }
    bool is_stopped() const
    {
        return (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) ||
               (options_.deadline != Clock::time_point::max() && Clock::now() >= options_.deadline);
    }
    bool is_over() const
    {
        return (options_.evaluations != 0 && evaluations() >= options_.evaluations) ||
               (options_.generations != 0 && state_.generations >= options_.generations) || is_stopped();
    }

    /// In the process in which the island will live.
    Team::Member spawn(std::size_t island)
    {
        SearchControl control;
        control.deadline = options_.deadline;
        // Other processes cannot see the flag itself.
        control.stop = getpid() == parent_ ? options_.stop : &stop_[0];
        const auto number = static_cast<std::uint32_t>(island);
        const auto inhabitant =
            std::make_shared<IslandMember>(model_.make(number, seeds_[island]), std::move(control));
        return [inhabitant](std::span<const std::uint8_t> message) { return inhabitant->answer(message); };
    }

    std::vector<Bytes> ask(std::span<const Bytes> messages)
    {
        return team_->round(messages, [this] { stop_[0] = is_stopped(); });
    }

    /// The same of all islands.
    std::vector<Bytes> ask(Request request)
    {
        return ask(std::vector<Bytes>(model_.islands, message(request)));
    }

    /// True at the end of it; false if it was cut short or the problem is solved, so that there is no next
    /// one.
    bool run_epoch()
    {
        if (has_checkpoint())
            before_ = state_;
        is_unsaved_ = true;
        const Request request = has_checkpoint() ? Request::keep_and_advance : Request::advance;
        std::vector<Bytes> messages;
        for (const SolutionBytes& immigrant : state_.immigrants)
            messages.push_back(message(request, immigrant));
        std::vector<EpochReport> reports;
        bool is_complete = true;
        for (const Bytes& answer : ask(messages)) {
            is_complete = is_complete && answer.front() != 0;
            reports.push_back(report_from_bytes(std::span(answer).subspan(1)));
        }
        take(reports);
        if (!is_complete || schedule_)
            return false;
        exchange(reports);
        ++state_.epoch;
        state_.random = random_.state();
        return true;
    }

    void take(std::vector<EpochReport>& reports)
    {
        for (std::size_t island = 0; island < reports.size(); ++island) {
            EpochReport& report = reports[island];
            for (const Generation& generation : report.generations) {
                state_.generations = std::max(state_.generations, generation.number);
                state_.evaluations[island] = generation.evaluations;
                if (options_.on_generation)
                    options_.on_generation(generation);
            }
            state_.best = std::min(state_.best, report.best);
            if (report.schedule && !schedule_)
                schedule_ = checked(std::move(*report.schedule));
        }
    }

    Schedule checked(std::vector<Step> steps) const
    {
        Schedule schedule = empty_schedule(problem_, model_.engine);
        schedule.steps = std::move(steps);
        if (schedule.steps.size() > steps_)
            throw std::logic_error(fmt::format("engine {} returned {} steps instead of {}", model_.engine,
                                               schedule.steps.size(), steps_));
        if (const auto objection = objection_to(schedule, problem_))
            throw std::logic_error(
                fmt::format("engine {} returned an invalid schedule: {}", model_.engine, *objection));
        return schedule;
    }

    void exchange(const std::vector<EpochReport>& reports)
    {
        if (!model_.exchange)
            return;
        state_.immigrants = model_.exchange(reports, random_);
        if (state_.immigrants.size() != model_.islands)
            throw std::logic_error(fmt::format("engine {}: {} solutions for {} islands", model_.engine,
                                               state_.immigrants.size(), model_.islands));
    }

    /// Writes the checkpoint. After an epoch that was cut short or found the solution that is the state
    /// before that epoch: who goes on repeats it.
    void save(Request islands, EvolutionState state)
    {
        state.islands = ask(islands);
        save_evolution(options_.checkpoint, identity(), state);
        saved_at_ = Clock::now();
        is_unsaved_ = false;
    }

    void resume()
    {
        state_ = load_evolution(options_.checkpoint, identity());
        random_ = SplitMix64(state_.random);
        std::vector<Bytes> messages;
        for (const Bytes& island : std::exchange(state_.islands, {}))
            messages.push_back(message(Request::load, island));
        try {
            ask(messages);
        } catch (const std::runtime_error& error) {
            throw std::runtime_error(fmt::format("{}: {}", options_.checkpoint.string(), error.what()));
        }
    }

    const Problem& problem_;
    unsigned steps_;
    const IslandModel& model_;
    const EvolutionOptions& options_;
    SplitMix64 random_;                ///< the master's
    std::vector<std::uint64_t> seeds_; ///< by island
    pid_t parent_ = getpid();
    SharedValues<bool> stop_; ///< the stop flag as other processes see it
    std::optional<Team> team_;
    EvolutionState state_;  ///< now; its islands live in the team
    EvolutionState before_; ///< at the beginning of the last epoch, for checkpoints
    bool is_unsaved_ = false;
    std::optional<Schedule> schedule_;
    Clock::time_point saved_at_;
};

} // namespace

std::vector<SolutionBytes> ring_exchange(std::span<const EpochReport> reports, SplitMix64& /*random*/)
{
    std::vector<SolutionBytes> immigrants(reports.size());
    if (reports.size() > 1)
        for (std::size_t island = 0; island < reports.size(); ++island)
            immigrants[(island + 1) % reports.size()] = reports[island].emigrant;
    return immigrants;
}

EvolutionResult evolve_islands(const Problem& problem, unsigned steps, const IslandModel& model,
                               const EvolutionOptions& options)
{
    if (model.islands == 0)
        throw std::invalid_argument(fmt::format("engine {}: 0 islands: 1 or more evolve", model.engine));
    return Evolution(problem, steps, model, options).run();
}

SearchResult search_islands(const Problem& problem, unsigned steps, const IslandModel& model,
                            const SearchControl& control)
{
    std::vector<std::uint64_t> evaluations(model.islands, 0);
    SearchMeter meter(control, model.engine, steps);
    EvolutionOptions options{.seed = control.seed,
                             .evaluations = control.effort,
                             .workers = control.workers,
                             .deadline = control.deadline,
                             .stop = control.stop};
    options.on_generation = [&](const Generation& generation) {
        meter.count(generation.evaluations - evaluations[generation.island]);
        evaluations[generation.island] = generation.evaluations;
        meter.end_attempt(generation.best);
    };
    EvolutionResult result = evolve_islands(problem, steps, model, options);
    return {result.schedule ? Outcome::found : Outcome::gave_up, std::move(result.schedule),
            result.evaluations, result.best};
}

} // namespace nocturne
