// Command lines and files that are nearly right: quick valid ones of every subcommand, damaged here and
// there.
#pragma once

#include "models/routing/random.hpp"
#include "tests/fuzz/command_run.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace nocturne::test {

class CommandInputs {
public:
    /// Runs the subcommands in `folder`: for their options (--help), and for a file of every kind that they
    /// write and read.
    explicit CommandInputs(const std::filesystem::path& folder);

    /// The input of a seed.
    CommandInput make(std::uint64_t seed) const;
    /// The valid command lines that make() damages.
    const std::vector<CommandInput>& valid() const { return valid_; }

private:
    struct Option {
        std::string name;  ///< `--load`
        std::string value; ///< what help calls its value; empty for a switch
    };

    std::map<std::string, std::string> files_named_in(const std::vector<std::string>& arguments) const;
    void learn_options(const std::filesystem::path& folder);
    void learn_files(const std::filesystem::path& folder);
    void damage_arguments(CommandInput& input, SplitMix64& random) const;
    std::string odd_value(const Option& option, SplitMix64& random) const;

    std::map<std::string, std::vector<Option>> options_; ///< by subcommand
    std::map<std::string, std::string> files_;           ///< valid ones, by name
    std::vector<CommandInput> valid_;
};

} // namespace nocturne::test
