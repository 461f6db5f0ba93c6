// Every collective, whole and in chunks, through every command: the table in docs/schedules.md.
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne::command_table_test {

using namespace nocturne::test;

namespace {

struct Row {
    std::string collective;
    std::string participants; ///< options
    bool in_chunks;

    std::string name() const { return fmt::format("{}{}", collective, in_chunks ? ", in chunks" : ""); }
};

std::vector<Row> rows()
{
    constexpr std::array<std::array<const char*, 2>, 13> collectives{{
        {"broadcast", ""},
        {"scatter", ""},
        {"gather", ""},
        {"reduce", ""},
        {"allgather", ""},
        {"alltoall", ""},
        {"reduce-scatter", ""},
        {"allreduce", ""},
        {"scan", ""},
        {"multicast", "--source 00 --receivers 01,11"},
        {"permutation", "--image 01,00,11,10"},
        {"many-to-many-broadcast", "--senders 00,01 --receivers 10,11"},
        {"many-to-many-scatter", "--senders 00,01 --receivers 10,11"},
    }};
    std::vector<Row> all;
    for (const auto& [collective, participants] : collectives)
        for (const bool in_chunks : {false, true})
            all.push_back({collective, participants, in_chunks});
    return all;
}

/// What is done with a schedule, or, without FILE, with a problem.
struct Column {
    const char* name;
    const char* command; ///< PROBLEM, FILE and OUT stand for these
};

constexpr std::array columns{
    Column{"schedule", "schedule PROBLEM -o OUT"},
    Column{"with a fault", "schedule PROBLEM --fault link:00-01 -o OUT"},
    Column{"bound", "bound PROBLEM"},
    Column{"certify", "certify FILE"},
    Column{"validate", "validate FILE"},
    Column{"replay", "replay FILE --bytes 64"},
    Column{"worm", "replay FILE --bytes 64 --model worm"},
    Column{"picture", "replay FILE --bytes 64 --svg OUT"},
    Column{"compare", "compare FILE --bytes 64,128"},
    Column{"recover", "recover FILE --bytes 64 --fault link:00-01 --at-step 1"},
    Column{"reschedule", "reschedule FILE --fault link:00-01 --budget 20 -o OUT"},
    Column{"RTL", "export FILE --rtl OUT"},
    Column{"MSCCL XML", "export FILE --msccl-xml OUT"},
    Column{"msccl-tools", "export FILE --msccl-json OUT"},
    Column{"MSCCL++", "export FILE --mscclpp-json OUT"},
    Column{"GOAL", "export FILE --goal OUT"},
    Column{"Chakra", "export FILE --chakra OUT"},
};

/// What a refusal says, in the order of the notes below the table.
constexpr std::array refusals{
    "it has allreduce, allgather, reduce_scatter and alltoall",
    "has no schedules without steps",
    "partial sums cannot be sent again",
    "adds, and nothing in it does",
    "keeps sums of chunk",
    "has no places but a chunk's own",
};

void replace(std::string& text, const std::string& word, const std::string& by)
{
    if (const std::size_t at = text.find(word); at != std::string::npos)
        text.replace(at, word.size(), by);
}

std::string problem_of(const Row& row)
{
    return fmt::format("mesh:2x2 --collective {} {} --budget 20{}", row.collective, row.participants,
                       row.in_chunks ? " --chunks 2 --objective steps" : "");
}

/// `yes`, or the number of the note that says why not.
std::string cell_of(const Row& row, const Column& column, const std::string& file)
{
    std::string command = column.command;
    replace(command, "PROBLEM", problem_of(row));
    replace(command, "FILE", file);
    const TemporaryFolder folder;
    replace(command, "OUT", folder / "out");
    const Outcome outcome = run_words(command);
    INFO(command << '\n' << outcome.out << outcome.err);
    if (outcome.status == 0) {
        if (std::string_view(column.name) == "GOAL" || std::string_view(column.name) == "Chakra")
            CHECK(run_words("validate --topology mesh:2x2 " + (folder / "out")).status == 0);
        return "yes";
    }
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
    for (std::size_t i = 0; i < refusals.size(); ++i)
        if (outcome.err.find(refusals[i]) != std::string::npos)
            return std::to_string(i + 1);
    FAIL_CHECK("no note says this");
    return "?";
}

/// The cells of a line of the table, the first one its name; empty if there is none.
std::vector<std::string> documented(const std::string& name)
{
    std::istringstream lines(content_of(std::string(PROJECT_FOLDER) + "/docs/schedules.md"));
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("| " + name + " |"))
            continue;
        std::vector<std::string> cells;
        std::istringstream parts(line.substr(1));
        for (std::string cell; std::getline(parts, cell, '|');) {
            const std::size_t begin = cell.find_first_not_of(' ');
            cells.push_back(
                begin == std::string::npos ? "" : cell.substr(begin, cell.find_last_not_of(' ') + 1 - begin));
        }
        return cells;
    }
    return {};
}

/// Where the whole table is to be written, if that is asked for; else a share of the cells is tried.
const char* table_file()
{
    return std::getenv("NOCTURNE_COMMAND_TABLE");
}

bool is_cell_tried(std::size_t row, std::size_t column)
{
    return table_file() != nullptr || is_tried(row + column, 8);
}

} // namespace

TEST_CASE("every command takes every collective, whole and in chunks, or says why not", "[cli][table]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "schedule.json";
    std::string table;
    const std::vector<Row> all = rows();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Row& row = all[i];
        INFO(row.name());
        const std::vector<std::string> expected = documented(row.name());
        CHECK(expected.size() == columns.size() + 1);
        REQUIRE(run_words(fmt::format("schedule {} -o {}", problem_of(row), file)).status == 0);
        table += "| " + row.name();
        for (std::size_t column = 0; column < columns.size(); ++column) {
            if (!is_cell_tried(i, column))
                continue;
            const std::string cell = cell_of(row, columns[column], file);
            table += " | " + cell;
            INFO(columns[column].name);
            if (column + 1 < expected.size())
                CHECK(cell == expected[column + 1]);
        }
        table += " |\n";
    }
    if (table_file() != nullptr)
        std::ofstream(table_file()) << table;
}

} // namespace nocturne::command_table_test
