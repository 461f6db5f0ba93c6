// Scripts with which shells complete commands, options, their values and networks.
#include "models/topology/make_topology.hpp"
#include "schedules/collective/collective.hpp"
#include "schedules/collective/kind_names.hpp"
#include "sim/cli/documentation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

namespace nocturne::cli {

namespace {

struct Words {
    std::string commands; ///< between spaces, as those below
    std::string options;  ///< a row for each command: `    topology) offered='--a --b';;`
    std::string values;   ///< likewise for `COMMAND:--OPTION`
    std::string networks;
};

Words words()
{
    Words all;
    for (const Command& command : commands()) {
        const std::string_view name = command.usage.command;
        all.commands += fmt::format("{} ", name);
        std::vector<std::string> names;
        const OptionTable options = options_of(command);
        for (const OptionRow& row : options.rows()) {
            names.push_back("--" + row.long_name());
            if (!row.value.choices.empty())
                all.values += fmt::format("    {}:{}) offered='{}';;\n", name, names.back(),
                                          fmt::join(row.value.choices, " "));
        }
        all.options += fmt::format("    {}) offered='{}';;\n", name, fmt::join(names, " "));
    }
    all.commands += "help man completion version --help --version";
    for (const TopologyKind& kind : topology_kinds())
        all.networks += fmt::format("{} ", kind.example);
    return all;
}

/// What both shells do alike: `words` from the subcommand, the word before and the word that is begun.
std::string choice_of_words(const Words& all, std::string_view command, std::string_view previous,
                            std::string_view current)
{
    return fmt::format("    case {0}:{1} in\n{3}    esac\n"
                       "    if [[ -z $offered && {2} == -* ]]; then case {0} in\n{4}    esac\n"
                       "    elif [[ -z $offered ]]; then case {0} in\n"
                       "    topology | bound | schedule | evolve | traffic | front) offered='{5}';;\n"
                       "    esac; fi\n",
                       command, previous, current, all.values, all.options, all.networks);
}

} // namespace

int run_completion(const std::vector<std::string>& arguments)
{
    const std::string shell = arguments.size() == 1 ? arguments.front() : "";
    const Words all = words();
    if (shell == "bash")
        fmt::print("# Completion of nocturne for Bash: source <(nocturne completion bash)\n"
                   "_nocturne() {{\n    local current=${{COMP_WORDS[COMP_CWORD]}} offered=\n"
                   "    local previous=${{COMP_WORDS[COMP_CWORD-1]}}\n    COMPREPLY=()\n"
                   "    if [ \"$COMP_CWORD\" -eq 1 ]; then offered='{}'\n    else\n{}    fi\n"
                   "    COMPREPLY=($(compgen -W \"$offered\" -- \"$current\"))\n}}\n"
                   "complete -o default -F _nocturne nocturne\n",
                   all.commands, choice_of_words(all, "${COMP_WORDS[1]}", "$previous", "$current"));
    else if (shell == "zsh")
        fmt::print(
            "#compdef nocturne\n"
            "# Completion of nocturne for Zsh: source <(nocturne completion zsh), behind compinit\n"
            "_nocturne() {{\n    local offered=\n"
            "    if (( CURRENT == 2 )); then offered='{}'\n    else\n{}    fi\n"
            "    compadd -- ${{=offered}}\n    [[ $PREFIX == -* ]] || _files\n}}\n"
            "if [ \"$funcstack[1]\" = _nocturne ]; then _nocturne; else compdef _nocturne nocturne; fi\n",
            all.commands, choice_of_words(all, "${words[2]}", "${words[CURRENT-1]}", "$PREFIX"));
    else
        throw std::invalid_argument(
            "completion: expected the name of a shell: nocturne completion bash, or zsh");
    return all_is_well;
}

} // namespace nocturne::cli
