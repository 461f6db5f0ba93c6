// What is said of an error: of a network that came from a file, the file.
#pragma once

#include <string>
#include <vector>

namespace nocturne::cli {

/// `text` with the name of a file among the command's arguments in the place of the name that the network in it has: an error that
/// begins `ring: …` is about ring.json, `bridge: …` about the file where somebody called a network so. Of a schedule file with a
/// network in it the file's name is put before. Reads the files again, so it is for when all else is over.
std::string with_file_names(std::string text, const std::vector<std::string>& arguments);

} // namespace nocturne::cli
