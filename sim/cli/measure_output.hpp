// The measures of a network as they are shown.
#pragma once

#include "models/measures/measures.hpp"
#include "sim/report/table.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace nocturne::cli {

/// One member for each measure that was taken, with its unit in its name; what is infinite is null. Reasons
/// for what was left out are in `left_out`.
nlohmann::ordered_json measures_json(const measures::Measures& measures);

/// A row a number; beside latencies what any network of as many nodes and links needs.
Table measures_table(const std::string& network, const measures::Measures& measures);

} // namespace nocturne::cli
