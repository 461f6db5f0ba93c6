#include "schedules/evolution/hgsa.hpp"

#include "schedules/evolution/parameters.hpp"
#include "schedules/problem/transfer_rules.hpp"
#include "schedules/schedule/bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

constexpr std::string_view hgsa_name = "hgsa";
/// Places in a chain's table of transfers: half a gigabyte.
constexpr double most_transfers = 0x1p28;

void check(const HgsaParameters& parameters)
{
    const auto& [slaves, exchange, temperature, plateau, cooling, child_mutation, most_paths, slack,
                 first_hop_at_once, conflict_energy, final_temperature, hold, reheat, reheat_plateau, moves] =
        parameters;
    const ParameterCheck check(hgsa_name);
    const auto is_positive = [](double value) { return value > 0 && std::isfinite(value); };
    check.require(slaves >= 1, "slaves", slaves, "1 or more anneal");
    check.require(exchange >= 1, "exchange", exchange, "1 or more iterations between two exchanges");
    check.require(is_positive(temperature), "temperature", temperature, "above 0");
    check.require(plateau >= 1, "plateau", plateau, "1 or more iterations at a temperature");
    check.require(cooling > 0 && cooling < 1, "cooling", cooling, "above 0 and below 1");
    check.probability("child mutation", child_mutation);
    check.require(most_paths >= 1, "most paths", static_cast<double>(most_paths), "1 or more to choose from");
    check.require(is_positive(conflict_energy), "conflict energy", conflict_energy, "above 0");
    check.require(is_positive(final_temperature), "final temperature", final_temperature, "above 0");
    check.require(is_positive(reheat), "reheat", reheat, "above 0");
    check.require(reheat_plateau >= 1, "reheat plateau", reheat_plateau,
                  "1 or more iterations at a temperature");
    check.probability("redraw", moves.redraw);
    check.require(moves.graft >= 0 && moves.redraw + moves.graft <= 1, "graft", moves.graft,
                  "with redraw, shares are at most 1");
    check.probability("swap", moves.swap);
    check.probability("focus", moves.focus);
}

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

/// A slave of HGSA: a chain of simulated annealing that crosses its solution with one from elsewhere.
class HgsaChain final : public Island {
public:
    /// `start` as a chromosome, or null.
    HgsaChain(std::shared_ptr<const TimedPathEncoding> encoding, const HgsaParameters& parameters,
              const Schedule* start, std::uint32_t island, std::uint64_t seed);

    EpochReport advance(std::span<const std::uint8_t> immigrant, const SearchControl& control) override;
    std::vector<std::uint8_t> save() const override;
    void load(std::span<const std::uint8_t> state) override;

private:
    using Gene = TimedConflicts::Gene;

    TimedChromosome initial(const Schedule* start);
    bool accepts(std::uint64_t before, std::uint64_t after);
    void iterate();
    void cool();
    std::uint64_t evaluate();
    void cross(const TimedChromosome& other);
    void take(const TimedChromosome& from, std::size_t first, std::size_t last);
    double changed_share() const;

    std::shared_ptr<const TimedPathEncoding> encoding_;
    HgsaParameters parameters_;
    std::uint32_t island_;
    SplitMix64 random_;
    double temperature_;
    TimedConflicts table_;
    HgsaMutation mutation_;
    TimedChromosome at_exchange_;      ///< the own parent, and what diversity is measured against
    std::uint64_t at_temperature_ = 0; ///< iterations
    bool alone_ = false;               ///< heated again, not yet at the final_temperature
    std::uint64_t epochs_ = 0;
    std::uint64_t conflicts_; ///< of the solution in the table
    std::uint64_t best_;
    std::vector<Gene> different_; ///< genes of the two parents of a crossover, ascending
};

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

/// The master: for each slave a solution drawn by roulette wheel.
std::vector<SolutionBytes> roulette(std::span<const EpochReport> reports, SplitMix64& random)
{
    std::uint64_t worst = 0;
    for (const EpochReport& report : reports)
        worst = std::max(worst, report.emigrant_conflicts);
    std::vector<double> up_to; // sums of shares
    double sum = 0;
    for (const EpochReport& report : reports)
        up_to.push_back(sum += static_cast<double>(worst - report.emigrant_conflicts + 1));
    std::vector<SolutionBytes> drawn;
    for (std::size_t slave = 0; slave < reports.size(); ++slave) {
        const auto hit = std::upper_bound(up_to.begin(), up_to.end() - 1, random.uniform() * sum);
        drawn.push_back(reports[static_cast<std::size_t>(hit - up_to.begin())].emigrant);
    }
    return drawn;
}

} // namespace

std::string describe(const HgsaParameters& parameters)
{
    const auto& [slaves, exchange, temperature, plateau, cooling, child_mutation, most_paths, slack,
                 first_hop_at_once, conflict_energy, final_temperature, hold, reheat, reheat_plateau, moves] =
        parameters;
    const auto& [redraw, graft, swap, focus, follow] = moves;
    return fmt::format("slaves {}, exchange {}, temperature {}, plateau {}, cooling {}, child mutation {}, "
                       "most paths {}, slack {}, first hop at once {}, conflict energy {}, final temperature "
                       "{}, hold {}, reheat {}, "
                       "slow plateau {}, redraw {}, graft {}, swap {}, focus {}, follow {}",
                       slaves, exchange, temperature, plateau, cooling, child_mutation, most_paths, slack,
                       first_hop_at_once, conflict_energy, final_temperature, hold, reheat, reheat_plateau,
                       redraw, graft, swap, focus, follow);
}

bool suits_hgsa(const Problem& problem)
{
    return is_broadcast(problem.collective) && !forbids_relays(problem) && !mixes_relays(problem);
}

IslandModel hgsa_model(const Problem& problem, unsigned steps, const HgsaParameters& parameters,
                       const Schedule* start)
{
    check(parameters);
    if (!suits_hgsa(problem))
        throw std::invalid_argument(fmt::format("hgsa is for broadcasts, not for {}", describe(problem)));
    const auto encoding = std::make_shared<const TimedPathEncoding>(
        problem, steps, PathLists{.slack = parameters.slack, .most_paths = parameters.most_paths},
        parameters.first_hop_at_once && problem.ports.is_all_port() ? FirstHop::at_once : FirstHop::any_step);
    const double transfers = static_cast<double>(problem.collective.messages().size()) *
                             static_cast<double>(encoding->arcs().size()) * steps;
    if (transfers > most_transfers)
        throw std::invalid_argument(
            fmt::format("hgsa: {} has too many messages, hops and steps for its tables", describe(problem)));
    const auto make = [=](std::uint32_t island, std::uint64_t seed) -> std::unique_ptr<Island> {
        return std::make_unique<HgsaChain>(encoding, parameters, start, island, seed);
    };
    return {hgsa_name, fmt::format("{}, {}", describe(parameters), describe_start(start)), parameters.slaves,
            make, roulette};
}

SearchResult search_hgsa(const Problem& problem, unsigned steps, const SearchControl& control)
{
    if (!suits_hgsa(problem))
        throw std::invalid_argument(fmt::format("hgsa is for broadcasts, not for {}", describe(problem)));
    if (farthest_hops(problem) > steps || control.end.has_come())
        return {};
    const HgsaParameters parameters;
    return search_islands(problem, steps, hgsa_model(problem, steps, parameters, control.start), control);
}

} // namespace nocturne
