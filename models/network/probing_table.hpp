// What few keys of very many mean, in memory that follows the keys that there are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace nocturne {

/// A hash table with open addressing and linear probing (Knuth, The Art of Computer Programming 3, section
/// 6.4, algorithms L and R), which allocates nothing once it has its size. Keys are integers or pointers;
/// `no_key` never is one.
template <typename Key, Key no_key, typename Value>
class ProbingTable {
public:
    std::size_t size() const { return size_; }

    /// Null if there is none. Valid until the next insertion or erasure.
    Value* find(Key key)
    {
        if (entries_.empty())
            return nullptr;
        Entry& entry = entries_[place_of(key)];
        return entry.key == no_key ? nullptr : &entry.value;
    }

    /// The value of the key, made if there is none; valid as find() says.
    Value& operator[](Key key)
    {
        if (2 * (size_ + 1) > entries_.size())
            grow();
        Entry& entry = entries_[place_of(key)];
        if (entry.key == no_key) {
            entry = {key, Value()};
            ++size_;
        }
        return entry.value;
    }

    /// Calls visit(key, value) for all, in no order.
    template <class Visit>
    void for_each(Visit visit) const
    {
        for (const Entry& entry : entries_)
            if (entry.key != no_key)
                visit(entry.key, entry.value);
    }

    /// Does nothing if there is no such key.
    void erase(Key key)
    {
        if (entries_.empty())
            return;
        std::size_t hole = place_of(key);
        if (entries_[hole].key == no_key)
            return;
        --size_;
        entries_[hole] = Entry();
        // What comes behind moves into the hole unless its own place is behind that.
        for (std::size_t i = next(hole); entries_[i].key != no_key; i = next(i))
            if (((i - home_of(entries_[i].key)) & mask()) >= ((i - hole) & mask())) {
                entries_[hole] = std::exchange(entries_[i], Entry());
                hole = i;
            }
    }

private:
    struct Entry {
        Key key = no_key;
        Value value{};
    };

    std::size_t mask() const { return entries_.size() - 1; }
    std::size_t next(std::size_t place) const { return (place + 1) & mask(); }
    std::size_t home_of(Key key) const
    {
        // Fibonacci hashing: the middle bits of the product depend on all the lower bits of a key.
        return static_cast<std::size_t>(((std::uint64_t)key * 0x9e3779b97f4a7c15ull) >> 32) & mask();
    }
    /// Where the key is, or the free place where it would be.
    std::size_t place_of(Key key) const
    {
        std::size_t place = home_of(key);
        while (entries_[place].key != no_key && entries_[place].key != key)
            place = next(place);
        return place;
    }
    void grow()
    {
        const std::vector<Entry> before =
            std::exchange(entries_, std::vector<Entry>(std::max<std::size_t>(16, 2 * entries_.size())));
        for (const Entry& entry : before)
            if (entry.key != no_key)
                entries_[place_of(entry.key)] = entry;
    }

    std::vector<Entry> entries_; ///< none, or a power of two of them
    std::size_t size_ = 0;
};

} // namespace nocturne
