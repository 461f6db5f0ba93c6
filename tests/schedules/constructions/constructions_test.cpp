#include "models/routing/random.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/constructions/constructions.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/constructions/constructed.hpp"
#include "tests/schedules/problem/problem_rows.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <string_view>

namespace nocturne::constructions_test {

TEST_CASE("constructions take the steps that are known, and no others apply", "[constructions]")
{
    std::map<std::string_view, std::function<std::optional<Schedule>(const Problem&)>> by_name{
        {"best", [](const Problem& problem) { return best_construction(problem); }}};
    for (const Construction& construction : constructions())
        by_name.emplace(construction.name, construction.construct);
    std::set<std::string> groups;
    for (const auto& [place, group, problem, expected] :
         test::problem_rows("schedules/constructions/steps.txt")) {
        INFO(place << ", " << group);
        groups.insert(group);
        const std::optional<Schedule> schedule = by_name.at(group)(problem);
        if (expected == "none")
            CHECK_FALSE(schedule);
        else if (expected.starts_with("<="))
            CHECK(valid_steps(schedule, problem) <= std::stoul(expected.substr(2)));
        else
            CHECK(valid_steps(schedule, problem) == std::stoul(expected));
    }
    CHECK(groups.size() == by_name.size());
}

TEST_CASE("first fit is left out where the best of the other constructions will do",
          "[constructions][construct]")
{
    const Problem problem = test::problem_in_words("octagon:8", "alltoall");
    std::vector<std::size_t> asked;
    const auto steps = [&](bool will_do) {
        return valid_steps(best_construction(problem,
                                             [&](const Schedule& schedule) {
                                                 asked.push_back(schedule.steps.size());
                                                 return will_do;
                                             }),
                           problem);
    };
    CHECK(steps(true) == 8);
    CHECK(steps(false) == 5);
    CHECK(asked == std::vector<std::size_t>{8, 8});
}

TEST_CASE("constructions are valid on random networks, or nothing", "[constructions][construct]")
{
    const auto traffic = GENERATE(test::Traffic::scatter, test::Traffic::broadcast);
    std::size_t built = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Problem problem = test::random_problem(seed, 10, traffic);
        for (const Construction& construction : constructions())
            if (const auto schedule = construction.construct(problem)) {
                INFO("seed " << seed << ", " << construction.name);
                CHECK(valid_steps(schedule, problem) > 0);
                ++built;
            }
    }
    CHECK(built > 20);
}

TEST_CASE("constructions are valid on networks with faults, or nothing", "[constructions][construct]")
{
    const auto spec =
        GENERATE("torus:4x4", "hypercube:3", "clos:2,3,2", "fattree:8", "mesh:3x4", "octagon:8");
    const auto kind = GENERATE(CollectiveKind::allgather, CollectiveKind::alltoall, CollectiveKind::scatter);
    const Topology whole = make_topology(spec);
    for (ChannelId channel = 0; channel < whole.channel_count(); channel += 3) {
        Topology topology = whole;
        try {
            topology = with_faults(whole, Faults{{channel}, {}}, "channel");
            require_connected(topology);
        } catch (const std::invalid_argument&) {
            continue; // falls apart
        }
        const auto processors = static_cast<std::uint32_t>(topology.processor_count());
        Participants participants;
        if (kind == CollectiveKind::scatter)
            participants.source = channel % processors;
        const Problem problem =
            make_problem(std::move(topology), make_collective(kind, processors, participants));
        for (const Construction& construction : constructions())
            if (const auto schedule = construction.construct(problem))
                CHECK(valid_steps(schedule, problem) > 0);
    }
}

TEST_CASE("first fit schedules every scatter, straight over minimal paths", "[constructions][construct]")
{
    unsigned scheduled = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        Problem problem = test::random_problem(seed, 9, test::Traffic::scatter);
        if (problem.switching != Switching::wormhole)
            continue;
        INFO("seed " << seed << ", " << describe(problem));
        problem.slack = 0; // which valid_steps() holds it to
        const auto schedule = first_fit(problem);
        CHECK(valid_steps(schedule, problem) >= 1);
        CHECK(count_transfers(*schedule) == problem.collective.messages().size());
        ++scheduled;
    }
    CHECK(scheduled > 100);
}

TEST_CASE("rearrangeable networks route any permutation in one step", "[constructions]")
{
    Problem problem = test::problem_in_words(GENERATE("clos:3,3,4", "clos:2,5,3", "clos:3,3,1", "benes:2,5",
                                                      "benes:3,3", "fattree:16", "fattree:4,2", "star:6"),
                                             "alltoall");
    std::vector<ProcessorId> image(problem.topology.processor_count());
    std::iota(image.begin(), image.end(), 0u);
    SplitMix64 random(7);
    for (int i = 0; i < 20; ++i) {
        std::shuffle(image.begin(), image.end(), random);
        if (std::is_sorted(image.begin(), image.end()))
            continue; // nothing to send
        problem.collective = permutation(image);
        CHECK(valid_steps(rearrangeable_network(problem), problem) == 1);
    }
}

TEST_CASE("hop by hop all-to-all keeps the channels of circulants busy", "[constructions]")
{
    const Problem problem = test::problem_in_words(
        GENERATE("octagon:8", "octagon:12", "complete:6", "folded_hypercube:4", "torus:2x5"),
        "alltoall hops");
    const auto schedule = translated_scatter(problem);
    const std::size_t steps = valid_steps(schedule, problem);
    CHECK(steps <= count_transfers(*schedule) / problem.topology.channel_count() + 2);
}

TEST_CASE("a missing link takes from the phases what goes over it, and nothing else", "[constructions]")
{
    const Problem whole = test::problem_in_words("torus:8x8", "alltoall");
    const Problem broken = test::problem_in_words("torus:8x8", "alltoall fault=link:00-01");
    const auto phases = torus_phases(whole);
    const auto left = surviving_torus_phases(broken);
    REQUIRE(left.has_value());
    CHECK(left->steps.size() == phases->steps.size());
    for (const Step& step : left->steps)
        for (const Transfer& transfer : step)
            CHECK(connects(broken.topology, transfer.source, transfer.destination, *transfer.path));
    // Every channel of the whole torus is busy in every step.
    CHECK(count_transfers(*phases) - count_transfers(*left) == 2 * phases->steps.size());
    CHECK_FALSE(surviving_torus_phases(whole));
    CHECK_FALSE(surviving_torus_phases(test::problem_in_words("mesh:8x8", "alltoall")));
}

} // namespace nocturne::constructions_test
