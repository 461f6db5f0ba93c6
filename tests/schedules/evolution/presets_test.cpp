#include "schedules/evolution/presets.hpp"
#include "tests/catch.hpp"

#include <string>

namespace nocturne::presets_test {

namespace {

std::string text_of(const EvolutionParameters& parameters)
{
    return std::visit([](const auto& engine) { return describe(engine); }, parameters);
}

} // namespace

TEST_CASE("UMDA as printed is ours without our additions", "[evolution][presets]")
{
    EvolutionParameters umda = default_parameters("umda");
    for (const EnginePart& part : engine_parts())
        if (part.engine == "umda" && part.is_ours)
            part.leave_out(umda);
    CHECK(text_of(umda) == text_of(as_printed("umda")));
    CHECK(text_of(umda).starts_with(
        "population 60, mutation probability 0.9, acceleration true, slot swap true, path "
        "mutation true, restoration true, building blocks true"));
}

TEST_CASE("the papers' parameters are those of the presets", "[evolution][presets]")
{
    const auto mboa = std::get<MboaParameters>(as_printed("mboa"));
    CHECK(mboa.mutation_probability == 1);
    CHECK(mboa.conflicting_mutation == 0); // any gene
    CHECK(mboa.slots_tested == 0);         // drawn anew
    CHECK(mboa.restored_path == RestoredPath::same_index);
    CHECK_FALSE(mboa.structural_prior);
    CHECK(mboa.paths.slack == 0);
    const auto hgsa = std::get<HgsaParameters>(as_printed("hgsa"));
    CHECK(hgsa.slaves == 10);
    CHECK(hgsa.exchange == 100);
    CHECK(hgsa.temperature == 100);
    CHECK(hgsa.plateau == 200);
    CHECK(hgsa.cooling == 0.99);
    CHECK(hgsa.conflict_energy == 1);
    CHECK(hgsa.slack == 0);
    for (const char* const engine : {"umda", "mboa", "hgsa"})
        CHECK(engine_name(as_printed(engine)) == engine);
    CHECK_THROWS_WITH(as_printed("ga"), Catch::Contains("umda, mboa, hgsa"));
}

TEST_CASE("each part that is left out changes its engine, and no other engine has it", "[evolution][presets]")
{
    for (const EnginePart& part : engine_parts()) {
        INFO(part.engine << " without " << part.name);
        EvolutionParameters parameters = default_parameters(part.engine);
        leave_out(part.name, parameters);
        CHECK(text_of(parameters) != text_of(default_parameters(part.engine)));
    }
    EvolutionParameters hgsa = default_parameters("hgsa");
    CHECK_THROWS_WITH(leave_out("slot-swap", hgsa),
                      Catch::Contains("slot-swap") && Catch::Contains("grafts"));
}

} // namespace nocturne::presets_test
