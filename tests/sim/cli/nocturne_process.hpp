// The built command as its users have it: arguments in; exit status, standard output and standard error out.
#pragma once

#include "tests/temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace nocturne::test {

using Arguments = std::vector<std::string>;

/// Both, one behind the other.
inline Arguments with(Arguments arguments, const Arguments& more)
{
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

struct Outcome {
    int status; ///< exit status, or 128 + the signal that ended it, as a shell has it
    std::string out;
    std::string err;
};

/// A running `nocturne`, the leader of a process group of its own; killed if it is still there at the end.
/// Standard input is empty.
class NocturneProcess {
public:
    explicit NocturneProcess(const Arguments& arguments);
    /// A fork of this process, which has one thread, in which this runs and says the status: a start of a
    /// program with sanitizers takes longer than most commands.
    explicit NocturneProcess(const std::function<int()>& run);
    NocturneProcess(const NocturneProcess&) = delete;
    NocturneProcess& operator=(const NocturneProcess&) = delete;
    ~NocturneProcess();

    pid_t id() const { return id_; }
    /// Until it has a child.
    pid_t wait_for_worker() const;
    /// Takes one line of its output, then closes the pipe as `head -1` does.
    std::string read_line_and_close();
    /// Reads everything and waits for the end.
    Outcome wait();

private:
    pid_t id_ = 0;
    int out_ = -1;
    int err_ = -1;
};

/// Runs it to its end, in a fork of this process.
Outcome run_nocturne(const Arguments& arguments);

/// Runs `nocturne` within a line of shell in which $nocturne is its path.
Outcome run_shell(const std::string& line);

/// The command with these words behind it, as a shell takes them: by a shell where they have anything but
/// quotes that only a shell understands. In that folder, if one is named.
Outcome run_words(const std::string& words, const std::string& folder = {});

/// Standard error without what is remarked of files that were read and of what a run's results hang on.
std::string without_remarks(const std::string& err);

/// Is there a line `FIGURE   VALUE`?
bool says(const std::string& text, const std::string& figure, const std::string& value);

/// Its standard output; checks the status, and that there is nothing else on standard error.
std::string text_of(const Arguments& arguments, int status = 0);
/// Runs it, expects exit status `status` and silence on stderr, and returns the one JSON value on stdout.
nlohmann::json nocturne_json(const Arguments& arguments, int status = 0);

/// The replay of the largest messages in that value.
nlohmann::json replay_json(const Arguments& arguments);

/// Expects exit status 2, nothing on stdout, and one line on stderr that has all of `parts` in it.
void check_refused(const Arguments& arguments, const std::vector<std::string>& parts);
void check_refused(const Outcome& outcome, const std::vector<std::string>& parts);

std::string content_of(const std::string& path);

/// The path of a schedule of the library: `octagon8_aas.json`.
std::string library(std::string_view file);

} // namespace nocturne::test
