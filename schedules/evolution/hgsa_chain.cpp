#include "schedules/evolution/hgsa_chain.hpp"

#include "schedules/schedule/bytes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

constexpr unsigned iterations_between_looks = 128; // at the clock

void append(std::vector<std::uint8_t>& bytes, const TimedChromosome& chromosome)
{
    append_values(bytes, chromosome.paths);
    append_values(bytes, chromosome.steps);
}

TimedChromosome next_chromosome(std::span<const std::uint8_t>& bytes, const TimedPathEncoding& encoding)
{
    TimedChromosome chromosome{std::vector<TimedPath>(encoding.genes().size()),
                               std::vector<std::uint16_t>(encoding.hop_count())};
    extract_values(bytes, chromosome.paths);
    extract_values(bytes, chromosome.steps);
    if (!encoding.admits(chromosome))
        throw std::runtime_error("hgsa: a solution of another problem");
    return chromosome;
}

} // namespace

HgsaChain::HgsaChain(std::shared_ptr<const TimedPathEncoding> encoding, const HgsaParameters& parameters,
                     const Schedule* start, std::uint32_t island, std::uint64_t seed)
    : encoding_(std::move(encoding)), parameters_(parameters), island_(island), random_(seed),
      temperature_(start == nullptr ? parameters.temperature : parameters.final_temperature),
      table_(*encoding_, initial(start)), mutation_(table_, parameters.moves),
      at_exchange_(table_.chromosome()), conflicts_(table_.conflicts()), best_(conflicts_)
{
}

TimedChromosome HgsaChain::initial(const Schedule* start)
{
    TimedChromosome chromosome = encoding_->random_chromosome(random_);
    return start == nullptr ? chromosome : encoding_->encode(*start, std::move(chromosome));
}

EpochReport HgsaChain::advance(std::span<const std::uint8_t> immigrant, const SearchControl& control)
{
    std::vector<Generation> generations;
    if (epochs_++ == 0)
        generations.push_back(
            {island_, 0, table_.count().evaluations(), best_, static_cast<double>(best_), 1});
    at_exchange_ = table_.chromosome();
    if (best_ > 0 && !immigrant.empty() && !alone_)
        cross(next_chromosome(immigrant, *encoding_));
    for (std::uint32_t i = 0; i < parameters_.exchange && best_ > 0; ++i) {
        if (i % iterations_between_looks == 0 && control.end.has_come())
            break;
        iterate();
    }
    generations.push_back({island_, epochs_, table_.count().evaluations(), best_,
                           static_cast<double>(conflicts_), changed_share()});
    EpochReport report{std::move(generations), {}, conflicts_, best_, {}};
    append(report.emigrant, table_.chromosome());
    if (conflicts_ == 0)
        report.schedule = encoding_->decode(table_.chromosome());
    return report;
}

/// The Metropolis criterion.
bool HgsaChain::accepts(std::uint64_t before, std::uint64_t after)
{
    return after <= before ||
           random_.uniform() <
               std::exp(-parameters_.conflict_energy * static_cast<double>(after - before) / temperature_);
}

/// The fitness of what is in the table.
std::uint64_t HgsaChain::evaluate()
{
    const std::uint64_t conflicts = table_.conflicts();
    best_ = std::min(best_, conflicts);
    return conflicts;
}

void HgsaChain::iterate()
{
    mutation_.change(random_);
    if (const std::uint64_t after = evaluate(); accepts(conflicts_, after))
        conflicts_ = after;
    else
        mutation_.undo();
    cool();
}

void HgsaChain::cool()
{
    ++at_temperature_;
    if (temperature_ > parameters_.final_temperature) {
        if (at_temperature_ < (alone_ ? parameters_.reheat_plateau : parameters_.plateau))
            return;
        temperature_ *= parameters_.cooling;
        alone_ = alone_ && temperature_ > parameters_.final_temperature;
    } else if (at_temperature_ == parameters_.hold * encoding_->genes().size()) {
        temperature_ = parameters_.reheat;
        alone_ = true;
    } else {
        return;
    }
    at_temperature_ = 0;
}

/// Genes different_[first], …, different_[last - 1] become those of `from`.
void HgsaChain::take(const TimedChromosome& from, std::size_t first, std::size_t last)
{
    for (std::size_t i = first; i < last; ++i)
        table_.assign(from, different_[i]);
}

void HgsaChain::cross(const TimedChromosome& other)
{
    const TimedChromosome& own = at_exchange_;
    different_.clear();
    for (Gene gene = 0; gene < encoding_->genes().size(); ++gene)
        if (table_.differs(other, gene))
            different_.push_back(gene);
    // Two cuts between genes, as places among those that differ.
    const auto cut = [&] {
        const Gene before = random_.below(static_cast<std::uint32_t>(encoding_->genes().size()) + 1);
        return static_cast<std::size_t>(std::lower_bound(different_.begin(), different_.end(), before) -
                                        different_.begin());
    };
    const auto [first, last] = std::minmax({cut(), cut()});
    const std::size_t end = different_.size();

    std::array<std::uint64_t, 4> conflicts{conflicts_}; // own, other, child, other child
    take(other, first, last);
    conflicts[2] = evaluate();
    take(other, 0, first);
    take(other, last, end);
    conflicts[1] = table_.conflicts(); // which only the slave that it comes from knew
    take(own, first, last);
    conflicts[3] = evaluate();

    const auto best = std::min_element(conflicts.begin(), conflicts.end()) - conflicts.begin();
    const bool is_child = best >= 2;
    take(best == 0 || best == 2 ? own : other, 0, first); // the table is the other child
    take(best == 0 || best == 3 ? own : other, first, last);
    take(best == 0 || best == 2 ? own : other, last, end);
    std::uint64_t after = conflicts[static_cast<std::size_t>(best)];
    if (after > 0 && (!is_child || random_.uniform() < parameters_.child_mutation)) {
        mutation_.change(random_);
        after = evaluate();
    }
    if (accepts(conflicts[0], after))
        conflicts_ = after;
    else
        table_.assign(own);
}

double HgsaChain::changed_share() const
{
    std::size_t changed = 0;
    for (Gene gene = 0; gene < encoding_->genes().size(); ++gene)
        changed += table_.differs(at_exchange_, gene) ? 1 : 0;
    return static_cast<double>(changed) / static_cast<double>(encoding_->genes().size());
}

std::vector<std::uint8_t> HgsaChain::save() const
{
    const std::array<std::uint64_t, 7> numbers{std::bit_cast<std::uint64_t>(random_),
                                               std::bit_cast<std::uint64_t>(temperature_),
                                               at_temperature_,
                                               table_.count().shares(),
                                               epochs_,
                                               best_,
                                               alone_ ? 1U : 0U};
    std::vector<std::uint8_t> bytes;
    append_values(bytes, numbers);
    append(bytes, table_.chromosome());
    return bytes;
}

void HgsaChain::load(std::span<const std::uint8_t> state)
{
    std::array<std::uint64_t, 7> numbers{};
    extract_values(state, numbers);
    const TimedChromosome chromosome = next_chromosome(state, *encoding_);
    require_end(state);
    random_ = SplitMix64(numbers[0]);
    temperature_ = std::bit_cast<double>(numbers[1]);
    at_temperature_ = numbers[2];
    epochs_ = numbers[4];
    best_ = numbers[5];
    alone_ = numbers[6] != 0;
    table_.assign(chromosome);
    conflicts_ = table_.conflicts();
    table_.count().resume(numbers[3]); // the solution had been counted
}

} // namespace nocturne
