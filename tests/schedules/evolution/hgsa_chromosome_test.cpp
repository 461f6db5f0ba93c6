#include "models/topology/faults.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/evolution/hgsa_conflicts.hpp"
#include "schedules/evolution/hgsa_moves.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/evolution/count_conflicts.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace nocturne::hgsa_chromosome_test {

using namespace nocturne::test;

namespace {

Problem broadcast_on(const std::string& network, PortModel ports, Switching switching = Switching::wormhole)
{
    Topology topology = make_topology(network);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    Problem problem = make_problem(std::move(topology), allgather({processors}));
    problem.ports = ports;
    problem.switching = switching;
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
    problems.push_back(broadcast_on("fat_octagon:8", one_port, Switching::store_and_forward));
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

TEST_CASE("genes hold shortest paths and steps in their intervals", "[evolution][hgsa]")
{
    const unsigned slack = GENERATE(0u, 2u);
    for (const Problem& problem : many_problems()) {
        const unsigned steps = farthest_hops(problem) + 3;
        const TimedPathEncoding encoding(problem, steps, {.slack = slack, .most_paths = 40});
        SplitMix64 random(3);
        const TimedChromosome chromosome = encoding.random_chromosome(random);
        REQUIRE(encoding.admits(chromosome));
        std::size_t owed = 0;
        for (const Message& message : problem.collective.messages())
            owed += message.receivers.size();
        CHECK(encoding.genes().size() == owed);
        for (std::uint32_t i = 0; i < encoding.genes().size(); ++i) {
            const auto& gene = encoding.genes()[i];
            const std::uint32_t count = encoding.path_count(gene);
            REQUIRE(count >= 1);
            CHECK(count <= 40);
            std::uint32_t least = ~0u;
            std::uint32_t most = 0;
            for (TimedPath path = encoding.first_path(gene); path < encoding.first_path(gene) + count;
                 ++path) {
                least = std::min(least, encoding.hops(path));
                most = std::max(most, encoding.hops(path));
                ProcessorId at = gene.receiver;
                TimedPath rest = path;
                for (std::uint32_t z = encoding.hops(path); z-- > 0; rest = encoding.parent(rest)) {
                    const RelayArc& arc = encoding.arcs()[encoding.last_arc(rest)];
                    REQUIRE(arc.destination == at);
                    CHECK(encoding.extended(encoding.parent(rest), encoding.last_arc(rest)) == rest);
                    at = arc.source;
                }
                CHECK(at == problem.collective.messages()[gene.message].origin);
            }
            CHECK(most <= least + slack);
            const std::uint32_t hops = encoding.hops(chromosome.paths[i]);
            for (std::uint32_t z = 0; z < hops; ++z) { // from 0
                CHECK(chromosome.steps[gene.first_step + z] >= z);
                CHECK(chromosome.steps[gene.first_step + z] <= steps - (hops - z));
            }
        }
    }
}

TEST_CASE("all shortest paths are listed if there is room", "[evolution][hgsa]")
{
    const Problem cube = broadcast_on("hypercube:4", all_port);
    const TimedPathEncoding encoding(cube, 4);
    for (const auto& gene : encoding.genes()) {
        const std::array<std::uint32_t, 5> factorial{1, 1, 2, 6, 24};
        CHECK(encoding.path_count(gene) == factorial[gene.most_hops]);
    }
}

TEST_CASE("every admissible sequence of steps is drawn", "[evolution][hgsa]")
{
    const Problem cube = broadcast_on("hypercube:3", all_port);
    const TimedPathEncoding encoding(cube, 5);
    SplitMix64 random(1);
    std::map<std::vector<std::uint16_t>, unsigned> drawn;
    std::vector<std::uint16_t> steps(3);
    for (unsigned i = 0; i < 10'000; ++i) {
        encoding.random_steps(steps, random);
        ++drawn[steps];
    }
    CHECK(drawn.size() == 10); // 3 of 5
    for (const auto& [sequence, count] : drawn)
        CHECK((count > 850 && count < 1150)); // five standard deviations
}

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

TEST_CASE("a fault takes its paths away", "[evolution][hgsa]")
{
    const Topology whole = make_topology("mesh:3x3");
    const Topology broken = with_faults(whole, std::vector<std::string>{"link:00-01"});
    const Problem problem = make_problem(broken, allgather({9}));
    const TimedPathEncoding encoding(problem, 9);
    for (const auto& gene : encoding.genes())
        if (problem.collective.messages()[gene.message].origin == 0 && gene.receiver == 1)
            CHECK(gene.most_hops == 3);
}

TEST_CASE("timed paths that cannot be are refused", "[evolution][hgsa]")
{
    const Problem mesh = broadcast_on("mesh:3x3", all_port);
    CHECK_THROWS_WITH(TimedPathEncoding(mesh, 3), Catch::Contains("4 hops"));
    CHECK_THROWS_AS(TimedPathEncoding(mesh, 0), std::invalid_argument);
    CHECK_THROWS_AS(TimedPathEncoding(mesh, 65'536), std::invalid_argument);
    CHECK_THROWS_AS(TimedPathEncoding(mesh, 9, {.most_paths = 0}), std::invalid_argument);
    CHECK_THROWS_AS(TimedPathEncoding(make_problem(mesh.topology, alltoall({9})), 9), std::invalid_argument);
}

TEST_CASE("first hops at once are made in the first step, the others at any later one", "[evolution][hgsa]")
{
    const Problem problem = make_problem(make_topology("mesh:4x1"), allgather({4}));
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
