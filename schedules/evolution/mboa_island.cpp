#include "schedules/evolution/mboa_island.hpp"

#include "schedules/evolution/heuristics.hpp"
#include "schedules/evolution/mboa_variables.hpp"
#include "schedules/schedule/bytes.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace nocturne {
namespace {

constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

/// Genes in which two solutions differ.
std::uint32_t distance(const Chromosome& a, const Chromosome& b)
{
    std::uint32_t differ = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        differ += a[i] == b[i] ? 0 : 1;
    return differ;
}

std::uint32_t below(SplitMix64& random, std::size_t bound)
{
    return random.below(static_cast<std::uint32_t>(bound));
}

} // namespace

MboaIsland::MboaIsland(std::shared_ptr<const MboaSetting> setting, std::uint32_t island, std::uint64_t seed)
    : setting_(std::move(setting)), encoding_(setting_->encoding), parameters_(setting_->parameters),
      island_(island), random_(seed), population_(parameters_.population), best_ever_(unknown),
      best_since_restart_(unknown), table_(encoding_), diversity_(encoding_)
{
}

EpochReport MboaIsland::advance(std::span<const std::uint8_t> immigrant, const SearchControl& control)
{
    EpochReport report;
    if (!is_populated_) {
        populate(setting_->start);
        report.generations.push_back(generation());
    }
    if (!immigrant.empty()) {
        child_.genes = extract_chromosome(immigrant, encoding_);
        table_.assign(child_.genes);
        child_.conflicts = conflicts();
        insert(child_);
    }
    for (std::uint32_t i = 0; i < parameters_.generations_per_epoch && best().conflicts > 0; ++i) {
        if (control.end.has_come())
            break;
        ++generation_;
        if (parameters_.stagnation_limit > 0 && generation_ - progress_ > parameters_.stagnation_limit) {
            best_since_restart_ = unknown;
            populate(nullptr);
        } else {
            evolve();
        }
        report.generations.push_back(generation());
    }
    const Solution& emigrant = best();
    append_values(report.emigrant, emigrant.genes);
    report.emigrant_conflicts = emigrant.conflicts;
    best_ever_ = std::min(best_ever_, emigrant.conflicts);
    report.best = best_ever_;
    if (emigrant.conflicts == 0)
        report.schedule = encoding_.decode(emigrant.genes, "mboa").steps;
    return report;
}

void MboaIsland::populate(const Schedule* start)
{
    for (Solution& solution : population_) {
        solution.genes = random_chromosome(encoding_, random_);
        if (start != nullptr)
            solution.genes = encoding_.encode(*start, std::move(solution.genes));
        repair(solution.genes);
        table_.assign(solution.genes);
        solution.conflicts = conflicts();
    }
    is_populated_ = true;
}

void MboaIsland::evolve()
{
    const DecisionTrees trees = learn();
    row_.resize(trees.root.size());
    const bool is_stalled = parameters_.path_stall > 0 && generation_ - progress_ > parameters_.path_stall;
    for (std::size_t i = 0; i < population_.size() / 2; ++i) {
        sample(trees, row_, random_);
        from_row(encoding_, row_, child_.genes);
        if (random_.uniform() < parameters_.mutation_probability)
            mutate(child_.genes);
        if (is_stalled && parameters_.path_remedy == PathRemedy::one)
            replace_one_path(child_.genes);
        repair(child_.genes);
        table_.assign(child_.genes);
        if (is_stalled && parameters_.path_remedy == PathRemedy::best)
            replace_paths(child_);
        child_.conflicts = conflicts();
        insert(child_);
    }
}

DecisionTrees MboaIsland::learn()
{
    std::vector<const Chromosome*> parents;
    for (std::size_t i = 0; i < population_.size() / 2; ++i)
        parents.push_back(&population_[parent()].genes);
    return learn_decision_trees(to_data(encoding_, parents), setting_->candidates, parameters_.trees,
                                random_);
}

