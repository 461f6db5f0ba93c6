#include "models/topology/make_topology.hpp"
#include "schedules/evolution/hgsa.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace nocturne::hgsa_test {

namespace {

Problem broadcast_on(const std::string& network)
{
    const Topology topology = make_topology(network);
    return make_problem(topology, allgather({static_cast<std::uint32_t>(topology.processor_count())}));
}

/// The islands of a model, driven by hand.
struct Archipelago {
    explicit Archipelago(const IslandModel& model_) : model(model_), immigrants(model_.islands)
    {
        for (std::uint32_t island = 0; island < model.islands; ++island)
            islands.push_back(model.make(island, 100 + island));
    }

    std::vector<EpochReport> epoch(const SearchControl& control = {})
    {
        std::vector<EpochReport> reports;
        for (std::size_t island = 0; island < islands.size(); ++island)
            reports.push_back(islands[island]->advance(immigrants[island], control));
        immigrants = model.exchange(reports, random);
        return reports;
    }

    IslandModel model;
    std::vector<std::unique_ptr<Island>> islands;
    std::vector<SolutionBytes> immigrants;
    SplitMix64 random{9};
};

} // namespace

TEST_CASE("HGSA finds optimal broadcasts", "[evolution][hgsa]")
{
    const auto [network, steps] = GENERATE(table<std::string, unsigned>(
        {{"hypercube:3", 3}, {"octagon:8", 3}, {"ring:5", 2}, {"mesh:2x3", 3}, {"omega:4", 3}}));
    const Problem problem = broadcast_on(network);
    const SearchResult result = search_hgsa(problem, steps, {.seed = GENERATE(1u, 2u), .effort = 1'000'000});
    INFO(network);
    REQUIRE(result.outcome == Outcome::found);
    CHECK(result.schedule->steps.size() <= steps);
    CHECK(validate(*result.schedule, problem.topology).empty());
    CHECK(result.unscheduled == 0);
}

TEST_CASE("HGSA schedules store-and-forward networks and many-to-many sets", "[evolution][hgsa]")
{
    Problem problem = make_problem(make_topology("fat_octagon:8"),
                                   many_to_many_broadcast({16}, {0, 2, 4, 6}, {1, 2, 3, 4, 8}));
    problem.ports = one_port;
    problem.switching = Switching::store_and_forward;
    const SearchResult result = search_hgsa(problem, 6, {.effort = 1'000'000});
    REQUIRE(result.schedule);
    CHECK(validate(*result.schedule, problem.topology).empty());
}

TEST_CASE("a chain that was saved goes on as if it had not been", "[evolution][hgsa]")
{
    const Problem problem = broadcast_on("mesh:3x3");
    HgsaParameters parameters;
    parameters.slaves = 3;
    parameters.hold = 2; // cooling, holding and heating all happen
    parameters.temperature = 51;
    parameters.reheat = 51;
    parameters.reheat_plateau = 100;
    parameters.plateau = 50;
    const IslandModel model = hgsa_model(problem, 5, parameters);
    Archipelago whole(model);
    for (unsigned i = 0; i < 4; ++i)
        whole.epoch();
    Archipelago resumed(model);
    for (std::size_t island = 0; island < 3; ++island)
        resumed.islands[island]->load(whole.islands[island]->save());
    resumed.immigrants = whole.immigrants;
    resumed.random = whole.random;
    for (unsigned i = 0; i < 6; ++i) {
        const auto expected = whole.epoch();
        const auto reports = resumed.epoch();
        for (std::size_t island = 0; island < 3; ++island) {
            CHECK(reports[island].generations == expected[island].generations);
            CHECK(reports[island].emigrant == expected[island].emigrant);
        }
    }
    std::vector<std::uint8_t> state = whole.islands[0]->save();
    CHECK_THROWS_AS(hgsa_model(problem, 6, parameters).make(0, 1)->load(std::vector<std::uint8_t>(7)),
                    std::runtime_error);
    state.back() ^= 0xff; // a step that does not exist
    CHECK_THROWS_AS(whole.islands[0]->load(state), std::runtime_error);
    state.pop_back();
    CHECK_THROWS_AS(whole.islands[0]->load(state), std::runtime_error);
}

TEST_CASE("HGSA reports every epoch of every slave", "[evolution][hgsa]")
{
    const Problem problem = broadcast_on("mesh:3x3");
    HgsaParameters parameters;
    parameters.slaves = 2;
    Archipelago slaves(hgsa_model(problem, 4, parameters));
    std::uint64_t evaluations = 0;
    for (std::uint64_t epoch = 1; epoch <= 5; ++epoch) {
        const auto reports = slaves.epoch();
        for (std::uint32_t island = 0; island < 2; ++island) {
            const auto& generations = reports[island].generations;
            REQUIRE(generations.size() == (epoch == 1 ? 2 : 1)); // the initial solution, too
            const Generation& last = generations.back();
            CHECK(generations.front().number == (epoch == 1 ? 0 : epoch));
            CHECK(last.number == epoch);
            CHECK(last.island == island);
            CHECK(last.best <= reports[island].emigrant_conflicts);
            CHECK(last.best == reports[island].best);
            CHECK((last.diversity > 0 && last.diversity <= 1));
            // 100 iterations; then the other parent, two children and a mutation at most; and at most 16
            // looks for a gene in conflict, a 72nd each, in a change.
            const std::uint64_t least = 1 + 100 * epoch + 3 * (epoch - 1);
            CHECK((last.evaluations >= least && last.evaluations < least + epoch + 101 * epoch * 16 / 72));
        }
        evaluations = reports[0].generations.back().evaluations;
    }
    CHECK(evaluations > 500);
}

