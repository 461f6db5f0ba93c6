// Which files a result depends on, so that results that are kept can be known by the content of all of them,
// and what is to be said of the result beside its numbers.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace nocturne {

/// What tells the content of a regular file from another: 16 hexadecimal digits. Empty for what is no such
/// file, or cannot be read.
std::string content_digest(const std::filesystem::path& path);

/// Digests of files by their paths, which are as somebody gave them.
using FileDigests = std::map<std::string, std::string>;

/// Notes every regular file that this thread opens for reading (files.hpp) while the log lives, whichever
/// option, file or part of a value named it, with the content that it has then. A file that is written
/// meanwhile is a result, and in no log. And keeps what is remarked. Logs nest: an outer one has what an
/// inner one has.
class InputLog {
public:
    InputLog();
    InputLog(const InputLog&) = delete;
    InputLog& operator=(const InputLog&) = delete;
    ~InputLog();

    const FileDigests& files() const { return files_; }
    /// Each once, in order.
    const std::vector<std::string>& remarks() const { return remarks_; }

    /// For whatever reads and writes files.
    static void note_read(const std::filesystem::path& path);
    static void note_written(const std::filesystem::path& path);
    /// What a reader dropped, or chose where its input left something open, or what results depend on that
    /// the user did not ask for: one line, which begins with the name of the input or network. It is lost
    /// where there is no log.
    static void remark(const std::string& text);
    /// Of the innermost log, if there is one.
    static std::vector<std::string> remarks_so_far();
    /// Likewise, those that have not been taken before.
    static std::vector<std::string> take_remarks();

private:
    InputLog* outer_;
    FileDigests files_;
    std::vector<std::string> remarks_;
    std::size_t taken_ = 0; ///< of the remarks
};

} // namespace nocturne
