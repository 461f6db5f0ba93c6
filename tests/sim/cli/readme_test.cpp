// What the documentation says can be typed works as it is written; sample files are what they are said to be.
#include "tests/sim/cli/nocturne_process.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <regex>
#include <sstream>

namespace nocturne::readme_test {

using namespace nocturne::test;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

const std::filesystem::path project = PROJECT_FOLDER;

struct ShownCommand {
    std::string line; ///< behind `nocturne`
    int status = 0;
    bool is_long = false; ///< the text itself says how long it takes: `# 10 s`, `# 2 minutes`
};

/// `$ nocturne traffic mesh:8x8 --load 0.1   # one point; exit status 1`, without what stands before and behind.
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

/// The commands of each block between ``` and ``` of the text; those of one block may need each other's
/// files.
std::vector<std::vector<ShownCommand>> blocks_of(const std::filesystem::path& file)
{
    std::vector<std::vector<ShownCommand>> blocks;
    std::istringstream text(content_of(file));
    bool is_inside = false;
    for (std::string line; std::getline(text, line);) {
        if (line.starts_with("```")) {
            is_inside = !is_inside;
            if (is_inside)
                blocks.emplace_back();
        } else if (is_inside && line.starts_with("$ nocturne")) {
            blocks.back().push_back(command_of(line));
        }
    }
    std::erase_if(blocks, [](const auto& block) { return block.empty(); });
    return blocks;
}

std::vector<std::vector<ShownCommand>> all_blocks()
{
    std::vector<std::vector<ShownCommand>> blocks = blocks_of(project / "README.md");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(project / "docs"))
        if (entry.path().extension() == ".md")
            for (auto& block : blocks_of(entry.path()))
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
            const Outcome outcome = run_shell("cd '" + (folder / "") + "' && $nocturne" + command.line);
            CHECK(outcome.status == command.status);
            CHECK(outcome.err.empty() == (command.status != 2));
        }
    }
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
