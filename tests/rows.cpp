#include "tests/rows.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace nocturne::test {

namespace {

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

std::vector<std::string> split(const std::string& text, const std::string& separator)
{
    std::vector<std::string> pieces;
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = text.find(separator, begin)) != text.npos;
         begin = end + separator.size())
        pieces.push_back(text.substr(begin, end - begin));
    pieces.push_back(text.substr(begin));
    return pieces;
}

} // namespace

std::vector<Row> rows_of(const std::string& path)
{
    std::ifstream lines(TESTS_FOLDER + path);
    if (!lines)
        throw std::runtime_error(path + ": cannot read");
    std::vector<Row> rows;
    std::map<std::string, std::string> names;
    std::string group;
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (line.empty() || line[0] == '#')
            continue;
        line = with_names(line, names);
        if (const std::size_t define = line.find(" := "); define != line.npos)
            names[line.substr(0, define)] = line.substr(define + 4);
        else if (line.starts_with("== "))
            group = line.substr(3);
        else if (line.starts_with("  | "))
            for (const std::string& cell : split(line.substr(4), " | "))
                rows.back().cells.push_back(cell);
        else
            rows.push_back({path + ":" + std::to_string(number), group, split(line, " | ")});
    }
    return rows;
}

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

std::vector<std::string> pieces_of(const std::string& text)
{
    std::vector<std::string> pieces = split(text, ";;");
    for (std::string& piece : pieces) {
        piece.erase(0, std::min(piece.size(), piece.find_first_not_of(' ')));
        piece.erase(piece.find_last_not_of(' ') + 1);
    }
    return pieces;
}

} // namespace nocturne::test
