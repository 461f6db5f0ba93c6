// Verdicts in the formats that continuous integration shows: JUnit's XML and SARIF.
#pragma once

#include "sim/cli/option_values.hpp"
#include "sim/cli/search_output.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace nocturne::cli {

/// A suite with a test case for each rule, named `validate` and by the file that was judged; a rule that was
/// broken is a failure with a line for each violation.
std::string junit_text(const std::string& file, const std::vector<ViolationRow>& violations);

/// A log in SARIF 2.1.0: every rule that was broken, and a result of level `error` for each violation, in the
/// file that was judged and at a logical location such as `step 2, transfer 5`.
nlohmann::ordered_json sarif_log(const std::string& file, const std::vector<ViolationRow>& violations);

/// Writes what --junit and --sarif ask for, of the file that the option `schedule` names.
void write_verdict_files(const std::vector<ViolationRow>& violations, const OptionValues& given);

} // namespace nocturne::cli
