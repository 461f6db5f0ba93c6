// Whatever option is given beside a call: it is used, or refused in one line before anything is written.
#include "sim/cli/command.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/fuzz/command_run.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace nocturne::option_use_test {

using namespace nocturne::test;

namespace {

/// Ways to use commands. CHUNKS and the like stand for files.
constexpr const char* simulations[] = {
    "traffic ring:4 --warm-up 10 --window 60 --batches 2 --drain 2000",
    "traffic ring:4 --model worm --warm-up 10 --window 60 --batches 2 --drain 2000",
    "traffic ring:4 --saturation --tolerance 0.4 --warm-up 10 --window 60 --batches 2 --drain 2000",
    "traffic ring:4 --trace TRACE",
    "traffic ring:4 --closed-loop 2 --window 60 --batches 2",
    "replay STEPS --bytes 8",
    "replay STEPS --bytes 8 --model worm",
    "replay CHUNKS --bytes 64",
    "replay CHUNKS --bytes 64 --model worm",
    "replay STEPS --bytes 8,16 --background 0.01",
    "compare STEPS --bytes 8,16",
    "compare STEPS --bytes 8,16 --model worm",
    "compare CHUNKS --bytes 64,128",
    "recover STEPS --bytes 8 --fault link:0-1 --at-step 2",
    "recover STEPS --bytes 8 --fault link:0-1 --at-step 2 --model worm",
    "recover --unscheduled ring:4 --collective AAS --fault link:0-1 --at-ns 2500 --bytes 8",
    "contract ring:4 --flow source=0,destination=2,mbytes_per_s=90 --check 500",
    "contract ring:4 --flow source=0,destination=2,mbytes_per_s=90 --slots 4",
    "benes 4 --samples 2",
    "benes 4 --samples 2 --references looping,wormhole --reference-samples 2",
};

constexpr const char* searches[] = {
    "reschedule STEPS --fault link:0-1 --budget 1",
    "reschedule CHUNKS --fault link:0-1 --budget 1",
    "reschedule --table channel ring:4 --collective OAB --budget 1 -o tables",
    "evolve ring:4 --collective OAB --evaluations 300",
    "evolve hypercube:3 --collective AAB --engine hgsa --budget 1",
    "evolve ring:4 --collective OAB --engine mboa --evaluations 300",
    "bound ring:4 --collective AAS",
    "bound ring:4 --collective OAB --exhaust",
    "bound ring:4 --collective allreduce --objective steps --chunks 2",
    "bound ring:4 --collective allreduce --objective time",
    "schedule ring:4 --collective AAS",
    "schedule ring:4 --collective allreduce --objective time --budget 2",
    "schedule ring:4 --collective allgather --objective steps --chunks 1",
    "schedule ring:4 --collective allreduce --budget 1",
    "front ring:4 --collective allgather --most-chunks 2 --budget 5",
    "design 8 --links 3 --exchanges 100",
    "design 8 --links 3 --engine gappin --generations 2",
};

constexpr const char* conversions[] = {
    "validate STEPS",
    "validate CHUNKS",
    "validate XML --topology ring:4",
    "certify BOUND",
    "certify CHUNKS",
    "topology ring:4",
    "topology ring:4 --measure",
    "topology --list",
    "topology ring:4 --routing auto",
    "topology ring:4 --format json -o made.json",
    "export STEPS --rtl made",
    "export ring:4 --rtl made --packets 5",
    "export CHUNKS --msccl-xml made",
    "export CHUNKS --goal made",
    "export STEPS --goal made",
    "export STEPS --chakra made",
    "report STEPS BOUND -o made.html",
    "report CHUNKS -o made.html",
    "sweep SWEEP -o made.db",
    "sweep SWEEP --list",
};

/// A value that is another than the default, and does where the option has something to say. Of numbers 2.
const std::map<std::string, std::string> values{
    {"arbiter", "matrix"},
    {"arbitration", "lowest-port"},
    {"arrangement", "backplane"},
    {"arrivals", "periodic"},
    {"background", "0.05"},
    {"background-arrivals", "periodic"},
    {"background-pattern", "transpose"},
    {"background-routing", "up_down"},
    {"batches", "3"},
    {"bisection", "halves"},
    {"budget", "1"},
    {"bytes", "16"},
    {"circuit", "word"},
    {"class", "a,load=0.05"},
    {"class-vcs", "link *->*: a=2"},
    {"collective", "allgather"},
    {"cooling", "0.9"},
    {"crossbar-stages", "1,1,1,1"},
    {"drain", "3000"},
    {"element", "float32"},
    {"engine", "local"},
    {"evaluations", "100"},
    {"exchanges", "50"},
    {"fault", "link:0-1"},
    {"format", "json"},
    {"group", "0,1,2"},
    {"image", "1,2,3,0"},
    {"load", "0.05"},
    {"mode", "self-timed"},
    {"model", "worm"},
    {"objective", "time"},
    {"output", "made.json"},
    {"packet-flits", "4"},
    {"part", "router 1: pipeline=2,1,1,1"},
    {"pattern", "transpose"},
    {"payload", "digest"},
    {"permutations", "transpose"},
    {"pins", "64"},
    {"population", "10"},
    {"processors", "4"},
    {"randomization", "single"},
    {"receivers", "1,2"},
    {"references", "looping"},
    {"reply-flits", "4"},
    {"router-stages", "0,1,0,1"},
    {"routing", "up_down"},
    {"samples", "3"},
    {"senders", "0,1"},
    {"slack", "1"},
    {"source", "1"},
    {"switch-allocator", "separable_input_first"},
    {"switching", "store-and-forward"},
    {"table", "link"},
    {"topology", "ring:4"},
    {"traffic", "shifted"},
    {"warm-up-rule", "mser-5"},
    {"vc-allocator", "separable_input_first"},
    {"weight", "latency=1"},
    {"weights", "1,2,3,4"},
    {"without", "crossover"},
};

constexpr std::chrono::seconds limit{60}; // sanitizers, and other tests beside this one

/// Files of the kinds that the modes read.
class Inputs {
public:
    Inputs()
    {
        paths_["STEPS"] = SCHEDULE_LIBRARY "/octagon8_aas.json";
        write("TRACE", "trace.csv", "cycle,source,destination,bytes,after\n0,0,2,64,\n5,1,0,4,0\n");
        write("SWEEP", "sweep.ini",
              "command = traffic\n[options]\ntopology = ring:4\nload = 0.1\nwarm-up = 10\nwindow = "
              "60\nbatches = 2\n[sweep]\nseed = 1 2\n");
        make("CHUNKS", "schedule ring:4 --collective allgather --objective steps --chunks 1 -o made.json");
        make("BOUND", "bound ring:4 --collective AAS -o made.json");
        make("XML", "export CHUNKS --msccl-xml made.xml");
    }

