// What the documentation says can be typed works as it is written and prints what is shown; its pages are
// linked, and its links lead somewhere; sample files are what they are said to be.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

namespace nocturne::readme_test {

using namespace nocturne::test;
using Catch::Contains;
using nlohmann::json;

namespace {

const std::filesystem::path project = PROJECT_FOLDER;

struct ShownCommand {
    std::string line; ///< behind `nocturne`
    int status = 0;
    bool is_long = false; ///< the text itself says how long it takes: `# 10 s`, `# 2 minutes`
    /// Lines shown below it, but those that another run need not repeat.
    std::vector<std::string> output = {};
};

/// README.md, the other pages beside it, and every page of docs/, in a fixed order.
std::vector<std::filesystem::path> pages()
{
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(project / "docs"))
        if (entry.path().extension() == ".md")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const char* page : {"CONTRIBUTING.md", "CHANGELOG.md", "README.md"})
        files.insert(files.begin(), project / page);
    return files;
}

/// `$ nocturne traffic mesh:8x8 --load 0.1   # one point; exit status 1`, without what stands before and
///                                           behind.
ShownCommand command_of(const std::string& line)
{
    const std::size_t comment = std::min(line.find("  #"), line.size());
    const std::string remark = line.substr(comment);
    ShownCommand command{
        line.substr(std::string("$ nocturne").size(), comment - std::string("$ nocturne").size())};
    command.is_long = std::regex_search(remark, std::regex("[0-9]+ (s|min|minutes?)\\b"));
    for (const int status : {1, 2})
        if (remark.find("exit status " + std::to_string(status)) != std::string::npos)
            command.status = status;
    return command;
}

/// The lines of a page, each with the first line of the ``` block that it is in (```cpp), empty outside of
/// blocks; without the lines that begin and end blocks.
std::vector<std::pair<std::string, std::string>> lines_of(const std::filesystem::path& file)
{
    std::vector<std::pair<std::string, std::string>> lines;
    std::istringstream text(content_of(file));
    std::string block;
    for (std::string line; std::getline(text, line);)
        if (line.starts_with("```"))
            block = block.empty() ? line : "";
        else
            lines.emplace_back(block, line);
    return lines;
}

/// The commands of each block between ``` and ``` of the text; those of one block may need each other's
/// files.
std::vector<std::vector<ShownCommand>> blocks_of(const std::filesystem::path& file)
{
    std::vector<std::vector<ShownCommand>> blocks(1);
    bool is_ours = false; // what is shown belongs to a command of ours
    for (const auto& [block, line] : lines_of(file)) {
        if (block.empty()) {
            if (!blocks.back().empty())
                blocks.emplace_back();
            is_ours = false;
        } else if (line.starts_with("$ ")) {
            is_ours = line.starts_with("$ nocturne");
            if (is_ours)
                blocks.back().push_back(command_of(line));
        } else if (is_ours && line != "…" && !line.starts_with("seconds ")) {
            blocks.back().back().output.push_back(line);
        }
    }
    std::erase_if(blocks, [](const auto& block) { return block.empty(); });
    return blocks;
}

std::vector<std::vector<ShownCommand>> all_blocks()
{
    std::vector<std::vector<ShownCommand>> blocks;
    for (const std::filesystem::path& page : pages())
        for (auto& block : blocks_of(page))
            blocks.push_back(std::move(block));
    return blocks;
}

/// Runs every `parts`-th block from `first` on, each in a folder with what the project's has.
void run_blocks(std::size_t first, std::size_t parts)
{
    const auto blocks = all_blocks();
    REQUIRE(blocks.size() > parts);
    for (std::size_t i = first; i < blocks.size(); i += parts) {
        const TemporaryFolder folder;
        for (const char* name : {"schedules", "examples"})
            std::filesystem::create_directory_symlink(project / name, folder / name);
        for (const ShownCommand& command : blocks[i]) {
            if (command.is_long)
                continue;
            INFO("nocturne" << command.line);
            const Outcome outcome = run_words(command.line, folder / "");
            CHECK(outcome.status == command.status);
            CHECK(without_remarks(outcome.err).empty() == (command.status != 2));
            for (const std::string& line : command.output)
                CHECK_THAT("\n" + outcome.out, Contains("\n" + line + "\n"));
        }
    }
}

