#include "sim/report/evolution_results.hpp"
#include "tests/catch.hpp"

#include <sstream>

namespace nocturne::evolution_results_test {

namespace {

EvolutionRun sample(std::uint64_t seed, bool solved, double seconds)
{
    return {"umda",
            seed,
            7,
            solved,
            solved ? 0U : 3U,
            100 * seed,
            6000 * seed,
            seconds,
            {{0, 0, 60, 40, 55.5, 0.9}, {0, 1, 90, 40, 50, 0.8}, {0, 2, 120, solved ? 0U : 3U, 20, 0.5}}};
}

} // namespace

TEST_CASE("a success rate averages the successful runs only", "[report][evolution]")
{
    const std::vector<EvolutionRun> runs{sample(1, true, 1), sample(2, false, 100), sample(3, true, 3)};
    const SuccessRate rate = success_rate(runs);
    CHECK(rate.runs == 3);
    CHECK(rate.successes == 2);
    CHECK(rate.percent() == Approx(200.0 / 3));
    CHECK(rate.seconds == Approx(2));
    CHECK(rate.generations == Approx(200));
    CHECK(rate.evaluations == Approx(12'000));
    CHECK(success_rate({}).percent() == 0);
    CHECK(success_rate(std::vector{sample(1, false, 1)}).seconds == 0);
}

TEST_CASE("runs travel through JSON unchanged", "[report][evolution]")
{
    const EvolutionRun run = sample(5, false, 0.1);
    CHECK(nlohmann::json::parse(nlohmann::json(run).dump()).get<EvolutionRun>() == run);
}

TEST_CASE("a run is a row, and so is each generation that was kept", "[report][evolution]")
{
    const std::vector<EvolutionRun> runs{sample(1, true, 1), sample(2, false, 100)};
    const nlohmann::json rows = table_json(table_of("", runs));
    REQUIRE(rows.size() == 2);
    CHECK(rows[1]["solved"] == false);
    CHECK(rows[1]["conflicts"] == 3);
    std::ostringstream csv;
    print_csv(csv, history_table(runs));
    CHECK(csv.str().starts_with("seed,island,generation,evaluations,best_conflicts,mean_conflicts,diversity\n"
                                "1,0,0,60,40,55.5,0.9\n"));
    CHECK(history_table(runs).rows.size() == 6);
}

TEST_CASE("convergence is drawn with a curve for each run", "[report][evolution]")
{
    const std::vector<EvolutionRun> runs{sample(1, true, 1), sample(2, false, 100)};
    const std::string svg = convergence_picture(runs, "AAS on omega:8 in 7 steps, umda");
    CHECK(svg.find("AAS on omega:8 in 7 steps") != std::string::npos);
    CHECK(svg.find("seed 1") != std::string::npos);
    CHECK(svg.find("seed 2 (gave up)") != std::string::npos);
    CHECK_THROWS_AS(convergence_picture({}, "nothing"), std::invalid_argument);
}

} // namespace nocturne::evolution_results_test
