#include "sim/experiment/benes.hpp"

#include "models/benes/randomized_routing.hpp"
#include "models/topology/multistage.hpp"
#include "models/traffic/permutation.hpp"
#include "schedules/workers/workers.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace nocturne {
namespace {

std::string name_of(const BenesDesign& design)
{
    return benes_name(design.q, design.n, design.truncated);
}

void check(std::span<const BenesDesign> designs, const BenesOptions& options)
{
    if (options.samples < 2)
        throw std::invalid_argument(
            fmt::format("{} permutations: 2 or more make a mean with an error", options.samples));
    if (options.message_bits == 0)
        throw std::invalid_argument("a message of 0 bits: 1 or more");
    for (const BenesDesign& design : designs)
        if (design.link_bits == 0)
            throw std::invalid_argument(fmt::format("{}: links of 0 bits", name_of(design)));
}

/// Half of the 95 % confidence interval of the mean of independent samples.
double error_of_mean(std::span<const std::uint32_t> samples, double mean)
{
    double squares = 0;
    for (const std::uint32_t sample : samples)
        squares += (sample - mean) * (sample - mean);
    const auto count = static_cast<double>(samples.size());
    const boost::math::students_t distribution(count - 1);
    return boost::math::quantile(distribution, 0.975) * std::sqrt(squares / (count - 1) / count);
}

/// One design under one kind of permutations.
BenesPoint evaluate(const BenesDesign& design, const std::string& permutations, Randomization randomization,
                    const BenesOptions& options)
{
    const BenesWiring wiring(design.q, design.n, design.truncated);
    PermutationRouter router(wiring);
    Permutation permutation;
    // A permutation without chance is the same for all samples, only tags and arbitration differ.
    if (permutations != "random")
        permutation = make_permutation(make_benes(design.q, design.n, design.truncated), permutations);
    std::vector<std::uint32_t> delays;
    SplitMix64 seeds(options.seed);
    for (std::uint32_t sample = 0; sample < options.samples; ++sample) {
        const std::uint64_t seed = seeds();
        if (permutations == "random")
            permutation = random_permutation(wiring.lines(), seed);
        delays.push_back(router.route(permutation, {randomization, options.arbitration, seed}).delay());
    }
    BenesPoint point{.network = name_of(design),
                     .switch_size = design.q,
                     .digits = design.n,
                     .truncated = design.truncated,
                     .columns = wiring.columns(),
                     .link_bits = design.link_bits,
                     .randomization = randomization == Randomization::single ? "single" : "multiple",
                     .permutations = permutations,
                     .samples = delays.size()};
    double sum = 0;
    for (const std::uint32_t delay : delays)
        sum += delay;
    point.mean_delay = sum / static_cast<double>(delays.size());
    point.delay_error = error_of_mean(delays, point.mean_delay);
    point.most_delay = *std::max_element(delays.begin(), delays.end());
    const auto within = std::count_if(delays.begin(), delays.end(),
                                      [&](std::uint32_t delay) { return delay <= options.delay_limit; });
    point.share_within_limit = static_cast<double>(within) / static_cast<double>(delays.size());
    const std::uint64_t words = (options.message_bits + design.link_bits - 1) / design.link_bits;
    point.network_cycle_clocks =
        std::uint64_t{wiring.columns()} * options.setup_clocks + words + options.release_clocks;
    point.mean_clocks = point.mean_delay * static_cast<double>(point.network_cycle_clocks);
    point.most_clocks = point.most_delay * point.network_cycle_clocks;
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

std::vector<BenesPoint> evaluate_benes(std::span<const BenesDesign> designs, const BenesOptions& options)
{
    check(designs, options);
    std::vector<Job> jobs;
    for (const BenesDesign& design : designs)
        for (const std::string& permutations : options.permutations)
            for (const Randomization randomization : options.randomizations)
                jobs.emplace_back(
                    [=] { return nlohmann::json(evaluate(design, permutations, randomization, options)); });
    WorkerOptions workers;
    workers.workers = options.workers;
    workers.on_progress = options.on_progress;
    std::vector<BenesPoint> points;
    for (const nlohmann::json& result : run_jobs(jobs, workers))
        points.push_back(result.get<BenesPoint>());
    return points;
}

} // namespace nocturne
