#include "tests/fuzz/command_inputs.hpp"

#include "sim/cli/command.hpp"
#include "tests/fuzz/command_lists.hpp"
#include "tests/fuzz/damage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace nocturne::test {
namespace {

using namespace std::string_literals;

constexpr std::chrono::seconds time_to_learn{60};

std::vector<std::string> split(const std::string& line)
{
    std::istringstream stream(line);
    return {std::istream_iterator<std::string>(stream), {}};
}

} // namespace

CommandInputs::CommandInputs(const std::filesystem::path& folder)
{
    learn_options(folder);
    learn_files(folder);
    for (const char* const group : {"writers", "readers"})
        for (const std::string& line : lines_of(group)) {
            CommandInput input{split(line), {}};
            input.arguments.insert(input.arguments.end(), {"--workers", "1"});
            input.files = files_named_in(input.arguments);
            valid_.push_back(std::move(input));
        }
}

std::map<std::string, std::string>
CommandInputs::files_named_in(const std::vector<std::string>& arguments) const
{
    std::map<std::string, std::string> named;
    for (const auto& [name, content] : files_)
        if (std::any_of(arguments.begin(), arguments.end(), [&file = name](const std::string& argument) {
                return argument == file || argument.ends_with(":" + file);
            }))
            named.emplace(name, content);
    return named;
}

void CommandInputs::learn_options(const std::filesystem::path& folder)
{
    // "  -o [ --output ] FILE   text", "  --seed N (=1)   text", "  --json   text"
    static const std::regex line(R"(^  (?:-\w \[ )?(--[\w-]+)(?: \])?(?: ([^ ]+))?.*)");
    for (const cli::Command& command : cli::commands()) {
        const CommandRun help =
            run_command({{std::string(command.usage.command), "--help", "all"}, {}}, folder, time_to_learn);
        std::istringstream stream(help.out);
        for (std::string text; std::getline(stream, text);)
            if (std::smatch match; std::regex_match(text, match, line)) {
                const std::string value = match[2].str();
                // A value is named in capitals; what else stands there is the explanation.
                const bool has_value =
                    value.size() > 0 &&
                    std::none_of(value.begin(), value.end(), [](char c) { return c >= 'a' && c <= 'z'; });
                options_[std::string(command.usage.command)].push_back(
                    {match[1].str(), has_value ? value : ""});
            }
        if (options_[std::string(command.usage.command)].size() < 4)
            throw std::logic_error(fmt::format("no options in 'nocturne {} --help'", command.usage.command));
    }
}

void CommandInputs::learn_files(const std::filesystem::path& folder)
{
    files_ = written_by_people();
    for (const std::string& line : lines_of("writers")) {
        CommandInput input{split(line), {}};
        input.files = files_named_in(input.arguments);
        const CommandRun run = run_command(input, folder, time_to_learn);
        for (const std::string& name : run.left_behind) {
            std::ifstream stream(folder / name, std::ios::binary);
            files_.emplace(name, std::string(std::istreambuf_iterator<char>(stream), {}));
        }
        if (run.left_behind.empty())
            throw std::logic_error(fmt::format("nothing is written by {}{}", to_text(input), run.err));
    }
}

CommandInput CommandInputs::make(std::uint64_t seed) const
{
    SplitMix64 random(seed);
    CommandInput input = any_of(valid_, random);
    if (!input.files.empty() && random.below(2) == 0) {
        auto file =
            std::next(input.files.begin(), random.below(static_cast<std::uint32_t>(input.files.size())));
        file->second = file->first.ends_with(".json") && random.below(3) != 0
                           ? damage_json(file->second, random)
                           : damage_bytes(file->second, random);
        if (random.below(4) != 0)
            return input;
    }
    for (auto changes = 1 + random.below(3); changes-- > 0;)
        damage_arguments(input, random);
    for (const std::string& argument : input.arguments) // what a change has brought in
        if (const auto file = files_.find(argument); file != files_.end())
            input.files.insert(*file);
    return input;
}

std::string CommandInputs::odd_value(const Option& option, SplitMix64& random) const
{
    switch (random.below(8)) {
    case 0:
        return any_of(words_of("words"), random);
    case 1:
        return odd_number(random);
    case 2:
        return std::string(random.below(400), static_cast<char>('a' + random.below(26)));
    default:
        if (option.value == "FILE" || option.value == "DIR")
            return any_of(words_of("places"), random);
        if (option.value == "SPEC")
            return any_of(words_of("networks"), random);
        return random.below(2) == 0 ? odd_number(random) : any_of(words_of("words"), random);
    }
}

void CommandInputs::damage_arguments(CommandInput& input, SplitMix64& random) const
{
    std::vector<std::string>& arguments = input.arguments;
    const auto position = [&] { return random.below(static_cast<std::uint32_t>(arguments.size())); };
    if (arguments.empty())
        arguments.emplace_back("replay");
    const auto known = options_.find(arguments.front());
    const auto is_option = [](const std::string& word) { return word.starts_with("-"); };
    switch (random.below(8)) {
    case 0:
        arguments.erase(arguments.begin() + position());
        break;
    case 1:
        arguments.insert(arguments.begin() + position(), arguments[position()]);
        break;
    case 2:
        std::swap(arguments[position()], arguments[position()]);
        break;
    case 3: {
        std::string& argument = arguments[position()];
        argument = damage_bytes(argument, random);
        std::erase(argument, '\0'); // cannot be in an argument
        break;
    }
    case 4: { // the value of an option, or the argument without a name
        const auto at = position();
        if (at > 0 && !is_option(arguments[at]))
            arguments[at] = odd_value({"", is_option(arguments[at - 1]) ? "X" : "SPEC"}, random);
        break;
    }
    default: { // an option more, or once more
        if (known == options_.end())
            break;
        const Option& option = any_of(known->second, random);
        if (option.name == "--workers" || option.name == "--help")
            break; // thousands of processes are no fault
        arguments.push_back(option.name);
        if (!option.value.empty())
            arguments.push_back(odd_value(option, random));
    }
    }
}

} // namespace nocturne::test
