// Help, manual pages and completion: what they say is true of the program, since both come from the same
// tables.
#include "models/text/neighbour_words.hpp"
#include "sim/cli/command.hpp"
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace nocturne::documentation_test {

using namespace nocturne::test;
using Catch::Contains;
using Catch::StartsWith;

namespace {

/// As `nocturne --help` lists them.
std::vector<std::string> commands()
{
    std::vector<std::string> names;
    std::istringstream help(run_nocturne({"--help"}).out);
    for (std::string line; std::getline(help, line);)
        if (line.starts_with("  ") && line[2] >= 'a' && line[2] <= 'z')
            names.push_back(line.substr(2, line.find(' ', 2) - 2));
    REQUIRE(names.size() >= 12);
    return names;
}

std::vector<std::string> examples(const std::string& command)
{
    const std::string help = run_nocturne({command, "--help"}).out;
    std::vector<std::string> lines;
    std::istringstream text(help.substr(std::min(help.find("\nExamples:\n"), help.size())));
    for (std::string line; std::getline(text, line);)
        if (line.starts_with("  nocturne "))
            lines.push_back(line.substr(std::string("  nocturne").size()));
    return lines;
}

/// The options as help lists them, `--bytes`.
std::vector<std::string> options(const std::string& command)
{
    std::vector<std::string> names;
    std::istringstream help(run_nocturne({command, "--help", "all"}).out);
    for (std::string line; std::getline(help, line);) {
        const std::size_t begin = line.find("--");
        if (line.starts_with("  -") && begin < 10)
            names.push_back(line.substr(begin, line.find_first_of(" \n", begin) - begin));
    }
    REQUIRE(names.size() > 5);
    return names;
}

/// What the call is refused with, in this process; empty if it is not.
std::string refusal(const std::string& command, const std::vector<std::string>& arguments)
{
    try {
        cli::run_command(cli::find_command(command), arguments);
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

/// All that is said of a word where an option, a command or a value is expected.
std::vector<std::string> refusals(const std::string& word)
{
    std::vector<std::string> all{refusal(word, {})};
    const std::string option = "--" + word.substr(std::min(word.find_first_not_of('-'), word.size()));
    for (const cli::Command& command : cli::commands())
        all.push_back(refusal(std::string(command.usage.command), {option}));
    for (const char* taker : {"--pattern", "--routing", "--arrivals", "--switch-allocator", "--arbiter"})
        all.push_back(refusal("traffic", {"mesh:4x4", taker, word}));
    all.push_back(refusal("topology", {word + ":4x4"}));
    return all;
}

} // namespace

TEST_CASE("every word of another tool is answered with what it is called here", "[cli][documentation]")
{
    std::size_t answered = 0;
    for (const NeighbourWord& row : neighbour_words()) {
        if (row.here.empty())
            continue;
        INFO(row.tool << ' ' << row.word);
        const std::string answer = "here it is '" + std::string(row.here) + "'";
        const std::vector<std::string> said = refusals(std::string(row.word));
        CHECK(std::ranges::any_of(
            said, [&](const std::string& text) { return text.find(answer) != std::string::npos; }));
        ++answered;
    }
    CHECK(answered > 70);
    CHECK_THAT(run_nocturne({"traffic", "mesh:4x4", "--injection-rate", "0.005"}).err,
               StartsWith("nocturne: traffic: unrecognised option '--injection-rate': here it is '--load' "
                          "(BookSim2): packets per node and cycle there unless "
                          "'injection_rate_uses_flits = 1', flits here: 20-flit packets at 0.005 are --load "
                          "0.1; see"));
    CHECK_THAT(run_nocturne({"traffic", "mesh:4x4", "-pir", "0.005"}).err,
               Contains("packets per node and cycle there, flits here"));
    CHECK_THAT(run_nocturne({"traffic", "mesh:4x4", "--num_vcs=2"}).err, Contains("here it is '--vcs'"));
    const TemporaryFolder folder;
    const std::string file = folder.file("booksim.ini", "injection_rate = 0.1\n");
    CHECK_THAT(run_nocturne({"traffic", "mesh:4x4", "--config", file}).err,
               Contains("booksim.ini: unrecognised option 'injection_rate': here it is '--load'"));
    const Outcome page = run_nocturne({"man", "coming-from"});
    CHECK(page.status == 0);
    for (const NeighbourWord& row : neighbour_words())
        if (!row.tool.empty())
            CHECK_THAT(page.out, Contains("| `" + std::string(row.word) + "` | "));
}

TEST_CASE("a page of the documentation that is asked for as one of man is named", "[cli][documentation]")
{
    for (const auto& entry : std::filesystem::directory_iterator(PROJECT_FOLDER "/docs")) {
        const std::string page = entry.path().stem().string();
        if (entry.path().extension() != ".md" || page == "README")
            continue;
        INFO(page);
        const Outcome outcome = run_nocturne({"man", page});
        if (outcome.status == 0) // a command is called so
            CHECK_THAT(outcome.out, StartsWith(".TH"));
        else
            CHECK_THAT(outcome.err, Contains("'" + page + "' is a page of the documentation: docs/" + page));
    }
}

namespace {

void check_examples(const std::vector<std::string>& commands)
{
    for (const std::string& command : commands) {
        const TemporaryFolder folder;
        std::filesystem::create_directory_symlink(PROJECT_FOLDER "/examples", folder / "examples");
        const std::vector<std::string> lines = examples(command);
        REQUIRE_FALSE(lines.empty());
        for (const std::string& line : lines) {
            INFO(line);
            const Outcome outcome = run_words(line, folder / "");
            CHECK(outcome.status == 0);
            CHECK(without_remarks(outcome.err).empty());
            CHECK_THAT(line, Contains(" " + command) || Contains("-o "));
        }
    }
}

} // namespace

TEST_CASE("the examples in the help of every command work as they are written, 1 of 3",
          "[cli][documentation]")
{
    check_examples({"topology", "bound", "schedule", "certify", "validate"});
}

TEST_CASE("the examples in the help of every command work as they are written, 2 of 3",
          "[cli][documentation]")
{
    check_examples({"reschedule", "evolve", "replay", "recover"});
}

TEST_CASE("the examples in the help of every command work as they are written, 3 of 3",
          "[cli][documentation]")
{
    check_examples({"traffic", "contract", "benes", "compare", "import", "sweep"});
}

TEST_CASE("every command has examples, and they are in its manual page", "[cli][documentation]")
{
    for (const std::string& command : commands()) {
        INFO(command);
        const Outcome page = run_nocturne({"man", command});
        CHECK(page.status == 0);
        CHECK_THAT(page.out, StartsWith(".TH \"nocturne\\-" + command + "\" 1 "));
        std::string plain = page.out;
        plain.erase(std::remove(plain.begin(), plain.end(), '\\'), plain.end());
        for (const std::string& option : options(command))
            CHECK_THAT(plain, Contains("fB" + option + "fR"));
        const std::vector<std::string> shown = examples(command);
        CHECK_FALSE(shown.empty());
        for (const std::string& example : shown)
            CHECK_THAT(plain, Contains("nocturne" + example + "\n"));
    }
    const std::string overview = run_nocturne({"man"}).out;
    for (const std::string& command : commands())
        CHECK_THAT(overview, Contains("nocturne\\-" + command + " (1)"));
    CHECK_THAT(overview, Contains(".SH EXIT STATUS"));
}

TEST_CASE("programs are told of commands and options what help tells", "[cli][documentation]")
{
    const auto said = nlohmann::json::parse(run_nocturne({"man", "commands", "--json"}).out)["commands"];
    std::vector<std::string> names;
    for (const auto& command : said) {
        names.push_back(command["name"]);
        std::vector<std::string> listed;
        for (const auto& option : command["options"])
            listed.push_back("--" + option["name"].get<std::string>());
        CHECK_THAT(listed, Catch::Matchers::UnorderedEquals(options(names.back())));
        const auto is_argument = [&](const auto& option) { return option["name"] == command["argument"]; };
        CHECK(std::count_if(command["options"].begin(), command["options"].end(), is_argument) == 1);
    }
    CHECK(names == commands());
    const auto row_of = [&](const std::string& command, const std::string& option) {
        for (const auto& each : said)
            for (const auto& row : each["options"])
                if (each["name"] == command && row["name"] == option)
                    return row;
        return nlohmann::json();
    };
    CHECK(row_of("replay", "seed")["kind"] == "count");
    CHECK(row_of("replay", "seed")["default"] == "1");
    CHECK(row_of("recover", "fault")["is_repeated"] == true);
    CHECK(row_of("topology", "measure")["kind"] == "switch");
    CHECK(row_of("topology", "output")["is_written"] == true);
    CHECK(row_of("design", "mutation")["needs"] == std::vector<std::string>{"engine=gappin"});
}

TEST_CASE("Bash completes commands, options, networks and files", "[cli][documentation]")
{
    const TemporaryFolder folder;
    const std::string script = folder.file("completion.bash", run_nocturne({"completion", "bash"}).out);
    const auto completed = [&](const std::string& words) {
        const Outcome outcome =
            run_shell("bash -c 'source " + script + "; COMP_WORDS=(" + words +
                      "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _nocturne; echo ${COMPREPLY[@]}'");
        CHECK(outcome.err.empty());
        return outcome.out;
    };
    CHECK(completed("nocturne sch") == "schedule\n");
    CHECK(completed("nocturne com") == "compare completion\n");
    CHECK(completed("nocturne replay --by") == "--bytes\n");
    CHECK(completed("nocturne replay x.json --st") == "--step-times\n");
    CHECK(completed("nocturne schedule me") == "mesh:4x4\n");
    CHECK(completed("nocturne replay x") == "\n"); // files: the shell's own
    for (const std::string& command : commands()) {
        const std::string all = completed("nocturne " + command + " --");
        for (const std::string& option : options(command))
            CHECK_THAT(" " + all, Contains(" " + option));
    }
}

} // namespace nocturne::documentation_test
