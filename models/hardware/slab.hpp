// Arrays side by side in one block of memory: what is used together is near together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace nocturne {

/// A block that begins with a cache line, and is given out from front to back.
class Slab {
public:
    static constexpr std::size_t line_bytes = 64;

    /// What `count` elements take of it: whole lines.
    template <typename T>
    static constexpr std::size_t bytes_of(std::size_t count)
    {
        return (sizeof(T) * count + line_bytes - 1) / line_bytes * line_bytes;
    }

    explicit Slab(std::size_t bytes)
        : block_(static_cast<std::byte*>(::operator new(bytes, std::align_val_t(line_bytes)))),
          free_(block_.get())
    {
    }

    /// The next elements, as their default constructor leaves them. The bytes of the block must suffice.
    template <typename T>
    std::span<T> take(std::size_t count)
    {
        static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= line_bytes);
        T* const first = reinterpret_cast<T*>(free_);
        free_ += bytes_of<T>(count);
        std::uninitialized_value_construct_n(first, count);
        return {first, count};
    }

    /// What has been given out.
    std::span<const std::byte> taken() const { return {block_.get(), free_}; }

private:
    struct Release {
        void operator()(std::byte* block) const { ::operator delete(block, std::align_val_t(line_bytes)); }
    };

    std::unique_ptr<std::byte, Release> block_;
    std::byte* free_;
};

} // namespace nocturne
