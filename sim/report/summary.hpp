// What a result says at first sight, made from its numbers: the first screen of its page, and a line on the
// terminal.
#pragma once

#include "sim/report/plot.hpp"
#include "sim/report/results.hpp"
#include "sim/report/table.hpp"
#include "sim/report/words.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nocturne {

/// Fields of each of the rows that a field of a result holds, or of the result itself where `rows` is empty:
/// names, units and meanings are those of its description.
struct FieldTable {
    std::string rows;
    std::vector<std::string> fields;
};

/// Plots beside each other, with the same axes: their titles say what differs.
struct SmallMultiples {
    std::vector<LinePlot> plots;
};

struct Summary {
    std::string subject;                   ///< what was asked: `all-to-all on octagon:8`
    std::string headline;                  ///< what was found, in a sentence or two
    bool is_bad = false;                   ///< something failed
    std::vector<std::string> reasons = {}; ///< behind the headline, a line each
    std::variant<std::monostate, LinePlot, SmallMultiples, GanttPlot> picture = {};
    std::variant<std::monostate, Table, FieldTable> table = {};
    bool is_matrix = false; ///< the table, which is shown with columns that say the same in every row too
};

/// Of a result of the kind with that name (all_results()), in JSON. Nothing for a kind that has none, and for
/// one that has not the fields that its kind has in this version.
std::optional<Summary> summary_of(std::string_view kind, const nlohmann::ordered_json& result);

/// Of a table as the page has it, `{"columns": [{"name", "unit", …}], "rows": [[…]]}`: of a sweep, in columns
/// from `point` to `status` what was varied, the failures first; of load curves their saturation. Over two
/// parameters the table is a matrix; many curves are divided by a parameter. Nothing for a table without
/// rows.
std::optional<Summary> summary_of_table(const nlohmann::ordered_json& table);

/// `{"subject", "headline", "is_bad", "reasons": […], "picture": {"kind": "lines", "multiples" or "boxes", …}
/// or null, "table": {"title", "columns": [{"name", "title", "unit"}], "rows": [[…]]}, {"rows", "fields"} or
/// null, "is_matrix"}`;
/// real numbers of tables are rounded as a terminal shows them.
nlohmann::ordered_json to_json(const Summary& summary);

/// `The schedule wins from 4 KiB on: …`: against the fastest run without a schedule at each message size. A
/// time that differs by less than half a percent is as good.
std::string headline_of(const Comparison& comparison);
/// Of several in one sentence: `The schedule wins from 4 KiB on with all-to-all on octagon:8 and at no size
/// with …`.
std::string headline_of(std::span<const Comparison> comparisons);
/// Out of the JSON of a result. Throws nlohmann::json::exception for one that is none.
Comparison comparison_of(const nlohmann::json& result);

} // namespace nocturne
