// Where a result comes from, written into every file of results, so that it can be made again.
#pragma once

#include "sim/report/table.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace nocturne {

struct Origin {
    std::string version; ///< of nocturne: `0.1.0`
    std::string command; ///< as a shell would take it: `nocturne benes 64 --csv 'my designs.csv'`
    nlohmann::ordered_json
        options; ///< every option with its value, those that were not given among them: seed, hardware, …
    std::vector<std::string> remarks = {}; ///< what of the inputs was dropped or left open
};

/// `{"program": "nocturne", "version": …, "command": …, "options": {…}, "remarks": […]}`, the last only if
/// there are some: the member "made_by" of a JSON
/// file.
nlohmann::ordered_json to_json(const Origin& origin);

/// The table with two columns more, version and command, for a CSV file.
Table with_origin(Table table, const Origin& origin);

} // namespace nocturne
