#include "sim/cli/certify_output.hpp"
#include "sim/cli/chunk_bounds_output.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/result_files/certify.hpp"

#include <array>

namespace nocturne::cli {

namespace {

/// What is printed of a result file.
struct CertifyOutput {
    Finding finding;
    const Certification& certification;
};

Fields<CertifyOutput> fields_of(const CertifyOutput*)
{
    using Output = CertifyOutput;
    const auto has_schedule = [](const Output& output) { return output.finding.schedule != nullptr; };
    return Fields<Output>{
        "certify", "What a schedule of messages and its bound, or a bound alone, are worth.", {}}
        .with(&Output::finding)
        .with({Field<Output>("valid", "", valid_meaning,
                             [](const Output& output) { return output.certification.violations.empty(); })
                   .null_unless(has_schedule),
               {"violations", "", violations_meaning,
                [](const Output& output) { return output.certification.violations; }},
               Field<Output>("proven", "", proven_meaning,
                             [](const Output& output) { return !output.certification.refutation; })
                   .null_unless([](const Output& output) { return output.finding.bound != nullptr; }),
               {"refutations", "", refutations_meaning, [](const Output& output) {
                    const auto& refutation = output.certification.refutation;
                    return refutation ? std::vector{*refutation} : std::vector<std::string>();
                }}});
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
    const CertifyOutput output{{result.problem, result.schedule ? &*result.schedule : nullptr,
                                result.bound ? &*result.bound : nullptr, "", certification.holds()},
                               certification};
    print_result(output, given, [&] { print_finding(output.finding, output); });
    return certification.holds() ? all_is_well : check_failed;
}

} // namespace

const ResultDescription& certify_result()
{
    return description_of<CertifyOutput>();
}

nlohmann::ordered_json certification_of_messages(const ResultFile& result)
{
    const Certification certification = certify(result);
    return CertifyOutput{{result.problem, result.schedule ? &*result.schedule : nullptr,
                          result.bound ? &*result.bound : nullptr, "", certification.holds()},
                         certification};
}

Command certify_command()
{
    return {usage_of_certify(), options_of_certify, run_certify};
}

} // namespace nocturne::cli
