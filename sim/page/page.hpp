// One page of HTML that shows results: its scripts, style and data are in it, and it asks nothing of any
// network.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace nocturne {

/// The page of such a content, which its scripts (web/*.js) show:
///
///     {"title": "…", "made_by": {…},                     of the page: to_json(Origin)
///      "results": [RESULT…], "descriptions": {NAME: {"meaning": "…", "fields": […]}},
///      "networks": [NETWORK…], "movies": [MOVIE…], "notes": ["…"]}
///
/// RESULT is {"file", "kind": NAME, "fields": {…}, "made_by"} with a description of its kind, or a table,
/// {"file", "table": csv_json()}. NETWORK is network_json(), MOVIE has the index of its network.
/// Whatever the texts hold, they are data and appear as text: `<` is escaped, and the scripts write text
/// only.
std::string page_of(const nlohmann::ordered_json& content);

} // namespace nocturne
