#include "models/topology/files.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/report_content.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/run_remarks.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/page/page.hpp"

#include <iostream>
#include <stdexcept>

namespace nocturne::cli {

namespace {

Usage usage_of_report()
{
    return {.command = "report",
            .summary = "one page that shows results: figures, curves, messages that move over the network",
            .positional = "file",
            .description =
                "Writes one page of HTML about results: what was asked, what came out, what proves it, and "
                "how to repeat it;\nwith curves, and a viewer of schedules and of recorded runs (replay and "
                "compare --record). The page needs nothing\nbut itself, and a browser.\n",
            .examples = {"nocturne schedule octagon:8 --collective AAS -o aas.json",
                         "nocturne report aas.json -o report.html",
                         "nocturne replay aas.json --bytes 64,1KiB --record run.json",
                         "nocturne report aas.json run.json -o report.html"}};
}

OptionTable options_of_report()
{
    OptionTable options;
    options.add({{"file", names_value("FILE"),
                  "results in JSON or CSV, a sweep's database, schedules (of other tools, too), bounds, "
                  "networks; the arguments without a name"},
                 {"topology", name_value("SPEC"),
                  "network of the schedules: of those of other tools, which may "
                  "name none"},
                 {"output,o", written_value("FILE"), "the page; left out: report.html"},
                 {"title", name_value("TITLE"), "of the page; left out: what the first file is about"}});
    return options;
}

/// What is printed of a page.
struct ReportOutput {
    std::string page;
    std::uint64_t bytes;
    std::uint64_t results;
    std::uint64_t movies;
    std::vector<std::string> headlines;
};

Fields<ReportOutput> fields_of(const ReportOutput*)
{
    return {"report",
            "A page about results.",
            {{"page", "", "The file that was written.", &ReportOutput::page},
             {"bytes", "bytes", "Of it.", &ReportOutput::bytes},
             {"results", "", "That it tells of.", &ReportOutput::results},
             {"movies", "", "Schedules, runs and networks that its viewer shows.", &ReportOutput::movies},
             {"headlines", "", "What it says first, a line for each result.", &ReportOutput::headlines,
              Shown::in_files}}};
}

int run_report(const OptionValues& given)
{
    refuse_given(given, {"seed"}, takes_chance);
    ReportContent content(given);
    for (const std::string& file : given.texts("file"))
        content.add_file(file);
    if (given.is_given("topology") && !content.has_schedules())
        throw std::invalid_argument("--topology: none of these files has a schedule");
    const std::string place = given.text("output", "report.html");
    require_file_place(place);
    print_remarks();
    ReportOutput output{place, 0, content.results(), content.movies(), content.headlines()};
    const std::string page = page_of(std::move(content).finished());
    output.bytes = page.size();
    write_file_atomically(place, page);
    print_result(output, given, [&] {
        for (const std::string& headline : output.headlines)
            std::cout << headline << '\n';
        print_figures(output);
    });
    return all_is_well;
}

} // namespace

const ResultDescription& report_result()
{
    return description_of<ReportOutput>();
}

Command report_command()
{
    return {usage_of_report(), options_of_report, run_report};
}

} // namespace nocturne::cli
