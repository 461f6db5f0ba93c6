// The bytes of a file, one piece after the other, as they are or compressed.
#pragma once

#include "models/topology/files.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace nocturne {

/// A file whose bytes are read in their order; if they are those of a bzip2 file, what it has compressed.
class ByteSource {
public:
    /// Throws std::runtime_error, one line that names the file, if it cannot be read.
    explicit ByteSource(const std::string& path);
    ~ByteSource();

    /// The next bytes, 0 or more of them, without taking them: fewer than asked for at the end of the file
    /// only. Valid until the next call. Throws std::runtime_error for a file that cannot be read or
    /// decompressed.
    std::span<const char> peek(std::size_t count);
    /// Takes so many that have been seen.
    void skip(std::size_t count) { begin_ += count; }
    /// The next line without its end; false behind the last one. Throws likewise, and for a line of more
    /// than a megabyte.
    bool next_line(std::string& line);

private:
    class Decompressor;

    std::size_t read(std::span<char> piece);

    const std::string path_;
    FilePieces file_;
    std::unique_ptr<Decompressor> decompressor_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0; ///< of what has not been taken
    std::size_t end_ = 0;
};

} // namespace nocturne
