#include "models/topology/files.hpp"

#include "models/text/utf8.hpp"
#include "models/topology/input_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace nocturne {

namespace {

/// A file descriptor that is closed in any case.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (number_ >= 0)
            ::close(number_);
    }
    int number() const { return number_; }
    /// From now on somebody else closes it.
    int release() { return std::exchange(number_, -1); }
    /// Closes now; false on failure, when data may not have reached the disk.
    bool close() { return ::close(std::exchange(number_, -1)) == 0; }

private:
    int number_;
};

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view what, int error)
{
    throw std::runtime_error(fmt::format("{}: cannot {}: {}", path.string(), what, std::strerror(error)));
}

void write_all(int descriptor, const std::filesystem::path& path, std::string_view content)
{
    while (!content.empty()) {
        const ssize_t written = ::write(descriptor, content.data(), content.size());
        if (written < 0 && errno != EINTR)
            fail(path, "write", errno);
        if (written > 0)
            content.remove_prefix(static_cast<std::size_t>(written));
    }
}

/// The permissions that a newly created file gets from the process's umask; mkstemp alone would make it
/// private.
mode_t default_permissions()
{
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

/// For devices and pipes: a file renamed onto /dev/null would take its place.
void write_in_place(const std::filesystem::path& path, const std::function<void(const ByteSink&)>& produce)
{
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.number() < 0)
        fail(path, "write", errno);
    produce([&](std::string_view piece) { write_all(file.number(), path, piece); });
    if (!file.close())
        fail(path, "write", errno);
}

} // namespace

FilePieces::FilePieces(const std::filesystem::path& path) : path_(path), descriptor_(-1)
{
    // Non-blocking: opening a pipe without a writer must not hang.
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.number() < 0)
        fail(path, "read", errno);
    struct stat status{};
    if (::fstat(file.number(), &status) != 0)
        fail(path, "read", errno);
    if (S_ISDIR(status.st_mode))
        fail(path, "read", EISDIR);
    InputLog::note_read(path);
    descriptor_ = file.release();
}

FilePieces::~FilePieces()
{
    ::close(descriptor_);
}

std::size_t FilePieces::next(std::span<char> piece)
{
    for (;;) {
        const ssize_t count = ::read(descriptor_, piece.data(), piece.size());
        if (count >= 0)
            return static_cast<std::size_t>(count);
        if (errno != EINTR)
            fail(path_, "read", errno);
    }
}

std::string read_file(const std::filesystem::path& path)
{
    FilePieces file(path);
    std::string content;
    char buffer[1 << 16];
    while (const std::size_t count = file.next(buffer)) {
        content.append(buffer, count);
        if (content.size() > largest_file_bytes)
            fail(path, "read", EFBIG);
    }
    content.erase(0, content.size() - without_byte_order_mark(content).size());
    return content;
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content)
{
    write_file_atomically(path, [&](const ByteSink& sink) { sink(content); });
}

void write_file_atomically(const std::filesystem::path& path,
                           const std::function<void(const ByteSink&)>& produce)
{
    InputLog::note_written(path);
    struct stat status{};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
        write_in_place(path, produce);
        return;
    }
    // A symbolic link stays one: the file that it leads to is replaced.
    std::error_code error_code;
    const std::filesystem::path target = exists ? std::filesystem::canonical(path, error_code) : path;
    if (error_code)
        fail(path, "write", error_code.value());
    std::string temporary = target.string() + ".XXXXXX";
    Descriptor file(::mkstemp(temporary.data()));
    if (file.number() < 0)
        fail(path, "write", errno);
    try {
        produce([&](std::string_view piece) { write_all(file.number(), path, piece); });
        if (::fchmod(file.number(), default_permissions()) != 0 || !file.close() ||
            std::rename(temporary.c_str(), target.c_str()) != 0)
            fail(path, "write", errno);
    } catch (...) {
        ::unlink(temporary.c_str());
        throw;
    }
}

std::string one_line(std::string text)
{
    std::replace_if(text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
    return text;
}

namespace {

/// Without a slash at its end.
std::filesystem::path named(const std::filesystem::path& folder)
{
    return (folder / "").parent_path();
}

} // namespace

void require_new_folder(const std::filesystem::path& folder)
{
    if (std::filesystem::exists(std::filesystem::symlink_status(named(folder))))
        throw std::runtime_error(
            fmt::format("{}: exists already; a new folder is written", named(folder).string()));
}

namespace {

/// Fills the new folder `part`, which `finish` puts in the place of `path` or its files into it; both are as
/// they were if something is thrown.
void fill_folder(const std::filesystem::path& path, const std::filesystem::path& part,
                 const std::function<void(const FolderSink&)>& produce, const std::function<void()>& finish)
{
    std::error_code error;
    if (!std::filesystem::create_directory(part, error))
        fail(path, "create", error ? error.value() : EEXIST);
    try {
        produce([&](const std::string& name, std::string_view content) {
            try {
                write_file_atomically(part / name, content);
            } catch (const std::runtime_error& wrong) {
                std::string text = wrong.what(); // of a folder that the caller did not ask for
                if (text.starts_with(part.string()))
                    text.replace(0, part.string().size(), path.string());
                throw std::runtime_error(text);
            }
        });
        finish();
    } catch (...) {
        std::filesystem::remove_all(part, error);
        throw;
    }
}

/// Moves all files of `part` into the folder `path`, where none of them may be a folder.
void move_files(const std::filesystem::path& part, const std::filesystem::path& path)
{
    std::vector<std::filesystem::path> names;
    for (const auto& entry : std::filesystem::directory_iterator(part))
        names.push_back(entry.path().filename());
    for (const std::filesystem::path& name : names)
        if (std::filesystem::is_directory(path / name))
            fail(path / name, "write", EISDIR);
    for (const std::filesystem::path& name : names)
        std::filesystem::rename(part / name, path / name);
    std::filesystem::remove(part);
}

} // namespace

void write_new_folder(const std::filesystem::path& folder, const std::vector<FolderFile>& files)
{
    require_new_folder(folder);
    const std::filesystem::path path = named(folder);
    const std::filesystem::path part = fmt::format("{}.{}.part", path.string(), ::getpid());
    const auto produce = [&](const FolderSink& sink) {
        for (const FolderFile& file : files)
            sink(file.name, file.content);
    };
    fill_folder(path, part, produce, [&] { std::filesystem::rename(part, path); });
}

void write_folder(const std::filesystem::path& folder, const std::function<void(const FolderSink&)>& produce)
{
    const std::filesystem::path path = named(folder);
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        const std::filesystem::path part = path / fmt::format(".{}.part", ::getpid());
        fill_folder(path, part, produce, [&] { move_files(part, path); });
        return;
    }
    if (std::filesystem::exists(path, error))
        fail(path, "create", ENOTDIR);
    std::vector<std::filesystem::path> above; // that are not there yet, the innermost first
    for (auto at = path.parent_path(); !at.empty() && !std::filesystem::exists(at, error);
         at = at.parent_path())
        above.push_back(at);
    try {
        if (!above.empty() && !std::filesystem::create_directories(above.front(), error))
            fail(path, "create", error ? error.value() : EEXIST);
        const std::filesystem::path part = fmt::format("{}.{}.part", path.string(), ::getpid());
        fill_folder(path, part, produce, [&] { std::filesystem::rename(part, path); });
    } catch (...) {
        for (const std::filesystem::path& one : above)
            std::filesystem::remove(one, error); // empty folders only
        throw;
    }
}

} // namespace nocturne