TEST_CASE("the wheel favours the best", "[evolution][hgsa]")
{
    const Problem problem = broadcast_on("ring:4");
    const IslandModel model = hgsa_model(problem, 2, {});
    std::vector<EpochReport> reports(3);
    const std::vector<std::uint64_t> conflicts{9, 1, 5};
    for (std::uint8_t island = 0; island < 3; ++island) {
        reports[island].emigrant = {island};
        reports[island].emigrant_conflicts = conflicts[island];
    }
    SplitMix64 random(1);
    std::vector<unsigned> drawn(3);
    for (unsigned i = 0; i < 5000; ++i)
        for (const SolutionBytes& solution : model.exchange(reports, random))
            ++drawn[solution.at(0)];
    CHECK(drawn[0] == Approx(1000).margin(200)); // shares 1, 9, 5
    CHECK(drawn[1] == Approx(9000).margin(300));
    CHECK(drawn[2] == Approx(5000).margin(300));
}

TEST_CASE("HGSA goes on from a schedule", "[evolution][hgsa]")
{
    const Problem problem = broadcast_on("hypercube:3");
    const SearchResult first = search_hgsa(problem, 4, {.effort = 500'000});
    REQUIRE(first.schedule);
    SearchControl control{.seed = 77, .effort = 500'000};
    control.start = &*first.schedule;
    const SearchResult again = search_hgsa(problem, 4, control);
    REQUIRE(again.schedule);
    CHECK(again.tried < first.tried / 10);
    // For a step less most of it holds.
    Archipelago warm(hgsa_model(problem, 3, {}, &*first.schedule));
    Archipelago cold(hgsa_model(problem, 3, {}));
    CHECK(warm.epoch()[0].generations[0].best < cold.epoch()[0].generations[0].best);
}

TEST_CASE("HGSA that is stopped has a valid schedule or none", "[evolution][hgsa]")
{
    const Problem problem = broadcast_on("mesh:3x3");
    const std::atomic<bool> stop = true;
    SearchControl control;
    control.end.stop = &stop;
    CHECK_FALSE(search_hgsa(problem, 4, control).schedule);
    Archipelago slaves(hgsa_model(problem, 4, {}));
    for (const EpochReport& report : slaves.epoch(control)) {
        CHECK_FALSE(report.schedule);
        CHECK(report.generations.back().evaluations == 1);
    }
    const SearchResult spent = search_hgsa(problem, 4, {.effort = 1});
    CHECK(spent.outcome == Outcome::gave_up);
    CHECK(spent.unscheduled > 0);
}

TEST_CASE("HGSA gives up where a receiver is too far, and is for broadcasts", "[evolution][hgsa]")
{
    const Problem problem = broadcast_on("mesh:3x3");
    CHECK(search_hgsa(problem, 3, {}).outcome == Outcome::gave_up);
    Problem scatter = make_problem(problem.topology, alltoall({9}));
    CHECK_FALSE(suits_hgsa(scatter));
    CHECK_THROWS_AS(search_hgsa(scatter, 9, {}), std::invalid_argument);
    CHECK_THROWS_AS(hgsa_model(scatter, 9, {}), std::invalid_argument);
    Problem direct = make_problem(problem.topology, many_to_many_broadcast({9}, {0, 1}, {8}));
    CHECK(suits_hgsa(direct));
    direct.slack = 0; // now the messages may not be passed on
    CHECK_FALSE(suits_hgsa(direct));
}

TEST_CASE("parameters out of range are named", "[evolution][hgsa]")
{
    const Problem problem = broadcast_on("ring:4");
    using Change = std::function<void(HgsaParameters&)>;
    const std::vector<std::pair<std::string, Change>> changes{
        {"slaves 0", [](HgsaParameters& p) { p.slaves = 0; }},
        {"exchange 0", [](HgsaParameters& p) { p.exchange = 0; }},
        {"temperature -1", [](HgsaParameters& p) { p.temperature = -1; }},
        {"plateau 0", [](HgsaParameters& p) { p.plateau = 0; }},
        {"cooling 1", [](HgsaParameters& p) { p.cooling = 1; }},
        {"cooling 0", [](HgsaParameters& p) { p.cooling = 0; }},
        {"child mutation 1.5", [](HgsaParameters& p) { p.child_mutation = 1.5; }},
        {"most paths 0", [](HgsaParameters& p) { p.most_paths = 0; }},
        {"conflict energy 0", [](HgsaParameters& p) { p.conflict_energy = 0; }},
        {"final temperature 0", [](HgsaParameters& p) { p.final_temperature = 0; }},
        {"reheat 0", [](HgsaParameters& p) { p.reheat = 0; }},
        {"reheat plateau 0", [](HgsaParameters& p) { p.reheat_plateau = 0; }},
        {"focus 2", [](HgsaParameters& p) { p.moves.focus = 2; }},
        {"redraw -0.5", [](HgsaParameters& p) { p.moves.redraw = -0.5; }},
        {"graft 2", [](HgsaParameters& p) { p.moves.graft = 2; }},
        {"swap 2", [](HgsaParameters& p) { p.moves.swap = 2; }},
    };
    for (const auto& [text, change] : changes) {
        HgsaParameters parameters;
        change(parameters);
        CHECK_THROWS_AS(hgsa_model(problem, 4, parameters), std::invalid_argument);
        CHECK_THROWS_WITH(hgsa_model(problem, 4, parameters), Catch::Contains(text));
    }
}

} // namespace nocturne::hgsa_test
