// CSV files of results, such as commands, sweeps and testbenches write, as tables of a page.
#pragma once

#include "sim/report/optional_json.hpp"
#include "sim/report/result_description.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// The rows of a text (take_csv_record()). Empty lines are left out. Throws std::runtime_error, one line that
/// begins with `origin`, for quotes that are wrong, and for a row of another length than the first.
std::vector<std::vector<std::string>> csv_rows(std::string_view text, std::string_view origin);

/// The table of a text of CSV, see table_json(); lines before it that begin with `# ` are comments. Throws as
/// csv_rows(), and if there is none.
nlohmann::ordered_json csv_json(std::string_view text, std::string_view origin,
                                std::span<const ResultDescription* const> kinds);

/// `{"columns": [{"name", "unit", "meaning"}], "rows": [[…]], "made_by": {"version", "command"} or null}`:
/// the first row names the columns, those of `kinds` with that name say unit and meaning. What is a number is
/// one, an empty cell is null. Columns `version` and `command` that say the same in every row are no columns,
/// but the origin. Precondition: there is a first row.
nlohmann::ordered_json table_json(std::span<const std::vector<std::string>> rows,
                                  std::span<const ResultDescription* const> kinds);

/// The result of which result_table() has made the table, as far as its columns have it: lists and rows that
/// are no columns are null, and rows of parts are left out. Nothing unless the columns are those of the kind.
std::optional<nlohmann::ordered_json> result_of_table(const nlohmann::ordered_json& table,
                                                      const ResultDescription& kind);

} // namespace nocturne
