#include "sim/sweep/sweep_table.hpp"

#include "models/text/json_text.hpp"
#include "models/text/number.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fnmatch.h>
#include <unordered_map>

namespace nocturne {
namespace {

bool matches(const std::string& pattern, const std::string& name)
{
    return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

/// What depends on the clock is kept elsewhere.
bool is_wanted(const SweepPlan& plan, const std::string& name)
{
    if (depends_on_clock(name))
        return false;
    return plan.columns.empty() || std::ranges::any_of(plan.columns, [&](const std::string& pattern) {
               return matches(pattern, name);
           });
}

/// What a point came to.
struct PointRows {
    const ResultDescription* kind = nullptr; ///< null: no result
    std::vector<std::vector<Cell>> rows;     ///< by columns_of() the kind
};

PointRows rows_of_point(const std::string& document, const FindResult& find)
{
    PointRows point;
    if (!document.empty()) {
        const nlohmann::ordered_json json = ordered_json_from_text(document);
        if (json.contains("result") && json["result"].is_string())
            point.kind = find(json["result"].get<std::string>());
        if (point.kind != nullptr)
            point.rows = nocturne::rows_of(*point.kind, json);
    }
    if (point.rows.empty())
        point.rows.emplace_back();
    return point;
}

/// `00` is a processor, not a number.
bool is_plain_number(const std::string& text)
{
    const bool has_leading_zero =
        text.size() > 1 && text[0] == '0' && std::isdigit(static_cast<unsigned char>(text[1])) != 0;
    const auto number = number_of<double>(text);
    return number && std::isfinite(*number) && !has_leading_zero;
}

/// In the order in which points first have one.
std::vector<const ResultDescription*> kinds_in(const SweepDatabase& database, const FindResult& find)
{
    std::vector<const ResultDescription*> kinds;
    database.visit([&](const StoredPoint& point) {
        const ResultDescription* const kind = rows_of_point(point.result.document, find).kind;
        if (kind != nullptr && std::ranges::find(kinds, kind) == kinds.end())
            kinds.push_back(kind);
    });
    return kinds;
}

/// By swept_options(): are all its values numbers?
std::vector<bool> numeric_options(const SweepPlan& plan)
{
    const std::vector<std::string> names = swept_options(plan);
    std::vector<bool> are_numeric(names.size(), true);
    for (const SweepBlock& block : plan.blocks)
        for (const SweptOption& option : block.options) {
            const auto column = std::find(names.begin(), names.end(), option.option) - names.begin();
            for (const OptionOccurrences& choice : option.choices)
                if (!choice.empty() && (choice.size() > 1 || !is_plain_number(choice.front())))
                    are_numeric[static_cast<std::size_t>(column)] = false;
        }
    return are_numeric;
}

Cell number_cell(const std::string& text)
{
    if (const auto count = number_of<std::uint64_t>(text))
        return *count;
    return Real{number_of<double>(text).value()};
}

const std::vector<std::string> last_columns{"version", "command"};

/// Names of the columns that a sweep has whatever it runs.
std::vector<std::string> first_columns(const SweepPlan& plan)
{
    std::vector<std::string> names{"point"};
    for (const std::string& option : swept_options(plan))
        names.push_back(column_key({option, ""}));
    names.insert(names.end(), {"status", "error"});
    return names;
}

/// The column of a field, whose name may be that of another one.
std::string column_of(const SweepPlan& plan, const std::string& field)
{
    std::vector<std::string> taken = first_columns(plan);
    taken.insert(taken.end(), last_columns.begin(), last_columns.end());
    std::string name = field;
    while (std::ranges::find(taken, name) != taken.end())
        name.insert(0, "result_");
    return name;
}

/// Makes the rows of points.
class RowMaker {
public:
    RowMaker(const SweepPlan& plan, std::string version, const Table& header, const FindResult& find)
        : plan_(plan), version_(std::move(version)), find_(find), are_numeric_(numeric_options(plan))
    {
        for (std::size_t i = 0; i < header.columns.size(); ++i)
            places_.emplace(header.columns[i].key, i);
    }

    std::vector<std::vector<Cell>> rows_of(const StoredPoint& stored) const
    {
        std::vector<Cell> first{stored.point};
        const SweepPoint point = point_of(plan_, stored.point);
        for (std::size_t i = 0; i < point.values.size(); ++i) {
            const std::optional<std::string>& value = point.values[i];
            first.push_back(!value ? Cell() : are_numeric_[i] ? number_cell(*value) : Cell(*value));
        }
        first.emplace_back(static_cast<std::uint64_t>(stored.result.status));
        first.push_back(stored.result.error.empty() ? Cell() : Cell(stored.result.error));
        first.resize(places_.size() - last_columns.size());
        first.insert(first.end(), {version_, stored.command});
        const PointRows found = rows_of_point(stored.result.document, find_);
        std::vector<std::vector<Cell>> rows(found.rows.size(), first);
        if (found.kind == nullptr)
            return rows;
        const std::vector<Column> columns = columns_of(*found.kind);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const auto place = places_.find(column_of(plan_, columns[i].key));
            if (place == places_.end() || !is_wanted(plan_, columns[i].key))
                continue;
            for (std::size_t row = 0; row < rows.size(); ++row)
                rows[row][place->second] = found.rows[row][i];
        }
        return rows;
    }

private:
    const SweepPlan& plan_;
    std::string version_;
    const FindResult& find_;
    std::vector<bool> are_numeric_;
    std::unordered_map<std::string, std::size_t> places_; ///< by name of a column
};

} // namespace

Table sweep_header(const SweepPlan& plan, const SweepDatabase& database, const FindResult& find)
{
    std::vector<std::string> names = first_columns(plan);
    for (const ResultDescription* const kind : kinds_in(database, find))
        for (const Column& column : columns_of(*kind)) {
            const std::string name = column_of(plan, column.key);
            if (is_wanted(plan, column.key) && std::ranges::find(names, name) == names.end())
                names.push_back(name);
        }
    names.insert(names.end(), last_columns.begin(), last_columns.end());
    Table header;
    for (const std::string& name : names)
        header.columns.push_back({.name = name, .unit = "", .key = name});
    return header;
}

std::vector<std::string> idle_columns(const SweepPlan& plan, const SweepDatabase& database,
                                      const FindResult& find)
{
    const std::vector<const ResultDescription*> kinds = kinds_in(database, find);
    if (kinds.empty())
        return {};
    std::vector<std::string> idle = plan.columns;
    for (const ResultDescription* const kind : kinds)
        for (const Column& column : columns_of(*kind))
            std::erase_if(idle, [&](const std::string& pattern) {
                return matches(pattern, column.key) && !depends_on_clock(column.key);
            });
    return idle;
}

void write_results_table(const SweepPlan& plan, const std::string& version, const Table& header,
                         const FindResult& find, SweepDatabase& database)
{
    const RowMaker maker(plan, version, header, find);
    database.write_results(header.columns, [&](const StoredPoint& point) { return maker.rows_of(point); });
}

std::string results_csv(const SweepPlan& plan, const std::string& version, const Table& header,
                        const FindResult& find, const SweepDatabase& database)
{
    Table table = header;
    const RowMaker maker(plan, version, header, find);
    database.visit([&](const StoredPoint& point) {
        for (std::vector<Cell>& row : maker.rows_of(point))
            table.add_row(std::move(row));
    });
    return csv_of(table);
}

} // namespace nocturne
