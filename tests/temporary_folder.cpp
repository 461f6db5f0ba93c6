#include "tests/temporary_folder.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace nocturne::test {

TemporaryFolder::TemporaryFolder()
{
    std::string name = (std::filesystem::temp_directory_path() / "nocturne_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
}

TemporaryFolder::~TemporaryFolder()
{
    std::filesystem::remove_all(path_);
}

std::string TemporaryFolder::file(std::string_view name, std::string_view content) const
{
    std::ofstream(path_ / name, std::ios::binary) << content;
    return (path_ / name).string();
}

std::vector<std::string> TemporaryFolder::names() const
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace nocturne::test
