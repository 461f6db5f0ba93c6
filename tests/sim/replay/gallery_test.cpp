// Every file of the gallery holds what it claims, and the list knows every file.
#include "models/topology/files.hpp"
#include "sim/result_files/certify.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace nocturne::gallery_test {

namespace {

const std::filesystem::path gallery = std::filesystem::path(SCHEDULE_LIBRARY) / "gallery";

std::vector<std::filesystem::path> gallery_files()
{
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(gallery))
        if (entry.path().extension() == ".json")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

TEST_CASE("every schedule of the gallery is valid and proven to be optimal", "[replay][gallery]")
{
    const auto files = gallery_files();
    CHECK(files.size() >= 80);
    for (const std::filesystem::path& file : files) {
        INFO(file.filename().string());
        const ResultFile result = load_result(file);
        REQUIRE(result.schedule);
        REQUIRE(result.bound);
        const Certification verdict = certify(result);
        CHECK(verdict.violations.empty());
        CHECK(verdict.refutations.empty());
        CHECK(result.schedule->steps.size() == result.bound->steps);
    }
}

TEST_CASE("the gallery's list has a line for each schedule, with its steps", "[replay][gallery]")
{
    const std::string list = read_file(gallery / "README.md");
    std::size_t lines = 0;
    for (std::size_t at = list.find("| ["); at != std::string::npos; at = list.find("| [", at + 1))
        ++lines;
    const auto files = gallery_files();
    CHECK(lines == files.size());
    for (const std::filesystem::path& file : files) {
        const std::string name = file.filename().string();
        const ResultFile result = load_result(file);
        CHECK(list.find("| [" + name + "](" + name + ") | " + result.schedule->name + " | " +
                        std::to_string(result.schedule->steps.size()) + " |") != std::string::npos);
    }
}

} // namespace nocturne::gallery_test
