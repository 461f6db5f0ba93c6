// Statements of SQLite, for the files of sweeps.
#pragma once

#include <cstdint>
#include <functional>
#include <sqlite3.h>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace nocturne {

/// A value of a table: none, a whole number, a real one, or text.
using SqlValue = std::variant<std::monostate, std::int64_t, double, std::string>;

/// A prepared statement.
class Statement {
public:
    using Check = std::function<void(int)>;

    Statement(sqlite3* connection, Check check, const std::string& sql) : check_(std::move(check))
    {
        check_(sqlite3_prepare_v2(connection, sql.c_str(), -1, &statement_, nullptr));
    }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;
    ~Statement() { sqlite3_finalize(statement_); }

    void bind(int place, const SqlValue& value) const
    {
        if (const auto* const whole = std::get_if<std::int64_t>(&value))
            check_(sqlite3_bind_int64(statement_, place, *whole));
        else if (const auto* const real = std::get_if<double>(&value))
            check_(sqlite3_bind_double(statement_, place, *real));
        else if (const auto* const text = std::get_if<std::string>(&value))
            check_(sqlite3_bind_text64(statement_, place, text->data(), text->size(), SQLITE_TRANSIENT,
                                       SQLITE_UTF8));
        else
            check_(sqlite3_bind_null(statement_, place));
    }

    /// To the next row; false if there is none.
    bool step() const
    {
        const int code = sqlite3_step(statement_);
        if (code != SQLITE_DONE && code != SQLITE_ROW)
            check_(code);
        return code == SQLITE_ROW;
    }
    /// With these values, to its end.
    void run(const std::vector<SqlValue>& values) const
    {
        for (std::size_t i = 0; i < values.size(); ++i)
            bind(static_cast<int>(i) + 1, values[i]);
        step();
        check_(sqlite3_reset(statement_));
    }

    std::int64_t number(int column) const { return sqlite3_column_int64(statement_, column); }
    int columns() const { return sqlite3_column_count(statement_); }
    std::string column_name(int column) const { return sqlite3_column_name(statement_, column); }
    /// Empty for a null, too.
    std::string text(int column) const
    {
        const auto* const bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
        return bytes == nullptr
                   ? std::string()
                   : std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
    }

private:
    Check check_;
    sqlite3_stmt* statement_ = nullptr;
};

} // namespace nocturne
