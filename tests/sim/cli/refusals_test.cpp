// What the command refuses, row by row; refusals.txt says how its rows are read.
#include "tests/catch.hpp"
#include "tests/sim/cli/command_rows.hpp"

#include <filesystem>
#include <map>

namespace nocturne::refusals_test {

using namespace nocturne::test;

namespace {

/// Everything in a folder, and what files hold.
std::map<std::string, std::string> everything_in(const TemporaryFolder& folder)
{
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / ""))
        all[entry.path().string()] = entry.is_regular_file() ? content_of(entry.path().string()) : "";
    return all;
}

void check_row(const Row& row, const TemporaryFolder& folder)
{
    const std::vector<std::string> told(row.cells.begin() + 1, row.cells.end());
    REQUIRE_FALSE(told.empty());
    const std::size_t file = row.cells[0].find(" <<< ");
    if (file != std::string::npos)
        write_file(folder, row.cells[0].substr(file + 5));
    for (const ChosenCommand& command : choices_of(row.cells[0].substr(0, file))) {
        INFO(command.words);
        const auto before = everything_in(folder);
        check_refused(run_words(command.words, folder / ""), told);
        CHECK(everything_in(folder) == before);
    }
}

/// Checks the rows of every fourth group: the tests run side by side.
void check_part(unsigned part)
{
    for_each_command("sim/cli/refusals.txt", part, 4, check_row);
}

} // namespace

TEST_CASE("what cannot be is refused in one line, and nothing is written, 1 of 4", "[cli][bad input]")
{
    check_part(0);
}

TEST_CASE("what cannot be is refused in one line, and nothing is written, 2 of 4", "[cli][bad input]")
{
    check_part(1);
}

TEST_CASE("what cannot be is refused in one line, and nothing is written, 3 of 4", "[cli][bad input]")
{
    check_part(2);
}

TEST_CASE("what cannot be is refused in one line, and nothing is written, 4 of 4", "[cli][bad input]")
{
    check_part(3);
}

} // namespace nocturne::refusals_test
