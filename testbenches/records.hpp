// CSV files that testbenches read: a header, then one record a line.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne::testbench {

using Fields = std::vector<std::string>;

/// Calls `take` with the fields of each record, as many as the header names. Throws std::runtime_error, one
/// line with file and line, for a file that cannot be read, another header, another number of fields, or what
/// `take` throws.
void read_records(const std::filesystem::path& path, std::string_view header,
                  const std::function<void(const Fields&)>& take);

/// Nothing for an empty text. Throws std::invalid_argument if it is no number.
std::optional<unsigned> number_of(const std::string& text);

} // namespace nocturne::testbench
