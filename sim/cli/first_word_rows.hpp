// Words with which somebody may begin who does not know the commands.
#pragma once

#include <string>
#include <string_view>

namespace nocturne::cli {

/// Words that mean the same, between spaces, and what to type: {net}, {kind} and the like stand for what the
/// arguments mean, and {network.svg} for a file of that ending or of one that they name.
struct FirstWords {
    std::string_view words;
    std::string_view advice;
    bool is_general = false; ///< the words ask for anything to be made, or are said of anything
};

/// The row that has the word, capitals and `_` for `-` aside; null if there is none.
const FirstWords* find_row(std::string_view word);

std::string lower_case(std::string_view text); ///< `-` for `_`

} // namespace nocturne::cli
