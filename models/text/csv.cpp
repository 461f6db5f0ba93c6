#include "models/text/csv.hpp"

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

std::string_view without_blanks(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return text;
}

/// A field in quotes, whose first one `text` begins with, off `text`.
std::string take_quoted(std::string_view& text)
{
    std::string field;
    for (;;) {
        text.remove_prefix(1);
        const std::size_t quote = text.find('"');
        if (quote == std::string_view::npos)
            throw std::invalid_argument("a double quote without its end");
        field += text.substr(0, quote);
        text.remove_prefix(quote + 1);
        if (!text.starts_with('"'))
            break;
        field += '"';
    }
    text = without_blanks(text);
    if (!text.empty() && !text.starts_with(',') && !text.starts_with('\n') && !text.starts_with("\r\n"))
        throw std::invalid_argument("text after the closing double quote of a field");
    return field;
}

std::string take_plain(std::string_view& text)
{
    const std::size_t end = std::min(text.find_first_of(",\n"), text.size());
    std::string_view field = text.substr(0, end);
    text.remove_prefix(end);
    if (text.starts_with('\n') && field.ends_with('\r'))
        field.remove_suffix(1);
    return std::string(field);
}

} // namespace

std::string csv_quoted(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string field = "\"";
    for (const char c : text) {
        if (c == '"')
            field += '"';
        field += c;
    }
    return field + '"';
}

std::vector<std::string> take_csv_record(std::string_view& text)
{
    std::vector<std::string> fields;
    for (;;) {
        const std::string_view rest = without_blanks(text);
        if (rest.starts_with('"'))
            text = rest;
        fields.push_back(text.starts_with('"') ? take_quoted(text) : take_plain(text));
        if (!text.starts_with(','))
            break;
        text.remove_prefix(1);
    }
    text.remove_prefix(std::min(text.size(), std::size_t{text.starts_with("\r\n") ? 2u : 1u}));
    return fields;
}

std::vector<std::string> csv_fields(std::string_view line)
{
    return take_csv_record(line);
}

} // namespace nocturne
