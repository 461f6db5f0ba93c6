#include "sim/sweep/sweep_database.hpp"

#include "sim/sweep/sql_statement.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sqlite3.h>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>
#include <variant>

namespace nocturne {
namespace sweep_database {

SqlValue sql_value(const Cell& cell)
{
    if (const auto* const text = std::get_if<std::string>(&cell))
        return *text;
    if (const auto* const count = std::get_if<std::uint64_t>(&cell))
        return static_cast<std::int64_t>(*count);
    if (const auto* const real = std::get_if<Real>(&cell))
        return real->value;
    if (const auto* const flag = std::get_if<bool>(&cell))
        return std::int64_t{*flag ? 1 : 0};
    return {};
}

constexpr std::string_view format_name = "nocturne-sweep";
constexpr std::string_view format_version = "3";

/// A reader that is slower than this with one look at the file stops the sweep.
constexpr int patience_ms = 60'000;

/// Held for as long as a sweep writes the file: a lock of one byte far behind all that SQLite reads, writes
/// or locks itself, so that readers never meet it.
class WriterLock {
public:
    explicit WriterLock(const std::filesystem::path& file)
        : descriptor_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666))
    {
        struct stat status{};
        if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0)
            fail(file, std::strerror(errno));
        if (!S_ISREG(status.st_mode))
            fail(file, "not a regular file");
        struct flock lock{};
        lock.l_type = F_WRLCK;
        lock.l_whence = SEEK_SET;
        lock.l_start = off_t{1} << 60;
        lock.l_len = 1;
        if (::fcntl(descriptor_, F_OFD_SETLK, &lock) == 0)
            return;
        const int error = errno;
        close();
        if (error == EAGAIN || error == EACCES)
            throw std::runtime_error(fmt::format("{}: another sweep holds it", file.string()));
        fail(file, std::strerror(error));
    }
    WriterLock(const WriterLock&) = delete;
    WriterLock& operator=(const WriterLock&) = delete;
    ~WriterLock() { close(); }

private:
    void close()
    {
        if (descriptor_ >= 0)
            ::close(descriptor_);
    }
    [[noreturn]] void fail(const std::filesystem::path& file, const char* why)
    {
        const std::string reason = why;
        close();
        throw std::runtime_error(fmt::format("{}: cannot write: {}", file.string(), reason));
    }

    int descriptor_;
};

std::string quoted_name(const std::string& name)
{
    std::string quoted = "\"";
    for (const char c : name)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

SqlValue text_or_null(const std::string& text)
{
    return text.empty() ? SqlValue() : SqlValue(text);
}

} // namespace sweep_database

using namespace sweep_database;

struct SweepDatabase::Implementation {
    Implementation(const std::filesystem::path& path, const SweepIdentity& identity) : file(path), lock(path)
    {
        const int code =
            sqlite3_open_v2(file.c_str(), &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
        try {
            check(code);
            sqlite3_extended_result_codes(connection, 1);
            sqlite3_busy_timeout(connection, patience_ms);
            execute("PRAGMA temp_store = MEMORY");
            take(identity);
        } catch (...) {
            sqlite3_close(connection);
            throw;
        }
    }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;
    ~Implementation()
    {
        statement_of_result.reset();
        statement_of_clock.reset();
        sqlite3_close(connection);
    }

    void check(int code) const
    {
        if (code == SQLITE_OK)
            return;
        const int primary = code & 0xff;
        if (primary == SQLITE_NOTADB)
            throw std::runtime_error(fmt::format("{}: no database of a sweep", file.string()));
        if (primary == SQLITE_CORRUPT)
            throw std::runtime_error(fmt::format("{}: the database is damaged", file.string()));
        if (primary == SQLITE_FULL)
            throw std::runtime_error(
                fmt::format("{}: cannot write: {}", file.string(), std::strerror(ENOSPC)));
        if (primary == SQLITE_IOERR) {
            const bool is_read = code == SQLITE_IOERR_READ || code == SQLITE_IOERR_SHORT_READ;
            const int reason = sqlite3_system_errno(connection); // if SQLite knows it
            throw std::runtime_error(
                fmt::format("{}: cannot {}: {}", file.string(), is_read ? "read" : "write",
                            reason != 0 ? std::strerror(reason) : sqlite3_errmsg(connection)));
        }
        throw std::runtime_error(fmt::format("{}: {}", file.string(), sqlite3_errmsg(connection)));
    }

    Statement prepare(const std::string& sql) const
    {
        return {connection, [this](int code) { check(code); }, sql};
    }
    void execute(const std::string& sql) const
    {
        check(sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr));
    }

    /// Of the table `sweep`; empty for a name that it does not have.
    std::string property(const std::string& name) const
    {
        const Statement found = prepare("SELECT value FROM sweep WHERE name = ?");
        found.bind(1, name);
        return found.step() ? found.text(0) : std::string();
    }

    /// Makes an empty file one of this sweep, or looks whether it is one.
    void take(const SweepIdentity& identity)
    {
        begin();
        const Statement tables = prepare("SELECT count(*), sum(name = 'sweep') FROM sqlite_schema");
        tables.step();
        if (tables.number(0) == 0)
            create(identity);
        else if (tables.number(1) == 0 || property("format") != format_name)
            throw std::runtime_error(fmt::format("{}: no database of a sweep", file.string()));
        else if (property("format_version") != format_version)
            throw std::runtime_error(
                fmt::format("{}: another version of nocturne made it, in another form", file.string()));
        else if (property("version") != identity.version)
            throw std::runtime_error(fmt::format("{}: its points were run by nocturne {}, this is {}",
                                                 file.string(), property("version"), identity.version));
        else if (property("plan") != identity.plan)
            throw std::runtime_error(fmt::format("{}: holds another sweep", file.string()));
        else
            take_inputs();
    }

