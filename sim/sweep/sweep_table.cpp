#include "sim/sweep/sweep_table.hpp"

#include "models/text/number.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fnmatch.h>
#include <limits>
#include <set>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

namespace nocturne {
namespace {

constexpr std::size_t longest_array = 8;
constexpr std::size_t most_columns = 1990; // SQLite takes 2000

bool matches_one(const std::string& name, const std::vector<std::string>& patterns)
{
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
        return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
    });
}

NamedValues leaves_in(const SweepPlan& plan, const std::string& document)
{
    if (document.empty())
        return {};
    const nlohmann::ordered_json json = nlohmann::ordered_json::parse(document);
    const bool has_patterns = !plan.columns.empty();
    NamedValues leaves =
        leaves_of(json, has_patterns ? std::numeric_limits<std::size_t>::max() : longest_array);
    for (auto& [name, value] : leaves)
        name = column_key({name, ""});
    if (has_patterns)
        std::erase_if(leaves, [&](const auto& leaf) { return !matches_one(leaf.first, plan.columns); });
    return leaves;
}

/// `00` is a processor, not a number.
bool is_plain_number(const std::string& text)
{
    const bool has_leading_zero =
        text.size() > 1 && text[0] == '0' && std::isdigit(static_cast<unsigned char>(text[1])) != 0;
    const auto number = number_of<double>(text);
    return number && std::isfinite(*number) && !has_leading_zero;
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

Cell cell_of(const nlohmann::ordered_json& value)
{
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_boolean())
        return std::uint64_t{value.get<bool>() ? 1u : 0u};
    if (value.is_number_unsigned())
        return value.get<std::uint64_t>();
    if (value.is_number())
        return Real{value.get<double>()};
    return {};
}

/// Makes the cells of a row.
class RowMaker {
public:
    RowMaker(const SweepPlan& plan, std::string version, const SweepColumns& columns)
        : plan_(plan), version_(std::move(version)), are_numeric_(numeric_options(plan))
    {
        for (std::size_t i = 0; i < columns.leaves.size(); ++i)
            places_.emplace(columns.leaves[i], i);
    }

    std::vector<Cell> row_of(const StoredPoint& stored) const
    {
        std::vector<Cell> row{stored.point};
        const SweepPoint point = point_of(plan_, stored.point);
        for (std::size_t i = 0; i < point.values.size(); ++i) {
            const std::optional<std::string>& value = point.values[i];
            row.push_back(!value ? Cell() : are_numeric_[i] ? number_cell(*value) : Cell(*value));
        }
        row.emplace_back(static_cast<std::uint64_t>(stored.result.status));
        row.push_back(stored.result.error.empty() ? Cell() : Cell(stored.result.error));
        const std::size_t first = row.size();
        row.resize(first + places_.size());
        for (const auto& [name, value] : leaves_in(plan_, stored.result.document))
            if (const auto place = places_.find(name); place != places_.end())
                row[first + place->second] = cell_of(value);
        row.emplace_back(version_);
        row.emplace_back(stored.command);
        return row;
    }

private:
    const SweepPlan& plan_;
    std::string version_;
    std::vector<bool> are_numeric_;
    std::unordered_map<std::string, std::size_t> places_; ///< by leaf, among the columns for leaves
};

} // namespace

SweepColumns columns_of(const SweepPlan& plan, const SweepDatabase& database)
{
    SweepColumns columns;
    columns.names.emplace_back("point");
    for (const std::string& option : swept_options(plan))
        columns.names.push_back(column_key({option, ""}));
    columns.names.insert(columns.names.end(), {"status", "error"});
    const std::vector<std::string> last{"version", "command"};
    std::set<std::string> taken(columns.names.begin(), columns.names.end());
    taken.insert(last.begin(), last.end());
    std::unordered_set<std::string> known;
    database.visit([&](const StoredPoint& point) {
        for (const auto& [name, value] : leaves_in(plan, point.result.document)) {
            if (!known.insert(name).second)
                continue;
            if (columns.names.size() >= most_columns) {
                ++columns.left_out;
                continue;
            }
            std::string column = name;
            while (!taken.insert(column).second)
                column.insert(0, "result_");
            columns.names.push_back(column);
            columns.leaves.push_back(name);
        }
    });
    columns.names.insert(columns.names.end(), last.begin(), last.end());
    return columns;
}

void write_results_table(const SweepPlan& plan, const std::string& version, const SweepColumns& columns,
                         SweepDatabase& database)
{
    const RowMaker maker(plan, version, columns);
    database.write_results(columns.names, [&](const StoredPoint& point) { return maker.row_of(point); });
}

std::string results_csv(const SweepPlan& plan, const std::string& version, const SweepColumns& columns,
                        const SweepDatabase& database)
{
    Table table;
    for (const std::string& name : columns.names)
        table.columns.push_back({name, ""});
    const std::string header = csv_of(table);
    std::string text = header;
    const RowMaker maker(plan, version, columns);
    database.visit([&](const StoredPoint& point) {
        table.rows.assign(1, maker.row_of(point));
        text += csv_of(table).substr(header.size());
    });
    return text;
}

} // namespace nocturne
