#include "tests/fuzz/command_lists.hpp"

#include "tests/rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

namespace nocturne::test {

namespace {

using Lists = std::map<std::string, std::vector<std::string>>;

const Lists& all_lines()
{
    static const Lists lists = [] {
        Lists lines;
        for (const Row& row : rows_of("fuzz/inputs.txt"))
            lines[row.group].push_back(fmt::format("{}", fmt::join(row.cells, " | ")));
        return lines;
    }();
    return lists;
}

} // namespace

std::vector<std::string> lines_of(const std::string& group)
{
    return all_lines().at(group);
}

const std::vector<std::string>& words_of(const std::string& group)
{
    static Lists lists;
    std::vector<std::string>& words = lists[group];
    if (words.empty())
        for (const std::string& line : lines_of(group)) {
            std::istringstream stream(line);
            for (std::string word; stream >> word;)
                words.push_back(word == "\"\"" ? "" : unescaped(word));
        }
    return words;
}

std::map<std::string, std::string> written_by_people()
{
    std::map<std::string, std::string> files;
    for (const auto& [group, lines] : all_lines())
        for (const std::string& line : lines)
            if (group.starts_with("file "))
                files[group.substr(5)] += unescaped(line) + '\n';
            else if (group.starts_with("bytes "))
                files[group.substr(6)] += unescaped(line);
    return files;
}

} // namespace nocturne::test
