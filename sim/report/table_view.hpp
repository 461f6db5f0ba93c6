// A table as the page has it, for those who say what it shows.
#pragma once

#include "sim/report/summaries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// Names, units and kinds of its columns, and what its rows say of them.
class TableView {
public:
    explicit TableView(const nlohmann::ordered_json& table) : rows(list_in(table, "rows"))
    {
        for (const nlohmann::ordered_json& column : list_in(table, "columns")) {
            names.push_back(text_in(column, "name"));
            units.push_back(text_in(column, "unit"));
        }
        for (std::size_t column = 0; column < names.size(); ++column) {
            std::set<std::string> values;
            bool are_numbers = true, are_texts = false;
            for (const nlohmann::ordered_json& row : rows)
                if (!row[column].is_null()) {
                    values.insert(row[column].dump());
                    are_numbers = are_numbers && row[column].is_number();
                    are_texts = are_texts || row[column].is_string();
                }
            distinct.push_back(values.size());
            is_number.push_back(are_numbers);
            is_text.push_back(are_texts);
        }
    }

    /// One past the last if there is none.
    std::size_t at(std::string_view name) const
    {
        return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    }
    bool has(std::string_view name) const { return at(name) < names.size(); }
    bool varies(std::size_t column) const { return distinct[column] > 1; }

    /// `packet latency (cycles)` of a column, for an axis.
    std::string label_of(std::size_t column) const
    {
        std::string name = names[column];
        const std::string suffix = '_' + column_key({units[column], ""});
        if (!units[column].empty() && name.ends_with(suffix))
            name.resize(name.size() - suffix.size());
        std::ranges::replace(name, '_', ' ');
        return units[column].empty() ? name : fmt::format("{} ({})", name, units[column]);
    }

    std::string text_of(const nlohmann::ordered_json& row, std::size_t column) const
    {
        const nlohmann::ordered_json& value = row[column];
        if (value.is_string())
            return value.get<std::string>();
        std::string name = names[column];
        std::ranges::replace(name, '_', ' ');
        return name + ' ' + (value.is_number() ? short_number(value.get<double>()) : value.dump());
    }

    /// Without the name of its column.
    std::string value_text(const nlohmann::ordered_json& row, std::size_t column) const
    {
        const nlohmann::ordered_json& value = row[column];
        return value.is_number()   ? short_number(value.get<double>())
               : value.is_string() ? value.get<std::string>()
                                   : value.dump();
    }

    Cell cell_of(const nlohmann::ordered_json& row, std::size_t column) const
    {
        const nlohmann::ordered_json& value = row[column];
        if (value.is_null())
            return {};
        if (value.is_number_unsigned())
            return value.get<std::uint64_t>();
        constexpr int digits = 4;
        return value.is_number() ? Cell(Real{value.get<double>(), digits}) : Cell(value_text(row, column));
    }

    const nlohmann::ordered_json& rows;
    std::vector<std::string> names, units;
    std::vector<std::size_t> distinct; ///< values of a column, those that are missing left out
    std::vector<bool> is_number, is_text;
};

} // namespace nocturne
