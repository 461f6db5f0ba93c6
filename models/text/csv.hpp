// Comma-separated values, as RFC 4180 has them: the one writer and the one reader of fields.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// A field: in double quotes, those in it doubled, if it has a comma, a quote or an end of line.
std::string csv_quoted(std::string_view text);

/// Takes the first record off `text`, with the end of its line (LF or CR LF): its fields, at least one. In
/// double quotes a field may have commas, ends of lines, and quotes that are doubled; blanks around the
/// quotes are passed over. A quote in a field that does not begin with one is a character. Throws
/// std::invalid_argument for a quote that does not end, and for what stands behind one.
std::vector<std::string> take_csv_record(std::string_view& text);

/// The fields of a line. Throws as take_csv_record().
std::vector<std::string> csv_fields(std::string_view line);

} // namespace nocturne
