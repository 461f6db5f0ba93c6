// Tables whose columns say themselves what they show of an item: name, unit and value of a column stand in
// one place.
#pragma once

#include "sim/report/table.hpp"

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace nocturne {

/// `-` for nothing.
inline Cell cell_of(Cell cell)
{
    return cell;
}
template <std::integral Count>
Cell cell_of(Count count)
{
    return static_cast<std::uint64_t>(count);
}
inline Cell cell_of(double value, int digits)
{
    return Real{value, digits};
}
template <class Value, class... Digits>
Cell cell_of(const std::optional<Value>& value, Digits... digits)
{
    return value ? cell_of(*value, digits...) : Cell();
}

/// A column of a table that has a row for each item.
template <class Item>
struct ColumnOf {
    Column column;
    std::function<Cell(const Item&)> cell;

    /// `show` is a member of the item, or a function of it: text (which is aligned to the left), a count, a
    /// real number (whose digits after the point follow), or an optional one of these.
    template <class Show, class... Digits>
    ColumnOf(std::string name, std::string unit, Show show, Digits... digits)
        : column{std::move(name), std::move(unit), alignment<std::invoke_result_t<Show, const Item&>>()},
          cell([=](const Item& item) { return cell_of(std::invoke(show, item), digits...); })
    {
    }

private:
    template <class Value>
    static constexpr Align alignment()
    {
        return std::is_convertible_v<Value, std::string_view> ||
                       std::is_same_v<std::decay_t<Value>, std::optional<std::string>>
                   ? Align::left
                   : Align::right;
    }
};

/// A row for each of `items`.
template <class Items, class Item = typename Items::value_type>
Table table_of(std::string title, const Items& items, std::initializer_list<ColumnOf<Item>> columns)
{
    Table table{std::move(title), {}, {}};
    for (const ColumnOf<Item>& each : columns)
        table.columns.push_back(each.column);
    for (const Item& item : items) {
        std::vector<Cell>& row = table.rows.emplace_back();
        for (const ColumnOf<Item>& each : columns)
            row.push_back(each.cell(item));
    }
    return table;
}

} // namespace nocturne
