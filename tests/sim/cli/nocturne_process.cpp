#include "tests/sim/cli/nocturne_process.hpp"

#include "sim/cli/command_line.hpp"
#include "tests/catch.hpp"

#include <boost/program_options/parsers.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <iterator>
#include <poll.h>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace nocturne::test {

namespace {

std::array<int, 2> open_pipe()
{
    std::array<int, 2> ends{};
    REQUIRE(pipe2(ends.data(), O_CLOEXEC) == 0);
    return ends;
}

/// Reads two pipes to their ends at the same time: neither may fill up while the other is waited for.
std::array<std::string, 2> read_both(const std::array<int, 2>& descriptors)
{
    std::array<std::string, 2> texts;
    std::array<pollfd, 2> awaited{pollfd{descriptors[0], POLLIN, 0}, pollfd{descriptors[1], POLLIN, 0}};
    while (awaited[0].fd >= 0 || awaited[1].fd >= 0) {
        poll(awaited.data(), awaited.size(), -1);
        for (std::size_t i = 0; i < 2; ++i) {
            if (awaited[i].fd < 0 || awaited[i].revents == 0)
                continue;
            std::array<char, 65536> chunk;
            const ssize_t count = read(awaited[i].fd, chunk.data(), chunk.size());
            if (count > 0)
                texts[i].append(chunk.data(), static_cast<std::size_t>(count));
            else
                awaited[i].fd = -1;
        }
    }
    return texts;
}

/// 0 for what is no process (any more).
pid_t parent_of(const std::filesystem::path& process)
{
    std::ifstream stream(process / "stat");
    std::string text;
    std::getline(stream, text);
    // `id (name) state parent …`; a name can hold anything.
    const std::size_t name_end = text.rfind(')');
    return name_end == std::string::npos ? 0 : std::atoi(text.substr(name_end + 4).c_str());
}

/// Only for a child: its standard streams, and no more of what the tests' framework does with signals.
void begin_as_process(int out, int err)
{
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        dup2(err, STDERR_FILENO) < 0 || setpgid(0, 0) != 0)
        _exit(125);
    for (const int signal : {SIGINT, SIGTERM, SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGPIPE})
        std::signal(signal, SIG_DFL);
}

} // namespace

NocturneProcess::NocturneProcess(const std::function<int()>& run)
{
    const auto out = open_pipe();
    const auto err = open_pipe();
    std::cout.flush();
    std::fflush(nullptr);
    id_ = fork();
    REQUIRE(id_ >= 0);
    if (id_ == 0) {
        begin_as_process(out[1], err[1]);
        const int status = run();
        std::cout.flush();
        std::fflush(nullptr);
        _exit(status);
    }
    setpgid(id_, id_); // whichever of the two comes first
    close(out[1]);
    close(err[1]);
    out_ = out[0];
    err_ = err[0];
}

NocturneProcess::NocturneProcess(const Arguments& arguments)
{
    const auto out = open_pipe();
    const auto err = open_pipe();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);

    Arguments words = arguments;
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const int error = posix_spawnp(&id_, pointers[0], &actions, &attributes, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(out[1]);
    close(err[1]);
    out_ = out[0];
    err_ = err[0];
    REQUIRE(error == 0);
}

NocturneProcess::~NocturneProcess()
{
    if (id_ > 0) {
        kill(-id_, SIGKILL);
        waitpid(id_, nullptr, 0);
    }
    for (const int descriptor : {out_, err_})
        if (descriptor >= 0)
            close(descriptor);
}

pid_t NocturneProcess::wait_for_worker() const
{
    for (unsigned tries = 0; tries < 30'000; ++tries) {
        for (const auto& process : std::filesystem::directory_iterator("/proc"))
            if (parent_of(process.path()) == id_)
                return std::stoi(process.path().filename());
        usleep(1000);
    }
    FAIL("no worker has been started");
    return 0;
}

std::string NocturneProcess::read_line_and_close()
{
    std::string line;
    for (char next = 0; read(out_, &next, 1) == 1 && next != '\n';)
        line += next;
    close(out_);
    out_ = -1;
    return line;
}

Outcome NocturneProcess::wait()
{
    const auto [out, err] = read_both({out_, err_});
    int status = 0;
    waitpid(id_, &status, 0);
    id_ = 0;
    return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), out, err};
}

