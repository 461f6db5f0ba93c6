// Whole files in and out, with errors that name the file and the reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// The largest file that read_file accepts: an all-reduce on 1024 processors takes 300 MiB.
inline constexpr std::uintmax_t largest_file_bytes = std::uintmax_t{512} << 20;

/// The text of a file, without a byte-order mark before it. Throws std::runtime_error (`net.json: cannot
/// read: Is a directory`) if it is missing, a directory, unreadable, or larger than largest_file_bytes.
std::string read_file(const std::filesystem::path& path);

/// A file that is read piece by piece: one that is larger than largest_file_bytes, or than the memory.
class FilePieces {
public:
    /// Throws std::runtime_error as read_file(), for a file of any size.
    explicit FilePieces(const std::filesystem::path& path);
    FilePieces(const FilePieces&) = delete;
    FilePieces& operator=(const FilePieces&) = delete;
    ~FilePieces();

    /// Fills `piece` with the next bytes; returns how many, 0 at the end of the file only. Throws
    /// std::runtime_error if they cannot be read.
    std::size_t next(std::span<char> piece);

private:
    std::filesystem::path path_;
    int descriptor_;
};

/// Takes the bytes of a file in their order, a piece at a time.
using ByteSink = std::function<void(std::string_view)>;

/// Puts `content` where readers of `path` see the old file or the whole new one, never half of it: it is
/// written beside `path`, then renamed. What is no regular file (/dev/stdout, a pipe) is written to as it is.
/// Throws std::runtime_error (`out.json: cannot write: No space left on device`) and leaves nothing behind on
/// failure.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// The same for content that `produce` hands over piece by piece. What `produce` throws is thrown on, and the
/// file at `path` is as it was.
void write_file_atomically(const std::filesystem::path& path,
                           const std::function<void(const ByteSink&)>& produce);

/// A file of a folder that is written as a whole.
struct FolderFile {
    std::string name; ///< without a folder
    std::string content;
};

/// Throws std::runtime_error if there is something at that path: before what belongs there is made.
void require_new_folder(const std::filesystem::path& folder);

/// Writes all files into the folder, which must not exist, and leaves nothing behind if it cannot: they are
/// written into a folder beside it, which is then renamed. Throws std::runtime_error that names the folder.
void write_new_folder(const std::filesystem::path& folder, const std::vector<FolderFile>& files);

/// Takes the files of a folder one after the other.
using FolderSink = std::function<void(const std::string& name, std::string_view content)>;

/// The same for a folder that may be there already, with other files, which stay: either all that `produce`
/// hands over is in it at the end, or it is as it was. Folders above it are created. What `produce` throws is
/// thrown on.
void write_folder(const std::filesystem::path& folder, const std::function<void(const FolderSink&)>& produce);

/// `text` with a space for each control character: what comes from a file must not break the line of a
/// message.
std::string one_line(std::string text);

} // namespace nocturne
