// Working memory of loops that use a few of many indices and then start afresh.
#pragma once

#include <cstdint>
#include <vector>

namespace nocturne {

/// Values by index that are forgotten all at once, in constant time.
template <class Value>
class Scratch {
public:
    explicit Scratch(std::size_t size) : entries_(size) {}

    void forget_all() { ++epoch_; }
    /// What was set since the last forget_all(); null otherwise. Valid until the next set() of that index.
    const Value* find(std::size_t index) const
    {
        return entries_[index].epoch == epoch_ ? &entries_[index].value : nullptr;
    }
    void set(std::size_t index, Value value) { entries_[index] = {epoch_, value}; }

private:
    struct Entry {
        std::uint64_t epoch = 0;
        Value value{};
    };
    std::uint64_t epoch_ = 1;
    std::vector<Entry> entries_;
};

} // namespace nocturne
