// What a page says of its results: names that tell them apart, and where they come from.
#pragma once

#include <nlohmann/json.hpp>

namespace nocturne::cli {

/// Results of a report, as it has them: those of one kind whose summaries have the same subject get the
/// options behind it in which their commands differ, ` (buffer-flits 2)`, or else the names of their files.
void tell_subjects_apart(nlohmann::ordered_json& results);

/// Where it comes from, for other people: the command without what it wrote into the folder for temporary
/// files, and what it read there by the names of the files alone.
nlohmann::ordered_json without_temporary_folders(nlohmann::ordered_json made_by);

} // namespace nocturne::cli
