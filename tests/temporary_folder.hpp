// A place for the files of a test.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne::test {

/// An empty folder that is gone at the end.
class TemporaryFolder {
public:
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    std::string operator/(std::string_view name) const { return (path_ / name).string(); }
    /// Writes a file; returns its path.
    std::string file(std::string_view name, std::string_view content) const;
    /// Names of everything in it, sorted.
    std::vector<std::string> names() const;

private:
    std::filesystem::path path_;
};

} // namespace nocturne::test
