// What the command refuses, row by row; refusals.txt says how its rows are read.
#include "tests/catch.hpp"
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

std::string unescaped(const std::string& text)
{
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\\') {
            result += text[at];
        } else if (text.at(++at) == 'x') {
            result += static_cast<char>(std::stoi(text.substr(at + 1, 2), nullptr, 16));
            at += 2;
        } else {
            result += text[at] == 'n' ? '\n' : text[at] == 't' ? '\t' : text[at];
        }
    }
    return result;
}

/// The text with what names stand for.
std::string with_names(std::string text, const std::map<std::string, std::string>& names)
{
    for (std::size_t at = 0; (at = text.find('$', at)) != text.npos;) {
        const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz", at + 1);
        const auto name = names.find(text.substr(at + 1, end == text.npos ? end : end - at - 1));
        if (name == names.end())
            ++at;
        else
            text.replace(at, name->first.size() + 1, name->second);
    }
    return text;
}

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

void check_row(const std::string& row, const TemporaryFolder& folder)
{
    std::vector<std::string> told;
    for (std::size_t at = row.find(" | "); at != row.npos;) {
        const std::size_t next = row.find(" | ", at + 3);
        told.push_back(row.substr(at + 3, next == row.npos ? next : next - at - 3));
        at = next;
    }
    REQUIRE_FALSE(told.empty());
    for (const std::string& command : choices_of(row.substr(0, row.find(" | ")))) {
        INFO(command);
        const auto before = everything_in(folder);
        check_refused(run_words(command, folder / ""), told);
        CHECK(everything_in(folder) == before);
    }
}

/// Checks the rows of every fourth group.
void check_part(unsigned part)
{
    std::ifstream rows(PROJECT_FOLDER "/tests/sim/cli/refusals.txt");
    std::map<std::string, std::string> names;
    std::optional<TemporaryFolder> folder;
    unsigned groups = 0, number = 0;
    for (std::string row; std::getline(rows, row);) {
        INFO("refusals.txt:" << ++number);
        if (row.empty() || row[0] == '#')
            continue;
        row = with_names(row, names);
        const std::string rest = row.substr(std::min<std::size_t>(2, row.size()));
        if (const std::size_t define = row.find(" := "); define != row.npos) {
            names[row.substr(0, define)] = row.substr(define + 4);
        } else if (row.starts_with("== ")) {
            folder.emplace();
            std::filesystem::create_directory_symlink(SCHEDULE_LIBRARY, *folder / "lib");
            ++groups;
        } else if (groups % parts != part) {
            continue;
        } else if (row.starts_with("+ ")) {
            const std::string file = rest.substr(0, rest.find(' '));
            std::filesystem::create_directories(std::filesystem::path(*folder / file).parent_path());
            folder->file(file, unescaped(rest.substr(std::min(rest.size(), file.size() + 1))));
        } else if (row.starts_with("~ ")) {
            folder->file("changed.json", changed(*folder, std::istringstream(rest)));
        } else if (row.starts_with("$ ")) {
            REQUIRE(run_words(rest, *folder / "").status <= 1);
        } else {
            check_row(row, *folder);
        }
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
