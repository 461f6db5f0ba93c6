#include "sim/benes/benes.hpp"

#include "models/benes/looping.hpp"
#include "models/benes/randomized_routing.hpp"
#include "models/benes/worst_permutation.hpp"
#include "models/topology/generators.hpp"
#include "models/traffic/permutation.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/benes/benes_wormhole.hpp"
#include "sim/simulation/confidence_interval.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace nocturne {
namespace {

std::string name_of(const BenesDesign& design)
{
    return benes_name(design.q, design.n, design.truncated);
}

/// Words of a message: flits, if it is a wormhole message.
std::uint64_t words_of(const BenesDesign& design, const BenesOptions& options)
{
    return (options.message_bits + design.link_bits - 1) / design.link_bits;
}

void check(std::span<const BenesDesign> designs, const BenesOptions& options)
{
    for (const std::uint32_t samples : {options.samples, options.reference_samples})
        if (samples < 2)
            throw std::invalid_argument(
                fmt::format("{} permutations: 2 or more make a mean with an error", samples));
    if (options.message_bits == 0)
        throw std::invalid_argument("a message of 0 bits: 1 or more");
    const bool has_wormhole = std::find(options.references.begin(), options.references.end(),
                                        BenesReference::wormhole) != options.references.end();
    for (const BenesDesign& design : designs) {
        if (design.link_bits == 0)
            throw std::invalid_argument(fmt::format("{}: links of 0 bits", name_of(design)));
        if (has_wormhole && words_of(design, options) > std::numeric_limits<std::int32_t>::max())
            throw std::invalid_argument(fmt::format("{}: a wormhole message of {} flits", name_of(design),
                                                    words_of(design, options)));
    }
}

/// The permutations of one kind that a design is given.
class PermutationSamples {
public:
    /// `against`: for which randomization `worst` is the worst.
    PermutationSamples(const BenesDesign& design, const std::string& kind, Randomization against,
                       const BenesOptions& options)
        : kind_(kind), seeds_(options.seed)
    {
        const BenesWiring wiring(design.q, design.n, design.truncated);
        next_.destination.resize(wiring.lines());
        if (kind == "worst") {
            WorstSearch search{against, options.arbitration};
            // Far from where the seeds of the samples begin.
            search.seed = SplitMix64(~options.seed)();
            search.evaluations = options.search_evaluations;
            found_ = find_worst_permutation(wiring, search);
            next_.destination = found_.destination;
        } else if (kind != "random") {
            // Without chance: the same for all samples, only tags and arbitration differ.
            next_.destination = make_permutation(make_benes(design.q, design.n, design.truncated), kind);
        }
    }

    const TaggedPermutation& next()
    {
        next_.seed = seeds_();
        if (kind_ == "random")
            next_.destination =
                random_permutation(static_cast<std::uint32_t>(next_.destination.size()), next_.seed);
        return next_;
    }