    /// The words of a line, with paths for files.
    std::vector<std::string> words_of(const std::string& line) const
    {
        std::istringstream stream(line);
        std::vector<std::string> words;
        for (std::string word; stream >> word;) {
            const auto path = paths_.find(word);
            words.push_back(path == paths_.end() ? word : path->second);
        }
        return words;
    }

    CommandRun run(const std::vector<std::string>& arguments) const
    {
        return run_command({arguments, {}}, folder_ / "run", limit);
    }

private:
    void write(const std::string& word, const std::string& name, const std::string& content)
    {
        std::ofstream(folder_ / name) << content;
        paths_[word] = folder_ / name;
    }

    void make(const std::string& word, const std::string& line)
    {
        const CommandRun made = run(words_of(line));
        INFO(line << made.err);
        REQUIRE(made.left_behind.size() == 1);
        paths_[word] = folder_ / word;
        std::filesystem::rename(std::filesystem::path(folder_ / "run") / made.left_behind.front(),
                                paths_[word]);
    }

    TemporaryFolder folder_;
    std::map<std::string, std::string> paths_;
};

void check_option(const Inputs& inputs, std::vector<std::string> arguments, const cli::OptionRow& option)
{
    const std::string name = option.long_name();
    arguments.push_back("--" + name);
    if (option.value.takes_value())
        arguments.push_back(values.contains(name) ? values.at(name) : "2");
    const CommandRun run = inputs.run(arguments);
    INFO(fmt::format("{}\n", fmt::join(arguments, " ")) << run.err);
    CHECK(complaint(run).empty());
    CHECK(run.err.find("made no difference") == std::string::npos);
    // What is no value is refused before anything runs (tests/sim/cli/option_table_test.cpp), but for names.
    const std::string& parameter = option.value.parameter;
    if (!option.value.is_name || parameter.starts_with("FILE") || parameter == "DIR" ||
        parameter == "PREFIX" || parameter == "TITLE") // any text is one
        return;
    arguments.back() = "nonsense:9";
    const CommandRun garbage = inputs.run(arguments);
    INFO(garbage.err);
    CHECK(complaint(garbage).empty());
    CHECK(garbage.status == 2);
}

/// Of all pairs of a mode and an option a share: two thousand starts of a program with sanitizers take
/// minutes.
void check_options(std::span<const char* const> modes)
{
    std::size_t pair = 0;
    const Inputs inputs;
    for (const char* const mode : modes) {
        const std::vector<std::string> arguments = inputs.words_of(mode);
        const CommandRun plain = inputs.run(arguments);
        INFO(mode << '\n' << plain.err);
        REQUIRE(plain.status < 2);
        const cli::OptionTable options = cli::options_of(cli::find_command(arguments.front()));
        for (const cli::OptionRow& option : options.rows())
            if (option.long_name() != "help" && option.long_name() != "config" &&
                std::ranges::find(arguments, "--" + option.long_name()) == arguments.end() &&
                test::is_tried(++pair, 11))
                check_option(inputs, arguments, option);
    }
}

} // namespace

