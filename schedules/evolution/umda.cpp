#include "schedules/evolution/umda.hpp"

#include "schedules/evolution/conflicts.hpp"
#include "schedules/evolution/diversity.hpp"
#include "schedules/evolution/heuristics.hpp"
#include "schedules/evolution/parameters.hpp"
#include "schedules/evolution/umda_mutation.hpp"
#include "schedules/schedule/bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>

namespace nocturne {
namespace {

constexpr std::string_view umda_name = "umda";

void check(const UmdaParameters& parameters, const Problem& problem)
{
    const ParameterCheck check(umda_name);
    check.require(parameters.population >= 4 && parameters.population % 2 == 0, "population",
                  parameters.population, "an even number, 4 or more");
    check.probability("mutation probability", parameters.mutation_probability);
    check.probability("conflicting mutation", parameters.conflicting_mutation);
    check.paths(parameters.paths, problem);
    check.at_least(1, "islands", parameters.islands);
    check.at_least(1, "generations per epoch", parameters.generations_per_epoch);
}

/// What all islands of a model share.
struct UmdaSetting {
    ChromosomeEncoding encoding;
    UmdaParameters parameters;
    const Schedule* start; ///< or null
};

/// One population of UMDA.
class UmdaIsland final : public Island {
public:
    UmdaIsland(std::shared_ptr<const UmdaSetting> setting, std::uint32_t island, std::uint64_t seed);

    EpochReport advance(std::span<const std::uint8_t> immigrant, const SearchControl& control) override;
    std::vector<std::uint8_t> save() const override;
    void load(std::span<const std::uint8_t> state) override;

private:
    struct Solution {
        Chromosome genes;
        std::uint64_t conflicts;
        std::uint64_t born; ///< solutions before it
    };

    bool is_better(const Solution& a, const Solution& b) const;
    bool is_populated() const { return populated_ != 0; }
    bool populate(const SearchControl& control);
    bool evolve(const SearchControl& control);
    void choose_parents();
    void sample();
    void repair();
    std::uint64_t evaluate();
    void take_in(std::span<const std::uint8_t> immigrant);
    void record(EpochReport& report);
    const Solution& best() const;

