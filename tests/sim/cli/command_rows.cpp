#include "tests/sim/cli/command_rows.hpp"

#include "tests/catch.hpp"

#include <filesystem>
#include <optional>
#include <sstream>

namespace nocturne::test {

using nlohmann::json;

namespace {

/// FILE POINTER TEXT ...: the file with these values at these places.
std::string changed(const TemporaryFolder& folder, std::istringstream row)
{
    std::string file, pointer, text;
    row >> file;
    const json original = json::parse(content_of(folder / file));
    json document = original;
    while (row >> pointer) {
        if (!(row >> text) || text == "-")
            document = document.patch(json::array({{{"op", "remove"}, {"path", pointer}}}));
        else
            document[json::json_pointer(pointer)] =
                text[0] == '@' ? original.at(json::json_pointer(text.substr(1))) : json::parse(text);
    }
    return document.dump(1);
}

} // namespace

std::vector<ChosenCommand> choices_of(const std::string& command)
{
    const std::size_t end = command.find('}');
    if (end == command.npos)
        return {{command, {}}};
    const std::size_t begin = command.rfind('{', end);
    std::istringstream choices(command.substr(begin + 1, end - begin - 1) + ';');
    std::vector<ChosenCommand> all;
    for (std::string choice; std::getline(choices, choice, ';');)
        for (ChosenCommand& each : choices_of(command.substr(0, begin) + choice + command.substr(end + 1))) {
            each.chosen.insert(each.chosen.begin(), choice);
            all.push_back(std::move(each));
        }
    return all;
}

void write_file(const TemporaryFolder& folder, const std::string& text)
{
    const std::string file = text.substr(0, text.find(' '));
    std::filesystem::create_directories(std::filesystem::path(folder / file).parent_path());
    folder.file(file, unescaped(text.substr(std::min(text.size(), file.size() + 1))));
}

void for_each_command(const std::string& table, unsigned part, unsigned parts,
                      const std::function<void(const Row&, const TemporaryFolder&)>& check)
{
    std::optional<TemporaryFolder> folder;
    std::string group;
    unsigned groups = 0;
    for (const Row& row : rows_of(table)) {
        INFO(row.place);
        if (row.group != group) {
            group = row.group;
            folder.emplace();
            std::filesystem::create_directory_symlink(SCHEDULE_LIBRARY, *folder / "lib");
            std::filesystem::create_directory_symlink(PROJECT_FOLDER "/examples", *folder / "examples");
            ++groups;
        }
        if (groups % parts != part)
            continue;
        const std::string kind = row.cells[0].substr(0, 2);
        const std::string text = row.cells[0].substr(std::min<std::size_t>(2, row.cells[0].size()));
        if (kind == "+ ")
            write_file(*folder, text);
        else if (kind == "~ ")
            folder->file("changed.json", changed(*folder, std::istringstream(text)));
        else if (kind == "$ ")
            REQUIRE(run_words(text, *folder / "").status <= 1);
        else
            check(row, *folder);
    }
    CHECK(groups > parts);
}

} // namespace nocturne::test
