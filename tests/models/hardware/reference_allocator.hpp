// An allocator as plainly as the definitions of its kinds can be written.
#pragma once

#include "models/network/allocation.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace nocturne::test {

struct RefRequest {
    std::uint32_t input;
    std::uint32_t output;
    std::uint32_t member; ///< of the input
    std::uint64_t rank;   ///< the less, the sooner

    friend bool operator==(const RefRequest&, const RefRequest&) = default;
};

/// Compares every request with every other; each arbiter is a list of all that it could ever choose, in the
/// order in which it would choose them.
class ReferenceAllocator {
public:
    /// `iterations` is 1 unless it is iSLIP. Copies share the turns of members.
    ReferenceAllocator(AllocatorKind kind, ArbiterKind arbiter, unsigned iterations,
                       std::vector<std::uint32_t> inputs_outputs_members);

    /// Without what has the input or the output of one of `taken`.
    std::vector<RefRequest> allocate(const std::vector<RefRequest>& requests,
                                     const std::vector<RefRequest>& taken = {});

private:
    using Order = std::vector<std::uint32_t>;
    using Pick = std::vector<RefRequest>; ///< one or none

    /// Of those requests the one that the arbiter prefers.
    template <typename Index>
    static Pick preferred(const std::vector<RefRequest>& requests, const Order& arbiter, Index index);
    void serve(Order& arbiter, std::uint32_t served) const;
    std::vector<RefRequest> one_of_each_pair(const std::vector<RefRequest>& requests) const;
    std::vector<RefRequest> inputs_first(const std::vector<RefRequest>& requests);
    std::vector<RefRequest> outputs_first(const std::vector<RefRequest>& requests);
    std::vector<RefRequest> waves(const std::vector<RefRequest>& requests);

    AllocatorKind kind_;
    ArbiterKind arbiter_;
    unsigned iterations_;
    std::shared_ptr<std::vector<Order>> members_; ///< by input
    std::vector<Order> inputs_;                   ///< by output
    std::vector<Order> outputs_;                  ///< by input
    std::uint32_t first_wave_ = 0;
};

} // namespace nocturne::test
