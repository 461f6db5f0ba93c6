#include "schedules/evolution/island.hpp"

#include "schedules/constructions/empty_schedule.hpp"
#include "schedules/schedule/validator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace nocturne {
namespace {

/// One call of evolve_islands().
class Evolution {
public:
    Evolution(const Problem& problem, unsigned steps, const IslandModel& model,
              const EvolutionOptions& options)
        : problem_(problem), steps_(steps), model_(model), options_(options), random_(options.seed),
          immigrants_(model.islands), evaluations_(model.islands)
    {
        for (std::uint32_t island = 0; island < model.islands; ++island)
            islands_.push_back(model.make(island, random_()));
        control_.deadline = options.deadline;
        control_.stop = options.stop;
    }

    EvolutionResult run()
    {
        while (!result_.schedule && !control_.is_over() &&
               (options_.evaluations == 0 || result_.evaluations < options_.evaluations)) {
            std::vector<EpochReport> reports;
            for (std::size_t island = 0; island < islands_.size(); ++island)
                reports.push_back(islands_[island]->advance(immigrants_[island], control_));
            take(reports);
        }
        return result_;
    }

private:
    void take(std::vector<EpochReport>& reports)
    {
        for (std::size_t island = 0; island < reports.size(); ++island) {
            EpochReport& report = reports[island];
            for (const Generation& generation : report.generations) {
                result_.generations = std::max(result_.generations, generation.number);
                evaluations_[island] = generation.evaluations;
                if (options_.on_generation)
                    options_.on_generation(generation);
            }
            result_.best = std::min(result_.best, report.best);
            if (report.schedule && !result_.schedule)
                result_.schedule = checked(std::move(*report.schedule));
        }
        result_.evaluations = 0;
        for (const std::uint64_t evaluations : evaluations_)
            result_.evaluations += evaluations;
        if (!result_.schedule)
            exchange(reports);
    }

    Schedule checked(std::vector<Step> steps) const
    {
        Schedule schedule = empty_schedule(problem_, model_.engine);
        schedule.steps = std::move(steps);
        if (schedule.steps.size() > steps_)
            throw std::logic_error(fmt::format("engine {} returned {} steps instead of {}", model_.engine,
                                               schedule.steps.size(), steps_));
        const auto violations = validate(schedule, problem_.topology);
        if (!violations.empty())
            throw std::logic_error(fmt::format("engine {} returned an invalid schedule: {}", model_.engine,
                                               violations.front().text));
        return schedule;
    }

    void exchange(const std::vector<EpochReport>& reports)
    {
        if (!model_.exchange)
            return;
        immigrants_ = model_.exchange(reports, random_);
        if (immigrants_.size() != islands_.size())
            throw std::logic_error(fmt::format("engine {}: {} solutions for {} islands", model_.engine,
                                               immigrants_.size(), islands_.size()));
    }

    const Problem& problem_;
    unsigned steps_;
    const IslandModel& model_;
    const EvolutionOptions& options_;
    SearchControl control_;
    SplitMix64 random_; ///< the master's
    std::vector<std::unique_ptr<Island>> islands_;
    std::vector<SolutionBytes> immigrants_;  ///< for the next epoch, by island
    std::vector<std::uint64_t> evaluations_; ///< by island
    EvolutionResult result_{.best = std::numeric_limits<std::uint64_t>::max()};
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

} // namespace nocturne
