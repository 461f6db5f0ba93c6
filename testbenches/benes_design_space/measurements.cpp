#include "testbenches/benes_design_space/measurements.hpp"

#include "models/benes/randomized_routing.hpp"
#include "models/traffic/permutation.hpp"
#include "sim/report/progress.hpp"

#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <utility>

namespace nocturne::benes_design_space {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::vector<BenesPoint> evaluate(const std::string& what, std::span<const BenesDesign> designs,
                                 BenesOptions options, const DesignSpaceOptions& space)
{
    ProgressLine progress(what);
    options.search_evaluations = space.search_evaluations;
    options.seed = space.seed;
    options.workers = space.workers;
    options.on_progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
    return evaluate_benes(designs, options);
}

} // namespace

Machine measure(std::uint32_t processors, const DesignSpaceOptions& space)
{
    const std::vector<BenesDesign> designs = benes_designs(processors, space.pins);
    const auto run = [&](const char* what, BenesOptions options) {
        return evaluate(fmt::format("{} processors, {}", processors, what), designs, std::move(options),
                        space);
    };
    BenesOptions random;
    random.samples = space.samples;
    BenesOptions lowest_port = random;
    lowest_port.randomizations = {Randomization::multiple};
    lowest_port.arbitration = Arbitration::lowest_port;
    BenesOptions worst;
    worst.permutations = {"worst"};
    worst.samples = space.adversary_samples;
    BenesOptions named = worst;
    named.randomizations = {Randomization::multiple};
    named.permutations = {"reversal", "transpose", "tornado", "complement", "shuffle"};

    Machine machine;
    machine.processors = processors;
    const Clock::time_point begin = Clock::now();
    machine.random = run("random permutations", random);
    machine.random_seconds = seconds_since(begin);
    machine.named = run("permutations with a name", named);
    machine.worst = run("worst permutations", worst);
    machine.lowest_port = run("arbitration by port", lowest_port);
    return machine;
}

std::vector<BenesPoint> measure_clos(const DesignSpaceOptions& space)
{
    std::vector<BenesDesign> all;
    std::vector<BenesDesign> powers;
    for (std::uint32_t q = 2; q <= space.clos_largest; ++q) {
        all.push_back({q, 2, 0, 1});
        if (std::has_single_bit(q))
            powers.push_back(all.back());
    }
    BenesOptions options;
    options.samples = space.clos_samples;
    std::vector<BenesPoint> points = evaluate("B(q,2)", all, options, space);
    options.permutations = {"worst"};
    const std::vector<BenesPoint> worst = evaluate("B(q,2), worst permutations", powers, options, space);
    points.insert(points.end(), worst.begin(), worst.end());
    return points;
}

std::vector<BenesPoint> measure_references(std::uint64_t message_bits, const DesignSpaceOptions& space)
{
    BenesOptions options;
    options.randomizations = {Randomization::multiple};
    options.references = {BenesReference::looping, BenesReference::wormhole};
    options.samples = space.samples;
    options.reference_samples = space.reference_samples;
    options.message_bits = message_bits;
    return evaluate(fmt::format("references, {} bits", message_bits),
                    benes_designs(space.reference_processors, space.pins), options, space);
}

double seconds_for_a_permutation()
{
    const BenesWiring wiring(2, 12);
    PermutationRouter router(wiring);
    constexpr std::uint64_t count = 100;
    double seconds = 0;
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
        const Permutation permutation = random_permutation(wiring.lines(), seed);
        const Clock::time_point begin = Clock::now();
        router.route(permutation, {.seed = seed});
        seconds += seconds_since(begin);
    }
    return seconds / count;
}

} // namespace nocturne::benes_design_space
