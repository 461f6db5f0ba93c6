#include "models/benes/worst_permutation.hpp"

#include "models/benes/randomized_routing.hpp"
#include "models/traffic/permutation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <span>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

/// Digit i of the destination, from the lowest, is digit from[i] of the source.
Permutation move_digits(std::uint32_t lines, std::uint32_t base, std::span<const std::uint32_t> from)
{
    std::vector<std::uint32_t> powers(from.size(), 1);
    for (std::size_t i = 1; i < powers.size(); ++i)
        powers[i] = powers[i - 1] * base;
    Permutation destination(lines, 0);
    for (std::uint32_t source = 0; source < lines; ++source)
        for (std::size_t i = 0; i < from.size(); ++i)
            destination[source] += source / powers[from[i]] % base * powers[i];
    return destination;
}

class StructuredList {
public:
    explicit StructuredList(std::uint32_t lines) : lines_(lines) {}

    /// Unless it is there under another name.
    void add(std::string name, Permutation destination)
    {
        const auto is_equal = [&](const StructuredPermutation& other) {
            return other.destination == destination;
        };
        if (std::none_of(list_.begin(), list_.end(), is_equal))
            list_.push_back({std::move(name), std::move(destination)});
    }
    /// All rotations of the addresses' digits, in order and reversed.
    void add_digits(const char* what, std::uint32_t base, std::uint32_t digits)
    {
        for (std::uint32_t rotation = 0; rotation < digits; ++rotation) {
            std::vector<std::uint32_t> from(digits);
            for (std::uint32_t i = 0; i < digits; ++i)
                from[(i + rotation) % digits] = i;
            const std::string rotated = rotation == 0 ? "" : fmt::format(" rotated by {}", rotation);
            add(rotation == 0 ? "identity" : what + rotated, move_digits(lines_, base, from));
            for (std::uint32_t& digit : from)
                digit = digits - 1 - digit;
            add(fmt::format("reversed {}{}", what, rotated), move_digits(lines_, base, from));
        }
    }
    void add_formula(std::string name, const std::function<std::uint32_t(std::uint32_t)>& to)
    {
        Permutation destination(lines_);
        for (std::uint32_t source = 0; source < lines_; ++source)
            destination[source] = to(source) % lines_;
        add(std::move(name), std::move(destination));
    }
    std::vector<StructuredPermutation> take() { return std::move(list_); }

private:
    std::uint32_t lines_;
    std::vector<StructuredPermutation> list_;
};

void check(const WorstSearch& search)
{
    const auto require = [](std::uint32_t value, const char* what) {
        if (value == 0)
            throw std::invalid_argument(fmt::format("a search for the worst permutation with 0 {}", what));
    };
    require(search.tags, "tags");
    require(search.evaluations, "evaluations");
    require(search.climbs, "climbs");
}

/// A permutation on the way up. Delays are sums over the tags.
struct Candidate {
    std::string start;
    Permutation destination;
    std::uint64_t delay = 0;
    bool is_start = true;
};

class LocalSearch {
public:
    LocalSearch(const BenesWiring& wiring, const WorstSearch& search)
        : wiring_(wiring), search_(search), router_(wiring), random_(search.seed), left_(search.evaluations),
          seen_(draw_tags()), unseen_(draw_tags())
    {
    }

    WorstPermutation run()
    {
        std::vector<Candidate> finalists = starts();
        const std::uint32_t share = left_ / static_cast<std::uint32_t>(finalists.size());
        for (std::size_t i = 0, count = finalists.size(); i < count; ++i) {
            Candidate end = climb(finalists[i], share);
            if (!end.is_start)
                finalists.push_back(std::move(end));
        }
        return judge(finalists);
    }

private:
    std::vector<std::uint64_t> draw_tags()
    {
        std::vector<std::uint64_t> seeds(search_.tags);
        std::generate(seeds.begin(), seeds.end(), [&] { return random_(); });
        return seeds;
    }
    std::uint64_t delay(const Permutation& destination, std::span<const std::uint64_t> tags)
    {
        std::uint64_t sum = 0;
        for (const std::uint64_t seed : tags)
            sum += router_.route(destination, {search_.randomization, search_.arbitration, seed}).delay();
        return sum;
    }
    Candidate evaluated(std::string name, Permutation destination)
    {
        --left_;
        const std::uint64_t sum = delay(destination, seen_);
        return {std::move(name), std::move(destination), sum};
    }

