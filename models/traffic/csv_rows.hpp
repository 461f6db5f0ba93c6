// Lines of a CSV file, with errors that say which.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace nocturne {

/// Calls take(line, its number from 1) for each line of a file, without white space at its end, but for
/// empty ones and comments, which begin with # and no digit (#3 is a processor). What take() throws of
/// std::invalid_argument becomes a std::runtime_error with file and line. Throws std::runtime_error for a
/// file that cannot be read.
void read_csv_rows(const std::string& path,
                   const std::function<void(const std::string& line, std::size_t number)>& take);

} // namespace nocturne
