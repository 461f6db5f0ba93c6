// Tables of commands, in groups that have a folder each.
#pragma once

#include "tests/rows.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <functional>
#include <string>
#include <vector>

namespace nocturne::test {

/// Calls it with the rows of a table, but for those that prepare what is in the folder:
///   + FILE TEXT          writes a file; \n, \t, \\ and \xHH are what they are in C
///   ~ FILE POINTER TEXT  changed.json is that file with this value at this place, or without what is there;
///                        also several of these, where - is for without, and @/POINTER for the value there
///   $ COMMAND            is run, with status 0 or 1
/// In the folder of a group `lib` is the library of schedules and `examples` the project's. Of all groups
/// every `parts`-th one from `part` on.
void for_each_command(const std::string& table, unsigned part, unsigned parts,
                      const std::function<void(const Row&, const TemporaryFolder&)>& check);

/// A command with one choice of each of its {a;b}.
struct ChosenCommand {
    std::string words;
    std::vector<std::string> chosen; ///< in the order of the closing braces
};

std::vector<ChosenCommand> choices_of(const std::string& command);

/// FILE TEXT
void write_file(const TemporaryFolder& folder, const std::string& text);

} // namespace nocturne::test
