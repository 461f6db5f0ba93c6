#include "schedules/evolution/evolution.hpp"
#include "schedules/evolution/parameters.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/problem_rows.hpp"

#include <set>
#include <stdexcept>
#include <string>

namespace nocturne::parameters_test {

namespace {

void change(bool& value)
{
    value = !value;
}
void change(auto& value)
{
    value += 1;
}

/// Parameters with another value in one place.
template <class Parameters, class Value>
std::string changed(Value Parameters::* place)
{
    Parameters parameters;
    change(parameters.*place);
    return describe(parameters);
}

template <class Parameters, class Part, class Value>
std::string changed(Part Parameters::* part, Value Part::* place)
{
    Parameters parameters;
    change(parameters.*part.*place);
    return describe(parameters);
}

Problem broadcast_on(const std::string& network)
{
    return test::problem_in_words(network, "allgather");
}

} // namespace

TEST_CASE("parameters that differ in one place are told apart", "[evolution]")
{
    using Umda = UmdaParameters;
    const std::multiset<std::string> umda{
        describe(Umda{}),
        changed(&Umda::population),
        changed(&Umda::mutation_probability),
        changed(&Umda::acceleration),
        changed(&Umda::slot_swap),
        changed(&Umda::path_mutation),
        changed(&Umda::restoration),
        changed(&Umda::building_blocks),
        changed(&Umda::conflicting_mutation),
        changed(&Umda::slots_tested),
        changed(&Umda::sampling_tries),
        changed(&Umda::whole_genes),
        changed(&Umda::stagnation_limit),
        changed(&Umda::paths, &PathLists::slack),
        changed(&Umda::paths, &PathLists::most_paths),
        changed(&Umda::paths, &PathLists::seed),
        changed(&Umda::islands),
        changed(&Umda::generations_per_epoch),
    };
    using Mboa = MboaParameters;
    Mboa nearest;
    nearest.replacement = Replacement::nearest;
    const std::multiset<std::string> mboa{
        describe(Mboa{}),
        describe(nearest),
        changed(&Mboa::population),
        changed(&Mboa::tournament),
        changed(&Mboa::replacement_tournament),
        changed(&Mboa::trees, &TreeLimits::most_leaves),
        changed(&Mboa::trees, &TreeLimits::least_rows),
        changed(&Mboa::trees, &TreeLimits::candidates),
        changed(&Mboa::candidate_genes),
        changed(&Mboa::mutation_probability),
        changed(&Mboa::conflicting_mutation),
        changed(&Mboa::slots_tested),
        changed(&Mboa::slot_swap),
        changed(&Mboa::restoration),
        changed(&Mboa::acceleration),
        changed(&Mboa::path_stall),
        changed(&Mboa::stagnation_limit),
        changed(&Mboa::paths, &PathLists::slack),
        changed(&Mboa::paths, &PathLists::most_paths),
        changed(&Mboa::paths, &PathLists::seed),
        changed(&Mboa::islands),
        changed(&Mboa::generations_per_epoch),
    };
    using Hgsa = HgsaParameters;
    const std::multiset<std::string> hgsa{
        describe(Hgsa{}),
        changed(&Hgsa::slaves),
        changed(&Hgsa::exchange),
        changed(&Hgsa::temperature),
        changed(&Hgsa::plateau),
        changed(&Hgsa::cooling),
        changed(&Hgsa::child_mutation),
        changed(&Hgsa::most_paths),
        changed(&Hgsa::slack),
        changed(&Hgsa::conflict_energy),
        changed(&Hgsa::final_temperature),
        changed(&Hgsa::hold),
        changed(&Hgsa::reheat),
        changed(&Hgsa::reheat_plateau),
        changed(&Hgsa::moves, &HgsaMoves::redraw),
        changed(&Hgsa::moves, &HgsaMoves::graft),
        changed(&Hgsa::moves, &HgsaMoves::swap),
        changed(&Hgsa::moves, &HgsaMoves::focus),
        changed(&Hgsa::moves, &HgsaMoves::follow),
    };
    for (const auto& texts : {umda, mboa, hgsa})
        for (const std::string& text : texts) {
            CHECK(texts.count(text) == 1);
            CHECK(text.find('\n') == std::string::npos);
            // Each of the others differs from the first in one parameter.
            CHECK(difference(text, text).one.empty());
        }
    CHECK(difference(describe(Hgsa{}), changed(&Hgsa::cooling)).one == "cooling 0.99");
    CHECK(difference(describe(Umda{}), changed(&Umda::acceleration)).other == "acceleration false");
}

TEST_CASE("a close value of a real parameter is another one", "[evolution]")
{
    HgsaParameters close;
    close.temperature += 1e-13;
    CHECK(describe(close) != describe(HgsaParameters{}));
}

TEST_CASE("the difference of parameters names what differs only", "[evolution]")
{
    const auto [one, other] =
        difference("slots tested 8, islands 2, start none", "slots tested 4, islands 2, start a7");
    CHECK(one == "slots tested 8, start none");
    CHECK(other == "slots tested 4, start a7");
    const auto [more, fewer] = difference("islands 2, start none", "islands 2");
    CHECK(more == "islands 2, start none");
    CHECK(fewer == "islands 2");
}

TEST_CASE("the schedule that an evolution begins with is one of its parameters", "[evolution]")
{
    const std::string engine = GENERATE("umda", "mboa", "hgsa");
    const Problem problem = broadcast_on("ring:4");
    const EvolutionParameters parameters = default_parameters(engine);
    const auto text = [&](const Schedule* start) {
        return evolution_model(problem, 6, parameters, start).parameters;
    };
    const auto found = evolve_islands(problem, 6, evolution_model(problem, 6, parameters), {});
    REQUIRE(found.schedule);
    const Schedule same = *found.schedule;
    Schedule other = same;
    std::swap(other.steps.front(), other.steps.back());
    CHECK(text(nullptr) ==
          std::visit([](const auto& of) { return describe(of); }, parameters) + ", start none");
    CHECK(text(&*found.schedule) == text(&same));
    CHECK(std::set{text(nullptr), text(&same), text(&other)}.size() == 3);
}

namespace {

/// With another value in one place, refused in these words.
template <class Parameters>
void check_refused(const std::string& words, const auto& change)
{
    static const Problem problem = broadcast_on("ring:4");
    Parameters parameters;
    CHECK_NOTHROW(evolution_model(problem, 4, parameters));
    change(parameters);
    CHECK_THROWS_AS(evolution_model(problem, 4, parameters), std::invalid_argument);
    CHECK_THROWS_WITH(evolution_model(problem, 4, parameters), Catch::Contains(words));
}

} // namespace

TEST_CASE("parameters out of range are refused by name", "[evolution]")
{
    using U = UmdaParameters;
    check_refused<U>("umda: population 1", [](U& p) { p.population = 1; });
    check_refused<U>("population 2", [](U& p) { p.population = 2; });
    check_refused<U>("population 61", [](U& p) { p.population = 61; });
    check_refused<U>("mutation probability 2", [](U& p) { p.mutation_probability = 2; });
    check_refused<U>("mutation probability -1", [](U& p) { p.mutation_probability = -1; });
    check_refused<U>("conflicting mutation 1.5", [](U& p) { p.conflicting_mutation = 1.5; });
    check_refused<U>("most paths 0", [](U& p) { p.paths.most_paths = 0; });
    check_refused<U>("islands 0", [](U& p) { p.islands = 0; });
    check_refused<U>("generations per epoch 0", [](U& p) { p.generations_per_epoch = 0; });
    using M = MboaParameters;
    check_refused<M>("mboa: population 1: 2 or more", [](M& p) { p.population = 1; });
    check_refused<M>("tournament 0: 1 or more", [](M& p) { p.tournament = 0; });
    check_refused<M>("replacement tournament 0: 1 or more", [](M& p) { p.replacement_tournament = 0; });
    check_refused<M>("leaves of a tree 0: 1 or more", [](M& p) { p.trees.most_leaves = 0; });
    check_refused<M>("rows of a leaf 0: 1 or more", [](M& p) { p.trees.least_rows = 0; });
    check_refused<M>("most paths 0: 1 or more", [](M& p) { p.paths.most_paths = 0; });
    check_refused<M>("islands 0: 1 or more", [](M& p) { p.islands = 0; });
    check_refused<M>("generations per epoch 0: 1 or more", [](M& p) { p.generations_per_epoch = 0; });
    check_refused<M>("mutation probability 1.5: a probability is from 0 to 1",
                     [](M& p) { p.mutation_probability = 1.5; });
    check_refused<M>("conflicting mutation -1", [](M& p) { p.conflicting_mutation = -1; });
    check_refused<M>("slot swap 2: a probability is from 0 to 1", [](M& p) { p.slot_swap = 2; });
    using H = HgsaParameters;
    check_refused<H>("hgsa: slaves 0", [](H& p) { p.slaves = 0; });
    check_refused<H>("exchange 0", [](H& p) { p.exchange = 0; });
    check_refused<H>("temperature -1", [](H& p) { p.temperature = -1; });
    check_refused<H>("plateau 0", [](H& p) { p.plateau = 0; });
    check_refused<H>("cooling 1", [](H& p) { p.cooling = 1; });
    check_refused<H>("cooling 0", [](H& p) { p.cooling = 0; });
    check_refused<H>("child mutation 1.5", [](H& p) { p.child_mutation = 1.5; });
    check_refused<H>("most paths 0", [](H& p) { p.most_paths = 0; });
    check_refused<H>("conflict energy 0", [](H& p) { p.conflict_energy = 0; });
    check_refused<H>("final temperature 0", [](H& p) { p.final_temperature = 0; });
    check_refused<H>("reheat 0", [](H& p) { p.reheat = 0; });
    check_refused<H>("reheat plateau 0", [](H& p) { p.reheat_plateau = 0; });
    check_refused<H>("focus 2", [](H& p) { p.moves.focus = 2; });
    check_refused<H>("redraw -0.5", [](H& p) { p.moves.redraw = -0.5; });
    check_refused<H>("graft 2", [](H& p) { p.moves.graft = 2; });
    check_refused<H>("swap 2", [](H& p) { p.moves.swap = 2; });
}

TEST_CASE("problems and steps that an engine cannot have are refused", "[evolution]")
{
    const EvolutionParameters parameters = default_parameters(GENERATE("umda", "mboa", "hgsa"));
    Problem problem = broadcast_on("mesh:3x3");
    CHECK(suits_evolution(parameters, problem));
    for (const unsigned steps : {0U, 65'536U})
        CHECK_THROWS_AS(evolution_model(problem, steps, parameters), std::invalid_argument);
    const bool is_hgsa = engine_name(parameters) == "hgsa";
    if (is_hgsa) {
        CHECK(search_hgsa(problem, 3, {}).outcome == Outcome::gave_up); // a receiver is too far
        CHECK_THROWS_WITH(evolution_model(problem, 3, parameters), Catch::Contains("4 hops"));
        problem.collective = many_to_many_broadcast({9}, {0, 1}, {8});
        CHECK(suits_evolution(parameters, problem));
        problem.slack = 0; // now the messages may not be passed on
        CHECK_FALSE(suits_evolution(parameters, problem));
        problem.collective = alltoall({9});
    } else {
        problem.slack = 1;
        UmdaParameters umda;
        MboaParameters mboa;
        umda.paths.slack = mboa.paths.slack = 2;
        CHECK_THROWS_WITH(umda_model(problem, 2, umda), Catch::Contains("slack 2"));
        CHECK_THROWS_WITH(mboa_model(problem, 2, mboa), Catch::Contains("slack 2"));
        problem.slack.reset();
        CHECK_NOTHROW(umda_model(problem, 2, umda));
        problem.switching = Switching::store_and_forward;
    }
    CHECK_FALSE(suits_evolution(parameters, problem));
    CHECK_THROWS_AS(evolution_model(problem, 9, parameters), std::invalid_argument);
}

} // namespace nocturne::parameters_test