    /// The worst structured permutations, then random ones; as far as the budget goes.
    std::vector<Candidate> starts()
    {
        const std::uint32_t random_starts = search_.climbs / 2;
        std::vector<Candidate> found;
        for (StructuredPermutation& each : structured_permutations(wiring_)) {
            if (left_ == 0)
                break;
            found.push_back(evaluated(std::move(each.name), std::move(each.destination)));
        }
        std::stable_sort(found.begin(), found.end(),
                         [](const Candidate& a, const Candidate& b) { return a.delay > b.delay; });
        found.resize(std::min<std::size_t>(found.size(), search_.climbs - random_starts));
        for (std::uint32_t i = 0; i < random_starts && left_ > 0; ++i)
            found.push_back(
                evaluated(fmt::format("random {}", i + 1), random_permutation(wiring_.lines(), random_())));
        return found;
    }

    Candidate climb(Candidate at, std::uint32_t evaluations)
    {
        for (; evaluations > 0; --evaluations) {
            const std::uint32_t a = random_.below(wiring_.lines());
            const std::uint32_t b = random_.below(wiring_.lines());
            std::swap(at.destination[a], at.destination[b]);
            if (const std::uint64_t sum = delay(at.destination, seen_); sum >= at.delay) {
                at.delay = sum;
                at.is_start = at.is_start && a == b;
            } else {
                std::swap(at.destination[a], at.destination[b]);
            }
        }
        return at;
    }

    WorstPermutation judge(std::vector<Candidate>& finalists)
    {
        std::vector<std::uint64_t> judged;
        for (const Candidate& each : finalists)
            judged.push_back(delay(each.destination, unseen_));
        const auto worst = std::max_element(judged.begin(), judged.end());
        Candidate& found = finalists[static_cast<std::size_t>(worst - judged.begin())];
        const auto mean = [&](std::uint64_t sum) { return static_cast<double>(sum) / search_.tags; };
        return {std::move(found.destination), std::move(found.start), found.is_start, mean(found.delay),
                mean(*worst)};
    }

    const BenesWiring& wiring_;
    const WorstSearch search_;
    PermutationRouter router_;
    SplitMix64 random_;
    std::uint32_t left_; ///< of the budget
    std::vector<std::uint64_t> seen_;
    std::vector<std::uint64_t> unseen_;
};

} // namespace

std::uint32_t unavoidable_delay(const BenesWiring& wiring)
{
    std::uint32_t delay = 1;
    for (unsigned i = 0; i < std::min(wiring.truncated(), wiring.digits() / 2); ++i)
        delay *= wiring.switch_size();
    return delay;
}

std::vector<StructuredPermutation> structured_permutations(const BenesWiring& wiring)
{
    const std::uint32_t lines = wiring.lines();
    StructuredList list(lines);
    list.add_digits("digits", wiring.switch_size(), wiring.digits());
    if (std::has_single_bit(lines))
        list.add_digits("bits", 2, static_cast<std::uint32_t>(std::countr_zero(lines)));
    list.add_formula("complement", [=](std::uint32_t source) { return lines - 1 - source; });
    list.add_formula("tornado", [=](std::uint32_t source) { return source + (lines + 1) / 2 - 1; });
    list.add_formula("neighbour", [](std::uint32_t source) { return source + 1; });
    return list.take();
}

WorstPermutation find_worst_permutation(const BenesWiring& wiring, const WorstSearch& search)
{
    check(search);
    return LocalSearch(wiring, search).run();
}

} // namespace nocturne
