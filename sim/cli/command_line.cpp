#include "sim/cli/command_line.hpp"

#include "models/text/unknown_name.hpp"
#include "models/topology/files.hpp"
#include "models/topology/input_log.hpp"
#include "schedules/ranks/rank_transport.hpp"
#include "schedules/workers/process.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/documentation.hpp"
#include "sim/cli/error_text.hpp"
#include "sim/cli/first_words.hpp"
#include "sim/cli/run_remarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>

namespace nocturne::cli {
namespace {

void print_help(std::FILE* stream)
{
    fmt::print(
        stream,
        "usage: nocturne COMMAND [OPTIONS]\n\nA network-on-chip simulator with schedule validation.\n\n"
        "First steps:\n"
        "    nocturne topology torus:4x4                                   figures of a network\n"
        "    nocturne traffic torus:4x4                                    latency under synthetic traffic\n"
        "    nocturne schedule torus:4x4 allreduce --bytes 1MiB -o ar.json a schedule, and how good it is\n"
        "    nocturne replay ar.json                                       the schedule on simulated "
        "hardware\n"
        "    nocturne report ar.json -o ar.html                            a page that shows it\n\n"
        "Commands:\n");
    for (const Command& command : commands())
        fmt::print(stream, "  {:<10} {}\n", command.usage.command, command.usage.summary);
    fmt::print(stream,
               "\n'nocturne COMMAND --help' lists the options of a command, with examples. Options have the "
               "same name in every command:\n"
               "--topology is the network, -o or --output the main result, --csv a table, --svg a "
               "picture, --json prints one JSON\n"
               "object. 'nocturne man [COMMAND]' shows a manual page, 'nocturne completion bash' (or zsh) "
               "prints a script for the shell.\n\nExit status:\n");
    for (const auto& [status, meaning] : statuses())
        fmt::print(stream, "  {:<4} {}\n", status, meaning);
}

/// Throws where the first word is no command.
const Command& command_of(const std::vector<std::string>& arguments)
{
    const auto all = commands();
    const auto found =
        std::ranges::find(all, arguments[0], [](const Command& each) { return each.usage.command; });
    if (found != all.end())
        return *found;
    if (const std::string advice = advice_on(arguments); !advice.empty())
        throw std::invalid_argument(fmt::format("'{}' is no command: {}", shortened(arguments[0]), advice));
    return find_command(arguments[0]); // throws, with what was probably meant
}

int run_or_throw(const std::vector<std::string>& arguments)
{
    if (arguments.empty()) {
        print_help(stderr);
        return bad_use;
    }
    if (arguments[0] == "help" && arguments.size() == 2) {
        constexpr std::array pages{"results", "coming-from"};
        if (std::ranges::find(pages, arguments[1]) != pages.end())
            return run_man({arguments[1]});
        const auto all = commands();
        const bool is_command = arguments[1] == "man" || arguments[1] == "completion" ||
                                std::ranges::find(all, arguments[1], [](const Command& each) {
                                    return each.usage.command;
                                }) != all.end();
        return is_command ? run_or_throw({arguments[1], "--help"}) : run_man({arguments[1]});
    }
    constexpr std::array help_words{"--help", "-h", "help", "-help", "-?", "?"};
    if (std::ranges::find(help_words, arguments[0]) != help_words.end()) {
        print_help(stdout);
        return all_is_well;
    }
    constexpr std::array version_words{"--version", "version", "-V", "-v"};
    if (std::ranges::find(version_words, arguments[0]) != version_words.end()) {
        fmt::print("nocturne {}\n", version());
        return all_is_well;
    }
    const std::vector<std::string> rest{arguments.begin() + 1, arguments.end()};
    if (arguments[0] == "man")
        return run_man(rest);
    if (arguments[0] == "completion")
        return run_completion(rest);
    const Command& command = command_of(arguments);
    return run_command(command,
                       rest == std::vector<std::string>{"help"} ? std::vector<std::string>{"--help"} : rest);
}

/// To standard error, if there is one.
void complain(const std::string& text)
{
    std::fputs(fmt::format("nocturne: {}\n", without_middle(one_line(text))).c_str(), stderr);
}

} // namespace

int run_command_line(const std::vector<std::string>& arguments)
{
    const InputLog log;
    try {
        const int status = run_or_throw(arguments);
        print_remarks();
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
            throw std::runtime_error("standard output: cannot write");
        return status;
    } catch (const Interrupted& interrupted) {
        complain("interrupted");
        return interrupted.exit_status();
    } catch (const std::system_error& error) {
        // fmt throws it when a stream does not take what is printed.
        complain(std::ferror(stdout) != 0 ? "standard output: cannot write" : error.what());
    } catch (const std::bad_alloc&) {
        complain("out of memory");
        return worker_died;
    } catch (const WorkerDied& death) {
        complain(death.what());
        return worker_died;
    } catch (const std::exception& error) {
        const auto rank = rank_environment(); // all ranks have the same command: the first says what is wrong
        if (!rank || rank->rank == 0)
            complain(with_file_names(error.what(), arguments));
    }
    return bad_use;
}

} // namespace nocturne::cli
