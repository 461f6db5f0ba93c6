#include "sim/cli/option_table.hpp"

#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

namespace nocturne::cli {

namespace po = boost::program_options;

namespace {

/// `expected 2 to 1000000`, for what the range leaves.
std::string range_text(const CountRange& range)
{
    if (range.most == CountRange{}.most)
        return range.least == 0 ? "a whole number" : fmt::format("a whole number from {} on", range.least);
    return fmt::format("{} to {}", range.least, range.most);
}

std::string range_text(const RealRange& range)
{
    const std::string least =
        fmt::format("{}{:.10g}", range.is_least_excluded ? "more than " : "", range.least);
    if (range.most != RealRange{}.most)
        return range.is_least_excluded ? fmt::format("{} and at most {:.10g}", least, range.most)
                                       : fmt::format("{} to {:.10g}", least, range.most);
    if (range.least == RealRange{}.least)
        return "a number";
    return range.is_least_excluded ? least : fmt::format("a number from {} on", least);
}

OptionKind of_counts(OptionKind kind, CountRange range)
{
    kind.form = OptionKind::Form::count;
    return kind.parsed_by([range](const std::string& text) {
        const auto number = number_of<std::uint64_t>(text);
        if (!number || *number < range.least || *number > range.most)
            throw std::invalid_argument("expected " + range_text(range));
    });
}

OptionKind of_reals(OptionKind kind, RealRange range, const char* unit = "")
{
    kind.form = OptionKind::Form::real;
    return kind.parsed_by([range, unit](const std::string& text) {
        const auto number = number_of<double>(text);
        if (!number || !std::isfinite(*number) || *number < range.least || *number > range.most ||
            (range.is_least_excluded && *number == range.least))
            throw std::invalid_argument(fmt::format("expected {}{}", unit, range_text(range)));
    });
}

void require_one_of(const std::string& name, const std::vector<std::string>& names)
{
    if (std::ranges::find(names, name) != names.end())
        return;
    const std::string meant = meant_name(name, names);
    const std::string list = fmt::format("here are {}", fmt::join(names, ", "));
    if (meant.empty())
        throw std::invalid_argument("t" + list);
    throw std::invalid_argument(fmt::format("{}{} T{}", meant, meant.ends_with('?') ? "" : ".", list));
}

po::value_semantic* semantic_of(const OptionKind& kind)
{
    if (!kind.takes_value())
        return po::bool_switch();
    if (kind.is_repeated)
        return po::value<std::vector<std::string>>()->value_name(kind.parameter)->composing();
    auto* const value = po::value<std::string>()->value_name(kind.parameter);
    return kind.otherwise ? value->default_value(*kind.otherwise) : value;
}

} // namespace

OptionKind switch_value()
{
    return {.form = OptionKind::Form::toggle};
}

OptionKind text_value(const std::string& parameter, std::optional<std::string> otherwise)
{
    return {.parameter = parameter, .otherwise = std::move(otherwise)};
}

OptionKind texts_value(const std::string& parameter)
{
    return {.parameter = parameter, .is_repeated = true};
}

OptionKind choice_value(const std::string& parameter, std::vector<std::string> names,
                        std::optional<std::string> otherwise)
{
    OptionKind kind = text_value(parameter, std::move(otherwise)).parsed_by([names](const std::string& text) {
        require_one_of(text, names);
    });
    kind.choices = std::move(names);
    return kind;
}

OptionKind choices_value(const std::string& parameter, std::vector<std::string> names,
                         std::optional<std::string> otherwise)
{
    OptionKind kind = text_value(parameter, std::move(otherwise)).parsed_by([names](const std::string& text) {
        for (const std::string& part : parts_of(text))
            require_one_of(part, names);
    });
    kind.choices = std::move(names);
    return kind;
}

OptionKind count_value(const std::string& parameter, CountRange range)
{
    return of_counts({.parameter = parameter}, range);
}

OptionKind count_value(std::uint64_t otherwise, CountRange range)
{
    return of_counts({.parameter = "N", .otherwise = std::to_string(otherwise)}, range);
}

OptionKind real_value(const std::string& parameter, RealRange range)
{
    return of_reals({.parameter = parameter}, range);
}

OptionKind real_value(const std::string& parameter, double otherwise, RealRange range)
{
    return of_reals({.parameter = parameter, .otherwise = fmt::format("{}", otherwise)}, range);
}

OptionKind seconds_value(double otherwise)
{
    return of_reals({.parameter = "SECONDS", .otherwise = fmt::format("{}", otherwise)}, {0, 1e7, true},
                    "seconds, ");
}

OptionKind name_value(const std::string& parameter, std::optional<std::string> otherwise)
{
    return {.parameter = parameter, .otherwise = std::move(otherwise), .is_name = true};
}

OptionKind names_value(const std::string& parameter)
{
    return {.parameter = parameter, .is_repeated = true, .is_name = true};
}

OptionKind written_value(const std::string& parameter, Written written)
{
    return {.parameter = parameter, .is_name = true, .written = written};
}

OptionKind svg_value(const std::string& parameter)
{
    return written_value(parameter).parsed_by([](const std::string& text) {
        const std::string extension = std::filesystem::path(text).extension().string();
        for (const char* const other : {".png", ".pdf", ".eps", ".ps", ".jpg", ".jpeg", ".gif", ".webp"})
            if (extension == other)
                throw std::invalid_argument("only SVG is written: the name must end in .svg");
    });
}

std::string OptionRow::short_name() const
{
    const std::size_t comma = name.find(',');
    return comma == std::string::npos ? "" : name.substr(comma + 1);
}

OptionTable& OptionTable::add(std::initializer_list<OptionRow> rows)
{
    for (const OptionRow& row : rows) {
        description_.add_options()(row.name.c_str(), semantic_of(row.value), row.help.c_str());
        rows_.push_back(row);
        rows_.back().group = title_;
    }
    return *this;
}

OptionTable& OptionTable::add_rows_of(const OptionTable& other)
{
    for (const auto& option : other.description_.options())
        description_.add(option);
    for (OptionRow row : other.rows_) {
        row.group = title_;
        rows_.push_back(std::move(row));
    }
    return *this;
}

OptionTable& OptionTable::add(const OptionTable& other)
{
    description_.add(other.description_);
    rows_.insert(rows_.end(), other.rows_.begin(), other.rows_.end());
    return *this;
}

OptionTable OptionTable::needing(const std::string& option) const
{
    OptionTable table = *this;
    for (OptionRow& row : table.rows_)
        row.needs.push_back(option);
    return table;
}

const OptionRow* OptionTable::find(std::string_view long_name) const
{
    const auto row = std::ranges::find(rows_, long_name, &OptionRow::long_name);
    return row == rows_.end() ? nullptr : &*row;
}

std::string help_of(const std::string& title, std::span<const OptionRow> rows)
{
    constexpr unsigned columns = 100;
    po::options_description description(title, columns, columns / 2);
    for (const OptionRow& row : rows)
        description.add_options()(row.name.c_str(), semantic_of(row.value), row.help.c_str());
    return fmt::format("{}", fmt::streamed(description));
}

OptionTable option_table(const char* title, std::initializer_list<OptionRow> rows)
{
    return OptionTable(title).add(rows);
}

void check_value(const OptionRow& row, const std::string& text)
{
    if (!row.value.check)
        return;
    try {
        row.value.check(text);
    } catch (const std::invalid_argument& error) {
        const std::string option = "--" + row.long_name();
        const std::string what = error.what();
        if (what.starts_with(option))
            throw;
        throw std::invalid_argument(fmt::format("{} {}: {}", option, shortened(text), what));
    }
}

std::vector<std::string> parts_of(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    boost::split(parts, text, [=](char c) { return c == separator; });
    return parts;
}

} // namespace nocturne::cli
