// Command lines, files and words that the fuzzer begins with, from inputs.txt.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace nocturne::test {

/// Lines of a group.
std::vector<std::string> lines_of(const std::string& group);

/// Words of a group, between spaces; `""` is one without a letter.
const std::vector<std::string>& words_of(const std::string& group);

/// Content of files that people write, by name.
std::map<std::string, std::string> written_by_people();

} // namespace nocturne::test