/// Where the relative links of a page lead, pictures among them, as they are written (`files.md#schedules`).
std::vector<std::string> links_of(const std::filesystem::path& page)
{
    std::string text;
    for (const auto& [block, line] : lines_of(page))
        if (block.empty())
            text += line + "\n";
    std::vector<std::string> links;
    const std::regex link("\\]\\(([^)\\s]+)\\)");
    for (std::sregex_iterator found(text.begin(), text.end(), link); found != std::sregex_iterator(); ++found)
        if (found->str(1).find("://") == std::string::npos)
            links.push_back(found->str(1));
    return links;
}

/// The file that a link of the page leads to; the page itself for `#section`.
std::filesystem::path target_of(const std::filesystem::path& page, const std::string& link)
{
    const std::string file = link.substr(0, link.find('#'));
    return file.empty() ? page : (page.parent_path() / file).lexically_normal();
}

/// Is it a picture that is drawn when the manual is built?
bool is_drawn(const std::filesystem::path& target)
{
    const std::string script = content_of(project / "docs/manual/figures.sh");
    const std::string name = target.stem();
    return target.parent_path() == project / "docs/figures" &&
           (script.find(name + ".svg") != std::string::npos ||
            script.find("\ngraph " + name + " ") != std::string::npos);
}

/// What links call the sections of a page: `What made a result` is `what-made-a-result`.
std::vector<std::string> sections_of(const std::filesystem::path& page)
{
    std::vector<std::string> sections;
    for (const auto& [block, line] : lines_of(page)) {
        if (!block.empty() || !line.starts_with("#"))
            continue;
        std::string name;
        for (const char letter : line.substr(line.find(' ') + 1))
            if (std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-')
                name += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
            else if (letter == ' ')
                name += '-';
        sections.push_back(name);
    }
    return sections;
}

/// Characters, not bytes.
std::ptrdiff_t width(const std::string& line)
{
    return std::count_if(line.begin(), line.end(), [](char byte) { return (byte & 0xc0) != 0x80; });
}

} // namespace

// Several tests, so that they run side by side.
TEST_CASE("the commands of the documentation work as they are written, 1 of 4", "[cli][readme]")
{
    run_blocks(0, 4);
}
TEST_CASE("the commands of the documentation work as they are written, 2 of 4", "[cli][readme]")
{
    run_blocks(1, 4);
}
TEST_CASE("the commands of the documentation work as they are written, 3 of 4", "[cli][readme]")
{
    run_blocks(2, 4);
}
TEST_CASE("the commands of the documentation work as they are written, 4 of 4", "[cli][readme]")
{
    run_blocks(3, 4);
}

TEST_CASE("few commands of the documentation are too long to be tested", "[cli][readme]")
{
    std::size_t count = 0;
    std::size_t long_ones = 0;
    for (const auto& block : all_blocks())
        for (const ShownCommand& command : block) {
            ++count;
            long_ones += command.is_long ? 1 : 0;
        }
    CHECK(count >= 30);
    CHECK(long_ones <= count / 4);
}

TEST_CASE("every page of the documentation is in its table of contents", "[cli][readme]")
{
    std::vector<std::filesystem::path> targets;
    for (const std::filesystem::path& page : {project / "README.md", project / "docs/README.md"})
        for (const std::string& link : links_of(page))
            targets.push_back(target_of(page, link));
    for (const std::filesystem::path& page : pages()) {
        INFO(page);
        CHECK((page == project / "README.md" ||
               std::find(targets.begin(), targets.end(), page) != targets.end()));
    }
}

