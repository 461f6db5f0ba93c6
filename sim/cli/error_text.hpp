// What is said of an error: of a network that came from a file, the file; and no more than one reads.
#pragma once

#include <string>
#include <vector>

namespace nocturne::cli {

/// `text` with the name of a file among the command's arguments in the place of the name that the network in
/// it has: an error that begins `ring: …` is about ring.json, `bridge: …` about the file where somebody
/// called a network so. Of a schedule file with a network in it the file's name is put before. Reads the
/// beginning of the files again, and those whole that have a name there with which the text begins.
std::string with_file_names(std::string text, const std::vector<std::string>& arguments);

/// A text of more than 600 bytes with `...` for its middle: what it quotes came from outside and may be of
/// any length.
std::string without_middle(std::string text);

} // namespace nocturne::cli
