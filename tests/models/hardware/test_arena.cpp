#include "models/hardware/arena.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <new>
#include <span>

namespace nocturne::arena_test {

TEST_CASE("an arena gives out whole cache lines, and no more than it has", "[hardware][arena]")
{
    const std::size_t lines = GENERATE(3u, 100'000u); // one of more than a page
    Arena arena(lines * Arena::line_bytes);
    CHECK(arena.is_large() == (lines > 1000));
    const std::byte* const begin = arena.next();
    CHECK(reinterpret_cast<std::uintptr_t>(begin) % Arena::line_bytes == 0);
    const std::span<std::uint64_t> words = arena.take<std::uint64_t>(9);
    CHECK(words.size() == 9);
    CHECK(static_cast<const void*>(words.data()) == begin);
    CHECK(std::all_of(words.begin(), words.end(), [](std::uint64_t word) { return word == 0; }));
    CHECK(arena.next() == begin + 2 * Arena::line_bytes);
    CHECK_THROWS_AS(arena.take<std::byte>((lines - 2) * Arena::line_bytes + 1), std::bad_alloc);
    CHECK(arena.take<std::byte>((lines - 2) * Arena::line_bytes).size() == (lines - 2) * Arena::line_bytes);
    CHECK_THROWS_AS(arena.take<std::byte>(1), std::bad_alloc);
}

} // namespace nocturne::arena_test
