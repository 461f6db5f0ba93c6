#include "tests/catch.hpp"
#include "tests/structure/include_rules.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>

namespace nocturne::structure_test {

namespace fs = std::filesystem;
using namespace nocturne::structure;

namespace {

const fs::path root = NOCTURNE_SOURCE_DIR;

struct File {
    std::string path; ///< from the project root
    std::string text;
};

std::string content_of(const fs::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

/// Every regular file of ours below a folder of the project.
std::vector<File> files_below(const char* folder)
{
    std::vector<File> files;
    if (!fs::exists(root / folder))
        return files;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
        if (!entry.is_regular_file())
            continue;
        files.push_back({fs::relative(entry.path(), root).generic_string(), content_of(entry.path())});
    }
    return files;
}

/// Read once for all test cases.
const std::vector<File>& source_files()
{
    static const std::vector<File> all = [] {
        std::vector<File> sources;
        for (const char* folder : {"models", "schedules", "sim", "python", "testbenches", "tests"})
            for (File& file : files_below(folder))
                if (file.path.ends_with(".cpp") || file.path.ends_with(".hpp"))
                    sources.push_back(std::move(file));
        return sources;
    }();
    return all;
}

/// The type whose definition begins at the start of this line; empty if none does.
std::string defined_type(const std::string& line)
{
    std::istringstream words(line);
    std::string kind;
    std::string name;
    words >> kind >> name;
    if (kind == "enum" && name == "class")
        words >> name;
    const bool is_type = kind == "struct" || kind == "class" || kind == "enum";
    return is_type && line.starts_with(kind) && line.ends_with('{') ? name : std::string();
}

std::vector<std::string> check_line(const std::string& path, const std::string& line)
{
    return check_includes(path, "#pragma once\n" + line + "\n");
}

} // namespace

TEST_CASE("no file breaks an include rule", "[structure]")
{
    REQUIRE(source_files().size() > 20);
    for (const File& file : source_files())
        for (const std::string& complaint : check_includes(file.path, file.text))
            FAIL_CHECK(complaint);
}

TEST_CASE("every source file of the product lies in a room", "[structure]")
{
    for (const File& file : source_files())
        if (!file.path.starts_with("tests/")) {
            INFO(file.path);
            CHECK_FALSE(room_of(file.path).empty());
        }
}

TEST_CASE("no two headers define types of the same name", "[structure]")
{
    // Compiler and linker would take one for the other wherever they do not meet in one file.
    std::map<std::string, std::string> headers;
    for (const File& file : source_files()) {
        if (!file.path.ends_with(".hpp") || file.path.starts_with("tests/"))
            continue;
        std::istringstream lines(file.text);
        for (std::string line; std::getline(lines, line);) {
            const std::string name = defined_type(line);
            if (name.empty())
                continue;
            const auto [first, is_new] = headers.emplace(name, file.path);
            INFO(name << " in " << file.path << " and in " << first->second);
            CHECK((is_new || first->second == file.path));
        }
    }
    CHECK(headers.size() > 100);
}

TEST_CASE("every header may be included twice", "[structure]")
{
    for (const File& file : source_files())
        if (file.path.ends_with(".hpp")) {
            INFO(file.path);
            CHECK(file.text.find("#pragma once\n") != std::string::npos);
        }
}

TEST_CASE("no file has more than 400 lines", "[structure]")
{
    for (const File& file : source_files()) {
        const auto lines = std::count(file.text.begin(), file.text.end(), '\n');
        if (lines > 400)
            FAIL_CHECK(file.path << ": " << lines << " lines");
    }
}

TEST_CASE("no line is wider than 110 columns", "[structure]")
{
    for (const File& file : source_files()) {
        std::istringstream lines(file.text);
        std::size_t number = 0;
        for (std::string line; std::getline(lines, line);) {
            ++number;
            // Bytes behind the first of a character do not count.
            const auto columns = std::count_if(line.begin(), line.end(), [](char c) {
                return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
            });
            if (columns > 110)
                FAIL_CHECK(file.path << ":" << number << ": " << columns << " columns");
        }
    }
}

TEST_CASE("every room with sources is one target", "[structure]")
{
    std::set<std::string> folders;
    for (const char* top : {"models", "schedules", "sim"})
        for (const File& file : files_below(top))
            if (file.path.ends_with(".cpp"))
                folders.insert(std::string(room_of(file.path)));
    REQUIRE_FALSE(folders.empty());
    for (const std::string& folder : folders) {
        INFO(folder);
        const std::string text = content_of(root / folder / "CMakeLists.txt");
        CHECK((text.find("nocturne_library(") != std::string::npos ||
               text.find("add_executable(") != std::string::npos));
    }
}

TEST_CASE("the project does not mention the place where it was made", "[structure]")
{
    // Written in two parts, so that this file does not either.
    const std::vector<std::string> foreign{std::string(".lib") + "rary", std::string("../sha") + "red",
                                           std::string("/work/") + "main"};
    std::vector<File> files;
    for (const char* folder :
         {"models", "schedules", "sim", "python", "testbenches", "tests", "cmake", "docs", "examples", ".ci"})
        for (File& file : files_below(folder))
            files.push_back(std::move(file));
    for (const auto& entry : fs::directory_iterator(root))
        if (entry.is_regular_file() &&
            entry.path().filename() != ".git") // of a second work tree: where it is
            files.push_back({entry.path().filename(), content_of(entry.path())});
    for (const File& file : files)
        for (const std::string& word : foreign) {
            INFO(file.path << " mentions " << word);
            CHECK(file.text.find(word) == std::string::npos);
        }
}

TEST_CASE("a container is built with all that ./run build reads", "[structure]")
{
    const std::string kept = content_of(root / ".containerignore");
    for (const char* name : {"run", "CMakeLists.txt", "CMakePresets.json", "LICENSE", "cmake", "docs",
                             "examples", "models", "python", "schedules", "sim", "testbenches"}) {
        INFO(name);
        CHECK(fs::exists(root / name));
        CHECK(kept.find(std::string("\n!") + name + '\n') != std::string::npos);
    }
}

TEST_CASE("the checker rejects what a room must not include", "[structure]")
{
    const auto [path, header] = GENERATE(table<std::string, std::string>({
        {"models/topology/topology.hpp", "models/routing/routing.hpp"},
        {"models/topology/topology.hpp", "schedules/collective/collective.hpp"},
        {"schedules/collective/collective.hpp", "models/topology/topology.hpp"},
        {"models/routing/paths.cpp", "schedules/schedule/schedule.hpp"},
        {"schedules/schedule/validator.cpp", "schedules/portfolio/engine.hpp"},
        {"schedules/schedule/validator.cpp", "schedules/bounds/cut.hpp"},
        {"schedules/bounds/cut.cpp", "schedules/schedule/schedule.hpp"},
        {"schedules/bounds/cut.cpp", "schedules/portfolio/engine.hpp"},
        {"schedules/certificate/check_bound.cpp", "schedules/satisfiability/encoding.hpp"},
        {"schedules/certificate/check_bound.cpp", "schedules/bounds/infeasibility_bound.hpp"},
        {"schedules/certificate/check_bound.cpp", "schedules/portfolio/message_engines.hpp"},
        {"schedules/portfolio/engine.cpp", "models/hardware/router.hpp"},
        {"schedules/portfolio/engine.cpp", "sim/replay/replay.hpp"},
        {"models/hardware/dma.cpp", "schedules/schedule/schedule.hpp"},
        {"models/hardware/dma.cpp", "schedules/collective/collective.hpp"},
        {"models/hardware/dma.cpp", "sim/report/results.hpp"},
        {"sim/report/report.cpp", "models/topology/topology.hpp"},
        {"sim/report/report.cpp", "schedules/workers/workers.hpp"},
        {"sim/replay/replay.cpp", "sim/cli/options.hpp"},
        {"sim/replay/replay.cpp", "sim/traffic/measure.hpp"},
        {"sim/execution/simulate.cpp", "sim/replay/replay.hpp"},
        {"sim/replay/replay.cpp", "testbenches/a/b.hpp"},
        {"sim/cli/main.cpp", "testbenches/a/b.hpp"},
        {"sim/report/report.cpp", "table.hpp"},
        {"sim/report/report.cpp", "../report/table.hpp"},
        {"sim/report/report.cpp", "tests/sim/report/sample_results.hpp"},
    }));
    INFO(path << " includes " << header);
    const auto complaints = check_line(path, "#include \"" + header + "\"");
    REQUIRE(complaints.size() == 1);
    CHECK(complaints.front().find(path + ":2: " + header + ": ") == 0);
}

TEST_CASE("the checker rejects SystemC outside its rooms", "[structure]")
{
    const std::string header =
        GENERATE("<systemc>", "<systemc.h>", "<tlm>", "<tlm.h>", "<tlm_utils/simple_target_socket.h>",
                 "<sysc/kernel/sc_time.h>", "\"systemc.h\"");
    for (const char* room : {"models/topology", "models/routing", "schedules/collective",
                             "schedules/schedule", "schedules/bounds", "schedules/portfolio", "sim/report"})
        CHECK(check_line(std::string(room) + "/a.cpp", "#include " + header).size() == 1);
    for (const char* room : {"models/hardware", "sim/simulation", "sim/cli", "testbenches"})
        CHECK(check_line(std::string(room) + "/a.cpp", "#include " + header).empty());
}

TEST_CASE("the checker sees includes however they are written", "[structure]")
{
    const std::string line = GENERATE(
        "#include \"models/hardware/router.hpp\"", "  #include \"models/hardware/router.hpp\" // why",
        "#  include\t\"models/hardware/router.hpp\"", "#include <models/hardware/router.hpp>",
        "#include\"models/hardware/router.hpp\"", "#include \"models/hardware/router.hpp\"\r");
    CHECK(check_line("schedules/schedule/validator.cpp", line).size() == 1);
}

TEST_CASE("the checker lets pass what the rules allow", "[structure]")
{
    const auto [path, header] = GENERATE(table<std::string, std::string>({
        {"models/topology/files.cpp", "\"models/topology/topology.hpp\""},
        {"models/topology/files.cpp", "<vector>"},
        {"models/topology/files.cpp", "<nlohmann/json.hpp>"},
        {"models/routing/paths.cpp", "\"models/topology/topology.hpp\""},
        {"schedules/schedule/validator.cpp", "\"models/routing/paths.hpp\""},
        {"schedules/portfolio/engine.cpp", "\"schedules/bounds/cut.hpp\""},
        {"models/hardware/router.cpp", "\"models/routing/routing.hpp\""},
        {"sim/replay/replay.cpp", "\"schedules/schedule/schedule.hpp\""},
        {"sim/cli/main.cpp", "\"sim/replay/replay.hpp\""},
        {"testbenches/contention/main.cpp", "\"sim/replay/replay.hpp\""},
        {"tests/sim/report/plot_test.cpp", "\"tests/sim/report/sample_results.hpp\""},
    }));
    INFO(path << " includes " << header);
    CHECK(check_line(path, "#include " + header).empty());
    CHECK(check_line(path, "// #include \"sim/cli/secret.hpp\"").empty());
}

} // namespace nocturne::structure_test
