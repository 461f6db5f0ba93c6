// What the validator says of a schedule, on standard output.
#pragma once

#include "sim/cli/chunk_input.hpp"
#include "sim/cli/schedule_input.hpp"
#include "sim/report/result_description.hpp"

#include <nlohmann/json.hpp>

namespace nocturne::cli {

/// Prints every violation, or that there is none, as text or with --json as one object. Returns the exit
/// status.
int judge(const InputSchedule& input, const OptionValues& given);
int judge(const InputSchedule& input, const std::vector<Violation>& violations, const OptionValues& given);
int judge(const JudgedChunks& judged, const OptionValues& given);

const ResultDescription& validate_result();
/// Its fields.
nlohmann::ordered_json verdict_on(const JudgedChunks& judged);

} // namespace nocturne::cli
