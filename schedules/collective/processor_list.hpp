// Processors, as a value whose copies share their elements.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace nocturne {

/// Never changes; a million demands for the sum of the same thousand contributions are a million pointers.
class ProcessorList {
public:
    ProcessorList() : ProcessorList(std::vector<std::uint32_t>{}) {}
    ProcessorList(std::vector<std::uint32_t> processors)
        : processors_(std::make_shared<const std::vector<std::uint32_t>>(std::move(processors)))
    {
    }
    ProcessorList(std::initializer_list<std::uint32_t> processors)
        : ProcessorList(std::vector<std::uint32_t>(processors))
    {
    }

    operator const std::vector<std::uint32_t>&() const { return *processors_; }

    std::size_t size() const { return processors_->size(); }
    bool empty() const { return processors_->empty(); }
    std::uint32_t operator[](std::size_t index) const { return (*processors_)[index]; }
    std::uint32_t front() const { return processors_->front(); }
    std::uint32_t back() const { return processors_->back(); }
    auto begin() const { return processors_->begin(); }
    auto end() const { return processors_->end(); }

    friend bool operator==(const ProcessorList& a, const ProcessorList& b)
    {
        return a.processors_ == b.processors_ || *a.processors_ == *b.processors_;
    }
    friend bool operator==(const ProcessorList& a, const std::vector<std::uint32_t>& b)
    {
        return *a.processors_ == b;
    }

private:
    std::shared_ptr<const std::vector<std::uint32_t>> processors_;
};

} // namespace nocturne
