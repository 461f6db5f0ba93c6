// What the command refuses, row by row; refusals.txt says how its rows are read.
#include "tests/catch.hpp"
#include "tests/rows.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

namespace nocturne::refusals_test {

using namespace nocturne::test;
using nlohmann::json;

namespace {

constexpr unsigned parts = 4; ///< tests that share the groups of rows

/// A command for each choice of its {a;b}.
std::vector<std::string> choices_of(const std::string& command)
{
    const std::size_t end = command.find('}');
    if (end == command.npos)
        return {command};
    const std::size_t begin = command.rfind('{', end);
    std::istringstream choices(command.substr(begin + 1, end - begin - 1) + ';');
    std::vector<std::string> all;
    for (std::string choice; std::getline(choices, choice, ';');)
        for (const std::string& each :
             choices_of(command.substr(0, begin) + choice + command.substr(end + 1)))
            all.push_back(each);
    return all;
}

/// FILE POINTER TEXT ...: the file with these values at these places.
std::string changed(const TemporaryFolder& folder, std::istringstream row)
{
    std::string file, pointer, text;
    row >> file;
    const json original = json::parse(content_of(folder / file));
    json document = original;
    while (row >> pointer) {
        if (!(row >> text))
            document = document.patch(json::array({{{"op", "remove"}, {"path", pointer}}}));
        else
            document[json::json_pointer(pointer)] =
                text[0] == '@' ? original.at(json::json_pointer(text.substr(1))) : json::parse(text);
    }
    return document.dump(1);
}

/// Everything in a folder, and what files hold.
std::map<std::string, std::string> everything_in(const TemporaryFolder& folder)
{
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / ""))
        all[entry.path().string()] = entry.is_regular_file() ? content_of(entry.path().string()) : "";
    return all;
}

/// FILE TEXT
void write(const TemporaryFolder& folder, const std::string& text)
{
    const std::string file = text.substr(0, text.find(' '));
    std::filesystem::create_directories(std::filesystem::path(folder / file).parent_path());
    folder.file(file, unescaped(text.substr(std::min(text.size(), file.size() + 1))));
}

void check_row(const Row& row, const TemporaryFolder& folder)
{
    const std::vector<std::string> told(row.cells.begin() + 1, row.cells.end());
    REQUIRE_FALSE(told.empty());
    const std::size_t file = row.cells[0].find(" <<< ");
    if (file != std::string::npos)
        write(folder, row.cells[0].substr(file + 5));
    for (const std::string& command : choices_of(row.cells[0].substr(0, file))) {
        INFO(command);
        const auto before = everything_in(folder);
        check_refused(run_words(command, folder / ""), told);
        CHECK(everything_in(folder) == before);
    }
}

/// Checks the rows of every fourth group.
void check_part(unsigned part)
{
    std::optional<TemporaryFolder> folder;
    std::string group;
    unsigned groups = 0;
    for (const Row& row : rows_of("sim/cli/refusals.txt")) {
        INFO(row.place);
        if (row.group != group) {
            group = row.group;
            folder.emplace();
            std::filesystem::create_directory_symlink(SCHEDULE_LIBRARY, *folder / "lib");
            ++groups;
        }
        if (groups % parts != part)
            continue;
        const std::string kind = row.cells[0].substr(0, 2);
        const std::string text = row.cells[0].substr(std::min<std::size_t>(2, row.cells[0].size()));
        if (kind == "+ ")
            write(*folder, text);
        else if (kind == "~ ")
            folder->file("changed.json", changed(*folder, std::istringstream(text)));
        else if (kind == "$ ")
            REQUIRE(run_words(text, *folder / "").status <= 1);
        else
            check_row(row, *folder);
    }
    CHECK(groups > parts);
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
