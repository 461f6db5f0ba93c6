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

OptionTable options_of_report()
{
    return OptionTable().add(
        {{"file", names_value("FILE"),
          "results in JSON or CSV, sweep databases, schedules (also of other tools), bounds, networks; "
          "positional arguments"},
         {"topology", name_value("SPEC"), "network of a schedule of another tool whose file names none"},
         {"output,o", written_value("FILE"), "output file; default: report.html"},
         {"title", name_value("TITLE"), "title of the page; default: that of the first file"}});
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
            {{"page", "", "Written file.", &ReportOutput::page},
             {"bytes", "bytes", "Size of the page.", &ReportOutput::bytes},
             {"results", "", "Results on the page.", &ReportOutput::results},
             {"movies", "", "Schedules, runs and networks in the viewer.", &ReportOutput::movies},
             {"headlines", "", "Main finding of each result, one line each.", &ReportOutput::headlines,
              Shown::in_files}}};
}

int run_report(const OptionValues& given)
{
    refuse_given(given, {"seed"}, nothing_random);
    ReportContent content(given);
    for (const std::string& file : given.texts("file"))
        content.add_file(file);
    content.tell_subjects_apart();
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

Command report_command()
{
    return {{.command = "report",
             .summary = "one HTML page of results: figures, curves, animated schedules",
             .positional = "file",
             .description = "Writes one HTML page about results: question, answer, proof, and the command to "
                            "repeat it, with curves and a viewer\nof schedules and recorded runs (replay and "
                            "compare --record). The page is one file and loads nothing from the internet.\n",
             .examples = {"nocturne schedule octagon:8 --collective AAS -o aas.json",
                          "nocturne report aas.json -o report.html",
                          "nocturne replay aas.json --bytes 64,1KiB --record run.json",
                          "nocturne report aas.json run.json -o report.html"}},
            options_of_report,
            run_report,
            {description_of<ReportOutput>}};
}

} // namespace nocturne::cli