Outcome run_nocturne(const Arguments& arguments)
{
    return NocturneProcess([&] { return cli::run_command_line(arguments); }).wait();
}

Outcome run_shell(const std::string& line)
{
    return NocturneProcess({"/bin/sh", "-c", "nocturne='" NOCTURNE "'; " + line}).wait();
}

Outcome run_words(const std::string& words, const std::string& folder)
{
    if (words.find_first_of("|&;<>$`*?~\\") != std::string::npos ||
        words.find("''") != std::string::npos) // split_unix() leaves out what is empty
        return run_shell((folder.empty() ? "" : "cd '" + folder + "' && ") + "$nocturne " + words);
    const Arguments arguments = boost::program_options::split_unix(words);
    return NocturneProcess([&] {
               if (!folder.empty() && chdir(folder.c_str()) != 0)
                   return 125;
               return cli::run_command_line(arguments);
           })
        .wait();
}

std::string without_remarks(const std::string& err)
{
    constexpr std::array remarks{": defaults for what it does not say: ",
                                 ": attributes ignored: ",
                                 ": not carried: ",
                                 ": can deadlock: ",
                                 ": deadlock is not checked",
                                 "nocturne: arrivals ",
                                 ": no packet was created in the ",
                                 ": called saturated after a warm-up of ",
                                 ": saturation may be lower, by up to a fifth: ",
                                 ": energy: ",
                                 ": its load of ",
                                 " parallel links fail together",
                                 ": processors outside the group may pass data on and add",
                                 " pairs of one-way links lead there and back",
                                 ": of the times of a table of Noxim",
                                 ": paths of ",
                                 ": a message is one of ",
                                 ": the file does not say for which ",
                                 ": it was made for ",
                                 "nocturne: --bytes given: the objective is time",
                                 ": buffers are up to ",
                                 ": no adaptive routing among the runs: ",
                                 ": its messages are not in the order of their cycles",
                                 ": of Chakra's traces ",
                                 ": events of tt-npe: ",
                                 ": an NVLink counts as 25 GB/s",
                                 " are wider than a flit of ",
                                 ": the model flit takes no longer here",
                                 " % above the schedule's own time",
                                 ": links carry ",
                                 " that a link carries in a cycle: "};
    std::string rest;
    std::istringstream lines(err);
    for (std::string line; std::getline(lines, line);)
        if (std::ranges::none_of(remarks, [&](const char* part) { return line.find(part) != line.npos; }))
            rest += line + '\n';
    return rest;
}

std::string text_of(const Arguments& arguments, int status)
{
    const Outcome outcome = run_nocturne(arguments);
    CHECK(outcome.status == status);
    CHECK(without_remarks(outcome.err).empty());
    return outcome.out;
}

nlohmann::json nocturne_json(const Arguments& arguments, int status)
{
    const Outcome outcome = run_nocturne(arguments);
    CHECK(outcome.status == status);
    CHECK(without_remarks(outcome.err).empty());
    const nlohmann::json json =
        nlohmann::json::parse(outcome.out, nullptr, false); // refuses anything behind it
    REQUIRE(json.is_object());
    return json;
}

void check_refused(const Arguments& arguments, const std::vector<std::string>& parts)
{
    std::string line = "nocturne";
    for (const std::string& argument : arguments)
        line += ' ' + argument;
    INFO(line);
    check_refused(run_nocturne(arguments), parts);
}

void check_refused(const Outcome& outcome, const std::vector<std::string>& parts)
{
    INFO(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Catch::StartsWith("nocturne: "));
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
    CHECK_THAT(outcome.err, Catch::EndsWith("\n"));
    CHECK(std::ranges::count_if(outcome.err, [](unsigned char byte) { return std::iscntrl(byte); }) == 1);
    for (const std::string& part : parts)
        CHECK_THAT(outcome.err, Catch::Contains(part));
}

std::string content_of(const std::string& path)
{
    std::ifstream stream(path, std::ios::binary);
    REQUIRE(stream.good());
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::string library(std::string_view file)
{
    return std::string(SCHEDULE_LIBRARY "/").append(file);
}

bool says(const std::string& text, const std::string& figure, const std::string& value)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(figure + "  ") &&
            line.substr(line.find_first_not_of(' ', figure.size())) == value)
            return true;
    return false;
}

nlohmann::json replay_json(const Arguments& arguments)
{
    return nocturne_json(arguments).at("replays").back();
}

} // namespace nocturne::test
