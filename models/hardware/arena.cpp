#include "models/hardware/arena.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace nocturne {

namespace {
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

bool is_large(std::size_t bytes)
{
    return bytes >= huge_page_bytes / 2;
}

/// Whole huge pages for a large network: with small ones its state takes more pages than a processor can
/// look up at once, and each flit-hop waits for page tables.
std::byte* allocate(std::size_t bytes)
{
    const std::size_t alignment = is_large(bytes) ? huge_page_bytes : Arena::line_bytes;
    const std::size_t whole = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
    void* const block = std::aligned_alloc(alignment, whole);
    if (block == nullptr)
        throw std::bad_alloc();
    if (is_large(bytes))
        madvise(block, whole, MADV_HUGEPAGE); // advice: that it is not taken changes nothing but the speed
    return static_cast<std::byte*>(block);
}

} // namespace

Arena::Arena(std::size_t bytes)
    : is_large_(nocturne::is_large(bytes)), block_(allocate(bytes)), free_(block_.get()),
      end_(block_.get() + bytes)
{
}

void* Arena::take_bytes(std::size_t bytes)
{
    if (bytes > static_cast<std::size_t>(end_ - free_))
        throw std::bad_alloc();
    std::byte* const taken = free_;
    free_ += bytes;
    return taken;
}

void Arena::Release::operator()(std::byte* block) const
{
    std::free(block);
}

} // namespace nocturne
