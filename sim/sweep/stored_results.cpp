#include "sim/sweep/stored_results.hpp"

#include "sim/sweep/sql_statement.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

namespace nocturne {

std::vector<std::vector<std::string>> stored_results(const std::filesystem::path& file)
{
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(file.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
    const std::unique_ptr<sqlite3, int (*)(sqlite3*)> connection(opened, sqlite3_close);
    const auto check = [&](int result) {
        if (result != SQLITE_OK)
            throw std::runtime_error(fmt::format("{}: {}", file.string(), sqlite3_errmsg(connection.get())));
    };
    check(code);
    const auto has_table = [&](const char* name) {
        const Statement found(connection.get(), check, "SELECT 1 FROM sqlite_schema WHERE name = ?");
        found.bind(1, std::string(name));
        return found.step();
    };
    if (!has_table("sweep"))
        throw std::runtime_error(fmt::format("{}: no database of a sweep", file.string()));
    if (!has_table("results"))
        throw std::runtime_error(
            fmt::format("{}: the sweep has no results yet: run it to its end", file.string()));
    const Statement all(connection.get(), check, "SELECT * FROM results");
    std::vector<std::vector<std::string>> rows(1);
    for (int column = 0; column < all.columns(); ++column)
        rows.front().push_back(all.column_name(column));
    while (all.step()) {
        std::vector<std::string>& row = rows.emplace_back();
        for (int column = 0; column < all.columns(); ++column)
            row.push_back(all.text(column));
    }
    return rows;
}

} // namespace nocturne
