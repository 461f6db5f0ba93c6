// What people type first runs, or leads to a line that does.
#include "sim/cli/command.hpp"
#include "tests/catch.hpp"
#include "tests/rows.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <boost/program_options.hpp>

#include <algorithm>
#include <sstream>

namespace nocturne::first_commands_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

const std::string octagon = library("octagon8_aas.json");

Arguments words_of_line(const std::string& line)
{
    return boost::program_options::split_unix(line, " ", "\"");
}

std::string with_octagon(std::string text)
{
    for (std::size_t at = 0; (at = text.find("$octagon", at)) != text.npos;)
        text.replace(at, 8, octagon);
    return text;
}

/// The quoted command lines of a text, without the program's name.
std::vector<Arguments> quoted_commands(const std::string& text)
{
    std::vector<Arguments> commands;
    const std::string begin = "'nocturne ";
    for (std::size_t at = 0; (at = text.find(begin, at)) != text.npos; ++at) {
        const std::size_t from = at + begin.size();
        commands.push_back(words_of_line(text.substr(from, text.find('\'', from) - from)));
    }
    return commands;
}

} // namespace

TEST_CASE("what people type first runs, or leads to a line that does", "[cli][first]")
{
    std::size_t quoted = 0;
    for (const Row& row : rows_of("sim/cli/first_commands.txt")) {
        INFO(row.place << ": nocturne " << row.cells[0]);
        const Outcome outcome = run_nocturne(words_of_line(with_octagon(row.cells[0])));
        const std::string& text = row.group == "runs" ? outcome.out : outcome.err;
        CHECK(outcome.status == (row.group == "runs" ? 0 : 2));
        for (std::size_t part = 1; part < row.cells.size(); ++part)
            if (row.cells[part].starts_with('!'))
                CHECK_THAT(text, !Contains(row.cells[part].substr(1)));
            else
                CHECK_THAT(text, Contains(with_octagon(row.cells[part])));
        if (row.group == "runs")
            continue;
        CHECK(std::ranges::count(text, '\n') == 1);
        for (const Arguments& line : quoted_commands(text)) {
            INFO(Catch::Detail::stringify(line));
            if (line.front().starts_with("--") || line.front() == "COMMAND")
                continue;
            ++quoted;
            CHECK_NOTHROW(cli::values_of(cli::find_command(line.front()), {line.begin() + 1, line.end()}));
        }
    }
    CHECK(quoted > 60);
}

TEST_CASE("the first steps of the help run as they stand there, and none uses up its budget", "[cli][first]")
{
    const TemporaryFolder folder;
    std::istringstream help(run_nocturne({"--help"}).out);
    std::string line;
    while (std::getline(help, line) && line != "First steps:") {
    }
    std::size_t count = 0;
    for (; std::getline(help, line) && !line.empty(); ++count) {
        Arguments words = words_of_line(line.substr(0, line.find("  ", 4)));
        if (const std::size_t end = line.find(".json a "); end != line.npos)
            words = words_of_line(line.substr(0, end + 5));
        REQUIRE(words.front() == "nocturne");
        for (std::string& word : words)
            if (word.starts_with("ar."))
                word = folder / word;
        INFO(line);
        const Outcome outcome = run_nocturne({words.begin() + 1, words.end()});
        CHECK(outcome.status == 0);
        CHECK_THAT(outcome.out, !Contains("out of budget"));
    }
    CHECK(count == 5);
}

} // namespace nocturne::first_commands_test
