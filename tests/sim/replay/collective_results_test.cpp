// Random problems of all collectives, with groups in any order, weights and unequal links: what every place
// of every member's result holds at the end, spelled out apart, against all that judges schedules.
#include "schedules/certificate/check_bound.hpp"
#include "schedules/formats/formats.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/schedule/schedule_json.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/replay/replay.hpp"
#include "sim/result_files/certify.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/schedules/bounds/shortest_schedule.hpp"
#include "tests/schedules/collective/drawn_collectives.hpp"
#include "tests/schedules/formats/gpu_executor.hpp"
#include "tests/schedules/formats/msccl_executor.hpp"
#include "tests/schedules/problem/random_problems.hpp"
#include "tests/schedules/schedule/plain_executor.hpp"
#include "tests/schedules/schedule/random_chunks.hpp"
#include "tests/schedules/sums/plain_sums.hpp"
#include "tests/schedules/sums/shortest_sum.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <iostream>
#include <map>
#include <random>
#include <string>

namespace nocturne::collective_results_test {

using namespace nocturne::test;

namespace {

/// By night new ones, whose first seed is printed; NOCTURNE_FIRST_SEED repeats them.
std::uint64_t first_seed()
{
    if (const char* const asked = std::getenv("NOCTURNE_FIRST_SEED"))
        return std::stoull(asked);
    return is_nightly() ? std::random_device{}() : 1;
}

std::uint64_t problem_count()
{
    return is_nightly() ? 2'000 : 40;
}

Schedule with_results(Schedule schedule, const Collective& owed)
{
    schedule.collective = owed;
    return schedule;
}

void check_demands(const Collective& made, const Collective& owed)
{
    CHECK(made.chunks == owed.chunks);
    CHECK(made.parts == owed.parts);
    const std::vector<Demand> listed = listed_demands(owed);
    CHECK(std::ranges::equal(made.demands, listed));
    if (listed.size() < owed.demands.size())
        CHECK(keeps_own(made.kind));
}

void check_file(const Schedule& schedule, const Topology& topology)
{
    const Schedule read = parse_schedule(to_json_text(schedule, topology), topology, "file");
    CHECK(read.collective == schedule.collective);
}

/// As its file says it.
void check_certificate(const Problem& problem, const Bound& bound, const std::optional<Schedule>& schedule)
{
    const TemporaryFolder folder;
    save_result(folder / "result.json", problem, bound, schedule);
    const ResultFile read = load_result(folder / "result.json");
    CHECK(read.schedule == schedule);
    const Certification certification = certify(read);
    CHECK(certification.refutations.empty());
    CHECK(certification.violations.empty());
}

/// What other tools run gets the results that their collective has, and what can be read again is valid.
void check_exports(const Schedule& schedule, const LinkNetwork& network, std::uint64_t seed,
                   std::map<std::string, std::size_t>& counts)
{
    for (const ScheduleFormat& format : schedule_formats()) {
        if (format.write == nullptr)
            continue;
        INFO(format.name);
        const WriteOptions options{.bytes_per_weight = 64, .is_in_place = seed % 2 == 0};
        std::vector<std::string> texts;
        try {
            texts = format.write(schedule, network, options);
        } catch (const std::invalid_argument&) {
            continue; // has no words for it
        }
        ++counts[std::string(format.name)];
        if (format.name == "msccl-xml") {
            const bool is_in_place = texts.front().find("inplace=\"1\"") != std::string::npos;
            CHECK(execute_msccl(texts.front(), is_in_place, seed) == "");
        }
        if (format.name == "mscclpp-json")
            CHECK(execute(nlohmann::json::parse(texts.front()), seed) == "");
        if (format.read != nullptr) {
            const ReadSchedule again = format.read(texts.front(), "file", network);
            CHECK(again.foreign.violations.empty());
            CHECK(validate(again.foreign.schedule, again.network).empty());
        }
    }
}

/// What the objective counts, in its order: of what is optimal it is the same in all schedules.
std::vector<double> optimum_of(const PortfolioResult& result, ChunkObjective objective)
{
    if (objective == ChunkObjective::time)
        return {result.cycles};
    const Schedule& schedule = *result.schedule;
    const double rounds = static_cast<double>(count_rounds(schedule)) / schedule.collective.parts;
    if (objective == ChunkObjective::bandwidth)
        return {rounds};
    return {static_cast<double>(count_steps(schedule)), rounds};
}

/// A small change that leaves the form of a schedule of messages as it is.
void change(Schedule& schedule, SplitMix64& random)
{
    const auto count = static_cast<std::uint32_t>(schedule.steps.size());
    Step& step = schedule.steps[random.below(count)];
    if (step.empty())
        return;
    const std::size_t index = random.below(static_cast<std::uint32_t>(step.size()));
    switch (random.below(4)) {
    case 0:
        step.erase(step.begin() + static_cast<std::ptrdiff_t>(index));
        break;
    case 1:
        step[index].operation = step[index].operation == Operation::add ? Operation::copy : Operation::add;
        break;
    case 2: // again, after all
        schedule.steps.push_back({step[index]});
        break;
    default:
        std::swap(step, schedule.steps[random.below(count)]);
    }
}

std::optional<Problem> draw_problem(std::uint64_t seed, AskedCollective& asked)
{
    Problem problem = random_problem(seed, 5, test::Traffic::broadcast);
    const auto processors = static_cast<std::uint32_t>(problem.topology.processor_count());
    if (processors < 2)
        return std::nullopt;
    SplitMix64 random(seed);
    asked = draw_collective(random, processors, {.most_parts = 2});
    try {
        problem.collective = make_collective(asked.kind, processors, asked.given);
        check(problem);
    } catch (const std::invalid_argument&) {
        return std::nullopt; // cannot be posed
    }
    return problem;
}

/// The fewest steps, where they can be found by trying all schedules.
std::optional<std::size_t> fewest_steps(const Problem& problem, const Collective& owed, std::size_t found)
{
    if (reduces(problem.collective)) {
        if (owed.chunks.size() > 1 || problem.topology.processor_count() > 4 ||
            problem.topology.channel_count() > 10 || found > 3)
            return std::nullopt;
        return fewest_steps_of_one(problem, owed, found);
    }
    return shortest_schedule(problem, 20'000);
}

} // namespace

TEST_CASE("in steps every place of every result is right, judges agree, and no bound is above the optimum",
          "[collective_results][steps]")
{
    const std::uint64_t first = first_seed();
    std::map<std::string, std::size_t> counts;
    for (std::uint64_t seed = first; counts["problems"] < problem_count(); ++seed) {
        AskedCollective asked{};
        const auto problem = draw_problem(seed, asked);
        if (!problem)
            continue;
        ++counts["problems"];
        CAPTURE(seed, describe(*problem));
        SplitMix64 random(seed);
        const Collective owed = spelled_out(asked);
        check_demands(problem->collective, owed);
        // Rounds, not seconds: what is found does not depend on the machine.
        const PortfolioOptions options{
            .budget = std::chrono::seconds(60), .most_rounds = 2, .seed = seed, .workers = 1};
        const PortfolioResult result = find_schedule(*problem, options);
        CHECK(refute(*problem, result.bound()) == std::nullopt);
        check_certificate(*problem, result.bound(), result.schedule);
        if (!result.schedule)
            continue;
        ++counts["schedules"];
        const Schedule& schedule = *result.schedule;
        CHECK(objection_to(schedule, *problem) == std::nullopt);
        CHECK(sums_are_right(with_results(schedule, owed)));
        CHECK(result.bound().steps <= schedule.steps.size());
        check_file(schedule, problem->topology);
        if (const auto fewest = fewest_steps(*problem, owed, schedule.steps.size())) {
            ++counts["optima"];
            CHECK(result.bound().steps <= *fewest);
            CHECK(*fewest <= schedule.steps.size());
            if (result.is_optimal)
                CHECK(schedule.steps.size() == *fewest);
        }
        for (int changes = 0; changes < 4; ++changes) {
            Schedule changed = schedule;
            change(changed, random);
            if (validate(changed, problem->topology).empty()) {
                ++counts["changed and valid"];
                CHECK(sums_are_right(with_results(changed, owed)));
            }
        }
        if (is_tried(seed, 4) && is_tried(seed / 4, 4))
            for (const NetworkModel model : {NetworkModel::flit, NetworkModel::worm}) {
                SimulationOptions run;
                run.message_bytes = 8;
                run.model = model;
                const ReplayResult replayed =
                    replay(with_results(schedule, owed), problem->topology, Synchronization::barrier, run);
                ++counts["replays"];
                CHECK(replayed.violations.empty());
                CHECK(replayed.run.memory_ok);
                CHECK(replayed.run.messages_owed == owed.demands.size());
            }
    }
    std::cout << "in steps from seed " << first << ':';
    for (const auto& [what, count] : counts)
        std::cout << ' ' << count << ' ' << what << ',';
    std::cout << '\n';
    CHECK(counts["schedules"] * 10 >= counts["problems"] * 9);
    CHECK(counts["optima"] > 0);
}

TEST_CASE(
    "of chunks every place of every result is right, judges agree, and the order of a group only numbers",
    "[collective_results][chunks]")
{
    const std::uint64_t first = first_seed();
    std::map<std::string, std::size_t> counts;
    for (std::uint64_t seed = first; counts["problems"] < problem_count(); ++seed) {
        SplitMix64 random(seed);
        const Topology topology = random_chunk_network(random, false);
        const LinkNetwork network = link_network_of(topology);
        const AskedCollective asked = draw_collective(
            random, network.processor_count(), {.is_weighted = true, .sums_of_some = true, .most_parts = 1});
        ChunkProblem problem{.network = network,
                             .collective = make_collective(asked.kind, asked.processors, asked.given)};
        ++counts["problems"];
        if (random.below(2) == 0)
            problem.parts = 1 + random.below(2);
        problem.objective = static_cast<ChunkObjective>(random.below(3));
        problem.bytes = 64U << random.below(8);
        problem.start_cycles = 5 * random.below(2);
        problem.latency_holds_link = random.below(4) == 0;
        INFO("seed " << seed << ", " << describe(problem));
        const PortfolioOptions options{.budget = std::chrono::milliseconds(50), .seed = seed, .workers = 1};
        const PortfolioResult result = find_schedule(problem, options);
        REQUIRE(result.schedule);
        const Schedule& schedule = *result.schedule;
        AskedCollective cut = asked;
        cut.given.parts = schedule.collective.parts;
        const Collective owed = spelled_out(cut);
        check_demands(schedule.collective, owed);
        CHECK(validate(schedule, network).empty());
        CHECK(failure_of(with_results(schedule, owed), network, random) == "");
        CHECK(refutations(result.bounds, network, schedule.collective).empty());
        check_file(schedule, topology);
        check_exports(schedule, network, seed, counts);
        const bool in_steps = is_in_steps(schedule);
        if (in_steps && result.bounds.steps)
            CHECK(result.bounds.steps->steps <= count_steps(schedule));
        if (in_steps && result.bounds.rounds)
            CHECK(result.bounds.rounds->rounds.numerator <=
                  count_rounds(schedule) * result.bounds.rounds->rounds.denominator);
        if (result.bounds.cycles)
            CHECK(result.bounds.cycles->cycles <= result.cycles * (1 + 1e-9));
        for (int changes = 0; changes < 4; ++changes) {
            Schedule changed = schedule;
            mutate(changed, network, random);
            const bool keeps_places = changed.collective == schedule.collective &&
                                      changed.inputs == schedule.inputs &&
                                      changed.outputs == schedule.outputs;
            if (keeps_places && validate(changed, network).empty()) {
                ++counts["changed and valid"];
                CHECK(failure_of(with_results(changed, owed), network, random) == "");
            }
        }
        if (is_tried(seed, 4)) {
            ChunkProblem other = problem;
            const AskedCollective renumbered = in_another_order(asked, random);
            other.collective = make_collective(renumbered.kind, renumbered.processors, renumbered.given);
            const PortfolioResult again = find_schedule(other, options);
            REQUIRE(again.schedule);
            if (result.is_optimal && again.is_optimal) {
                ++counts["optimal in two orders"];
                CHECK_THAT(optimum_of(again, problem.objective),
                           Catch::Matchers::Approx(optimum_of(result, problem.objective)));
            }
        }
        if (is_tried(seed, 4) && is_tried(seed / 4, 4))
            for (const NetworkModel model : {NetworkModel::flit, NetworkModel::worm}) {
                SimulationOptions run;
                run.hardware.buffer_flits = 0;
                run.hardware.vcs = 2;
                run.message_bytes = 8;
                run.model = model;
                const RunResult replayed =
                    replay(with_results(schedule, owed), topology, Synchronization::barrier, run).run;
                ++counts["replays"];
                CHECK(replayed.memory_ok);
                CHECK(replayed.messages_owed == owed.demands.size());
            }
    }
    std::cout << "of chunks from seed " << first << ':';
    for (const auto& [what, count] : counts)
        std::cout << ' ' << count << ' ' << what << ',';
    std::cout << '\n';
    CHECK(counts["optimal in two orders"] > 0);
}

} // namespace nocturne::collective_results_test
