#include "models/traffic/byte_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bzlib.h>
#include <cstring>
#include <stdexcept>
#include <string_view>

namespace nocturne {

namespace {

constexpr std::size_t source_piece_bytes = std::size_t{1} << 16;
constexpr std::size_t longest_line = std::size_t{1} << 20;

} // namespace

/// Of bzip2 streams, one behind the other.
class ByteSource::Decompressor {
public:
    Decompressor(FilePieces& file, std::span<const char> first, const std::string& path)
        : file_(file), path_(path), input_(first.begin(), first.end())
    {
        input_.resize(std::max(source_piece_bytes, first.size()));
        stream_.next_in = input_.data();
        stream_.avail_in = static_cast<unsigned>(first.size());
    }
    Decompressor(const Decompressor&) = delete;
    Decompressor& operator=(const Decompressor&) = delete;
    ~Decompressor()
    {
        if (is_open_)
            BZ2_bzDecompressEnd(&stream_);
    }

    /// 0 at the end.
    std::size_t read(std::span<char> piece)
    {
        stream_.next_out = piece.data();
        stream_.avail_out = static_cast<unsigned>(piece.size());
        while (stream_.avail_out == piece.size()) {
            if (stream_.avail_in == 0) {
                stream_.next_in = input_.data();
                stream_.avail_in = static_cast<unsigned>(file_.next(input_));
                if (stream_.avail_in == 0 && is_open_)
                    fail("ends in the middle");
                if (stream_.avail_in == 0)
                    return 0;
            }
            if (!is_open_)
                open();
            const int status = BZ2_bzDecompress(&stream_);
            if (status == BZ_STREAM_END) {
                BZ2_bzDecompressEnd(&stream_);
                is_open_ = false;
            } else if (status == BZ_MEM_ERROR) {
                throw std::bad_alloc();
            } else if (status != BZ_OK) {
                fail("is damaged");
            }
        }
        return piece.size() - stream_.avail_out;
    }

private:
    void open()
    {
        if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK)
            throw std::bad_alloc();
        is_open_ = true;
    }
    [[noreturn]] void fail(const char* what) const
    {
        throw std::runtime_error(fmt::format("{}: cannot read: the bzip2 file {}", path_, what));
    }

    FilePieces& file_;
    const std::string& path_;
    std::vector<char> input_;
    bz_stream stream_{};
    bool is_open_ = false;
};

ByteSource::ByteSource(const std::string& path) : path_(path), file_(path), buffer_(source_piece_bytes)
{
    const std::span<const char> first = peek(3);
    if (std::string_view(first.data(), first.size()) == "BZh") {
        decompressor_ = std::make_unique<Decompressor>(file_, std::span(buffer_.data(), end_), path_);
        begin_ = end_ = 0;
    }
}

ByteSource::~ByteSource() = default;

std::size_t ByteSource::read(std::span<char> piece)
{
    return decompressor_ ? decompressor_->read(piece) : file_.next(piece);
}

std::span<const char> ByteSource::peek(std::size_t count)
{
    if (end_ - begin_ < count) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
        if (buffer_.size() < count)
            buffer_.resize(count);
        while (end_ < count) {
            const std::size_t came = read(std::span(buffer_).subspan(end_));
            if (came == 0)
                break;
            end_ += came;
        }
    }
    return {buffer_.data() + begin_, std::min(count, end_ - begin_)};
}

bool ByteSource::next_line(std::string& line)
{
    line.clear();
    bool has_any = false;
    for (;;) {
        if (begin_ == end_) {
            begin_ = 0;
            end_ = read(buffer_);
            if (end_ == 0)
                return has_any;
        }
        has_any = true;
        const char* const from = buffer_.data() + begin_;
        const void* const newline = std::memchr(from, '\n', end_ - begin_);
        const std::size_t count = newline == nullptr
                                      ? end_ - begin_
                                      : static_cast<std::size_t>(static_cast<const char*>(newline) - from);
        line.append(from, count);
        begin_ += count;
        if (newline != nullptr) {
            ++begin_;
            return true;
        }
        if (line.size() > longest_line)
            throw std::runtime_error(fmt::format("{}: a line of more than {} bytes", path_, longest_line));
    }
}

} // namespace nocturne
