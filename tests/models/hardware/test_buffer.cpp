#include "models/hardware/arena.hpp"
#include "models/hardware/buffer.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <new>
#include <vector>

namespace nocturne::buffer_test {

TEST_CASE("a place of a buffer has a flit from its arrival, and a credit from its return",
          "[hardware][buffer]")
{
    BufferSlot slot;
    CHECK(slot.has_credit(0));
    CHECK_FALSE(slot.has_arrived(100));
    CHECK_FALSE(slot.fill(Flit(7, 3, 5), 12));
    CHECK(slot.is_full());
    CHECK(slot.flit().packet() == 7);
    CHECK(slot.flit().sequence() == 3);
    CHECK_FALSE(slot.has_arrived(11));
    CHECK(slot.has_arrived(12));
    CHECK_FALSE(slot.has_credit(1000));
    CHECK_FALSE(slot.empty(20));
    CHECK_FALSE(slot.has_arrived(1000));
    CHECK_FALSE(slot.has_credit(19));
    CHECK(slot.has_credit(20));
}

TEST_CASE("who waits in a place is named once to the other end", "[hardware][buffer]")
{
    BufferSlot slot;
    slot.await(); // the receiver, for a flit
    CHECK(slot.has_credit(0));
    CHECK(slot.fill(Flit(1, 0, 1), 5));
    CHECK_FALSE(slot.empty(9));
    CHECK_FALSE(slot.fill(Flit(2, 0, 1), 10));
    slot.await(); // the sender, for a credit
    CHECK(slot.has_arrived(10));
    CHECK(slot.empty(11));
    CHECK_FALSE(slot.fill(Flit(3, 0, 1), 12));
}

TEST_CASE("both ends go round a buffer of any depth", "[hardware][buffer]")
{
    const std::uint32_t depth = GENERATE(1u, 2u, 3u, 8u, 13u);
    std::vector<BufferSlot> slots(depth);
    BufferCursor sender{slots.data(), 0, depth};
    BufferCursor receiver = sender;
    std::uint32_t sent = 0;
    for (std::uint32_t round = 0; round < 5; ++round) {
        for (; sender.slot().has_credit(round); sender.advance())
            sender.slot().fill(Flit(sent++, 0, 1), round);
        CHECK(sent == (round + 1) * depth);
        CHECK(receiver.places() == 0);
        for (std::uint32_t i = 0; receiver.slot().has_arrived(round); receiver.advance(), ++i) {
            CHECK(receiver.slot().flit().packet() == round * depth + i);
            receiver.slot().empty(round + 1);
        }
        CHECK(receiver.places() == depth);
    }
}

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

} // namespace nocturne::buffer_test