TEST_CASE("an option of a simulation is used or refused, and never nonsense")
{
    check_options(simulations);
}

TEST_CASE("an option of a search is used or refused, and never nonsense")
{
    check_options(searches);
}

TEST_CASE("an option of a conversion is used or refused, and never nonsense")
{
    check_options(conversions);
}

// What is read comes later: a file that is not there is no excuse for a search whose result has no place.
TEST_CASE("a place that cannot be written is said first, whatever option names it")
{
    const TemporaryFolder folder;
    unsigned tried = 0;
    for (const cli::Command& command : cli::commands()) {
        const cli::OptionTable options = cli::options_of(command);
        for (const cli::OptionRow& row : options.rows()) {
            if (row.value.written == cli::Written::nothing)
                continue;
            std::vector<std::string> arguments{std::string(command.usage.command), "--" + row.long_name(),
                                               "/dev/null/made"};
            if (command.usage.positional != "processors" && command.usage.positional != "nodes")
                arguments.emplace_back("missing.json");
            else
                arguments.emplace_back("7");
            if (!row.needs.empty()) {
                const std::string& need = row.needs.front();
                const std::size_t equals = need.find('=');
                arguments.push_back("--" + need.substr(0, equals));
                if (equals != std::string::npos)
                    arguments.push_back(need.substr(equals + 1));
                else if (options.find(need)->value.takes_value())
                    arguments.emplace_back("2");
            }
            const CommandRun run = run_command({arguments, {}}, folder / "run", limit);
            INFO(fmt::format("{}\n", fmt::join(arguments, " ")) << run.err);
            CHECK(complaint(run).empty());
            CHECK(run.status == 2);
            CHECK(run.err.find("/dev/null/made: cannot") != std::string::npos);
            ++tried;
        }
    }
    CHECK(tried > 30);
}

} // namespace nocturne::option_use_test
