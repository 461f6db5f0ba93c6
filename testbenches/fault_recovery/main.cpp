// Links and routers that fail in the middle of a collective, and how long it takes until all is right again;
// README.md says what is claimed and what came out.
#include "models/text/json_text.hpp"
#include "testbenches/driver/measured.hpp"
#include "testbenches/fault_recovery/findings.hpp"

namespace {

using namespace nocturne;
using namespace nocturne::fault_recovery;

testbench::Measured measure(const nlohmann::json& settings)
{
    std::vector<Case> cases = cases_of(
        {testbench::chosen(settings, "networks"), settings.at("bytes"), settings.at("intermittent_ns")});
    run_cases(cases);
    nlohmann::json results = nlohmann::json::array();
    for (const Case& each : cases)
        results.push_back(each.result);
    return {{{"phases", phase_table(cases)}, {"boxes", box_table(cases)}},
            contradictions(cases),
            {{"results.json", json_text(results, 1) + "\n"}}};
}

} // namespace

int main(int argc, char* argv[])
{
    return testbench::run(argc, argv, "fault_recovery", measure);
}
