// Whatever option is given beside a call: it is used, or refused in one line before anything is written.
#include "sim/cli/command.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/fuzz/command_run.hpp"
#include "tests/rows.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace nocturne::option_use_test {

using namespace nocturne::test;

namespace {

constexpr std::chrono::seconds limit{60}; // sanitizers, and other tests beside this one

/// Files of the kinds that the modes read.
class Inputs {
public:
    Inputs()
    {
        paths_["STEPS"] = SCHEDULE_LIBRARY "/octagon8_aas.json";
        write("TRACE", "trace.csv", "cycle,source,destination,bytes,after\n0,0,2,64,\n5,1,0,4,0\n");
        write("SWEEP", "sweep.ini",
              "command = traffic\n[options]\ntopology = ring:4\nload = 0.1\nwarm-up = 10\nwindow = "
              "60\nbatches = 2\n[sweep]\nseed = 1 2\n");
        make("CHUNKS", "schedule ring:4 --collective allgather --objective steps --chunks 1 -o made.json");
        make("BOUND", "bound ring:4 --collective AAS -o made.json");
        make("XML", "export CHUNKS --msccl-xml made.xml");
    }

    /// The words of a line, with paths for files.
    std::vector<std::string> words_of(const std::string& line) const
    {
        std::istringstream stream(line);
        std::vector<std::string> words;
        for (std::string word; stream >> word;) {
            const auto path = paths_.find(word);
            words.push_back(path == paths_.end() ? word : path->second);
        }
        return words;
    }

    CommandRun run(const std::vector<std::string>& arguments) const
    {
        return run_command({arguments, {}}, folder_ / "run", limit);
    }

private:
    void write(const std::string& word, const std::string& name, const std::string& content)
    {
        std::ofstream(folder_ / name) << content;
        paths_[word] = folder_ / name;
    }

    void make(const std::string& word, const std::string& line)
    {
        const CommandRun made = run(words_of(line));
        INFO(line << made.err);
        REQUIRE(made.left_behind.size() == 1);
        paths_[word] = folder_ / word;
        std::filesystem::rename(std::filesystem::path(folder_ / "run") / made.left_behind.front(),
                                paths_[word]);
    }

    TemporaryFolder folder_;
    std::map<std::string, std::string> paths_;
};

/// A value that is another than the default, and does where the option has something to say. Of numbers 2.
std::string value_of(const std::string& option)
{
    static const std::vector<Row> rows = rows_of("fuzz/option_use.txt");
    const auto found = std::ranges::find_if(
        rows, [&](const Row& row) { return row.group == "values" && row.cells[0] == option; });
    return found == rows.end() ? "2" : found->cells[1];
}

void check_option(const Inputs& inputs, std::vector<std::string> arguments, const cli::OptionRow& option)
{
    const std::string name = option.long_name();
    arguments.push_back("--" + name);
    if (option.value.takes_value())
        arguments.push_back(value_of(name));
    const CommandRun run = inputs.run(arguments);
    INFO(fmt::format("{}\n", fmt::join(arguments, " ")) << run.err);
    CHECK(complaint(run).empty());
    CHECK(run.err.find("made no difference") == std::string::npos);
    // What is no value is refused before anything runs (tests/sim/cli/option_table_test.cpp), but for names.
    const std::string& parameter = option.value.parameter;
    if (!option.value.is_name || parameter.starts_with("FILE") || parameter == "DIR" ||
        parameter == "PREFIX" || parameter == "TITLE") // any text is one
        return;
    arguments.back() = "nonsense:9";
    const CommandRun garbage = inputs.run(arguments);
    INFO(garbage.err);
    CHECK(complaint(garbage).empty());
    CHECK(garbage.status == 2);
}

/// Of all pairs of a mode and an option a share: two thousand starts of a program with sanitizers take
/// minutes.
void check_options(const std::string& modes)
{
    std::size_t pair = 0;
    const Inputs inputs;
    for (const Row& row : rows_of("fuzz/option_use.txt")) {
        if (row.group != modes)
            continue;
        const std::vector<std::string> arguments = inputs.words_of(row.cells[0]);
        const CommandRun plain = inputs.run(arguments);
        INFO(row.place << '\n' << plain.err);
        REQUIRE(plain.status < 2);
        const cli::OptionTable options = cli::options_of(cli::find_command(arguments.front()));
        for (const cli::OptionRow& option : options.rows())
            if (option.long_name() != "help" && option.long_name() != "config" &&
                std::ranges::find(arguments, "--" + option.long_name()) == arguments.end() &&
                test::is_tried(++pair, 11))
                check_option(inputs, arguments, option);
    }
}

} // namespace

TEST_CASE("an option of a simulation is used or refused, and never nonsense")
{
    check_options("simulations");
}

TEST_CASE("an option of a search is used or refused, and never nonsense")
{
    check_options("searches");
}

TEST_CASE("an option of a conversion is used or refused, and never nonsense")
{
    check_options("conversions");
}

// What is read comes later: a file that is not there is no excuse for a search whose result has no place.
TEST_CASE("a place that cannot be written is said first, whatever option names it")
{
    const TemporaryFolder folder;
    unsigned tried = 0;
    for (const cli::Command& command : cli::commands()) {
        const cli::OptionTable options = cli::options_of(command);
        for (const cli::OptionRow& row : options.rows()) {
            if (row.value.written == cli::Written::nothing)
                continue;
            std::vector<std::string> arguments{std::string(command.usage.command), "--" + row.long_name(),
                                               "/dev/null/made"};
            if (command.usage.positional != "processors" && command.usage.positional != "nodes")
                arguments.emplace_back("missing.json");
            else
                arguments.emplace_back("7");
            if (!row.needs.empty()) {
                const std::string& need = row.needs.front();
                const std::size_t equals = need.find('=');
                arguments.push_back("--" + need.substr(0, equals));
                if (equals != std::string::npos)
                    arguments.push_back(need.substr(equals + 1));
                else if (options.find(need)->value.takes_value())
                    arguments.emplace_back("2");
            }
            const CommandRun run = run_command({arguments, {}}, folder / "run", limit);
            INFO(fmt::format("{}\n", fmt::join(arguments, " ")) << run.err);
            CHECK(complaint(run).empty());
            CHECK(run.status == 2);
            CHECK(run.err.find("/dev/null/made: cannot") != std::string::npos);
            ++tried;
        }
    }
    CHECK(tried > 30);
}

} // namespace nocturne::option_use_test
