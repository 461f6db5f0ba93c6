// Matches requests: each input gets at most one output, each output at most one input.
#pragma once

#include "models/network/allocation.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace nocturne {

/// Arbiters of one size, each of which chooses one of the numbers below it. When all begins, it is the turn
/// of 0: of round-robin as of the matrix.
class Arbiters {
public:
    /// `kind`: what decides between requests of the same rank, which is round-robin but for the matrix.
    Arbiters(ArbiterKind kind, std::size_t count, std::size_t size);

    /// When it is the turn of `i`: the less, the sooner.
    std::uint64_t turn(std::uint32_t arbiter, std::uint32_t i) const
    {
        return served_.empty() ? (i + size_ - 1 - last_[arbiter]) % size_ : served_[arbiter * size_ + i];
    }
    void serve(std::uint32_t arbiter, std::uint32_t i);

private:
    std::uint64_t size_;
    std::vector<std::uint32_t> last_;   ///< by arbiter: served last; empty for the matrix
    std::vector<std::uint64_t> served_; ///< by arbiter and number, of the matrix: when it was served last
    std::uint64_t services_ = 0;
};

/// An allocator: input by input and output by output with an arbiter each, see AllocatorKind. Its cost
/// follows the requests.
class Allocator {
public:
    struct Request {
        std::uint32_t input;
        std::uint32_t output;
        std::uint32_t member; ///< of the input: which of several requests for perhaps the same output
        std::uint64_t rank;   ///< the less, the sooner: what a packet's age or priority makes of it
    };
    struct Shape {
        std::size_t inputs;
        std::size_t outputs;
        std::size_t members; ///< of each input
    };

    /// `kind` is not AllocatorKind::rotating; `iterations` is 1 unless it is iSLIP.
    Allocator(AllocatorKind kind, ArbiterKind arbiter, unsigned iterations, Shape shape);
    /// One like `first`, for further requests of the same members: they have the same turns.
    static Allocator beside(const Allocator& first);

    /// A request for the next allocation. No two of one member of an input for the same output.
    void add(const Request& request) { requests_.push_back(request); }
    bool empty() const { return requests_.empty(); }
    /// Grants some of the requests, and forgets the others; a grant is void, and no member's turn passes on
    /// by it, if one of `taken` has its input or its output. Valid until the next request.
    std::span<const Request> allocate(std::span<const Request> taken = {});

private:
    static constexpr std::uint32_t none = ~0u;

    void grant_input_first();
    void grant_output_first();
    void grant_along_diagonals();
    void choose_members();
    template <typename Turn>
    void offer(std::vector<std::uint32_t>& best, std::uint32_t of, std::uint32_t request, Turn turn);
    void win(const Request& request);

    const AllocatorKind kind_;
    const ArbiterKind arbiter_;
    const unsigned iterations_;
    const Shape shape_;
    std::shared_ptr<Arbiters> members_; ///< by input
    Arbiters outputs_;                  ///< by output, among inputs
    Arbiters accepts_;                  ///< by input, among outputs
    std::vector<Request> requests_;
    std::vector<Request> granted_;
    std::vector<std::uint32_t> best_of_input_; ///< a request, or none
    std::vector<std::uint32_t> best_of_output_;
    std::vector<bool> is_matched_input_;
    std::vector<bool> is_matched_output_;
    std::uint64_t diagonal_ = 0; ///< with which the wave begins
};

} // namespace nocturne
