// Delays in network cycles of randomized routing, and references: what measure.py reads as clock cycles in
// each way.
#include "models/benes/randomized_routing.hpp"
#include "models/benes/worst_permutation.hpp"
#include "models/traffic/permutation.hpp"
#include "sim/benes/benes.hpp"
#include "sim/report/progress.hpp"
#include "testbenches/benes_design_space/share.hpp"
#include "testbenches/driver/columns.hpp"
#include "testbenches/driver/measured.hpp"

#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <utility>

namespace {

using namespace nocturne;
using namespace nocturne::benes_design_space;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A design under one kind of permutations.
struct Row {
    std::uint32_t processors;   ///< 0: of the networks B(q,2)
    std::string kind;           ///< `random`, `named`, `worst`, `lowest port`, `reference`
    std::uint64_t message_bits; ///< of references
    BenesPoint point;

    std::uint32_t unavoidable_delay() const
    {
        return nocturne::unavoidable_delay({point.switch_size, point.digits, point.truncated});
    }
    /// Of the networks B(q,2) with single randomization, which their share of permutations cannot exceed.
    std::optional<double> most_share() const
    {
        if (processors != 0 || point.randomization != "single")
            return std::nullopt;
        return most_share_within(point.switch_size, BenesOptions{}.delay_limit);
    }
};

/// Evaluates designs as the settings say, and appends the points.
class Experiment {
public:
    explicit Experiment(const nlohmann::json& settings) : settings_(settings) {}

    /// Wall-clock time that it took, seconds.
    double add(std::uint32_t processors, const std::string& kind, std::span<const BenesDesign> designs,
               BenesOptions options)
    {
        ProgressLine progress(processors == 0 ? "B(q,2), " + kind
                                              : fmt::format("{} processors, {}", processors, kind));
        options.search_evaluations = settings_.at("search_evaluations");
        options.seed = settings_.at("seed");
        options.workers = settings_.at("workers");
        const Clock::time_point begin = Clock::now();
        options.on_progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
        for (BenesPoint& point : evaluate_benes(designs, options))
            rows_.push_back({processors, kind, options.message_bits, std::move(point)});
        return seconds_since(begin);
    }

    /// Every design of a machine size, random arbitration unless said otherwise; the time of random
    /// permutations.
    double add_machine(std::uint32_t processors)
    {
        const std::vector<BenesDesign> designs = benes_designs(processors, settings_.at("pins"));
        BenesOptions random;
        random.samples = settings_.at("samples");
        BenesOptions lowest_port = random;
        lowest_port.randomizations = {Randomization::multiple};
        lowest_port.arbitration = Arbitration::lowest_port;
        BenesOptions worst;
        worst.permutations = {"worst"};
        worst.samples = settings_.at("adversary_samples");
        BenesOptions named = worst;
        named.randomizations = {Randomization::multiple};
        named.permutations = {"reversal", "transpose", "tornado", "complement", "shuffle"};
        const double seconds = add(processors, "random", designs, random);
        add(processors, "named", designs, named);
        add(processors, "worst", designs, worst);
        add(processors, "lowest port", designs, lowest_port);
        return seconds;
    }

    /// Every B(q,2) with random permutations; where q is a power of two with the worst ones that were found,
    /// too.
    void add_clos()
    {
        std::vector<BenesDesign> all;
        std::vector<BenesDesign> powers;
        for (std::uint32_t q = 2; q <= settings_.at("clos_largest").get<std::uint32_t>(); ++q) {
            all.push_back({q, 2, 0, 1});
            if (std::has_single_bit(q))
                powers.push_back(all.back());
        }
        BenesOptions options;
        options.samples = settings_.at("clos_samples");
        add(0, "random", all, options);
        options.permutations = {"worst"};
        add(0, "worst", powers, options);
    }

    /// Random permutations with messages of so many bits, multiple, and all references.
    void add_references(std::uint64_t message_bits)
    {
        BenesOptions options;
        options.randomizations = {Randomization::multiple};
        options.references = {BenesReference::looping, BenesReference::wormhole};
        options.samples = settings_.at("samples");
        options.reference_samples = settings_.at("reference_samples");
        options.message_bits = message_bits;
        const std::uint32_t processors = settings_.at("reference_processors");
        add(processors, "reference", benes_designs(processors, settings_.at("pins")), options);
    }

    const std::vector<Row>& rows() const { return rows_; }

private:
    const nlohmann::json& settings_;
    std::vector<Row> rows_;
};

Table table_of_points(const std::vector<Row>& rows)
{
    const auto point = [](auto member) { return [=](const Row& row) { return row.point.*member; }; };
    return table_of("Points", rows,
                    {{"processors", "", &Row::processors},
                     {"kind", "", &Row::kind},
                     {"message_bits", "", &Row::message_bits},
                     {"network", "", point(&BenesPoint::network)},
                     {"switch_size", "", point(&BenesPoint::switch_size)},
                     {"digits", "", point(&BenesPoint::digits)},
                     {"truncated", "", point(&BenesPoint::truncated)},
                     {"columns", "", point(&BenesPoint::columns)},
                     {"link_bits", "", point(&BenesPoint::link_bits)},
                     {"randomization", "", point(&BenesPoint::randomization)},
                     {"permutations", "", point(&BenesPoint::permutations)},
                     {"search_start", "", point(&BenesPoint::search_start)},
                     {"searched_delay", "", point(&BenesPoint::searched_delay), 2},
                     {"samples", "", point(&BenesPoint::samples)},
                     {"mean_delay", "", point(&BenesPoint::mean_delay), 2},
                     {"delay_error", "", point(&BenesPoint::delay_error), 2},
                     {"most_delay", "", point(&BenesPoint::most_delay)},
                     {"share", "", point(&BenesPoint::share_within_limit), 4},
                     {"share_low", "", point(&BenesPoint::share_low), 4},
                     {"share_high", "", point(&BenesPoint::share_high), 4},
                     {"most_share", "", &Row::most_share, 4},
                     {"messages_within_limit", "", point(&BenesPoint::messages_within_limit), 6},
                     {"mean_clocks", "", point(&BenesPoint::mean_clocks), 1},
                     {"clocks_error", "", point(&BenesPoint::clocks_error), 1},
                     {"unavoidable_delay", "", &Row::unavoidable_delay}});
}

/// Wall-clock time to route one permutation over B(2,12) with multiple randomization, the mean over many, ms.
double milliseconds_for_a_permutation()
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
    return 1000 * seconds / count;
}

testbench::Measured measure(const nlohmann::json& settings)
{
    Experiment experiment(settings);
    Table speed{"Wall-clock time", {{"what", "", Align::left}, {"time", "ms"}}, {}};
    for (const std::uint32_t processors : settings.at("processors"))
        speed.add_row({fmt::format("all designs of {} processors, random permutations", processors),
                       Real{1000 * experiment.add_machine(processors), 0}});
    speed.add_row({std::string("one permutation over B(2,12)"), Real{milliseconds_for_a_permutation(), 2}});
    experiment.add_clos();
    for (const std::uint64_t bits : settings.at("reference_bits"))
        experiment.add_references(bits);
    return {{{"points", table_of_points(experiment.rows())}, {"speed", speed}}};
}

} // namespace

int main(int argc, char* argv[])
{
    return testbench::run(argc, argv, "benes_design_space", measure);
}
