// The results of a sweep in a file of SQLite, so that it can be taken up again, and asked.
#pragma once

#include "sim/report/table.hpp"
#include "sim/sweep/point_result.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace nocturne {

/// What a database is about; another sweep's points do not get into it.
struct SweepIdentity {
    std::string version; ///< of nocturne
    std::string plan;    ///< to_json() of it
};

/// A point that has been run.
struct StoredPoint {
    std::uint64_t point = 0;
    std::string command; ///< that makes the result again, as a shell takes it
    PointResult result;
};

/// One process at a time writes a file; others may read it meanwhile. Every error is a std::runtime_error of
/// one line that names the file, and leaves what commit() has kept.
class SweepDatabase {
public:
    /// Opens or creates the file. Throws for a file that is no database of a sweep, or of another one, or
    /// that another process is writing, or whose points depend on files that have changed since.
    SweepDatabase(const std::filesystem::path& file, const SweepIdentity& identity);
    SweepDatabase(const SweepDatabase&) = delete;
    SweepDatabase& operator=(const SweepDatabase&) = delete;
    ~SweepDatabase();

    /// Points that have a result, ascending, but for those that are to be run again: whose process died, or,
    /// with `all_failed`, whose status is not 0.
    enum class Retry { died, all_failed };
    std::vector<std::uint64_t> done(Retry retry) const;

    /// Takes the place of an earlier result of the point. Throws if a file that it depends on has changed
    /// since other points were run: those of one database have the same inputs. `seconds` and `rank`: how
    /// long it took, and where.
    void add(const StoredPoint& point, double seconds, std::uint32_t rank);
    /// What has been added since the last call outlives this process, and the machine.
    void commit();

    /// Calls `visit` for all points with a result, in their order.
    void visit(const std::function<void(const StoredPoint&)>& visit) const;

    /// Makes the table `results` anew, with these columns and, for each point with a result, in their order,
    /// the rows that `rows_of` gives.
    void write_results(const std::vector<Column>& columns,
                       const std::function<std::vector<std::vector<Cell>>(const StoredPoint&)>& rows_of);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

} // namespace nocturne
