#include "schedules/evolution/hgsa_conflicts.hpp"
#include "schedules/evolution/hgsa_moves.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/evolution/count_conflicts.hpp"
#include "tests/schedules/problem/problem_rows.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace nocturne::hgsa_chromosome_test {

using namespace nocturne::test;

namespace {

Problem broadcast_on(const std::string& network, PortModel ports)
{
    Problem problem = problem_in_words(network, "allgather");
    problem.ports = ports;
    return problem;
}

/// All networks whose conflicts are checked, each with a schedule's worth of steps to spare or not.
std::vector<Problem> many_problems()
{
    std::vector<Problem> problems;
    for (const PortModel ports : {one_port, PortModel{2}, all_port})
        for (const char* const network : {"mesh:3x3", "hypercube:3", "coated_mesh:3x3", "fat_octagon:8",
                                          "octagon:8", "omega:8", "kautz:2,2", "mesh:1x4"})
            problems.push_back(broadcast_on(network, ports));
    problems.push_back(problem_in_words("fat_octagon:8", "allgather ports=1 hops"));
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
        if (Problem problem = test::random_problem(seed, 7, test::Traffic::broadcast); !problem.slack)
            problems.push_back(std::move(problem));
    return problems;
}

/// Transfers of a timed chromosome that break a limit of their step, counted from channels and ports alone:
/// is it free of conflicts?
bool is_conflict_free(const TimedPathEncoding& encoding, const TimedChromosome& chromosome)
{
    const Problem& problem = encoding.problem();
    std::set<std::tuple<unsigned, MessageId, std::uint32_t>> transfers;
    for (std::uint32_t i = 0; i < encoding.genes().size(); ++i) {
        const auto& gene = encoding.genes()[i];
        TimedPath path = chromosome.paths[i];
        for (std::uint32_t z = encoding.hops(path); z-- > 0; path = encoding.parent(path))
            transfers.emplace(chromosome.steps[gene.first_step + z], gene.message, encoding.last_arc(path));
    }
    std::map<std::pair<unsigned, ChannelId>, unsigned> channels;
    std::map<std::pair<unsigned, ProcessorId>, unsigned> sends;
    std::map<std::pair<unsigned, ProcessorId>, unsigned> receives;
    bool free = true;
    for (const auto& [step, message, arc] : transfers) {
        const auto& [source, destination, path] = encoding.arcs()[arc];
        for (const ChannelId channel : path)
            free = free && ++channels[{step, channel}] <= 1;
        free = free && ++sends[{step, source}] <= send_ports(problem.topology, source, problem.ports);
        free = free &&
               ++receives[{step, destination}] <= receive_ports(problem.topology, destination, problem.ports);
    }
    return free;
}

} // namespace

TEST_CASE("conflicts are counted exactly, change by change", "[evolution][hgsa]")
{
    const unsigned slack = GENERATE(0u, 1u);
    for (const Problem& problem : many_problems()) {
        const TimedPathEncoding encoding(problem, farthest_hops(problem) + 2,
                                         {.slack = slack, .most_paths = 30});
        SplitMix64 random(7);
        TimedConflicts table(encoding, encoding.random_chromosome(random));
        HgsaMutation mutation(table, {});
        for (unsigned round = 0; round < 200; ++round) {
            const TimedChromosome before = table.chromosome();
            const std::uint64_t conflicts = table.conflicts();
            mutation.change(random);
            REQUIRE(encoding.admits(table.chromosome()));
            if (round % 8 == 0)
                REQUIRE(table.conflicts() == count_conflicts(encoding, table.chromosome()));
            if (round % 3 == 0) {
                mutation.undo();
                REQUIRE(table.chromosome() == before);
                REQUIRE(table.conflicts() == conflicts);
            }
        }
        const TimedChromosome other = encoding.random_chromosome(random);
        table.assign(other);
        CHECK(table.chromosome() == other);
        CHECK(table.conflicts() == count_conflicts(encoding, other));
    }
}

TEST_CASE("no conflicts are left exactly if all limits hold, and the schedule is valid then",
          "[evolution][hgsa]")
{
    unsigned valid = 0;
    for (const Problem& problem : many_problems()) {
        const auto processors = static_cast<unsigned>(problem.topology.processor_count());
        const TimedPathEncoding encoding(problem, farthest_hops(problem) + 2 * processors, {.slack = 1});
        SplitMix64 random(5);
        TimedConflicts table(encoding, encoding.random_chromosome(random));
        HgsaMutation mutation(table, {});
        for (unsigned i = 0; i < 20'000 && table.conflicts() > 0; ++i) { // downhill
            const std::uint64_t before = table.conflicts();
            mutation.change(random);
            if (table.conflicts() > before)
                mutation.undo();
            if (i % 500 == 0)
                CHECK((table.conflicts() == 0) == is_conflict_free(encoding, table.chromosome()));
        }
        if (table.conflicts() > 0)
            continue;
        ++valid;
        CHECK(is_conflict_free(encoding, table.chromosome()));
        Schedule schedule = empty_schedule(problem, "test");
        schedule.steps = encoding.decode(table.chromosome());
        for (const Violation& violation : validate(schedule, problem.topology))
            FAIL_CHECK(describe(problem) << ": " << violation.text);
        // What shortest paths can say of it is kept: the same deliveries at the same steps, without
        // conflicts.
        const TimedChromosome again = encoding.encode(schedule, table.chromosome());
        CHECK(encoding.admits(again));
        CHECK(count_conflicts(encoding, again) == 0);
    }
    CHECK(valid > 30);
}

TEST_CASE("first hops at once are made in the first step, the others at any later one", "[evolution][hgsa]")
{
    const Problem problem = problem_in_words("mesh:4x1", "allgather");
    const TimedPathEncoding encoding(problem, 5, {}, FirstHop::at_once);
    SplitMix64 random(1);
    std::set<std::uint16_t> second;
    for (unsigned i = 0; i < 200; ++i) {
        const TimedChromosome chromosome = encoding.random_chromosome(random);
        REQUIRE(encoding.admits(chromosome));
        for (std::uint32_t gene = 0; gene < encoding.genes().size(); ++gene) {
            const std::uint32_t first = encoding.genes()[gene].first_step;
            CHECK(chromosome.steps[first] == 0);
            if (encoding.hops(chromosome.paths[gene]) == 2)
                second.insert(chromosome.steps[first + 1]);
        }
    }
    CHECK(second == std::set<std::uint16_t>{1, 2, 3, 4});
}

} // namespace nocturne::hgsa_chromosome_test