    /// The files that the points there are depend on, which must be as they were.
    void take_inputs()
    {
        const Statement rows = prepare("SELECT file, digest FROM inputs");
        while (rows.step())
            inputs.emplace(rows.text(0), rows.text(1));
        for (const auto& [input, digest] : inputs)
            if (content_digest(input) != digest)
                throw std::runtime_error(
                    fmt::format("{}: its points were run with another content of {}", file.string(), input));
    }

    void add_inputs(const FileDigests& more)
    {
        for (const auto& [input, digest] : more) {
            const auto [known, is_new] = inputs.emplace(input, digest);
            if (is_new)
                prepare("INSERT INTO inputs VALUES (?, ?)").run({input, digest});
            else if (known->second != digest)
                throw std::runtime_error(
                    fmt::format("{}: {} has changed since other points were run", file.string(), input));
        }
    }

    void create(const SweepIdentity& identity) const
    {
        execute(
            "CREATE TABLE sweep (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;CREATE TABLE "
            "documents (point INTEGER PRIMARY KEY, command TEXT NOT NULL, status INTEGER NOT NULL, error "
            "TEXT, document TEXT);CREATE TABLE clock (point INTEGER PRIMARY KEY, seconds REAL NOT NULL, rank "
            "INTEGER NOT NULL, members TEXT);CREATE TABLE inputs (file TEXT PRIMARY KEY, digest TEXT NOT "
            "NULL) WITHOUT ROWID");
        const Statement insert = prepare("INSERT INTO sweep VALUES (?, ?)");
        insert.run({"format", std::string(format_name)});
        insert.run({"format_version", std::string(format_version)});
        insert.run({"version", identity.version});
        insert.run({"plan", identity.plan});
    }

    void begin()
    {
        if (!is_writing)
            execute("BEGIN IMMEDIATE");
        is_writing = true;
    }
    void commit()
    {
        if (is_writing)
            execute("COMMIT");
        is_writing = false;
    }

    std::filesystem::path file;
    WriterLock lock; // closed after the connection: closing any descriptor of a file drops SQLite's own locks
    sqlite3* connection = nullptr;
    bool is_writing = false;
    FileDigests inputs; ///< of all points that have a result
    std::optional<Statement> statement_of_result;
    std::optional<Statement> statement_of_clock;
};

SweepDatabase::SweepDatabase(const std::filesystem::path& file, const SweepIdentity& identity)
    : implementation_(std::make_unique<Implementation>(file, identity))
{
    implementation_->commit();
}

SweepDatabase::~SweepDatabase() = default;

std::vector<std::uint64_t> SweepDatabase::done(Retry retry) const
{
    const Statement points = implementation_->prepare(
        retry == Retry::all_failed
            ? "SELECT point FROM documents WHERE status = 0 AND error IS NULL ORDER BY point"
            : fmt::format("SELECT point FROM documents WHERE status < 128 AND status != {} ORDER BY point",
                          point_died));
    std::vector<std::uint64_t> done;
    while (points.step())
        done.push_back(static_cast<std::uint64_t>(points.number(0)));
    return done;
}

void SweepDatabase::add(const StoredPoint& point, double seconds, std::uint32_t rank)
{
    Implementation& here = *implementation_;
    const auto check = [&here](int code) { here.check(code); };
    here.begin();
    if (!point.result.document.empty())
        here.add_inputs(point.result.inputs);
    if (!here.statement_of_result) {
        here.statement_of_result.emplace(here.connection, check,
                                         "INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?, ?)");
        here.statement_of_clock.emplace(here.connection, check,
                                        "INSERT OR REPLACE INTO clock VALUES (?, ?, ?, ?)");
    }
    const auto index = static_cast<std::int64_t>(point.point);
    here.statement_of_result->run({index, point.command, std::int64_t{point.result.status},
                                   text_or_null(point.result.error), text_or_null(point.result.document)});
    here.statement_of_clock->run({index, seconds, std::int64_t{rank}, text_or_null(point.result.clock)});
}

void SweepDatabase::commit()
{
    implementation_->commit();
}

void SweepDatabase::visit(const std::function<void(const StoredPoint&)>& visit) const
{
    const Statement rows = implementation_->prepare(
        "SELECT point, command, status, error, document FROM documents ORDER BY point");
    while (rows.step())
        visit({static_cast<std::uint64_t>(rows.number(0)),
               rows.text(1),
               {static_cast<int>(rows.number(2)), rows.text(3), rows.text(4), ""}});
}

void SweepDatabase::write_results(
    const std::vector<Column>& columns,
    const std::function<std::vector<std::vector<Cell>>(const StoredPoint&)>& rows_of)
{
    Implementation& here = *implementation_;
    here.commit();
    here.begin();
    std::string names;
    std::string places;
    for (const Column& column : columns) {
        names += (names.empty() ? "" : ", ") + quoted_name(column_key(column));
        places += places.empty() ? "?" : ", ?";
    }
    here.execute("DROP TABLE IF EXISTS results");
    here.execute(fmt::format("CREATE TABLE results ({})", names));
    const Statement insert = here.prepare(fmt::format("INSERT INTO results VALUES ({})", places));
    visit([&](const StoredPoint& point) {
        for (const std::vector<Cell>& row : rows_of(point)) {
            std::vector<SqlValue> values;
            for (const Cell& cell : row)
                values.push_back(sql_value(cell));
            insert.run(values);
        }
    });
    here.commit();
}

} // namespace nocturne
