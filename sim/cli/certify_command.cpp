#include "sim/cli/chunk_bounds_output.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/result_files/certify.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <iostream>

namespace nocturne::cli {

namespace {

nlohmann::ordered_json document(const ResultFile& result, const Certification& certification)
{
    nlohmann::ordered_json json{{"problem", describe(result.problem)},
                                {"steps", nullptr},
                                {"schedule_valid", nullptr},
                                {"violations", certification.violations},
                                {"lower_bound", nullptr},
                                {"bound_kind", nullptr},
                                {"bound_holds", nullptr},
                                {"refutation", nullptr},
                                {"optimal", nullptr}};
    if (result.schedule) {
        json["steps"] = result.schedule->steps.size();
        json["schedule_valid"] = certification.violations.empty();
    }
    if (result.bound) {
        json["lower_bound"] = result.bound->steps;
        json["bound_kind"] = kind_of(*result.bound);
        json["bound_holds"] = !certification.refutation;
        if (certification.refutation)
            json["refutation"] = *certification.refutation;
    }
    if (result.schedule && result.bound && certification.holds())
        json["optimal"] = result.schedule->steps.size() == result.bound->steps;
    return json;
}

void print_text(const ResultFile& result, const Certification& certification)
{
    fmt::print("{}\n", heading(result.problem));
    if (result.schedule)
        fmt::print("schedule     {} steps, {}\n", result.schedule->steps.size(),
                   certification.violations.empty() ? "valid" : "NOT VALID");
    for (const std::string& line : certification.violations)
        fmt::print("             {}\n", line);
    if (!result.bound) {
        fmt::print("lower bound  none claimed\n");
        return;
    }
    fmt::print("lower bound  {} ({}), {}\n", result.bound->steps, kind_of(*result.bound),
               certification.refutation ? "NOT PROVEN: " + *certification.refutation : "proven");
    if (result.schedule && certification.holds())
        fmt::print("verdict      {}\n", result.schedule->steps.size() == result.bound->steps
                                            ? optimal_text(result.problem.topology)
                                            : "valid, the two do not meet");
}

Usage usage_of_certify()
{
    return {.command = "certify",
            .summary = "check the schedule and the lower bound of a result file",
            .positional = "result",
            .description =
                "Checks the schedule and the lower bound of a result file, without trusting the program that "
                "made it.\n",
            .examples = {"nocturne schedule octagon:8 --collective AAS -o aas.json",
                         "nocturne certify aas.json"}};
}

OptionTable options_of_certify()
{
    OptionTable options;
    options.add(
        {{"result", name_value("FILE"), "what 'schedule' or 'bound' wrote; the argument without a name"}});
    return options;
}

int run_certify(const OptionValues& given)
{
    refuse_given(given, {"seed"}, takes_chance);
    constexpr std::array certified{FileKind::schedule, FileKind::bound, FileKind::chunks};
    require_kind(given.text("result"), certified, "a schedule or a bound");
    if (kind_of_file(given.text("result")) == FileKind::chunks)
        return certify_chunks(given, given.text("result"));
    const ResultFile result = load_result(given.text("result"));
    const Certification certification = certify(result);
    if (given.is_on("json"))
        std::cout << document(result, certification).dump(2) << '\n';
    else
        print_text(result, certification);
    return certification.holds() ? all_is_well : check_failed;
}

} // namespace

Command certify_command()
{
    return {usage_of_certify(), options_of_certify, run_certify};
}

} // namespace nocturne::cli