/// The winner of a tournament.
std::size_t MboaIsland::parent()
{
    std::size_t winner = below(random_, population_.size());
    for (std::uint32_t i = 1; i < parameters_.tournament; ++i) {
        const std::size_t other = below(random_, population_.size());
        if (population_[other].conflicts < population_[winner].conflicts)
            winner = other;
    }
    return winner;
}

/// One item of one gene is drawn anew within its bounds.
void MboaIsland::mutate(Chromosome& genes)
{
    if (parameters_.conflicting_mutation > 0 || parameters_.slots_tested > 0)
        table_.assign(genes);
    const std::uint32_t i = mutated_gene();
    Gene& gene = genes[i];
    if (parameters_.slot_swap > 0 && random_.uniform() < parameters_.slot_swap) {
        std::swap(gene.step, genes[below(random_, genes.size())].step);
        return;
    }
    if (parameters_.slots_tested > 0 && !encoding_.builds_trees()) {
        gene = best_place(i);
        return;
    }
    const std::uint32_t item = random_.below(variables_per_gene(encoding_));
    if (item == 0) {
        gene.step = static_cast<std::uint16_t>(random_.below(encoding_.steps()));
        return;
    }
    const ProcessorId receiver = encoding_.deliveries()[i].receiver;
    const std::size_t processors = encoding_.problem().topology.processor_count();
    if (item == 2)
        do
            gene.source = static_cast<std::uint16_t>(below(random_, processors));
        while (gene.source == receiver || encoding_.path_count(gene.source, receiver) == 0);
    gene.path = static_cast<std::uint16_t>(random_.below(encoding_.path_count(gene.source, receiver)));
}

/// Of some steps drawn at random, each with every path: where the gene has the fewest conflicts. The last of
/// equals wins, so that a gene wanders on a plateau.
Gene MboaIsland::best_place(std::uint32_t delivery)
{
    Gene place = table_.gene(delivery);
    Gene best = place;
    std::uint32_t fewest = ~0U;
    const std::uint32_t paths = encoding_.path_count(place.source, encoding_.deliveries()[delivery].receiver);
    for (std::uint32_t i = 0; i < parameters_.slots_tested; ++i) {
        place.step = static_cast<std::uint16_t>(random_.below(encoding_.steps()));
        const std::uint32_t first = random_.below(paths);
        for (std::uint32_t j = 0; j < paths; ++j) {
            place.path = static_cast<std::uint16_t>((first + j) % paths);
            if (const std::uint32_t conflicts = table_.conflicts_with(delivery, place); conflicts <= fewest) {
                fewest = conflicts;
                best = place;
            }
        }
    }
    return best;
}

std::uint32_t MboaIsland::mutated_gene()
{
    const std::size_t genes = encoding_.deliveries().size();
    std::uint32_t gene = below(random_, genes);
    if (parameters_.conflicting_mutation > 0 && random_.uniform() < parameters_.conflicting_mutation)
        for (std::size_t tries = 0; tries < genes && table_.conflicts_of(gene) == 0; ++tries)
            gene = below(random_, genes);
    return gene;
}

void MboaIsland::repair(Chromosome& genes)
{
    if (encoding_.builds_trees() && parameters_.restoration)
        restore(encoding_, genes, random_, parameters_.restored_path);
    if (!encoding_.builds_trees() && parameters_.acceleration)
        accelerate(encoding_, genes, random_);
}

std::uint64_t MboaIsland::conflicts() const
{
    const bool is_admissible = !encoding_.builds_trees() || parameters_.restoration;
    return table_.conflicts() + (is_admissible ? 0 : count_inadmissible(encoding_, table_.chromosome()));
}

/// The remedy of the paper: a random gene takes another of its paths, if it has one.
void MboaIsland::replace_one_path(Chromosome& genes)
{
    const std::uint32_t i = below(random_, genes.size());
    Gene& gene = genes[i];
    const std::uint32_t paths = encoding_.path_count(gene.source, encoding_.deliveries()[i].receiver);
    if (paths > 1)
        gene.path = static_cast<std::uint16_t>((gene.path + 1 + random_.below(paths - 1)) % paths);
}

