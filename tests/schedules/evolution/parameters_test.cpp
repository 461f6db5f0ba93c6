#include "models/topology/make_topology.hpp"
#include "schedules/evolution/evolution.hpp"
#include "schedules/evolution/parameters.hpp"
#include "tests/catch.hpp"

#include <set>
#include <string>
#include <type_traits>

namespace nocturne::parameters_test {

namespace {

/// Parameters with another value in one place.
template <class Parameters, class Value>
std::string changed(Value Parameters::* place)
{
    Parameters parameters;
    Value& value = parameters.*place;
    if constexpr (std::is_same_v<Value, bool>)
        value = !value;
    else
        value += 1;
    return describe(parameters);
}

template <class Parameters, class Part, class Value>
std::string changed(Part Parameters::* part, Value Part::* place)
{
    Parameters parameters;
    Value& value = parameters.*part.*place;
    if constexpr (std::is_same_v<Value, bool>)
        value = !value;
    else
        value += 1;
    return describe(parameters);
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
    const Problem problem = make_problem(make_topology("ring:4"), allgather({4}));
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

} // namespace nocturne::parameters_test
