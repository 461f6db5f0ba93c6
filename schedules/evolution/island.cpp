#include "schedules/evolution/island.hpp"

#include "schedules/evolution/epoch_bytes.hpp"
#include "schedules/evolution/evolution_checkpoint.hpp"
#include "schedules/evolution/island_processes.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/search/search_meter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

using Clock = std::chrono::steady_clock;

/// One call of evolve_islands().
class Evolution {
public:
    Evolution(const Problem& problem, unsigned steps, const IslandModel& model,
              const EvolutionOptions& options)
        : problem_(problem), steps_(steps), model_(model), options_(options), random_(options.seed),
          seeds_(model.islands)
    {
        for (std::uint64_t& seed : seeds_)
            seed = random_();
        state_ = {.random = random_.state(),
                  .best = std::numeric_limits<std::uint64_t>::max(),
                  .evaluations = std::vector<std::uint64_t>(model.islands),
                  .immigrants = std::vector<SolutionBytes>(model.islands)};
        islands_ = island_processes(model, options, seeds_);
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
                save(IslandRequest::save, state_);
        }
        if (has_checkpoint() && !can_go_on)
            save(IslandRequest::kept, before_);
        else if (has_checkpoint() && is_unsaved_)
            save(IslandRequest::save, state_);
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
    bool is_over() const
    {
        return (options_.evaluations != 0 && evaluations() >= options_.evaluations) ||
               (options_.generations != 0 && state_.generations >= options_.generations) ||
               options_.end.has_come();
    }

    std::vector<Bytes> ask(std::span<const Bytes> messages)
    {
        return islands_->round(messages, [this] { return options_.end.has_come(); });
    }

    /// The same of all islands.
    std::vector<Bytes> ask(IslandRequest request)
    {
        return ask(std::vector<Bytes>(model_.islands, island_message(request)));
    }

    /// True at the end of it; false if it was cut short or the problem is solved, so that there is no next
    /// one.
    bool run_epoch()
    {
        if (has_checkpoint())
            before_ = state_;
        is_unsaved_ = true;
        const IslandRequest request =
            has_checkpoint() ? IslandRequest::keep_and_advance : IslandRequest::advance;
        std::vector<Bytes> messages;
        for (const SolutionBytes& immigrant : state_.immigrants)
            messages.push_back(island_message(request, immigrant));
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
    void save(IslandRequest islands, EvolutionState state)
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
            messages.push_back(island_message(IslandRequest::load, island));
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
    std::unique_ptr<IslandProcesses> islands_;
    EvolutionState state_;  ///< now; its islands live in the processes
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
    EvolutionOptions options{
        .seed = control.seed, .evaluations = control.effort, .workers = control.workers, .end = control.end};
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
