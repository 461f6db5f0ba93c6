// Other programs, run as child processes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// A file in memory, without a name, as a stream of a process: unlike a pipe it cannot fill up, so that
/// neither side ever waits for the other, and a process that dies early raises no SIGPIPE.
class MemoryFile {
public:
    /// Throws std::system_error if this process lacks files or memory, as content() does.
    explicit MemoryFile(std::string_view content = {});
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile();

    int descriptor() const { return descriptor_; }
    /// All of it, from whatever place on others read or write.
    std::string content() const;

private:
    int descriptor_;
};

/// What became of a program.
struct ProgramEnd {
    int start_error = 0; ///< errno where it could not be started; ENOENT: it is not installed
    int status = 0;      ///< as of waitpid()
    std::string output;
    std::string errors;

    bool has_succeeded() const { return start_error == 0 && status == 0; }
};

/// Runs a program of the search path with its arguments, which reads `input` from its standard input; no
/// shell is involved. Throws std::system_error if this process lacks files, or cannot wait.
ProgramEnd run_program(const std::vector<std::string>& words, std::string_view input);

} // namespace nocturne