    std::shared_ptr<const UmdaSetting> setting_;
    const ChromosomeEncoding& encoding_;
    const UmdaParameters& parameters_;
    std::uint32_t island_;
    SplitMix64 random_;
    ConflictTable table_;
    UmdaMutation mutation_;
    Diversity diversity_;
    std::vector<Solution> population_;
    std::vector<Solution> children_;
    std::vector<const Chromosome*> parents_;
    std::vector<std::uint32_t> ranks_; ///< of the population, the best first
    Chromosome child_;
    std::vector<std::uint32_t> sent_; ///< by sender and step, of the child being sampled
    bool is_overloaded_ = false;      ///< does a sender of the child send too much?
    std::uint64_t populated_ = 0;     ///< populations so far: 0 before the first generation
    std::uint64_t generation_ = 0;
    std::uint64_t born_ = 0; ///< solutions so far
    std::uint64_t best_ever_ = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t best_since_restart_ = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t progress_ = 0; ///< generation of that best
};

UmdaIsland::UmdaIsland(std::shared_ptr<const UmdaSetting> setting, std::uint32_t island, std::uint64_t seed)
    : setting_(std::move(setting)), encoding_(setting_->encoding), parameters_(setting_->parameters),
      island_(island), random_(seed), table_(encoding_), mutation_(encoding_, parameters_),
      diversity_(encoding_), population_(parameters_.population), children_(parameters_.population / 2),
      ranks_(parameters_.population),
      sent_(encoding_.problem().topology.processor_count() * encoding_.steps())
{
}

EpochReport UmdaIsland::advance(std::span<const std::uint8_t> immigrant, const SearchControl& control)
{
    EpochReport report;
    if (is_populated() && !immigrant.empty())
        take_in(immigrant);
    std::uint32_t left = parameters_.generations_per_epoch;
    if (!is_populated() && populate(control))
        record(report);
    while (is_populated() && left > 0 && best_ever_ > 0 && !control.end.has_come()) {
        const bool is_stalled =
            parameters_.stagnation_limit != 0 && generation_ - progress_ >= parameters_.stagnation_limit;
        if (!(is_stalled ? populate(control) : evolve(control)))
            break;
        --left;
        record(report);
    }
    report.best = best_ever_;
    if (!is_populated())
        return report;
    const Solution& emigrant = best();
    append_values(report.emigrant, emigrant.genes);
    report.emigrant_conflicts = emigrant.conflicts;
    if (emigrant.conflicts == 0)
        report.schedule = encoding_.decode(emigrant.genes, "umda").steps;
    return report;
}

/// Fewer conflicts; of equals the younger one, so that the population moves on plateaus.
bool UmdaIsland::is_better(const Solution& a, const Solution& b) const
{
    return a.conflicts != b.conflicts ? a.conflicts < b.conflicts : a.born > b.born;
}

/// A first population. False if there was no time: the one before, if any, is gone.
bool UmdaIsland::populate(const SearchControl& control)
{
    const bool has_blocks = encoding_.builds_trees() && parameters_.building_blocks;
    const std::uint64_t populated = std::exchange(populated_, 0);
    best_since_restart_ = std::numeric_limits<std::uint64_t>::max();
    for (Solution& solution : population_) {
        if (best_ever_ > 0 && control.end.has_come())
            return false;
        child_ = has_blocks ? building_blocks(encoding_, random_) : random_chromosome(encoding_, random_);
        if (setting_->start != nullptr)
            child_ = encoding_.encode(*setting_->start, std::move(child_));
        is_overloaded_ = true;
        repair();
        table_.assign(child_);
        solution.born = born_++;
        solution.conflicts = evaluate();
        solution.genes = table_.chromosome();
    }
    generation_ += populated == 0 ? 0 : 1;
    populated_ = populated + 1;
    return true;
}

/// One generation. False if there was no time: the population is then as before.
bool UmdaIsland::evolve(const SearchControl& control)
{
    choose_parents();
    std::iota(ranks_.begin(), ranks_.end(), 0U);
    std::sort(ranks_.begin(), ranks_.end(),
              [this](std::uint32_t a, std::uint32_t b) { return is_better(population_[a], population_[b]); });
    for (Solution& child : children_) {
        if (best_ever_ > 0 && control.end.has_come())
            return false;
        sample();
        repair();
        table_.assign(child_);
        if (random_.uniform() < parameters_.mutation_probability)
            mutation_.mutate(table_, random_);
        child.born = born_++;
        child.conflicts = evaluate();
        child.genes = table_.chromosome();
    }
    for (std::size_t i = 0; i < children_.size(); ++i)
        std::swap(population_[ranks_[ranks_.size() - 1 - i]], children_[i]);
    ++generation_;
    return true;
}

void UmdaIsland::choose_parents()
{
    parents_.clear();
    for (std::size_t i = 0; i < children_.size(); ++i) {
        const Solution& a = population_[random_.below(parameters_.population)];
        const Solution& b = population_[random_.below(parameters_.population)];
        parents_.push_back(&(is_better(a, b) ? a : b).genes);
    }
}

/// A child from the model. To draw from the marginal frequencies of a component is to take it from a random
/// parent.
void UmdaIsland::sample()
{
    const auto count = static_cast<std::uint32_t>(parents_.size());
    const auto deliveries = encoding_.deliveries();
    const bool minds_ports = parameters_.acceleration && !encoding_.builds_trees();
    const std::uint32_t tries = parameters_.sampling_tries;
    if (minds_ports)
        std::fill(sent_.begin(), sent_.end(), 0);
    is_overloaded_ = false;
    child_.resize(deliveries.size());
    for (std::uint32_t i = 0; i < deliveries.size(); ++i) {
        Gene gene = (*parents_[random_.below(count)])[i];
        if (!parameters_.whole_genes)
            gene.step = (*parents_[random_.below(count)])[i].step;
        if (minds_ports) {
            std::uint32_t* const sent = &sent_[std::size_t{gene.source} * encoding_.steps()];
            const std::uint32_t limit = encoding_.send_limit(gene.source);
            for (std::uint32_t left = tries; left > 0 && sent[gene.step] >= limit; --left)
                gene.step = (*parents_[random_.below(count)])[i].step;
            is_overloaded_ |= ++sent[gene.step] > limit;
        }
        child_[i] = gene;
    }
}

void UmdaIsland::repair()
{
    if (encoding_.builds_trees() && parameters_.restoration)
        restore(encoding_, child_, random_);
    if (!encoding_.builds_trees() && parameters_.acceleration && is_overloaded_)
        accelerate(encoding_, child_, random_);
}

/// The fitness of what is in the table.
std::uint64_t UmdaIsland::evaluate()
{
    std::uint64_t conflicts = table_.conflicts();
    if (encoding_.builds_trees() && !parameters_.restoration)
        conflicts += count_inadmissible(encoding_, table_.chromosome());
    best_ever_ = std::min(best_ever_, conflicts);
    return conflicts;
}

/// The immigrant replaces the worst.
void UmdaIsland::take_in(std::span<const std::uint8_t> immigrant)
{
    Chromosome genes = extract_chromosome(immigrant, encoding_);
    require_end(immigrant);
    Solution& worst = *std::min_element(population_.begin(), population_.end(),
                                        [this](const auto& a, const auto& b) { return is_better(b, a); });
    table_.assign(genes);
    worst.born = born_++;
    worst.conflicts = evaluate();
    worst.genes = std::move(genes);
}

void UmdaIsland::record(EpochReport& report)
{
    const std::uint64_t least = best().conflicts;
    if (least < best_since_restart_) {
        best_since_restart_ = least;
        progress_ = generation_;
    }
    Generation generation{island_, generation_, table_.count().evaluations(), least};
    diversity_.describe(population_, generation);
    report.generations.push_back(generation);
}

const UmdaIsland::Solution& UmdaIsland::best() const
{
    return *std::min_element(population_.begin(), population_.end(),
                             [this](const auto& a, const auto& b) { return is_better(a, b); });
}

std::vector<std::uint8_t> UmdaIsland::save() const
{
    const std::array<std::uint64_t, 8> numbers{
        random_.state(), populated_, generation_,         born_,
        best_ever_,      progress_,  best_since_restart_, table_.count().shares()};
    std::vector<std::uint8_t> bytes;
    append_values(bytes, numbers);
    if (is_populated())
        for (const Solution& solution : population_) {
            append_value(bytes, solution.born);
            append_value(bytes, solution.conflicts);
            append_values(bytes, solution.genes);
        }
    return bytes;
}

void UmdaIsland::load(std::span<const std::uint8_t> state)
{
    std::array<std::uint64_t, 8> numbers{};
    extract_values(state, numbers);
    std::vector<Solution> population(population_.size());
    if (numbers[1] != 0)
        for (Solution& solution : population) {
            solution.born = extract_value<std::uint64_t>(state);
            solution.conflicts = extract_value<std::uint64_t>(state);
            solution.genes = extract_chromosome(state, encoding_);
        }
    require_end(state);
    random_ = SplitMix64(numbers[0]);
    populated_ = numbers[1];
    generation_ = numbers[2];
    born_ = numbers[3];
    best_ever_ = numbers[4];
    progress_ = numbers[5];
    best_since_restart_ = numbers[6];
    table_.count().resume(numbers[7]);
    population_ = std::move(population);
}

} // namespace

std::string describe(const UmdaParameters& parameters)
{
    const auto& [population, mutation_probability, acceleration, slot_swap, path_mutation, restoration,
                 building_blocks, conflicting_mutation, slots_tested, sampling_tries, whole_genes,
                 stagnation_limit, paths, islands, generations_per_epoch] = parameters;
    return fmt::format(
        "population {}, mutation probability {}, acceleration {}, slot swap {}, path mutation {}, "
        "restoration {}, building blocks {}, conflicting mutation {}, slots tested {}, "
        "sampling tries {}, whole genes {}, stagnation limit {}, {}, islands {}, generations per epoch {}",
        population, mutation_probability, acceleration, slot_swap, path_mutation, restoration,
        building_blocks, conflicting_mutation, slots_tested, sampling_tries, whole_genes, stagnation_limit,
        describe(paths), islands, generations_per_epoch);
}

bool suits_umda(const Problem& problem)
{
    return suits_chromosomes(problem);
}

IslandModel umda_model(const Problem& problem, unsigned steps, const UmdaParameters& parameters,
                       const Schedule* start)
{
    check(parameters, problem);
    const auto setting = std::make_shared<const UmdaSetting>(
        UmdaSetting{ChromosomeEncoding(problem, steps, parameters.paths), parameters, start});
    const auto make = [setting](std::uint32_t island, std::uint64_t seed) -> std::unique_ptr<Island> {
        return std::make_unique<UmdaIsland>(setting, island, seed);
    };
    return {umda_name, fmt::format("{}, {}", describe(parameters), describe_start(start)), parameters.islands,
            make, ring_exchange};
}

SearchResult search_umda(const Problem& problem, unsigned steps, const SearchControl& control)
{
    UmdaParameters parameters;
    // A single island has nobody to exchange with, and effort is looked at between epochs.
    parameters.generations_per_epoch = 10;
    return search_islands(problem, steps, umda_model(problem, steps, parameters, control.start), control);
}

} // namespace nocturne
