#include "testbenches/testbench.hpp"

#include "models/topology/files.hpp"
#include "schedules/workers/workers.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>

namespace nocturne::testbench {

namespace po = boost::program_options;

namespace {

/// False after --help, which it answers.
bool parse(int argc, char* argv[], std::string_view name, const po::options_description& options)
{
    po::options_description all{std::string(name)};
    all.add_options()("help", "this text")("config", po::value<std::string>(),
                                           "INI file with the options below");
    all.add(options);
    po::variables_map map;
    po::store(po::parse_command_line(argc, argv, all), map);
    if (map.count("help") != 0) {
        fmt::print("{}", fmt::streamed(all));
        return false;
    }
    if (map.count("config") != 0) {
        std::istringstream text(read_file(map["config"].as<std::string>()));
        po::store(po::parse_config_file(text, all), map);
    }
    po::notify(map);
    return true;
}

} // namespace

int run(int argc, char* argv[], std::string_view name, const po::options_description& options,
        const std::function<int()>& run)
{
    try {
        return parse(argc, argv, name, options) ? run() : 0;
    } catch (const Interrupted& interrupted) {
        fmt::print(stderr, "{}: {}\n", name, interrupted.what());
        return interrupted.exit_status();
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {}\n", name, error.what());
        return 2;
    }
}

std::string expected_lines(const std::filesystem::path& file, std::string_view only)
{
    std::istringstream all(read_file(file));
    std::string text;
    for (std::string line; std::getline(all, line);)
        if (only.empty() || text.empty() || line.starts_with(fmt::format("{},", only)) ||
            line.starts_with(fmt::format("\"{}\",", only)))
            text += line + "\n";
    return text;
}

void require_chosen(std::size_t cells, std::string_view only, const std::filesystem::path& file)
{
    if (cells == 0)
        throw std::invalid_argument(
            fmt::format("--only {}: no cell of {} that is to be examined has this in its network's name",
                        only.empty() ? std::string_view("\"\"") : only, file.string()));
}

std::string file_name(std::string text)
{
    std::ranges::replace_if(
        text, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return text;
}

bool has_lines(const std::filesystem::path& file, const std::string& found)
{
    const std::string expected = "\n" + read_file(file);
    std::istringstream lines(found);
    for (std::string line; std::getline(lines, line);)
        if (expected.find("\n" + line + "\n") == std::string::npos)
            return false;
    return true;
}

void write_files(const std::string& folder, const Files& files)
{
    std::filesystem::create_directories(folder);
    fmt::print("\nIn {}/:", folder);
    for (const auto& [name, content] : files) {
        write_file_atomically(std::filesystem::path(folder) / name, content);
        fmt::print(" {}", name);
    }
    fmt::print("\n");
}

std::string participants_of(const ProblemText& text)
{
    std::string participants = text.source;
    if (!text.senders.empty())
        participants = fmt::format("{} to {}", text.senders, text.receivers);
    if (text.slack)
        participants += fmt::format("{}slack {}", participants.empty() ? "" : "; ", *text.slack);
    return participants;
}

std::string ports_of(const Problem& problem)
{
    return problem.ports.is_all_port() ? "all" : to_string(problem.ports);
}

int status_of(std::string_view name, std::span<const std::string> failed)
{
    for (const std::string& line : failed)
        fmt::print(stderr, "{}: {}\n", name, line);
    return failed.empty() ? 0 : 1;
}

} // namespace nocturne::testbench