/// Our remedy for a search that stalls: genes in conflict, one after the other, take a path that conflicts
/// least.
void MboaIsland::replace_paths(Solution& solution)
{
    for (std::uint32_t i = 0; i < solution.genes.size(); ++i)
        if (table_.conflicts_of(i) > 0)
            replace_path(i);
    solution.genes = table_.chromosome();
}

void MboaIsland::replace_path(std::uint32_t delivery)
{
    Gene gene = table_.gene(delivery);
    Gene chosen = gene;
    std::uint32_t least = table_.conflicts_of(delivery);
    std::uint32_t ties = 1;
    const std::uint32_t paths = encoding_.path_count(gene.source, encoding_.deliveries()[delivery].receiver);
    for (std::uint32_t path = 0; path < paths; ++path) {
        if (path == table_.gene(delivery).path)
            continue;
        gene.path = static_cast<std::uint16_t>(path);
        const std::uint32_t found = table_.conflicts_with(delivery, gene);
        ties = found < least ? 1 : ties + (found == least ? 1 : 0);
        // Of paths that are as good as each other, the own one among them, each has the same chance.
        if (found < least || (found == least && random_.below(ties) == 0))
            chosen = gene;
        least = std::min(least, found);
    }
    table_.change(delivery, chosen);
}

/// Takes the place of the loser of a tournament, unless that is better.
void MboaIsland::insert(Solution& solution)
{
    std::size_t loser = 0;
    std::uint64_t highest = 0;
    for (std::uint32_t i = 0; i < parameters_.replacement_tournament; ++i) {
        const std::size_t at = below(random_, population_.size());
        const Solution& other = population_[at];
        const std::uint64_t score = parameters_.replacement == Replacement::worst
                                        ? other.conflicts
                                        : other.genes.size() - distance(other.genes, solution.genes);
        if (i == 0 || score > highest) {
            loser = at;
            highest = score;
        }
    }
    if (solution.conflicts <= population_[loser].conflicts)
        std::swap(population_[loser], solution);
}

const MboaIsland::Solution& MboaIsland::best() const
{
    return *std::min_element(population_.begin(), population_.end(),
                             [](const Solution& a, const Solution& b) { return a.conflicts < b.conflicts; });
}

Generation MboaIsland::generation()
{
    const std::uint64_t least = best().conflicts;
    if (least < best_since_restart_) {
        best_since_restart_ = least;
        progress_ = generation_;
    }
    best_ever_ = std::min(best_ever_, least);
    Generation generation{island_, generation_, table_.count().evaluations(), least};
    diversity_.describe(population_, generation);
    return generation;
}

std::vector<std::uint8_t> MboaIsland::save() const
{
    const std::array<std::uint64_t, 7> numbers{
        random_.state(),     generation_, is_populated_ ? 1U : 0U, best_ever_,
        best_since_restart_, progress_,   table_.count().shares()};
    std::vector<std::uint8_t> bytes;
    append_values(bytes, numbers);
    if (is_populated_)
        for (const Solution& solution : population_)
            append_values(bytes, solution.genes);
    return bytes;
}

void MboaIsland::load(std::span<const std::uint8_t> state)
{
    std::array<std::uint64_t, 7> numbers{};
    extract_values(state, numbers);
    std::vector<Solution> population(population_.size());
    if (numbers[2] > 0)
        for (Solution& solution : population) {
            solution.genes = extract_chromosome(state, encoding_);
            table_.assign(solution.genes);
            solution.conflicts = conflicts();
        }
    require_end(state);
    random_ = SplitMix64(numbers[0]);
    generation_ = numbers[1];
    is_populated_ = numbers[2] != 0;
    best_ever_ = numbers[3];
    best_since_restart_ = numbers[4];
    progress_ = numbers[5];
    table_.count().resume(numbers[6]); // the solutions had been counted
    population_ = std::move(population);
}

} // namespace nocturne