    /// What is known before anything is routed.
    BenesPoint point(const BenesDesign& design, std::string randomization) const
    {
        return {.network = name_of(design),
                .switch_size = design.q,
                .digits = design.n,
                .truncated = design.truncated,
                .columns = 2 * design.n - 1 - design.truncated,
                .link_bits = design.link_bits,
                .randomization = std::move(randomization),
                .permutations = kind_,
                .search_start =
                    found_.start.empty() || found_.is_start ? found_.start : found_.start + ", climbed",
                .searched_delay = found_.searched_delay};
    }

private:
    std::string kind_;
    SplitMix64 seeds_;
    WorstPermutation found_;
    TaggedPermutation next_;
};

/// Fills in what follows from the delays of circuits, network cycles.
BenesPoint with_delays(BenesPoint point, std::span<const double> delays, const CircuitCost& cost,
                       std::uint32_t limit)
{
    point.samples = delays.size();
    const Estimate delay = estimate_mean(delays);
    point.mean_delay = delay.mean;
    point.delay_error = delay.error;
    point.most_delay = static_cast<std::uint32_t>(*std::max_element(delays.begin(), delays.end()));
    const auto all = static_cast<double>(delays.size());
    const auto within = static_cast<double>(
        std::count_if(delays.begin(), delays.end(), [&](double each) { return each <= limit; }));
    using Binomial = boost::math::binomial_distribution<>;
    point.share_within_limit = within / all;
    point.share_low = Binomial::find_lower_bound_on_p(all, within, 0.025);
    point.share_high = Binomial::find_upper_bound_on_p(all, within, 0.025);
    point.network_cycle_clocks = cost.network_cycle_clocks;
    point.rounds = cost.rounds;
    const auto clocks = static_cast<double>(cost.network_cycle_clocks * cost.rounds);
    point.mean_clocks = point.mean_delay * clocks;
    point.clocks_error = point.delay_error * clocks;
    point.most_clocks = point.most_delay * cost.network_cycle_clocks * cost.rounds;
    return point;
}

BenesPoint evaluate_randomized(const BenesDesign& design, const std::string& permutations,
                               Randomization randomization, const BenesOptions& options)
{
    const BenesWiring wiring(design.q, design.n, design.truncated);
    PermutationRouter router(wiring);
    PermutationSamples samples(design, permutations, randomization, options);
    std::vector<double> delays;
    std::uint64_t within = 0;
    for (std::uint32_t sample = 0; sample < options.samples; ++sample) {
        const TaggedPermutation& each = samples.next();
        const PermutationRun& run =
            router.route(each.destination, {randomization, options.arbitration, each.seed});
        delays.push_back(run.delay());
        within += static_cast<std::uint64_t>(
            std::count_if(run.attempts.begin(), run.attempts.end(),
                          [&](std::uint32_t attempts) { return attempts <= options.delay_limit; }));
    }
    BenesPoint point =
        with_delays(samples.point(design, randomization == Randomization::single ? "single" : "multiple"),
                    delays, circuit_cost(design, options), options.delay_limit);
    point.messages_within_limit =
        static_cast<double>(within) / (static_cast<double>(options.samples) * wiring.lines());
    return point;
}

BenesPoint evaluate_looping(const BenesDesign& design, const std::string& permutations,
                            const BenesOptions& options)
{
    const BenesWiring wiring(design.q, design.n, design.truncated);
    PermutationRouter router(wiring);
    PermutationSamples samples(design, permutations, Randomization::multiple, options);
    std::vector<double> delays;
    for (std::uint32_t sample = 0; sample < options.reference_samples; ++sample) {
        if (!router.blocked(looping(wiring, samples.next().destination)).empty())
            throw std::logic_error(fmt::format("{}: the looping algorithm left a conflict", name_of(design)));
        delays.push_back(1);
    }
    BenesPoint point = with_delays(samples.point(design, "looping"), delays, circuit_cost(design, options),
                                   options.delay_limit);
    point.messages_within_limit = 1;
    return point;
}

BenesPoint evaluate_wormhole(const BenesDesign& design, const std::string& permutations,
                             const BenesOptions& options)
{
    PermutationSamples samples(design, permutations, Randomization::multiple, options);
    std::vector<TaggedPermutation> all;
    for (std::uint32_t sample = 0; sample < options.reference_samples; ++sample)
        all.push_back(samples.next());
    const std::vector<std::uint64_t> latencies =
        wormhole_latencies(make_benes(design.q, design.n, design.truncated), all,
                           static_cast<std::uint32_t>(words_of(design, options)));
    const std::vector<double> clocks(latencies.begin(), latencies.end());
    BenesPoint point = samples.point(design, "wormhole");
    point.samples = clocks.size();
    const Estimate latency = estimate_mean(clocks);
    point.mean_clocks = latency.mean;
    point.clocks_error = latency.error;
    point.most_clocks = *std::max_element(latencies.begin(), latencies.end());
    return point;
}

} // namespace

std::vector<BenesDesign> benes_designs(std::uint32_t processors, std::uint32_t pins)
{
    std::vector<BenesDesign> designs;
    for (std::uint32_t q = 2; q <= std::min(processors, pins); ++q) {
        if (pins % q != 0)
            continue;
        std::uint64_t lines = q;
        std::uint32_t n = 1;
        for (; lines < processors; ++n)
            lines *= q;
        if (lines != processors)
            continue;
        for (std::uint32_t truncated = 0; truncated < n; ++truncated)
            designs.push_back({q, n, truncated, pins / q});
    }
    if (designs.empty())
        throw std::invalid_argument(fmt::format(
            "{} processors are no power of a switch size that divides {} pins", processors, pins));
    return designs;
}

CircuitCost circuit_cost(const BenesDesign& design, const BenesOptions& options)
{
    const std::uint64_t words = words_of(design, options);
    const std::uint64_t setup = std::uint64_t{2 * design.n - 1 - design.truncated} * options.setup_clocks;
    const bool is_whole = options.circuit == CircuitUse::message;
    return {setup + (is_whole ? words : 1) + options.release_clocks, is_whole ? 1 : words};
}

std::vector<BenesPoint> evaluate_benes(std::span<const BenesDesign> designs, const BenesOptions& options)
{
    check(designs, options);
    std::vector<Job> jobs;
    for (const BenesDesign& design : designs)
        for (const std::string& permutations : options.permutations) {
            for (const Randomization randomization : options.randomizations)
                jobs.emplace_back([&design, &permutations, &options, randomization] {
                    return nlohmann::json(evaluate_randomized(design, permutations, randomization, options));
                });
            for (const BenesReference reference : options.references) {
                if (reference == BenesReference::looping && design.truncated != 0)
                    continue;
                jobs.emplace_back([&design, &permutations, &options, reference] {
                    return nlohmann::json(reference == BenesReference::looping
                                              ? evaluate_looping(design, permutations, options)
                                              : evaluate_wormhole(design, permutations, options));
                });
            }
        }
    WorkerOptions workers;
    workers.workers = options.workers;
    workers.on_progress = options.on_progress;
    std::vector<BenesPoint> points;
    for (const nlohmann::json& result : run_jobs(jobs, workers))
        points.push_back(result.get<BenesPoint>());
    return points;
}

} // namespace nocturne