TEST_CASE("every link of the documentation leads to a file of the project", "[cli][readme]")
{
    std::vector<std::filesystem::path> files = pages();
    for (const char* folder : {"examples", "schedules", "testbenches"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(project / folder))
            if (entry.path().extension() == ".md")
                files.push_back(entry.path());
    for (const std::filesystem::path& page : files)
        for (const std::string& link : links_of(page)) {
            INFO(page << " links to " << link);
            const std::filesystem::path target = target_of(page, link);
            CHECK((std::filesystem::exists(target) || is_drawn(target)));
            CHECK_FALSE(target.lexically_relative(project).native().starts_with(".."));
            if (const std::size_t hash = link.find('#'); hash != std::string::npos) {
                const std::vector<std::string> sections = sections_of(target);
                CHECK(std::find(sections.begin(), sections.end(), link.substr(hash + 1)) != sections.end());
            }
        }
}

TEST_CASE("the README is a front page, and the text of the documentation is as wide as one reads",
          "[cli][readme]")
{
    const std::string readme = content_of(project / "README.md");
    CHECK(std::count(readme.begin(), readme.end(), '\n') <= 110);
    for (const std::filesystem::path& page : pages())
        for (const auto& [block, line] : lines_of(page))
            if (block.empty() && !line.starts_with("|")) {
                INFO(page << ": " << line);
                CHECK(width(line) <= 110);
            }
}

TEST_CASE("the C++ of the documentation is in the page whose programs the test of the package builds",
          "[cli][readme]")
{
    for (const std::filesystem::path& page : pages())
        for (const auto& [block, line] : lines_of(page))
            if (block == "```cpp") {
                INFO(page << ": " << line);
                CHECK(page == project / "docs/library.md");
            }
}

TEST_CASE("changes and citation are of the program's version", "[cli][readme]")
{
    const std::string printed = run_nocturne({"--version"}).out; // nocturne 0.1.0
    const std::string version = printed.substr(9, printed.size() - 10);
    CHECK(nocturne_json({"topology", "ring:3", "--json"})["made_by"]["version"] == version);
    CHECK_THAT(content_of(project / "CITATION.cff"), Contains("\nversion: " + version + "\n"));
    const std::string changes = content_of(project / "CHANGELOG.md");
    std::smatch latest;
    REQUIRE(std::regex_search(changes, latest, std::regex("\n## ([0-9.]+), [0-9]{4}-[0-9]{2}-[0-9]{2}\n")));
    CHECK(latest[1] == version);
    CHECK(std::count(changes.begin(), changes.end(), '\n') <= 40);
}

TEST_CASE("the documentation names every package that ./run installs", "[cli][readme]")
{
    const std::string page = content_of(project / "docs/dependencies.md");
    const std::string script = content_of(project / "run");
    std::size_t count = 0;
    for (const std::string list : {"build_packages=(", "test_packages=(", "manual_packages=("}) {
        const std::size_t begin = script.find("\n" + list);
        REQUIRE(begin != std::string::npos);
        std::istringstream packages(
            script.substr(begin + 1 + list.size(), script.find(')', begin) - begin - 1 - list.size()));
        for (std::string package; packages >> package; ++count) {
            INFO(package);
            CHECK((page.find(" " + package + " ") != std::string::npos ||
                   page.find(" " + package + ",") != std::string::npos));
        }
    }
    CHECK(count > 15);
}

TEST_CASE("the sample files of every format are the same network", "[cli][readme]")
{
    const TemporaryFolder folder;
    const auto channels_of = [&](const std::string& name) {
        const Outcome outcome =
            run_nocturne({"topology", project / "examples/networks" / name, "--format", "json"});
        CHECK(outcome.status == 0);
        std::vector<json> channels = json::parse(outcome.out)["channels"];
        for (json& channel : channels)
            channel.erase("width_bytes"); // which BookSim does not know
        std::sort(channels.begin(), channels.end());
        return channels;
    };
    const auto expected = channels_of("bridge.json");
    for (const char* name : {"bridge.dot", "bridge.graphml", "bridge.anynet"}) {
        INFO(name);
        CHECK(channels_of(name) == expected);
    }
    CHECK(channels_of("anynet_file").size() == 6);
    for (const char* name : {"bridge.json", "bridge.dot", "bridge.graphml"})
        CHECK_THAT(run_nocturne({"topology", project / "examples/networks" / name, "--format", "dot"}).out,
                   Contains("4 cycles, 2 B"));
}

} // namespace nocturne::readme_test
