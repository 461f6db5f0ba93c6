// What a file of a schedule, or of bounds, is worth: for the command that says it, and for reports.
#pragma once

#include "sim/cli/option_values.hpp"
#include "sim/report/result_description.hpp"
#include "sim/result_files/result_file.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace nocturne::cli {

/// Fields of what `certify` prints: of messages.
nlohmann::ordered_json certification_of_messages(const ResultFile& result);
/// Of chunks. Throws as chunk_file_of().
nlohmann::ordered_json certification_of_chunks(const OptionValues& given, const std::string& file);

} // namespace nocturne::cli
