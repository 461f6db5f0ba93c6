#include "sim/cli/documentation.hpp"

#include "models/text/neighbour_words.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/cli/installed.hpp"
#include "sim/cli/result_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

namespace nocturne::cli {

namespace {

/// Text for a manual page: nothing in it is taken for a request of the formatter.
std::string roff(std::string_view text)
{
    std::string escaped;
    bool at_line_start = true;
    for (const char c : text) {
        if (at_line_start && (c == '.' || c == '\''))
            escaped += "\\&";
        at_line_start = c == '\n';
        if (c == '\\')
            escaped += "\\e";
        else if (c == '-')
            escaped += "\\-";
        else
            escaped += c;
    }
    return escaped;
}

void print_page_head(std::string_view name, std::string_view summary)
{
    fmt::print(".TH \"{}\" 1 \"\" \"nocturne {}\" \"Nocturne\"\n.SH NAME\n{} \\- {}\n", roff(name), version(),
               roff(name), roff(summary));
}

void print_manual(const Command& command)
{
    const Usage& usage = command.usage;
    const OptionTable options = options_of(command);
    print_page_head(fmt::format("nocturne-{}", usage.command), usage.summary);
    fmt::print(".SH SYNOPSIS\n.B nocturne {}\n[\\fIOPTIONS\\fR] \\fI{}\\fR\n.SH DESCRIPTION\n{}.SH OPTIONS\n",
               roff(usage.command), roff(usage.positional), roff(usage.description));
    for (const OptionRow& option : options.rows()) {
        const std::string short_name = option.short_name();
        const std::string& parameter = option.value.parameter;
        const std::string otherwise =
            option.value.otherwise ? fmt::format(" (={})", *option.value.otherwise) : "";
        fmt::print(".TP\n\\fB{}\\-\\-{}\\fR{}{}\n{}\n",
                   short_name.empty() ? "" : fmt::format("\\-{}\\fR, \\fB", short_name),
                   roff(option.long_name()), parameter.empty() ? "" : " ", roff(parameter + otherwise),
                   roff(option.help));
    }
    fmt::print(".SH EXAMPLES\n.nf\n");
    for (const std::string_view example : usage.examples)
        fmt::print("{}\n", roff(example));
    fmt::print(".fi\n.SH SEE ALSO\n.BR nocturne (1)\n");
}

void print_overview()
{
    print_page_head("nocturne", "a network-on-chip simulator with schedule validation");
    fmt::print(".SH SYNOPSIS\n.B nocturne\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n"
               "Simulates networks on chips, and searches, validates and replays schedules of collective "
               "communications.\n.SH COMMANDS\n");
    for (const Command& command : commands())
        fmt::print(".TP\n.BR nocturne\\-{} (1)\n{}\n", roff(command.usage.command),
                   roff(command.usage.summary));
    fmt::print(".SH FILES\n{}\n.SH SEE ALSO\n{}\n",
               roff("What examples and the documentation call examples/ and schedules/library/ is in "
                    "share/nocturne of an installation: examples/ and schedules/."),
               roff("'nocturne man --help' names the other pages and the documentation."));
    fmt::print(".SH EXIT STATUS\n");
    for (const StatusMeaning& status : statuses())
        fmt::print(".TP\n{}\n{}\n", status.status, roff(status.meaning));
}

/// What is printed as long as this lives goes through man(1), if it goes to a terminal and there is one.
class OnTerminal {
public:
    OnTerminal()
    {
        if (isatty(STDOUT_FILENO) == 0 || std::system("command -v man >/dev/null 2>&1") != 0)
            return;
        std::fflush(stdout);
        terminal_ = dup(STDOUT_FILENO);
        pipe_ = popen("man -l -", "w");
        if (pipe_ != nullptr)
            dup2(fileno(pipe_), STDOUT_FILENO);
    }
    ~OnTerminal()
    {
        if (pipe_ == nullptr)
            return;
        std::fflush(stdout);
        dup2(terminal_, STDOUT_FILENO);
        close(terminal_);
        pclose(pipe_);
    }
    OnTerminal(const OnTerminal&) = delete;
    OnTerminal& operator=(const OnTerminal&) = delete;

private:
    int terminal_ = -1;
    std::FILE* pipe_ = nullptr;
};

/// docs/coming_from.md of the built manual.
void print_neighbour_words()
{
    fmt::print(
        "# Coming from another tool\n\n"
        "Options and names of BookSim2, Noxim, Garnet, msccl-tools and TACOS that differ in\n"
        "Nocturne. If one is typed as an option or value, the error contains the name here.\n"
        "`nocturne import` translates whole configurations. Sources: [bibliography](bibliography.md).\n");
    std::string_view tool;
    for (const NeighbourWord& row : neighbour_words()) {
        if (row.tool.empty()) // a guess
            continue;
        if (row.tool != tool)
            fmt::print("\n## {}\n\n| there | here | difference |\n| --- | --- | --- |\n", row.tool);
        tool = row.tool;
        fmt::print("| `{}` | {} | {} |\n", row.word, row.here.empty() ? "" : fmt::format("`{}`", row.here),
                   row.difference);
    }
    fmt::print("\nThis page is made by `nocturne man coming-from`.\n");
}

/// Pages of docs/ that are not those of a command.
constexpr std::array pages_of_documentation{
    "bibliography", "chips",           "chunks", "command_line", "concepts",    "contracts", "definitions",
    "dependencies", "developing",      "energy", "errors",       "experiments", "fabric",    "faq",
    "files",        "getting_started", "guide",  "library",      "models",      "networks",  "other_tools",
    "python",       "recovery",        "rtl",    "schedules",    "simulation"};

/// Where the documentation is; of one page where that is.
std::string places_of_pages(std::string_view page = {})
{
    const std::string html = fmt::format("html/{}.html", page.empty() ? "index" : page);
    const std::string built = documentation_file(html);
    const std::string source = fmt::format("docs/{}.md", page.empty() ? "README" : page);
    return built.empty() ? fmt::format("{}{} of the source of Nocturne",
                                       page.empty() ? "The documentation is " : "", source)
                         : fmt::format("{}{}", page.empty() ? "The documentation is " : "", built);
}

} // namespace

std::string wrapped(const std::string& text)
{
    constexpr std::size_t most_columns = 100;
    std::istringstream stream(text);
    std::string lines, line;
    for (std::string word; stream >> word;) {
        if (line.size() + 1 + word.size() > most_columns) {
            lines += line + '\n';
            line = "   ";
        }
        line += line.empty() ? word : ' ' + word;
    }
    return lines + line + '\n';
}

std::string help_text(const Usage& usage, const OptionTable& options, HelpLength length)
{
    std::vector<std::string> titles;
    std::map<std::string, std::vector<OptionRow>> groups;
    for (const OptionRow& row : options.rows()) {
        if (groups[row.group].empty())
            titles.push_back(row.group);
        groups[row.group].push_back(row);
    }
    std::rotate(titles.begin(), titles.begin() + 1, titles.end()); // those of every command come last
    std::string text = fmt::format("usage: nocturne {} [OPTIONS] {}\n\n{}\n", usage.command, usage.positional,
                                   usage.description);
    std::string examples = "Examples:\n";
    for (const std::string_view example : usage.examples)
        examples += fmt::format("  {}\n", example);
    const auto lines_in = [](const std::string& of) { return std::ranges::count(of, '\n'); };
    constexpr std::ptrdiff_t most_lines = 100, lines_of_a_name_list = 4;
    std::string named; // groups whose options are only named
    std::ptrdiff_t left = most_lines - lines_in(text) - lines_in(examples);
    for (std::size_t i = 0; i < titles.size(); ++i) {
        const std::vector<OptionRow>& rows = groups[titles[i]];
        const std::string help = help_of(titles[i], rows) + '\n';
        const auto later = static_cast<std::ptrdiff_t>(titles.size() - i - 1) * lines_of_a_name_list;
        const bool is_last = i + 1 == titles.size();
        if (length == HelpLength::all || is_last || lines_in(help) + later <= left) {
            text += help;
            left -= lines_in(help);
            continue;
        }
        std::string names;
        for (const OptionRow& row : rows)
            names += " --" + row.long_name();
        names = wrapped(fmt::format("{}:{}", titles[i], names));
        left -= lines_in(names);
        named += names;
    }
    if (!named.empty())
        text +=
            fmt::format("More options, which 'nocturne {} --help all' explains:\n{}\n", usage.command, named);
    return text + examples;
}

std::string results_documentation()
{
    const std::string introduction =
        "# Results\n\n"
        "The fields of every kind of result, as `--json` prints them and CSV files and databases hold them.\n"
        "Names are the same in JSON, CSV, SQLite and Python. A value of null in JSON is an empty field in "
        "CSV,\n"
        "`NULL` in SQLite and `None` in Python. A flag is `true` or `false` in JSON and CSV, 1 or 0 in "
        "SQLite.\n"
        "In a table each result of a list is one row, after the fields of the whole result; the fields of "
        "an\n"
        "object have the object's name as prefix. The JSON also has `result` (the kind) and `made_by`\n"
        "(program, version, command, options, remarks).\n\n"
        "This page is made by `nocturne man results`.\n";
    return introduction + results_page(all_results());
}

nlohmann::ordered_json commands_json()
{
    static constexpr std::array forms{"switch", "text", "count", "real"}; // of OptionKind::Form
    auto all = nlohmann::ordered_json::array();
    for (const Command& command : commands()) {
        const Usage& usage = command.usage;
        auto rows = nlohmann::ordered_json::array();
        const OptionTable options = options_of(command);
        for (const OptionRow& row : options.rows())
            rows.push_back({{"name", row.long_name()},
                            {"short", row.short_name()},
                            {"kind", forms.at(static_cast<std::size_t>(row.value.form))},
                            {"parameter", row.value.parameter},
                            {"default", row.value.otherwise.value_or("")},
                            {"is_repeated", row.value.is_repeated},
                            {"is_written", row.value.written != Written::nothing},
                            {"needs", row.needs},
                            {"help", row.help}});
        all.push_back({{"name", usage.command},
                       {"summary", usage.summary},
                       {"description", usage.description},
                       {"argument", usage.positional},
                       {"alternative", usage.alternative},
                       {"examples", usage.examples},
                       {"options", rows}});
    }
    return {{"commands", all}};
}

int run_man(const std::vector<std::string>& arguments)
{
    const std::string first = arguments.empty() ? "" : arguments.front();
    if (first == "--help" || first == "-h" || first == "man" || first == "help") {
        fmt::print("usage: nocturne man [PAGE]\n\nShows a manual page: of a command, or of nocturne without "
                   "PAGE.\n\n"
                   "  nocturne man results      all fields of all results\n"
                   "  nocturne man coming-from  names of other tools and their names here\n\n"
                   "{}; {}.\n",
                   places_of_pages(), places_of_examples());
        return all_is_well;
    }
    if (arguments == std::vector<std::string>{"commands", "--json"}) {
        print_json(commands_json());
        return all_is_well;
    }
    if (arguments == std::vector<std::string>{"results", "--json"}) {
        print_json(results_json(all_results()));
        return all_is_well;
    }
    if (arguments == std::vector<std::string>{"coming-from"}) {
        print_neighbour_words();
        return all_is_well;
    }
    if (arguments.size() > 1 || (arguments.size() == 1 && arguments.front().starts_with('-')))
        throw std::invalid_argument("man: expected one command, or nothing: nocturne man [COMMAND]");
    if (arguments == std::vector<std::string>{"results"}) {
        fmt::print("{}", results_documentation());
        return all_is_well;
    }
    if (std::ranges::find(pages_of_documentation, first) != pages_of_documentation.end())
        throw std::invalid_argument(
            fmt::format("man: '{}' is a page of the documentation: {}; nocturne man --help names those here",
                        first, places_of_pages(first)));
    const Command* const command =
        arguments.empty() ? nullptr : &find_command(first, {"results", "coming-from"});
    const OnTerminal formatted;
    if (command == nullptr)
        print_overview();
    else
        print_manual(*command);
    return all_is_well;
}

} // namespace nocturne::cli
