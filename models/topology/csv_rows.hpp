// Rows of a CSV file that people write, with errors that say which.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// The fields of a row, without blanks around them, and the number of its line from 1.
using TakeCsvRow = std::function<void(const std::vector<std::string>& fields, std::size_t number)>;

/// Calls take() for each line of a text, which that file has, but for empty ones and comments, which begin
/// with # and no digit (#3 is a processor). What take() throws of std::invalid_argument, and quotes that are
/// wrong (csv_fields()), become a std::runtime_error with file and line.
void read_csv_rows(const std::string& text, const std::string& path, const TakeCsvRow& take);

/// Throws std::invalid_argument, with the header and what to do about commas in names, unless there are as
/// many fields as it has.
void require_csv_fields(std::size_t fields, std::string_view header);

/// The fields as they would stand in a line: `source,destination`.
std::string csv_line(const std::vector<std::string>& fields);

} // namespace nocturne
