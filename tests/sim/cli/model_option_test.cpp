// --model as its users have it.
#include "tests/catch.hpp"
#include "tests/sim/cli/command_rows.hpp"

#include <map>
#include <sstream>

namespace nocturne::model_option_test {

using namespace nocturne::test;

namespace {

/// `yes` or `refused` by the command of a feature, of the table in docs/models.md, in the column of a level.
std::map<std::string, std::string> documented_features(const std::string& level)
{
    const std::string page = content_of(PROJECT_FOLDER "/docs/models.md");
    std::istringstream lines(page.substr(page.find("| feature |")));
    std::map<std::string, std::string> features;
    for (std::string line; std::getline(lines, line) && line.starts_with("|");) {
        const std::size_t command = line.find('`');
        if (command == std::string::npos)
            continue;
        std::istringstream cells(line.substr(line.find('`', command + 1) + 1));
        std::string bar, flit, worm;
        cells >> bar >> flit >> bar >> worm;
        features[line.substr(command + 1, line.find('`', command + 1) - command - 1)] =
            level == "flit" ? flit : worm;
    }
    return features;
}

} // namespace

TEST_CASE("each level has, or refuses in one line, what the documentation says", "[cli][model]")
{
    const std::string level = GENERATE("flit", "worm");
    std::map<std::string, std::string> features = documented_features(level);
    for_each_command("sim/cli/features.txt", 0, 1, [&](const Row& row, const TemporaryFolder& folder) {
        CAPTURE(level, row.cells[0]);
        const std::string said = features[row.cells[0]];
        features.erase(row.cells[0]);
        const Outcome outcome = run_words(row.cells[1] + " --model " + level, folder / "");
        CAPTURE(outcome.err);
        if (said == "yes") {
            CHECK(outcome.status == 0);
        } else {
            CHECK(said == "refused");
            check_refused(outcome, {"model flit"});
        }
    });
    CHECK(features.empty()); // each has a row
}

} // namespace nocturne::model_option_test
