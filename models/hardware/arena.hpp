// Memory of a network in one piece: what is used together is near together, on few pages.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace nocturne {

/// A block that is given out from front to back, in whole cache lines.
class Arena {
public:
    static constexpr std::size_t line_bytes = 64;

    /// What `count` elements take of it.
    template <typename T>
    static constexpr std::size_t bytes_of(std::size_t count = 1)
    {
        return (sizeof(T) * count + line_bytes - 1) / line_bytes * line_bytes;
    }

    explicit Arena(std::size_t bytes);

    /// The next elements, as their default constructor leaves them. The bytes of the arena must suffice.
    template <typename T>
    std::span<T> take(std::size_t count)
    {
        static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= line_bytes);
        T* const first = static_cast<T*>(take_bytes(bytes_of<T>(count)));
        std::uninitialized_value_construct_n(first, count);
        return {first, count};
    }

    /// Memory for one object, which its user constructs and destroys.
    template <typename T>
    void* take_place()
    {
        static_assert(alignof(T) <= line_bytes);
        return take_bytes(bytes_of<T>());
    }

    /// Is it more than a processor has near by?
    bool is_large() const { return is_large_; }
    /// Where the next element would be.
    const std::byte* next() const { return free_; }

private:
    struct Release {
        void operator()(std::byte* block) const;
    };
    void* take_bytes(std::size_t bytes);

    bool is_large_;
    std::unique_ptr<std::byte, Release> block_;
    std::byte* free_;
    std::byte* end_;
};

} // namespace nocturne
